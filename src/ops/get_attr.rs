//! Reading an attribute of an object.

use super::null_operand;
use crate::error::{Error, Kind, Result};
use crate::refinement::Nullness;
use crate::types::Type;
use crate::value::{Value, View, view_below_marks};

impl Value {
    /// The attribute of an object. The name is taken in normalization form C.
    ///
    /// | object | answer |
    /// |---|---|
    /// | known | the attribute, with the marks of the object added |
    /// | unknown | unknown of the attribute's type, refined by what is known of the attribute |
    /// | unknown of unknown type | unknown of unknown type |
    ///
    /// ```
    /// use plantime::{Type, Value};
    ///
    /// let vpc = Value::object([("id", Value::unknown(Type::String)), ("main", Value::from(true))])?;
    /// assert_eq!(vpc.get_attr("main")?, Value::from(true));
    /// assert_eq!(Value::unknown(vpc.ty()).get_attr("main")?, Value::unknown(Type::Bool));
    /// assert!(vpc.get_attr("name").unwrap_err().is_not_found());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the object is null, when it has no attribute of that name, and when the value is not an object.
    pub fn get_attr(&self, name: &str) -> Result<Value> {
        let attribute = match view_below_marks(self) {
            View::Dynamic => Some(Value::dynamic()),
            View::Object(object) => object.get(name).cloned(),
            View::Unknown(range) => match range.ty() {
                Type::Object(_) if range.nullness() == Nullness::Null => {
                    return Err(null_operand("attributes"));
                }
                Type::Object(ty) => ty.get(name).map(|ty| range.unknown_attribute(name, ty)),
                ty => return Err(object_required(ty)),
            },
            View::Null(Type::Dynamic | Type::Object(_)) => return Err(null_operand("attributes")),
            _ => return Err(object_required(&self.ty())),
        };
        let attribute = attribute
            .ok_or_else(|| Error::new(Kind::NotFound, format!("object has no attribute \"{name}\"")))?;
        Ok(attribute.with_marks(self.marks()))
    }
}

/// The error for a value of a type other than object.
#[cold]
fn object_required(found: &Type) -> Error {
    Error::new(Kind::TypeMismatch, format!("an object required, but have {}", found.friendly_name()))
}
