//! Reasons that are about marks.

use plantime::{Marks, Value};
use serde_json::Value as Json;

use crate::calls::Got;
use crate::notation::{same, write};
use crate::verdict::{Question, Theirs, all_marks};
use crate::within::within;

use super::op;

/// L5: ours without marks is what the arguments without marks give, agrees with theirs without marks, and has the
/// marks of the operands.
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

/// The marks at the top of the operands are at the top of the result, and no mark comes from nowhere. What
/// `assume_equal` assumes was written down before: it drops two marks of the value.
pub(super) fn keeps_marks(question: &Question<'_>, ours: &Value) -> bool {
    let drops = question.case.get("fn").and_then(Json::as_str) == Some("assumeequal");
    let mut top = Marks::new();
    let mut all = Marks::new();
    for (i, arg) in question.call.args.iter().enumerate() {
        let kept = arg
            .marks()
            .iter()
            .filter(|mark| !(drops && i == 0 && matches!(mark.name(), "sensitive" | "ephemeral")));
        kept.for_each(|mark| top.insert(mark.clone()));
        all.extend_from(&all_marks(arg));
    }
    top.iter().all(|mark| ours.marks().contains(mark))
        && all_marks(ours).iter().all(|mark| all.contains(mark))
}

/// L5: why an argument is not fit is told where one of them is marked only if that says nothing of what is behind the
/// mark: what is wrong with an unknown in place of that is.
pub(super) fn reason_behind_mark(question: &Question<'_>) -> bool {
    let marked = question.call.args.iter().any(|arg| !all_marks(arg).is_empty());
    // Names of attributes and elements are behind the mark too.
    let hidden = matches!(question.ours, Err(message) if message.ends_with("so the reason is not shown")
        || message.contains(" required, but received "));
    let blind = |arg: &Value| if arg.is_marked() { Value::unknown(arg.ty()) } else { arg.clone() };
    let blind: Vec<Value> = question.call.args.iter().map(blind).collect();
    let of_blind = || matches!(((question.call.run)(&blind), question.ours), (Err(a), Err(b)) if a == *b);
    marked && matches!(question.theirs, Theirs::Error(_)) && (hidden || of_blind())
}

/// A range says what is known of the content; it is no value and carries no marks.
pub(super) fn range_of_marked(question: &Question<'_>) -> bool {
    let marked = question.call.args.first().is_some_and(Value::is_marked);
    op(question) == "range" && marked && matches!(question.theirs, Theirs::Error(_))
}

/// L5: the answer is that for the value without marks.
pub(super) fn looks_below_marks(question: &Question<'_>) -> bool {
    let marked = question.call.args.iter().any(Value::contains_marks);
    let erased =
        matches!((question.erased(), question.ours), (Ok(Got::Data(a)), Ok(Got::Data(b))) if a == *b);
    op(question) == "has_wholly_known_type" && marked && erased
}

/// L5: marks that are put at one place twice are all there.
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
}
