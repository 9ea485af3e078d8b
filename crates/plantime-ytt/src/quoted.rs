//! Strings in double quotes, with the escapes of Go, YAML and JSON.

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

/// Returns a string in double quotes as Go's `%q` writes it, but for characters above `~`, which stay as they are.
pub(crate) fn quoted(text: &str) -> String {
    double_quoted(text, |char, out| match char {
        char if char < ' ' => out.push_str(&format!("\\x{:02x}", u32::from(char))),
        char => out.push(char),
    })
}
