//! A list without what is in it twice, and sorted.

use std::collections::HashSet;

use crate::error::Result;
use crate::function::standard::Standard;
use crate::function::standard::collections::{length_of, list_from, unfit, unknown_list};
use crate::function::{Arguments, Function, Parameter};
use crate::refinement::LengthRange;
use crate::types::Type;
use crate::value::{Value, View, equality, join, view_below_marks, within_capacity};

pub(super) fn add_to(all: &mut Vec<Standard>) {
    let (Ok(any), Ok(texts)) = (Type::list(Type::Dynamic), Type::list(Type::String)) else { return };
    let distinct = Function::new("distinct")
        .description("A list without the elements that equal an earlier one.")
        .parameter(Parameter::new("list", any))
        .returns_by(|arguments| Ok(arguments.at(0).ty()))
        .not_null()
        .body_for_all(distinct);
    all.push(Standard::both(distinct));
    let sort = Function::new("sort")
        .description("A list of texts in the order of their bytes.")
        .parameter(Parameter::new("list", texts.clone()))
        .returns(texts)
        .not_null()
        .body_for_all(sort);
    all.push(Standard::both(sort));
}

fn distinct(arguments: &Arguments<'_>) -> Result<Value> {
    let list = arguments.at(0);
    let ty = list.ty();
    let Some(element) = ty.element_type() else { return Err(unfit("a list is required")) };
    let set = Type::set(element.clone())?;
    let View::List(elements) = view_below_marks(list) else {
        let length = length_of(list);
        let length = LengthRange::new(length.lower().min(1), length.upper()).unwrap_or_default();
        return unknown_list(element, within_capacity(&set, length));
    };
    let mut seen = HashSet::new();
    let first = elements.iter().filter(|item| !item.is_wholly_known() || seen.insert(*item));
    let first: Vec<Value> = first.cloned().collect();
    // As many as the set of them has.
    let length = length_of(&Value::set_of(element.clone(), first.iter().cloned())?);
    match list.is_wholly_known() || length.exact() == Some(first.len() as u64) {
        true => list_from(list, element, first),
        false => unknown_list(element, length),
    }
}

/// Of so many texts it is found out which can stand where.
const PLACED: usize = 128;

fn sort(arguments: &Arguments<'_>) -> Result<Value> {
    let list = arguments.at(0);
    let View::List(texts) = view_below_marks(list) else {
        return unknown_list(&Type::String, length_of(list));
    };
    let not_null = |(i, text): (usize, &Value)| {
        let null = || unfit(format!("given list element {i} is null; a null string cannot be sorted"));
        if equality::is_always_null(text) { Err(null()) } else { text.assume_not_null().map_err(|_| null()) }
    };
    let mut texts: Vec<Value> = texts.iter().enumerate().map(not_null).collect::<Result<_>>()?;
    if list.is_wholly_known() {
        texts.sort_by(|a, b| a.as_str().unwrap_or("").cmp(b.as_str().unwrap_or("")));
        return Value::list_of(Type::String, texts);
    }
    let all: Vec<&Value> = texts.iter().collect();
    let last = texts.len().saturating_sub(1);
    let places: Vec<(usize, usize)> = match texts.len() <= PLACED {
        true => texts
            .iter()
            .map(|text| {
                let before = texts.iter().filter(|other| is_before(other, text)).count();
                let after = texts.iter().filter(|other| is_before(text, other)).count();
                (before, last.saturating_sub(after))
            })
            .collect(),
        false => vec![(0, last); texts.len()],
    };
    let common = join(&all).unwrap_or_else(Value::dynamic);
    let at = |place: usize| {
        if texts.len() > PLACED {
            return common.clone();
        }
        let can = all.iter().zip(&places).filter(|(_, (from, to))| (*from..=*to).contains(&place));
        join(&can.map(|(text, _)| *text).collect::<Vec<_>>()).unwrap_or_else(|| common.clone())
    };
    Value::list_of(Type::String, (0..texts.len()).map(at))
}

/// Whether one text comes before another, whatever they become.
fn is_before(a: &Value, b: &Value) -> bool {
    let (a_range, b_range) = (a.range(), b.range());
    let (a_start, b_start) = (a_range.prefix().unwrap_or(""), b_range.prefix().unwrap_or(""));
    a_start < b_start && (a.is_known() || !b_start.starts_with(a_start))
}
