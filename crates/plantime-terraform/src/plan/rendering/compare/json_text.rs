//! Compares strings that contain JSON by their parsed values.

use plantime::{Value, json};

use super::identity::is_same_content;
use super::{CompareOptions, Declared, Sides, compare};
use crate::plan::rendering::diff_node::{DiffAction, DiffKind, DiffNode};
use crate::plan::rendering::relative_paths::RelativePaths;
use crate::plan::rendering::string_content;

/// Compares the parsed values of two strings; `None` if neither is a JSON object or array.
pub(super) fn compare_json(sides: &Sides<'_, '_>, options: CompareOptions) -> Option<DiffNode> {
    let (before, after) = (string_content(sides.before), string_content(sides.after));
    let read = |side: Option<&str>| side.and_then(document);
    match (read(before), read(after)) {
        (None, None) => None,
        (Some(old), Some(new)) => {
            let is_same = is_same_content(&old, &new);
            let only_white_space = is_same && before != after;
            let mut change = json_change(Some(&old), Some(&new), options);
            if only_white_space {
                change.action = DiffAction::Update;
            }
            Some(change_with_note(change, only_white_space))
        }
        (Some(old), None) if after.is_none() => Some(json_change(Some(&old), None, options)),
        (None, Some(new)) if before.is_none() => Some(json_change(None, Some(&new), options)),
        // One side is JSON, and the other is another string.
        (old, new) => {
            let side = |json: Option<Value>, value: Option<&Value>, is_before: bool| {
                let pair = |side| if is_before { (Some(side), None) } else { (None, Some(side)) };
                match &json {
                    Some(json) => {
                        let (before, after) = pair(json);
                        json_change(before, after, options)
                    }
                    None => {
                        let action = if is_before { DiffAction::Delete } else { DiffAction::Create };
                        let (before, after) = if is_before { (value, None) } else { (None, value) };
                        DiffNode::new(
                            action,
                            DiffKind::Scalar { before: before.cloned(), after: after.cloned() },
                        )
                    }
                }
            };
            let becomes = (side(old, sides.before, true), side(new, sides.after, false));
            Some(DiffNode::new(DiffAction::Update, DiffKind::OfOtherKind(Box::new(becomes))))
        }
    }
}

/// The parsed value of a string that is a JSON object or array.
fn document(text: &str) -> Option<Value> {
    if !text.starts_with(['{', '[']) {
        return None;
    }
    json::lenient::from_slice(text.as_bytes()).ok()
}

/// Compares two parsed values.
fn json_change(before: Option<&Value>, after: Option<&Value>, options: CompareOptions) -> DiffNode {
    let inner = Sides {
        before,
        after,
        replace_paths: RelativePaths::default(),
        relevant_paths: RelativePaths::all(),
    };
    let content = compare(&inner, Declared::Nothing, options);
    DiffNode::new(content.action, DiffKind::Json { content: Box::new(content), only_white_space: false })
}

/// Sets whether only white space changes.
fn change_with_note(mut change: DiffNode, is_noted: bool) -> DiffNode {
    if let DiffKind::Json { only_white_space, .. } = &mut change.kind {
        *only_white_space = is_noted;
    }
    change
}
