//! Sharing one type node among all elements of a collection.
//!
//! Ten thousand objects built one by one have ten thousand equal types. Once they share the element type of their list,
//! comparing two of their types compares two pointers, and the other nodes are freed.

use std::sync::Arc;

use crate::types::Type;

use super::Value;
use super::repr::{Container, KnownRepr, PartialRepr, UnknownRepr};

/// Replaces the type of the value, which equals `ty`, and the types inside it by shared references to `ty`. Value nodes
/// with other owners stay as they are: copying one would cost more than sharing saves.
pub(crate) fn share_type(value: &mut Value, ty: &Type) {
    if ty.is_primitive() {
        return;
    }
    match value {
        Value::Dynamic(_) => {}
        Value::Unknown(unknown) => match &mut unknown.0 {
            UnknownRepr::Plain(own) => own.clone_from(ty),
            UnknownRepr::Marked(node) => {
                if let Some((own, _)) = Arc::get_mut(node) {
                    own.clone_from(ty);
                }
            }
        },
        Value::Refined(refined) => {
            if let Some(node) = Arc::get_mut(&mut refined.0) {
                node.ty.clone_from(ty);
            }
        }
        Value::Partial(partial) => match &mut partial.0 {
            PartialRepr::Bare(container) => share_type_of_container(container, ty),
            PartialRepr::Marked(node) => {
                if let Some((container, _)) = Arc::get_mut(node) {
                    share_type_of_container(container, ty);
                }
            }
        },
        Value::Known(known) => match &mut known.0 {
            KnownRepr::Marked(node) => {
                if let Some((repr, _)) = Arc::get_mut(node) {
                    share_type_of_known(repr, ty);
                }
            }
            repr => share_type_of_known(repr, ty),
        },
    }
}

/// Replaces the types in a known value by shared references to `ty`; see `share_type`.
fn share_type_of_known(repr: &mut KnownRepr, ty: &Type) {
    match repr {
        KnownRepr::Null(own) => own.clone_from(ty),
        KnownRepr::Container(container) => share_type_of_container(container, ty),
        _ => {}
    }
}

// Loops, no iterator chains: a deep value recurses through here, and stack frames are large in a debug build.

/// Replaces the types of a container and its children by shared references to `ty`; see `share_type`.
fn share_type_of_container(container: &mut Container, ty: &Type) {
    if container.has_type_node(ty) {
        return;
    }
    match (container, ty) {
        (Container::List(node), Type::List(ty)) => {
            let Some(node) = Arc::get_mut(node) else { return };
            node.ty.clone_from(ty);
            share_type_of_items(&mut node.items, ty.element());
        }
        (Container::Set(node), Type::Set(ty)) => {
            let Some(node) = Arc::get_mut(node) else { return };
            node.ty.clone_from(ty);
            share_type_of_items(&mut node.known, ty.element());
            share_type_of_items(&mut node.not_wholly_known, ty.element());
        }
        (Container::Map(node), Type::Map(ty)) => {
            let Some(node) = Arc::get_mut(node) else { return };
            node.ty.clone_from(ty);
            for (_, element) in &mut node.entries {
                share_type(element, ty.element());
            }
        }
        (Container::Tuple(node), Type::Tuple(ty)) => {
            let Some(node) = Arc::get_mut(node) else { return };
            node.ty.clone_from(ty);
            for (item, ty) in node.items.iter_mut().zip(ty) {
                share_type(item, ty);
            }
        }
        (Container::Object(node), Type::Object(ty)) => {
            let Some(node) = Arc::get_mut(node) else { return };
            node.ty.clone_from(ty);
            for (slot, (_, ty)) in node.slots.iter_mut().zip(ty.iter()) {
                share_type(slot, ty);
            }
        }
        _ => {}
    }
}

impl Container {
    /// Whether the container's type and `ty` are the same node in memory.
    fn has_type_node(&self, ty: &Type) -> bool {
        match (self, ty) {
            (Container::List(node), Type::List(ty)) => node.ty.is_same(ty),
            (Container::Set(node), Type::Set(ty)) => node.ty.is_same(ty),
            (Container::Map(node), Type::Map(ty)) => node.ty.is_same(ty),
            (Container::Tuple(node), Type::Tuple(ty)) => node.ty.is_same(ty),
            (Container::Object(node), Type::Object(ty)) => node.ty.is_same(ty),
            _ => false,
        }
    }
}

/// Replaces the type of each item by a shared reference to `ty`; see `share_type`.
fn share_type_of_items(items: &mut [Value], ty: &Type) {
    for item in items {
        share_type(item, ty);
    }
}
