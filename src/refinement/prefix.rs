//! What a string starts with.

use std::fmt;

use crate::text::{Text, common_prefix, nfc};

/// A text that a string starts with: never empty, in normalization form C as every string of a value.
///
/// The strings are those whose own form C starts with these bytes: `e` is no prefix of `é`, which is one character.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Prefix(Text);

impl Prefix {
    /// The prefix of a text, which is normalised; none for the empty text, which every string starts with.
    pub fn new(text: &str) -> Option<Prefix> {
        Prefix::of(Text::new(text))
    }

    fn of(text: Text) -> Option<Prefix> {
        if text.is_empty() { None } else { Some(Prefix(text)) }
    }

    /// The prefix as a string slice.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// Whether the string starts so.
    pub fn contains(&self, string: &str) -> bool {
        nfc(string).starts_with(self.as_str())
    }

    /// The longer one, if it starts with the other; no string starts with both otherwise.
    pub fn meet(&self, other: &Prefix) -> Option<Prefix> {
        if self.covers(other) {
            Some(other.clone())
        } else if other.covers(self) {
            Some(self.clone())
        } else {
            None
        }
    }

    /// What both start with, if anything.
    pub fn join(&self, other: &Prefix) -> Option<Prefix> {
        let common = common_prefix(self.as_str(), other.as_str());
        if common.len() == self.as_str().len() { Some(self.clone()) } else { Prefix::new(common) }
    }

    /// Whether each string that starts with `other` starts with this one too.
    pub fn covers(&self, other: &Prefix) -> bool {
        other.as_str().starts_with(self.as_str())
    }
}

impl fmt::Debug for Prefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Prefix({:?})", self.as_str())
    }
}
