//! The logical operators as functions: `and`, `or`, `not`.

use crate::error::Result;
use crate::function::{Function, Parameter};
use crate::types::Type;
use crate::value::Value;

use super::StandardFunction;

/// Adds the logical operators of cty: `and`, `or`, `not`.
pub(super) fn register(functions: &mut Vec<StandardFunction>) {
    let and = binary("and", "Whether both are true.", Value::and);
    functions
        .push(StandardFunction::cty_only(and, "the answer, if it is known: a false argument decides it"));
    let or = binary("or", "Whether at least one is true.", Value::or);
    functions.push(StandardFunction::cty_only(or, "the answer, if it is known: a true argument decides it"));
    let not = Function::new("not")
        .description("True for false, and false for true.")
        .parameter(Parameter::new("val", Type::Bool))
        .returns(Type::Bool)
        .not_null()
        .body_for_all(|arguments| arguments.at(0).not());
    functions.push(StandardFunction::cty_only(not, "that the result is not null"));
}

/// Defines a function of two bools that applies this operator.
fn binary(name: &str, description: &str, operation: fn(&Value, &Value) -> Result<Value>) -> Function {
    Function::new(name)
        .description(description)
        .parameter(Parameter::new("a", Type::Bool))
        .parameter(Parameter::new("b", Type::Bool))
        .returns(Type::Bool)
        .not_null()
        .body_for_all(move |arguments| operation(arguments.at(0), arguments.at(1)))
}
