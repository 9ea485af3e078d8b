//! Cloning values in O(1): a reference count is incremented, or a few bytes are copied.

use crate::text::Text;

use super::repr::KnownRepr;
use super::{Known, Value};

impl Clone for Value {
    // Containers and strings are cloned most often, so their paths are inlined first. A value that is assembled field
    // by field and then copied as a whole costs as much as the reference count.
    #[inline]
    fn clone(&self) -> Value {
        match self {
            Value::Known(Known(KnownRepr::Container(container))) => {
                Value::Known(Known(KnownRepr::Container(container.clone())))
            }
            Value::Known(Known(KnownRepr::String(text))) => clone_text(text),
            other => clone_any(other),
        }
    }
}

/// Clones a string value. Not inlined, so that all bytes are copied at once.
#[inline(never)]
fn clone_text(text: &Text) -> Value {
    Value::Known(Known(KnownRepr::String(text.clone())))
}

/// Clones any value.
#[inline(never)]
fn clone_any(value: &Value) -> Value {
    match value {
        Value::Dynamic(dynamic) => Value::Dynamic(dynamic.clone()),
        Value::Unknown(unknown) => Value::Unknown(unknown.clone()),
        Value::Refined(refined) => Value::Refined(refined.clone()),
        Value::Partial(partial) => Value::Partial(partial.clone()),
        Value::Known(known) => Value::Known(known.clone()),
    }
}
