//! The reason `negative-zero`.

use serde_json::{Value as Json, json};

use crate::calls::Got;
use crate::notation::{same, write};
use crate::verdict::{Question, Theirs};

use super::{answer_to, is_function, message_has, op};

/// L9: zero and negative zero are one number, so one member of a set and one divisor. The answer is that for zero in place of
/// negative zero, and agrees with the recorded one where that does not show the sign.
pub(super) fn negative_zero(question: &Question<'_>) -> bool {
    let Some(args) = question.case.get("args").and_then(Json::as_array) else { return false };
    let is_negative_zero =
        |at: usize| args.get(at).and_then(|arg| arg.get("num")).is_some_and(|num| num == "-0");
    if is_function(question, &["divide"]) && is_negative_zero(1) {
        return divides_by_zero(question, &args[0]);
    }
    // A power of a negative exponent divides by it.
    if is_function(question, &["pow"])
        && is_negative_zero(0)
        && divides_by_zero(question, &json!({"num": "0"}))
    {
        return true;
    }
    // No step, there and here, but there not said to be none.
    if is_function(question, &["range"]) && is_negative_zero(2) {
        return message_has(question, "step must not be zero");
    }
    let joined: Vec<Json> = args.iter().map(with_one_zero).collect();
    if joined == *args || !is_answer_for(question, &joined) {
        return false;
    }
    match (&question.theirs, question.ours) {
        // One member instead of two decides whether a length is as assumed.
        (Theirs::Error(_), Ok(Got::Value(ours))) => {
            op(question) == "assume" && is_first_argument(args, &write(ours))
        }
        (Theirs::Value(..), Err(_)) => op(question) == "assume" && message_has(question, "was not upheld"),
        (Theirs::Value(_, theirs), Ok(Got::Value(ours))) => {
            match is_function(question, &["format", "formatlist"]) {
                true => without_padding(theirs) == without_padding(&write(ours)),
                false => agree(theirs, &write(ours)),
            }
        }
        (Theirs::Data(theirs), Ok(Got::Data(ours))) => match (theirs.as_u64(), ours.as_u64()) {
            (Some(theirs), Some(ours)) => op(question) == "length_int" && theirs == ours + 1,
            _ => agree(theirs, ours),
        },
        _ => false,
    }
}

/// Whether the recorded answer is ours with a sign at some zeros, or with both zeros where ours has one.
fn agree(theirs: &Json, ours: &Json) -> bool {
    same(&with_one_zero(theirs), ours) || same(&with_zeros_joined(theirs), ours)
}

/// The infinity of the dividend's sign, where the recorded one is the other.
fn divides_by_zero(question: &Question<'_>, dividend: &Json) -> bool {
    let negative = dividend.get("num").and_then(Json::as_str).is_some_and(|num| num.starts_with('-'));
    let (here, there) = if negative { ("-inf", "inf") } else { ("inf", "-inf") };
    let (Theirs::Value(_, theirs), Ok(Got::Value(ours))) = (&question.theirs, question.ours) else {
        return false;
    };
    let mut expected = (*theirs).clone();
    expected["num"] = json!(here);
    theirs["num"] == there && same(&expected, &write(ours))
}

/// Whether ours is the answer for these arguments.
fn is_answer_for(question: &Question<'_>, args: &[Json]) -> bool {
    let mut case = question.case.clone();
    case["args"] = Json::from(args);
    match (answer_to(&case), question.ours) {
        (Some(Ok(Got::Value(answer))), Ok(Got::Value(ours))) => answer == *ours,
        (Some(Ok(Got::Data(answer))), Ok(Got::Data(ours))) => answer == *ours,
        (Some(Err(answer)), Err(ours)) => answer == *ours,
        _ => false,
    }
}

/// Whether a value is the first argument, with the marks of all.
fn is_first_argument(args: &[Json], ours: &Json) -> bool {
    let content = |json: &Json| {
        let mut members = json.as_object().cloned().unwrap_or_default();
        members.remove("marks");
        Json::Object(members)
    };
    args.first().is_some_and(|arg| same(&with_zeros_joined(&content(arg)), &content(ours)))
}

/// Texts without what a sign moves: signs, zeros and blanks.
fn without_padding(json: &Json) -> Json {
    match json {
        Json::Array(items) => items.iter().map(without_padding).collect(),
        Json::Object(members) => {
            let bare = |name: &str, json: &Json| match (name, json) {
                ("str", Json::String(text)) => Json::from(text.replace(['-', '+', ' ', '0'], "")),
                (_, json) => without_padding(json),
            };
            Json::Object(members.iter().map(|(name, json)| (name.clone(), bare(name, json))).collect())
        }
        json => json.clone(),
    }
}

/// The notation with `0` for each `-0`, also in texts.
fn with_one_zero(json: &Json) -> Json {
    match json {
        Json::String(text) if text == "-0" => json!("0"),
        Json::String(text) => Json::from(text.replace("[-0", "[0").replace(",-0", ",0").replace(":-0", ":0")),
        Json::Array(items) => items.iter().map(with_one_zero).collect(),
        Json::Object(members) => {
            Json::Object(members.iter().map(|(name, json)| (name.clone(), with_one_zero(json))).collect())
        }
        json => json.clone(),
    }
}

/// The notation with one zero in place of both, as they are members of a set or come from one.
fn with_zeros_joined(json: &Json) -> Json {
    match json {
        Json::String(_) => match with_one_zero(json) {
            Json::String(text) => Json::from(text.replace("[0,0]", "[0]")),
            other => other,
        },
        Json::Array(items) => {
            let mut joined: Vec<Json> = Vec::new();
            for item in items {
                let one = with_zeros_joined(item);
                if !joined.contains(&one) {
                    joined.push(one);
                }
            }
            Json::Array(joined)
        }
        Json::Object(members) => {
            Json::Object(members.iter().map(|(name, json)| (name.clone(), with_zeros_joined(json))).collect())
        }
        json => json.clone(),
    }
}
