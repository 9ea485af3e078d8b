//! Strings in Unicode Normalization Form C, as all values hold them, and the prefixes of such strings.
//!
//! cty normalises every string that it takes in, so that two strings that look the same are equal. For prefixes
//! this has a price: a character that is appended to a string may still change its end (`e` followed by U+0301
//! becomes `é`). [`stable_prefix`] returns the part of a string that can no longer change.

mod article;
pub(crate) mod calendar;
mod cursor;
mod image;
mod nearest;
mod position;
mod quote;
mod scan;
mod stable;
#[cfg(test)]
mod tests;
mod word;
pub(crate) mod yaml;

use std::borrow::{Borrow, Cow};
use std::fmt;
use std::ops::Deref;

use smol_str::{SmolStr, SmolStrBuilder};
use unicode_normalization::UnicodeNormalization;
use unicode_segmentation::UnicodeSegmentation;

pub(crate) use article::with_article;
pub(crate) use cursor::Cursor;
pub(crate) use image::image_prefix;
pub(crate) use nearest::{near_name, nearest};
pub(crate) use position::position;
pub(crate) use quote::{
    CharInMessage, Quoted, QuotedInMessage, VisibleInMessage, escape, read_quoted, write_escaped,
    write_quoted,
};
pub(crate) use scan::plain_run;
pub(crate) use scan::run_for_html;
pub(crate) use stable::last_starter;
pub use stable::stable_prefix;
pub(crate) use stable::{first_boundary, stable_before};
pub(crate) use word::{continues_word, is_word, split_digits, starts_word, write_word};

/// A string that is always in normalization form C. Strings are ordered by their bytes; up to 23 bytes are stored
/// inline, without an allocation.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Text(SmolStr);

impl Text {
    /// Copies the string and converts it to normalization form C.
    pub(crate) fn new(text: &str) -> Text {
        match nfc(text) {
            Cow::Borrowed(text) => Text(SmolStr::new(text)),
            Cow::Owned(text) => Text(SmolStr::from(text)),
        }
    }

    /// Formats a value whose `Display` writes only ASCII, which is always in normalization form C.
    pub(crate) fn of_ascii(text: &impl fmt::Display) -> Text {
        let mut written = SmolStrBuilder::new();
        // Writing to a `SmolStrBuilder` cannot fail.
        let _ = fmt::Write::write_fmt(&mut written, format_args!("{text}"));
        Text(written.finish())
    }

    /// The string, in normalization form C.
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
    /// The concatenation of `parts`, whose lengths add up to `length` bytes, in normalization form C. A short result
    /// is stored inline, without an allocation.
    pub(crate) fn concat<'a>(length: usize, parts: impl Iterator<Item = &'a str>) -> Text {
        if length > INLINE_BYTES {
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

/// The maximum length in bytes of a string that is stored inline.
const INLINE_BYTES: usize = 23;

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

/// Converts a string to normalization form C. A string that is in this form already is borrowed; for ASCII this is
/// known without a look at Unicode tables.
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

/// The number of characters as a person counts them: extended grapheme clusters (Unicode Standard Annex 29).
///
/// ```
/// use plantime::text::grapheme_count;
///
/// assert_eq!(grapheme_count("👩\u{200d}🚀!"), 2);
/// ```
pub fn grapheme_count(text: &str) -> usize {
    text.graphemes(true).count()
}

/// The longest common prefix of two strings. If both strings are in normalization form C, so is the prefix.
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
