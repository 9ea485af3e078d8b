//! What two values that turn out the same have in common.

use crate::value::repr::Container;
use crate::value::{Value, build, narrowed};

/// An upper bound of the meet of two values that turn out equal.
pub(super) fn common(a: &Value, b: &Value) -> Value {
    match (a, b) {
        (Value::Known(_), _) | (Value::Partial(_), Value::Dynamic(_) | Value::Unknown(_)) => a.clone(),
        (_, Value::Known(_)) | (Value::Dynamic(_) | Value::Unknown(_), _) => b.clone(),
        (Value::Partial(a), Value::Partial(b)) => same_shape(a.0.container(), b.0.container()),
        (known, Value::Refined(refined)) | (Value::Refined(refined), known) => {
            narrowed(known, &refined.0.refinement).unwrap_or_else(|_| known.clone())
        }
    }
}

fn same_shape(a: &Container, b: &Container) -> Value {
    let parts = |a: &[Value], b: &[Value]| -> Vec<Value> {
        let mut parts = Vec::with_capacity(a.len());
        for (a, b) in a.iter().zip(b) {
            parts.push(common(a, b));
        }
        parts
    };
    let met = match (a, b) {
        (Container::Tuple(a), Container::Tuple(b)) => Value::tuple(parts(&a.items, &b.items)),
        (Container::List(a), Container::List(b)) if a.ty == b.ty => {
            Value::list_of(a.ty.element().clone(), parts(&a.items, &b.items))
        }
        (Container::Object(a), Container::Object(b)) => Value::object_of(&a.ty, parts(&a.slots, &b.slots)),
        _ => return build::at_level(a.clone(), false),
    };
    met.unwrap_or_else(|_| build::at_level(a.clone(), false))
}
