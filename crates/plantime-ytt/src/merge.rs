//! Merging of documents: as overlays, and as plain values.

use std::collections::HashMap;

use crate::node::{Content, Node, Scalar, key_id, key_text};

/// How documents are merged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Merging {
    /// As ytt's overlays: arrays append, and a key has to be there.
    Overlay,
    /// As plain values: arrays replace, and a key may be new.
    Plain,
}

/// Merges a document into another; the error is ytt's.
pub(crate) fn merge(left: &mut Node, right: Node, merging: Merging) -> Result<(), String> {
    let line = format!("Document on line {}", right.at);
    // At the root, the check of types reports another kind of plain value.
    let other_kind = left.content.type_name() != right.content.type_name();
    if left.content.is_null() || (other_kind && merging == Merging::Plain) {
        left.content = right.content;
        left.at = right.at;
        left.annotations = right.annotations;
        return Ok(());
    }
    let replaced =
        content(&mut left.content, right.content, merging).map_err(|error| format!("{line}: {error}"))?;
    if replaced && merging == Merging::Plain {
        left.at = right.at;
    }
    Ok(())
}

/// Merges a content into another, and says whether it was replaced as a whole.
fn content(left: &mut Content, right: Content, merging: Merging) -> Result<bool, String> {
    match (left, right) {
        (Content::Scalar(Scalar::Unknown), right)
            if matches!(right, Content::Map(_))
                || merging == Merging::Overlay && !matches!(right, Content::Scalar(_)) =>
        {
            Err("Merging into a value that is not known is not supported".to_owned())
        }
        (left @ Content::Scalar(Scalar::Null), right) | (left, right @ Content::Scalar(_)) => {
            *left = right;
            Ok(true)
        }
        (Content::Map(left), Content::Map(right)) => {
            let keys = left.iter().enumerate().map(|(index, node)| (key_id(node.key.as_ref()), index));
            let mut keys: HashMap<String, usize> = keys.collect();
            for node in right {
                item(left, &mut keys, node, merging)?;
            }
            Ok(false)
        }
        (Content::Array(left), Content::Array(right)) if merging == Merging::Overlay => {
            left.extend(right);
            Ok(false)
        }
        (left @ Content::Array(_), right @ Content::Array(_)) => {
            *left = right;
            Ok(true)
        }
        (left, right) => Err(format!("Expected {}, but was {}", right.type_name(), left.type_name())),
    }
}

/// Merges a map item into the items of the left map; `keys` has the place of each key in them.
fn item(
    left: &mut Vec<Node>,
    keys: &mut HashMap<String, usize>,
    node: Node,
    merging: Merging,
) -> Result<(), String> {
    let key = node.key.as_ref().map(key_text).unwrap_or_default();
    let line = format!("Map item (key '{key}') on line {}", node.at);
    let id = key_id(node.key.as_ref());
    match keys.get(&id).and_then(|index| left.get_mut(*index)) {
        Some(present) => {
            let replaced = content(&mut present.content, node.content, merging);
            if replaced.map_err(|error| format!("{line}: {error}"))? {
                present.at = node.at;
                // A plain value replaces the node, an overlay its content alone.
                if merging == Merging::Plain {
                    present.annotations = node.annotations;
                }
            }
            Ok(())
        }
        None if merging == Merging::Plain => {
            keys.insert(id, left.len());
            left.push(node);
            Ok(())
        }
        None => Err(format!("{line}: Expected number of matched nodes to be 1, but was 0")),
    }
}
