//! `distinct` and `sort`: a list without duplicates, and a list in the order of its strings.

use std::collections::HashSet;

use crate::error::Result;
use crate::function::standard::StandardFunction;
use crate::function::standard::collections::{
    invalid_argument, length_of, list_of_elements_from, unknown_list_with,
};
use crate::function::{Arguments, Function, Parameter};
use crate::refinement::LengthRange;
use crate::types::Type;
use crate::value::{Value, View, elements_of_all, equality, join, view_below_marks, within_capacity};

/// Adds `distinct` and `sort`.
pub(super) fn register(functions: &mut Vec<StandardFunction>) {
    let (Ok(any), Ok(texts)) = (Type::list(Type::Dynamic), Type::list(Type::String)) else { return };
    let distinct = Function::new("distinct")
        .description("A list without the elements that equal an earlier element.")
        .parameter(Parameter::new("list", any))
        .returns_by(|arguments| Ok(arguments.at(0).ty()))
        .not_null()
        .body_for_all(distinct);
    let note = "the elements, if it is known which are equal; else bounds of the length, and what is known of all elements";
    functions.push(StandardFunction::shared(distinct, note));
    let sort = Function::new("sort")
        .description("A list of strings, sorted by their bytes.")
        .parameter(Parameter::new("list", texts.clone()))
        .returns(texts)
        .not_null()
        .body_for_all(sort);
    let note = "the length, and for each position what the strings that may be sorted there have in common";
    functions.push(StandardFunction::shared(sort, note));
}

/// Computes `distinct`: a list without the elements that equal an earlier one. If unknown elements may be equal, an
/// unknown list with bounds of its length.
fn distinct(arguments: &Arguments<'_>) -> Result<Value> {
    let list = arguments.at(0);
    let ty = list.ty();
    let Some(element) = ty.element_type() else { return Err(invalid_argument("a list is required")) };
    let set = Type::set(element.clone())?;
    let View::List(elements) = view_below_marks(list) else {
        let length = length_of(list);
        let length = LengthRange::new(length.lower().min(1), length.upper()).unwrap_or_default();
        let of_elements = elements_of_all([list]);
        let length = within_capacity(&set, &of_elements, length);
        return unknown_list_with(element, length, of_elements);
    };
    let mut seen = HashSet::new();
    let candidates = elements.iter().filter(|item| !item.is_wholly_known() || seen.insert(*item));
    let candidates: Vec<Value> = candidates.cloned().collect();
    // Unknown elements may equal other elements. A set of the candidates counts the distinct ones in the same way.
    let length = length_of(&Value::set_of(element.clone(), candidates.iter().cloned())?);
    match list.is_wholly_known() || length.exact() == Some(candidates.len() as u64) {
        true => list_of_elements_from(list, element, candidates),
        false => unknown_list_with(element, length, elements_of_all([list])),
    }
}

/// The maximum number of strings for which `sort` computes the positions that each may have, by comparing all pairs.
const MAX_POSITIONED: usize = 128;

/// Computes `sort`: a list of strings in the order of their bytes. If not all strings are known, each position gets
/// what the strings that may be sorted there have in common.
fn sort(arguments: &Arguments<'_>) -> Result<Value> {
    let list = arguments.at(0);
    let View::List(strings) = view_below_marks(list) else {
        return unknown_list_with(&Type::String, length_of(list), elements_of_all([list]).and_not_null());
    };
    let not_null = |(i, string): (usize, &Value)| {
        let null =
            || invalid_argument(format!("given list element {i} is null; a null string cannot be sorted"));
        match equality::is_always_null(string) {
            true => Err(null()),
            false => string.assume_not_null().map_err(|_| null()),
        }
    };
    let mut strings: Vec<Value> = strings.iter().enumerate().map(not_null).collect::<Result<_>>()?;
    if list.is_wholly_known() {
        strings.sort_by(|a, b| a.as_str().unwrap_or("").cmp(b.as_str().unwrap_or("")));
        return Value::list_of(Type::String, strings);
    }
    let all: Vec<&Value> = strings.iter().collect();
    let last = strings.len().saturating_sub(1);
    // The first and the last position that each string may have.
    let positions: Vec<(usize, usize)> = match strings.len() <= MAX_POSITIONED {
        true => strings
            .iter()
            .map(|string| {
                let before = strings.iter().filter(|other| is_certainly_before(other, string)).count();
                let after = strings.iter().filter(|other| is_certainly_before(string, other)).count();
                (before, last.saturating_sub(after))
            })
            .collect(),
        false => vec![(0, last); strings.len()],
    };
    let common = join(&all).unwrap_or_else(Value::dynamic);
    let element_at = |position: usize| {
        if strings.len() > MAX_POSITIONED {
            return common.clone();
        }
        let candidates =
            all.iter().zip(&positions).filter(|(_, (from, to))| (*from..=*to).contains(&position));
        join(&candidates.map(|(string, _)| *string).collect::<Vec<_>>()).unwrap_or_else(|| common.clone())
    };
    Value::list_of(Type::String, (0..strings.len()).map(element_at))
}

/// Whether string `a` is less than string `b`, whatever the unknown ones of them turn out to be.
fn is_certainly_before(a: &Value, b: &Value) -> bool {
    let (a_range, b_range) = (a.range(), b.range());
    let (a_prefix, b_prefix) = (a_range.prefix().unwrap_or(""), b_range.prefix().unwrap_or(""));
    // An unknown `a` with a prefix of `b` may continue as something greater than `b`.
    a_prefix < b_prefix && (a.is_known() || !b_prefix.starts_with(a_prefix))
}
