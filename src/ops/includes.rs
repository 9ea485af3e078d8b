//! What the range of a value allows, as an operation.

use super::{truth, unknown_truth};
use crate::error::Result;
use crate::value::Value;

impl Value {
    /// Whether the type of this value, and what is known of it as a whole (nullness, prefix, interval, length), allow
    /// the other value: true, false, or an unknown bool. go-cty's `ValueRange.Includes`, as an operation.
    ///
    /// No part is looked at, and neither is the content of a known value, so true does *not* mean that the other
    /// value fits what was planned: that is [`may_become`](Value::may_become).
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
    /// None today: any value can be held against any range.
    pub fn type_and_refinement_allow(&self, value: &Value) -> Result<Value> {
        let answer = match self.range().includes(value) {
            Some(answer) => truth(answer, !answer).unwrap_or_else(unknown_truth),
            None => unknown_truth(),
        };
        Ok(answer.with_marks(self.marks()).with_marks(value.marks()))
    }
}
