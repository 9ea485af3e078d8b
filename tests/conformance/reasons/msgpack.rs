//! Reasons that are about MessagePack.

use plantime::{Type, msgpack};
use serde_json::Value as Json;

use crate::calls::convert::without_optional;
use crate::calls::{Got, msgpack::bytes};
use crate::notation;
use crate::verdict::{Question, Theirs};

fn is_of_bytes(question: &Question<'_>) -> bool {
    question.case.get("hex").is_some()
}

fn asked(question: &Question<'_>) -> Option<Type> {
    notation::ty(&without_optional(question.case.get("type")?)).ok()
}

/// A key of a refinement that means nothing is passed over with its value, also by the strict reader. There what follows is
/// read in its place.
pub(super) fn keys_passed_over(question: &Question<'_>) -> bool {
    let (Theirs::Error(message), Ok(Got::Value(ours))) = (&question.theirs, question.ours) else {
        return false;
    };
    let hex = question.case.get("hex").and_then(Json::as_str).unwrap_or_default();
    is_of_bytes(question)
        && message.starts_with("failed to decode msgpack extension body: non-integer key")
        && asked(question)
            .is_some_and(|ty| msgpack::lenient::from_slice(&bytes(hex), &ty).as_ref() == Ok(ours))
}

/// Bytes that are no text.
pub(super) fn not_utf8(question: &Question<'_>) -> bool {
    let (Theirs::Data(theirs) | Theirs::Value(_, theirs)) = question.theirs else { return false };
    let ours = question.ours.as_ref().err();
    is_of_bytes(question)
        && theirs.to_string().contains("\"str_hex\"")
        && ours.is_some_and(|message| message.contains("not valid UTF-8"))
}

/// A refinement that no value agrees with.
pub(super) fn nothing_left(question: &Question<'_>) -> bool {
    let ours = question.ours.as_ref().err();
    // By its last words: the path stands before them.
    let contradicts =
        |message: &String| message.contains("no number is ") || message.contains("no length is ");
    is_of_bytes(question) && matches!(question.theirs, Theirs::Value(..)) && ours.is_some_and(contradicts)
}

/// A value there that is not of the type asked for: elements and attributes are missing.
pub(super) fn of_another_type(question: &Question<'_>) -> bool {
    let Theirs::Value(Some(theirs), _) = &question.theirs else { return false };
    is_of_bytes(question)
        && question.ours.is_err()
        && asked(question).is_some_and(|ty| !ty.covers(&theirs.ty()))
}

/// A key that is no text is the empty text there.
pub(super) fn keys_are_text(question: &Question<'_>) -> bool {
    let (Theirs::Data(theirs) | Theirs::Value(_, theirs)) = question.theirs else { return false };
    let ours = question.ours.as_ref().err();
    is_of_bytes(question)
        && theirs.to_string().contains("\"\":")
        && ours.is_some_and(|message| message.contains("string"))
}
