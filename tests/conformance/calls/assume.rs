//! The `assume_*` family, put as typed calls.

use plantime::{Number, Result, Value};
use serde_json::Value as Json;

use super::{Call, found};
use crate::notation::{self, Read, Unread};
use crate::within::covers;

pub(super) fn call(case: &Json) -> Read<Call> {
    let name = case.get("fn").and_then(Json::as_str).unwrap_or_default();
    let args = case.get("args").and_then(Json::as_array).map(Vec::as_slice).unwrap_or_default();
    let count = |wanted: usize| {
        if args.len() == wanted { Ok(()) } else { Err(Unread::LeftOut("number-of-arguments")) }
    };
    let value = || notation::value(args.first().unwrap_or(&Json::Null));
    let one: fn(&Value, u64) -> Result<Value> = match name {
        "assumenotnull" => {
            count(1)?;
            return Call::of(vec![value()?], |args| found(args[0].assume_not_null()));
        }
        "assumestringprefix" => {
            count(2)?;
            let prefix = plain(&args[1], "str")?.as_str().unwrap_or_default().to_owned();
            return Call::of(vec![value()?], move |args| found(args[0].assume_string_prefix(&prefix)));
        }
        "assumeequal" => {
            count(2)?;
            return equal(case, value()?, notation::value(&args[1])?);
        }
        "assumelistlength" | "assumesetlength" | "assumemaplength" => {
            count(3)?;
            let both: fn(&Value, u64, u64) -> Result<Value> = match name {
                "assumelistlength" => Value::assume_list_length,
                "assumesetlength" => Value::assume_set_length,
                _ => Value::assume_map_length,
            };
            let (min, max) = (bound(&args[1])?, bound(&args[2])?);
            return Call::of(vec![value()?], move |args| found(both(&args[0], min, max)));
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
    let bound = bound(&args[1])?;
    Call::of(vec![value()?], move |args| found(one(&args[0], bound)))
}

/// The member of a known argument without marks.
fn plain<'a>(arg: &'a Json, head: &str) -> Read<&'a Json> {
    match (arg.get(head), arg.get("marks")) {
        (Some(content), None) => Ok(content),
        _ => Err(Unread::LeftOut("bound")),
    }
}

/// A length as go-cty can have it: whole, and at most 2^63-1.
fn bound(arg: &Json) -> Read<u64> {
    let number: Option<Number> = plain(arg, "num")?.as_str().and_then(|text| text.parse().ok());
    let length = number.and_then(|number| number.to_u64()).filter(|length| i64::try_from(*length).is_ok());
    length.ok_or(Unread::LeftOut("bound"))
}

/// Left out where the value would have to be converted to the type of the assumed one. Where go-cty says that the
/// types do not match there is no such conversion.
fn equal(case: &Json, value: Value, assumed: Value) -> Read<Call> {
    let (ty, wanted) = (value.ty(), assumed.ty());
    let none_exists =
        case.get("err").and_then(Json::as_str).is_some_and(|err| err.starts_with("actual value type"));
    if !covers(&ty, &wanted) && !covers(&wanted, &ty) && !none_exists {
        return Err(Unread::LeftOut("conversion"));
    }
    Call::of(vec![value, assumed], |args| found(args[0].assume_equal(&args[1])))
}
