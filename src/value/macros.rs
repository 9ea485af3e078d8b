//! The `value!` macro.

/// A value written like JSON: objects and tuples, null untyped, anything else that is `Into<Value>`.
///
/// Gives a `Result`, since values have limits.
///
/// ```
/// use plantime::{Type, Value, value};
///
/// let id = Value::unknown(Type::String);
/// let vpc = value!({ "id": id, "cidrs": ["10.0.0.0/16"], "tags": null, "main": true })?;
/// assert_eq!(vpc.to_string(), r#"{cidrs = ["10.0.0.0/16"], id = (known after apply), main = true, tags = null}"#);
/// # Ok::<(), plantime::Error>(())
/// ```
#[macro_export]
macro_rules! value {
    (null) => { $crate::Result::<$crate::Value>::Ok($crate::Value::null($crate::Type::Dynamic)) };
    ([ $($item:tt),* $(,)? ]) => {
        $crate::__value_tuple(::std::vec![$($crate::value!($item)),*])
    };
    ({ $($name:tt : $item:tt),* $(,)? }) => {
        $crate::__value_object(::std::vec![$((::std::string::String::from($name), $crate::value!($item))),*])
    };
    ($other:expr) => { $crate::Result::<$crate::Value>::Ok($crate::Value::from($other)) };
}

use super::Value;
use crate::error::Result;

#[doc(hidden)]
pub fn value_tuple(items: Vec<Result<Value>>) -> Result<Value> {
    Value::tuple(items.into_iter().collect::<Result<Vec<Value>>>()?)
}

#[doc(hidden)]
pub fn value_object(attributes: Vec<(String, Result<Value>)>) -> Result<Value> {
    let attributes: Result<Vec<(String, Value)>> =
        attributes.into_iter().map(|(name, value)| Ok((name, value?))).collect();
    Value::object(attributes?)
}
