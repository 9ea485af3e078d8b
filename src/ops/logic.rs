//! Logic: and, or, not.

use super::{null_operand, truth};
use crate::error::{Error, Result};
use crate::types::Type;
use crate::value::{Value, View, view_below_marks};

/// Which truth values an operand may have.
#[derive(Clone, Copy)]
struct Truth {
    can_be_true: bool,
    can_be_false: bool,
}

fn read(operand: &Value) -> Result<Truth> {
    let either = Truth { can_be_true: true, can_be_false: true };
    match view_below_marks(operand) {
        View::Bool(truth) => Ok(Truth { can_be_true: truth, can_be_false: !truth }),
        View::Null(Type::Bool | Type::Dynamic) => Err(null_operand("truth")),
        View::Dynamic => Ok(either),
        View::Unknown(range) if *range.ty() == Type::Bool => Ok(either),
        _ => Err(Error::mismatch(&Type::Bool, &operand.ty())),
    }
}

/// Whether the operand may be true, and whether it may be false.
pub(super) fn truth_of(operand: &Value) -> Result<(bool, bool)> {
    read(operand).map(|truth| (truth.can_be_true, truth.can_be_false))
}

fn answer(operands: &[&Value], can_be_true: bool, can_be_false: bool) -> Result<Value> {
    let value = truth(can_be_true, can_be_false).ok_or_else(|| null_operand("truth"))?;
    Ok(value.with_marks_of(operands))
}

impl Value {
    /// True if both operands are. If one is false the answer is false, whatever the other becomes.
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
        let (a, b) = (read(self)?, read(other)?);
        answer(&[self, other], a.can_be_true && b.can_be_true, a.can_be_false || b.can_be_false)
    }

    /// True if at least one operand is. If one is true the answer is true, whatever the other becomes.
    ///
    /// # Errors
    ///
    /// When an operand is null, or is of a type other than bool.
    pub fn or(&self, other: &Value) -> Result<Value> {
        let (a, b) = (read(self)?, read(other)?);
        answer(&[self, other], a.can_be_true || b.can_be_true, a.can_be_false && b.can_be_false)
    }

    /// The opposite of a bool: true for false.
    ///
    /// # Errors
    ///
    /// When the operand is null, or is of a type other than bool.
    pub fn not(&self) -> Result<Value> {
        let a = read(self)?;
        answer(&[self], a.can_be_false, a.can_be_true)
    }
}
