//! The `value!` macro.

/// Builds a value from JSON syntax: objects, tuples, the untyped `null`, and any expression that is `Into<Value>`. A
/// literal with a decimal point is exactly the decimal written: `0.1` is one tenth.
///
/// Returns a `Result`, since values have limits. A large literal may need a higher `recursion_limit`.
///
/// ```
/// use plantime::{Type, Value, value};
///
/// let id = Value::unknown(Type::String);
/// let vpc = value!({ "id": id.clone(), "cidrs": ["10.0.0.0/16"], "tags": null, "main": true })?;
/// assert_eq!(vpc.to_string(), r#"{cidrs = ["10.0.0.0/16"], id = (known after apply), main = true, tags = null}"#);
/// assert_eq!(value!([2.5, -0.1])?.to_string(), "[2.5, -0.1]");
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
    // A `-` may begin a literal, and the macro matcher does not backtrack once it has begun to match one.
    (- $literal:literal) => {
        $crate::__value_literal::Literal::value(-$literal, ::std::concat!("-", ::std::stringify!($literal)))
    };
    (- $($other:tt)+) => { $crate::Result::<$crate::Value>::Ok($crate::Value::from(- $($other)+)) };
    ($literal:literal) => { $crate::__value_literal::Literal::value($literal, ::std::stringify!($literal)) };
    ($other:expr) => { $crate::Result::<$crate::Value>::Ok($crate::Value::from($other)) };
}

use super::Value;
use crate::error::Result;
use crate::number::Number;

/// The values of Rust literals. `Value` is not `From<f64>`: most decimals have no exact `f64`, and NaN is no number.
#[doc(hidden)]
pub mod literal {
    use super::{Number, Result, Value};

    /// A Rust literal that the macro `value!` accepts.
    pub trait Literal {
        /// The value of a literal; `written` is its source text.
        fn value(self, written: &str) -> Result<Value>;
    }

    impl Literal for f64 {
        fn value(self, written: &str) -> Result<Value> {
            let digits: String = written.chars().filter(|c| !matches!(c, '_' | ' ')).collect();
            let digits = digits.strip_suffix("f64").unwrap_or(&digits);
            // Rust allows the literal `1.`, which `Number` does not parse.
            let number: Number = digits.strip_suffix('.').unwrap_or(digits).parse()?;
            Ok(Value::from(number))
        }
    }

    macro_rules! others {
        ($($ty:ty)*) => {$(
            impl Literal for $ty {
                fn value(self, _written: &str) -> Result<Value> {
                    Ok(Value::from(self))
                }
            }
        )*};
    }
    others!(bool &str i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize);
}

/// Builds the tuple of a [`value!`](crate::value!) literal; the first error of an item if there is one.
#[doc(hidden)]
pub fn value_tuple(items: Vec<Result<Value>>) -> Result<Value> {
    Value::tuple(items.into_iter().collect::<Result<Vec<Value>>>()?)
}

/// Builds the object of a [`value!`](crate::value!) literal; the first error of an attribute if there is one.
#[doc(hidden)]
pub fn value_object(attributes: Vec<(String, Result<Value>)>) -> Result<Value> {
    let attributes: Result<Vec<(String, Value)>> =
        attributes.into_iter().map(|(name, value)| Ok((name, value?))).collect();
    Value::object(attributes?)
}
