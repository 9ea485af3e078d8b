//! Whether a text is at the start, at the end or anywhere in another.

use crate::error::Result;
use crate::function::standard::Standard;
use crate::function::{Arguments, Function};
use crate::types::Type;
use crate::value::Value;

use super::{Known, answer, text};

pub(super) fn add_to(all: &mut Vec<Standard>) {
    let question = |name, description, second, ask: fn(Known<'_>, Known<'_>) -> Option<bool>| {
        let ask = move |arguments: &Arguments<'_>| -> Result<Value> {
            Ok(answer(ask(Known::of(arguments.at(0)), Known::of(arguments.at(1)))))
        };
        let function =
            Function::new(name).description(description).parameter(text("str")).parameter(text(second));
        Standard::language(function.returns(Type::Bool).not_null().body_for_all(ask))
    };
    all.push(question("startswith", "Whether the first text begins with the second.", "prefix", starts_with));
    all.push(question("endswith", "Whether the first text ends with the second.", "suffix", ends_with));
    all.push(question("strcontains", "Whether the second text is in the first.", "substr", contains));
}

fn starts_with(text: Known<'_>, other: Known<'_>) -> Option<bool> {
    let (has, wanted) = (text.start(), other.start());
    match (text, other) {
        (Known::Whole(_), Known::Whole(_)) => Some(has.starts_with(wanted)),
        (_, Known::Whole(_)) if has.starts_with(wanted) => Some(true),
        // The longer one has to begin with the shorter one, if that can go on.
        (Known::Whole(_), _) if !has.starts_with(wanted) => Some(false),
        _ if !has.starts_with(wanted) && !wanted.starts_with(has) => Some(false),
        _ => None,
    }
}

fn ends_with(text: Known<'_>, other: Known<'_>) -> Option<bool> {
    match (text, other) {
        (Known::Whole(text), Known::Whole(other)) => Some(text.ends_with(other)),
        (_, Known::Whole("")) => Some(true),
        (Known::Whole(text), Known::Start(other)) if !text.contains(other) => Some(false),
        _ => None,
    }
}

fn contains(text: Known<'_>, other: Known<'_>) -> Option<bool> {
    let contains = text.start().contains(other.start());
    match (text, other) {
        (Known::Whole(_), Known::Whole(_)) => Some(contains),
        (_, Known::Whole(_)) if contains => Some(true),
        (Known::Whole(_), _) if !contains => Some(false),
        _ => None,
    }
}
