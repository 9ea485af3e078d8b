//! Constraints as values, for functions with a type as an argument.

use crate::capsule::Capsule;
use crate::constraint::TypeConstraint;
use crate::error::Result;
use crate::types::Type;
use crate::value::Value;

/// A type as a value, such as the second argument of the function `convert`. A string in the text form of constraints
/// converts to one.
///
/// ```
/// use plantime::{Type, TypeConstraint, Value, convert};
///
/// let ports: TypeConstraint = "list(number)".parse()?;
/// let given = convert(&Value::from("list(number)"), &Type::capsule::<TypeConstraint>().into())?;
/// assert_eq!(given, Value::capsule(ports));
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
