//! Strings in Unicode Normalization Form C, as all values hold them, and the prefixes of such strings.
//!
//! cty normalises every string that it takes in, so that two strings that look the same are equal. For prefixes
//! this has a price: a character that is appended to a string may still change its end (`e` followed by U+0301
//! becomes `é`). [`stable_prefix`] returns the part of a string that can no longer change.

pub(crate) mod article;
pub(crate) mod calendar;
pub(crate) mod cursor;
mod image;
pub(crate) mod nearest;
pub(crate) mod normal;
mod position;
pub(crate) mod printable;
pub(crate) mod quote;
mod scan;
mod stable;
#[cfg(test)]
mod tests;
pub(crate) mod word;
pub(crate) mod yaml;

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization;
use unicode_segmentation::UnicodeSegmentation;

pub(crate) use article::with_article;
pub(crate) use cursor::Cursor;
pub(crate) use image::image_prefix;
pub(crate) use nearest::nearest;
pub(crate) use normal::Text;
pub(crate) use position::position;
pub(crate) use quote::{CharInMessage, VisibleInMessage, escape, write_escaped};
pub(crate) use quote::{Quoted, QuotedInMessage, read_quoted, write_quoted};
pub(crate) use scan::plain_run;
pub(crate) use scan::run_for_html;
pub(crate) use stable::last_starter;
pub use stable::stable_prefix;
pub(crate) use stable::{first_boundary, stable_before};
pub(crate) use word::is_word;
pub(crate) use word::{continues_word, split_digits, starts_word, write_word};

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
