//! Calls of cty's standard functions, and the types of their results.

use plantime::function::{Function, Functions};
use plantime::{Error, Value};
use serde_json::Value as Json;

use super::convert::constraint;
use super::{Answer, Call, Got, args};
use crate::notation::{self, Read, Unread};

pub(super) fn call(op: &str, case: &Json) -> Option<Read<Call>> {
    Some(match op {
        "call" => function(case).and_then(|function| called(case, function)),
        "return_type" => function(case).and_then(|function| typed(case, function)),
        "return_type_for_values" => function(case).and_then(|function| typed_for(case, function)),
        _ => return None,
    })
}

fn function(case: &Json) -> Read<Function> {
    let name = case.get("fn").and_then(Json::as_str).unwrap_or_default();
    if name == "maketo" {
        let to = constraint(case.get("to").unwrap_or(&Json::Null))?;
        return Ok(Function::conversion_to(name, to));
    }
    Functions::cty().get(name).cloned().ok_or_else(|| Unread::Bad(format!("no function {name}")))
}

pub(super) fn called(case: &Json, function: Function) -> Read<Call> {
    let answer = reported(case);
    let call = Call::of(args(case)?, move |args| answer(function.call(args).map(Got::Value)))?;
    // An object that converts to one of fewer attributes, and not the other way round.
    let object = [("a", Value::from("x")), ("more", Value::from(true)), ("n", Value::from(1))];
    let hints: Vec<Value> =
        Value::object(object).and_then(|object| Value::list([object])).into_iter().collect();
    Ok(Call { literal: is_literal(case), hints, ..call })
}

fn typed(case: &Json, function: Function) -> Read<Call> {
    let types = case.get("types").and_then(Json::as_array).map(Vec::as_slice).unwrap_or_default();
    let types = types.iter().map(notation::ty).collect::<Read<Vec<_>>>()?;
    let answer = reported(case);
    let unknown = types.into_iter().map(Value::unknown).collect();
    let call = Call::of(unknown, move |args| {
        answer(function.return_type_for(args).map(|ty| Got::Data(notation::write_type(&ty))))
    })?;
    Ok(Call { literal: is_literal(case), better: Some(narrower), ..call })
}

pub(super) fn typed_for(case: &Json, function: Function) -> Read<Call> {
    let answer = reported(case);
    let call = Call::of(args(case)?, move |args| {
        answer(function.return_type_for(args).map(|ty| Got::Data(notation::write_type(&ty))))
    })?;
    Ok(Call { literal: is_literal(case), better: Some(narrower), ..call })
}

/// Text of the function system and of cty's own functions. A panic there is any error here, and so is what Go's reader
/// of JSON says.
fn is_literal(case: &Json) -> bool {
    let name = case.get("fn").and_then(Json::as_str);
    let of_go = name == Some("jsondecode") && case.get("err_arg").is_none();
    case.get("fn_panic").is_none() && case.get("panic").is_none() && !of_go
}

/// An error as the case records it: its message, after the number of the argument where that is recorded.
fn reported(case: &Json) -> impl Fn(plantime::Result<Got>) -> Answer + 'static {
    let recorded = case.get("err_arg").and_then(Json::as_u64);
    let placed = case.get("err_path").is_some();
    let text = move |error: Error| {
        let message = match placed {
            true => super::convert::placed(error.message(), &notation::write_path(error.path())),
            false => error.message().to_owned(),
        };
        match (recorded, error.argument()) {
            (Some(there), Some(here)) if there != here as u64 => format!("argument {here}: {message}"),
            (Some(_), None) => format!("no argument: {message}"),
            _ => message,
        }
    };
    move |result| result.map_err(&text)
}

/// A type that theirs covers.
pub(crate) fn narrower(theirs: &Json, ours: &Json, _case: &Json) -> bool {
    match (notation::ty(theirs), notation::ty(ours)) {
        (Ok(theirs), Ok(ours)) => theirs.covers(&ours),
        _ => false,
    }
}
