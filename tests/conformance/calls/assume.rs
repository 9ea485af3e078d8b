//! The `assume_*` family, put as typed calls; as calls of functions where these decide.

use plantime::function::{Function, Functions};
use plantime::{Number, Value};
use serde_json::Value as Json;

use super::{Call, found, stdlib};
use crate::notation::{self, Read, Unread};

pub(super) fn call(case: &Json) -> Read<Call> {
    match typed(case) {
        // The call of the function looks at its arguments before the assumption does.
        Err(Unread::LeftOut("bound" | "number-of-arguments")) => stdlib::called(case, function(case)?),
        call => call,
    }
}

/// The type of the result.
pub(super) fn return_type(case: &Json) -> Read<Call> {
    stdlib::typed_for(case, function(case)?)
}

fn function(case: &Json) -> Read<Function> {
    let name = case.get("fn").and_then(Json::as_str).unwrap_or_default();
    Functions::standard().get(name).cloned().ok_or(Unread::LeftOut("operation"))
}

fn typed(case: &Json) -> Read<Call> {
    let name = case.get("fn").and_then(Json::as_str).unwrap_or_default();
    let args = case.get("args").and_then(Json::as_array).map(Vec::as_slice).unwrap_or_default();
    // The typed call takes bounds without marks; the function puts the marks of its bounds on the result.
    if name != "assumeequal" && args.iter().skip(1).any(|bound| bound.get("marks").is_some()) {
        return Err(Unread::LeftOut("bound"));
    }
    let count = |wanted: usize| {
        if args.len() == wanted { Ok(()) } else { Err(Unread::LeftOut("number-of-arguments")) }
    };
    let value = || notation::value(args.first().unwrap_or(&Json::Null));
    let one: fn(&Value, u64) -> plantime::Result<Value> = match name {
        "assumenotnull" => {
            count(1)?;
            return Call::of(vec![value()?], |args| found(args[0].assume_not_null()));
        }
        "assumestringprefix" => {
            count(2)?;
            let prefix = text(case, &args[1])?;
            return put(values(args)?, prefix, |prefix, value| value.assume_string_prefix(prefix));
        }
        "assumeequal" => {
            count(2)?;
            let args = vec![value()?, notation::value(&args[1])?];
            // What the value is as one of the other type, for an unknown that it is assumed to be equal to.
            let hints = plantime::convert(&args[0], &args[1].ty().into()).into_iter().collect();
            let call = Call::of(args, |args| found(args[0].assume_equal(&args[1])))?;
            return Ok(Call { hints, ..call });
        }
        "assumelistlength" | "assumesetlength" | "assumemaplength" => {
            count(3)?;
            let both: fn(&Value, u64, u64) -> plantime::Result<Value> = match name {
                "assumelistlength" => Value::assume_list_length,
                "assumesetlength" => Value::assume_set_length,
                _ => Value::assume_map_length,
            };
            let (min, max) = (least(case, &args[1])?, length(case, &args[2])?);
            let bounds = min.and_then(|min| max.map(|max| (min, max)));
            return put(values(args)?, bounds, move |(min, max), value| both(value, *min, *max));
        }
        "assumelistlengthmin" => Value::assume_list_length_min,
        "assumelistlengthmax" => Value::assume_list_length_max,
        "assumesetlengthmin" => Value::assume_set_length_min,
        "assumesetlengthmax" => Value::assume_set_length_max,
        "assumemaplengthmin" => Value::assume_map_length_min,
        "assumemaplengthmax" => Value::assume_map_length_max,
        _ => return Err(Unread::LeftOut("operation")),
    };
    count(2)?;
    let bound = if name.ends_with("min") { least(case, &args[1])? } else { length(case, &args[1])? };
    put(values(args)?, bound, move |bound, value| one(value, *bound))
}

fn values(args: &[Json]) -> Read<Vec<Value>> {
    args.iter().map(notation::value).collect()
}

/// The call with what was read for its bounds, or the error of reading them.
fn put<T: 'static>(
    args: Vec<Value>,
    bounds: Result<T, String>,
    run: impl Fn(&T, &Value) -> plantime::Result<Value> + 'static,
) -> Read<Call> {
    let refused = bounds.is_err();
    let call = Call::of(args, move |args| match &bounds {
        Ok(bounds) => found(run(bounds, &args[0])),
        Err(message) => Err(message.clone()),
    })?;
    Ok(Call { refused, vary: |i| i == 0, ..call })
}

/// An argument that the call of a function looks at before the assumption does: what is unknown there decides the
/// result.
fn plain(arg: &Json) -> Read<Value> {
    let value = notation::value(arg)?.unmark().0;
    if value.is_known() { Ok(value) } else { Err(Unread::LeftOut("bound")) }
}

fn text(case: &Json, arg: &Json) -> Read<Result<String, String>> {
    match plain(arg)?.as_str() {
        Ok(text) => Ok(Ok(text.to_owned())),
        Err(error) => refused(case, error.to_string()),
    }
}

/// A length as go-cty can have it: whole, and at most 2^63-1.
fn length(case: &Json, arg: &Json) -> Read<Result<u64, String>> {
    let value = plain(arg)?;
    match value.as_number().map(Number::to_u64) {
        Ok(Some(length)) if i64::try_from(length).is_ok() => Ok(Ok(length)),
        Ok(_) => refused(case, "a length is a whole number from 0 on".to_owned()),
        Err(error) => refused(case, error.to_string()),
    }
}

/// A lower bound below 0 bounds nothing.
fn least(case: &Json, arg: &Json) -> Read<Result<u64, String>> {
    let whole = plain(arg)?.as_number().ok().and_then(|number| number.to_string().parse::<i64>().ok());
    if whole.is_some_and(i64::is_negative) { Ok(Ok(0)) } else { length(case, arg) }
}

/// What is no bound is an error; where it is none there, the call of the function decides.
fn refused<T>(case: &Json, message: String) -> Read<Result<T, String>> {
    if case.get("want").is_some() { Err(Unread::LeftOut("bound")) } else { Ok(Err(message)) }
}
