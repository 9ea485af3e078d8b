//! The part of a value at a path.

use crate::error::{Error, Kind, Result};
use crate::path::{Path, Step};
use crate::refinement::Nullness;
use crate::types::Type;
use crate::value::{Container, Value, View, equality, join, view_below_marks};

impl Value {
    /// The part of the value at a path.
    ///
    /// | on the way | gives |
    /// |---|---|
    /// | a marked value | the part carries its marks as well |
    /// | an unknown value | unknown of the part's type, or of unknown type where that is not known |
    /// | null, an unknown value that is certainly null | an error |
    /// | an attribute or key that is not there, or that the length excludes | an error |
    /// | a set | the member that equals the key; an error when none can: also for an untyped null (or what else is known, but of undecided type) in a set of undecided type, as its type is another one once the set's is decided |
    /// | an unknown key | the least value that holds every part it can reach; an error when it reaches none |
    /// | a list or map of undecided element type | the part for any such type: a null there is an unknown one |
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
    /// Where the path does not lead to a part; the error's own path says how far it led. Below a marked part that is
    /// content, unless the types say so alone: then it leads to that part.
    pub fn get(&self, path: &Path) -> Result<Value> {
        let (reached, known_steps) = reached(self, path.steps());
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

/// The part that the path leads to as long as nothing on the way is marked or undecided, and after how many steps.
fn reached<'a>(value: &'a Value, steps: &[Step]) -> (&'a Value, usize) {
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

/// The error of steps that lead nowhere below a marked value, and after how many steps: with a reason only if it
/// does not depend on the content (L5).
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

fn attribute(value: &Value, name: &str) -> Result<Value> {
    let missing = || Error::new(Kind::NotFound, format!("object has no attribute \"{name}\""));
    match view_below_marks(value) {
        View::Dynamic => Ok(Value::dynamic()),
        View::Object(object) => object.get(name).cloned().ok_or_else(missing),
        View::Unknown(range) => match range.ty() {
            Type::Object(ty) => ty.get(name).cloned().map(Value::unknown).ok_or_else(missing),
            ty => Err(not_steppable("an object", ty)),
        },
        _ => Err(not_steppable("an object", &value.ty())),
    }
}

fn element(value: &Value, key: &Value) -> Result<Value> {
    match view_below_marks(value) {
        View::Dynamic => in_anything(key),
        View::List(_) | View::Tuple(_) => in_sequence(value, key),
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
        View::Set(set) => member(value, set.element_type(), key),
        View::Unknown(range) => match range.ty() {
            Type::List(_) | Type::Tuple(_) => in_sequence(value, key),
            Type::Map(ty) => {
                check_key(key, &Type::String)?;
                let is_empty = range.length_range().is_some_and(|length| length.upper() == Some(0));
                if is_empty { Err(no_such_key()) } else { Ok(Value::unknown(ty.element().clone())) }
            }
            Type::Set(ty) => member(value, ty.element(), key),
            ty => Err(not_steppable("a list, tuple, map or set", ty)),
        },
        _ => Err(not_steppable("a list, tuple, map or set", &value.ty())),
    }
}

/// The value at a key of a value of unknown type: a dynamic unknown for a number or a string; any other key can
/// only be a member of a set.
fn in_anything(key: &Value) -> Result<Value> {
    let any = Value::dynamic();
    match any.has_index(key) {
        Ok(answer) if answer.as_bool() != Ok(false) => Ok(any),
        _ => member(&any, &Type::Dynamic, key),
    }
}

/// The element of a list or tuple, known or not: as for `index`.
fn in_sequence(value: &Value, key: &Value) -> Result<Value> {
    check_key(key, &Type::Number)?;
    value.index(key).map_err(|error| if error.is_not_found() { no_such_key() } else { error })
}

/// The member that equals the key. An unknown key is each member that it may equal.
fn member(set: &Value, element: &Type, key: &Value) -> Result<Value> {
    if set.has_element(key)?.unmark().0.as_bool() == Ok(false) {
        return Err(no_such_member());
    }
    if key.is_wholly_known() {
        return Ok(key.clone());
    }
    match view_below_marks(set) {
        View::Set(set) if set.undecided().is_empty() && !element.has_dynamic() => {
            let reached = set.known().iter().filter(|member| equality::equal(member, key) != Some(false));
            join(&reached.collect::<Vec<_>>()).ok_or_else(no_such_member)
        }
        _ => key.assume_type(element),
    }
}

fn check_key(key: &Value, wanted: &Type) -> Result<()> {
    if key.is_null() {
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

#[cold]
fn no_such_member() -> Error {
    Error::new(Kind::NotFound, "the set has no such member")
}

#[cold]
fn no_such_key() -> Error {
    Error::new(Kind::NotFound, "the value has no element of that key")
}

#[cold]
fn not_steppable(wanted: &str, found: &Type) -> Error {
    Error::new(Kind::TypeMismatch, format!("{wanted} required, but have {}", found.friendly_name()))
}
