//! Conversion of values to type constraints, and the common type of several types.

use crate::constraint::TypeConstraint;
use crate::error::Result;
use crate::value::Value;

mod available;
mod capsule;
mod collection;
mod common_element;
mod default;
mod element;
mod integer_text;
mod mismatch;
mod most_general;
mod number_text;
mod places;
mod primitive;
mod result_type;
mod safe;
mod set;
mod structure;
mod table;
mod target;
#[cfg(test)]
mod tests;
mod unify;
mod unknown;
mod widen;

pub use available::{Safety, conversion};
#[cfg(feature = "functions")]
pub(crate) use integer_text::interval_of_digits;
pub use mismatch::mismatch_message;
pub use unify::unify;

use available::{Mode, available};
use mismatch::mismatch_of;
use target::{Target, conforms};

/// Converts a value to a type constraint, by cty's rules.
///
/// | from | to |
/// |---|---|
/// | bool, number | string |
/// | string | number, bool (`"true"`, `"false"`, `"1"`, `"0"`), if the string spells one |
/// | list, set | list, set: element by element; a set in iteration order; members that become equal are merged |
/// | tuple | list, set; tuple of the same length |
/// | map | map; object: other keys are dropped, optional attributes may be missing |
/// | object | map; object: other attributes are dropped, optional ones may be missing |
/// | capsule | the types that its [`Capsule`](crate::Capsule) converts to; and the types that it converts from, to it |
/// | null | null of the type |
/// | anything | `any`: unchanged. `list(any)`, `set(any)` and `map(any)` take the common type of the elements ([`unify`]); an empty collection gets the element type that its elements would have |
///
/// An attribute that is missing or null takes its default. Marks are kept; those of new members of a set move to the
/// set. For a value that is not wholly known the result is the narrowest value that contains the conversion of every
/// outcome:
///
/// | unknown | result |
/// |---|---|
/// | not null | not null |
/// | number in a range, to string | the common prefix of all these numbers: `[100, 200)` has prefix `1`, below 0 has `-` |
/// | string with prefix, to number | the sign; an error if no number has this prefix |
/// | string with prefix, to bool | the bool, or an error |
/// | list, set, map with a length range | the length range; for a set a minimum of 1, since members may become equal |
/// | list, set, map with elements or keys | the conversion of these elements; the keys |
/// | tuple, object, to collection | its length |
/// | attribute with a default | the join of its other outcomes and the default |
/// | children of unknown types with others, to `list(any)`, `set(any)`, `map(any)` | beside a string, strings, since only strings have a common type with it; beside a list of strings, lists of strings; else `dynamic` |
///
/// ```
/// use plantime::{Refinement, Type, Value, convert};
///
/// let id = Value::refined(Type::String, Refinement::prefix("vpc-").and_not_null())?;
/// assert!(convert(&id, &Type::Number.into()).is_err()); // whatever it becomes, it is no number
///
/// let ports = Value::tuple([Value::from(80), Value::from("443")])?;
/// assert_eq!(convert(&ports, &"list(number)".parse()?)?, Value::list([80, 443])?);
/// # Ok::<(), plantime::Error>(())
/// ```
///
/// # Errors
///
/// [`is_type_mismatch`](crate::Error::is_type_mismatch) when the types exclude the conversion, with the expected and
/// the found type; [`is_syntax`](crate::Error::is_syntax) when a string is no number or bool;
/// [`is_not_found`](crate::Error::is_not_found) when a map lacks the key of a required attribute. Each has the path
/// of the innermost part that does not convert, but no path below a mark; the step `[*]` means that the element types
/// do not convert, whatever the element. [`mismatch_message`] is the same as one sentence, in cty's words.
///
/// ```
/// use plantime::{convert, value};
///
/// let error = convert(&value!([{"a": "x"}, {"a": [1]}])?, &"list(object({a = string}))".parse()?).unwrap_err();
/// assert_eq!(error.to_string(), "[1].a: string required, but have tuple");
/// # Ok::<(), plantime::Error>(())
/// ```
pub fn convert(value: &Value, constraint: &TypeConstraint) -> Result<Value> {
    if conforms(value, constraint) {
        return Ok(value.clone());
    }
    let mode = if value.is_wholly_known() { Mode::Unsafe } else { Mode::Open };
    let ty = value.ty();
    if !available(&ty, constraint, mode) {
        return Err(mismatch_of(value, constraint));
    }
    Target::new(constraint.clone()).convert(value)
}
