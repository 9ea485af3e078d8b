//! The standard functions, by family. Each family's file says what its functions give and what they keep of arguments
//! that are not known yet.

mod comparison;
mod logic;
mod numbers;

use super::Function;

/// A function and the names it has.
struct Standard {
    function: Function,
    /// What the planning languages call it.
    language: Option<&'static str>,
    /// Whether cty has it, under the function's own name.
    cty: bool,
}

impl Standard {
    /// A function that only the planning languages have.
    #[expect(dead_code, reason = "the first such function comes with the texts")]
    fn language(function: Function) -> Standard {
        Standard { function, language: None, cty: false }.named_as_cty()
    }

    /// A function of cty that the planning languages do not have.
    fn cty(function: Function) -> Standard {
        Standard { function, language: None, cty: true }
    }

    /// A function that both have, under one name.
    fn both(function: Function) -> Standard {
        Standard::cty(function).named_as_cty()
    }

    /// A function of cty, and what the planning languages call it.
    fn called(function: Function, language: &'static str) -> Standard {
        Standard { function, language: Some(language), cty: true }
    }

    fn named_as_cty(self) -> Standard {
        Standard { language: Some(""), ..self }
    }
}

fn all() -> Vec<Standard> {
    let mut all = Vec::new();
    logic::add_to(&mut all);
    comparison::add_to(&mut all);
    numbers::add_to(&mut all);
    all
}

pub(super) fn language() -> impl Iterator<Item = Function> {
    all().into_iter().filter_map(|standard| match standard.language? {
        "" => Some(standard.function),
        name => Some(standard.function.renamed(name)),
    })
}

pub(super) fn cty() -> impl Iterator<Item = Function> {
    all().into_iter().filter(|standard| standard.cty).map(|standard| standard.function)
}
