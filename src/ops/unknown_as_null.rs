//! Nulls in place of what is not known.

use crate::error::Result;
use crate::value::Value;

impl Value {
    /// The value with every unknown in it, at any depth, replaced by the null of its type. Marks stay where they are.
    ///
    /// | part | gives |
    /// |---|---|
    /// | unknown, refined or not | the null of its type |
    /// | unknown of unknown type | the untyped null |
    /// | unknown members of a set | one null |
    /// | known | itself |
    ///
    /// This is for writing down a value where unknowns have no form, such as plain JSON: it says less than the value,
    /// and other things than the value may become. A collection whose element type is undecided stays so.
    ///
    /// ```
    /// use plantime::{Type, Value};
    ///
    /// let vpc = Value::object([("id", Value::unknown(Type::String)), ("name", Value::from("web"))])?;
    /// assert_eq!(vpc.unknown_as_null()?.to_string(), r#"{id = null, name = "web"}"#);
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// None today: nothing gets another type, or becomes larger.
    pub fn unknown_as_null(&self) -> Result<Value> {
        if self.is_wholly_known() {
            return Ok(self.clone());
        }
        self.transform(|_, part| {
            Ok(if part.is_known() { part } else { Value::null(part.ty()).with_marks(part.marks()) })
        })
    }
}
