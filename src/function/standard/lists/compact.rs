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
    let note = "the elements, if it is known which are dropped; else bounds of the length";
    functions.push(StandardFunction::shared(compact, note));
}

/// Computes `compact`: a list of strings without its nulls and empty strings. An unknown list with bounds of its
/// length, if unknown elements may be such.
fn compact(arguments: &Arguments<'_>) -> Result<Value> {
    let list = arguments.at(0);
    let View::List(elements) = view_below_marks(list) else {
        let length = LengthRange::new(0, length_of(list).upper()).unwrap_or_default();
        return unknown_list_with(&Type::String, length, not_empty(list));
    };
    let (mut remaining, mut possibly_remaining) = (Vec::new(), 0_u64);
    for element in elements.iter() {
        let is_empty = element.as_str().is_ok_and(str::is_empty);
        if equality::is_always_null(element) || is_empty {
            continue;
        }
        let range = element.range();
        match range.is_not_null() && !range.prefix().unwrap_or("").is_empty() {
            true => remaining.push(element.clone()),
            false => possibly_remaining = possibly_remaining.saturating_add(1),
        }
    }
    if possibly_remaining == 0 {
        return Value::list_of(Type::String, remaining);
    }
    let min = remaining.len() as u64;
    let length = LengthRange::new(min, Some(min.saturating_add(possibly_remaining))).unwrap_or_default();
    unknown_list_with(&Type::String, length, not_empty(list))
}

/// What is known of the strings of a list that are neither null nor empty.
fn not_empty(list: &Value) -> Refinement {
    let of_elements = elements_of_all([list]).and_not_null();
    let not_empty = Refinement::string_length(LengthRange::at_least(1)).unwrap_or_default();
    of_elements.meet(&not_empty).unwrap_or_else(|_| Refinement::not_null())
}
