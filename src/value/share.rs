//! One type for all elements of a collection: equal types that were built apart become one node.
//!
//! Ten thousand objects built one by one have ten thousand types. In a list they are of one type, and once they share
//! its node, comparing two of them is a look at a pointer, and the other nodes are freed.

use std::sync::Arc;

use crate::types::Type;

use super::Value;
use super::repr::{Container, KnownRepr, PartialRepr, UnknownRepr};

/// Has the value, which is of type `ty`, and what is inside share that type. Nodes that others hold as well stay as
/// they are: a copy would cost more than it saves.
pub(crate) fn share(value: &mut Value, ty: &Type) {
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
            PartialRepr::Bare(container) => container_shares(container, ty),
            PartialRepr::Marked(node) => {
                if let Some((container, _)) = Arc::get_mut(node) {
                    container_shares(container, ty);
                }
            }
        },
        Value::Known(known) => match &mut known.0 {
            KnownRepr::Marked(node) => {
                if let Some((repr, _)) = Arc::get_mut(node) {
                    known_shares(repr, ty);
                }
            }
            repr => known_shares(repr, ty),
        },
    }
}

fn known_shares(repr: &mut KnownRepr, ty: &Type) {
    match repr {
        KnownRepr::Null(own) => own.clone_from(ty),
        KnownRepr::Container(container) => container_shares(container, ty),
        _ => {}
    }
}

// Loops, no iterator chains: deep values come through here, and each frame counts in a debug build.

fn container_shares(container: &mut Container, ty: &Type) {
    if container.shares(ty) {
        return;
    }
    match (container, ty) {
        (Container::List(node), Type::List(ty)) => {
            let Some(node) = Arc::get_mut(node) else { return };
            node.ty.clone_from(ty);
            all_share(&mut node.items, ty.element());
        }
        (Container::Set(node), Type::Set(ty)) => {
            let Some(node) = Arc::get_mut(node) else { return };
            node.ty.clone_from(ty);
            all_share(&mut node.known, ty.element());
            all_share(&mut node.undecided, ty.element());
        }
        (Container::Map(node), Type::Map(ty)) => {
            let Some(node) = Arc::get_mut(node) else { return };
            node.ty.clone_from(ty);
            for (_, element) in &mut node.entries {
                share(element, ty.element());
            }
        }
        (Container::Tuple(node), Type::Tuple(ty)) => {
            let Some(node) = Arc::get_mut(node) else { return };
            node.ty.clone_from(ty);
            for (item, ty) in node.items.iter_mut().zip(ty) {
                share(item, ty);
            }
        }
        (Container::Object(node), Type::Object(ty)) => {
            let Some(node) = Arc::get_mut(node) else { return };
            node.ty.clone_from(ty);
            for (slot, (_, ty)) in node.slots.iter_mut().zip(ty.iter()) {
                share(slot, ty);
            }
        }
        _ => {}
    }
}

impl Container {
    /// Whether the value's type is this node, compared by pointer.
    fn shares(&self, ty: &Type) -> bool {
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

fn all_share(items: &mut [Value], ty: &Type) {
    for item in items {
        share(item, ty);
    }
}
