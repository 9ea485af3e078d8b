//! Logic: the operators as functions.

use crate::error::Result;
use crate::function::{Function, Parameter};
use crate::types::Type;
use crate::value::Value;

use super::Standard;

/// What is kept of arguments that are not known.
pub(super) const KEEPS: super::Keeps = &[(
    &["and", "or", "not"],
    "the answer, where what is known decides it: nothing changes a false `and`, or a true `or`",
)];

pub(super) fn add_to(all: &mut Vec<Standard>) {
    all.push(Standard::cty(binary("and", "Whether both are true.", Value::and)));
    all.push(Standard::cty(binary("or", "Whether at least one is true.", Value::or)));
    let not = Function::new("not")
        .description("The opposite.")
        .parameter(Parameter::new("val", Type::Bool))
        .returns(Type::Bool)
        .not_null()
        .body_for_all(|arguments| arguments.at(0).not());
    all.push(Standard::cty(not));
}

fn binary(name: &str, description: &str, operation: fn(&Value, &Value) -> Result<Value>) -> Function {
    Function::new(name)
        .description(description)
        .parameter(Parameter::new("a", Type::Bool))
        .parameter(Parameter::new("b", Type::Bool))
        .returns(Type::Bool)
        .not_null()
        .body_for_all(move |arguments| operation(arguments.at(0), arguments.at(1)))
}
