//! Texts that are one of some, whatever the case of their letters.

use std::fmt;

use crate::error::Result;
use crate::text::nfc;

use crate::rule::Pattern;

/// Texts in which upper and lower case letters are the same, by Unicode's simple folding.
///
/// ```
/// use plantime::rule::Words;
///
/// let days = Words::new(["Monday", "Tuesday"])?;
/// assert!(days.has("monday"));
/// assert_eq!(days.decides_prefix("MON"), None);
/// assert_eq!(days.decides_prefix("w"), Some(false));
/// # Ok::<(), plantime::Error>(())
/// ```
#[derive(Clone, PartialEq)]
pub struct Words {
    texts: Vec<String>,
    pattern: Pattern,
}

impl Words {
    /// Texts to look for, whatever the case of their letters.
    ///
    /// # Errors
    ///
    /// When there are so many that they compile to more than 1 MiB ([`is_limit`](crate::Error::is_limit)).
    pub fn new(texts: impl IntoIterator<Item = impl Into<String>>) -> Result<Words> {
        let texts: Vec<String> = texts.into_iter().map(Into::into).collect();
        // Of no texts, what no text is.
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

    /// The texts, as they were given.
    pub fn texts(&self) -> &[String] {
        &self.texts
    }

    /// Whether a text is among them.
    pub fn has(&self, text: &str) -> bool {
        self.pattern.is_match(text)
    }

    /// Whether all texts with this beginning are among them, none is, or (`None`) some are.
    pub fn decides_prefix(&self, prefix: &str) -> Option<bool> {
        self.pattern.decides_prefix(prefix)
    }
}

impl fmt::Debug for Words {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.texts).finish()
    }
}
