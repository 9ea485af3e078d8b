//! The operation that tells whether a list, tuple or map has an element at a key.

use super::index::{not_indexable, smallest_index};
use super::{bool_of_outcomes, null_operand, unknown_bool};
use crate::error::Result;
use crate::number::Number;
use crate::refinement::{LengthRange, Nullness, NumberRange, Range};
use crate::types::Type;
use crate::value::{MapView, Value, View, equality, view_below_marks};

/// Whether the element exists for some outcomes of the operands, and whether it is missing for some.
type ElementOutcomes = (bool, bool);

impl Value {
    /// Whether [`index`](Value::index) finds an element: true, false, or an unknown bool that is not null.
    ///
    /// | collection | key | answer |
    /// |---|---|---|
    /// | list, tuple | a number | whether it is an index: whole, at least 0, below the length |
    /// | map | a string | whether the map has this key |
    /// | list, tuple, map | of another type | false |
    /// | any of them, unknown or with an unknown key | any | known if the length and the range of the key exclude one answer |
    /// | unknown of unknown type | any | false for a value that is no key of any collection, else unknown |
    ///
    /// ```
    /// use plantime::{Type, Value};
    ///
    /// let list = Value::unknown(Type::list(Type::String)?).assume_list_length_min(2)?;
    /// assert_eq!(list.has_index(&Value::from(1))?, Value::from(true));
    /// assert_eq!(list.has_index(&Value::from(-1))?, Value::from(false));
    /// assert!(!list.has_index(&Value::from(2))?.is_known());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the collection or the key is null (also a null of another type), and when the value is not a list, tuple or map.
    pub fn has_index(&self, key: &Value) -> Result<Value> {
        let null = || null_operand("elements");
        let (may_have, may_lack) = match view_below_marks(self) {
            View::Dynamic => (may_be_index(key, &LengthRange::default()) || may_be_string(key), true),
            View::List(list) => sequence_outcomes(key, &LengthRange::exactly(list.len() as u64)),
            View::Tuple(tuple) => sequence_outcomes(key, &LengthRange::exactly(tuple.len() as u64)),
            View::Map(map) => map_outcomes(key, &map),
            View::Unknown(range) if range.nullness() == Nullness::Null => return Err(null()),
            View::Unknown(range) => match range.ty() {
                Type::List(_) => sequence_outcomes(key, &range.length_range().unwrap_or_default()),
                Type::Tuple(ty) => sequence_outcomes(key, &LengthRange::exactly(ty.len() as u64)),
                // Whatever its length, an unknown map may lack any key.
                Type::Map(_) => {
                    let empty = range.length_range().is_some_and(|length| length.upper() == Some(0));
                    (!empty && range.may_have_key(key), true)
                }
                ty => return Err(not_indexable(ty)),
            },
            View::Null(Type::Dynamic | Type::List(_) | Type::Map(_) | Type::Tuple(_)) => return Err(null()),
            _ => return Err(not_indexable(&self.ty())),
        };
        if equality::is_always_null(key) {
            return Err(null_operand("use as a key"));
        }
        let answer = bool_of_outcomes(may_have, may_lack).unwrap_or_else(unknown_bool);
        Ok(answer.with_marks_of(&[self, key]))
    }
}

/// Whether a list or tuple of this length may have and may lack an element at the key.
fn sequence_outcomes(key: &Value, length: &LengthRange) -> ElementOutcomes {
    let range = key.range();
    let known = range.refinement().range();
    let singleton = known.numbers().and_then(NumberRange::singleton).map(Number::to_u64);
    let may_lack = match (singleton, known) {
        (Some(Some(place)), _) => place >= length.lower(),
        // Every integer of the range is a valid index.
        (_, Range::Multiples(multiples)) => {
            let (first, last) = (multiples.range().lower(), multiples.range().upper());
            let last = last.number().and_then(Number::to_u64);
            first.number().is_none_or(Number::is_negative) || last.is_none_or(|last| last >= length.lower())
        }
        (_, Range::Numbers(few)) => {
            few.as_slice().iter().any(|number| number.to_u64().is_none_or(|place| place >= length.lower()))
        }
        // A key that is not exactly one number may be no number or no index.
        _ => true,
    };
    (may_be_index(key, length), may_lack)
}

/// Whether the key may be an index of a sequence of this length.
fn may_be_index(key: &Value, length: &LengthRange) -> bool {
    match key.ty() {
        Type::Number => smallest_index(key).is_some_and(|place| length.upper().is_none_or(|max| place < max)),
        Type::Dynamic => length.upper() != Some(0),
        _ => false,
    }
}

/// Whether the key may be a string.
fn may_be_string(key: &Value) -> bool {
    matches!(key.ty(), Type::String | Type::Dynamic)
}

/// Whether a known map may have and may lack an element at the key.
fn map_outcomes(key: &Value, map: &MapView<'_>) -> ElementOutcomes {
    if let View::String(name) = view_below_marks(key) {
        let found = map.get(name).is_some();
        return (found, !found);
    }
    let range = key.range();
    let names = range.refinement().range();
    let may_have = may_be_string(key) && map.iter().any(|(name, _)| names.contains_string(name));
    let keys = range.refinement().string_language().and_then(|known| known.language().members());
    (may_have, keys.is_none_or(|keys| keys.iter().any(|key| map.get(key).is_none())))
}
