//! Compares strings that contain JSON by their parsed values.

use std::collections::BTreeMap;

use plantime::unstable::json::{Reader, number};
use plantime::{Capsule, CapsuleView, Result, Type, Value};

use super::identity::is_same_content;
use super::{CompareOptions, Declared, Sides, compare};
use crate::json::{Item, Node, Tape};
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
            // The content stays unchanged.
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

/// A number of a JSON text that is spelt otherwise than numbers are printed, such as `1.0`: the spelling is shown, and numbers
/// of two spellings differ.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct SpeltNumber(Box<str>);

impl Capsule for SpeltNumber {
    const NAME: &'static str = "number";
}

/// The digits of a number that keeps its spelling.
pub(in crate::plan::rendering) fn digits_of<'v>(capsule: &CapsuleView<'v>) -> Option<&'v str> {
    capsule.get::<SpeltNumber>().map(|number| &*number.0)
}

/// The parsed value of a string that is a JSON object or array. Of a property that occurs twice, the last one counts.
fn document(text: &str) -> Option<Value> {
    if !text.starts_with(['{', '[']) {
        return None;
    }
    let mut reader = Reader::new(text.as_bytes()).ok()?;
    let mut tape = Tape::new();
    let root = tape.read(&mut reader).ok()?;
    reader.end().ok()?;
    value(root).ok()
}

/// Whether a string is a JSON object or array.
pub(super) fn is_document(text: &str) -> bool {
    document(text).is_some()
}

/// The value of a part of a JSON text. It nests no deeper than the reader's limit.
fn value(item: Item<'_, '_>) -> Result<Value> {
    Ok(match item.node() {
        Node::Null => Value::null(Type::Dynamic),
        Node::Bool(truth) => Value::from(truth),
        // A number with an exponent is never printed so, and may have thousands of digits.
        Node::Number(digits) if digits.contains(['e', 'E']) => Value::capsule(SpeltNumber(digits.into())),
        Node::Number(digits) => match number(digits) {
            Ok(number) if number.to_string() == digits => Value::from(number),
            _ => Value::capsule(SpeltNumber(digits.into())),
        },
        Node::String(text) => Value::from(&*text.text()),
        Node::Array { .. } => Value::tuple(item.elements().map(value).collect::<Result<Vec<_>>>()?)?,
        Node::Object { .. } => {
            let entries = item.entries().map(|(name, part)| Ok((name.text().into_owned(), value(part)?)));
            Value::object(entries.collect::<Result<BTreeMap<_, _>>>()?)?
        }
    })
}

/// Compares two parsed values.
fn json_change(before: Option<&Value>, after: Option<&Value>, options: CompareOptions) -> DiffNode {
    let inner = Sides {
        before,
        after,
        replace_paths: RelativePaths::default(),
        relevant_paths: RelativePaths::all(),
        tells_empty: true,
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
