//! Conversions from values into Rust values: `TryFrom`.

use super::Value;
use crate::error::{Error, Result};
use crate::number::{Number, primitive};

/// Converts a wholly known value without marks. Null, an unknown and a marked value are errors, and so is a value of
/// another type: `"5"` is no number.
macro_rules! read_as {
    ($($rust:ty: $read:expr;)*) => {$(
        impl TryFrom<&Value> for $rust {
            type Error = Error;

            fn try_from(value: &Value) -> Result<$rust> {
                let read: fn(&Value) -> Result<$rust> = $read;
                read(value)
            }
        }

        impl TryFrom<Value> for $rust {
            type Error = Error;

            fn try_from(value: Value) -> Result<$rust> {
                <$rust>::try_from(&value)
            }
        }
    )*};
}

macro_rules! read_as_integers {
    ($($integer:ty)*) => {
        read_as! { $($integer: |value| primitive::integer(value.as_number()?);)* }
    };
}

read_as! {
    bool: Value::as_bool;
    String: |value| value.as_str().map(str::to_owned);
    Number: |value| value.as_number().cloned();
    f64: |value| primitive::double(value.as_number()?);
}
read_as_integers!(i8 i16 i32 i64 i128 u8 u16 u32 u64 u128);

impl<'v> TryFrom<&'v Value> for &'v str {
    type Error = Error;

    fn try_from(value: &'v Value) -> Result<&'v str> {
        value.as_str()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mark::Mark;
    use crate::types::Type;
    use crate::value;

    #[test]
    fn known_values_are_read_as_rust_values() {
        assert_eq!(bool::try_from(Value::from(true)), Ok(true));
        assert_eq!(u8::try_from(Value::from(255)), Ok(255));
        assert_eq!(i64::try_from(&Value::from(-3)), Ok(-3));
        assert_eq!(f64::try_from(value!(0.5).unwrap()), Ok(0.5));
        assert_eq!(String::try_from(Value::from("a")).as_deref(), Ok("a"));
        assert_eq!(<&str>::try_from(&Value::from("a")), Ok("a"));
    }

    #[test]
    fn what_has_no_such_rust_value_is_an_error() {
        let errors =
            |value: Value| (u8::try_from(&value).unwrap_err(), String::try_from(&value).unwrap_err());
        let (number, string) = errors(Value::from(256));
        assert_eq!(number.to_string(), "value must be a whole number, between 0 and 255 inclusive");
        assert_eq!(string.to_string(), "string required, but have number");
        assert!(u8::try_from(value!(2.5).unwrap()).is_err());
        assert!(errors(Value::null(Type::Number)).0.is_null());
        assert!(errors(Value::unknown(Type::Number)).0.is_unknown());
        assert!(errors(Value::from(5).mark(Mark::SENSITIVE)).0.is_marked());
    }
}
