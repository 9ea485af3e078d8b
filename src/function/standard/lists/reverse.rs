//! A list from its end.

use crate::constraint::TypeConstraint;
use crate::convert::convert;
use crate::error::Result;
use crate::function::standard::Standard;
use crate::function::standard::collections::{items, length_of, unfit, unknown_list};
use crate::function::{Arguments, Function, MarkHandling, Parameter};
use crate::types::Type;
use crate::value::{Value, View, view_below_marks};

pub(super) fn add_to(all: &mut Vec<Standard>) {
    let reverse = Function::new("reverselist")
        .description("The elements of a list or tuple, or the members of a set, from the last to the first.")
        .parameter(Parameter::new("list", Type::Dynamic).marks(MarkHandling::Carried))
        .returns_by(reversed_type)
        .not_null()
        .body_for_all(reverse);
    all.push(Standard::called(reverse, "reverse"));
}

fn reversed_type(arguments: &Arguments<'_>) -> Result<Type> {
    match arguments.at(0).ty() {
        Type::Tuple(ty) => Type::tuple(ty.elements().iter().rev().cloned()),
        Type::List(ty) => Type::list(ty.element().clone()),
        Type::Set(ty) => Type::list(ty.element().clone()),
        ty => {
            let message = format!("can only reverse list or tuple values, not {}", ty.friendly_name());
            Err(unfit(message).in_argument(0))
        }
    }
}

fn reverse(arguments: &Arguments<'_>) -> Result<Value> {
    let list = arguments.at(0);
    match (view_below_marks(list), list.ty()) {
        (View::List(list), _) => Value::list_of(list.element_type().clone(), list.iter().rev().cloned()),
        (View::Set(set), _) if list.is_wholly_known() || set.member_count() == 1 => {
            let mut members: Vec<Value> = set.iter().cloned().collect();
            members.reverse();
            Value::list_of(set.element_type().clone(), members)
        }
        (_, Type::Tuple(_)) => {
            let items = items(list).unwrap_or_default();
            Value::tuple(items.iter().rev().cloned())
        }
        (_, Type::List(ty)) => unknown_list(ty.element(), length_of(list)),
        (_, Type::Set(ty)) if ty.element().has_dynamic() => unknown_list(ty.element(), length_of(list)),
        (_, Type::Set(ty)) => {
            let sorted = convert(list, &TypeConstraint::from(Type::list(ty.element().clone())?))?;
            match view_below_marks(&sorted) {
                View::List(sorted) => Value::list_of(ty.element().clone(), sorted.iter().rev().cloned()),
                _ => Ok(sorted),
            }
        }
        _ => Ok(Value::dynamic()),
    }
}
