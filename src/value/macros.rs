//! The `value!` macro.

/// A value written like JSON: objects and tuples, null untyped, anything else that is `Into<Value>`.
///
/// Gives a `Result`, since values have limits. A large literal may need a higher `recursion_limit`.
///
/// ```
/// use plantime::{Type, Value, value};
///
/// let id = Value::unknown(Type::String);
/// let vpc = value!({ "id": id.clone(), "cidrs": ["10.0.0.0/16"], "tags": null, "main": true })?;
/// assert_eq!(vpc.to_string(), r#"{cidrs = ["10.0.0.0/16"], id = (known after apply), main = true, tags = null}"#);
/// # Ok::<(), plantime::Error>(())
/// ```
#[macro_export]
macro_rules! value {
    // Internal: elements done so far, tokens of the element at hand, what is left.
    (@tuple [$($done:expr,)*] []) => { $crate::__value_tuple(::std::vec![$($done),*]) };
    (@tuple [$($done:expr,)*] [$($here:tt)+]) => { $crate::value!(@tuple [$($done,)* $crate::value!($($here)+),] []) };
    (@tuple [$($done:expr,)*] [$($here:tt)+] , $($left:tt)*) => {
        $crate::value!(@tuple [$($done,)* $crate::value!($($here)+),] [] $($left)*)
    };
    (@tuple [$($done:expr,)*] [$($here:tt)*] $next:tt $($left:tt)*) => {
        $crate::value!(@tuple [$($done,)*] [$($here)* $next] $($left)*)
    };
    // Internal: attributes done so far, name and tokens of the one at hand, what is left.
    (@object [$($done:expr,)*]) => { $crate::__value_object(::std::vec![$($done),*]) };
    (@object [$($done:expr,)*] $name:tt : $($left:tt)+) => {
        $crate::value!(@object [$($done,)*] ($name) [] $($left)+)
    };
    (@object [$($done:expr,)*] ($name:expr) [$($here:tt)+]) => {
        $crate::value!(@object [$($done,)* (::std::string::String::from($name), $crate::value!($($here)+)),])
    };
    (@object [$($done:expr,)*] ($name:expr) [$($here:tt)+] , $($left:tt)*) => {
        $crate::value!(@object [$($done,)* (::std::string::String::from($name), $crate::value!($($here)+)),] $($left)*)
    };
    (@object [$($done:expr,)*] ($name:expr) [$($here:tt)*] $next:tt $($left:tt)*) => {
        $crate::value!(@object [$($done,)*] ($name) [$($here)* $next] $($left)*)
    };
    (null) => { $crate::Result::<$crate::Value>::Ok($crate::Value::null($crate::Type::Dynamic)) };
    ([ $($items:tt)* ]) => { $crate::value!(@tuple [] [] $($items)*) };
    ({ $($attributes:tt)* }) => { $crate::value!(@object [] $($attributes)*) };
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
