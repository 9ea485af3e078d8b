//! The indexing operation of lists, tuples and maps.

use super::null_operand;
use crate::error::{Error, Kind, Result};
use crate::number::Number;
use crate::refinement::{Bound, LengthRange, Nullness, Range};
use crate::types::Type;
use crate::value::{Value, View, equality::is_always_null, join, view_below_marks};

impl Value {
    /// The element of a list or tuple at an index, or of a map at a key.
    ///
    /// | collection | key | result |
    /// |---|---|---|
    /// | list, tuple | known index | the element; an error outside |
    /// | list, tuple | unknown | the narrowest value that contains every element that the key may select; an error if it can select none |
    /// | map | known | the element, or null if there is none |
    /// | map | unknown | the narrowest value that contains null and every element that the key may select |
    /// | unknown list | any | an unknown with what is known of the elements; an error if the length excludes the key |
    /// | unknown map | any | null, or an unknown with what is known of the elements |
    /// | unknown of unknown type | a number or a string | unknown of unknown type |
    ///
    /// ```
    /// use plantime::{Type, Value};
    ///
    /// let list = Value::list(["vpc-1", "vpc-2"])?;
    /// assert_eq!(list.index(&Value::from(1))?, Value::from("vpc-2"));
    /// let some = list.index(&Value::unknown(Type::Number))?;
    /// assert_eq!(some.to_string(), r#"(known after apply, one of "vpc-1", "vpc-2")"#);
    /// assert!(list.index(&Value::from(2)).unwrap_err().is_not_found());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the collection or the key is null, when the key is of the wrong type for the collection, when it is no
    /// index of the list or tuple, and when the value is not a list, tuple or map.
    pub fn index(&self, key: &Value) -> Result<Value> {
        let element = match view_below_marks(self) {
            View::Dynamic => element_of_dynamic(key),
            View::List(list) => {
                let has_dynamic = list.element_type().has_dynamic();
                element_of_sequence(list.as_slice(), key, "list")
                    .map(|element| if has_dynamic { element.outside_collection() } else { element })
            }
            View::Tuple(tuple) => element_of_sequence(tuple.as_slice(), key, "tuple"),
            View::Map(map) => {
                let missing = Value::null(map.element_type().clone());
                let element = element_of_map(key, &missing, map.iter(), |name| map.get(name));
                // Each null that this gives has the type of the empty map itself, which is known to be `dynamic`.
                let has_dynamic = !map.is_empty() && map.element_type().has_dynamic();
                element.map(|element| if has_dynamic { element.outside_collection() } else { element })
            }
            View::Unknown(range) if range.nullness() == Nullness::Null => Err(null_operand("elements")),
            View::Unknown(range) => match range.ty() {
                Type::List(ty) => {
                    let length = range.length_range().unwrap_or_default();
                    element_of_unknown_list(range.unknown_element(ty.element()), length, key)
                }
                Type::Map(ty) => {
                    check_key(key, &Type::String, "map")?;
                    let empty = range.length_range().is_some_and(|length| length.upper() == Some(0));
                    let missing = Value::null(ty.element().clone());
                    Ok(if empty || !range.may_have_key(key) {
                        missing.outside_collection()
                    } else {
                        join(&[&missing, &range.unknown_element(ty.element())]).unwrap_or(missing)
                    })
                }
                Type::Tuple(_) => element_of_sequence(&range.unknown_parts(), key, "tuple"),
                ty => Err(not_indexable(ty)),
            },
            View::Null(Type::Dynamic | Type::List(_) | Type::Map(_) | Type::Tuple(_)) => {
                Err(null_operand("elements"))
            }
            _ => Err(not_indexable(&self.ty())),
        };
        // How many elements there are is content, too.
        let hidden =
            |error: Error| if error.is_not_found() && self.is_marked() { no_element() } else { error };
        Ok(element.map_err(hidden)?.with_marks(self.marks()).with_marks(key.marks()))
    }
}

/// The element of a sequence at a key; the join of all elements that an unknown key may select.
fn element_of_sequence(elements: &[Value], key: &Value, kind: &str) -> Result<Value> {
    check_key(key, &Type::Number, kind)?;
    let selected: Vec<&Value> = match index_key(key) {
        IndexKey::At(place) => {
            usize::try_from(place).ok().and_then(|at| elements.get(at)).into_iter().collect()
        }
        IndexKey::Invalid => Vec::new(),
        IndexKey::Unknown => {
            elements.iter().zip(0_u64..).filter(|(_, at)| may_be_index(key, *at)).map(|(e, _)| e).collect()
        }
    };
    join(&selected).ok_or_else(|| no_such_element(elements.len()))
}

/// The element of a map at a key, or `missing`; the join of all that an unknown key may select.
fn element_of_map<'a>(
    key: &Value,
    missing: &Value,
    entries: impl Iterator<Item = (&'a str, &'a Value)>,
    get: impl FnOnce(&str) -> Option<&'a Value>,
) -> Result<Value> {
    check_key(key, &Type::String, "map")?;
    if let View::String(name) = view_below_marks(key) {
        return Ok(get(name).unwrap_or(missing).clone());
    }
    let range = key.range();
    let names = range.refinement().range();
    let mut selected: Vec<&Value> =
        entries.filter(|(name, _)| names.contains_string(name)).map(|(_, element)| element).collect();
    selected.push(missing);
    join(&selected).ok_or_else(|| no_such_element(0))
}

/// The unknown element of an unknown list; an error if the length excludes the key.
fn element_of_unknown_list(element: Value, length: LengthRange, key: &Value) -> Result<Value> {
    check_key(key, &Type::Number, "list")?;
    let last = match length.upper() {
        Some(0) => return Err(no_such_element(0)),
        Some(max) => max.checked_sub(1),
        None => None,
    };
    let reachable = match index_key(key) {
        IndexKey::Invalid => false,
        IndexKey::At(place) => last.is_none_or(|last| place <= last),
        IndexKey::Unknown => smallest_index(key).is_some_and(|place| last.is_none_or(|last| place <= last)),
    };
    if reachable { Ok(element) } else { Err(out_of_reach(length)) }
}

/// The element of a value of unknown type; an error if no collection has such a key.
fn element_of_dynamic(key: &Value) -> Result<Value> {
    if is_always_null(key) {
        return Err(null_operand("use as a key"));
    }
    match key.ty() {
        Type::Dynamic | Type::String => Ok(Value::dynamic()),
        Type::Number => match index_key(key) {
            IndexKey::Invalid => Err(no_valid_index()),
            IndexKey::Unknown if smallest_index(key).is_none() => Err(no_valid_index()),
            _ => Ok(Value::dynamic()),
        },
        ty => Err(Error::new(
            Kind::TypeMismatch,
            format!("a key must be a number or string, but is a {}", ty.friendly_name()),
        )),
    }
}

/// A key for a sequence: a valid index, an invalid number, or an unknown.
enum IndexKey {
    At(u64),
    /// A known number that is no index of any sequence.
    Invalid,
    Unknown,
}

/// Reads a key for a sequence.
fn index_key(key: &Value) -> IndexKey {
    match view_below_marks(key) {
        View::Number(number) => number.to_u64().map_or(IndexKey::Invalid, IndexKey::At),
        _ => IndexKey::Unknown,
    }
}

/// Whether an unknown key may be this index.
fn may_be_index(key: &Value, place: u64) -> bool {
    key.range().refinement().range().contains_number(&Number::from(place))
}

/// The smallest index that an unknown key may be; `None` if it can be no index.
pub(super) fn smallest_index(key: &Value) -> Option<u64> {
    let range = key.range();
    let range = range.refinement().range();
    if let Range::Numbers(few) = range {
        return few.as_slice().iter().find_map(Number::to_u64);
    }
    let Some(interval) = range.numbers() else { return Some(0) };
    let first = match interval.lower() {
        Bound::Unbounded => 0,
        Bound::Inclusive(low) | Bound::Exclusive(low) if low.is_negative() => 0,
        Bound::Inclusive(low) | Bound::Exclusive(low) => low.ceil().to_u64()?,
    };
    [Some(first), first.checked_add(1)]
        .into_iter()
        .flatten()
        .find(|place| range.contains_number(&Number::from(*place)))
}

/// Checks a key: an error if it is null, or certainly of another type than the wanted one.
fn check_key(key: &Value, wanted: &Type, kind: &str) -> Result<()> {
    let ty = key.ty();
    if ty != *wanted && ty != Type::Dynamic {
        return Err(Error::new(
            Kind::TypeMismatch,
            format!("key for {kind} must be {}, but is {}", wanted.friendly_name(), ty.friendly_name()),
        )
        .with_types(wanted.clone(), ty));
    }
    if is_always_null(key) { Err(null_operand("use as a key")) } else { Ok(()) }
}

/// The error for a value of a type that has no elements by key or index.
#[cold]
pub(super) fn not_indexable(found: &Type) -> Error {
    Error::new(
        Kind::TypeMismatch,
        format!("a list, map or tuple required, but have {}", found.friendly_name()),
    )
}

/// The error for a key that a marked value does not have.
#[cold]
fn no_element() -> Error {
    Error::new(Kind::NotFound, "the value has no element of that key")
}

/// The error for an index that a sequence of this length does not have.
#[cold]
fn no_such_element(length: usize) -> Error {
    Error::new(Kind::NotFound, format!("the key is no place in a sequence of {length}"))
}

/// The error for an index that no list within this length range has.
#[cold]
fn out_of_reach(length: LengthRange) -> Error {
    let message = match length.upper() {
        Some(max) => format!("the key is no place in a list of at most {max}"),
        None => "the key is no place in any list".to_owned(),
    };
    Error::new(Kind::NotFound, message)
}

/// The error for a number that is no index of any sequence: negative or not whole.
#[cold]
fn no_valid_index() -> Error {
    Error::new(Kind::NotFound, "the key is no place in any sequence")
}
