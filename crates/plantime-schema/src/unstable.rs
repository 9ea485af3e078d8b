//! What the crates of this project share beyond the public interface. It may change with any version: they are pinned to one.

pub use crate::schema::{Shape, attribute_constraint, count_problem};

/// JSON documents of a known structure.
pub mod json {
    pub use crate::json::shape::{array, object, read_count, read_flag, read_text, ty};
}
