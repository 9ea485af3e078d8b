//! A schema and a value of it, walked together: the layout of the schema, and what is asked of values on the way.

use crate::value::{Value, View, view_below_marks};

pub(super) use crate::schema::{Entry, Layout, Nest, key_of};

/// Whether a value is certainly null (`Some(true)`), certainly not (`Some(false)`), or may be.
pub(super) fn null(value: &Value) -> Option<bool> {
    use crate::refinement::Nullness;

    match view_below_marks(value) {
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
    matches!(view_below_marks(value), View::Dynamic | View::Unknown(_))
}
