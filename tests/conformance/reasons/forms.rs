//! Reasons that are about types and values as text.

use plantime::{Safety, Type, conversion};
use serde_json::Value as Json;

use crate::calls::convert::{constraint, without_optional};
use crate::calls::{Got, json};
use crate::notation::{self, same, write};
use crate::verdict::{Question, Theirs, same_marks};

use super::tight::is_tight;
use super::{has_optional, message_has, op, text_of};

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
        && same_marks(theirs, ours)
        // But for optional attributes the same; or an attribute is gone there.
        && (has_optional(json) && same(&without_optional(json), &write(ours))
            || !question.is_wholly_known() && theirs.ty() != ours.ty() && question.is_sound(ours) && is_tight(question, ours))
}

/// A common type there that one of the types has no conversion to. Ours is one that all have a conversion to; where there is
/// none, that holds for each of the types.
pub(super) fn no_conversion_to_it(question: &Question<'_>) -> bool {
    let safety = match op(question) {
        "unify" => Safety::Safe,
        "unify_unsafe" => Safety::Unsafe,
        _ => return false,
    };
    let (Theirs::Data(theirs), Ok(Got::Data(ours))) = (&question.theirs, question.ours) else { return false };
    let given = question.case.get("types").and_then(Json::as_array).into_iter().flatten();
    let given: Vec<Type> = given.filter_map(|ty| notation::ty(&without_optional(ty)).ok()).collect();
    let has_conversion = |from: &Type, to: &Type| match conversion(from, &to.clone().into()) {
        Some(found) => safety == Safety::Unsafe || found == Safety::Safe,
        None => from == to,
    };
    let fits = |to: &Type| given.iter().all(|from| has_conversion(from, to));
    let common = |answer: &Json| answer.get("type").and_then(|ty| notation::ty(ty).ok());
    common(theirs).is_some_and(|there| !fits(&there))
        && common(ours).map_or_else(|| !given.iter().any(fits), |here| fits(&here))
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
    let strict = ["extraneous data", "duplicate ", "invalid UTF-8", "no optional attributes"];
    let refused = strict.iter().any(|words| message_has(question, words));
    let Some(lenient) = json::lenient_answer(question.case).filter(|_| refused) else {
        return false;
    };
    let theirs = match &question.theirs {
        Theirs::Error(_) => return false,
        Theirs::Value(value, json) => Theirs::Value(value.clone(), json),
        // Read as data where ours is an error.
        Theirs::Data(json) => Theirs::Data(json),
    };
    Question::new(question.case, question.call, theirs, &lenient).is_equal()
}
