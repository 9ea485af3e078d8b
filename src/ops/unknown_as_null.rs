//! Replacing unknowns by nulls.

use crate::error::Result;
use crate::value::Value;

impl Value {
    /// The value with every unknown in it, at any depth, replaced by the null of its type. Marks are kept.
    ///
    /// | part | becomes |
    /// |---|---|
    /// | unknown, refined or not | the null of its type |
    /// | unknown of unknown type | the untyped null |
    /// | unknown members of a set | one null |
    /// | known | itself |
    ///
    /// Use it to write a value in a format that has no unknowns, such as plain JSON. The result loses information,
    /// and is usually not an outcome of the value. A collection whose element type contains `dynamic` keeps its type.
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
    /// None today: no part changes its type or becomes larger.
    pub fn unknown_as_null(&self) -> Result<Value> {
        if self.is_wholly_known() {
            return Ok(self.clone());
        }
        self.transform(|_, part| {
            Ok(if part.is_known() { part } else { Value::null(part.ty()).with_marks(part.marks()) })
        })
    }
}
