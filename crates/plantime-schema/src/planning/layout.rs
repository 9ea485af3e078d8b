//! The layout of a schema, for walking it together with a value; tests of values on the way.

use plantime::{Value, View};

pub(super) use crate::schema::{Entry, Layout, Nest};

/// Whether a value is certainly null (`Some(true)`), certainly not (`Some(false)`), or may be.
pub(super) fn null(value: &Value) -> Option<bool> {
    use plantime::Nullness;

    match value.view_below_marks() {
        View::Null(_) => Some(true),
        View::Dynamic => None,
        View::Unknown(range) => match range.nullness() {
            Nullness::NotNull => Some(false),
            Nullness::Null => Some(true),
            Nullness::Nullable => None,
        },
        _ => Some(false),
    }
}

/// Whether a value is unknown as a whole.
pub(super) fn is_unknown(value: &Value) -> bool {
    matches!(value.view_below_marks(), View::Dynamic | View::Unknown(_))
}
