//! Documents as YAML text, as yaml.v2 of Go writes it.

use crate::node::{Content, Node, Scalar, shortest};
use crate::quoted::double_quoted;
use crate::scalar::{is_resolved, is_resolved_elsewhere};

/// Returns the text of a document; a null or empty one has none.
pub(crate) fn document(content: &Content) -> String {
    let mut text = String::new();
    match content {
        Content::Scalar(Scalar::Null) => {}
        Content::Scalar(scalar) => text.push_str(&format!("{}\n", scalar_text(scalar, 0, Place::Value))),
        other if other.children().is_empty() => text.push_str(&format!("{}\n", empty(other))),
        other => children(other, 0, false, &mut text),
    }
    text
}

/// Returns an empty map or array as YAML.
fn empty(content: &Content) -> &'static str {
    if let Content::Map(_) = content { "{}" } else { "[]" }
}

/// Appends the items of a map or an array; `is_inline` says that the line of the first one has begun.
fn children(content: &Content, indent: usize, is_inline: bool, text: &mut String) {
    let pad = " ".repeat(indent);
    for (index, node) in content.children().iter().enumerate() {
        text.push_str(if is_inline && index == 0 { "" } else { &pad });
        entry(node, indent, text);
    }
}

/// Appends an item: its key or dash, and its content.
fn entry(node: &Node, indent: usize, text: &mut String) {
    let deeper = indent.saturating_add(2);
    let is_explicit = match &node.key {
        Some(key @ Scalar::Text(words)) if !is_simple_key(words) => {
            let pad = " ".repeat(indent);
            text.push_str(&format!("? {}\n{pad}:", scalar_text(key, deeper, Place::Value)));
            true
        }
        Some(key) => {
            text.push_str(&format!("{}:", scalar_text(key, deeper, Place::Key)));
            false
        }
        None => {
            text.push('-');
            false
        }
    };
    match &node.content {
        Content::Scalar(scalar) => {
            text.push_str(&format!(" {}\n", scalar_text(scalar, deeper, Place::Value)));
        }
        other if other.children().is_empty() => text.push_str(&format!(" {}\n", empty(other))),
        // What follows a dash or the colon of an explicit key starts on its line.
        other if node.key.is_none() || is_explicit => {
            text.push(' ');
            children(other, deeper, true, text);
        }
        other => {
            text.push('\n');
            children(other, if let Content::Map(_) = other { deeper } else { indent }, false, text);
        }
    }
}

/// Where a scalar stands.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    /// The key of a line.
    Key,
    Value,
}

/// Returns a scalar as YAML.
fn scalar_text(scalar: &Scalar, indent: usize, place: Place) -> String {
    match scalar {
        Scalar::Null => "null".to_owned(),
        Scalar::Unknown => "(known after apply)".to_owned(),
        Scalar::Bool(bool) => bool.to_string(),
        Scalar::Int(int) => int.to_string(),
        Scalar::Float(float) if float.is_nan() => ".nan".to_owned(),
        Scalar::Float(float) if float.is_infinite() => if *float > 0.0 { ".inf" } else { "-.inf" }.to_owned(),
        Scalar::Float(float) => shortest(*float, -4..6),
        Scalar::Text(text) => string_text(text, indent, place),
    }
}

/// The longest key of a line, in bytes.
const MAX_SIMPLE_KEY: usize = 128;

/// Whether a text can be the key of a line; others stand behind `? `.
fn is_simple_key(text: &str) -> bool {
    text.len() <= MAX_SIMPLE_KEY && !text.contains(is_break)
}

/// Returns a string as YAML: plain, quoted or as a block, as the Go library chooses.
///
/// What YAML 1.1 resolves to something else has double quotes. So has what needs an escape, and what has a blank before a
/// line break or at the end of several lines: a block cannot show it. Other texts of several lines are blocks, all else is
/// plain where it can be, and has single quotes where it cannot.
fn string_text(text: &str, indent: usize, place: Place) -> String {
    let form = Form::of(text);
    if form.is_special || form.space_before_break || text.contains(['\u{2028}', '\u{2029}']) {
        return escaped(text);
    }
    if text.contains('\n') {
        let is_block = place == Place::Value && !text.ends_with(' ');
        return if is_block { block(text, indent) } else { escaped(text) };
    }
    if is_resolved(text) {
        return escaped(text);
    }
    if form.has_indicator || text.starts_with(' ') || text.ends_with(' ') || is_resolved_elsewhere(text) {
        return format!("'{}'", text.replace('\'', "''"));
    }
    text.to_owned()
}

/// What decides how a string can be written.
struct Form {
    /// Whether a character needs an escape.
    is_special: bool,
    space_before_break: bool,
    /// Whether it would mean something else without quotes.
    has_indicator: bool,
}

impl Form {
    fn of(text: &str) -> Form {
        let mut has_indicator = text.starts_with("---") || text.starts_with("...");
        let (mut is_special, mut space_before_break) = (false, false);
        let (mut before, mut chars) = (None, text.chars().peekable());
        while let Some(char) = chars.next() {
            let next_is_blank = chars.peek().is_none_or(|next| matches!(next, ' ' | '\t'));
            has_indicator |= match (before, char) {
                (None, '?' | '-') => next_is_blank,
                (None, other) if ",[]{}#&*!|>'\"%@`".contains(other) => true,
                (Some(before), '#') => matches!(before, ' ' | '\t') || is_break(before),
                (_, ':') => next_is_blank,
                _ => false,
            };
            is_special |= !is_printable(char);
            space_before_break |= before == Some(' ') && is_break(char);
            before = Some(char);
        }
        Form { is_special, space_before_break, has_indicator }
    }
}

/// Whether YAML 1.1 sees the end of a line.
fn is_break(char: char) -> bool {
    matches!(char, '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// Whether a character is printed as it is.
fn is_printable(char: char) -> bool {
    matches!(char, '\n' | ' '..='~' | '\u{a0}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}') && char != '\u{feff}'
}

/// Returns a string in double quotes as YAML, with the characters escaped that YAML cannot show.
fn escaped(text: &str) -> String {
    // The Go library escapes all of a text that starts with a byte order mark.
    let is_all = text.starts_with('\u{feff}');
    double_quoted(text, |char, out| match char {
        '\0' => out.push_str("\\0"),
        '\u{7}' => out.push_str("\\a"),
        '\u{8}' => out.push_str("\\b"),
        '\u{b}' => out.push_str("\\v"),
        '\u{c}' => out.push_str("\\f"),
        '\u{1b}' => out.push_str("\\e"),
        '\u{85}' => out.push_str("\\N"),
        '\u{a0}' if is_all => out.push_str("\\_"),
        '\u{2028}' => out.push_str("\\L"),
        '\u{2029}' => out.push_str("\\P"),
        char if is_printable(char) && !is_all => out.push(char),
        char => out.push_str(&match u32::from(char) {
            code @ 0..=0xFF => format!("\\x{code:02X}"),
            code @ 0..=0xFFFF => format!("\\u{code:04X}"),
            code => format!("\\U{code:08X}"),
        }),
    })
}

/// Returns a string of several lines as a literal block.
fn block(text: &str, indent: usize) -> String {
    let (body, chomping) = match text.strip_suffix('\n') {
        None => (text, "-"),
        // A block without a line has no line break of its own.
        Some(body) if body.is_empty() || body.ends_with('\n') => (body, "+"),
        Some(body) => (body, ""),
    };
    let pad = " ".repeat(indent.max(2));
    let line = |line: &str| if line.is_empty() { String::new() } else { format!("{pad}{line}") };
    // The indentation cannot be seen where the first line is empty or indented itself.
    let hint = if text.starts_with([' ', '\n']) { "2" } else { "" };
    format!("|{hint}{chomping}\n{}", body.split('\n').map(line).collect::<Vec<_>>().join("\n"))
}
