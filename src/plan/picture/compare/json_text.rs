//! Compares strings that are JSON by the values in them.

use crate::json;
use crate::value::{Value, View};

use super::identity::is_same_content;
use super::{Declared, Manner, Sides, compare};
use crate::plan::picture::change_node::{Act, ChangeNode, Shape};
use crate::plan::picture::places::Places;

/// The change of the values in a string that is JSON on each side where it is; `None` if it is not JSON.
pub(super) fn compare_json(sides: &Sides<'_, '_>, manner: Manner) -> Option<ChangeNode> {
    let (before, after) = (text(sides.before), text(sides.after));
    let read = |side: Option<&str>| side.and_then(document);
    match (read(before), read(after)) {
        (None, None) => None,
        (Some(old), Some(new)) => {
            let is_same = is_same_content(&old, &new);
            let only_white_space = is_same && before != after;
            let mut change = json_change(Some(&old), Some(&new), manner);
            if only_white_space {
                change.act = Act::Update;
            }
            Some(change_with_note(change, only_white_space))
        }
        (Some(old), None) if after.is_none() => Some(json_change(Some(&old), None, manner)),
        (None, Some(new)) if before.is_none() => Some(json_change(None, Some(&new), manner)),
        // JSON on one side, another string on the other.
        (old, new) => {
            let side = |json: Option<Value>, value: Option<&Value>, is_before: bool| {
                let pair = |side| if is_before { (Some(side), None) } else { (None, Some(side)) };
                match &json {
                    Some(json) => {
                        let (before, after) = pair(json);
                        json_change(before, after, manner)
                    }
                    None => {
                        let act = if is_before { Act::Delete } else { Act::Create };
                        let (before, after) = if is_before { (value, None) } else { (None, value) };
                        ChangeNode::new(act, Shape::Scalar { before: before.cloned(), after: after.cloned() })
                    }
                }
            };
            let becomes = (side(old, sides.before, true), side(new, sides.after, false));
            Some(ChangeNode::new(Act::Update, Shape::Becomes(Box::new(becomes))))
        }
    }
}

/// The string that a value is.
fn text(value: Option<&Value>) -> Option<&str> {
    match value.map(crate::value::view_below_marks) {
        Some(View::String(text)) => Some(text),
        _ => None,
    }
}

/// The value that a string is the JSON text of, if it is an object or array.
fn document(text: &str) -> Option<Value> {
    if !text.starts_with(['{', '[']) {
        return None;
    }
    json::lenient::from_slice(text.as_bytes()).ok()
}

/// The change of the values in the string, each at its place.
fn json_change(before: Option<&Value>, after: Option<&Value>, manner: Manner) -> ChangeNode {
    let inner = Sides { before, after, forcing: Places::default(), relevant: Places::all() };
    let content = compare(&inner, Declared::Nothing, manner);
    ChangeNode::new(content.act, Shape::Json { content: Box::new(content), only_white_space: false })
}

/// The change with the note that only white space changes.
fn change_with_note(mut change: ChangeNode, is_noted: bool) -> ChangeNode {
    if let Shape::Json { only_white_space, .. } = &mut change.shape {
        *only_white_space = is_noted;
    }
    change
}
