//! Reasons that are about refinements, and about nulls in them.

use plantime::Value;
use serde_json::Value as Json;

use crate::calls::Got;
use crate::verdict::{Question, Theirs, same_marks};
use crate::within::within;

use super::marks::keeps_marks;
use super::{is_function, op, refines};

/// L8: the whole prefix is checked on a known text, as it was assumed on the unknown one.
pub(super) fn prefix_of_known_text(question: &Question<'_>) -> bool {
    let Some(Ok(text)) = question
        .call
        .args
        .first()
        .map(|arg| arg.clone().unmark().0)
        .map(|arg| arg.as_str().map(str::to_owned))
    else {
        return false;
    };
    let calls = question.case.get("calls").and_then(Json::as_array);
    let called = calls.into_iter().flatten().filter(|call| {
        call.get(0).and_then(Json::as_str).is_some_and(|name| name.starts_with("string_prefix"))
    });
    let given = question.case.get("fn").and_then(Json::as_str) == Some("assumestringprefix");
    let given = question.case.get("args").and_then(|args| args.get(1)?.get("str")).filter(|_| given);
    let mut prefixes = called.filter_map(|call| call.get(1)).chain(given).filter_map(Json::as_str);
    refines(question)
        && question.ours.is_err()
        && matches!(question.theirs, Theirs::Value(..) | Theirs::Data(_))
        && prefixes.any(|prefix| !text.starts_with(&*plantime::text::nfc(prefix)))
}

/// L8: null satisfies every refinement but *not null*, at apply as at plan.
pub(super) fn null_satisfies(question: &Question<'_>) -> bool {
    let (Some(arg), Ok(Got::Value(ours))) = (question.call.args.first(), question.ours) else { return false };
    let same = ours.unmark_deep().0 == arg.unmark_deep().0 && keeps_marks(question, ours);
    refines(question) && matches!(question.theirs, Theirs::Error(_)) && arg.is_null() && same
}

/// An operand of logic, order, arithmetic, length or `has_index` that is null.
pub(super) fn null_operand(question: &Question<'_>) -> bool {
    matches!(
        op(question),
        "and"
            | "or"
            | "not"
            | "less_than"
            | "greater_than"
            | "less_than_or_equal"
            | "greater_than_or_equal"
            | "length"
            | "has_index"
            | "add"
            | "subtract"
            | "multiply"
            | "divide"
            | "modulo"
            | "negate"
            | "absolute"
    ) && question.ours.is_err()
        && question.call.args.iter().any(Value::is_null)
}

/// L1: an infinity lies within a range that no bound keeps it out of.
pub(super) fn infinity_is_in_range(question: &Question<'_>) -> bool {
    let infinite = |arg: &Value| arg.as_number().is_ok_and(plantime::Number::is_infinite);
    match (question.call.args.as_slice(), question.ours) {
        ([range, value], Ok(Got::Value(ours))) => {
            op(question) == "range_includes"
                && ours.as_bool() == Ok(true)
                && infinite(value)
                && within(range, value)
        }
        _ => false,
    }
}

/// L6: a length above the limit stays a refinement; there it is a list of that many unknowns.
pub(super) fn collapse_limit(question: &Question<'_>) -> bool {
    let Theirs::Error(message) = question.theirs else { return false };
    refines(question) && message.contains("makeslice") && question.ours.is_ok()
}

/// go-cty's lengths are Go's native integers: the greatest of them bounds there, and is refused as a bound.
pub(super) fn native_length(question: &Question<'_>) -> bool {
    const GREATEST: &str = "9223372036854775807";
    let bound = |json: &Json| json.get("num").and_then(Json::as_str) == Some(GREATEST);
    match (&question.theirs, question.ours) {
        (Theirs::Error(message), Ok(_)) => {
            let args = question.case.get("args").and_then(Json::as_array);
            op(question) == "assume"
                && message.contains(GREATEST)
                && args.is_some_and(|args| args.iter().any(bound))
        }
        (Theirs::Value(Some(theirs), json), Ok(Got::Value(ours))) => {
            let max = json.get("ref").and_then(|facts| facts.get("max")).and_then(Json::as_str);
            is_function(question, &["length"])
                && max == Some(GREATEST)
                && same_marks(theirs, ours)
                && theirs.range().number_range().map(plantime::NumberRange::lower)
                    == ours.range().number_range().map(plantime::NumberRange::lower)
        }
        _ => false,
    }
}
