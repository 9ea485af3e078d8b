//! The content of a JSON string, decoded when somebody asks.

use std::borrow::Cow;

/// A string as it stands between its quotes, checked when it was read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Str<'a> {
    pub(super) raw: &'a str,
    pub(super) escaped: bool,
}

impl<'a> Str<'a> {
    /// The text that the string stands for. A lone surrogate becomes U+FFFD, as in Go.
    pub(crate) fn text(self) -> Cow<'a, str> {
        if self.escaped { Cow::Owned(decode(self.raw)) } else { Cow::Borrowed(self.raw) }
    }

    /// Whether the string stands for this text.
    pub(crate) fn is(self, text: &str) -> bool {
        if self.escaped { decode(self.raw) == text } else { self.raw == text }
    }

    /// The text, where it needs no decoding and no normalisation.
    pub(crate) fn plain(self) -> Option<&'a str> {
        (!self.escaped && self.raw.is_ascii()).then_some(self.raw)
    }
}

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

/// The character of the four digits that come next, or of two such escapes, and what follows.
fn unicode(text: &str) -> (char, &str) {
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

fn hex4(text: &str) -> (Option<u16>, &str) {
    let digits = text.get(..4).and_then(|digits| u16::from_str_radix(digits, 16).ok());
    (digits, text.get(4..).unwrap_or_default())
}
