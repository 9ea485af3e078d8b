//! The standard functions, one module for each family. A module's `register` adds its functions to a list, each with
//! whether cty, the planning languages (Terraform, OpenTofu) or both have it, and with its precision note.

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
mod result_pattern;
mod sets;
mod strings;
mod time;
mod versions;
#[cfg(feature = "functions-yaml")]
mod yaml;

use super::Function;

pub use bytes::Bytes;
pub use digest::DIGESTS;

use result_pattern::ResultPattern;

/// A standard function, and whether cty and the planning languages have it. It has its name in cty, if cty has it.
struct StandardFunction {
    function: Function,
    /// Whether cty's standard library has the function.
    is_in_cty: bool,
    /// The name that the function has in the planning languages.
    language_name: LanguageName,
}

/// The name of a function in the planning languages (Terraform, OpenTofu).
enum LanguageName {
    /// The planning languages do not have the function.
    Absent,
    /// The name of the function in the table, which is that in cty if cty has the function.
    SameAsInCty,
    /// A name other than that in cty.
    Other(&'static str),
}

/// Each constructor takes the [precision note](Function::precision_note), so that no function is without one.
impl StandardFunction {
    /// A function that cty has and the planning languages do not have.
    fn cty_only(function: Function, precision_note: &str) -> StandardFunction {
        StandardFunction::new(function, precision_note, true, LanguageName::Absent)
    }

    /// A function that cty and the planning languages have under the same name.
    fn shared(function: Function, precision_note: &str) -> StandardFunction {
        StandardFunction::new(function, precision_note, true, LanguageName::SameAsInCty)
    }

    /// A function that the planning languages have and cty does not have.
    fn language_only(function: Function, precision_note: &str) -> StandardFunction {
        StandardFunction::new(function, precision_note, false, LanguageName::SameAsInCty)
    }

    /// A function of cty that the planning languages have under another name.
    fn shared_as(language_name: &'static str, function: Function, precision_note: &str) -> StandardFunction {
        StandardFunction::new(function, precision_note, true, LanguageName::Other(language_name))
    }

    /// A function that only conditions of rules may call: neither cty nor the planning languages have it.
    fn rules_only(function: Function, precision_note: &str) -> StandardFunction {
        StandardFunction::new(function, precision_note, false, LanguageName::Absent)
    }

    /// A standard function with this precision note: which facts about the result are known while arguments are
    /// unknown.
    fn new(
        function: Function,
        precision_note: &str,
        is_in_cty: bool,
        language_name: LanguageName,
    ) -> StandardFunction {
        let function = function.with_precision_note(precision_note);
        StandardFunction { function, is_in_cty, language_name }
    }
}

/// All standard functions, of cty and of the planning languages, in the order of the families.
fn standard_functions() -> Vec<StandardFunction> {
    let mut functions = Vec::new();
    logic::register(&mut functions);
    comparison::register(&mut functions);
    numbers::register(&mut functions);
    collections::register(&mut functions);
    lists::register(&mut functions);
    maps::register(&mut functions);
    sets::register(&mut functions);
    json::register(&mut functions);
    conversion::register(&mut functions);
    assume::register(&mut functions);
    strings::register(&mut functions);
    encoding::register(&mut functions);
    digest::register(&mut functions);
    bytes::register(&mut functions);
    csv::register(&mut functions);
    patterns::register(&mut functions);
    time::register(&mut functions);
    network::register(&mut functions);
    versions::register(&mut functions);
    marking::register(&mut functions);
    format::register(&mut functions);
    #[cfg(feature = "functions-yaml")]
    yaml::register(&mut functions);
    functions
}

/// The functions of the planning languages, under the names they have there.
pub(super) fn language_functions() -> impl Iterator<Item = Function> {
    standard_functions().into_iter().filter_map(|standard| match standard.language_name {
        LanguageName::Absent => None,
        LanguageName::SameAsInCty => Some(standard.function),
        LanguageName::Other(name) => Some(standard.function.renamed(name)),
    })
}

/// The functions that rules have beside those of the planning languages.
pub(super) fn rule_functions() -> impl Iterator<Item = Function> {
    let is_rules_only = |standard: &StandardFunction| {
        !standard.is_in_cty && matches!(standard.language_name, LanguageName::Absent)
    };
    standard_functions().into_iter().filter(is_rules_only).map(|standard| standard.function)
}

/// The functions of cty, under the names they have there.
pub(super) fn cty_functions() -> impl Iterator<Item = Function> {
    standard_functions().into_iter().filter(|standard| standard.is_in_cty).map(|standard| standard.function)
}
