//! Operations on two values.

use plantime::{Result, Value};
use serde_json::Value as Json;

use super::{Call, data, found};
use crate::notation::{Read, Unread};

pub(super) fn call(op: &str, case: &Json) -> Option<Read<Call>> {
    let run: fn(&Value, &Value) -> Result<Value> = match op {
        "equals" => Value::equals,
        "not_equal" => Value::not_equal,
        "and" => Value::and,
        "or" => Value::or,
        "less_than" => Value::less_than,
        "greater_than" => Value::greater_than,
        "less_than_or_equal" => Value::less_than_or_equal,
        "greater_than_or_equal" => Value::greater_than_or_equal,
        "index" => Value::index,
        "has_index" => Value::has_index,
        "has_element" => Value::has_element,
        "add" => Value::add,
        "subtract" => Value::subtract,
        "multiply" => Value::multiply,
        "divide" => Value::divide,
        "modulo" => Value::modulo,
        "range_includes" => Value::type_and_refinement_allow,
        "raw_equals" => return Some(representation(case)),
        "get_attr" => return Some(attribute(case)),
        _ => return None,
    };
    let call = pair(case).and_then(|args| Call::of(args, move |args| found(run(&args[0], &args[1]))));
    // The first operand of range_includes stands for its range as it is now, not for what it may become.
    Some(call.map(|call| if op == "range_includes" { Call { vary: |i| i == 1, ..call } } else { call }))
}

fn pair(case: &Json) -> Read<Vec<Value>> {
    let args = super::args(case)?;
    if args.len() == 2 { Ok(args) } else { Err(Unread::LeftOut("number-of-arguments")) }
}

fn attribute(case: &Json) -> Read<Call> {
    let args = super::args(case)?;
    let name = case.get("name").and_then(Json::as_str).map(str::to_owned);
    match (args.len(), name) {
        (1, Some(name)) => Call::of(args, move |args| found(args[0].get_attr(&name))),
        _ => Err(Unread::LeftOut("number-of-arguments")),
    }
}

/// `==`, which compares representation.
fn representation(case: &Json) -> Read<Call> {
    Call::of(pair(case)?, |args| data(args[0] == args[1]))
}
