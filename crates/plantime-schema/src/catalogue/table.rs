//! The built-in facts: a text with sorted resource types, searched by halving.

use super::read::{next_word, parse_fact};
use super::{Class, Fact};

/// The facts, in the text form. Lines of resource types are sorted by their bytes.
const TEXT: &str = include_str!("builtin.facts");

/// The provider of a resource type and its facts of a class and better.
pub(super) fn section(type_name: &str, least: Class) -> Option<(String, Vec<Fact>)> {
    let (header, body) = find(TEXT, type_name)?;
    let (_, provider) = header.split_once(' ')?;
    let facts = body.lines().filter_map(|line| {
        let mut fact = parse_fact(line).ok().filter(|fact| fact.class <= least)?;
        if fact.stated.starts_with('$') {
            fact.stated = definition(&fact.stated)?.to_owned();
        }
        fact.origin = format!("catalogue: {type_name}.{} (class {})", fact.path, fact.class);
        Some(fact)
    });
    Some((provider.to_owned(), facts.collect()))
}

/// The names of all resource types.
pub(super) fn types() -> impl Iterator<Item = &'static str> {
    let headers = TEXT.lines().filter(|line| is_header(line));
    headers.filter_map(|header| header.split(' ').next())
}

/// The addresses of the providers of all resource types, each as often as it has types.
pub(super) fn providers() -> impl Iterator<Item = &'static str> {
    let headers = TEXT.lines().filter(|line| is_header(line));
    headers.filter_map(|header| Some(header.split_once(' ')?.1))
}

/// The refinement that a line above all types gives a name.
fn definition(name: &str) -> Option<&'static str> {
    let lines = TEXT.lines().take_while(|line| !is_header(line));
    lines.map(next_word).find(|(known, _)| *known == name).map(|(_, text)| text.trim())
}

/// Whether a line names a resource type.
fn is_header(line: &str) -> bool {
    !line.is_empty() && !line.starts_with([' ', '#', '$'])
}

/// The line of a resource type and the lines below it.
fn find<'t>(text: &'t str, type_name: &str) -> Option<(&'t str, &'t str)> {
    let (mut from, mut to) = (0_usize, text.len());
    while from < to {
        let middle = from.midpoint(to);
        let Some(at) = header_at(text, middle).filter(|at| *at < to) else {
            to = middle;
            continue;
        };
        let section = text.get(at..)?;
        let (header, rest) = section.split_once('\n')?;
        let name = header.split(' ').next()?;
        match name.cmp(type_name) {
            std::cmp::Ordering::Equal => {
                let end = header_at(rest, 0).unwrap_or(rest.len());
                return Some((header, rest.get(..end)?));
            }
            std::cmp::Ordering::Less => from = at.checked_add(header.len())?,
            std::cmp::Ordering::Greater => to = middle,
        }
    }
    None
}

/// The byte at which the first line that names a resource type begins, from `byte` on.
fn header_at(text: &str, byte: usize) -> Option<usize> {
    // In bytes: the middle of a range may be inside a character.
    let bytes = text.as_bytes();
    let mut at = byte;
    loop {
        let starts = at == 0 || at.checked_sub(1).and_then(|before| bytes.get(before)) == Some(&b'\n');
        match bytes.get(at) {
            None => return None,
            Some(b' ' | b'#' | b'$' | b'\n') => {}
            Some(_) if starts => return Some(at),
            Some(_) => {}
        }
        let rest = bytes.get(at..)?;
        at = at.checked_add(rest.iter().position(|byte| *byte == b'\n')?)?.checked_add(1)?;
    }
}
