//! The styles of strings in YAML: double-quoted, or as a block of lines (`|`) if the string has several lines.

use std::fmt::Write;

use unicode_normalization::char::canonical_combining_class;

/// The column, in characters, after which a quoted string is broken at the next space.
const LINE_WIDTH: usize = 80;

/// The maximum length, in bytes, of a key that is written without `?`.
const MAX_SIMPLE_KEY: usize = 128;

/// Whether a string can be a mapping key in the form `key: value`, on one line; other keys are written after `? `.
pub(super) fn is_simple_key(text: &str) -> bool {
    text.len() <= MAX_SIMPLE_KEY && !text.contains(['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}'])
}

/// Whether a string cannot be written as a block of lines, since it contains a character that needs an escape or a
/// space at the end of a line. Then every string that has it as a prefix is quoted too.
pub(super) fn needs_quotes(text: &str) -> bool {
    text.contains(" \n") || !text.chars().all(|c| c == '\n' || is_unescaped(c))
}

/// Whether a string is written as a block of lines (`|`): it has several lines, and needs no quotes.
fn is_block(text: &str) -> bool {
    text.contains('\n') && !text.ends_with(' ') && !needs_quotes(text)
}

/// Whether a character is written without an escape in a quoted string; `"` and `\` count too, and are handled apart.
fn is_unescaped(c: char) -> bool {
    match c {
        '\u{2028}' | '\u{2029}' | '\u{feff}' => false,
        ' '..='~' | '\u{a0}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' => true,
        _ => false,
    }
}

/// Writes a string as a value, and ends its line. `indent` is the number of spaces before further lines of the string.
pub(super) fn write_string(text: &str, indent: usize, out: &mut String) {
    if is_block(text) {
        write_block(text, indent, out);
    } else {
        write_quoted(text, Some(indent), true, out);
        out.push_str("\"\n");
    }
}

/// Writes a mapping key in quotes, which is never broken into lines.
pub(super) fn write_key(text: &str, out: &mut String) {
    write_quoted(text, None, true, out);
    out.push('"');
}

/// Writes a quoted string of which only this prefix is known, as far as the text is the same for all continuations. It
/// has no closing quote.
pub(super) fn write_quoted_prefix(text: &str, indent: usize, out: &mut String) {
    write_quoted(text, Some(indent), false, out);
}

/// Writes a string as a block of lines, each after `indent` spaces: `|`, then the lines as they are.
fn write_block(text: &str, indent: usize, out: &mut String) {
    out.push('|');
    // A block that starts with white space must say its indentation.
    if text.starts_with([' ', '\n']) {
        out.push('2');
    }
    // `-` means no line break at the end, `+` more than one.
    match text.strip_suffix('\n') {
        None => out.push('-'),
        Some("") => out.push('+'),
        Some(before) if before.ends_with('\n') => out.push('+'),
        Some(_) => {}
    }
    for line in text.strip_suffix('\n').unwrap_or(text).split('\n') {
        out.push('\n');
        if !line.is_empty() {
            write_spaces(indent, out);
            out.push_str(line);
        }
    }
    out.push('\n');
}

/// Writes a string in quotes, without the closing quote. With an indentation (in spaces), long lines are broken;
/// without, never. If `is_complete` is false, the string may continue, and a last space that may become a line break is
/// left out.
fn write_quoted(text: &str, indent: Option<usize>, is_complete: bool, out: &mut String) {
    let line_start = out.rfind('\n').map_or(0, |end| end.saturating_add(1));
    let mut column = out.get(line_start..).unwrap_or_default().chars().count().saturating_add(1);
    out.push('"');
    // Whether the last character written was a space, and whether it was an escape.
    let (mut after_space, mut after_escape) = (false, false);
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let length = out.len();
        let next = chars.peek().map(|(_, next)| *next);
        // The last space of a string is never a line break, so a space at the end of a prefix is not certain.
        let may_continue = next.is_none() && !is_complete;
        match (c, indent) {
            (' ', Some(_)) if may_continue && column > LINE_WIDTH && !after_space => return,
            (' ', Some(indent)) if at > 0 && next.is_some() && column > LINE_WIDTH && !after_space => {
                out.push('\n');
                write_spaces(indent, out);
                column = indent;
                if next == Some(' ') {
                    out.push('\\');
                    column = column.saturating_add(1);
                }
                (after_space, after_escape) = (true, false);
                continue;
            }
            // A combining character would join the letter at the end of an escape, so it is escaped too.
            (c, _)
                if is_unescaped(c)
                    && !matches!(c, '"' | '\\')
                    && !(after_escape && canonical_combining_class(c) > 0) =>
            {
                out.push(c);
                column = column.saturating_add(1);
                (after_space, after_escape) = (c == ' ', false);
                continue;
            }
            (c, _) => write_escape(c, out),
        }
        column = column.saturating_add(out.len().saturating_sub(length));
        (after_space, after_escape) = (false, true);
    }
}

/// Writes the escape of a character in a quoted string: `\n` if it has a letter, else its code such as `\x01`.
fn write_escape(c: char, out: &mut String) {
    let letter = match c {
        '\0' => '0',
        '\u{7}' => 'a',
        '\u{8}' => 'b',
        '\t' => 't',
        '\n' => 'n',
        '\u{b}' => 'v',
        '\u{c}' => 'f',
        '\r' => 'r',
        '\u{1b}' => 'e',
        '"' => '"',
        '\\' => '\\',
        '\u{85}' => 'N',
        '\u{2028}' => 'L',
        '\u{2029}' => 'P',
        c => {
            let code = u32::from(c);
            // Writing to a `String` never fails.
            let _ = match code {
                0..=0xff => write!(out, "\\x{code:02X}"),
                0x100..=0xffff => write!(out, "\\u{code:04X}"),
                _ => write!(out, "\\U{code:08X}"),
            };
            return;
        }
    };
    out.extend(['\\', letter]);
}

/// Writes `indent` spaces.
pub(super) fn write_spaces(indent: usize, out: &mut String) {
    out.extend(std::iter::repeat_n(' ', indent));
}
