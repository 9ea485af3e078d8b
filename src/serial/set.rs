//! Reads and writes the length of sets in the self-describing form.

use crate::error::{Error, Kind, Result};
use crate::refinement::{LengthRange, Refinement};
use crate::types::Type;
use crate::value::{SetView, Value};

/// The minimum and maximum length of a set whose members are not all known. `None` for other sets, whose length
/// follows from their members, and for a set without a maximum.
pub(super) fn length(set: &SetView<'_>) -> Option<(u64, u64)> {
    let length = set.length();
    let all_decided = set.iter().all(Value::is_wholly_known);
    length.upper().filter(|_| !all_decided).map(|most| (length.lower(), most))
}

/// Builds a set from its members, with the given minimum and maximum length. An error if a member occurs twice or no
/// set of these members has such a length.
pub(super) fn build(element: Type, members: Vec<Value>, length: Option<(u64, u64)>) -> Result<Value> {
    let given = members.len();
    let set = Value::set_of(element, members)?;
    if set.container().map_or(0, |set| set.children().count()) != given {
        return Err(Error::new(Kind::Syntax, "a member is given twice"));
    }
    let Some((fewest, most)) = length else {
        return Ok(set);
    };
    set.assume(&Refinement::length(LengthRange::new(fewest, Some(most))?))
}
