//! The meet of two values that turn out equal.

use crate::value::repr::Container;
use crate::value::{Value, build, narrowed};

/// An upper bound of the meet of two values: contains every value that both may become.
pub(in crate::value) fn meet(a: &Value, b: &Value) -> Value {
    match (a, b) {
        (Value::Known(_), _) | (Value::Partial(_), Value::Dynamic(_) | Value::Unknown(_)) => a.clone(),
        (_, Value::Known(_)) | (Value::Dynamic(_) | Value::Unknown(_), _) => b.clone(),
        (Value::Partial(a), Value::Partial(b)) => meet_of_containers(a.0.container(), b.0.container()),
        (known, Value::Refined(refined)) | (Value::Refined(refined), known) => {
            narrowed(known, &refined.0.refinement).unwrap_or_else(|_| known.clone())
        }
    }
}

/// The meet of two containers, child by child; the first one as it is if they are not of one shape.
fn meet_of_containers(a: &Container, b: &Container) -> Value {
    let children = |a: &[Value], b: &[Value]| -> Vec<Value> {
        let mut children = Vec::with_capacity(a.len());
        for (a, b) in a.iter().zip(b) {
            children.push(meet(a, b));
        }
        children
    };
    let met_container = match (a, b) {
        (Container::Tuple(a), Container::Tuple(b)) => Value::tuple(children(&a.items, &b.items)),
        (Container::List(a), Container::List(b)) if a.ty == b.ty => {
            Value::list_of(a.ty.element().clone(), children(&a.items, &b.items))
        }
        (Container::Object(a), Container::Object(b)) => Value::object_of(&a.ty, children(&a.slots, &b.slots)),
        _ => return build::at_level(a.clone(), false),
    };
    met_container.unwrap_or_else(|_| build::at_level(a.clone(), false))
}
