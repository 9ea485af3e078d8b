//! Range inclusion, as an operation.

use super::{truth, unknown_truth};
use crate::error::Result;
use crate::value::Value;

impl Value {
    /// Whether the other value lies within the range of this one: true, false, or an unknown bool.
    ///
    /// The range is what is known of this value now ([`Value::range`]), so the question is about the present
    /// plan and not about final values. Null lies within every range that may be null.
    ///
    /// # Errors
    ///
    /// None today: any value can be held against any range.
    pub fn range_includes(&self, value: &Value) -> Result<Value> {
        let answer = match self.range().includes(value) {
            Some(answer) => truth(answer, !answer).unwrap_or_else(unknown_truth),
            None => unknown_truth(),
        };
        Ok(answer.with_marks(self.marks()).with_marks(value.marks()))
    }
}
