//! `reverselist`: a list, tuple or set in reverse order.

use crate::constraint::TypeConstraint;
use crate::convert::convert;
use crate::error::Result;
use crate::function::standard::StandardFunction;
use crate::function::standard::collections::{elements_of, invalid_argument, length_of, unknown_list_with};
use crate::function::{Arguments, Function, MarkHandling, Parameter};
use crate::types::Type;
use crate::value::{Value, View, elements_of_all, view_below_marks};

/// Adds `reverselist`, which the planning languages call `reverse`.
pub(super) fn register(functions: &mut Vec<StandardFunction>) {
    let reverse = Function::new("reverselist")
        .description("The elements of a list or tuple, or the members of a set, in reverse order.")
        .parameter(Parameter::new("list", Type::Dynamic).marks(MarkHandling::Carried))
        .returns_by(reverse_type)
        .not_null()
        .body_for_all(reverse);
    let note = "the elements, reversed; for a set whose order is not certain, the bounds of its length";
    functions.push(StandardFunction::shared_as("reverse", reverse, note));
}

/// The result type of `reverselist`: a list for a list or set, a tuple with the types in reverse order for a tuple.
fn reverse_type(arguments: &Arguments<'_>) -> Result<Type> {
    match arguments.at(0).ty() {
        Type::Tuple(ty) => Type::tuple(ty.elements().iter().rev().cloned()),
        Type::List(ty) => Type::list(ty.element().clone()),
        Type::Set(ty) => Type::list(ty.element().clone()),
        ty => {
            let message = format!("can only reverse list or tuple values, not {}", ty.friendly_name());
            Err(invalid_argument(message).in_argument(0))
        }
    }
}

/// Computes `reverselist`: the elements of a list, tuple or set in reverse order; bounds of the length if the order or
/// the elements are unknown.
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
            let items = elements_of(list).unwrap_or_default();
            Value::tuple(items.iter().rev().cloned())
        }
        (_, Type::List(ty)) => unknown_list_with(ty.element(), length_of(list), elements_of_all([list])),
        (_, Type::Set(ty)) if ty.element().has_dynamic() => {
            unknown_list_with(ty.element(), length_of(list), elements_of_all([list]))
        }
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
