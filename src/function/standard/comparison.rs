//! The comparison operators as functions.

use crate::error::Result;
use crate::function::{Function, Parameter};
use crate::types::Type;
use crate::value::Value;

use super::StandardFunction;

/// Adds the comparison operators of cty: `lessthan` and its like, `equal` and `notequal`.
pub(super) fn register(functions: &mut Vec<StandardFunction>) {
    /// A comparison of two values.
    type Operation = fn(&Value, &Value) -> Result<Value>;
    let numbers: [(&str, &str, Operation); 4] = [
        ("lessthan", "Whether the first is less than the second.", Value::less_than),
        ("lessthanorequalto", "Whether the first is at most the second.", Value::less_than_or_equal),
        ("greaterthan", "Whether the first is more than the second.", Value::greater_than),
        ("greaterthanorequalto", "Whether the first is at least the second.", Value::greater_than_or_equal),
    ];
    for (name, description, operation) in numbers {
        let parameter = |name: &str| Parameter::new(name, Type::Number);
        let function = binary(name, description, parameter, operation);
        functions
            .push(StandardFunction::cty_only(function, "the answer, if the bounds of the numbers decide it"));
    }
    let any: [(&str, &str, Operation); 2] = [
        ("equal", "Whether both are the same.", Value::equals),
        ("notequal", "Whether the two differ.", Value::not_equal),
    ];
    for (name, description, operation) in any {
        let parameter = |name: &str| Parameter::new(name, Type::Dynamic).allow_null().allow_dynamic();
        let function = binary(name, description, parameter, operation);
        let note = "the answer, if types, bounds, prefixes, lengths or known elements that differ decide it";
        functions.push(StandardFunction::cty_only(function, note));
    }
}

/// Defines a function of two values that applies this operator. `parameter` makes a parameter from its name.
fn binary(
    name: &str,
    description: &str,
    parameter: impl Fn(&str) -> Parameter,
    operation: fn(&Value, &Value) -> Result<Value>,
) -> Function {
    Function::new(name)
        .description(description)
        .parameter(parameter("a"))
        .parameter(parameter("b"))
        .returns(Type::Bool)
        .not_null()
        .body_for_all(move |arguments| operation(arguments.at(0), arguments.at(1)))
}
