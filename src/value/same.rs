//! Whether two values are the same, without the order of those that are not: lengths and sizes tell most of them
//! apart before anything inside is looked at.

use crate::text::Text;

use super::repr::{Container, Inside, KnownRepr};
use super::{Known, Value};

/// Whether the order of values without marks puts neither before the other.
pub(super) fn content(a: &Value, b: &Value) -> bool {
    same(a, b, false)
}

/// The same of two values of one type: their types are not compared again.
pub(super) fn content_of_one_type(a: &Value, b: &Value) -> bool {
    same(a, b, true)
}

fn same(a: &Value, b: &Value, one_type: bool) -> bool {
    match (a, b) {
        (Value::Known(a), Value::Known(b)) => known(a, b, one_type),
        (Value::Partial(a), Value::Partial(b)) => containers(a.0.container(), b.0.container(), one_type),
        (Value::Refined(a), Value::Refined(b)) => {
            (one_type || a.0.ty == b.0.ty) && a.0.refinement == b.0.refinement
        }
        (Value::Unknown(a), Value::Unknown(b)) => one_type || a.0.ty() == b.0.ty(),
        (Value::Dynamic(_), Value::Dynamic(_)) => true,
        _ => false,
    }
}

fn known(a: &Known, b: &Known, one_type: bool) -> bool {
    match (a.0.bare(), b.0.bare()) {
        (KnownRepr::Null(a), KnownRepr::Null(b)) => one_type || a == b,
        (KnownRepr::Bool(a), KnownRepr::Bool(b)) => a == b,
        (KnownRepr::Number(a), KnownRepr::Number(b)) => a == b,
        (KnownRepr::String(a), KnownRepr::String(b)) => a == b,
        (KnownRepr::Container(a), KnownRepr::Container(b)) => containers(a, b, one_type),
        // By their order, which is the code of others as well as their equality.
        (KnownRepr::Capsule(a), KnownRepr::Capsule(b)) => a.cmp(b).is_eq(),
        _ => false,
    }
}

fn containers(a: &Container, b: &Container, one_type: bool) -> bool {
    match (a, b) {
        _ if a.same(b) => true,
        (Container::Object(a), Container::Object(b)) => {
            alike(&a.inside, &b.inside) && (one_type || a.ty == b.ty) && items(&a.slots, &b.slots)
        }
        (Container::List(a), Container::List(b)) => {
            alike(&a.inside, &b.inside) && (one_type || a.ty == b.ty) && items(&a.items, &b.items)
        }
        (Container::Map(a), Container::Map(b)) => {
            alike(&a.inside, &b.inside) && (one_type || a.ty == b.ty) && entries(&a.entries, &b.entries)
        }
        (Container::Tuple(a), Container::Tuple(b)) => {
            alike(&a.inside, &b.inside) && (one_type || a.ty == b.ty) && items(&a.items, &b.items)
        }
        (Container::Set(a), Container::Set(b)) => {
            alike(&a.inside, &b.inside)
                && a.length == b.length
                && (one_type || a.ty == b.ty)
                && items(&a.known, &b.known)
                && items(&a.undecided, &b.undecided)
        }
        _ => false,
    }
}

/// Fast path: same values have the same number of children and the same level.
fn alike(a: &Inside, b: &Inside) -> bool {
    a.size == b.size && a.known == b.known
}

// Loops: deep values come through here, and each frame counts in a debug build.

/// Compares elements whose types are the same: the types of their containers have been compared.
fn items(a: &[Value], b: &[Value]) -> bool {
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

fn entries(a: &[(Text, Value)], b: &[(Text, Value)]) -> bool {
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
