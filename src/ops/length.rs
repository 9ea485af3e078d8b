//! The length of collections, tuples and objects.

use super::null_operand;
use crate::error::{Error, Kind, Result};
use crate::number::Number;
use crate::refinement::{Bound, LengthRange, Nullness, NumberRange, Refinement};
use crate::types::Type;
use crate::value::{Value, View, canonical, view_below_marks, within_capacity};

impl Value {
    /// How many elements, members, entries or attributes there are, as a number.
    ///
    /// | value | answer |
    /// |---|---|
    /// | list, map, tuple, object | the number of elements, also when they are unknown |
    /// | set | the number of members; with undecided ones a number from the fewest to the most |
    /// | unknown list, set, map | a number within the known bounds, at least 0 and not infinite |
    /// | unknown tuple, object | the number that the type says |
    /// | unknown of unknown type | a number, at least 0 and not infinite |
    ///
    /// ```
    /// use plantime::{Type, Value};
    ///
    /// let unknown = Value::unknown(Type::String);
    /// assert_eq!(Value::list([unknown.clone(), unknown.clone()])?.length()?, Value::from(2));
    /// let set = Value::set([unknown.clone(), unknown])?;
    /// assert_eq!(set.length()?.to_string(), "(known after apply, >= 1, <= 2)");
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the value is null, or a bool, number or string.
    pub fn length(&self) -> Result<Value> {
        let length = match view_below_marks(self) {
            View::List(list) => exactly(list.len()),
            View::Tuple(tuple) => exactly(tuple.len()),
            View::Map(map) => exactly(map.len()),
            View::Object(object) => exactly(object.len()),
            View::Set(set) => set.length(),
            View::Dynamic => LengthRange::default(),
            View::Unknown(range) if range.nullness() == Nullness::Null => return Err(null_operand("length")),
            View::Unknown(range) => match range.ty() {
                ty @ (Type::List(_) | Type::Set(_) | Type::Map(_)) => {
                    within_capacity(ty, range.length_range().unwrap_or_default())
                }
                Type::Tuple(ty) => exactly(ty.len()),
                Type::Object(ty) => exactly(ty.len()),
                ty => return Err(no_length(ty)),
            },
            View::Null(ty) if ty.is_primitive() || matches!(ty, Type::Capsule(_)) => {
                return Err(no_length(&ty));
            }
            View::Null(_) => return Err(null_operand("length")),
            _ => return Err(no_length(&self.ty())),
        };
        Ok(count(&length).with_marks(self.marks()))
    }
}

fn exactly(length: usize) -> LengthRange {
    LengthRange::exactly(length as u64)
}

/// A length as a number.
fn count(length: &LengthRange) -> Value {
    if let Some(length) = length.exact() {
        return Value::from(length);
    }
    let lower = Bound::Inclusive(Number::from(length.lower()));
    // However many there are, they are not infinitely many.
    let most = length.upper().map(|max| Bound::Inclusive(Number::from(max)));
    let upper = most.unwrap_or(Bound::Exclusive(Number::INFINITY));
    match NumberRange::new(lower, upper) {
        Ok(range) => canonical(Type::Number, Refinement::number(range).and_not_null()),
        // A length interval is never empty.
        Err(_) => canonical(Type::Number, Refinement::not_null()),
    }
}

#[cold]
fn no_length(found: &Type) -> Error {
    Error::new(
        Kind::TypeMismatch,
        format!("a collection, tuple or object required, but have {}", found.friendly_name()),
    )
}
