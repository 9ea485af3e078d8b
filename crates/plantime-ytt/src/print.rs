//! Documents as YAML text, as yaml.v2 of Go writes it.

use crate::node::{Content, Node, Scalar, float_text};
use crate::quoted::{double_quoted, quoted};
use crate::scalar::resolve;

/// Returns the text of a document; a null or empty one has none.
pub(crate) fn document(content: &Content) -> String {
    let mut text = String::new();
    match content {
        Content::Scalar(Scalar::Null) => {}
        Content::Scalar(scalar) => text.push_str(&format!("{}\n", scalar_text(scalar, 0))),
        other if other.children().is_empty() => text.push_str(&format!("{}\n", empty(other))),
        other => children(other, 0, &mut text),
    }
    text
}

/// Returns an empty map or array as YAML.
fn empty(content: &Content) -> &'static str {
    if let Content::Map(_) = content { "{}" } else { "[]" }
}

/// Appends the items of a map or an array.
fn children(content: &Content, indent: usize, text: &mut String) {
    let pad = " ".repeat(indent);
    for (index, node) in content.children().iter().enumerate() {
        // The first line of a map in an array follows the dash.
        let after_dash = index == 0 && text.ends_with("- ");
        text.push_str(if after_dash { "" } else { &pad });
        entry(node, indent, text);
    }
}

/// Appends an item: its key or dash, and its content.
fn entry(node: &Node, indent: usize, text: &mut String) {
    let deeper = indent.saturating_add(2);
    match &node.key {
        Some(key) => text.push_str(&format!("{}:", scalar_text(key, deeper))),
        None => text.push('-'),
    }
    match &node.content {
        Content::Scalar(scalar) => text.push_str(&format!(" {}\n", scalar_text(scalar, deeper))),
        other if other.children().is_empty() => text.push_str(&format!(" {}\n", empty(other))),
        other if node.key.is_none() => {
            text.push(' ');
            children(other, deeper, text);
        }
        other => {
            text.push('\n');
            children(other, if let Content::Map(_) = other { deeper } else { indent }, text);
        }
    }
}

/// Returns a scalar as YAML.
fn scalar_text(scalar: &Scalar, indent: usize) -> String {
    match scalar {
        Scalar::Null => "null".to_owned(),
        Scalar::Unknown => "(known after apply)".to_owned(),
        Scalar::Bool(bool) => bool.to_string(),
        Scalar::Int(int) => int.to_string(),
        Scalar::Float(float) if float.is_nan() => ".nan".to_owned(),
        Scalar::Float(float) if float.is_infinite() => if *float > 0.0 { ".inf" } else { "-.inf" }.to_owned(),
        Scalar::Float(float) => float_text(*float),
        Scalar::Text(text) => string_text(text, indent),
    }
}

/// Returns a string as YAML: plain, quoted or as a block, as the Go library chooses.
fn string_text(text: &str, indent: usize) -> String {
    let special = |char: char| char.is_control() && char != '\n';
    if text.contains(special) || text.chars().any(|char| u32::from(char) > 0xFFFF) {
        return escaped(text);
    }
    if text.contains('\n') {
        return block(text, indent);
    }
    if text.is_empty() || !matches!(resolve(text), Scalar::Text(_)) || is_date(text) {
        return quoted(text);
    }
    if is_plain(text) { text.to_owned() } else { format!("'{}'", text.replace('\'', "''")) }
}

/// Returns a string in double quotes as YAML, with the characters escaped that YAML cannot show.
fn escaped(text: &str) -> String {
    double_quoted(text, |char, out| match char {
        '\0' => out.push_str("\\0"),
        '\u{1b}' => out.push_str("\\e"),
        char if u32::from(char) > 0xFFFF => out.push_str(&format!("\\U{:08X}", u32::from(char))),
        char if char.is_control() => out.push_str(&format!("\\x{:02X}", u32::from(char))),
        char => out.push(char),
    })
}

/// Returns a string of several lines as a literal block.
fn block(text: &str, indent: usize) -> String {
    let (body, chomping) = match text.strip_suffix('\n') {
        None => (text, "-"),
        Some(body) if body.ends_with('\n') => (body, "+"),
        Some(body) => (body, ""),
    };
    let pad = " ".repeat(indent.max(2));
    let line = |line: &str| if line.is_empty() { String::new() } else { format!("{pad}{line}") };
    // The indentation cannot be seen where the first line is empty or indented itself.
    let hint = if text.starts_with([' ', '\n']) { "2" } else { "" };
    format!("|{hint}{chomping}\n{}", body.split('\n').map(line).collect::<Vec<_>>().join("\n"))
}

/// Whether a string begins like a date, which YAML would read as a time.
fn is_date(text: &str) -> bool {
    let digits = |text: Option<&str>| text.is_some_and(|text| text.bytes().all(|byte| byte.is_ascii_digit()));
    let dash = |at: usize| text.as_bytes().get(at) == Some(&b'-');
    digits(text.get(..4)) && dash(4) && digits(text.get(5..7)) && dash(7) && digits(text.get(8..10))
}

/// Whether a string needs no quotes.
fn is_plain(text: &str) -> bool {
    let first = text.chars().next().unwrap_or(' ');
    let second = text.chars().nth(1);
    let indicator = ",[]{}#&*!|>'\"%@`".contains(first)
        || ("-?:".contains(first) && second.is_none_or(char::is_whitespace));
    !indicator
        && text.trim() == text
        && !text.contains(": ")
        && !text.contains(" #")
        && !text.ends_with(':')
        && !text.starts_with("---")
        && !text.starts_with("...")
        && !text.contains('\n')
        && text != "="
        && text != "<<"
}
