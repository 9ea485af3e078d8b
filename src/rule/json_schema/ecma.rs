//! Translates regular expressions between ECMAScript, which JSON Schema uses, and RE2, which this crate uses.

mod counts;

use std::iter::Peekable;
use std::str::Chars;

use regex_syntax::hir::{Class, ClassUnicode, ClassUnicodeRange, HirKind};

use crate::regexp;

/// The white space characters of ECMAScript, as the content of a character class.
const SPACE: &str =
    r"\t\n\x0B\x0C\r \x{A0}\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}\x{3000}\x{FEFF}";
/// The word characters (`\w`) of ECMAScript, as the content of a character class.
const WORD: &str = "0-9A-Za-z_";

/// The maximum length of a translated expression in bytes: some Unicode properties are written character by character.
const LENGTH: usize = 1 << 16;

/// The RE2 expression that finds what an ECMAScript expression (with the flag `u`) finds. `None` for what only a
/// backtracking engine can do: look-around and backreferences.
pub(super) fn from_ecma(text: &str) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\\' => escape(&mut chars, false, &mut out)?,
            '.' => out.push_str(r"[^\n\r\x{2028}\x{2029}]"),
            '[' => class(&mut chars, &mut out)?,
            '(' if chars.peek() == Some(&'?') => {
                chars.next();
                if chars.next() != Some(':') {
                    return None;
                }
                out.push_str("(?:");
            }
            c => out.push(c),
        }
    }
    counts::split_counts(&out)
}

/// Translates a character class from ECMAScript to RE2. `chars` begin after the opening bracket; `None` if RE2 cannot
/// express the class.
fn class(chars: &mut Peekable<Chars<'_>>, out: &mut String) -> Option<()> {
    let negated = chars.next_if_eq(&'^').is_some();
    if chars.next_if_eq(&']').is_some() {
        out.push_str(if negated { "(?s:.)" } else { r"[^\s\S]" });
        return Some(());
    }
    out.push_str(if negated { "[^" } else { "[" });
    loop {
        match chars.next()? {
            ']' => {
                out.push(']');
                return Some(());
            }
            '\\' => escape(chars, true, out)?,
            '-' if chars.peek() == Some(&'-') => return None,
            c @ ('[' | '&' | '~') => {
                out.push('\\');
                out.push(c);
            }
            c => out.push(c),
        }
    }
}

/// Translates an ECMAScript escape to RE2. `chars` begin after the backslash; `in_class`: inside a character class.
/// `None` for an escape that RE2 lacks, such as a backreference.
fn escape(chars: &mut Peekable<Chars<'_>>, in_class: bool, out: &mut String) -> Option<()> {
    let mut members = |members: &str, negated: bool| {
        match (in_class, negated) {
            (true, false) => out.push_str(members),
            (_, true) => out.push_str(&format!("[^{members}]")),
            (false, false) => out.push_str(&format!("[{members}]")),
        }
        Some(())
    };
    let code = match chars.next()? {
        'd' => return members("0-9", false),
        'D' => return members("0-9", true),
        'w' => return members(WORD, false),
        'W' => return members(WORD, true),
        's' => return members(SPACE, false),
        'S' => return members(SPACE, true),
        'b' if !in_class => {
            out.push_str(r"\b");
            return Some(());
        }
        'B' if !in_class => {
            out.push_str(r"\B");
            return Some(());
        }
        c @ ('p' | 'P') => return property(c, chars, in_class, out),
        'b' => 8,
        'n' => 10,
        'r' => 13,
        't' => 9,
        'f' => 12,
        'v' => 11,
        '0' if !chars.peek().is_some_and(char::is_ascii_digit) => 0,
        'c' => u32::from(chars.next().filter(char::is_ascii_alphabetic)?) & 31,
        'x' => hex(chars, 2)?,
        'u' => unit(chars)?,
        c if c.is_ascii_punctuation() => u32::from(c),
        _ => return None,
    };
    literal(char::from_u32(code)?, out);
    Some(())
}

/// Translates a Unicode property escape; `sign` is `p` or `P`, `chars` begin after it. A property that RE2 lacks or
/// defines differently is written by its characters: `\p{Alphabetic}`, or `\p{C}`, which includes unassigned
/// characters in ECMAScript only.
fn property(sign: char, chars: &mut Peekable<Chars<'_>>, in_class: bool, out: &mut String) -> Option<()> {
    let mut property = format!("\\{sign}");
    let is_braced = chars.peek() == Some(&'{');
    loop {
        let c = chars.next()?;
        property.push(c);
        if !is_braced || c == '}' {
            break;
        }
    }
    let characters = match regex_syntax::parse(&property).ok()?.into_kind() {
        HirKind::Class(Class::Unicode(class)) => class,
        HirKind::Literal(text) => {
            let text = String::from_utf8(text.0.into_vec()).ok()?;
            ClassUnicode::new(text.chars().map(|c| ClassUnicodeRange::new(c, c)))
        }
        _ => return None,
    };
    if regexp::characters(&property).as_ref() == Some(&characters) {
        out.push_str(&property);
    } else {
        let spans = characters.iter().map(|range| (u32::from(range.start()), u32::from(range.end())));
        let spans: String = spans.map(|(first, last)| format!(r"\x{{{first:X}}}-\x{{{last:X}}}")).collect();
        if out.len().saturating_add(spans.len()) > LENGTH {
            return None;
        }
        out.push_str(&if in_class { spans } else { format!("[{spans}]") });
    }
    Some(())
}

/// Reads the code point of a `\u` escape; `chars` begin after the `u`: `\u0041`, a pair of surrogates, or
/// `\u{1F600}`. `None` if it is malformed.
fn unit(chars: &mut Peekable<Chars<'_>>) -> Option<u32> {
    if chars.next_if_eq(&'{').is_some() {
        let mut code = 0_u32;
        loop {
            match chars.next()? {
                '}' => return Some(code),
                c => code = code.checked_mul(16)?.checked_add(c.to_digit(16)?)?,
            }
        }
    }
    let high = hex(chars, 4)?;
    if !(0xD800..0xDC00).contains(&high) {
        return Some(high);
    }
    let low = if (chars.next()?, chars.next()?) == ('\\', 'u') { hex(chars, 4)? } else { return None };
    let low = low.checked_sub(0xDC00).filter(|low| *low < 0x400)?;
    (high & 0x3FF).checked_mul(0x400)?.checked_add(low)?.checked_add(0x1_0000)
}

/// Reads exactly `digits` hexadecimal digits as a number; `None` if there are fewer.
fn hex(chars: &mut Peekable<Chars<'_>>, digits: usize) -> Option<u32> {
    (0..digits).try_fold(0_u32, |code, _| code.checked_mul(16)?.checked_add(chars.next()?.to_digit(16)?))
}

/// Writes a character so that RE2 reads it literally.
fn literal(c: char, out: &mut String) {
    if c.is_ascii_control() {
        out.push_str(&format!(r"\x{:02X}", u32::from(c)));
    } else {
        if c.is_ascii_punctuation() && c != '/' && c != '<' && c != '>' {
            out.push('\\');
        }
        out.push(c);
    }
}

/// The ECMAScript expression that finds what an RE2 expression finds. `None` if a construct of it means something
/// else in ECMAScript, or is no syntax there.
pub(super) fn to_ecma(text: &str) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    let mut class = false;
    // Whether a repetition may follow here. ECMAScript allows none after another one or at the beginning of a group.
    let mut repeats = false;
    while let Some(c) = chars.next() {
        // RE2 reads a brace without counts literally; ECMAScript requires an escape.
        if !class && c == '{' && counts::length(chars.clone()).is_none() {
            out.push_str(r"\{");
            repeats = true;
            continue;
        }
        if !class && matches!(c, '*' | '+' | '?' | '{') {
            repetition(c, repeats, &mut chars, &mut out)?;
            repeats = false;
            continue;
        }
        repeats = class || !matches!(c, '(' | '|' | '^' | '$');
        match c {
            '\\' => match chars.next()? {
                c @ ('d' | 'D' | 'w' | 'W') => out.extend(['\\', c]),
                c @ ('b' | 'B') if !class => out.extend(['\\', c]),
                // ECMAScript's white space includes more than RE2's, which is ASCII.
                's' if class => out.push_str(r"\t\n\f\r "),
                's' => out.push_str(r"[\t\n\f\r ]"),
                'S' if !class => out.push_str(r"[^\t\n\f\r ]"),
                // Categories have the same letters, except that C includes unassigned characters in ECMAScript only.
                'p' => match chars.next()? {
                    c if c.is_ascii_uppercase() && c != 'C' => {
                        out.extend(["\\p{", c.encode_utf8(&mut [0; 4]), "}"])
                    }
                    _ => return None,
                },
                'x' if chars.next_if_eq(&'{').is_some() => {
                    out.push_str(r"\u{");
                    out.extend(chars.by_ref().take_while(|c| *c != '}'));
                    out.push('}');
                }
                'A' if !class => out.push('^'),
                'z' if !class => out.push('$'),
                c @ ('n' | 'r' | 't' | 'f' | 'v') => out.extend(['\\', c]),
                c if r"\.+*?()|[]{}^$/".contains(c) => out.extend(['\\', c]),
                '-' if class => out.push_str(r"\-"),
                c if c.is_ascii_punctuation() => out.push(c),
                _ => return None,
            },
            '.' if !class => out.push_str(r"[^\n]"),
            '(' if !class && chars.peek() == Some(&'?') => {
                chars.next();
                if chars.next() != Some(':') {
                    return None;
                }
                out.push_str("(?:");
            }
            '[' if class => return None,
            '[' => {
                class = true;
                out.push('[');
                out.extend(chars.next_if_eq(&'^'));
                if chars.peek() == Some(&']') {
                    return None;
                }
            }
            ']' if class => {
                class = false;
                out.push(']');
            }
            // ECMAScript with the flag `u` requires an escape for a closing bracket without an opening one.
            ']' | '}' if !class => out.extend(['\\', c]),
            '&' | '-' | '~' if class && chars.peek() == Some(&c) => return None,
            c => out.push(c),
        }
    }
    Some(out)
}

/// Translates a repetition that begins with `c`, lazy or not; `repeats`: there is something to repeat before it.
/// `None` if ECMAScript lacks it.
fn repetition(c: char, repeats: bool, chars: &mut Peekable<Chars<'_>>, out: &mut String) -> Option<()> {
    if !repeats {
        return None;
    }
    out.push(c);
    if c == '{' {
        // ECMAScript reads `{,3}` literally.
        if !chars.peek().is_some_and(char::is_ascii_digit) {
            return None;
        }
        for c in chars.by_ref() {
            out.push(c);
            match c {
                '}' => break,
                '0'..='9' | ',' => {}
                _ => return None,
            }
        }
    }
    out.extend(chars.next_if_eq(&'?'));
    Some(())
}

/// The ECMAScript expression that matches this string literally, with escapes.
pub(super) fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if r"\.+*?()|[]{}^$/".contains(c) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}
