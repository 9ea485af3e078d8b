//! The length operation of collections, tuples and objects.

use super::null_operand;
use crate::error::{Error, Kind, Result};
use crate::refinement::{LengthRange, Nullness, Refinement};
use crate::types::Type;
use crate::value::{Value, View, canonical, view_below_marks, within_capacity};

impl Value {
    /// The number of elements, members, entries or attributes, as a number value.
    ///
    /// | value | answer |
    /// |---|---|
    /// | list, map, tuple, object | the number of elements, also when they are unknown |
    /// | set | the number of members; with unknown members an unknown integer from the minimum to the maximum |
    /// | unknown list, set, map | an integer within the known bounds, at least 0 |
    /// | unknown tuple, object | the number of elements or attributes in the type |
    /// | unknown of unknown type | an integer, at least 0 |
    ///
    /// ```
    /// use plantime::{Type, Value};
    ///
    /// let unknown = Value::unknown(Type::String);
    /// assert_eq!(Value::list([unknown.clone(), unknown.clone()])?.length()?, Value::from(2));
    /// let set = Value::set([unknown.clone(), unknown])?;
    /// assert_eq!(set.length()?.to_string(), "(known after apply, whole number, >= 1, <= 2)");
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the value is null, or a bool, number or string.
    pub fn length(&self) -> Result<Value> {
        let length = match self.as_unknown() {
            Some((ty, refinement)) => length_of_unknown(ty, refinement)?,
            None => length_of_known(self)?,
        };
        Ok(number_value(&length).with_marks(self.marks()))
    }
}

/// The length range of an unknown of known type.
fn length_of_unknown(ty: &Type, refinement: &Refinement) -> Result<LengthRange> {
    if refinement.nullness() == Nullness::Null {
        return Err(null_operand("length"));
    }
    match ty {
        Type::List(_) | Type::Set(_) | Type::Map(_) => {
            let length = refinement.length_range().unwrap_or_default();
            Ok(within_capacity(ty, refinement.element(), length))
        }
        Type::Tuple(ty) => Ok(exact_length(ty.len())),
        Type::Object(ty) => Ok(exact_length(ty.len())),
        ty => Err(no_length(ty)),
    }
}

/// The length range of a known value, or of one of unknown type.
fn length_of_known(value: &Value) -> Result<LengthRange> {
    match view_below_marks(value) {
        View::List(list) => Ok(exact_length(list.len())),
        View::Tuple(tuple) => Ok(exact_length(tuple.len())),
        View::Map(map) => Ok(exact_length(map.len())),
        View::Object(object) => Ok(exact_length(object.len())),
        View::Set(set) => Ok(set.length()),
        View::Dynamic => Ok(LengthRange::default()),
        View::Null(ty) if ty.is_primitive() || matches!(ty, Type::Capsule(_)) => Err(no_length(&ty)),
        View::Null(_) => Err(null_operand("length")),
        _ => Err(no_length(&value.ty())),
    }
}

/// The range of exactly this length.
fn exact_length(length: usize) -> LengthRange {
    LengthRange::exactly(length as u64)
}

/// A length range as a number value.
fn number_value(length: &LengthRange) -> Value {
    if let Some(length) = length.exact() {
        return Value::from(length);
    }
    canonical(Type::Number, Refinement::of_lengths(length).and_not_null())
}

/// The error for a value of a type without a length: a bool, number, string or capsule.
#[cold]
fn no_length(found: &Type) -> Error {
    Error::new(
        Kind::TypeMismatch,
        format!("a collection, tuple or object required, but have {}", found.friendly_name()),
    )
}
