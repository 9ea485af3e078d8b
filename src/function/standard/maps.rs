//! Maps and objects: keys, values, and maps made of them.

mod keys;
mod merge;
mod transpose;
mod zipmap;

use super::Standard;

/// What is kept of arguments that are not known.
pub(super) const KEEPS: super::Keeps = &[
    (&["keys"], "all of a map or object that is partly known, those of an unknown object; else how many"),
    (&["values"], "as `keys`"),
    (
        &["merge"],
        "the elements where all keys are known, also those that are overwritten for certain; else how many there can be",
    ),
    (&["transpose", "matchkeys"], "how many there can be"),
    (&["zipmap"], "the elements where the keys are known; else how many keys there can be"),
];

pub(super) fn add_to(all: &mut Vec<Standard>) {
    keys::add_to(all);
    zipmap::add_to(all);
    merge::add_to(all);
    transpose::add_to(all);
}
