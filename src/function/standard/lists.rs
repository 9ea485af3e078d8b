//! Functions of lists and tuples: concatenation, slices, order, flattening.

mod compact;
mod concat;
mod distinct;
mod flatten;
mod range;
mod reverse;
mod slice;

use super::StandardFunction;

/// Adds the functions of lists and tuples.
pub(super) fn register(functions: &mut Vec<StandardFunction>) {
    concat::register(functions);
    compact::register(functions);
    reverse::register(functions);
    slice::register(functions);
    distinct::register(functions);
    flatten::register(functions);
    range::register(functions);
}
