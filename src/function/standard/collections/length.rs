//! How many elements there are.

use crate::error::Result;
use crate::function::{Arguments, Function, MarkHandling, Parameter};
use crate::number::Number;
use crate::refinement::{Bound, NumberRange, Refinement};
use crate::text::grapheme_count;
use crate::types::Type;
use crate::value::{Container, Value, canonical};

use super::unfit;
use crate::function::standard::Standard;

pub(super) fn add_to(all: &mut Vec<Standard>) {
    let length = Function::new("length")
        .description("How many elements a collection or tuple has.")
        .parameter(Parameter::new("collection", Type::Dynamic).allow_dynamic().marks(MarkHandling::Carried))
        .returns_by(|arguments| match arguments.at(0).container() {
            Some(Container::List(_) | Container::Set(_) | Container::Map(_) | Container::Tuple(_)) => {
                Ok(Type::Number)
            }
            _ => of_type(&arguments.at(0).ty()),
        })
        .not_null()
        .body_for_all(|arguments| arguments.at(0).length());
    all.push(Standard::cty(length));
    let length = Function::new("length")
        .description("How many elements a collection, tuple or object has, or characters a text.")
        .parameter(Parameter::new("value", Type::Dynamic).allow_dynamic().marks(MarkHandling::Carried))
        .returns_by(|arguments| match arguments.at(0).ty() {
            Type::Bool | Type::Number | Type::Capsule(_) => {
                Err(unfit("argument must be a string, a collection type, or a structural type")
                    .in_argument(0))
            }
            _ => Ok(Type::Number),
        })
        .not_null()
        .body_for_all(of_anything);
    all.push(Standard::language(length));
    let has_index = Function::new("hasindex")
        .description("Whether a list, tuple or map has an element at a key.")
        .parameter(Parameter::new("collection", Type::Dynamic).allow_dynamic())
        .parameter(Parameter::new("key", Type::Dynamic).allow_dynamic())
        .returns_by(|arguments| match arguments.at(0).ty() {
            Type::List(_) | Type::Map(_) | Type::Tuple(_) | Type::Dynamic => Ok(Type::Bool),
            _ => Err(unfit("collection must be a list, a map or a tuple")),
        })
        .not_null()
        .body_for_all(|arguments| arguments.at(0).has_index(arguments.at(1)));
    all.push(Standard::cty(has_index));
}

/// The type of a length of what is not there to be looked at.
fn of_type(ty: &Type) -> Result<Type> {
    match ty {
        Type::List(_) | Type::Set(_) | Type::Map(_) | Type::Tuple(_) | Type::Dynamic => Ok(Type::Number),
        _ => Err(unfit("collection must be a list, a map or a tuple")),
    }
}

fn of_anything(arguments: &Arguments<'_>) -> Result<Value> {
    let value = arguments.at(0);
    if value.ty() != Type::String {
        return value.length();
    }
    if let Ok(text) = value.as_str() {
        return Ok(Value::from(grapheme_count(text) as u64));
    }
    let range = value.range();
    // What follows may join the last character, and makes none fewer.
    let least = range.prefix().map_or(0, |prefix| grapheme_count(prefix) as u64);
    let length = NumberRange::new(Bound::Inclusive(Number::from(least)), Bound::Exclusive(Number::INFINITY))?;
    Ok(canonical(Type::Number, Refinement::number(length).and_not_null()))
}
