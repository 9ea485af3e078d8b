//! `yamldecode` and `yamlencode`. Feature `functions-yaml`.

mod errors;
mod read;
mod scalar;
mod style;
mod time;
mod write;

use crate::error::Result;
use crate::function::{Function, Parameter, work};
use crate::types::Type;
use crate::value::Value;

use super::StandardFunction;
use super::strings::{KnownText, string_parameter};

/// Adds `yamldecode` and `yamlencode`.
pub(super) fn register(functions: &mut Vec<StandardFunction>) {
    let note = "an error, if no document starts with the known prefix";
    functions.push(StandardFunction::language_only(yamldecode(), note));
    let note = "the text up to the first value that is not certain: `\"a\": 1\\n\"id\": `";
    functions.push(StandardFunction::language_only(yamlencode(), note));
}

/// Defines `yamldecode`: the value of a YAML document.
fn yamldecode() -> Function {
    Function::new("yamldecode")
        .description("The value of a YAML document. A sequence becomes a tuple, a mapping an object.")
        .parameter(string_parameter("src"))
        .returns_by(|arguments| match KnownText::of(arguments.at(0)) {
            KnownText::Whole(text) => read::decode(text).map(|value| value.ty()),
            KnownText::Prefix(prefix) => read::check_prefix(prefix).map(|()| Type::Dynamic),
        })
        .transformer(|_| Ok(Value::dynamic()))
        .body(|arguments| read::decode(arguments.text(0)?).map(work::charged))
}

/// Defines `yamlencode`: a value as YAML text.
fn yamlencode() -> Function {
    Function::new("yamlencode")
        .description("The value as YAML text in block style.")
        .parameter(Parameter::new("value", Type::Dynamic).allow_null().allow_dynamic())
        .returns(Type::String)
        .not_null()
        .body_for_all(|arguments| -> Result<Value> { Ok(write::encode(arguments.at(0))?.value()) })
}
