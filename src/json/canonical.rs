//! JSON text in canonical form, rewritten token by token: no value is built.

use std::io;

use crate::text::run_for_html;
use crate::types::json::write_escaped;

use super::string::unicode;

/// The size in bytes at which buffered text is passed on to the writer.
const FLUSH_BYTES: usize = 1 << 16;

/// Writes JSON text in canonical form: without white space, and with the escapes of strings that Go's encoder writes.
///
/// Properties keep their order and numbers their digits. Two escapes stay as they are, as Go's encoder has written both
/// over time: `\b` beside `\u0008`, `\f` beside `\u000c`. A lone surrogate stays, as no character stands for it.
#[derive(Debug)]
pub struct CanonicalWriter<W> {
    writer: W,
    out: String,
}

impl<W: io::Write> CanonicalWriter<W> {
    /// A writer that passes its text on in pieces of about 64 kB.
    pub fn new(writer: W) -> CanonicalWriter<W> {
        CanonicalWriter { writer, out: String::new() }
    }

    /// Writes valid JSON text, which begins and ends between two tokens.
    pub fn write(&mut self, text: &str) -> io::Result<()> {
        let mut rest = text;
        while let Some((between, string)) = rest.split_once('"') {
            self.push_without_space(between);
            self.out.push('"');
            rest = push_string(string, &mut self.out);
            if self.out.len() >= FLUSH_BYTES {
                self.pass_on()?;
            }
        }
        self.push_without_space(rest);
        Ok(())
    }

    /// Writes text that is in canonical form already.
    pub fn write_canonical(&mut self, text: &str) {
        self.out.push_str(text);
    }

    /// Passes the rest of the text on. The writer is not flushed.
    pub fn finish(mut self) -> io::Result<()> {
        self.pass_on()
    }

    /// Appends tokens that are no strings, without the white space between them.
    fn push_without_space(&mut self, text: &str) {
        self.out.extend(text.split([' ', '\n', '\r', '\t']));
    }

    /// Passes the buffered text on.
    fn pass_on(&mut self) -> io::Result<()> {
        self.writer.write_all(self.out.as_bytes())?;
        self.out.clear();
        Ok(())
    }
}

/// Appends the content of a string and its closing quote to `out`; returns the text behind it. `text` begins behind the
/// opening quote.
fn push_string<'t>(text: &'t str, out: &mut String) -> &'t str {
    let mut rest = text;
    loop {
        let (plain, tail) = rest.split_at_checked(run_for_html(rest.as_bytes())).unwrap_or((rest, ""));
        out.push_str(plain);
        let mut chars = tail.chars();
        rest = match chars.next() {
            None => return "",
            Some('"') => {
                out.push('"');
                return chars.as_str();
            }
            Some('\\') => push_escape(chars.as_str(), out),
            Some(c) => {
                write_escaped(c.encode_utf8(&mut [0; 4]), out);
                chars.as_str()
            }
        };
    }
}

/// Appends the escape that begins behind a backslash; returns the text behind it.
fn push_escape<'t>(text: &'t str, out: &mut String) -> &'t str {
    let mut chars = text.chars();
    match chars.next() {
        Some('u') => {
            let (c, rest) = unicode(chars.as_str());
            match c {
                '\u{8}' | '\u{c}' => out.push_str(&format!("\\u{:04x}", u32::from(c))),
                char::REPLACEMENT_CHARACTER => {
                    let digits = chars.as_str().get(..4).unwrap_or_default().to_ascii_lowercase();
                    match digits.as_str() {
                        "fffd" => out.push(c),
                        lone => {
                            out.push_str("\\u");
                            out.push_str(lone);
                        }
                    }
                }
                c => write_escaped(c.encode_utf8(&mut [0; 4]), out),
            }
            return rest;
        }
        Some('/') => out.push('/'),
        Some(c) => {
            out.push('\\');
            out.push(c);
        }
        None => {}
    }
    chars.as_str()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn canonical(text: &str) -> String {
        let mut out = Vec::new();
        let mut writer = CanonicalWriter::new(&mut out);
        writer.write(text).unwrap();
        writer.finish().unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn canonical_text_has_no_white_space_and_the_escapes_of_go() {
        for (text, expected) in [
            (" { \"b\" : [ 1.0 , true,\n null ] ,\"a\":{}} ", r#"{"b":[1.0,true,null],"a":{}}"#),
            ("\"a b\\t<&>\u{2028}é\"", "\"a b\\t\\u003c\\u0026\\u003e\\u2028é\""),
            (r#""\/\u0041\u003C\u000a\"\\""#, r#""/A\u003c\n\"\\""#),
            (r#""\b\u0008\f\u000C\u0001""#, r#""\b\u0008\f\u000c\u0001""#),
            (r#""\ud83d\uDE00\uD83D\ufffd""#, "\"😀\\ud83d\u{fffd}\""),
            ("1e+05", "1e+05"),
        ] {
            assert_eq!(canonical(text), expected, "{text}");
            assert_eq!(canonical(expected), expected);
        }
    }
}
