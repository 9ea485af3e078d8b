//! Conversions from Rust values into values: `From` and `FromIterator`.

use crate::error::{Error, Result};
use crate::number::Number;
use crate::text::Text;

use super::build::list_of_items;
use super::repr::KnownRepr;
use super::{Known, Value};
use crate::types::{ListType, Type};

/// Wraps the representation of a wholly known value in a [`Value`].
#[inline]
fn known(repr: KnownRepr) -> Value {
    Value::Known(Known(repr))
}

impl From<bool> for Value {
    #[inline]
    fn from(truth: bool) -> Value {
        known(KnownRepr::Bool(truth))
    }
}

impl From<Number> for Value {
    #[inline]
    fn from(number: Number) -> Value {
        known(KnownRepr::Number(number))
    }
}

impl From<&Number> for Value {
    fn from(number: &Number) -> Value {
        Value::from(number.clone())
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Value {
        known(KnownRepr::String(Text::from(text)))
    }
}

impl From<String> for Value {
    fn from(text: String) -> Value {
        known(KnownRepr::String(Text::from(text)))
    }
}

impl From<&String> for Value {
    fn from(text: &String) -> Value {
        Value::from(text.as_str())
    }
}

impl From<std::borrow::Cow<'_, str>> for Value {
    fn from(text: std::borrow::Cow<'_, str>) -> Value {
        Value::from(&*text)
    }
}

impl From<Text> for Value {
    fn from(text: Text) -> Value {
        known(KnownRepr::String(text))
    }
}

impl From<&Value> for Value {
    fn from(value: &Value) -> Value {
        value.clone()
    }
}

macro_rules! from_integers {
    ($($integer:ty),*) => {$(
        impl From<$integer> for Value {
            #[inline]
            fn from(integer: $integer) -> Value {
                Value::from(Number::from(integer))
            }
        }
    )*};
}

from_integers!(i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize);

macro_rules! from_options_and_vecs {
    ($ty:expr, $list:expr, $($item:ty)*) => {$(
        /// `None` is the null of the type.
        impl From<Option<$item>> for Value {
            fn from(item: Option<$item>) -> Value {
                item.map_or_else(|| Value::null($ty), Value::from)
            }
        }

        /// A list. An empty vector gives an empty list of the same element type. For other iterators use
        /// [`Value::list`].
        impl From<Vec<$item>> for Value {
            fn from(items: Vec<$item>) -> Value {
                list_of_items($list, items.into_iter().map(Value::from).collect())
            }
        }
    )*};
}

from_options_and_vecs!(Type::Bool, ListType::of_bools(), bool);
from_options_and_vecs!(Type::String, ListType::of_strings(), &str String);
from_options_and_vecs!(
    Type::Number, ListType::of_numbers(), Number i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize
);

/// The shortest decimal that reads back as the same float: `0.1` is one tenth. NaN is an error.
impl TryFrom<f64> for Value {
    type Error = Error;

    fn try_from(float: f64) -> Result<Value> {
        Ok(Value::from(Number::try_from(float)?))
    }
}

/// `collect::<Result<Value, _>>()` of values gives a tuple.
///
/// ```
/// use plantime::{Error, Value};
///
/// let tuple: Value = ["a", "b"].into_iter().map(Value::from).collect::<Result<_, Error>>()?;
/// assert_eq!(tuple.to_string(), r#"["a", "b"]"#);
/// # Ok::<(), Error>(())
/// ```
impl FromIterator<Value> for Result<Value, Error> {
    fn from_iter<I: IntoIterator<Item = Value>>(items: I) -> Result<Value, Error> {
        Value::tuple(items)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_and_vectors_have_the_type_of_their_items() {
        assert_eq!(Value::from(Some(5)), Value::from(5));
        assert_eq!(Value::from(None::<&str>), Value::null(Type::String));
        let strings: Type = "list(string)".parse().expect("a type");
        assert_eq!(Value::from(Vec::<String>::new()).ty(), strings);
        assert_eq!(Value::from(vec!["a", "b"]), Value::list(["a", "b"]).expect("a list"));
        assert_eq!(Value::from(vec![true]).ty(), Type::list(Type::Bool).expect("a type"));
    }
}
