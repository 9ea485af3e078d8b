//! Lists, maps, sets, tuples and objects: how many elements, which, and the first of several arguments that is there.

mod among;
mod at;
mod coalesce;
mod common_type;
mod contains;
mod length;
mod lookup;
mod sequence;

use crate::error::{Error, Kind, Result};
use crate::limits;

use super::Standard;

pub(super) use common_type::{Common, common_type, have_nothing_in_common};
pub(super) use sequence::{
    items, length as length_of, list_from, unknown_list, unknown_list_from, whole, wholes,
};

/// What is kept of arguments that are not known.
pub(super) const KEEPS: super::Keeps = &[
    (&["length"], "the length of a partly known collection, and the bounds of an unknown one"),
    (&["hasindex"], "decided where the length and what is known of the key decide it"),
    (
        &["index", "element"],
        "what all elements that the key can reach have in common; an error where it reaches none",
    ),
    (&["contains"], "true for an element that is there for certain, false where no element can be it"),
    (&["coalesce"], "the first that is certainly not null, or what it has in common with those before it"),
    (&["one", "sum", "alltrue", "anytrue"], "what the elements that are there say"),
    (
        &["lookup"],
        "the element where the key is known, else what the elements have in common with the default",
    ),
];

pub(super) fn add_to(all: &mut Vec<Standard>) {
    length::add_to(all);
    at::add_to(all);
    contains::add_to(all);
    coalesce::add_to(all);
    lookup::add_to(all);
    among::add_to(all);
}

/// Refuses to put lists of these lengths together where that would be out of proportion.
pub(super) fn check_number(lengths: impl Iterator<Item = u64> + Clone) -> Result<()> {
    let (all, longest) = (lengths.clone().fold(0, u64::saturating_add), lengths.max().unwrap_or(0));
    check_more(all.saturating_sub(longest))
}

/// Refuses to put so many elements to those of the longest list.
pub(super) fn check_more(elements: u64) -> Result<()> {
    if elements <= limits::ELEMENTS as u64 {
        return Ok(());
    }
    let message = format!("the result would have more than {} elements", limits::ELEMENTS);
    Err(Error::new(Kind::Limit, message))
}

/// An argument that is not fit.
#[cold]
pub(super) fn unfit(message: impl Into<String>) -> Error {
    Error::new(Kind::Argument, message)
}
