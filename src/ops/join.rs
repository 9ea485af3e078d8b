//! What several values have in common, and the choice between two.

use crate::error::{Error, Kind, Result};
use crate::value::{Value, join};

use super::logic::truth_of;
use super::null_operand;

impl Value {
    /// The least value that contains everything the values may become: their best common upper bound.
    ///
    /// | values | answer |
    /// |---|---|
    /// | the same | that value |
    /// | of one type | unknown, with what all their ranges have in common |
    /// | lists of one length, maps of the same keys, tuples of one length, objects of the same attributes | one such container, joined part by part |
    /// | sets | a set of the members that all have, and of unknown ones for the others, of the lengths they have |
    /// | collections of different element types | a collection of undecided element type |
    /// | of types that have nothing in common, null or not | unknown of unknown type |
    ///
    /// Nothing is converted: `1` and `"a"` have nothing in common. [`unify`](crate::convert::unify) tells a type that
    /// both convert to.
    ///
    /// ```
    /// use plantime::Value;
    ///
    /// let subnets = ["subnet-1", "subnet-22"].map(Value::from);
    /// let some = Value::join(&[&subnets[0], &subnets[1]])?;
    /// assert_eq!(some.to_string(), r#""subnet-${(known after apply)}""#);
    ///
    /// let [a, b] = [1, 3].map(|n| Value::tuple([Value::from("x"), Value::from(n)]));
    /// assert_eq!(Value::join(&[&a?, &b?])?.to_string(), r#"["x", (known after apply, >= 1, <= 3)]"#);
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Marks
    ///
    /// Marks at the top of any value are at the top of the result. Those inside stay at their place, or go up to what
    /// is left of the container that they were in.
    ///
    /// # Errors
    ///
    /// When there is no value.
    pub fn join(values: &[&Value]) -> Result<Value> {
        join(values).ok_or_else(|| Error::new(Kind::Argument, "there is no value to join"))
    }

    /// One of two values, by this condition.
    ///
    /// | condition | answer |
    /// |---|---|
    /// | true | the first value |
    /// | false | the second value |
    /// | unknown | the [join](Value::join) of both |
    ///
    /// Nothing is converted: each answer is one of the two as it is. HCL converts both to one type first, even the one
    /// that is chosen; a language that wants this calls [`unify`](crate::convert::unify) and
    /// [`convert`](crate::convert::convert) on both before.
    ///
    /// ```
    /// use plantime::{Type, Value};
    ///
    /// let [a, b] = ["eu-west-1", "eu-north-1"].map(Value::from);
    /// assert_eq!(Value::from(true).conditional(&a, &b)?, a);
    /// let region = Value::unknown(Type::Bool).conditional(&a, &b)?;
    /// assert_eq!(region.to_string(), r#""eu-${(known after apply)}""#);
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
        let (can_be_true, can_be_false) = truth_of(self)?;
        let chosen = match (can_be_true, can_be_false) {
            (true, true) => join(&[if_true, if_false]),
            (true, false) => Some(if_true.clone()),
            (false, true) => Some(if_false.clone()),
            (false, false) => None,
        };
        Ok(chosen.ok_or_else(|| null_operand("truth"))?.with_marks(self.marks()))
    }
}
