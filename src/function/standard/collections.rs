//! Functions of collections of every kind: length, elements, membership, aggregation, `coalesce` and `lookup`. Also the
//! helpers that the families of lists, maps and sets share.

mod aggregate;
mod coalesce;
mod common_type;
mod contains;
mod element;
mod length;
mod lookup;
mod sequence;

use crate::error::{Error, Kind, Result};
use crate::limits;

use super::StandardFunction;

pub(super) use common_type::{CommonType, common_type, have_nothing_in_common};
pub(super) use sequence::{
    elements_of, integer_argument, integer_range, length_of, list_of_elements_from, refined_elements,
    unknown_list_of_elements_from, unknown_list_with,
};

/// Adds the functions of collections of every kind.
pub(super) fn register(functions: &mut Vec<StandardFunction>) {
    length::register(functions);
    element::register(functions);
    contains::register(functions);
    coalesce::register(functions);
    lookup::register(functions);
    aggregate::register(functions);
}

/// An error if a result made of lists of these lengths would have too many elements: more than [`limits::ELEMENTS`],
/// not counting those of the longest list.
pub(super) fn check_total_elements(lengths: impl Iterator<Item = u64> + Clone) -> Result<()> {
    let (sum, longest) = (lengths.clone().fold(0, u64::saturating_add), lengths.max().unwrap_or(0));
    check_added_elements(sum.saturating_sub(longest))
}

/// An error if `elements`, the number of elements that a result has beyond those of its longest argument, is above
/// [`limits::ELEMENTS`]. A list that occurs many times shares its memory, so without the limit a small value could
/// become a huge one.
pub(super) fn check_added_elements(elements: u64) -> Result<()> {
    if elements <= limits::ELEMENTS as u64 {
        return Ok(());
    }
    let message = format!("the result would have more than {} elements", limits::ELEMENTS);
    Err(Error::new(Kind::Limit, message))
}

/// An error of the kind for invalid arguments, with this message. It does not say yet which argument.
#[cold]
pub(super) fn invalid_argument(message: impl Into<String>) -> Error {
    Error::new(Kind::Argument, message)
}
