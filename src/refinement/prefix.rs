//! Prefixes of strings.

use std::fmt;

use crate::text::{Text, common_prefix, nfc};

/// A prefix of strings: never empty, in normalization form C like every string in a value.
///
/// A string has the prefix if the string in that form starts with the bytes of the prefix: `e` is no prefix of `é`, which is one character.
///
/// ```
/// use plantime::Prefix;
///
/// let vpc = Prefix::new("vpc-").unwrap();
/// assert!(vpc.contains("vpc-0a1b"));
/// assert!(!Prefix::new("e").unwrap().contains("e\u{301}"));
///
/// let longer = Prefix::new("vpc-0a").unwrap();
/// assert!(vpc.covers(&longer));
/// assert_eq!(vpc.meet(&longer).as_ref(), Some(&longer));
/// assert_eq!(longer.join(&Prefix::new("vpc-0b").unwrap()).unwrap().as_str(), "vpc-0");
/// assert!(vpc.meet(&Prefix::new("subnet-").unwrap()).is_none());
/// assert!(Prefix::new("").is_none());
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Prefix(Text);

impl Prefix {
    /// The prefix with this text, which is normalised first; `None` for the empty text, which is a prefix of every
    /// string.
    ///
    /// [Example](Prefix)
    pub fn new(text: &str) -> Option<Prefix> {
        Prefix::of(Text::new(text))
    }

    /// The prefix with this normalised text; `None` if it is empty.
    fn of(text: Text) -> Option<Prefix> {
        if text.is_empty() { None } else { Some(Prefix(text)) }
    }

    /// The prefix as a string slice.
    ///
    /// [Example](Prefix)
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// Whether the string, once normalised, starts with the prefix.
    ///
    /// [Example](Prefix)
    pub fn contains(&self, string: &str) -> bool {
        nfc(string).starts_with(self.as_str())
    }

    /// The longer of two prefixes if it starts with the other one; `None` otherwise, since no string has both.
    ///
    /// [Example](Prefix)
    pub fn meet(&self, other: &Prefix) -> Option<Prefix> {
        if self.covers(other) {
            Some(other.clone())
        } else if other.covers(self) {
            Some(self.clone())
        } else {
            None
        }
    }

    /// The longest common prefix; `None` if it is empty.
    ///
    /// [Example](Prefix)
    pub fn join(&self, other: &Prefix) -> Option<Prefix> {
        let common = common_prefix(self.as_str(), other.as_str());
        if common.len() == self.as_str().len() { Some(self.clone()) } else { Prefix::new(common) }
    }

    /// Whether every string with the prefix `other` also has this prefix.
    ///
    /// [Example](Prefix)
    pub fn covers(&self, other: &Prefix) -> bool {
        other.as_str().starts_with(self.as_str())
    }
}

impl fmt::Debug for Prefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Prefix({:?})", self.as_str())
    }
}
