//! Reasons that are about paths.

use serde_json::Value as Json;

use crate::calls::{Got, path_sets};
use crate::verdict::{Question, Theirs, all_marks};

use super::{answer_to, op};

/// L9: paths are the same when their steps are: ours is what the set of their texts gives, and what is neither about
/// a key that is unknown, null or marked nor about a name that occurs in another normal form is as it is there.
pub(super) fn same_path(question: &Question<'_>) -> bool {
    let Ok(Got::Data(ours)) = question.ours else { return false };
    let paths = question.case.get("sets").and_then(Json::as_array).into_iter().flatten();
    let paths: Vec<&Json> =
        paths.filter_map(Json::as_array).flatten().chain(question.case.get("path")).collect();
    let names: Vec<String> = paths.iter().flat_map(|path| path_sets::names_in_other_form(path)).collect();
    let odd = |path: &Json| path.as_array().into_iter().flatten().any(|step| is_odd(step, &names));
    let without_odd = |list: &Json| -> Option<Vec<String>> {
        let paths = list.as_array()?.iter().filter(|path| !odd(path));
        let mut texts: Vec<String> = paths.map(path_sets::text).collect();
        texts.sort_unstable();
        Some(texts)
    };
    op(question).starts_with("pathset_")
        && paths.iter().any(|path| odd(path))
        && path_sets::model(question.case).as_ref() == Some(ours)
        && match &question.theirs {
            Theirs::Error(message) => message.contains("marked"),
            Theirs::Data(theirs) => without_odd(theirs) == without_odd(ours),
            Theirs::Value(..) => false,
        }
}

/// A key that go-cty's `Equals` answers for in a way of its own: unknown, null or marked. Or one of these names.
fn is_odd(step: &Json, names: &[String]) -> bool {
    match (step.get("attr").and_then(Json::as_str), step.get("index").map(crate::notation::value)) {
        (Some(name), _) => names.contains(&plantime::text::nfc(name).to_string()),
        (None, Some(Ok(key))) => !key.is_wholly_known() || key.is_null() || key.contains_marks(),
        _ => false,
    }
}

/// L9: a name in a path is the same name in each normal form: it is found, or equal, or marked, where it is not there.
pub(super) fn names_in_normal_form(question: &Question<'_>) -> bool {
    let one = |name: &str| question.case.get(name).into_iter();
    let many = |name: &str| question.case.get(name).and_then(Json::as_array).into_iter().flatten();
    let paths = one("path").chain(many("paths")).chain(many("pvm").filter_map(|place| place.get("path")));
    let reads_json = matches!(op(question), "json_unmarshal" | "json_simple_unmarshal")
        || super::is_function(question, &["jsondecode"]);
    if let (true, Theirs::Error(message), Ok(Got::Value(_))) = (reads_json, &question.theirs, question.ours) {
        let name = message.strip_prefix("unsupported attribute ").map(|name| name.trim_matches('"'));
        return name.is_some_and(|name| plantime::text::nfc(name) != name)
            && is_answer_in_normal_form(question);
    }
    let in_other_form = paths.into_iter().any(|path| !path_sets::names_in_other_form(path).is_empty());
    in_other_form
        && is_answer_in_normal_form(question)
        && match (op(question), &question.theirs, question.ours) {
            ("path_apply" | "path_last_step", Theirs::Error(message), Ok(Got::Value(_))) => {
                message.contains("object has no attribute")
            }
            ("path_equals" | "path_has_prefix", Theirs::Data(Json::Bool(false)), Ok(Got::Data(ours))) => {
                *ours == Json::Bool(true)
            }
            ("mark_with_paths", Theirs::Value(Some(theirs), _), Ok(Got::Value(ours))) => {
                theirs.unmark_deep().0 == ours.unmark_deep().0
                    && all_marks(theirs).iter().all(|mark| all_marks(ours).contains(mark))
            }
            _ => false,
        }
}

/// Whether ours is the answer to the case with all texts in normal form.
fn is_answer_in_normal_form(question: &Question<'_>) -> bool {
    fn normal(json: &Json) -> Json {
        match json {
            Json::String(text) => Json::from(&*plantime::text::nfc(text)),
            Json::Array(items) => items.iter().map(normal).collect(),
            Json::Object(members) => members
                .iter()
                .map(|(name, json)| (plantime::text::nfc(name).to_string(), normal(json)))
                .collect(),
            json => json.clone(),
        }
    }
    let mut case = normal(question.case);
    let is_decoded = super::is_function(question, &["jsondecode"]);
    // A text of JSON may spell a name with escapes.
    let spelt =
        |text: &Json| Some(Json::from(normal(&serde_json::from_str(text.as_str()?).ok()?).to_string()));
    if let Some(text) = case.get("text").and_then(spelt) {
        case["text"] = text;
    }
    if let Some(text) = case.pointer("/args/0/str").filter(|_| is_decoded).and_then(spelt) {
        case["args"][0]["str"] = text;
    }
    match (answer_to(&case), question.ours) {
        (Some(Ok(Got::Value(answer))), Ok(Got::Value(ours))) => answer == *ours,
        (Some(Ok(Got::Data(answer))), Ok(Got::Data(ours))) => answer == *ours,
        _ => false,
    }
}
