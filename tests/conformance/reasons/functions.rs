//! Reasons that are about functions.

use plantime::Value;
use serde_json::Value as Json;

use crate::calls::Got;
use crate::verdict::{Question, Theirs};

use super::marks::keeps_marks;
use super::{holds_types_of_outcomes, is_function, op};

/// A time beyond the years that RFC 3339 has a form for.
pub(super) fn four_digit_years(question: &Question<'_>) -> bool {
    let Theirs::Value(Some(theirs), _) = &question.theirs else { return false };
    let theirs = theirs.clone().unmark().0;
    let year =
        theirs.as_str().ok().and_then(|time| Some(time.get(1..)?.split_once('-')?.0.len().saturating_add(1)));
    is_function(question, &["timeadd"]) && year.is_some_and(|digits| digits != 4) && question.ours.is_err()
}

/// The place of an argument beyond the named parameters: there the first of these is 0 where its type is wrong.
pub(super) fn further_argument(question: &Question<'_>) -> bool {
    let (Theirs::Error(theirs), Err(ours)) = (&question.theirs, question.ours) else { return false };
    let name = question.case.get("fn").and_then(Json::as_str).unwrap_or_default();
    let functions = plantime::function::Functions::cty();
    let named = functions.get(name).filter(|f| f.variadic().is_some()).map_or(0, |f| f.parameters().len());
    let there = question.case.get("err_arg").and_then(Json::as_u64).unwrap_or_default();
    named > 0 && *ours == format!("argument {}: {theirs}", there + named as u64)
}

/// L1: one argument is of undecided type and another is wrong whatever that becomes; there the others are not looked at.
pub(super) fn every_argument_is_checked(question: &Question<'_>) -> bool {
    let undecided = question.call.args.iter().any(|arg| arg.ty() == plantime::Type::Dynamic)
        || question
            .case
            .get("types")
            .and_then(Json::as_array)
            .is_some_and(|all| all.contains(&"dynamic".into()));
    let wrong = question.answers().all(|answer| answer.is_err());
    let dynamic = matches!(&question.theirs, Theirs::Data(Json::String(ty)) if ty == "dynamic");
    op(question).starts_with("return_type") && undecided && dynamic && question.ours.is_err() && wrong
}

/// L1: what is undecided inside an argument may become what is asked for, so that another argument is wrong, or none.
pub(super) fn undecided_fits(question: &Question<'_>) -> bool {
    let types = question.case.get("types").and_then(Json::as_array).into_iter().flatten();
    let types: Vec<plantime::Type> = types.filter_map(|ty| crate::notation::ty(ty).ok()).collect();
    let inside = |ty: &plantime::Type| ty.has_dynamic() && *ty != plantime::Type::Dynamic;
    let undecided = types.iter().any(inside) || question.call.args.iter().any(|arg| inside(&arg.ty()));
    let Theirs::Error(message) = question.theirs else { return false };
    let Some(wanted) = message.strip_suffix(" required, but received dynamic") else { return false };
    let other = match question.ours {
        Ok(Got::Data(ours)) => holds_types_of_outcomes(question, ours),
        // Nothing is unknown, so there are no outcomes: an empty list is as one of the type that is asked for.
        Ok(Got::Value(ours)) => {
            let mut case = question.case.clone();
            case["args"] = in_place_of_dynamic(&case["args"], wanted);
            let typed = super::answer_to(&case);
            question.is_wholly_known() && matches!(typed, Some(Ok(Got::Value(typed))) if typed == *ours)
        }
        Err(message) => message.starts_with("argument ") || message.starts_with("no argument: "),
    };
    matches!(op(question), "call" | "return_type" | "return_type_for_values") && undecided && other
}

/// The notation with another type for each dynamic one.
fn in_place_of_dynamic(json: &Json, ty: &str) -> Json {
    match json {
        Json::String(text) if text == "dynamic" => Json::from(ty),
        Json::Array(items) => items.iter().map(|json| in_place_of_dynamic(json, ty)).collect(),
        Json::Object(members) => {
            members.iter().map(|(name, json)| (name.clone(), in_place_of_dynamic(json, ty))).collect()
        }
        json => json.clone(),
    }
}

/// A consonant after a sign that joins it to the one before is of one character with that: ours is right for these
/// characters, theirs for those of before Unicode 15.1.
pub(super) fn clusters_of_conjuncts(question: &Question<'_>) -> bool {
    use unicode_segmentation::UnicodeSegmentation;
    let bare: Vec<Value> = question.call.args.iter().map(|arg| arg.unmark_deep().0).collect();
    let (Some(Ok(text)), Ok(Got::Value(ours))) = (bare.first().map(Value::as_str), question.ours) else {
        return false;
    };
    let Theirs::Value(Some(theirs), _) = &question.theirs else { return false };
    let joins = |c: char| unicode_normalization::char::canonical_combining_class(c) == 9;
    let new: Vec<&str> = text.graphemes(true).collect();
    let old: Vec<&str> = new.iter().flat_map(|cluster| cluster.split_inclusive(joins)).collect();
    let number = |at: usize| bare.get(at).and_then(|arg| arg.as_number().ok()?.to_i64());
    let model = |clusters: &[&str]| -> Option<Value> {
        let count = i64::try_from(clusters.len()).ok()?;
        match question.case.get("fn").and_then(Json::as_str)? {
            "reverse" => Some(Value::from(clusters.iter().rev().copied().collect::<String>())),
            "strlen" => Some(Value::from(count)),
            "substr" => {
                let (offset, length) = (number(1)?, number(2)?);
                let from = if offset < 0 { (count + offset).max(0) } else { offset };
                let all = length < 0 || length == 0 && offset < 0;
                let rest = clusters.iter().skip(usize::try_from(from).ok()?);
                let take = if all { usize::MAX } else { usize::try_from(length).ok()? };
                Some(Value::from(rest.take(take).copied().collect::<String>()))
            }
            _ => None,
        }
    };
    op(question) == "call"
        && new.len() != old.len()
        && model(&new) == Some(ours.unmark_deep().0)
        && model(&old) == Some(theirs.unmark_deep().0)
        && keeps_marks(question, ours)
}
