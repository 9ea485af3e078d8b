//! Conversion of values to the type of a constraint, and the common type of several.

use crate::constraint::TypeConstraint;
use crate::error::Result;
use crate::value::Value;

mod available;
mod capsule;
mod collection;
mod common_element;
mod default;
mod element;
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
pub use mismatch::mismatch_message;
pub use unify::unify;

use available::{Mode, available};
use mismatch::mismatch_of;
use target::{Target, conforms};

/// The value as a value of the type that a constraint asks for, by cty's rules.
///
/// | from | to |
/// |---|---|
/// | bool, number | string |
/// | string | number, bool (`"true"`, `"false"`, `"1"`, `"0"`), where the text is one |
/// | list, set | list, set: element by element; a set in its order, members that become equal are one |
/// | tuple | list, set; tuple of the same length |
/// | map | map; object: other keys are dropped, optional attributes may be missing |
/// | object | map; object: other attributes are dropped, optional ones may be missing |
/// | capsule | the types that its [`Capsule`](crate::Capsule) converts to; and the types that it converts from, to it |
/// | null | null of the type |
/// | anything | `any`: unchanged. `list(any)` and its like take the common type of the elements ([`unify`]); what is empty has the type that its elements would have |
///
/// An attribute that is left out or null takes its default. Marks stay where they are; those of what goes into a
/// set go to the set. A value that is not wholly known gives the least value that holds every outcome:
///
/// | unknown | gives |
/// |---|---|
/// | not null | not null |
/// | number in a range, to string | the text all of them start with: `[100, 200)` has prefix `1`, below 0 has `-` |
/// | string with prefix, to number | the sign, and an error when no number starts so |
/// | string with prefix, to bool | the bool, or an error |
/// | list, set, map of some length | the length; at least 1 of a set, where members may become equal |
/// | tuple, object, to collection | its length |
/// | attribute with a default | what it may be other than null, or the default |
/// | children of undecided types with others, to `list(any)` and its like | with a string, strings: nothing else has a common type with it; with a list of strings, lists of strings; else undecided |
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
/// [`is_type_mismatch`](crate::Error::is_type_mismatch) when the types rule it out, with the types that are expected and
/// found there; [`is_syntax`](crate::Error::is_syntax) when a text is no number or bool;
/// [`is_not_found`](crate::Error::is_not_found) when a map lacks the key of a required attribute. Each has the path of
/// the innermost part that does not convert, though none below a mark; `[*]` is any element, where only the element
/// types are at fault. [`mismatch_message`] says the same as one sentence, in cty's words.
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
