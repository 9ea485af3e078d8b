//! Equality of representation, without computing an order: most different values differ in length or size, so their
//! children need not be compared.

use crate::text::Text;

use super::repr::{Container, Inside, KnownRepr};
use super::{Known, Value};

/// Whether two values are equal in the total order without marks.
pub(super) fn content(a: &Value, b: &Value) -> bool {
    same(a, b, false)
}

/// As [`content`], for two values of the same type: does not compare their types again.
pub(super) fn content_of_one_type(a: &Value, b: &Value) -> bool {
    same(a, b, true)
}

/// Whether two values are equal without marks; `one_type` says that their types are equal.
fn same(a: &Value, b: &Value, one_type: bool) -> bool {
    match (a, b) {
        (Value::Known(a), Value::Known(b)) => same_known(a, b, one_type),
        (Value::Partial(a), Value::Partial(b)) => same_containers(a.0.container(), b.0.container(), one_type),
        (Value::Refined(a), Value::Refined(b)) => {
            (one_type || a.0.ty == b.0.ty) && a.0.refinement == b.0.refinement
        }
        (Value::Unknown(a), Value::Unknown(b)) => one_type || a.0.ty() == b.0.ty(),
        (Value::Dynamic(_), Value::Dynamic(_)) => true,
        _ => false,
    }
}

/// Whether two wholly known values are equal without marks.
fn same_known(a: &Known, b: &Known, one_type: bool) -> bool {
    match (a.0.bare(), b.0.bare()) {
        (KnownRepr::Null(a), KnownRepr::Null(b)) => one_type || a == b,
        (KnownRepr::Bool(a), KnownRepr::Bool(b)) => a == b,
        (KnownRepr::Number(a), KnownRepr::Number(b)) => a == b,
        (KnownRepr::String(a), KnownRepr::String(b)) => a == b,
        (KnownRepr::Container(a), KnownRepr::Container(b)) => same_containers(a, b, one_type),
        // Compared by the `Ord` of the caller's type, not by its `Eq`: sets are sorted by `Ord`, and the two may disagree.
        (KnownRepr::Capsule(a), KnownRepr::Capsule(b)) => a.cmp(b).is_eq(),
        _ => false,
    }
}

/// Whether two containers are equal without marks.
fn same_containers(a: &Container, b: &Container, one_type: bool) -> bool {
    match (a, b) {
        _ if a.same(b) => true,
        (Container::Object(a), Container::Object(b)) => {
            same_size_and_level(&a.inside, &b.inside)
                && (one_type || a.ty == b.ty)
                && same_items(&a.slots, &b.slots)
        }
        (Container::List(a), Container::List(b)) => {
            same_size_and_level(&a.inside, &b.inside)
                && (one_type || a.ty == b.ty)
                && same_items(&a.items, &b.items)
        }
        (Container::Map(a), Container::Map(b)) => {
            same_size_and_level(&a.inside, &b.inside)
                && (one_type || a.ty == b.ty)
                && same_entries(&a.entries, &b.entries)
        }
        (Container::Tuple(a), Container::Tuple(b)) => {
            same_size_and_level(&a.inside, &b.inside)
                && (one_type || a.ty == b.ty)
                && same_items(&a.items, &b.items)
        }
        (Container::Set(a), Container::Set(b)) => {
            same_size_and_level(&a.inside, &b.inside)
                && a.length == b.length
                && (one_type || a.ty == b.ty)
                && same_items(&a.known, &b.known)
                && same_items(&a.not_wholly_known, &b.not_wholly_known)
        }
        _ => false,
    }
}

/// Fast path: whether two containers contain the same number of values and are both wholly known or both not, as
/// equal containers do.
fn same_size_and_level(a: &Inside, b: &Inside) -> bool {
    a.size == b.size && a.known == b.known
}

// Loops: a deep value recurses through here, and stack frames are large in a debug build.

/// Whether two sequences of values are equal. Their types are: the types of their containers have been compared.
fn same_items(a: &[Value], b: &[Value]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    for (a, b) in a.iter().zip(b) {
        if !same(a, b, true) {
            return false;
        }
    }
    true
}

/// Whether the entries of two maps of the same type are equal.
fn same_entries(a: &[(Text, Value)], b: &[(Text, Value)]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    for ((a_key, a), (b_key, b)) in a.iter().zip(b) {
        if a_key != b_key || !same(a, b, true) {
            return false;
        }
    }
    true
}
