//! Cloning: a pointer to count, or some bytes to copy.

use crate::text::Text;

use super::repr::KnownRepr;
use super::{Known, Value};

impl Clone for Value {
    // What is cloned most comes first, and where it is used: a value that is put together in pieces and copied at once
    // costs as much as counting.
    #[inline]
    fn clone(&self) -> Value {
        match self {
            Value::Known(Known(KnownRepr::Container(container))) => {
                Value::Known(Known(KnownRepr::Container(container.clone())))
            }
            Value::Known(Known(KnownRepr::String(text))) => of_text(text),
            other => of_any(other),
        }
    }
}

/// By itself, so that all bytes are copied at once.
#[inline(never)]
fn of_text(text: &Text) -> Value {
    Value::Known(Known(KnownRepr::String(text.clone())))
}

#[inline(never)]
fn of_any(value: &Value) -> Value {
    match value {
        Value::Dynamic(dynamic) => Value::Dynamic(dynamic.clone()),
        Value::Unknown(unknown) => Value::Unknown(unknown.clone()),
        Value::Refined(refined) => Value::Refined(refined.clone()),
        Value::Partial(partial) => Value::Partial(partial.clone()),
        Value::Known(known) => Value::Known(known.clone()),
    }
}
