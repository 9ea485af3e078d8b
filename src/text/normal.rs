//! Strings in normalization form C.

use std::borrow::{Borrow, Cow};
use std::fmt;
use std::ops::Deref;

use smol_str::{SmolStr, SmolStrBuilder};

use super::nfc;

/// A string that is always in normalization form C. Strings are ordered by their bytes; up to 23 bytes are stored
/// inline, without an allocation.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Text(SmolStr);

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
