//! Merging of plain data values: those of `--data-values-file`, of the environment and of the command line.

use std::collections::HashMap;

use crate::node::{Content, Node, Scalar, key_id, key_text};

/// Merges a document of plain values into another; the error is ytt's.
pub(crate) fn merge(left: &mut Node, right: Node) -> Result<(), String> {
    let line = format!("Document on line {}", right.at);
    // At the root, the check of types reports another kind of plain value.
    if left.content.is_null() || left.content.type_name() != right.content.type_name() {
        left.content = right.content;
        left.at = right.at;
        left.annotations = right.annotations;
        return Ok(());
    }
    if content(&mut left.content, right.content).map_err(|error| format!("{line}: {error}"))? {
        left.at = right.at;
    }
    Ok(())
}

/// Merges a content into another, and says whether it was replaced as a whole: arrays and scalars are.
fn content(left: &mut Content, right: Content) -> Result<bool, String> {
    match (left, right) {
        (Content::Scalar(Scalar::Unknown), Content::Map(_)) => {
            Err("Merging into a value that is not known is not supported".to_owned())
        }
        // A map is merged, and all else replaces what is there, whatever it is.
        (left @ Content::Scalar(Scalar::Null), right)
        | (left, right @ (Content::Scalar(_) | Content::Array(_))) => {
            *left = right;
            Ok(true)
        }
        (Content::Map(left), Content::Map(right)) => {
            let keys = left.iter().enumerate().map(|(index, node)| (key_id(node.key.as_ref()), index));
            let mut keys: HashMap<String, usize> = keys.collect();
            for node in right {
                item(left, &mut keys, node)?;
            }
            Ok(false)
        }
        (left, right) => Err(format!("Expected {}, but was {}", right.type_name(), left.type_name())),
    }
}

/// Merges a map item into the items of the left map; `keys` has the place of each key in them.
fn item(left: &mut Vec<Node>, keys: &mut HashMap<String, usize>, node: Node) -> Result<(), String> {
    let key = node.key.as_ref().map(key_text).unwrap_or_default();
    let line = format!("Map item (key '{key}') on line {}", node.at);
    let id = key_id(node.key.as_ref());
    match keys.get(&id).and_then(|index| left.get_mut(*index)) {
        Some(present) => {
            let replaced = content(&mut present.content, node.content);
            if replaced.map_err(|error| format!("{line}: {error}"))? {
                present.at = node.at;
                present.annotations = node.annotations;
            }
        }
        None => {
            keys.insert(id, left.len());
            left.push(node);
        }
    }
    Ok(())
}
