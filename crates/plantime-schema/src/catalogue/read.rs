//! Reads the text form of facts.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use super::{Class, Fact, FactsOfTypes};
use plantime::source::{Position, Problem, Source};
use plantime::{Refinement, Type};

/// Reads a whole file: for each resource type, the facts of each provider.
pub(super) fn read_pack(source: &Source) -> Result<FactsOfTypes, Vec<Problem>> {
    let mut types = FactsOfTypes::new();
    let mut problems = Vec::new();
    let mut definitions: BTreeMap<&str, &str> = BTreeMap::new();
    let mut current: Option<(&str, &str)> = None;
    for (line, number) in source.text().lines().zip(1..) {
        let line = line.trim_end();
        if line.trim_start().is_empty() || line.trim_start().starts_with('#') {
            continue;
        }
        let indentation = line.len().saturating_sub(line.trim_start().len());
        let column = indentation.saturating_add(1);
        let mut problem =
            |message: String| problems.push(source.problem_at(Position::at(number, column), message));
        if line.starts_with('$') {
            definitions.insert(next_word(line).0, next_word(line).1.trim());
            continue;
        }
        if indentation == 0 {
            match line.split_whitespace().collect::<Vec<_>>().as_slice() {
                [name, provider] => current = Some((name, provider)),
                _ => problem("a line without indentation is a resource type and its provider".to_owned()),
            }
            continue;
        }
        let Some((name, provider)) = current else {
            problem("a fact stands below the line of its resource type".to_owned());
            continue;
        };
        let fact = parse_fact(line).and_then(|mut fact| {
            if let Some(known) = definitions.get(fact.stated.as_str()) {
                fact.stated = (*known).to_owned();
            }
            // Parsed here, so that mistakes are found when the file is read.
            let refinement = if fact.stated.is_empty() { Ok(Refinement::any()) } else { fact.stated.parse() };
            fact.refinement = OnceLock::from(refinement.map_err(|error| error.to_string())?);
            fact.origin = format!("{}:{number}", source.name());
            Ok(fact)
        });
        match fact {
            Ok(fact) => {
                let sections = types.entry(name.to_owned()).or_default();
                match sections.iter_mut().find(|(known, _)| known == provider) {
                    Some((_, facts)) => facts.push(fact),
                    None => sections.push((provider.to_owned(), vec![fact])),
                }
            }
            Err(message) => problem(message),
        }
    }
    if problems.is_empty() { Ok(types) } else { Err(problems) }
}

/// The fact of one line. Its refinement is not parsed, and its origin is not set.
pub(super) fn parse_fact(line: &str) -> Result<Fact, String> {
    let (path, rest) = next_word(line);
    let (class, mut rest) = next_word(rest);
    let mut fact = Fact {
        path: path.parse().map_err(|error: plantime::Error| error.to_string())?,
        class: match class {
            "A" => Class::A,
            "B" => Class::B,
            _ => return Err(format!("the class behind the path is A or B, not {class:?}")),
        },
        ty: None,
        since: None,
        equals: Vec::new(),
        contains: Vec::new(),
        origin: String::new(),
        stated: String::new(),
        refinement: OnceLock::new(),
    };
    loop {
        let (word, behind) = next_word(rest);
        match word.split_once(':') {
            Some(("type", ty)) => {
                fact.ty = Some(ty.parse::<Type>().map_err(|error| error.to_string())?);
            }
            Some(("since", version)) => fact.since = Some(version.to_owned()),
            Some(("equals", name)) => fact.equals.push(name.to_owned()),
            Some(("contains", name)) => fact.contains.push(name.to_owned()),
            _ => break,
        }
        rest = behind;
    }
    fact.stated = rest.trim().to_owned();
    let is_empty = fact.stated.is_empty() && fact.equals.is_empty() && fact.contains.is_empty();
    if is_empty { Err("the line states no fact".to_owned()) } else { Ok(fact) }
}

/// The first word of a text, and the text behind it.
pub(super) fn next_word(text: &str) -> (&str, &str) {
    let text = text.trim_start();
    text.split_once(char::is_whitespace).unwrap_or((text, ""))
}
