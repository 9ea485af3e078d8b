//! Parses classes of characters: `[a-z]`, `\d`, `\pL`.

use std::ops::ControlFlow;

use regex_syntax::hir::{ClassUnicode, ClassUnicodeRange};

use super::escape::escaped_code_point;
use super::property::Property;
use super::{BRACKET, Parsed, RANGE, fault, start};

/// The POSIX classes, which contain only ASCII.
const POSIX: [(&str, &[(char, char)]); 14] = [
    ("alnum", &[('0', '9'), ('A', 'Z'), ('a', 'z')]),
    ("alpha", &[('A', 'Z'), ('a', 'z')]),
    ("ascii", &[('\0', '\x7f')]),
    ("blank", &[('\t', '\t'), (' ', ' ')]),
    ("cntrl", &[('\0', '\x1f'), ('\x7f', '\x7f')]),
    ("digit", &[('0', '9')]),
    ("graph", &[('!', '~')]),
    ("lower", &[('a', 'z')]),
    ("print", &[(' ', '~')]),
    ("punct", &[('!', '/'), (':', '@'), ('[', '`'), ('{', '~')]),
    ("space", &[('\t', '\r'), (' ', ' ')]),
    ("upper", &[('A', 'Z')]),
    ("word", &[('0', '9'), ('A', 'Z'), ('_', '_'), ('a', 'z')]),
    ("xdigit", &[('0', '9'), ('A', 'F'), ('a', 'f')]),
];

/// The Perl classes, which contain only ASCII in RE2. `\s` lacks the vertical tab that `[:space:]` has.
const PERL: [(char, &[(char, char)]); 3] = [
    ('d', &[('0', '9')]),
    ('s', &[('\t', '\n'), ('\x0c', '\r'), (' ', ' ')]),
    ('w', &[('0', '9'), ('A', 'Z'), ('_', '_'), ('a', 'z')]),
];

/// A member of a bracketed class: a range of code points or a named class.
enum Member {
    /// A range of code points, which may include surrogates.
    Span(u32, u32),
    Named {
        name: Name,
        negated: bool,
    },
}

/// A named class: one of ASCII (POSIX or Perl), or a Unicode property.
#[derive(Clone, Copy, PartialEq)]
enum Name {
    Ascii(&'static [(char, char)]),
    Property(Property),
}

/// The length in bytes of the class (in brackets, or an escape) at the start of the text; an error if it is invalid.
pub(super) fn length(text: &str) -> Parsed<usize> {
    let rest = if let Some(inside) = text.strip_prefix('[') {
        bracketed(inside, text, &mut |_| {})?
    } else {
        named(text)?.1
    };
    Ok(text.len().saturating_sub(rest.len()))
}

/// Whether the escape at the start of the text is a named class such as `\d` or `\pL`.
pub(super) fn is_named(text: &str) -> bool {
    let sign = text.strip_prefix('\\').and_then(|text| text.chars().next());
    sign.is_some_and(|sign| matches!(sign, 'd' | 'D' | 'p' | 'P' | 's' | 'S' | 'w' | 'W'))
}

/// The characters of a valid class.
///
/// Case is folded before a member or the class is negated, so `(?i)\W` contains neither `k` nor the Kelvin sign.
/// Members with more characters than `most_folded` are not folded.
pub(in crate::regexp) fn members(text: &str, ignore_case: bool, most_folded: usize) -> ClassUnicode {
    let (mut plain, mut done) = (Vec::new(), Vec::new());
    // A property has up to 700 ranges for three bytes of text: each distinct property is added once, so the time
    // stays linear.
    let mut seen: Vec<(Name, bool)> = Vec::new();
    let mut add = |member: Member| match member {
        Member::Span(first, last) => plain.extend(character_ranges(first, last)),
        Member::Named { name, negated } if !seen.contains(&(name, negated)) => {
            seen.push((name, negated));
            let mut class = name.characters();
            if negated {
                fold(&mut class, ignore_case, most_folded);
                class.negate();
                done.extend_from_slice(class.ranges());
            } else {
                plain.extend_from_slice(class.ranges());
            }
        }
        Member::Named { .. } => {}
    };
    let mut negated = false;
    if let Some(inside) = text.strip_prefix('[') {
        negated = inside.starts_with('^');
        let _ = bracketed(inside, text, &mut add);
    } else if let Ok((member, _)) = named(text) {
        add(member);
    }
    let mut class = ClassUnicode::new(plain);
    fold(&mut class, ignore_case, most_folded);
    if !done.is_empty() {
        class.union(&ClassUnicode::new(done));
    }
    if negated {
        class.negate();
    }
    class
}

/// Adds the other case variants of the class's characters if `ignore_case` is set and the class has at most `most`
/// characters.
fn fold(class: &mut ClassUnicode, ignore_case: bool, most: usize) {
    let count = || class.iter().fold(0_usize, |sum, range| sum.saturating_add(range.len()));
    if ignore_case && count() <= most {
        class.case_fold_simple();
    }
}

/// The characters from one code point to another, as at most two ranges without the surrogates.
fn character_ranges(first: u32, last: u32) -> impl Iterator<Item = ClassUnicodeRange> {
    let below = (first, last.min(0xD7FF));
    let above = (first.max(0xE000), last);
    [below, above].into_iter().filter(|(first, last)| first <= last).filter_map(|(first, last)| {
        Some(ClassUnicodeRange::new(char::from_u32(first)?, char::from_u32(last)?))
    })
}

impl Name {
    /// The characters of the class, not negated.
    fn characters(self) -> ClassUnicode {
        match self {
            Name::Ascii(spans) => {
                ClassUnicode::new(spans.iter().map(|(first, last)| ClassUnicodeRange::new(*first, *last)))
            }
            Name::Property(property) => property.characters(),
        }
    }
}

/// Parses the members of a class after its opening bracket and calls `add` with each; returns the text after the
/// closing bracket. `class` is the text from the opening bracket on, for messages.
fn bracketed<'a>(inside: &'a str, class: &str, add: &mut impl FnMut(Member)) -> Parsed<&'a str> {
    let mut rest = inside.strip_prefix('^').unwrap_or(inside);
    let (mut first, mut may_have_posix) = (true, true);
    loop {
        if !first && let Some(after) = rest.strip_prefix(']') {
            return Ok(after);
        }
        first = false;
        let (member, after) = match posix(rest, &mut may_have_posix)? {
            ControlFlow::Break(read) => read,
            ControlFlow::Continue(()) if is_named(rest) => named(rest)?,
            ControlFlow::Continue(()) => span(rest, class)?,
        };
        add(member);
        rest = after;
    }
}

/// Parses a POSIX class such as `[:alpha:]`: `Break` with the class and the rest of the text, or `Continue` if the
/// text starts with none.
///
/// If nothing closes one, nothing closes a later one: then `may_close` is set to false, so that a text of many `[:`
/// is parsed in linear time.
fn posix<'a>(text: &'a str, may_close: &mut bool) -> Parsed<ControlFlow<(Member, &'a str)>> {
    let Some(name) = text.strip_prefix("[:").filter(|_| *may_close) else {
        return Ok(ControlFlow::Continue(()));
    };
    let Some((name, after)) = name.split_once(":]") else {
        *may_close = false;
        return Ok(ControlFlow::Continue(()));
    };
    let (name, negated) = name.strip_prefix('^').map_or((name, false), |name| (name, true));
    match POSIX.iter().find(|(known, _)| *known == name) {
        Some((_, spans)) => {
            Ok(ControlFlow::Break((Member::Named { name: Name::Ascii(spans), negated }, after)))
        }
        None => fault(RANGE, start(text, text.len().saturating_sub(after.len()))),
    }
}

/// Parses `\d`, `\pL` or `\p{Greek}`; returns the class and the rest of the text.
fn named(text: &str) -> Parsed<(Member, &str)> {
    let mut characters = text.chars();
    let sign = characters.nth(1).unwrap_or_default();
    let negated = sign.is_ascii_uppercase();
    if let Some((_, spans)) = PERL.iter().find(|(known, _)| *known == sign.to_ascii_lowercase()) {
        return Ok((Member::Named { name: Name::Ascii(spans), negated }, characters.as_str()));
    }
    let name = characters.as_str();
    let (inner, after) = match name.strip_prefix('{') {
        Some(inner) => match inner.split_once('}') {
            Some(parts) => parts,
            None => return fault(RANGE, text),
        },
        None => match name.chars().next() {
            Some(c) => name.split_at_checked(c.len_utf8()).unwrap_or_default(),
            None => return fault(RANGE, text),
        },
    };
    let (inner, twice) = inner.strip_prefix('^').map_or((inner, false), |inner| (inner, true));
    match Property::named(inner) {
        Some(property) => {
            Ok((Member::Named { name: Name::Property(property), negated: negated != twice }, after))
        }
        None => fault(RANGE, start(text, text.len().saturating_sub(after.len()))),
    }
}

/// Parses a character or a range of characters of the bracketed class `class`; returns it and the rest of the text.
fn span<'a>(text: &'a str, class: &str) -> Parsed<(Member, &'a str)> {
    let (first, mut rest) = code_point(text, class)?;
    let mut last = first;
    if let Some(after) = rest.strip_prefix('-').filter(|after| !after.is_empty() && !after.starts_with(']')) {
        (last, rest) = code_point(after, class)?;
    }
    if last < first {
        return fault(RANGE, start(text, text.len().saturating_sub(rest.len())));
    }
    Ok((Member::Span(first, last), rest))
}

/// Parses one character of the bracketed class `class`; returns its code point and the rest of the text.
fn code_point<'a>(text: &'a str, class: &str) -> Parsed<(u32, &'a str)> {
    let Some(c) = text.chars().next() else { return fault(BRACKET, class) };
    let (c, length) = if c == '\\' { escaped_code_point(text)? } else { (u32::from(c), c.len_utf8()) };
    Ok((c, text.get(length..).unwrap_or_default()))
}
