//! YAML. Feature `functions-yaml`.

mod fault;
mod read;
mod scalar;
mod style;
mod time;
mod write;

use crate::error::Result;
use crate::function::{Function, Parameter};
use crate::types::Type;
use crate::value::Value;

use super::Standard;
use super::texts::{Known, text};

/// What is kept of arguments that are not known.
pub(super) const KEEPS: super::Keeps = &[
    (&["yamlencode"], "the text up to the first part that is not certain: `\"a\": 1\\n\"id\": `"),
    (&["yamldecode"], "that there is no value, where every text that begins so is an error"),
];

pub(super) fn add_to(all: &mut Vec<Standard>) {
    all.push(Standard::language(yamldecode()));
    all.push(Standard::language(yamlencode()));
}

fn yamldecode() -> Function {
    Function::new("yamldecode")
        .description("The value that a YAML document means: sequences are tuples, mappings are objects.")
        .parameter(text("src"))
        .returns_by(|arguments| match Known::of(arguments.at(0)) {
            Known::Whole(text) => read::document(text).map(|value| value.ty()),
            Known::Start(start) => read::may_go_on(start).map(|()| Type::Dynamic),
        })
        .transformer(|_| Ok(Value::dynamic()))
        .body(|arguments| read::document(arguments.text(0)?))
}

fn yamlencode() -> Function {
    Function::new("yamlencode")
        .description("The value as YAML text in block style.")
        .parameter(Parameter::new("value", Type::Dynamic).allow_null().allow_dynamic())
        .returns(Type::String)
        .not_null()
        .body_for_all(|arguments| -> Result<Value> { Ok(write::text(arguments.at(0))?.value()) })
}
