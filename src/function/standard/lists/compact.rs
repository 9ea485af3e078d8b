//! `compact`: a list without its nulls and empty strings.

use crate::error::Result;
use crate::function::standard::StandardFunction;
use crate::function::standard::collections::{length_of, unknown_list_with};
use crate::function::{Arguments, Function, Parameter};
use crate::refinement::{LengthRange, Refinement};
use crate::types::Type;
use crate::value::{Value, View, elements_of_all, equality, view_below_marks};

/// Adds `compact`.
pub(super) fn register(functions: &mut Vec<StandardFunction>) {
    let Ok(texts) = Type::list(Type::String) else { return };
    let compact = Function::new("compact")
        .description("A list without its nulls and empty strings.")
        .parameter(Parameter::new("list", texts.clone()))
        .returns(texts)
        .not_null()
        .body_for_all(compact);
    let note = "the elements, if it is known which are dropped; else bounds of the length, and what is known of all elements";
    functions.push(StandardFunction::shared(compact, note));
}

/// Computes `compact`: a list of strings without its nulls and empty strings. An unknown list with bounds of its
/// length, if unknown elements may be such.
fn compact(arguments: &Arguments<'_>) -> Result<Value> {
    let list = arguments.at(0);
    let View::List(elements) = view_below_marks(list) else {
        let length = length_of(list);
        let fewest = if is_never_empty(list.range().refinement().element()) { length.lower() } else { 0 };
        let length = LengthRange::new(fewest, length.upper()).unwrap_or_default();
        return list_of_remaining(list, length);
    };
    let (mut remaining, mut possibly_remaining) = (Vec::new(), 0_u64);
    for element in elements.iter() {
        let is_empty = element.as_str().is_ok_and(str::is_empty);
        if equality::is_always_null(element) || is_empty {
            continue;
        }
        let range = element.range();
        match is_never_empty(range.refinement()) {
            true => remaining.push(element.clone()),
            false => possibly_remaining = possibly_remaining.saturating_add(1),
        }
    }
    if possibly_remaining == 0 {
        return Value::list_of(Type::String, remaining);
    }
    let min = remaining.len() as u64;
    let length = LengthRange::new(min, Some(min.saturating_add(possibly_remaining))).unwrap_or_default();
    list_of_remaining(list, length)
}

/// Whether no value of the refinement is null or the empty string.
fn is_never_empty(refinement: &Refinement) -> bool {
    !refinement.allows_null() && !refinement.range().contains_string("")
}

/// The unknown list of those strings of a list that are neither null nor empty.
fn list_of_remaining(list: &Value, length: LengthRange) -> Result<Value> {
    match not_empty(list) {
        Some(element) => unknown_list_with(&Type::String, length, element),
        None => unknown_list_with(&Type::String, LengthRange::exactly(0), Refinement::any()),
    }
}

/// What is known of the strings of a list that are neither null nor empty; `None` if it has none.
fn not_empty(list: &Value) -> Option<Refinement> {
    let not_empty = Refinement::string_length(LengthRange::at_least(1)).ok()?.and_not_null();
    elements_of_all([list]).meet(&not_empty).ok()
}
