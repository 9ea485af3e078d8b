//! Quoted strings: how names, keys and strings are written and read in every text form of the crate.
//!
//! Escapes: `\"`, `\\`, `\n`, `\r`, `\t`, `\uXXXX`, `\UXXXXXXXX`; reading also takes `\u{…}`.

use std::fmt::{self, Write};

use unicode_normalization::char::canonical_combining_class;
use unicode_normalization::{IsNormalized, is_nfc_quick};

/// Writes the string in double quotes, escaped.
pub fn write_quoted(out: &mut impl Write, text: &str) -> fmt::Result {
    out.write_char('"')?;
    write_escaped(out, text)?;
    out.write_char('"')
}

/// Displays a string in double quotes, escaped as in the text forms of the crate.
#[derive(Debug)]
pub struct Quoted<'a>(pub &'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_quoted(f, self.0)
    }
}

/// Displays a string in double quotes for a message. Invisible characters are escaped as Go's `%q` escapes them, as
/// in cty's messages: two names that differ in a zero-width joiner would otherwise look the same.
#[derive(Debug)]
pub struct QuotedInMessage<'a>(pub &'a str);

impl fmt::Display for QuotedInMessage<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_visibly(f, self.0, '"')
    }
}

/// Displays a character in single quotes for a message, escaped like [`QuotedInMessage`].
pub(crate) struct CharInMessage(pub(crate) char);

impl fmt::Display for CharInMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_visibly(f, self.0.encode_utf8(&mut [0; 4]), '\'')
    }
}

/// Displays a string without quotes for a message: visible characters as they are, quotes and backslashes too, others escaped
/// like [`QuotedInMessage`].
pub(crate) struct VisibleInMessage<'a>(pub(crate) &'a str);

impl fmt::Display for VisibleInMessage<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.chars().try_for_each(|c| write_visible(f, c))
    }
}

/// Writes the string between two `quote` characters, with invisible characters escaped as by Go's `%q`.
fn write_visibly(out: &mut impl Write, text: &str, quote: char) -> fmt::Result {
    out.write_char(quote)?;
    for c in text.chars() {
        match c {
            '\\' => out.write_str("\\\\")?,
            c if c == quote => write!(out, "\\{c}")?,
            c => write_visible(out, c)?,
        }
    }
    out.write_char(quote)
}

/// Writes a character as it is, or escaped as by Go's `%q` if it is invisible.
fn write_visible(out: &mut impl Write, c: char) -> fmt::Result {
    match c {
        '\n' => out.write_str("\\n"),
        '\r' => out.write_str("\\r"),
        '\t' => out.write_str("\\t"),
        '\u{7}' => out.write_str("\\a"),
        '\u{8}' => out.write_str("\\b"),
        '\u{b}' => out.write_str("\\v"),
        '\u{c}' => out.write_str("\\f"),
        c if is_visible(c) => out.write_char(c),
        c => match u32::from(c) {
            code @ ..=0x7F => write!(out, "\\x{code:02x}"),
            code @ ..=0xFFFF => write!(out, "\\u{code:04x}"),
            code => write!(out, "\\U{code:08x}"),
        },
    }
}

/// Whether Go's `%q` writes the character as it is: a letter, mark, number, sign or the space.
fn is_visible(c: char) -> bool {
    // `escape_debug` knows the invisible characters. The `a` in front is needed because it also escapes a mark at
    // the start of a string.
    c == ' ' || c.is_ascii_graphic() || !c.is_ascii() && format!("a{c}").escape_debug().count() == 2
}

/// Writes the string with quotes, backslashes and control characters escaped, without quotes around it.
pub(crate) fn write_escaped(out: &mut impl Write, text: &str) -> fmt::Result {
    escape(out, text, char::is_control, |out, code| match code {
        ..=0xFFFF => write!(out, "\\u{code:04x}"),
        code => write!(out, "\\U{code:08x}"),
    })
}

/// Writes the string with escapes for quotes, backslashes and the characters for which `escaped` is true. `by_code`
/// writes the escape, from the code point, of a character that has no short form such as `\n`.
pub(crate) fn escape<W: Write>(
    out: &mut W,
    text: &str,
    escaped: impl Fn(char) -> bool,
    by_code: impl Fn(&mut W, u32) -> fmt::Result,
) -> fmt::Result {
    let mut rest = text;
    while let Some(at) = rest.find(|c: char| c == '"' || c == '\\' || escaped(c)) {
        let (plain, tail) = rest.split_at(at);
        out.write_str(plain)?;
        let mut chars = tail.chars();
        match chars.next() {
            Some('"') => out.write_str("\\\"")?,
            Some('\\') => out.write_str("\\\\")?,
            Some('\n') => out.write_str("\\n")?,
            Some('\r') => out.write_str("\\r")?,
            Some('\t') => out.write_str("\\t")?,
            Some(c) => by_code(out, c.into())?,
            None => {}
        }
        // Also escape a combining character right after an escape: normalising the written text would combine it
        // with the last letter of the escape (`n` of `\n`).
        rest = chars.as_str();
        while let Some(c) = chars.next().filter(|c| joins(*c)) {
            by_code(out, c.into())?;
            rest = chars.as_str();
        }
    }
    out.write_str(rest)
}

/// Whether normalisation may combine the character with the character before it.
fn joins(c: char) -> bool {
    !c.is_ascii()
        && (canonical_combining_class(c) != 0 || is_nfc_quick(std::iter::once(c)) != IsNormalized::Yes)
}

/// Reads a quoted string: returns its unescaped content and the rest after the closing quote. `rest` starts after
/// the opening quote. `None` if the closing quote is missing or an escape is invalid.
pub fn read_quoted(rest: &str) -> Option<(String, &str)> {
    let mut text = String::new();
    let mut chars = rest.chars();
    loop {
        match chars.next()? {
            '"' => return Some((text, chars.as_str())),
            '\\' => match chars.next()? {
                'n' => text.push('\n'),
                'r' => text.push('\r'),
                't' => text.push('\t'),
                c @ ('"' | '\\') => text.push(c),
                'u' => match chars.as_str().strip_prefix('{') {
                    Some(after) => {
                        let (digits, after) = after.split_once('}')?;
                        text.push(code_point(digits)?);
                        chars = after.chars();
                    }
                    None => text.push(fixed_code_point(&mut chars, 4)?),
                },
                'U' => text.push(fixed_code_point(&mut chars, 8)?),
                _ => return None,
            },
            c => text.push(c),
        }
    }
}

/// Reads exactly `digits` hexadecimal digits and returns the character with that code point; `None` if there is none.
fn fixed_code_point(chars: &mut std::str::Chars<'_>, digits: usize) -> Option<char> {
    let (digits, rest) = chars.as_str().split_at_checked(digits)?;
    *chars = rest.chars();
    code_point(digits)
}

/// The character whose code point is written in these one to eight hexadecimal digits; `None` if there is none.
fn code_point(digits: &str) -> Option<char> {
    if digits.is_empty() || digits.len() > 8 || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    char::from_u32(u32::from_str_radix(digits, 16).ok()?)
}

#[cfg(test)]
mod tests {
    use super::{CharInMessage, QuotedInMessage, read_quoted, write_quoted};

    #[test]
    fn what_cannot_be_seen_is_escaped_in_messages_as_go_escapes_it() {
        for (text, quoted) in [
            ("plain é \u{301}'", "\"plain é \u{301}'\""),
            ("a\"\\", r#""a\"\\""#),
            ("\0\u{7}\u{8}\t\n\u{b}\u{c}\r\u{1b}\u{7f}", r#""\x00\a\b\t\n\v\f\r\x1b\x7f""#),
            ("\u{85}\u{a0}\u{200c}\u{200d}\u{feff}\u{e000}", r#""\u0085\u00a0\u200c\u200d\ufeff\ue000""#),
            ("\u{e0001}👩", r#""\U000e0001👩""#),
        ] {
            assert_eq!(QuotedInMessage(text).to_string(), quoted);
        }
        for (c, quoted) in
            [('\'', r"'\''"), ('"', "'\"'"), ('\u{200d}', r"'\u200d'"), ('\u{301}', "'\u{301}'")]
        {
            assert_eq!(CharInMessage(c).to_string(), quoted);
        }
    }

    #[test]
    fn what_is_written_reads_back() {
        for text in ["", "plain", "a\"b\\c", "\n\r\t\0\u{7f}\u{85}", "é👩\u{301}"] {
            let mut written = String::new();
            write_quoted(&mut written, text).unwrap();
            let (read, rest) = read_quoted(written.strip_prefix('"').unwrap()).unwrap();
            assert_eq!((read.as_str(), rest), (text, ""));
        }
    }

    #[test]
    fn what_is_written_is_not_changed_by_normalisation() {
        for text in
            ["\n\u{323}", "\u{8b}\u{307}x", "\t\u{1d165}\u{301}e", "\"\u{301}", "\\\u{301}", "\r\u{1161}"]
        {
            let mut written = String::new();
            write_quoted(&mut written, text).unwrap();
            assert_eq!(crate::text::nfc(&written), written);
            let (read, _) = read_quoted(written.strip_prefix('"').unwrap()).unwrap();
            assert_eq!(read, text);
        }
    }

    #[test]
    fn escapes_that_are_none_are_refused() {
        for text in ["a", "\\x\"", "\\u12\"", "\\u{}\"", "\\u{110000}\"", "\\ud800\"", "\\"] {
            assert_eq!(read_quoted(text), None, "{text}");
        }
        assert_eq!(read_quoted("\\u{1F469}\\U0001f469\\u00e9\" x"), Some(("👩👩é".to_owned(), " x")));
    }
}
