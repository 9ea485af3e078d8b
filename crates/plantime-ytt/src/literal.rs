//! Strings in double quotes.

/// Returns the escape that a character has in Starlark, YAML and JSON alike.
pub(crate) fn escape_of(char: char) -> Option<&'static str> {
    Some(match char {
        '"' => "\\\"",
        '\\' => "\\\\",
        '\n' => "\\n",
        '\t' => "\\t",
        '\r' => "\\r",
        _ => return None,
    })
}

/// Returns a string in double quotes, escaped as Go's `%q` does for what is usual.
pub(crate) fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for char in text.chars() {
        if let Some(escape) = escape_of(char) {
            out.push_str(escape);
            continue;
        }
        match char {
            char if char < ' ' => out.push_str(&format!("\\x{:02x}", u32::from(char))),
            char => out.push(char),
        }
    }
    out.push('"');
    out
}
