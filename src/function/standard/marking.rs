//! Functions about the sensitive mark: `sensitive`, `nonsensitive`, `issensitive`.

use crate::error::Result;
use crate::function::{Function, MarkHandling, Parameter};
use crate::mark::{Mark, Marks, NOTE_OF_SUCCESS};
use crate::types::Type;
use crate::value::{Value, canonical};

use super::StandardFunction;

/// Adds `sensitive`, `nonsensitive` and `issensitive`.
pub(super) fn register(functions: &mut Vec<StandardFunction>) {
    let sensitive = function_of_value("sensitive", "The value, marked as sensitive.", |value| {
        Ok(value.mark(Mark::SENSITIVE))
    });
    let nonsensitive = function_of_value("nonsensitive", "The value without the sensitive mark.", |value| {
        let (value, marks) = value.unmark();
        let other_marks: Marks =
            marks.iter().filter(|mark| mark.name() != Mark::SENSITIVE.name()).cloned().collect();
        Ok(value.with_marks(&other_marks))
    });
    let is_sensitive = Function::new("issensitive")
        .description("Whether the value is marked as sensitive.")
        .parameter(any_value())
        .returns(Type::Bool)
        .not_null()
        .body(|arguments| {
            let value = arguments.at(0);
            let is_marked = value
                .marks()
                .iter()
                .any(|mark| mark.name() == Mark::SENSITIVE.name() && mark.note() != Some(NOTE_OF_SUCCESS));
            Ok(match is_marked || value.is_known() {
                true => Value::from(is_marked),
                // The value may be marked once it is known.
                false => canonical(Type::Bool, crate::refinement::Refinement::not_null()),
            })
        });
    functions.push(StandardFunction::language_only(sensitive, "everything"));
    functions.push(StandardFunction::language_only(nonsensitive, "everything"));
    let note =
        "true for a value that is marked as sensitive; an unknown value without the mark may get it later";
    functions.push(StandardFunction::language_only(is_sensitive, note));
}

/// A parameter for every value: null, unknown, of unknown type or marked. The function sees its marks.
fn any_value() -> Parameter {
    Parameter::new("value", Type::Dynamic)
        .allow_null()
        .allow_unknown()
        .allow_dynamic()
        .marks(MarkHandling::Own)
}

/// Defines a function of one value, with its marks, whose result has the same type.
fn function_of_value(name: &str, description: &str, function: fn(Value) -> Result<Value>) -> Function {
    Function::new(name)
        .description(description)
        .parameter(any_value())
        .returns_by(|arguments| Ok(arguments.at(0).ty()))
        .body(move |arguments| function(arguments.at(0).clone()))
}
