//! Strings in double quotes.

/// Returns a string in double quotes, escaped as Go's `%q` does for what is usual.
pub(crate) fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for char in text.chars() {
        match char {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            char if char < ' ' => out.push_str(&format!("\\x{:02x}", u32::from(char))),
            char => out.push(char),
        }
    }
    out.push('"');
    out
}
