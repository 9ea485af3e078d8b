//! `length` of cty, `length` of the planning languages, and `hasindex`.

use crate::error::Result;
use crate::function::{Arguments, Function, MarkHandling, Parameter};
use crate::number::Number;
use crate::refinement::{Bound, NumberRange, Refinement};
use crate::text::grapheme_count;
use crate::types::Type;
use crate::value::{Container, Value, canonical};

use super::invalid_argument;
use crate::function::standard::StandardFunction;
use crate::function::standard::strings::{ascii_language_of, language_length};

/// Adds `length` of cty, `length` of the planning languages, and `hasindex`.
pub(super) fn register(functions: &mut Vec<StandardFunction>) {
    let length = Function::new("length")
        .description("The number of elements of a collection or tuple.")
        .parameter(Parameter::new("collection", Type::Dynamic).allow_dynamic().marks(MarkHandling::Carried))
        .returns_by(|arguments| match arguments.at(0).container() {
            Some(Container::List(_) | Container::Set(_) | Container::Map(_) | Container::Tuple(_)) => {
                Ok(Type::Number)
            }
            _ => length_type(&arguments.at(0).ty()),
        })
        .not_null()
        .body_for_all(|arguments| arguments.at(0).length());
    let note = "the length of a partly known collection, else the bounds of the length";
    functions.push(StandardFunction::cty_only(length, note));
    let length = Function::new("length")
        .description("The number of elements of a collection, tuple or object, or of characters of a string.")
        .parameter(Parameter::new("value", Type::Dynamic).allow_dynamic().marks(MarkHandling::Carried))
        .returns_by(|arguments| match arguments.at(0).ty() {
            Type::Bool | Type::Number | Type::Capsule(_) => {
                Err(invalid_argument("argument must be a string, a collection type, or a structural type")
                    .in_argument(0))
            }
            _ => Ok(Type::Number),
        })
        .not_null()
        .body_for_all(length_or_characters);
    let note = "the length of a partly known collection, else the bounds of the length; for a string, the number \
                of known characters as a lower bound";
    functions.push(StandardFunction::language_only(length, note));
    let has_index = Function::new("hasindex")
        .description("Whether a list, tuple or map has an element at a key.")
        .parameter(Parameter::new("collection", Type::Dynamic).allow_dynamic())
        .parameter(Parameter::new("key", Type::Dynamic).allow_dynamic())
        .returns_by(|arguments| match arguments.at(0).ty() {
            Type::List(_) | Type::Map(_) | Type::Tuple(_) | Type::Dynamic => Ok(Type::Bool),
            _ => Err(invalid_argument("collection must be a list, a map or a tuple")),
        })
        .not_null()
        .body_for_all(|arguments| arguments.at(0).has_index(arguments.at(1)));
    let note = "the answer, if the length of the collection and the known part of the key decide it";
    functions.push(StandardFunction::cty_only(has_index, note));
}

/// The result type of cty's `length` for a value of this type; an error if the type has no length.
fn length_type(ty: &Type) -> Result<Type> {
    match ty {
        Type::List(_) | Type::Set(_) | Type::Map(_) | Type::Tuple(_) | Type::Dynamic => Ok(Type::Number),
        _ => Err(invalid_argument("collection must be a list, a map or a tuple")),
    }
}

/// Computes `length` of the planning languages: of a collection, tuple or object the number of elements, of a string
/// the number of grapheme clusters. Bounds of that for an unknown value.
fn length_or_characters(arguments: &Arguments<'_>) -> Result<Value> {
    let value = arguments.at(0);
    if value.ty() != Type::String {
        return value.length();
    }
    if let Ok(text) = value.as_str() {
        return Ok(Value::from(grapheme_count(text) as u64));
    }
    if let Some(language) = ascii_language_of(value) {
        return language_length(language);
    }
    let range = value.range();
    // What follows the known prefix may join its last character, but never makes the characters fewer.
    let min = range.prefix().map_or(0, |prefix| grapheme_count(prefix) as u64);
    let length = NumberRange::new(Bound::Inclusive(Number::from(min)), Bound::Exclusive(Number::INFINITY))?;
    Ok(canonical(Type::Number, Refinement::integer_in(&length).and_not_null()))
}
