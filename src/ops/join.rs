//! The join of values, and the choice between two values.

use crate::error::{Error, Kind, Result};
use crate::value::{Value, join};

use super::logic::outcomes_of_bool;
use super::null_operand;

impl Value {
    /// The join of values: the narrowest value that contains every outcome of each (their least upper bound).
    ///
    /// | values | result |
    /// |---|---|
    /// | the same | that value |
    /// | of one type | unknown, with the refinement that holds for all of them |
    /// | lists of one length, maps of the same keys, tuples of one length, objects of the same attributes | one such container of the joined children |
    /// | sets | a set of the members that all have, and of unknown members for the others, with the range of their lengths |
    /// | collections of different element types | a collection whose element type contains `dynamic` |
    /// | of other different types, null or not | unknown of unknown type |
    ///
    /// Nothing is converted: the join of `1` and `"a"` is unknown. [`unify`](crate::convert::unify) finds a type to
    /// which both convert.
    ///
    /// ```
    /// use plantime::Value;
    ///
    /// let subnets = ["subnet-1", "subnet-22"].map(Value::from);
    /// let some = Value::join(&[&subnets[0], &subnets[1]])?;
    /// assert_eq!(some.to_string(), r#"(known after apply, one of "subnet-1", "subnet-22")"#);
    ///
    /// let [a, b] = [1, 3].map(|n| Value::tuple([Value::from("x"), Value::from(n)]));
    /// assert_eq!(Value::join(&[&a?, &b?])?.to_string(), r#"["x", (known after apply, one of 1, 3)]"#);
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Marks
    ///
    /// Marks at the top of any value are at the top of the result. A mark inside a value is on the corresponding part
    /// of the result, or on the nearest container around it if the result has no such part.
    ///
    /// # Errors
    ///
    /// When `values` is empty.
    pub fn join(values: &[&Value]) -> Result<Value> {
        join(values).ok_or_else(|| Error::new(Kind::Argument, "there is no value to join"))
    }

    /// One of two values, chosen by this condition.
    ///
    /// | condition | answer |
    /// |---|---|
    /// | true | the first value |
    /// | false | the second value |
    /// | unknown | the [join](Value::join) of both |
    ///
    /// Nothing is converted: a known condition returns one value unchanged. HCL converts both values to one type
    /// first; to get this, call [`unify`](crate::convert::unify) and [`convert`](crate::convert::convert) on both
    /// before.
    ///
    /// ```
    /// use plantime::{Type, Value};
    ///
    /// let [a, b] = ["eu-west-1", "eu-north-1"].map(Value::from);
    /// assert_eq!(Value::from(true).conditional(&a, &b)?, a);
    /// let region = Value::unknown(Type::Bool).conditional(&a, &b)?;
    /// assert_eq!(region.to_string(), r#"(known after apply, one of "eu-north-1", "eu-west-1")"#);
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Marks
    ///
    /// The result carries the marks of the condition, and those of the values that it may choose.
    ///
    /// # Errors
    ///
    /// When the condition is null, or is of a type other than bool.
    pub fn conditional(&self, if_true: &Value, if_false: &Value) -> Result<Value> {
        let (can_be_true, can_be_false) = outcomes_of_bool(self)?;
        let chosen = match (can_be_true, can_be_false) {
            (true, true) => join(&[if_true, if_false]),
            (true, false) => Some(if_true.clone()),
            (false, true) => Some(if_false.clone()),
            (false, false) => None,
        };
        Ok(chosen.ok_or_else(|| null_operand("truth"))?.with_marks(self.marks()))
    }
}
