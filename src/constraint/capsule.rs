//! A constraint as a value: what functions take that convert.

use crate::capsule::Capsule;
use crate::error::Result;
use crate::types::Type;
use crate::value::Value;

use super::TypeConstraint;

/// A type as a value, such as the second argument of the function `convert`. A string converts to one, in the text form
/// of constraints.
///
/// ```
/// use plantime::function::Functions;
/// use plantime::{TypeConstraint, Value};
///
/// let ports: TypeConstraint = "list(number)".parse()?;
/// let given = Value::tuple([Value::from("80"), Value::from(443)])?;
/// let converted = Functions::standard().call("convert", &[given, Value::capsule(ports)])?;
/// assert_eq!(converted, Value::list([80, 443])?);
/// # Ok::<(), plantime::Error>(())
/// ```
impl Capsule for TypeConstraint {
    const NAME: &'static str = "type";

    fn conversion_from(ty: &Type) -> Option<fn(&Value) -> Result<TypeConstraint>> {
        match ty {
            Type::String => Some(|text| text.as_str()?.parse()),
            _ => None,
        }
    }
}
