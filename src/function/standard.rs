//! The standard functions, by family. Each family's file says what its functions give and what they keep of arguments
//! that are not known yet.

mod assume;
mod bytes;
mod collections;
mod comparison;
mod conversion;
mod csv;
mod digest;
mod encoding;
mod format;
mod json;
mod lists;
mod logic;
mod maps;
mod marking;
mod network;
mod numbers;
mod patterns;
mod sets;
mod texts;
mod time;
#[cfg(feature = "functions-yaml")]
mod yaml;

use super::Function;

pub use bytes::Bytes;

/// A function, under its name in cty if that has it.
struct Standard {
    function: Function,
    /// Whether cty has it.
    cty: bool,
    language: Language,
}

/// What the planning languages call a function.
enum Language {
    /// They do not have it.
    Absent,
    /// As cty does.
    Same,
    Other(&'static str),
}

impl Standard {
    /// A function of cty that the planning languages do not have.
    fn cty(function: Function) -> Standard {
        Standard { function, cty: true, language: Language::Absent }
    }

    /// A function that both have, under one name.
    fn both(function: Function) -> Standard {
        Standard { function, cty: true, language: Language::Same }
    }

    /// A function that only the planning languages have.
    fn language(function: Function) -> Standard {
        Standard { function, cty: false, language: Language::Same }
    }

    /// A function of cty, and what the planning languages call it.
    fn called(function: Function, language: &'static str) -> Standard {
        Standard { function, cty: true, language: Language::Other(language) }
    }
}

/// Names of functions, and what these keep of arguments that are not known.
type Keeps = &'static [(&'static [&'static str], &'static str)];

/// Adds the functions of a family.
fn add(all: &mut Vec<Standard>, keeps: Keeps, add_to: fn(&mut Vec<Standard>)) {
    let mut family = Vec::new();
    add_to(&mut family);
    all.extend(family.into_iter().map(|standard| {
        let of = |(names, _): &&(&[&str], &str)| names.contains(&standard.function.name());
        let text = keeps.iter().find(of).map_or("", |(_, text)| text);
        Standard { function: standard.function.keeping(text), ..standard }
    }));
}

fn all() -> Vec<Standard> {
    let mut all = Vec::new();
    add(&mut all, logic::KEEPS, logic::add_to);
    add(&mut all, comparison::KEEPS, comparison::add_to);
    add(&mut all, numbers::KEEPS, numbers::add_to);
    add(&mut all, collections::KEEPS, collections::add_to);
    add(&mut all, lists::KEEPS, lists::add_to);
    add(&mut all, maps::KEEPS, maps::add_to);
    add(&mut all, sets::KEEPS, sets::add_to);
    add(&mut all, json::KEEPS, json::add_to);
    add(&mut all, conversion::KEEPS, conversion::add_to);
    add(&mut all, assume::KEEPS, assume::add_to);
    add(&mut all, texts::KEEPS, texts::add_to);
    add(&mut all, encoding::KEEPS, encoding::add_to);
    add(&mut all, digest::KEEPS, digest::add_to);
    add(&mut all, bytes::KEEPS, bytes::add_to);
    add(&mut all, csv::KEEPS, csv::add_to);
    add(&mut all, patterns::KEEPS, patterns::add_to);
    add(&mut all, time::KEEPS, time::add_to);
    add(&mut all, network::KEEPS, network::add_to);
    add(&mut all, marking::KEEPS, marking::add_to);
    add(&mut all, format::KEEPS, format::add_to);
    #[cfg(feature = "functions-yaml")]
    add(&mut all, yaml::KEEPS, yaml::add_to);
    all
}

pub(super) fn language() -> impl Iterator<Item = Function> {
    all().into_iter().filter_map(|standard| match standard.language {
        Language::Absent => None,
        Language::Same => Some(standard.function),
        Language::Other(name) => Some(standard.function.renamed(name)),
    })
}

pub(super) fn cty() -> impl Iterator<Item = Function> {
    all().into_iter().filter(|standard| standard.cty).map(|standard| standard.function)
}
