//! Reads floats, and hands numbers to visitors of serde.

use serde_core::de::Visitor;

use crate::error::{Error, Kind, Result};
use crate::number::Number;
use crate::number::primitive::double;

/// The shortest decimal that reads back as the float; an error for NaN.
pub(super) fn from_float(shortest: &dyn std::fmt::LowerExp, is_nan: bool) -> Result<Number> {
    if is_nan {
        return Err(Error::new(Kind::Argument, "NaN is no number"));
    }
    format!("{shortest:e}").parse()
}

/// Passes the number to a visitor that gives no hint of what it needs: as the first of these that holds it exactly,
/// an integer of 64 bits, the float whose shortest decimal it is, an integer of 128 bits; else as the nearest
/// float.
pub(super) fn visit<'de, V: Visitor<'de>>(number: &Number, visitor: V) -> Result<V::Value> {
    if let Some(integer) = number.to_u64() {
        return visitor.visit_u64(integer);
    }
    if let Some(integer) = number.to_i64() {
        return visitor.visit_i64(integer);
    }
    if number.is_infinite() {
        // serde_json would read an infinite float as null.
        return Err(Error::new(Kind::Argument, "an infinity is read as a float or a Number only"));
    }
    let float = double(number)?;
    if Number::try_from(float).is_ok_and(|same| same == *number) {
        return visitor.visit_f64(float);
    }
    if let Some(integer) = number.to_i128() {
        return visitor.visit_i128(integer);
    }
    match number.to_u128() {
        Some(integer) => visitor.visit_u128(integer),
        None => visitor.visit_f64(float),
    }
}
