//! Reasons that are about MessagePack.

use plantime::{Type, msgpack};
use serde_json::Value as Json;

use crate::calls::convert::without_optional;
use crate::calls::{Got, msgpack::bytes};
use crate::notation;
use crate::verdict::{Question, Theirs};
use crate::within::within;

fn is_of_bytes(question: &Question<'_>) -> bool {
    question.case.get("hex").is_some()
}

fn asked(question: &Question<'_>) -> Option<Type> {
    notation::ty(&without_optional(question.case.get("type")?)).ok()
}

/// The texts among the values.
pub(super) fn texts(question: &Question<'_>) -> Vec<String> {
    fn of(value: &rmpv::Value, found: &mut Vec<String>) {
        match value {
            rmpv::Value::String(text) => found.extend(text.as_str().map(str::to_owned)),
            rmpv::Value::Binary(bytes) => found.extend(String::from_utf8(bytes.clone()).ok()),
            rmpv::Value::Array(items) => items.iter().for_each(|item| of(item, found)),
            rmpv::Value::Map(entries) => entries.iter().for_each(|(_, item)| of(item, found)),
            _ => {}
        }
    }
    let hex = question.case.get("hex").and_then(Json::as_str).unwrap_or_default();
    let mut found = Vec::new();
    if let Ok(value) = rmpv::decode::read_value(&mut bytes(hex).as_slice()) {
        of(&value, &mut found);
    }
    found
}

/// A key of a refinement that means nothing is passed over with its value. There what follows is read in its place. Ours is
/// what the bytes without such keys are read as.
pub(super) fn keys_passed_over(question: &Question<'_>) -> bool {
    let Ok(Got::Value(ours)) = question.ours else { return false };
    let misread = match &question.theirs {
        Theirs::Error(message) => {
            message.starts_with("failed to decode msgpack extension body: non-integer key")
        }
        Theirs::Value(Some(theirs), _) => within(theirs, ours),
        _ => false,
    };
    let hex = question.case.get("hex").and_then(Json::as_str).unwrap_or_default();
    let input = bytes(hex);
    let Ok(mut value) = rmpv::decode::read_value(&mut input.as_slice()) else { return false };
    let mut written = Vec::new();
    misread
        && drop_unknown_keys(&mut value)
        && rmpv::encode::write_value(&mut written, &value).is_ok()
        && asked(question).is_some_and(|ty| msgpack::from_slice(&written, &ty).as_ref() == Ok(ours))
}

/// Drops the entries of refinements whose keys mean nothing; whether there are any.
fn drop_unknown_keys(value: &mut rmpv::Value) -> bool {
    match value {
        rmpv::Value::Ext(12, body) => {
            let Ok(rmpv::Value::Map(mut entries)) = rmpv::decode::read_value(&mut body.as_slice()) else {
                return false;
            };
            let count = entries.len();
            entries.retain(|(key, _)| key.as_u64().is_some_and(|key| (1..=6).contains(&key)));
            let fewer = entries.len() < count;
            body.clear();
            rmpv::encode::write_value(body, &rmpv::Value::Map(entries)).is_ok() && fewer
        }
        // All of them, not up to the first.
        rmpv::Value::Array(items) => {
            items.iter_mut().filter_map(|item| drop_unknown_keys(item).then_some(())).count() > 0
        }
        rmpv::Value::Map(entries) => {
            entries.iter_mut().filter_map(|(_, item)| drop_unknown_keys(item).then_some(())).count() > 0
        }
        _ => false,
    }
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
