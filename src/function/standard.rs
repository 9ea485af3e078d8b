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

fn all() -> Vec<Standard> {
    let mut all = Vec::new();
    logic::add_to(&mut all);
    comparison::add_to(&mut all);
    numbers::add_to(&mut all);
    collections::add_to(&mut all);
    lists::add_to(&mut all);
    maps::add_to(&mut all);
    sets::add_to(&mut all);
    json::add_to(&mut all);
    conversion::add_to(&mut all);
    assume::add_to(&mut all);
    texts::add_to(&mut all);
    encoding::add_to(&mut all);
    digest::add_to(&mut all);
    bytes::add_to(&mut all);
    csv::add_to(&mut all);
    patterns::add_to(&mut all);
    time::add_to(&mut all);
    network::add_to(&mut all);
    marking::add_to(&mut all);
    format::add_to(&mut all);
    #[cfg(feature = "functions-yaml")]
    yaml::add_to(&mut all);
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
