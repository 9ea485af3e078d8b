//! Sets: how many members there are in the end.

use crate::error::{Error, Kind, Result};
use crate::refinement::{LengthRange, Refinement};
use crate::types::Type;
use crate::value::{SetView, Value};

/// The fewest and the most members of a set that has members which are not decided.
pub(super) fn length(set: &SetView<'_>) -> Option<(u64, u64)> {
    let length = set.length();
    let all_decided = set.iter().all(Value::is_wholly_known);
    length.upper().filter(|_| !all_decided).map(|most| (length.lower(), most))
}

/// The set of these members; with a length, the one that has it.
pub(super) fn built(element: Type, members: Vec<Value>, length: Option<(u64, u64)>) -> Result<Value> {
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
