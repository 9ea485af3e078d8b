//! Conversion of values to the type of a constraint, and the common type of several.

use crate::constraint::TypeConstraint;
use crate::error::{Error, Result};
use crate::path::Path;
use crate::types::Type;
use crate::value::{Container, Value, View, view_below_marks};

mod agree;
mod capsule;
mod collection;
mod default;
mod general;
mod matrix;
mod mismatch;
mod number_text;
mod parts;
mod places;
mod primitive;
mod safe;
mod set;
mod structure;
mod table;
mod target;
#[cfg(test)]
mod tests;
mod types;
mod unify;
mod unknown;
mod wide;

pub use matrix::{Safety, conversion};
pub use mismatch::mismatch_message;
pub use unify::unify;

use matrix::{Mode, available};
use mismatch::{mismatch, mismatch_of};

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
/// | capsule, and what becomes one | what its [`Capsule`](crate::Capsule) says |
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
/// | parts of undecided types beside others, to `list(any)` and its like | beside a text, texts: nothing else has a common type with it; beside a list of texts, lists of texts; else undecided |
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
    if is_that(value, constraint) {
        return Ok(value.clone());
    }
    let mode = if value.is_wholly_known() { Mode::Unsafe } else { Mode::Open };
    let ty = value.ty();
    if !available(&ty, constraint, mode) {
        return Err(mismatch_of(value, constraint));
    }
    run(value, constraint)
}

/// Whether the value is what is asked for already. An empty list of an undecided type is one of a decided type.
fn is_that(value: &Value, to: &TypeConstraint) -> bool {
    let ty = to.as_type();
    !to.has_optional() && value.has_type(ty) && !(matches!(value, Value::Refined(_)) && ty.has_dynamic())
}

// Small functions: deep values come through here, and each frame counts in a debug build.

/// The conversion of a part, marks and all; its type has been looked at.
fn run(value: &Value, to: &TypeConstraint) -> Result<Value> {
    if *to.as_type() == Type::Dynamic || is_that(value, to) {
        return Ok(value.clone());
    }
    let converted = match (value.container(), to.as_type()) {
        (_, Type::Capsule(capsule)) => capsule::from_value(value, *capsule, to),
        (Some(container), _) => container_to(container, to),
        (None, _) => leaf(value, to),
    };
    match converted {
        Ok(converted) if value.is_marked() => Ok(converted.with_marks(value.marks())),
        Ok(converted) => Ok(converted),
        Err(error) if value.is_marked() => Err(below_mark(error, value, to)),
        Err(error) => Err(error),
    }
}

/// The error of a part of a marked value. Keys and members are content, and so is how many elements there are; the places
/// of a tuple and the attributes that are asked for are not.
#[cold]
fn below_mark(error: Error, value: &Value, to: &TypeConstraint) -> Error {
    // Which keys a map has is told by which attribute is missing, and which does not convert.
    if matches!((value.container(), to.as_type()), (Some(Container::Map(_)), Type::Object(_))) {
        return error.behind_mark();
    }
    let error = error.concealed();
    let is_of_type = matches!(
        (value.container(), to.as_type()),
        (Some(Container::Tuple(_)), _) | (Some(Container::Object(_)), Type::Object(_))
    );
    let shown: Path = error.path().steps().iter().take(usize::from(is_of_type)).cloned().collect();
    error.at(shown)
}

fn leaf(value: &Value, to: &TypeConstraint) -> Result<Value> {
    match view_below_marks(value) {
        View::Dynamic => Ok(Value::unknown(to.to_type())),
        View::Null(ty) => Ok(Value::null(types::of_null(&ty, to))),
        View::Unknown(range) => unknown::convert(&range, to),
        View::Bool(bool) => primitive::bool(bool, to),
        View::Number(number) => primitive::number(number, to),
        View::String(text) => primitive::string(text, to),
        View::Capsule(content) => capsule::to_value(&content, to),
        _ => Err(mismatch(&value.ty(), to)),
    }
}

fn container_to(container: &Container, to: &TypeConstraint) -> Result<Value> {
    match (container, to.as_type()) {
        (Container::List(node), Type::List(_) | Type::Set(_)) => {
            collection::from_list(&node.items, node.ty.element(), to)
        }
        (Container::Set(node), Type::List(_) | Type::Set(_)) => set::convert(node, to),
        (Container::Map(node), Type::Map(_)) => collection::from_map(&node.entries, node.ty.element(), to),
        (Container::Map(node), Type::Object(object)) => structure::object_from_map(node, object, to),
        (Container::Tuple(node), Type::List(_) | Type::Set(_)) => collection::from_tuple(&node.items, to),
        (Container::Tuple(node), Type::Tuple(_)) => structure::tuple(&node.items, to),
        (Container::Object(node), Type::Map(_)) => collection::map_from_object(node, to),
        (Container::Object(node), Type::Object(object)) => structure::object(node, object, to),
        (container, _) => Err(mismatch(&container.ty(), to)),
    }
}
