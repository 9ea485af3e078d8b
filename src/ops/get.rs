//! Reading the part of a value at a path.

use crate::error::{Error, Kind, Result};
use crate::path::{Path, Step};
use crate::refinement::Nullness;
use crate::types::Type;
use crate::value::{Container, Value, View, equality, join, view_below_marks};

impl Value {
    /// The part of the value at a path.
    ///
    /// | value on the path | result |
    /// |---|---|
    /// | a marked value | the part, with these marks added |
    /// | an unknown value | unknown of the part's type, or of unknown type if that is not known |
    /// | null, an unknown value that is certainly null | an error |
    /// | an attribute or key that does not exist, or that the length or what is known of the keys excludes | an error |
    /// | a set | the member that equals the key; an error if no member can equal it. An untyped null, like any known value whose type contains `dynamic`, equals no member: once the type of the set is known, its members have another type |
    /// | an unknown key | the narrowest value that contains every part that the key may select; an error if it can select none |
    /// | a list or map whose element type contains `dynamic` | the part for every type that it may get: a null there becomes an unknown that is null |
    ///
    /// ```
    /// use plantime::{Path, Value};
    ///
    /// let value = Value::object([("tags", Value::map([("Name", "web")])?)])?;
    /// let path: Path = r#"tags["Name"]"#.parse()?;
    /// assert_eq!(value.get(&path)?, Value::from("web"));
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the value has no part at the path. The path of the error leads to the last part that exists. Below a marked
    /// part it ends at the marked part, unless the types alone exclude the next step: a longer path would reveal
    /// content.
    pub fn get(&self, path: &Path) -> Result<Value> {
        let (reached, known_steps) = follow_known_steps(self, path.steps());
        let mut here = reached.clone();
        // The first marked part, and the number of steps to it.
        let mut marked: Option<(Value, usize)> = None;
        for (i, step) in path.steps().iter().enumerate().skip(known_steps) {
            let at = |error: Error, end: usize| error.at(path.steps().get(..end).unwrap_or_default().into());
            let next = step_into(&here, step).map_err(|error| match &marked {
                None => at(error, i),
                Some((part, place)) => {
                    let (error, further) =
                        blind_error(part, path.steps().get(*place..).unwrap_or_default(), error);
                    at(error, place.saturating_add(further))
                }
            })?;
            if here.is_marked() && marked.is_none() {
                marked = Some((here, i));
            }
            here = next;
        }
        Ok(here)
    }
}

/// Follows the path by reference as far as the parts are known and without marks. Returns the part reached and the
/// number of steps taken.
fn follow_known_steps<'a>(value: &'a Value, steps: &[Step]) -> (&'a Value, usize) {
    let (mut here, mut count) = (value, 0_usize);
    for step in steps {
        let plain = match step {
            Step::Attr(_) => true,
            Step::Index(key) => {
                !key.contains_marks() && here.container().is_some_and(Container::is_of_decided_parts)
            }
        };
        match here.part(step).filter(|_| plain && !here.is_marked()) {
            Some(part) => here = part,
            None => break,
        }
        count = count.saturating_add(1);
    }
    (here, count)
}

/// The error for steps that fail below a marked value, and the number of steps up to it. It has a reason only if the
/// steps also fail for an unknown value of the same type, so that the reason does not depend on the content (L5).
#[cold]
fn blind_error(part: &Value, steps: &[Step], error: Error) -> (Error, usize) {
    let mut here = Value::unknown(part.ty());
    for (i, step) in steps.iter().enumerate() {
        match step_into(&here, step) {
            Ok(next) => here = next,
            Err(error) => return (error, i),
        }
    }
    (error.behind_mark(), 0)
}

/// The child of a value at a step, with the marks of the value and of the key.
fn step_into(value: &Value, step: &Step) -> Result<Value> {
    let marks = value.marks();
    if value.is_null() || matches!(value, Value::Refined(_)) && value.range().nullness() == Nullness::Null {
        let what = match step {
            Step::Attr(_) => "a null value has no attributes",
            Step::Index(_) => "a null value has no elements",
        };
        return Err(Error::new(Kind::Null, what));
    }
    match step {
        Step::Attr(name) => attribute(value, name.as_str()).map(|part| part.with_marks(marks)),
        Step::Index(key) => {
            let (key, key_marks) = key.unmark_deep();
            element(value, &key).map(|part| part.with_marks(marks).with_marks(&key_marks))
        }
    }
}

/// The attribute of an object. Of an unknown object: an unknown of the attribute's type. Of a value of undecided type: an
/// unknown of undecided type.
fn attribute(value: &Value, name: &str) -> Result<Value> {
    let missing = || Error::new(Kind::NotFound, format!("object has no attribute \"{name}\""));
    match view_below_marks(value) {
        View::Dynamic => Ok(Value::dynamic()),
        View::Object(object) => object.get(name).cloned().ok_or_else(missing),
        View::Unknown(range) => match range.ty() {
            Type::Object(ty) => ty.get(name).map(|ty| range.unknown_attribute(name, ty)).ok_or_else(missing),
            ty => Err(wrong_type_for_step("an object", ty)),
        },
        _ => Err(wrong_type_for_step("an object", &value.ty())),
    }
}

/// The element or member of a value at a key.
fn element(value: &Value, key: &Value) -> Result<Value> {
    match view_below_marks(value) {
        View::Dynamic => element_of_dynamic(key),
        View::List(_) | View::Tuple(_) => element_of_sequence(value, key),
        View::Map(map) => {
            check_key(key, &Type::String)?;
            let part = match key.as_str() {
                Ok(name) => map.get(name).cloned(),
                Err(_) => {
                    let range = key.range();
                    let prefix = range.prefix().unwrap_or("");
                    let reached = map.iter().filter(|(name, _)| name.starts_with(prefix));
                    join(&reached.map(|(_, part)| part).collect::<Vec<_>>())
                }
            };
            let part = part.ok_or_else(no_such_key)?;
            Ok(if map.element_type().has_dynamic() { part.outside_collection() } else { part })
        }
        View::Set(set) => member_of_set(value, set.element_type(), key),
        View::Unknown(range) => match range.ty() {
            Type::List(_) | Type::Tuple(_) => element_of_sequence(value, key),
            Type::Map(ty) => {
                check_key(key, &Type::String)?;
                let is_empty = range.length_range().is_some_and(|length| length.upper() == Some(0));
                if is_empty || !range.may_have_key(key) {
                    return Err(no_such_key());
                }
                Ok(range.unknown_element(ty.element()))
            }
            Type::Set(ty) => member_of_set(value, ty.element(), key),
            ty => Err(wrong_type_for_step("a list, tuple, map or set", ty)),
        },
        _ => Err(wrong_type_for_step("a list, tuple, map or set", &value.ty())),
    }
}

/// The element of a value of unknown type: unknown of unknown type for a number or a string; any other key can only be
/// a member of a set.
fn element_of_dynamic(key: &Value) -> Result<Value> {
    let any = Value::dynamic();
    match any.has_index(key) {
        Ok(answer) if answer.as_bool() != Ok(false) => Ok(any),
        _ => member_of_set(&any, &Type::Dynamic, key),
    }
}

/// The element of a list or tuple, known or unknown, as [`Value::index`] returns it.
fn element_of_sequence(value: &Value, key: &Value) -> Result<Value> {
    check_key(key, &Type::Number)?;
    value.index(key).map_err(|error| if error.is_not_found() { no_such_key() } else { error })
}

/// The member of a set that equals the key. For an unknown key, the join of the members that it may equal.
fn member_of_set(set: &Value, element: &Type, key: &Value) -> Result<Value> {
    if set.has_element(key)?.unmark().0.as_bool() == Ok(false) {
        return Err(no_such_member());
    }
    if key.is_wholly_known() {
        return Ok(key.clone());
    }
    match view_below_marks(set) {
        View::Set(set) if set.not_wholly_known().is_empty() && !element.has_dynamic() => {
            let reached = set.known().iter().filter(|member| equality::equal(member, key) != Some(false));
            join(&reached.collect::<Vec<_>>()).ok_or_else(no_such_member)
        }
        _ => key.assume_type(element),
    }
}

/// Checks a key: an error if it is null, or certainly of another type than the wanted one.
fn check_key(key: &Value, wanted: &Type) -> Result<()> {
    if equality::is_always_null(key) {
        return Err(Error::new(Kind::Null, "a null is no key"));
    }
    match key.ty() {
        Type::Dynamic => Ok(()),
        ty if ty == *wanted => Ok(()),
        ty => Err(Error::new(
            Kind::TypeMismatch,
            format!("the key must be a {}, but is a {}", wanted.friendly_name(), ty.friendly_name()),
        )
        .with_types(wanted.clone(), ty)),
    }
}

/// The error for a key that can equal no member of the set.
#[cold]
fn no_such_member() -> Error {
    Error::new(Kind::NotFound, "the set has no such member")
}

/// The error for a key or index of which the value has no element.
#[cold]
fn no_such_key() -> Error {
    Error::new(Kind::NotFound, "the value has no element of that key")
}

/// The error for a step into a value of another kind: `wanted` names the kind that has such steps.
#[cold]
fn wrong_type_for_step(wanted: &str, found: &Type) -> Error {
    Error::new(Kind::TypeMismatch, format!("{wanted} required, but have {}", found.friendly_name()))
}
