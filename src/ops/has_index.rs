//! Whether a list, tuple or map has an element at a key.

use super::index::{not_indexable, smallest_place};
use super::{null_operand, truth, unknown_truth};
use crate::error::Result;
use crate::number::Number;
use crate::refinement::{LengthRange, Nullness, NumberRange};
use crate::types::Type;
use crate::value::{MapView, Value, View, equality, view_below_marks};

/// Whether some choice of the operands has the element, and whether some has it not.
type Outcomes = (bool, bool);

impl Value {
    /// Whether [`index`](Value::index) finds an element: true, false, or an unknown bool that is not null.
    ///
    /// | collection | key | answer |
    /// |---|---|---|
    /// | list, tuple | a number | whether it is a place: whole, at least 0, below the length |
    /// | map | a text | whether there is such a key |
    /// | list, tuple, map | of another type | false |
    /// | any of them, unknown or with an unknown key | any | decided where the length and what is known of the key decide it |
    /// | unknown of unknown type | any | false for what is no key of any collection, else unknown |
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
    /// When the collection or the key is null, of whatever type, and when the value is not a list, tuple or map.
    pub fn has_index(&self, key: &Value) -> Result<Value> {
        let null = || null_operand("elements");
        let (can_have, can_lack) = match view_below_marks(self) {
            View::Dynamic => (may_be_place(key, &LengthRange::default()) || may_be_text(key), true),
            View::List(list) => in_sequence(key, &LengthRange::exactly(list.len() as u64)),
            View::Tuple(tuple) => in_sequence(key, &LengthRange::exactly(tuple.len() as u64)),
            View::Map(map) => in_map(key, &map),
            View::Unknown(range) if range.nullness() == Nullness::Null => return Err(null()),
            View::Unknown(range) => match range.ty() {
                Type::List(_) => in_sequence(key, &range.length_range().unwrap_or_default()),
                Type::Tuple(ty) => in_sequence(key, &LengthRange::exactly(ty.len() as u64)),
                // Whatever its length, a map can lack any key.
                Type::Map(_) => {
                    let empty = range.length_range().is_some_and(|length| length.upper() == Some(0));
                    (!empty && may_be_text(key), true)
                }
                ty => return Err(not_indexable(ty)),
            },
            View::Null(Type::Dynamic | Type::List(_) | Type::Map(_) | Type::Tuple(_)) => return Err(null()),
            _ => return Err(not_indexable(&self.ty())),
        };
        if equality::is_always_null(key) {
            return Err(null_operand("use as a key"));
        }
        let answer = truth(can_have, can_lack).unwrap_or_else(unknown_truth);
        Ok(answer.with_marks_of(&[self, key]))
    }
}

fn in_sequence(key: &Value, length: &LengthRange) -> Outcomes {
    let range = key.range();
    let can_lack = match range.number_range().and_then(NumberRange::singleton).map(Number::to_u64) {
        Some(Some(place)) => place >= length.lower(),
        // What is not one number alone may be none, or no place.
        _ => true,
    };
    (may_be_place(key, length), can_lack)
}

/// Whether the key may be a place in a sequence of this length.
fn may_be_place(key: &Value, length: &LengthRange) -> bool {
    match key.ty() {
        Type::Number => smallest_place(key).is_some_and(|place| length.upper().is_none_or(|max| place < max)),
        Type::Dynamic => length.upper() != Some(0),
        _ => false,
    }
}

fn may_be_text(key: &Value) -> bool {
    matches!(key.ty(), Type::String | Type::Dynamic)
}

fn in_map(key: &Value, map: &MapView<'_>) -> Outcomes {
    if let View::String(name) = view_below_marks(key) {
        let found = map.get(name).is_some();
        return (found, !found);
    }
    let range = key.range();
    let prefix = range.prefix().unwrap_or("");
    (may_be_text(key) && map.iter().any(|(name, _)| name.starts_with(prefix)), true)
}
