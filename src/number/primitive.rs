//! Converts numbers to Rust's integers and floats, with the checks and messages of cty's `gocty`.

use std::fmt::Display;

use super::Number;
use crate::error::{Error, Kind, Result};

/// A Rust integer type that numbers are converted to.
pub(crate) trait Integer: Sized + Display {
    /// The smallest value.
    const MIN: Self;
    /// The greatest value.
    const MAX: Self;
    /// Whether the type has negative values.
    const SIGNED: bool;

    /// The number as this type; `None` if it is no integer or out of range.
    fn of(number: &Number) -> Option<Self>;
}

macro_rules! integers {
    ($($integer:ident: $signed:literal, $wide:ident;)*) => {$(
        impl Integer for $integer {
            const MIN: $integer = $integer::MIN;
            const MAX: $integer = $integer::MAX;
            const SIGNED: bool = $signed;

            /// The number as this integer type; `None` if it is no integer in its range.
            fn of(number: &Number) -> Option<$integer> {
                $integer::try_from(number.$wide()?).ok()
            }
        }
    )*};
}

integers! {
    i8: true, to_i64;
    i16: true, to_i64;
    i32: true, to_i64;
    i64: true, to_i64;
    i128: true, to_i128;
    u8: false, to_i64;
    u16: false, to_i64;
    u32: false, to_i64;
    u64: false, to_u64;
    u128: false, to_u128;
}

/// The number as a Rust integer; an error if it is not an integer in the range of the type.
pub(crate) fn integer<I: Integer>(number: &Number) -> Result<I> {
    I::of(number).ok_or_else(out_of_range::<I>)
}

/// The error for a number that is not an integer in the range of the type.
#[cold]
fn out_of_range<I: Integer>() -> Error {
    let message = if I::SIGNED {
        format!("value must be a whole number, between {} and {}", I::MIN, I::MAX)
    } else {
        format!("value must be a whole number, between 0 and {} inclusive", I::MAX)
    };
    Error::new(Kind::Argument, message)
}

/// The nearest `f64`; an error for a finite number that is too large for one.
pub(crate) fn double(number: &Number) -> Result<f64> {
    let float = number.to_f64();
    if float.is_infinite() && number.is_finite() {
        return Err(float_out_of_range(f64::MAX));
    }
    Ok(float)
}

/// The nearest `f32`; an error for a finite number that is too large for one.
pub(crate) fn single(number: &Number) -> Result<f32> {
    let float = number.to_f32();
    if float.is_infinite() && number.is_finite() {
        return Err(float_out_of_range(f32::MAX.into()));
    }
    Ok(float)
}

/// The error for a number beyond `most`, the greatest float.
#[cold]
fn float_out_of_range(most: f64) -> Error {
    Error::new(Kind::Argument, format!("value must be between -{most:.6} and {most:.6} inclusive"))
}
