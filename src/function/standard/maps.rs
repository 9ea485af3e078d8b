//! Functions of maps and objects: keys, values, merging, and maps built from lists.

mod keys;
mod merge;
mod transpose;
mod zipmap;

use super::StandardFunction;

/// Adds the functions of maps and objects.
pub(super) fn register(functions: &mut Vec<StandardFunction>) {
    keys::register(functions);
    zipmap::register(functions);
    merge::register(functions);
    transpose::register(functions);
}
