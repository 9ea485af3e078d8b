//! The operation that compares a value with the range of another value.

use super::{bool_of_outcomes, unknown_bool};
use crate::error::Result;
use crate::value::Value;

impl Value {
    /// Whether the type of this value, and what is known of it as a whole (nullness, prefix, interval, length), allow
    /// the other value: true, false, or an unknown bool. go-cty's `ValueRange.Includes`, as an operation.
    ///
    /// Compares neither the children of containers nor the content of a known value, so true does *not* mean that
    /// this value may become the other one: see [`may_become`](Value::may_become).
    ///
    /// ```
    /// use plantime::Value;
    ///
    /// let (planned, actual) = (Value::list(["a"])?, Value::list(["b"])?);
    /// assert_eq!(planned.type_and_refinement_allow(&actual)?, Value::from(true));
    /// assert!(!planned.may_become(&actual));
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// None today: any value can be compared with any range.
    pub fn type_and_refinement_allow(&self, value: &Value) -> Result<Value> {
        let answer = match self.range().includes(value) {
            Some(answer) => bool_of_outcomes(answer, !answer).unwrap_or_else(unknown_bool),
            None => unknown_bool(),
        };
        Ok(answer.with_marks(self.marks()).with_marks(value.marks()))
    }
}
