//! Reasons that are about types and values as text.

use crate::calls::convert::constraint;
use crate::calls::{Got, json};
use crate::verdict::{Question, Theirs, same_marks};

use super::{has_optional, op, text_of};

/// The type of the result there is not the one that was asked for: a null keeps optional attributes in its type,
/// or an attribute is gone.
pub(super) fn type_asked_for(question: &Question<'_>) -> bool {
    let (Theirs::Value(Some(theirs), json), Ok(Got::Value(ours))) = (&question.theirs, question.ours) else {
        return false;
    };
    let Some(Ok(wanted)) = question.case.get("type").map(constraint) else { return false };
    op(question) == "convert"
        && !wanted.as_type().has_dynamic()
        && ours.ty() == wanted.to_type()
        && (has_optional(json) || theirs.ty() != ours.ty())
        && same_marks(theirs, ours)
        && question.is_sound(ours)
}

/// A closing bracket after the type.
pub(super) fn text_after_type(question: &Question<'_>) -> bool {
    let closed = text_of(question).trim_end().strip_suffix([']', '}']).unwrap_or_default();
    op(question) == "type_json_parse"
        && question.ours.is_err()
        && plantime::Type::from_json_text(closed).is_ok()
}

/// Reading JSON is strict unless asked otherwise: here it refuses, and the lenient reading gives what is recorded.
pub(super) fn strict_reading(question: &Question<'_>) -> bool {
    let Some(lenient) = json::lenient_answer(question.case).filter(|_| question.ours.is_err()) else {
        return false;
    };
    let theirs = match &question.theirs {
        Theirs::Error(_) => return false,
        Theirs::Value(value, json) => Theirs::Value(value.clone(), json),
        // Read as data where ours is an error.
        Theirs::Data(json) => Theirs::Data(json),
    };
    let Question { case, call, .. } = *question;
    Question { case, call, theirs, ours: &lenient }.is_equal()
}
