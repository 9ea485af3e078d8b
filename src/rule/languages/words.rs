//! Lists of strings that are compared ignoring case.

use std::fmt;

use crate::error::Result;
use crate::text::nfc;

use crate::rule::Pattern;

/// A list of strings that are compared ignoring case, by Unicode's simple case folding.
///
/// ```
/// use plantime::rule::Words;
///
/// let days = Words::new(["Monday", "Tuesday"])?;
/// assert!(days.has("monday"));
/// assert!(!days.has("Wednesday"));
/// # Ok::<(), plantime::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Words {
    texts: Vec<String>,
    pattern: Pattern,
}

impl Words {
    /// A list of these strings.
    ///
    /// [Example](Words)
    ///
    /// # Errors
    ///
    /// When there are so many that they compile to more than 1 MiB ([`is_limit`](crate::Error::is_limit)).
    pub fn new(texts: impl IntoIterator<Item = impl Into<String>>) -> Result<Words> {
        let texts: Vec<String> = texts.into_iter().map(Into::into).collect();
        // Without words, a pattern that never matches.
        let mut pattern = String::from(if texts.is_empty() { r"\A\z." } else { r"(?i)\A(?:" });
        for (i, text) in texts.iter().enumerate() {
            pattern.push_str(if i > 0 { "|" } else { "" });
            pattern.push_str(&regex_syntax::escape(&nfc(text)));
        }
        if !texts.is_empty() {
            pattern.push_str(r")\z");
        }
        Ok(Words { pattern: Pattern::new(&pattern)?, texts })
    }

    /// The strings as given.
    ///
    /// [Example](Words)
    pub fn texts(&self) -> &[String] {
        &self.texts
    }

    /// Whether a string is in the list, ignoring case.
    ///
    /// [Example](Words)
    pub fn has(&self, text: &str) -> bool {
        self.pattern.is_match(text)
    }

    /// The pattern that matches the words, and nothing else.
    pub(in crate::rule) fn pattern(&self) -> &Pattern {
        &self.pattern
    }
}

impl fmt::Debug for Words {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.texts).finish()
    }
}
