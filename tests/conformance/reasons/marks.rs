//! Reasons that are about marks.

use plantime::{Value, View};
use serde_json::Value as Json;

use crate::calls::Got;
use crate::calls::convert::placed;
use crate::notation::{same, write};
use crate::verdict::{Question, Theirs, all_marks};
use crate::within::within;

use super::influence::Influence;
use super::{answer_to, op};

/// Whether the marks of ours are what the operands ask for: each where what it marks decides the result, and none
/// elsewhere.
pub(crate) fn keeps_marks(question: &Question<'_>, ours: &Value) -> bool {
    let influence = Influence::of(question);
    influence.keeps_all(question, ours) && influence.explains_all(question, ours)
}

/// What an error says that must not tell what is behind a mark.
pub(super) const HIDDEN: &str = "so the reason is not shown";

/// L5: ours without marks is what the arguments without marks give, agrees with theirs without marks, and has the
/// marks of the operands where these decide it.
pub(super) fn marks(question: &Question<'_>) -> bool {
    // Elsewhere the marks are the recorded ones.
    if !matches!(op(question), "range_includes" | "index" | "assume" | "path_apply" | "call") {
        return false;
    }
    let Ok(Got::Value(ours)) = question.ours else { return false };
    let bare = ours.unmark_deep().0;
    let erased = matches!(question.erased(), Ok(Got::Value(value)) if value == bare);
    let agrees = match &question.theirs {
        Theirs::Value(Some(theirs), _) => {
            let theirs = theirs.unmark_deep().0;
            same(&write(&theirs), &write(&bare)) || within(&theirs, &bare) && question.is_sound(ours)
        }
        Theirs::Error(message) => message.contains("marked"),
        _ => false,
    };
    erased && agrees && keeps_marks(question, ours)
}

/// L5: why an argument is not fit is told where one of them is marked only if that says nothing of what is behind the
/// mark: what is wrong with an unknown in place of that is.
pub(super) fn reason_behind_mark(question: &Question<'_>) -> bool {
    let marked = question.call.args.iter().any(|arg| !all_marks(arg).is_empty());
    let names_type = |message: &str| {
        let types = question.call.args.iter().filter(|arg| arg.contains_marks()).map(Value::ty);
        types
            .into_iter()
            .any(|ty| message.ends_with(&format!(" required, but received {}", ty.friendly_name())))
    };
    let hidden = matches!(question.ours, Err(message) if message.contains(HIDDEN) || names_type(message));
    let blind: Option<Vec<Value>> = question.call.args.iter().map(without_marked_content).collect();
    let told_blindly = || {
        let blind = blind.as_ref().map(|blind| (question.call.run)(blind));
        matches!((blind, question.ours), (Some(Err(blind)), Err(ours)) if blind == *ours)
    };
    marked && matches!(question.theirs, Theirs::Error(_)) && (hidden || told_blindly())
}

/// The value with an unknown of its type in place of each marked part.
fn without_marked_content(value: &Value) -> Option<Value> {
    fn blinded(value: &Value) -> Json {
        if value.is_marked() {
            return write(&Value::unknown(value.ty()));
        }
        match write(value) {
            Json::Object(mut members) => {
                let parts: Vec<Value> = children(value);
                for name in ["v", "tuple", "object"] {
                    match members.get_mut(name) {
                        Some(Json::Array(items)) => {
                            items.iter_mut().zip(&parts).for_each(|(item, part)| *item = blinded(part));
                        }
                        Some(Json::Object(items)) => {
                            items.values_mut().zip(&parts).for_each(|(item, part)| *item = blinded(part));
                        }
                        _ => {}
                    }
                }
                Json::Object(members)
            }
            json => json,
        }
    }
    crate::notation::value(&blinded(value)).ok()
}

/// The parts of a container in the order of the notation.
fn children(value: &Value) -> Vec<Value> {
    match value.view() {
        View::List(list) => list.iter().cloned().collect(),
        View::Tuple(tuple) => tuple.iter().cloned().collect(),
        View::Map(map) => map.iter().map(|(_, item)| item.clone()).collect(),
        View::Object(object) => object.iter().map(|(_, item)| item.clone()).collect(),
        _ => Vec::new(),
    }
}

/// L5: from a mark on no key is named, as keys are content. Without the marks the place is the recorded one.
pub(super) fn place_behind_mark(question: &Question<'_>) -> bool {
    let (Theirs::Error(message), Err(ours)) = (&question.theirs, question.ours) else { return false };
    let Some(place) = question.case.get("err_path") else { return false };
    let is_key = |step: &Json| step.pointer("/index/str").is_some();
    op(question) == "convert"
        && question.call.args.iter().any(Value::contains_marks)
        && place.as_array().is_some_and(|steps| steps.iter().any(is_key))
        && *ours == placed(message, &Json::Array(Vec::new()))
        && matches!(question.erased(), Err(erased) if erased == placed(message, place))
}

/// A range says what is known of the content; it is no value and carries no marks.
pub(super) fn range_of_marked(question: &Question<'_>) -> bool {
    let marked = question.call.args.first().is_some_and(Value::is_marked);
    let of_content = |ours: &Value| {
        let content: Vec<Value> = question.call.args.iter().map(|arg| arg.clone().unmark().0).collect();
        matches!((question.call.run)(&content), Ok(Got::Value(range)) if range == *ours)
    };
    op(question) == "range"
        && marked
        && matches!(question.theirs, Theirs::Error(_))
        && matches!(question.ours, Ok(Got::Value(ours)) if !ours.contains_marks() && of_content(ours))
}

/// L5: the answer is that for the value without marks.
pub(super) fn looks_below_marks(question: &Question<'_>) -> bool {
    let marked = question.call.args.iter().any(Value::contains_marks);
    let erased =
        matches!((question.erased(), question.ours), (Ok(Got::Data(a)), Ok(Got::Data(b))) if a == *b);
    op(question) == "has_wholly_known_type" && marked && erased
}

/// L5: marks that are put at one place twice are all there, as when each is put alone.
pub(super) fn marks_put_twice(question: &Question<'_>) -> bool {
    let (Theirs::Value(Some(theirs), _), Ok(Got::Value(ours))) = (&question.theirs, question.ours) else {
        return false;
    };
    let places = question.case.get("pvm").and_then(Json::as_array).map(Vec::as_slice).unwrap_or_default();
    let twice = |place: &Json| places.iter().filter(|other| other["path"] == place["path"]).count() > 1;
    op(question) == "mark_with_paths"
        && places.iter().any(twice)
        && theirs.unmark_deep().0 == ours.unmark_deep().0
        && all_marks(theirs).iter().all(|mark| all_marks(ours).contains(mark))
        && put_alone(question, places).is_some_and(|alone| alone == *ours)
}

/// The first argument after the marks of each of these places were put on it, one after the other.
pub(super) fn put_alone(question: &Question<'_>, places: &[Json]) -> Option<Value> {
    let mut case = question.case.clone();
    let mut value = question.call.args.first()?.clone();
    for place in places {
        case["args"] = Json::from(vec![write(&value)]);
        case["pvm"] = Json::from(vec![place.clone()]);
        let Some(Ok(Got::Value(marked))) = answer_to(&case) else { return None };
        value = marked;
    }
    Some(value)
}
