//! Lists and tuples: put together, cut, turned round.

mod compact;
mod concat;
mod distinct;
mod flatten;
mod range;
mod reverse;
mod slice;

use super::Standard;

/// What is kept of arguments that are not known.
pub(super) const KEEPS: super::Keeps = &[
    (&["concat"], "the elements where all lengths are known, else the sum of the lengths"),
    (
        &["coalescelist"],
        "the first that certainly has elements, or what it has in common with those before it",
    ),
    (&["compact"], "the elements where it is known of each whether it stays, else how many can"),
    (&["reverselist"], "the elements; how many a set can have"),
    (&["distinct"], "the elements where it is known which are the same, else how many can be left"),
    (&["sort"], "how many there are, and what those that can stand at a place have in common"),
    (&["flatten"], "the elements where all lengths are known"),
    (&["chunklist"], "the lists where the size is known, else how many there can be"),
    (&["range"], "how many numbers there can be"),
    (&["slice"], "the elements where both places are known, else how many there can be"),
];

pub(super) fn add_to(all: &mut Vec<Standard>) {
    concat::add_to(all);
    compact::add_to(all);
    reverse::add_to(all);
    slice::add_to(all);
    distinct::add_to(all);
    flatten::add_to(all);
    range::add_to(all);
}
