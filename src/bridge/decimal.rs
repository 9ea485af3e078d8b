//! Numbers of other crates with every digit, for `#[serde(with = "plantime::bridge::decimal")]`.
//!
//! Crates of large numbers have serde forms of their own (`num_bigint::BigInt` a sequence of words,
//! `bigdecimal::BigDecimal` a string). With this module a field of such a type is read and written as a [`Number`].
//!
//! ```
//! use num_bigint::BigInt;
//! use plantime::bridge::{from_value, to_value};
//! use plantime::Value;
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Debug, PartialEq, Serialize, Deserialize)]
//! struct Supply {
//!     #[serde(with = "plantime::bridge::decimal")]
//!     total: BigInt,
//! }
//!
//! let supply = Supply { total: BigInt::from(u128::MAX) * 10 };
//! let value = to_value(&supply)?;
//! assert_eq!(value.to_string(), "{total = 3402823669209384634633746074317682114550}");
//! assert_eq!(from_value::<Supply>(&value)?, supply);
//! # Ok::<(), plantime::Error>(())
//! ```

use std::fmt::Display;
use std::str::FromStr;

use serde_core::de::Error as _;
use serde_core::ser::Error as _;
use serde_core::{Deserialize, Deserializer, Serialize, Serializer};

use crate::number::Number;

/// Writes a type whose `Display` is a decimal, as a [`Number`].
///
/// [Example](self)
///
/// # Errors
///
/// If the text is not a number, or the number is above [`limits::DIGITS`](crate::limits::DIGITS).
pub fn serialize<T: Display, S: Serializer>(number: &T, serializer: S) -> Result<S::Ok, S::Error> {
    number.to_string().parse::<Number>().map_err(S::Error::custom)?.serialize(serializer)
}

/// Reads a [`Number`] into a type whose `FromStr` reads a decimal.
///
/// [Example](self)
///
/// # Errors
///
/// If `FromStr` refuses the number, such as a fraction for an integer.
pub fn deserialize<'de, T: FromStr<Err: Display>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    let number = Number::deserialize(deserializer)?;
    let refused = |error| D::Error::custom(format_args!("the number is not fit: {error}"));
    number.to_string().parse().map_err(refused)
}
