//! The membership operation of sets.

use super::{bool_of_outcomes, null_operand, unknown_bool};
use crate::error::{Error, Kind, Result};
use crate::refinement::Nullness;
use crate::types::Type;
use crate::value::{Value, View, membership, view_below_marks};

impl Value {
    /// Whether a value is a member of the set: true, false, or an unknown bool that is not null.
    ///
    /// | set | value | answer |
    /// |---|---|---|
    /// | wholly known | wholly known | whether it is a member |
    /// | any | of a type that its members cannot have, null or not | false |
    /// | with unknown members | wholly known | true for a known member; false if no member can become the value |
    /// | wholly known | unknown | false if the value can become no member |
    /// | of bool | any | exact: all sets that the set may become are enumerated |
    /// | unknown, also of unknown type | any | false when the length or the types exclude it, else unknown |
    ///
    /// ```
    /// use plantime::{Refinement, Type, Value};
    ///
    /// let vpc = Value::refined(Type::String, Refinement::prefix("vpc-").and_not_null())?;
    /// let set = Value::set([Value::from("a"), vpc])?;
    /// assert_eq!(set.has_element(&Value::from("a"))?, Value::from(true));
    /// assert_eq!(set.has_element(&Value::from("sg-1"))?, Value::from(false));
    /// assert!(!set.has_element(&Value::from("vpc-1"))?.is_known());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Marks
    ///
    /// The result carries the marks of the set, which has those of its members, and the marks of every depth of
    /// the value.
    ///
    /// # Errors
    ///
    /// When the set is null, and when the value is not a set.
    pub fn has_element(&self, value: &Value) -> Result<Value> {
        let (may_contain, may_lack) = match view_below_marks(self) {
            View::Dynamic => membership::in_any_set(value),
            View::Set(set) => membership::in_set(set.node(), value),
            View::Unknown(range) => match range.ty() {
                Type::Set(_) if range.nullness() == Nullness::Null => return Err(null_operand("members")),
                Type::Set(ty) => membership::in_unknown_set(ty, range.refinement(), value),
                ty => return Err(set_required(ty)),
            },
            View::Null(Type::Dynamic | Type::Set(_)) => return Err(null_operand("members")),
            _ => return Err(set_required(&self.ty())),
        };
        let answer =
            bool_of_outcomes(may_contain, may_lack).unwrap_or_else(unknown_bool).with_marks(self.marks());
        Ok(if value.contains_marks() { answer.with_marks(&value.unmark_deep().1) } else { answer })
    }
}

/// The error for a value of a type other than set.
#[cold]
fn set_required(found: &Type) -> Error {
    Error::new(Kind::TypeMismatch, format!("a set required, but have {}", found.friendly_name()))
}
