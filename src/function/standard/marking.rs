//! Marks and types, as values.

use crate::error::Result;
use crate::function::{Function, MarkHandling, Parameter};
use crate::mark::{Mark, Marks};
use crate::types::Type;
use crate::value::{Value, canonical};

use super::Standard;

/// What is kept of arguments that are not known.
pub(super) const KEEPS: super::Keeps = &[
    (&["sensitive", "nonsensitive"], "everything"),
    (&["issensitive"], "what is marked is sensitive; what is not may be, while it is unknown"),
];

pub(super) fn add_to(all: &mut Vec<Standard>) {
    let sensitive =
        of_value("sensitive", "The value, marked as sensitive.", |value| Ok(value.mark(Mark::SENSITIVE)));
    let plain = of_value("nonsensitive", "The value without the mark that it is sensitive.", |value| {
        let (value, marks) = value.unmark();
        let kept: Marks =
            marks.iter().filter(|mark| mark.name() != Mark::SENSITIVE.name()).cloned().collect();
        Ok(value.with_marks(&kept))
    });
    let asked = Function::new("issensitive")
        .description("Whether the value is marked as sensitive.")
        .parameter(anything())
        .returns(Type::Bool)
        .not_null()
        .body(|arguments| {
            let value = arguments.at(0);
            let marked = value.marks().has_name(Mark::SENSITIVE.name());
            Ok(match marked || value.is_known() {
                true => Value::from(marked),
                false => canonical(Type::Bool, crate::refinement::Refinement::not_null()),
            })
        });
    all.extend([sensitive, plain, asked].map(Standard::language));
}

fn anything() -> Parameter {
    Parameter::new("value", Type::Dynamic)
        .allow_null()
        .allow_unknown()
        .allow_dynamic()
        .marks(MarkHandling::Own)
}

fn of_value(name: &str, description: &str, function: fn(Value) -> Result<Value>) -> Function {
    Function::new(name)
        .description(description)
        .parameter(anything())
        .returns_by(|arguments| Ok(arguments.at(0).ty()))
        .body(move |arguments| function(arguments.at(0).clone()))
}
