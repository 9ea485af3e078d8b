//! Reasons that are about what is known: of outcomes and of types.

use plantime::Value;
use serde_json::Value as Json;

use crate::calls::Got;
use crate::calls::stdlib::narrower;
use crate::verdict::{Question, Theirs, same_marks};
use crate::within::within;

use super::marks::keeps_marks;
use super::tight::is_tight;
use super::{answers, asks_for_type, message_has, op, refines};

/// L1: some outcome of the arguments has an answer that theirs excludes, and ours holds all of them.
pub(super) fn excludes_outcomes(question: &Question<'_>) -> bool {
    if matches!(question.theirs, Theirs::Data(_)) {
        return types_of_outcomes(question);
    }
    if op(question) == "range" {
        return is_range_without_open_infinities(question);
    }
    let theirs = match &question.theirs {
        Theirs::Value(theirs, _) => theirs.as_ref(),
        _ => return false,
    };
    let Ok(Got::Value(ours)) = question.ours else { return false };
    let excluded = |concrete: &Value| !theirs.is_some_and(|theirs| within(theirs, concrete));
    theirs.is_none_or(|theirs| same_marks(theirs, ours) || keeps_marks(question, ours))
        && !question.is_wholly_known()
        && question.is_sound(ours)
        && question.answers().any(|answer| matches!(answer, Ok(Got::Value(concrete)) if excluded(&concrete)))
        && is_tight(question, ours)
}

/// A missing bound is an open end at infinity there; here it is none.
fn is_range_without_open_infinities(question: &Question<'_>) -> bool {
    let (Theirs::Value(_, theirs), Ok(Got::Value(ours))) = (&question.theirs, question.ours) else {
        return false;
    };
    let mut bounded = (*theirs).clone();
    for (at, inclusive) in [("min", "min_inc"), ("max", "max_inc")] {
        let bound = bounded[at]["num"].as_str().unwrap_or_default();
        if bound.ends_with("inf") && bounded[inclusive] == false {
            bounded[at] = Json::Null;
        }
    }
    bounded != **theirs && (question.call.read)(&bounded).is_ok_and(|bounded| bounded == *ours)
}

/// L1: an error there, though some outcome of the arguments has an answer; ours holds all of them.
pub(super) fn error_though_outcomes(question: &Question<'_>) -> bool {
    if asks_for_type(question) && matches!(question.theirs, Theirs::Error(_)) {
        return types_of_outcomes(question);
    }
    let (Theirs::Error(message), Ok(Got::Value(ours))) = (&question.theirs, question.ours) else {
        return false;
    };
    // What the greatest native length gives is known exactly, and has a reason of its own.
    let of_native_length = op(question) == "assume" && message.contains(super::refinements::GREATEST);
    !of_native_length
        && !question.is_wholly_known()
        && keeps_marks(question, ours)
        && question.is_sound(ours)
        && question.answers().any(|answer| answer.is_ok())
        && is_tight(question, ours)
}

/// L4: nothing unknown goes in, something unknown comes out there, an error here.
pub(super) fn known_in(question: &Question<'_>) -> bool {
    let Theirs::Value(Some(theirs), _) = &question.theirs else { return false };
    let untyped = |arg: &Value| arg.is_null() && arg.ty() == plantime::Type::Dynamic;
    question.call.args.iter().any(untyped)
        && question.is_wholly_known()
        && !theirs.is_wholly_known()
        && (message_has(question, "null") || message_has(question, " must "))
}

/// Whether a type holds that of every outcome.
pub(crate) fn holds_types_of_outcomes(question: &Question<'_>, ours: &Json) -> bool {
    let mut types = question.answers().filter_map(Result::ok).peekable();
    types.peek().is_some()
        && types.all(|answer| matches!(answer, Got::Data(ty) if narrower(ours, &ty, question.case)))
}

/// Of the type of a result: whether ours covers that of every outcome, and theirs, if it is one, not that of all.
fn types_of_outcomes(question: &Question<'_>) -> bool {
    let Ok(Got::Data(ours)) = question.ours else { return false };
    let covers = |ty: &Json, answer: &Json| narrower(ty, answer, question.case);
    let outcomes: Vec<Json> = question
        .answers()
        .filter_map(|answer| match answer {
            Ok(Got::Data(ty)) => Some(ty),
            _ => None,
        })
        .collect();
    asks_for_type(question)
        && !question.is_wholly_known()
        && outcomes.iter().all(|answer| covers(ours, answer))
        && match &question.theirs {
            Theirs::Data(theirs) => outcomes.iter().any(|answer| !covers(theirs, answer)),
            Theirs::Error(_) => !outcomes.is_empty(),
            Theirs::Value(..) => false,
        }
}

/// An unknown and a null have no elements that could be read.
pub(super) fn nothing_to_iterate(question: &Question<'_>) -> bool {
    let arg = question.call.args.first();
    op(question) == "can_iterate_elements"
        && arg.is_some_and(|arg| !arg.is_known() || arg.is_null())
        && answers(question, false)
}

/// L1, its named exception: refining a value of unknown type asks for the type.
pub(super) fn needs_type(question: &Question<'_>) -> bool {
    let untyped = question.call.args.first().is_some_and(|arg| arg.ty() == plantime::Type::Dynamic);
    let asks =
        message_has(question, "must have a known type") || message_has(question, " required, but have ");
    refines(question) && untyped && asks
}

/// L1: what may become a value of several types is not wholly known.
pub(super) fn undecided_element_type(question: &Question<'_>) -> bool {
    let mut undecided = false;
    for arg in &question.call.args {
        arg.walk(|_, part| {
            let open = part.ty().element_type().is_some_and(plantime::Type::has_dynamic);
            undecided |= open && part.is_known() && !part.is_wholly_known();
            !undecided
        });
    }
    op(question) == "is_wholly_known" && undecided && answers(question, false)
}

/// L9: two unknowns of which nothing more is known than the type are the same.
pub(super) fn nothing_learned(question: &Question<'_>) -> bool {
    fn bare(json: &Json) -> Json {
        match json {
            Json::Object(members) => members
                .iter()
                .filter(|(name, facts)| {
                    let empty = facts.as_object().is_some_and(serde_json::Map::is_empty);
                    !(*name == "ref" && empty && members.contains_key("unk"))
                })
                .map(|(name, json)| (name.clone(), bare(json)))
                .collect(),
            Json::Array(items) => items.iter().map(bare).collect(),
            json => json.clone(),
        }
    }
    let args = question.case.get("args").and_then(Json::as_array).map(Vec::as_slice);
    let Some([a, b]) = args else { return false };
    op(question) == "raw_equals"
        && matches!(question.ours, Ok(Got::Data(Json::Bool(true))))
        && a != b
        && bare(a) == bare(b)
}
