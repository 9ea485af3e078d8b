//! The content of a JSON string, decoded on demand.

use std::borrow::Cow;

/// The text between the quotes of a string, whose escapes are known to be valid.
#[derive(Clone, Copy, Debug)]
pub struct Str<'a> {
    pub(super) raw: &'a str,
    pub(super) escaped: bool,
}

impl<'a> Str<'a> {
    /// The decoded string. A lone surrogate becomes U+FFFD, as in Go.
    #[inline]
    pub fn text(self) -> Cow<'a, str> {
        if self.escaped { Cow::Owned(decode(self.raw)) } else { Cow::Borrowed(self.raw) }
    }

    /// Whether the decoded string equals this text.
    #[inline]
    pub fn is(self, text: &str) -> bool {
        if self.escaped { decode(self.raw) == text } else { self.raw == text }
    }

    /// The text, if it is ASCII without escapes, so that it needs neither decoding nor normalisation.
    #[inline]
    pub fn plain(self) -> Option<&'a str> {
        (!self.escaped && self.raw.is_ascii()).then_some(self.raw)
    }
}

/// Replaces the escapes of a string by their characters.
fn decode(raw: &str) -> String {
    let mut out = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some((before, after)) = rest.split_once('\\') {
        out.push_str(before);
        let mut chars = after.chars();
        match chars.next() {
            Some('b') => out.push('\u{8}'),
            Some('f') => out.push('\u{c}'),
            Some('n') => out.push('\n'),
            Some('r') => out.push('\r'),
            Some('t') => out.push('\t'),
            Some('u') => {
                let (c, left) = unicode(chars.as_str());
                out.push(c);
                rest = left;
                continue;
            }
            Some(c) => out.push(c),
            None => {}
        }
        rest = chars.as_str();
    }
    out.push_str(rest);
    out
}

/// Decodes the four digits after `\u`, together with a second escape if both are a surrogate pair; returns the
/// character and the rest of the text.
pub(super) fn unicode(text: &str) -> (char, &str) {
    let (Some(first), after) = hex4(text) else { return (char::REPLACEMENT_CHARACTER, text) };
    if let Some(c) = char::from_u32(first.into()) {
        return (c, after);
    }
    if let Some(low) = after.strip_prefix("\\u")
        && let (Some(second), after) = hex4(low)
        && let Some(Ok(c)) = char::decode_utf16([first, second]).next()
    {
        return (c, after);
    }
    (char::REPLACEMENT_CHARACTER, after)
}

/// The value of four hexadecimal digits, and the text after them.
fn hex4(text: &str) -> (Option<u16>, &str) {
    let digits = text.get(..4).and_then(|digits| u16::from_str_radix(digits, 16).ok());
    (digits, text.get(4..).unwrap_or_default())
}
