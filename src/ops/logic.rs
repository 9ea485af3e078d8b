//! The logical operations and, or, not.

use super::{bool_of_outcomes, null_operand};
use crate::error::{Error, Result};
use crate::types::Type;
use crate::value::{Value, View, view_below_marks};

/// Whether an operand may be true, and whether it may be false.
#[derive(Clone, Copy)]
struct PossibleBools {
    can_be_true: bool,
    can_be_false: bool,
}

/// Reads the possible truth values of an operand; an error if it is null or of another type.
fn possible_bools(operand: &Value) -> Result<PossibleBools> {
    let either = PossibleBools { can_be_true: true, can_be_false: true };
    match view_below_marks(operand) {
        View::Bool(truth) => Ok(PossibleBools { can_be_true: truth, can_be_false: !truth }),
        View::Null(Type::Bool | Type::Dynamic) => Err(null_operand("truth")),
        View::Dynamic => Ok(either),
        View::Unknown(range) if *range.ty() == Type::Bool => Ok(either),
        _ => Err(Error::mismatch(&Type::Bool, &operand.ty())),
    }
}

/// Whether the operand may be true, and whether it may be false; an error if it is null or of another type.
pub(super) fn outcomes_of_bool(operand: &Value) -> Result<(bool, bool)> {
    possible_bools(operand).map(|truth| (truth.can_be_true, truth.can_be_false))
}

/// The bool value with these possible outcomes and the marks of the operands.
fn result_value(operands: &[&Value], can_be_true: bool, can_be_false: bool) -> Result<Value> {
    let value = bool_of_outcomes(can_be_true, can_be_false).ok_or_else(|| null_operand("truth"))?;
    Ok(value.with_marks_of(operands))
}

impl Value {
    /// Logical and. False if one operand is false, whatever the other becomes.
    ///
    /// | and | true | false | unknown |
    /// |---|---|---|---|
    /// | **true** | true | false | unknown, not null |
    /// | **false** | false | false | **false** |
    /// | **unknown** | unknown, not null | **false** | unknown, not null |
    ///
    /// ```
    /// use plantime::{Type, Value};
    ///
    /// let unknown = Value::unknown(Type::Bool);
    /// assert_eq!(unknown.and(&Value::from(false))?, Value::from(false));
    /// assert!(!unknown.and(&Value::from(true))?.is_known());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When an operand is null, or is of a type other than bool.
    pub fn and(&self, other: &Value) -> Result<Value> {
        let (a, b) = (possible_bools(self)?, possible_bools(other)?);
        result_value(&[self, other], a.can_be_true && b.can_be_true, a.can_be_false || b.can_be_false)
    }

    /// Logical or. True if one operand is true, whatever the other becomes.
    ///
    /// ```
    /// use plantime::{Type, Value};
    ///
    /// let (yes, open) = (Value::from(true), Value::unknown(Type::Bool));
    /// assert_eq!(open.or(&yes)?, yes);
    /// assert!(!open.or(&yes.not()?)?.is_known());
    /// assert!(Value::null(Type::Bool).or(&yes).unwrap_err().is_null());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When an operand is null, or is of a type other than bool.
    pub fn or(&self, other: &Value) -> Result<Value> {
        let (a, b) = (possible_bools(self)?, possible_bools(other)?);
        result_value(&[self, other], a.can_be_true || b.can_be_true, a.can_be_false && b.can_be_false)
    }

    /// Logical not: true for false, false for true.
    ///
    /// [Example](Value::or)
    ///
    /// # Errors
    ///
    /// When the operand is null, or is of a type other than bool.
    pub fn not(&self) -> Result<Value> {
        let a = possible_bools(self)?;
        result_value(&[self], a.can_be_false, a.can_be_true)
    }
}
