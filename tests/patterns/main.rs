//! Functions and rules have one meaning of regular expressions: RE2's, as Go's `regexp` has it.
//!
//! The meaning is that of a small matcher written for these tests (`reference`), which functions and rules are held
//! to on enumerated expressions; of the calls recorded from go-cty; and of a list of what is syntax and what is not.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test says what went wrong by failing"
)]

mod cache;
mod enumerated;
#[path = "../packed/mod.rs"]
mod packed;
mod recorded;
mod reference;
mod syntax;

use plantime::function::Functions;
use plantime::rule::Pattern;
use plantime::{Value, View};

/// The first match of `regex`, by its groups or, without groups, as a whole; `None` without a match.
fn first(pattern: &str, text: &str) -> Option<Vec<Option<String>>> {
    let found = Functions::standard().call("regex", &[pattern.into(), text.into()]);
    match found {
        Ok(value) => Some(texts(&value)),
        Err(error) if error.is_not_found() => None,
        Err(error) => panic!("{pattern:?} on {text:?}: {error}"),
    }
}

/// All matches of `regexall`, each like [`first`].
fn all(pattern: &str, text: &str) -> Vec<Vec<Option<String>>> {
    let found = Functions::standard().call("regexall", &[pattern.into(), text.into()]);
    let found = found.unwrap_or_else(|error| panic!("{pattern:?} on {text:?}: {error}"));
    let View::List(found) = found.view() else { panic!("{found:?}") };
    found.iter().map(texts).collect()
}

fn texts(value: &Value) -> Vec<Option<String>> {
    let text = |value: &Value| (!value.is_null()).then(|| value.as_str().unwrap().to_owned());
    match value.view() {
        View::Tuple(groups) => groups.iter().map(text).collect(),
        View::Object(groups) => groups.iter().map(|(_, group)| text(group)).collect(),
        _ => vec![text(value)],
    }
}

fn is_match(pattern: &str, text: &str) -> bool {
    Pattern::new(pattern).unwrap_or_else(|error| panic!("{pattern:?}: {error}")).is_match(text)
}
