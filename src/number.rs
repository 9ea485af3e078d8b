//! The type [`Number`]: exact decimal numbers of any size, and the two infinities.

mod arith;
mod big;
mod digits;
mod divide;
mod float;
mod limbs;
mod long_division;
mod order;
mod parse;
pub(crate) mod primitive;
mod round;
mod significant;
#[cfg(test)]
mod tests;
mod text;

use std::borrow::Cow;
use std::sync::Arc;

use bigdecimal::BigDecimal;
use num_bigint::{BigInt, Sign};
use num_traits::ToPrimitive;

use crate::error::{Error, Kind, Result};
use crate::limits::DIGITS;
use big::Big;

pub(crate) use parse::REQUIRED as NUMBER_REQUIRED;
pub use round::Rounding;
pub(crate) use significant::Significant;

/// An exact decimal number, or one of the two infinities.
///
/// Only a quotient whose expansion does not end is rounded ([`divide`](Number::divide)): `0.1 + 0.2` is `0.3`, and
/// `2^64 + 1` is not `2^64`. Each number has one representation: `1.0` is `1`, `-0` is `0`. Numbers are ordered by
/// value, `-inf` first and `inf` last. A number is printed as plain text without exponent, which reads back as the
/// same number.
///
/// Plain text has at most [`limits::DIGITS`](crate::limits::DIGITS) digits before and after the point. An operation
/// whose result would be longer returns an error ([`Error::is_limit`]).
///
/// ```
/// use plantime::Number;
///
/// let tenth: Number = "0.1".parse()?;
/// let fifth: Number = "2e-1".parse()?;
/// assert_eq!(tenth.add(&fifth)?.to_string(), "0.3");
/// assert_eq!(Number::from(3).divide(&Number::ZERO)?, Number::INFINITY);
/// # Ok::<(), plantime::Error>(())
/// ```
///
/// # Grammar
///
/// [`FromStr`](std::str::FromStr) reads what cty reads, except its binary exponent (`1p4`). A number that is too
/// large is an error, not an infinity. Nothing may precede or follow the number, not even a space.
///
/// ```text
/// number   = [ "+" | "-" ] ( decimal | "inf" | "Inf" )
/// decimal  = ( digits [ "." [ digits ] ] | "." digits ) [ ( "e" | "E" ) [ "+" | "-" ] digits ]
/// digits   = "0".."9" { "0".."9" }
/// ```
///
/// An exponent that does not fit 64 bits is an error of the limit, even for a zero.
///
/// # Infinities
///
/// | operation | result |
/// |---|---|
/// | x / 0 | `inf` by the sign of x; 0 / 0 is undefined |
/// | inf + x, inf - x, inf * x, inf / x | `inf`, by the signs; inf - inf, 0 * inf, inf / inf are undefined |
/// | x / inf | 0 |
/// | x rem inf | x; x rem 0 and inf rem x are undefined |
///
/// An undefined result is an error ([`Error::is_undefined`]).
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Number(Repr);

/// How a number is stored: as `mantissa * 10^-scale`, or as an infinity. Equal numbers are stored the same way, so
/// that the derived `Eq` and `Hash` compare by value: see [`Number::canonical`].
#[derive(Clone, PartialEq, Eq, Hash)]
enum Repr {
    /// `mantissa * 10^-scale`, where `scale` is 0 or `mantissa` is not divisible by 10.
    Small {
        mantissa: i64,
        scale: u16,
    },
    /// `mantissa * 10^-scale` for a mantissa that does not fit 64 bits.
    Big(Arc<Big>),
    Infinity,
    NegInfinity,
}

/// A number as separate mantissa and scale (`mantissa * 10^-scale`), or the sign of an infinity.
enum Parts<'a> {
    Finite(Cow<'a, BigInt>, u16),
    Infinite { negative: bool },
}

impl Number {
    /// The number zero, which has no sign.
    pub const ZERO: Number = Number(Repr::Small { mantissa: 0, scale: 0 });
    /// The number one (1).
    pub const ONE: Number = Number(Repr::Small { mantissa: 1, scale: 0 });
    /// Positive infinity, above every other number.
    pub const INFINITY: Number = Number(Repr::Infinity);
    /// Negative infinity, below every other number.
    pub const NEG_INFINITY: Number = Number(Repr::NegInfinity);

    /// The negative infinity if `negative`, else the positive one.
    fn infinity(negative: bool) -> Number {
        if negative { Number::NEG_INFINITY } else { Number::INFINITY }
    }

    /// The number with the value of an `i64`.
    #[inline]
    pub(crate) const fn small_integer(mantissa: i64) -> Number {
        Number(Repr::Small { mantissa, scale: 0 })
    }

    /// The number with the value of an `i128`.
    fn integer(value: i128) -> Number {
        match i64::try_from(value) {
            Ok(mantissa) => Number::small_integer(mantissa),
            Err(_) => Number(Repr::Big(Arc::new(Big::wide(value, 0)))),
        }
    }

    /// The number `mantissa * 10^-scale`; an error if it has more digits after the point than the limit.
    fn small(mut mantissa: i64, mut scale: u32) -> Result<Number> {
        if scale == 0 {
            return Ok(Number::small_integer(mantissa));
        }
        while scale > 0 && mantissa % 10 == 0 {
            if mantissa == 0 {
                return Ok(Number::ZERO);
            }
            mantissa /= 10;
            scale = scale.saturating_sub(1);
        }
        match u16::try_from(scale) {
            Ok(scale) if usize::from(scale) < DIGITS => Ok(Number(Repr::Small { mantissa, scale })),
            _ => Err(too_long()),
        }
    }

    /// The number `mantissa * 10^-scale` of a mantissa of 128 bits; an error if it has more digits after the point
    /// than the limit.
    fn medium(mut mantissa: i128, mut scale: u32) -> Result<Number> {
        loop {
            if let Ok(mantissa) = i64::try_from(mantissa) {
                return Number::small(mantissa, scale);
            }
            if scale == 0 || !limbs::is_multiple_of_ten(&limbs::halves(mantissa.unsigned_abs())) {
                break;
            }
            mantissa /= 10;
            scale = scale.saturating_sub(1);
        }
        match u16::try_from(scale) {
            Ok(scale) if usize::from(scale) < DIGITS => {
                Ok(Number(Repr::Big(Arc::new(Big::wide(mantissa, scale)))))
            }
            _ => Err(too_long()),
        }
    }

    /// The number `mantissa * 10^-scale` of a mantissa of any size; an error if it has more digits than the limit.
    /// The limit is checked before the power of ten is multiplied out, as `1e999999999` would take gigabytes.
    fn finite(mantissa: BigInt, scale: i64) -> Result<Number> {
        if mantissa.sign() == Sign::NoSign {
            return Ok(Number::ZERO);
        }
        let (mantissa, scale) = if scale < 0 {
            let zeros = scale.unsigned_abs();
            if zeros >= DIGITS as u64 || digits::bits_exceed_limit(mantissa.magnitude()) {
                return Err(too_long());
            }
            (digits::shift_left(&mantissa, zeros), 0)
        } else {
            digits::without_trailing_zeros(mantissa, scale.unsigned_abs())
        };
        if scale >= DIGITS as u64 || digits::exceed_limit(mantissa.magnitude()) {
            return Err(too_long());
        }
        Ok(Number::canonical(mantissa, u16::try_from(scale).map_err(|_| too_long())?))
    }

    /// The number of a mantissa and scale that are within the limit and already in canonical form: the scale is 0
    /// or the mantissa is not divisible by 10.
    fn canonical(mantissa: BigInt, scale: u16) -> Number {
        Number(match mantissa.to_i64() {
            Some(mantissa) => Repr::Small { mantissa, scale },
            None => Repr::Big(Arc::new(Big::new(mantissa, scale))),
        })
    }

    /// Converts a decimal that exact arithmetic returned to a number; an error if it has more digits than the limit.
    fn decimal(decimal: BigDecimal) -> Result<Number> {
        let (mantissa, scale) = decimal.into_bigint_and_scale();
        Number::finite(mantissa, scale)
    }

    /// The number as a `BigDecimal`, for exact arithmetic; `None` for an infinity.
    fn as_decimal(&self) -> Option<Cow<'_, BigDecimal>> {
        match &self.0 {
            Repr::Small { mantissa, scale } => {
                Some(Cow::Owned(BigDecimal::new((*mantissa).into(), (*scale).into())))
            }
            Repr::Big(big) => Some(big.decimal()),
            Repr::Infinity | Repr::NegInfinity => None,
        }
    }

    /// Both numbers as `i64`; `None` unless both are integers that fit. The fast path of arithmetic and order.
    #[inline]
    pub(crate) fn both_i64(&self, other: &Number) -> Option<(i64, i64)> {
        match (&self.0, &other.0) {
            (Repr::Small { mantissa: a, scale: 0 }, Repr::Small { mantissa: b, scale: 0 }) => Some((*a, *b)),
            _ => None,
        }
    }

    /// Mantissa and scale of the number (`mantissa * 10^-scale`); `None` if the mantissa does not fit 128 bits, and
    /// for an infinity.
    fn medium_parts(&self) -> Option<(i128, u16)> {
        match &self.0 {
            Repr::Small { mantissa, scale } => Some(((*mantissa).into(), *scale)),
            Repr::Big(big) => Some((big.to_i128()?, big.scale())),
            Repr::Infinity | Repr::NegInfinity => None,
        }
    }

    /// Mantissa and scale of the number (`mantissa * 10^-scale`), or the sign of an infinity.
    fn parts(&self) -> Parts<'_> {
        match &self.0 {
            Repr::Small { mantissa, scale } => Parts::Finite(Cow::Owned((*mantissa).into()), *scale),
            Repr::Big(big) => Parts::Finite(big.mantissa(), big.scale()),
            Repr::Infinity => Parts::Infinite { negative: false },
            Repr::NegInfinity => Parts::Infinite { negative: true },
        }
    }

    /// The sign of the number: -1, 0 or 1.
    ///
    /// ```
    /// use plantime::Number;
    ///
    /// let debt: Number = "-12.50".parse()?;
    /// assert_eq!((debt.signum(), Number::ZERO.signum()), (-1, 0));
    /// assert!(debt.is_negative() && !debt.is_positive() && !debt.is_zero());
    /// assert!(debt.is_finite() && !debt.is_integer());
    /// assert!(Number::INFINITY.is_infinite() && !Number::INFINITY.is_integer());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn signum(&self) -> i8 {
        match &self.0 {
            Repr::Small { mantissa: 0, .. } => 0,
            Repr::Small { mantissa, .. } => {
                if *mantissa < 0 {
                    -1
                } else {
                    1
                }
            }
            Repr::Big(big) if big.is_negative() => -1,
            Repr::Big(_) | Repr::Infinity => 1,
            Repr::NegInfinity => -1,
        }
    }

    /// The approximate number of bytes of memory that the digits take outside the 16 bytes of the number itself; 0 for
    /// most numbers.
    #[doc(hidden)]
    pub fn heap_bytes(&self) -> usize {
        match &self.0 {
            Repr::Big(big) => usize::try_from(big.bits() / 8).unwrap_or(usize::MAX),
            _ => 0,
        }
    }

    /// Whether the number is 0.
    ///
    /// [Example](Number::signum)
    pub fn is_zero(&self) -> bool {
        self.signum() == 0
    }

    /// Whether the number is below 0; true for `-inf`.
    ///
    /// [Example](Number::signum)
    pub fn is_negative(&self) -> bool {
        self.signum() < 0
    }

    /// Whether the number is above 0; true for `inf`.
    ///
    /// [Example](Number::signum)
    pub fn is_positive(&self) -> bool {
        self.signum() > 0
    }

    /// The number rounded down to an integer; `i64::MIN` or `i64::MAX` if that is out of range, also for infinities.
    pub(crate) fn floor_to_i64(&self) -> i64 {
        let end = if self.is_negative() { i64::MIN } else { i64::MAX };
        match &self.0 {
            Repr::Small { mantissa, scale } => match 10_i64.checked_pow((*scale).into()) {
                Some(power) => mantissa.checked_div_euclid(power).unwrap_or(end),
                // The power does not fit 64 bits but the mantissa does, so the number is between -1 and 1.
                None => mantissa.signum().min(0),
            },
            Repr::Big(big) if big.scale() == 0 => end,
            Repr::Big(_) => self.floor().to_i64().unwrap_or(end),
            Repr::Infinity | Repr::NegInfinity => end,
        }
    }

    /// Whether the number is one of the two infinities.
    ///
    /// [Example](Number::signum)
    #[inline]
    pub fn is_infinite(&self) -> bool {
        matches!(self.0, Repr::Infinity | Repr::NegInfinity)
    }

    /// Whether the number is not an infinity.
    ///
    /// [Example](Number::signum)
    pub fn is_finite(&self) -> bool {
        !self.is_infinite()
    }

    /// Whether the number is an integer; false for an infinity.
    ///
    /// [Example](Number::signum)
    pub fn is_integer(&self) -> bool {
        match &self.0 {
            Repr::Small { scale, .. } => *scale == 0,
            Repr::Big(big) => big.scale() == 0,
            Repr::Infinity | Repr::NegInfinity => false,
        }
    }

    /// The number as an `i64`; `None` if it is no integer or out of range.
    ///
    /// ```
    /// use plantime::Number;
    ///
    /// let big = Number::from(u64::MAX);
    /// assert_eq!((big.to_i64(), big.to_u64()), (None, Some(u64::MAX)));
    /// assert_eq!(big.to_i128(), Some(u64::MAX.into()));
    /// assert_eq!("1.5".parse::<Number>()?.to_i64(), None);
    /// assert_eq!("1.50".parse::<Number>()?.to_f64(), 1.5);
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn to_i64(&self) -> Option<i64> {
        match self.0 {
            Repr::Small { mantissa, scale: 0 } => Some(mantissa),
            _ => None,
        }
    }

    /// The number as a `u64`; `None` if it is no integer or out of range.
    ///
    /// [Example](Number::to_i64)
    pub fn to_u64(&self) -> Option<u64> {
        self.to_i128().and_then(|integer| integer.try_into().ok())
    }

    /// The number as an `i128`; `None` if it is no integer or out of range.
    ///
    /// [Example](Number::to_i64)
    pub fn to_i128(&self) -> Option<i128> {
        match &self.0 {
            Repr::Small { mantissa, scale: 0 } => Some((*mantissa).into()),
            Repr::Big(big) if big.scale() == 0 => big.to_i128(),
            _ => None,
        }
    }

    /// The number as a `u128`; `None` if it is no integer or out of range.
    ///
    /// [Example](Number::to_i64)
    pub fn to_u128(&self) -> Option<u128> {
        match &self.0 {
            Repr::Small { mantissa, scale: 0 } => (*mantissa).try_into().ok(),
            Repr::Big(big) if big.scale() == 0 => big.mantissa().to_u128(),
            _ => None,
        }
    }

    /// The nearest `f32`, rounded like [`to_f64`](Number::to_f64).
    ///
    /// [Example](Number::to_f64)
    pub fn to_f32(&self) -> f32 {
        match &self.0 {
            #[expect(clippy::cast_precision_loss, reason = "rounds to the nearest, which is what is wanted")]
            Repr::Small { mantissa, scale: 0 } => *mantissa as f32,
            Repr::Small { mantissa, scale } => format!("{mantissa}e-{scale}").parse().unwrap_or(f32::NAN),
            Repr::Big(big) => format!("{}e-{}", big.mantissa(), big.scale()).parse().unwrap_or(f32::NAN),
            Repr::Infinity => f32::INFINITY,
            Repr::NegInfinity => f32::NEG_INFINITY,
        }
    }

    /// The nearest `f64`; of two equally near ones the even one. An infinity if the number is too large for an
    /// `f64`.
    ///
    /// ```
    /// use plantime::Number;
    ///
    /// assert_eq!("0.1".parse::<Number>()?.to_f64(), 0.1);
    /// // Digits that an `f64` cannot hold are lost.
    /// assert_eq!("9007199254740993".parse::<Number>()?.to_f64(), 9007199254740992.0);
    /// assert_eq!("1e400".parse::<Number>()?.to_f64(), f64::INFINITY);
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn to_f64(&self) -> f64 {
        match &self.0 {
            #[expect(clippy::cast_precision_loss, reason = "rounds to the nearest, which is what is wanted")]
            Repr::Small { mantissa, scale: 0 } => *mantissa as f64,
            // The standard library reads decimal text of any length to the nearest value.
            Repr::Small { mantissa, scale } => format!("{mantissa}e-{scale}").parse().unwrap_or(f64::NAN),
            Repr::Big(big) => format!("{}e-{}", big.mantissa(), big.scale()).parse().unwrap_or(f64::NAN),
            Repr::Infinity => f64::INFINITY,
            Repr::NegInfinity => f64::NEG_INFINITY,
        }
    }
}

macro_rules! from_integer {
    ($($integer:ty)*) => {$(
        impl From<$integer> for Number {
            #[inline]
            fn from(value: $integer) -> Number {
                Number::small_integer(value.into())
            }
        }
    )*};
}

from_integer!(i8 i16 i32 i64 u8 u16 u32);

impl From<u64> for Number {
    #[inline]
    fn from(value: u64) -> Number {
        match i64::try_from(value) {
            Ok(value) => Number::small_integer(value),
            Err(_) => Number::integer(value.into()),
        }
    }
}

impl From<i128> for Number {
    fn from(value: i128) -> Number {
        Number::integer(value)
    }
}

impl From<isize> for Number {
    fn from(value: isize) -> Number {
        Number::integer(value as i128)
    }
}

impl From<usize> for Number {
    fn from(value: usize) -> Number {
        Number::integer(value as i128)
    }
}

impl From<u128> for Number {
    fn from(value: u128) -> Number {
        Number::canonical(value.into(), 0)
    }
}

/// The shortest decimal that reads back as this `f64`: `0.1_f64` gives 0.1.
///
/// # Errors
///
/// NaN is no number ([`Error::is_argument`]).
impl TryFrom<f64> for Number {
    type Error = Error;

    fn try_from(value: f64) -> Result<Number> {
        if value.is_nan() {
            return Err(Error::new(Kind::Argument, parse::REQUIRED));
        }
        format!("{value:e}").parse()
    }
}

/// The error for a number with more digits than the limit.
#[cold]
fn too_long() -> Error {
    Error::new(Kind::Limit, format!("a number has at most {DIGITS} digits before and after the point"))
}

/// The error for an operation without a defined result, such as `inf - inf`.
#[cold]
fn undefined(message: &str) -> Error {
    Error::new(Kind::Undefined, message)
}
