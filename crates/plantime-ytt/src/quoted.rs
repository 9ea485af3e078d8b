//! Strings in double quotes, with the escapes of Go, YAML and JSON.

use std::sync::OnceLock;

use plantime::rule::Pattern;

/// Returns a string in double quotes. The escapes that Starlark, YAML and JSON share are written here; `push_other` appends
/// every other character as its format has it.
pub(crate) fn double_quoted(text: &str, push_other: impl Fn(char, &mut String)) -> String {
    let mut out = String::from("\"");
    for char in text.chars() {
        match shared_escape(char) {
            Some(escape) => out.push_str(escape),
            None => push_other(char, &mut out),
        }
    }
    out.push('"');
    out
}

/// Returns the escape that a character has in Starlark, YAML and JSON alike; `None` if it has none in all of them.
fn shared_escape(char: char) -> Option<&'static str> {
    Some(match char {
        '"' => "\\\"",
        '\\' => "\\\\",
        '\n' => "\\n",
        '\t' => "\\t",
        '\r' => "\\r",
        _ => return None,
    })
}

/// Returns a string in double quotes as Go's `%q` writes it: what is not printed has an escape.
pub(crate) fn quoted(text: &str) -> String {
    double_quoted(text, |char, out| match char {
        '\u{7}' => out.push_str("\\a"),
        '\u{8}' => out.push_str("\\b"),
        '\u{b}' => out.push_str("\\v"),
        '\u{c}' => out.push_str("\\f"),
        char if is_printed(char) => out.push(char),
        char => out.push_str(&match u32::from(char) {
            code @ 0..=0x7F => format!("\\x{code:02x}"),
            code @ 0..=0xFFFF => format!("\\u{code:04x}"),
            code => format!("\\U{code:08x}"),
        }),
    })
}

/// Whether Go prints a character: letters, marks, numbers, punctuation, symbols, and the blank of ASCII.
fn is_printed(char: char) -> bool {
    static OTHERS: OnceLock<Option<Pattern>> = OnceLock::new();
    if char.is_ascii() {
        return (' '..='~').contains(&char);
    }
    let others = || OTHERS.get_or_init(|| Pattern::new(r"^[\p{L}\p{M}\p{N}\p{P}\p{S}]\z").ok());
    char.is_alphanumeric()
        || others().as_ref().is_none_or(|pattern| pattern.is_match(char.encode_utf8(&mut [0; 4])))
}
