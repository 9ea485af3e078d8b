//! Refining a value by calls of go-cty's builder: here, one assumption after the other.

use plantime::{Bound, Refinement, Type, Value};
use serde_json::Value as Json;

use super::{Call, found};
use crate::notation::{Read, Unread, end, lengths, numbers};

pub(super) fn call(case: &Json) -> Read<Call> {
    let args = super::args(case)?;
    if args.len() != 1 {
        return Err(Unread::LeftOut("number-of-arguments"));
    }
    let calls = case.get("calls").and_then(Json::as_array).map(Vec::as_slice).unwrap_or_default();
    let steps = calls.iter().map(assumption).collect::<Read<Vec<_>>>()?;
    Call::of(args, move |args| {
        found(steps.iter().try_fold(args[0].clone(), |value, step| step.apply(&value)))
    })
}

/// What one call assumes, and of which kind of type.
struct Assumption {
    kind: Kind,
    refinement: Refinement,
}

enum Kind {
    Any,
    String,
    Number,
    Collection,
}

impl Assumption {
    fn apply(&self, value: &Value) -> plantime::Result<Value> {
        let ty = value.ty();
        let fits = match self.kind {
            Kind::Any => true,
            Kind::String => matches!(ty, Type::String | Type::Dynamic),
            Kind::Number => matches!(ty, Type::Number | Type::Dynamic),
            Kind::Collection => ty.is_collection() || ty == Type::Dynamic,
        };
        if fits {
            return value.assume(&self.refinement);
        }
        // A refinement that says nothing has no kind any more: one that does says what a value of this type lacks.
        value.assume(&match self.kind {
            Kind::Any => Refinement::any(),
            Kind::String => Refinement::prefix("a"),
            Kind::Number => Refinement::number_at_least(0),
            Kind::Collection => lengths(1, None),
        })
    }
}

fn assumption(call: &Json) -> Read<Assumption> {
    let name = call.get(0).and_then(Json::as_str).unwrap_or_default();
    let text = || call.get(1).and_then(Json::as_str).ok_or_else(|| Unread::Bad(call.to_string()));
    // A length is a u64 here; go-cty passes over a negative lower one and panics at a negative upper one.
    let length = || call.get(1).and_then(Json::as_u64).ok_or(Unread::LeftOut("bound"));
    let (kind, refinement) = match name {
        "not_null" => (Kind::Any, Refinement::not_null()),
        "null" => (Kind::Any, Refinement::null()),
        "string_prefix" | "string_prefix_full" => (Kind::String, Refinement::prefix(text()?)),
        "number_lower" => (Kind::Number, numbers(bound(call, 1, 2)?, Bound::Unbounded)),
        "number_upper" => (Kind::Number, numbers(Bound::Unbounded, bound(call, 1, 2)?)),
        "number_range_inclusive" => (Kind::Number, numbers(bound(call, 1, 9)?, bound(call, 2, 9)?)),
        "length_lower" => (Kind::Collection, lengths(length()?, None)),
        "length_upper" => (Kind::Collection, lengths(0, Some(length()?))),
        "length" => (Kind::Collection, lengths(length()?, Some(length()?))),
        _ => return Err(Unread::LeftOut("operation")),
    };
    Ok(Assumption { kind, refinement })
}

/// A bound is a known number without marks.
fn bound(call: &Json, at: usize, inclusive: usize) -> Read<Bound> {
    let value = call.get(at).ok_or_else(|| Unread::Bad(call.to_string()))?;
    let number = value.get("num").and_then(Json::as_str).and_then(|number| number.parse().ok());
    match (number, value.get("marks")) {
        (Some(number), None) => Ok(end(number, call.get(inclusive).and_then(Json::as_bool).unwrap_or(true))),
        _ => Err(Unread::LeftOut("bound")),
    }
}
