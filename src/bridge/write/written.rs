//! The result of writing a Rust value.

use crate::value::Value;

/// A value that was written. `has_fixed_type` says that a dynamic type in it comes from a [`Value`] that was passed
/// on, so it must not be replaced by the type of its neighbours.
pub(in super::super) struct Written {
    pub(in super::super) value: Value,
    pub(super) has_fixed_type: bool,
}

impl Written {
    /// A value built from Rust data.
    pub(super) fn new(value: Value) -> Written {
        Written { value, has_fixed_type: false }
    }

    /// A [`Value`] that was passed on.
    pub(super) fn from_value(value: Value) -> Written {
        Written { has_fixed_type: value.ty().has_dynamic(), value }
    }
}
