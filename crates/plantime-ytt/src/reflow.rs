//! The layout of error messages on ytt's command line.

/// Breaks the first line of an error where one cause follows another.
///
/// Outside of brackets, a colon and a space before a capital letter become a line break, and each part is indented more
/// than the one before. As in ytt, the line ends at a closing bracket that was never opened.
pub(crate) fn reflow(error: &str) -> String {
    let (first, rest) = match error.split_once('\n') {
        Some((first, rest)) => (first, Some(rest)),
        None => (error, None),
    };
    let mut text = String::new();
    let (mut open, mut parts) = (Vec::new(), 0_usize);
    let mut chars = first.chars().peekable();
    while let Some(char) = chars.next() {
        match char {
            '(' | '[' | '{' => open.push(char),
            ')' | ']' | '}' if open.pop().is_none() => break,
            _ => {}
        }
        text.push(char);
        if char != ':' || !open.is_empty() || chars.peek() != Some(&' ') {
            continue;
        }
        let mut ahead = chars.clone();
        ahead.next();
        if ahead.next().is_some_and(|next| next.is_ascii_uppercase()) {
            chars.next();
            parts = parts.saturating_add(1);
            text.push('\n');
            text.push_str(&"  ".repeat(parts.min(100)));
        }
    }
    if let Some(rest) = rest {
        text.push('\n');
        text.push_str(rest);
    }
    text
}
