//! Text in Unicode Normalization Form C: the strings that values hold, and their prefixes.
//!
//! cty normalises every string it takes in, so two strings that look the same are the same. That has a price for
//! prefixes: what is appended to a text may still change its end (`e` followed by U+0301 becomes `é`).
//! [`stable_prefix`] says which part of a text can no longer change.

mod article;
mod image;
mod nearest;
mod position;
mod quote;
mod scan;
mod stable;
#[cfg(test)]
mod tests;
mod word;

use std::borrow::{Borrow, Cow};
use std::fmt;
use std::ops::Deref;

use smol_str::{SmolStr, SmolStrBuilder};
use unicode_normalization::UnicodeNormalization;
use unicode_segmentation::UnicodeSegmentation;

pub(crate) use article::with_article;
pub(crate) use image::image;
pub(crate) use nearest::nearest;
pub(crate) use position::position;
pub(crate) use quote::{
    CharInMessage, Quoted, QuotedInMessage, escape, read_quoted, write_escaped, write_quoted,
};
pub(crate) use scan::plain_run;
pub(crate) use scan::run_for_html;
pub(crate) use stable::last_starter;
pub use stable::stable_prefix;
pub(crate) use stable::{first_boundary, stable_before};
pub(crate) use word::{continues_word, is_word, starts_word, write_word};

/// A string that is always in normalization form C. Ordered by its bytes; up to 23 bytes are held inline.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Text(SmolStr);

impl Text {
    /// Normalises and keeps a text.
    pub(crate) fn new(text: &str) -> Text {
        match nfc(text) {
            Cow::Borrowed(text) => Text(SmolStr::new(text)),
            Cow::Owned(text) => Text(SmolStr::from(text)),
        }
    }

    /// Keeps what is written in ASCII, and so is in normal form.
    pub(crate) fn of_ascii(text: &impl fmt::Display) -> Text {
        let mut written = SmolStrBuilder::new();
        // It takes everything.
        let _ = fmt::Write::write_fmt(&mut written, format_args!("{text}"));
        Text(written.finish())
    }

    /// The text.
    #[inline]
    pub(crate) fn as_str(&self) -> &str {
        self.0.as_str()
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Text {
        Text::new(text)
    }
}

impl From<String> for Text {
    fn from(text: String) -> Text {
        let normal = match nfc(&text) {
            Cow::Borrowed(_) => None,
            Cow::Owned(normal) => Some(normal),
        };
        Text(SmolStr::from(normal.unwrap_or(text)))
    }
}

impl Text {
    /// Parts one after the other, of so many bytes together; a short text takes no room beside itself.
    pub(crate) fn of_parts<'a>(length: usize, parts: impl Iterator<Item = &'a str>) -> Text {
        if length > SHORT {
            let mut text = String::with_capacity(length);
            text.extend(parts);
            return Text::from(text);
        }
        let mut text = SmolStrBuilder::new();
        parts.for_each(|part| text.push_str(part));
        let text = text.finish();
        let normal = match nfc(&text) {
            Cow::Borrowed(_) => None,
            Cow::Owned(normal) => Some(SmolStr::from(normal)),
        };
        Text(normal.unwrap_or(text))
    }
}

/// Texts of so many bytes are held inline.
const SHORT: usize = 23;

impl Deref for Text {
    type Target = str;

    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl Borrow<str> for Text {
    fn borrow(&self) -> &str {
        self.as_str()
    }
}

impl AsRef<str> for Text {
    fn as_ref(&self) -> &str {
        self.as_str()
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self.as_str(), f)
    }
}

/// The text in normalization form C; borrowed when it is in that form already, at once for ASCII.
///
/// ```
/// use plantime::text::nfc;
///
/// assert_eq!(nfc("Cafe\u{301}"), "Café");
/// ```
pub fn nfc(text: &str) -> Cow<'_, str> {
    if text.is_ascii() || unicode_normalization::is_nfc(text) {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(text.nfc().collect())
    }
}

/// How many characters a person counts: extended grapheme clusters of Unicode Annex 29.
///
/// ```
/// use plantime::text::grapheme_count;
///
/// assert_eq!(grapheme_count("👩\u{200d}🚀!"), 2);
/// ```
pub fn grapheme_count(text: &str) -> usize {
    text.graphemes(true).count()
}

/// The longest text that both start with. Where both are in form C, so is the result.
///
/// ```
/// use plantime::text::common_prefix;
///
/// assert_eq!(common_prefix("subnet-1", "subway"), "sub");
/// ```
pub fn common_prefix<'a>(a: &'a str, b: &str) -> &'a str {
    let same = a.chars().zip(b.chars()).take_while(|(x, y)| x == y);
    let length = same.map(|(c, _)| c.len_utf8()).fold(0, usize::saturating_add);
    a.get(..length).unwrap_or_default()
}
