//! Refining a value by calls of go-cty's builder: here, one assumption after the other.

use plantime::{Bound, Range, Refinement, Type};
use serde_json::Value as Json;

use super::{Call, found};
use crate::notation::{self, Read, Unread, end, lengths, numbers};

pub(super) fn call(case: &Json) -> Read<Call> {
    let args = super::args(case)?;
    if args.len() != 1 {
        return Err(Unread::LeftOut("number-of-arguments"));
    }
    let calls = case.get("calls").and_then(Json::as_array).map(Vec::as_slice).unwrap_or_default();
    let steps = calls.iter().map(assumption).collect::<Read<Vec<_>>>()?;
    let ty = args[0].ty();
    let steps: Vec<_> = steps.into_iter().map(|step| step.and_then(|step| step.expressible(&ty))).collect();
    let refused = steps.iter().any(Result::is_err);
    let call = Call::of(args, move |args| {
        let mut value = args[0].clone();
        for step in &steps {
            let refinement = step.as_ref().map_err(Clone::clone)?;
            value = value.assume(refinement).map_err(|error| error.to_string())?;
        }
        found(Ok(value))
    })?;
    Ok(Call { refused, ..call })
}

/// What one call assumes, and of which kind of type.
struct Assumption {
    kind: Kind,
    refinement: Refinement,
}

#[derive(Clone, Copy)]
enum Kind {
    Any,
    String,
    Number,
    Collection,
}

impl Assumption {
    /// The refinement, or why the typed call cannot be made: a refinement that bounds nothing has no kind here, so that
    /// a bound of another kind of type, `length_lower 0` of a string, is not expressed by it.
    fn expressible(self, ty: &Type) -> Result<Refinement, String> {
        let fits = match self.kind {
            Kind::Any => true,
            Kind::String => matches!(ty, Type::String | Type::Dynamic),
            Kind::Number => matches!(ty, Type::Number | Type::Dynamic),
            Kind::Collection => ty.is_collection() || *ty == Type::Dynamic,
        };
        if fits || !matches!(self.refinement.range(), Range::Any) {
            return Ok(self.refinement);
        }
        Err("a bound that bounds nothing, of another kind of type".to_owned())
    }
}

/// What a call assumes, or why its bound is none.
fn assumption(call: &Json) -> Read<Result<Assumption, String>> {
    let name = call.get(0).and_then(Json::as_str).unwrap_or_default();
    let text = || call.get(1).and_then(Json::as_str).ok_or_else(|| Unread::Bad(call.to_string()));
    let assumed = match name {
        "not_null" => Ok((Kind::Any, Refinement::not_null())),
        "null" => Ok((Kind::Any, Refinement::null())),
        "string_prefix" | "string_prefix_full" => Ok((Kind::String, Refinement::prefix(text()?))),
        "number_lower" | "number_upper" | "number_range_inclusive" => {
            interval(name, call)?.map(|interval| (Kind::Number, interval))
        }
        "length_lower" | "length_upper" | "length" => {
            length(name, call)?.map(|length| (Kind::Collection, length))
        }
        _ => return Err(Unread::LeftOut("operation")),
    };
    Ok(assumed.map(|(kind, refinement)| Assumption { kind, refinement }))
}

fn interval(name: &str, call: &Json) -> Read<Result<Refinement, String>> {
    let ends = match name {
        "number_lower" => (bound(call, 1, 2)?, Ok(Bound::Unbounded)),
        "number_upper" => (Ok(Bound::Unbounded), bound(call, 1, 2)?),
        _ => (bound(call, 1, 9)?, bound(call, 2, 9)?),
    };
    Ok(ends.0.and_then(|lower| ends.1.map(|upper| numbers(lower, upper))))
}

/// A number is a bound, and an unknown one bounds nothing. For anything else, reading it as a number is the error.
fn bound(call: &Json, at: usize, inclusive: usize) -> Read<Result<Bound, String>> {
    let value = notation::value(call.get(at).ok_or_else(|| Unread::Bad(call.to_string()))?)?;
    if matches!(value.ty(), Type::Number | Type::Dynamic) && !value.is_known() && !value.is_marked() {
        return Ok(Ok(Bound::Unbounded));
    }
    let number = value.as_number().map_err(|error| error.to_string());
    let inclusive = call.get(inclusive).and_then(Json::as_bool).unwrap_or(true);
    Ok(number.map(|number| end(number.clone(), inclusive)))
}

/// A length is never negative: below, that bounds nothing; above, it is none.
fn length(name: &str, call: &Json) -> Read<Result<Refinement, String>> {
    let length = call.get(1).and_then(Json::as_i64).ok_or_else(|| Unread::Bad(call.to_string()))?;
    Ok(match (name, u64::try_from(length)) {
        ("length_lower", length) => Ok(lengths(length.unwrap_or(0), None)),
        ("length_upper", Ok(length)) => Ok(lengths(0, Some(length))),
        (_, Ok(length)) => Ok(lengths(length, Some(length))),
        (_, Err(error)) => Err(error.to_string()),
    })
}
