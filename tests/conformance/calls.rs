//! How a case is put to this crate: one function per recorded file, by the name of the operation.

use plantime::Value;
use serde_json::Value as Json;

use crate::notation::{self, Read, Unread};

mod assume;
mod binary;
pub(crate) mod convert;
pub(crate) mod json;
mod marks;
pub(crate) mod msgpack;
pub(crate) mod path_sets;
mod paths;
mod refine;
pub(crate) mod stdlib;
mod types;
mod unary;

/// What an operation of ours gives.
pub(crate) enum Got {
    /// A value, which may be less than wholly known.
    Value(Value),
    /// Anything else, in the notation.
    Data(Json),
}

pub(crate) type Answer = Result<Got, String>;

type Run = Box<dyn Fn(&[Value]) -> Answer>;

/// A case as a call of this crate.
pub(crate) struct Call {
    /// The arguments.
    pub(crate) args: Vec<Value>,
    /// Which arguments stand for what they may become; the others are taken as they are.
    pub(crate) vary: fn(usize) -> bool,
    /// The call, for these arguments or others in their place.
    pub(crate) run: Run,
    /// How a recorded result that is a value is read.
    pub(crate) read: fn(&Json) -> Read<Value>,
    /// Whether that is another form than the notation of a value.
    pub(crate) own_form: bool,
    /// Whether the text of an error is the recorded one.
    pub(crate) literal: bool,
    /// Whether what another answer says is at least as good, where the result is no value.
    pub(crate) better: Option<fn(theirs: &Json, ours: &Json, case: &Json) -> bool>,
    /// Wholly known values that arguments may become, beside those that stand in the case.
    pub(crate) hints: Vec<Value>,
    /// Whether some argument is nothing that the typed call takes, so that the error is that of reading it.
    pub(crate) refused: bool,
}

impl Call {
    pub(crate) fn of(args: Vec<Value>, run: impl Fn(&[Value]) -> Answer + 'static) -> Read<Call> {
        Ok(Call {
            args,
            vary: |_| true,
            run: Box::new(run),
            read: notation::value,
            own_form: false,
            literal: false,
            better: None,
            hints: Vec::new(),
            refused: false,
        })
    }
}

/// The call for a case, or why there is none.
pub(crate) fn call(case: &Json) -> Read<Call> {
    let op = case.get("op").and_then(Json::as_str).unwrap_or_default();
    let found = match op {
        "refine" => Some(refine::call(case)),
        "assume" => Some(assume::call(case)),
        "assume_return_type" => Some(assume::return_type(case)),
        _ => unary::call(op, case)
            .or_else(|| binary::call(op, case))
            .or_else(|| types::call(op, case))
            .or_else(|| convert::call(op, case))
            .or_else(|| paths::call(op, case))
            .or_else(|| path_sets::call(op, case))
            .or_else(|| marks::call(op, case))
            .or_else(|| json::call(op, case))
            .or_else(|| msgpack::call(op, case))
            .or_else(|| stdlib::call(op, case)),
    };
    found.unwrap_or(Err(Unread::LeftOut("operation")))
}

fn args(case: &Json) -> Read<Vec<Value>> {
    let args = case.get("args").and_then(Json::as_array);
    let read = |json| match notation::value(json) {
        Err(Unread::Nothing) => Err(Unread::LeftOut("no-value")),
        read => read,
    };
    args.map(Vec::as_slice).unwrap_or_default().iter().map(read).collect()
}

fn text(case: &Json) -> Read<String> {
    match case.get("text").and_then(Json::as_str) {
        Some(text) => Ok(text.to_owned()),
        None => Err(Unread::LeftOut("invalid-utf8")),
    }
}

fn found(value: plantime::Result<Value>) -> Answer {
    value.map(Got::Value).map_err(|error| error.to_string())
}

fn data(json: impl Into<Json>) -> Answer {
    Ok(Got::Data(json.into()))
}
