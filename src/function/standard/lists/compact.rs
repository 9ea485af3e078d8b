//! A list without nulls and empty texts.

use crate::error::Result;
use crate::function::standard::Standard;
use crate::function::standard::collections::{length_of, unknown_list};
use crate::function::{Arguments, Function, Parameter};
use crate::refinement::LengthRange;
use crate::types::Type;
use crate::value::{Value, View, equality, view_below_marks};

pub(super) fn add_to(all: &mut Vec<Standard>) {
    let Ok(texts) = Type::list(Type::String) else { return };
    let compact = Function::new("compact")
        .description("A list without its nulls and empty texts.")
        .parameter(Parameter::new("list", texts.clone()))
        .returns(texts)
        .not_null()
        .body_for_all(compact);
    all.push(Standard::both(compact));
}

fn compact(arguments: &Arguments<'_>) -> Result<Value> {
    let list = arguments.at(0);
    let View::List(elements) = view_below_marks(list) else {
        let length = LengthRange::new(0, length_of(list).upper()).unwrap_or_default();
        return unknown_list(&Type::String, length);
    };
    let (mut stay, mut may_stay) = (Vec::new(), 0_u64);
    for element in elements.iter() {
        let is_empty = element.as_str().is_ok_and(str::is_empty);
        if equality::is_always_null(element) || is_empty {
            continue;
        }
        let range = element.range();
        match range.is_not_null() && !range.prefix().unwrap_or("").is_empty() {
            true => stay.push(element.clone()),
            false => may_stay = may_stay.saturating_add(1),
        }
    }
    if may_stay == 0 {
        return Value::list_of(Type::String, stay);
    }
    let fewest = stay.len() as u64;
    let length = LengthRange::new(fewest, Some(fewest.saturating_add(may_stay))).unwrap_or_default();
    unknown_list(&Type::String, length)
}
