//! Text for a terminal, which nothing that came from a file can control.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Whether a character must not reach a terminal: it would control it, change the direction of writing, end a line for
/// some readers, or not be seen at all.
fn is_escaped(c: char) -> bool {
    match c {
        '\n' | '\t' => false,
        c if c.is_ascii() => c.is_control(),
        // The other control characters.
        '\u{80}'..='\u{9f}'
        // Soft hyphen, joiners, fillers, and marks without a width.
        | '\u{ad}' | '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{180e}' | '\u{200b}'..='\u{200d}' | '\u{2060}'..='\u{2065}'
        | '\u{206a}'..='\u{206f}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}'
        // Directions.
        | '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
        // Separators of lines and paragraphs.
        | '\u{2028}' | '\u{2029}' => true,
        _ => false,
    }
}

/// Whether the UTF-8 form of some escaped character begins with this byte.
fn may_begin_escaped(byte: u8) -> bool {
    (byte < 0x20 && byte != b'\n') || byte == 0x7f || (byte >= 0xc2 && is_lead_byte_of_escaped(byte))
}

/// Whether the UTF-8 form of some escaped character beyond ASCII begins with this byte.
fn is_lead_byte_of_escaped(byte: u8) -> bool {
    matches!(byte, 0xc2 | 0xcd | 0xd8 | 0xe1 | 0xe2 | 0xe3 | 0xef | 0xf3)
}

/// Whether nothing in a text is escaped.
fn is_printable(text: &str) -> bool {
    // Without leaving early, so that many bytes are compared at once: nearly every text passes.
    !text.bytes().fold(false, |found, byte| found | may_begin_escaped(byte)) || !text.chars().any(is_escaped)
}

/// Adds the text with the characters that must not reach a terminal escaped as `\u{…}`. Line ends and tabs stay.
pub fn push_printable(out: &mut String, text: &str) {
    if is_printable(text) {
        return out.push_str(text);
    }
    for c in text.chars() {
        if is_escaped(c) {
            let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
        } else {
            out.push(c);
        }
    }
}

/// The text with the characters escaped as `\u{…}` that control a terminal, change the direction of writing or are not seen
/// at all, but for line ends and tabs: text from a file cannot control the terminal.
///
/// ```
/// use plantime::source::printable;
///
/// assert_eq!(printable("a\tb\u{1b}[31m\u{200b}"), "a\tb\\u{1b}[31m\\u{200b}");
/// ```
pub fn printable(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    push_printable(&mut out, text);
    out
}

/// The text for a place inside a line: line ends are written as `\n`.
pub fn in_one_line(text: &str) -> Cow<'_, str> {
    if text.contains('\n') { Cow::Owned(text.replace('\n', "\\n")) } else { Cow::Borrowed(text) }
}

/// JSON text in which the same characters are escaped as JSON does it: the document is the same.
pub fn printable_json(text: &str) -> Cow<'_, str> {
    if is_printable(text) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        // Control characters of ASCII are escaped already where they are part of a string.
        if is_escaped(c) && (!c.is_ascii() || c == '\u{7f}') {
            for unit in c.encode_utf16(&mut [0; 2]) {
                let _ = write!(out, "\\u{unit:04x}");
            }
        } else {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_escaped_is_found_by_its_first_byte() {
        for c in (0..=u32::from(char::MAX)).filter_map(char::from_u32) {
            let text = format!("a{c}b");
            assert_eq!(printable(&text) != text, is_escaped(c), "{c:?}");
            if !c.is_ascii() && is_escaped(c) {
                assert!(is_lead_byte_of_escaped(text.as_bytes()[1]), "{c:?}");
            }
        }
    }

    #[test]
    fn nothing_invisible_stays() {
        for c in "\0\u{1b}\r\u{7f}\u{85}\u{9b}\u{ad}\u{61c}\u{200b}\u{200d}\u{200e}\u{2028}\u{2029}\u{202e}\u{2060}\u{2069}\u{feff}\u{e0001}".chars() {
            assert_eq!(printable(&format!("a{c}")), format!("a\\u{{{:x}}}", u32::from(c)));
        }
        let shown = "a\tb\nä€漢 \u{301}🙂";
        assert_eq!(printable(shown), shown);
        assert_eq!(in_one_line("a\nb"), "a\\nb");
    }

    #[cfg(feature = "json")]
    #[test]
    fn json_stays_the_same_document() {
        let text = "{\"a\u{9b}\": \"\u{202e}\u{e0041}\u{7f}\\u001b\\n\",\n\t\"b\": \"ä\"}";
        let written = printable_json(text);
        assert_eq!(written, "{\"a\\u009b\": \"\\u202e\\udb40\\udc41\\u007f\\u001b\\n\",\n\t\"b\": \"ä\"}");
        let read = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
        assert_eq!(read(&written), read(text));
    }
}
