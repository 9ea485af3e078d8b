//! How strings are written: in quotes, or, if they have several lines, in lines of their own.

use std::fmt::Write;

use unicode_normalization::char::canonical_combining_class;

/// Lines are ended at the first space beyond so many characters.
const WIDTH: usize = 80;

/// The longest key, in bytes, that is written without `?`.
const KEY: usize = 128;

/// Whether a text can be a key before a colon on one line.
pub(super) fn is_simple_key(text: &str) -> bool {
    text.len() <= KEY && !text.contains(['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}'])
}

/// Whether a text, or whatever text begins like this, must stand in quotes.
pub(super) fn needs_quotes(text: &str) -> bool {
    text.contains(" \n") || !text.chars().all(|c| c == '\n' || is_plain(c))
}

/// Whether a text stands in lines of its own.
fn in_lines(text: &str) -> bool {
    text.contains('\n') && !text.ends_with(' ') && !needs_quotes(text)
}

/// Whether a character is written as it is.
fn is_plain(c: char) -> bool {
    match c {
        '\u{2028}' | '\u{2029}' | '\u{feff}' => false,
        ' '..='~' | '\u{a0}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' => true,
        _ => false,
    }
}

/// Writes a string whose further lines are indented so far. Ends the line.
pub(super) fn string(text: &str, indent: usize, out: &mut String) {
    if in_lines(text) {
        lines(text, indent, out);
    } else {
        quoted(text, Some(indent), true, out);
        out.push_str("\"\n");
    }
}

/// Writes a key before a colon.
pub(super) fn key(text: &str, out: &mut String) {
    quoted(text, None, true, out);
    out.push('"');
}

/// Writes the beginning of a string in quotes, as far as it is the same whatever follows.
pub(super) fn start(text: &str, indent: usize, out: &mut String) {
    quoted(text, Some(indent), false, out);
}

/// All of a text is as it is, in lines that are indented so far.
fn lines(text: &str, indent: usize, out: &mut String) {
    out.push('|');
    if text.starts_with([' ', '\n']) {
        out.push('2');
    }
    match text.strip_suffix('\n') {
        None => out.push('-'),
        Some("") => out.push('+'),
        Some(before) if before.ends_with('\n') => out.push('+'),
        Some(_) => {}
    }
    for line in text.strip_suffix('\n').unwrap_or(text).split('\n') {
        out.push('\n');
        if !line.is_empty() {
            pad(indent, out);
            out.push_str(line);
        }
    }
    out.push('\n');
}

/// Writes a text in quotes, but for the last quote. Where there is an indentation, long lines are ended.
fn quoted(text: &str, indent: Option<usize>, whole: bool, out: &mut String) {
    let line = out.rfind('\n').map_or(0, |end| end.saturating_add(1));
    let mut column = out.get(line..).unwrap_or_default().chars().count().saturating_add(1);
    out.push('"');
    // Whether a space has just been written, and whether an escape has.
    let (mut spaced, mut escaped) = (false, false);
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let length = out.len();
        let next = chars.peek().map(|(_, next)| *next);
        // A space at the end may not be the last one.
        let open = next.is_none() && !whole;
        match (c, indent) {
            (' ', Some(_)) if open && column > WIDTH && !spaced => return,
            (' ', Some(indent)) if at > 0 && next.is_some() && column > WIDTH && !spaced => {
                out.push('\n');
                pad(indent, out);
                column = indent;
                if next == Some(' ') {
                    out.push('\\');
                    column = column.saturating_add(1);
                }
                (spaced, escaped) = (true, false);
                continue;
            }
            // A mark would join the letter that an escape ends with.
            (c, _)
                if is_plain(c)
                    && !matches!(c, '"' | '\\')
                    && !(escaped && canonical_combining_class(c) > 0) =>
            {
                out.push(c);
                column = column.saturating_add(1);
                (spaced, escaped) = (c == ' ', false);
                continue;
            }
            (c, _) => escape(c, out),
        }
        column = column.saturating_add(out.len().saturating_sub(length));
        (spaced, escaped) = (false, true);
    }
}

fn escape(c: char, out: &mut String) {
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
            // Writing into a string does not fail.
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

/// Writes so many spaces.
pub(super) fn pad(indent: usize, out: &mut String) {
    out.extend(std::iter::repeat_n(' ', indent));
}
