//! Reasons that are about refinements, and about nulls in them.

use plantime::Value;
use serde_json::{Value as Json, json};

use crate::calls::Got;
use crate::notation::{same, write, write_marks, write_type};
use crate::verdict::{Question, Theirs};
use crate::within::within;

use super::marks::keeps_marks;
use super::{answer_to, is_function, message_has, op, refines};

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
        && message_has(question, "assumption was not upheld: ")
        && matches!(question.theirs, Theirs::Value(..) | Theirs::Data(_))
        && prefixes.any(|prefix| !text.starts_with(&*plantime::text::nfc(prefix)))
}

/// L8: null satisfies every refinement but *not null*, at apply as at plan.
pub(super) fn null_satisfies(question: &Question<'_>) -> bool {
    let (Some(arg), Ok(Got::Value(ours))) = (question.call.args.first(), question.ours) else { return false };
    // A function gives an untyped null the type of its parameter.
    let same = ours.is_null() && (ours.ty() == arg.ty() || arg.ty() == plantime::Type::Dynamic);
    refines(question)
        && matches!(question.theirs, Theirs::Error(_))
        && arg.is_null()
        && same
        && keeps_marks(question, ours)
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
    ) && message_has(question, "a null operand has no ")
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

/// L6: a length above the limit stays a refinement; there it is a list of that many unknowns. Ours is the argument with the
/// greatest of the lengths that the calls ask for.
pub(super) fn collapse_limit(question: &Question<'_>) -> bool {
    let (Theirs::Error(message), Ok(Got::Value(ours))) = (&question.theirs, question.ours) else {
        return false;
    };
    let Some(arg) = question.call.args.first() else { return false };
    let calls = question.case.get("calls").and_then(Json::as_array).into_iter().flatten();
    let length = calls.filter_map(|call| call.get(1).and_then(Json::as_u64)).max();
    let mut expected = json!({"unk": write_type(&arg.ty()), "ref": {"null": false, "len_min": length}});
    if arg.is_marked() {
        expected["marks"] = write_marks(arg.marks());
    }
    op(question) == "refine" && message.contains("makeslice") && same(&expected, &write(ours))
}

/// The greatest native length of go-cty.
pub(super) const GREATEST: &str = "9223372036854775807";

/// go-cty's lengths are Go's native integers: the greatest of them bounds there, and is refused as a bound. As a bound it
/// gives here what the number below it gives, and no length has it as an upper bound of its own.
pub(super) fn native_length(question: &Question<'_>) -> bool {
    const NEXT: &str = "9223372036854775806";
    match (&question.theirs, question.ours) {
        (Theirs::Error(message), Ok(Got::Value(ours))) => {
            let mut case = question.case.clone();
            let bounds = case.get_mut("args").and_then(Json::as_array_mut).into_iter().flatten().skip(1);
            let mut lowered = false;
            for bound in bounds {
                if bound.get("num").and_then(Json::as_str) == Some(GREATEST) {
                    bound["num"] = Json::from(NEXT);
                    lowered = true;
                }
            }
            let raised = |answer: &Value| {
                serde_json::from_str::<Json>(&write(answer).to_string().replace(NEXT, GREATEST)).ok()
            };
            op(question) == "assume"
                && message.contains(GREATEST)
                && lowered
                && matches!(answer_to(&case), Some(Ok(Got::Value(next))) if raised(&next) == Some(write(ours)))
        }
        (Theirs::Value(Some(_), json), Ok(Got::Value(ours))) => {
            let mut expected = (*json).clone();
            let facts = expected.get_mut("ref").and_then(Json::as_object_mut);
            let Some(facts) = facts.filter(|facts| facts.get("max").and_then(Json::as_str) == Some(GREATEST))
            else {
                return false;
            };
            // A length is no infinity.
            facts.insert("max".into(), json!("inf"));
            facts.insert("max_inc".into(), json!(false));
            is_function(question, &["length"]) && same(&expected, &write(ours))
        }
        _ => false,
    }
}
