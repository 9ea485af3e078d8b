//! What has been made so far.

use crate::value::Value;

/// A value, and whether it is what it is: something in it whose type is not decided was passed on from a value.
pub(in super::super) struct Made {
    pub(in super::super) value: Value,
    pub(super) is_fixed: bool,
}

impl Made {
    pub(super) fn new(value: Value) -> Made {
        Made { value, is_fixed: false }
    }

    pub(super) fn passed(value: Value) -> Made {
        Made { is_fixed: value.ty().has_dynamic(), value }
    }
}
