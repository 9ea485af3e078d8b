//! The equality operation.

use super::unknown_bool;
use crate::error::Result;
use crate::mark::Marks;
use crate::value::{Value, equality};

impl Value {
    /// Whether two values are equal: true, false, or an unknown bool that is not null.
    ///
    /// | operands | answer |
    /// |---|---|
    /// | two nulls, of whatever types | true |
    /// | null and a value | false |
    /// | values of different types | false |
    /// | numbers, strings, bools | by value |
    /// | containers | by their children; false as soon as one pair of children certainly differs |
    /// | unknowns | false when their types, prefixes, ranges or lengths exclude each other and not both can be null; else unknown |
    ///
    /// This is not `==`, which compares representation: two unknown strings are `==`.
    ///
    /// ```
    /// use plantime::{Refinement, Type, Value};
    ///
    /// let vpc = Value::refined(Type::String, Refinement::prefix("vpc-").and_not_null())?;
    /// let subnet = Value::refined(Type::String, Refinement::prefix("subnet-").and_not_null())?;
    /// assert_eq!(vpc.equals(&subnet)?, Value::from(false));
    /// assert!(!vpc.equals(&vpc)?.is_known());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Marks
    ///
    /// The result carries the marks of every depth of both operands; when exactly one of them is null, contents
    /// are not read and only the marks at the top count.
    ///
    /// # Errors
    ///
    /// None today: any two values can be compared.
    pub fn equals(&self, other: &Value) -> Result<Value> {
        let answer = equality::equal(self, other);
        if self.contains_marks() || other.contains_marks() {
            let answer = answer.map_or_else(unknown_bool, Value::from);
            return Ok(answer.with_marks(&marks_read(self, other)));
        }
        match answer {
            Some(answer) => Ok(Value::from(answer)),
            None => Ok(unknown_bool()),
        }
    }

    /// The negation of [`equals`](Value::equals).
    ///
    /// ```
    /// use plantime::{Refinement, Type, Value};
    ///
    /// let vpc = Value::refined(Type::String, Refinement::prefix("vpc-").and_not_null())?;
    /// assert_eq!(vpc.not_equal(&Value::from("subnet-1"))?, Value::from(true));
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// None today: any two values can be compared.
    pub fn not_equal(&self, other: &Value) -> Result<Value> {
        self.equals(other)?.not()
    }
}

/// The marks of everything that the comparison reads: all of both values, or only those at the top if one is null.
fn marks_read(a: &Value, b: &Value) -> Marks {
    if a.is_null() != b.is_null() {
        a.marks().union(b.marks())
    } else {
        a.unmark_deep().1.union(&b.unmark_deep().1)
    }
}
