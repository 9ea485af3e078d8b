//! Exact conversion between `f64` and decimals, without rounding.

use num_bigint::BigInt;
use num_traits::Pow;

use super::{Number, Repr};

/// The integer `integer * base^power`.
#[expect(clippy::arithmetic_side_effects, reason = "integers of any size do not overflow")]
fn times_power(integer: BigInt, base: u8, power: u32) -> BigInt {
    integer * BigInt::from(base).pow(power)
}

impl Number {
    /// The exact value of an `f64`: `0.1_f64` gives 0.1000000000000000055511151231257827021181583404541015625.
    /// `None` for NaN.
    pub(crate) fn from_f64_exactly(value: f64) -> Option<Number> {
        if value.is_nan() {
            return None;
        }
        let negative = value.is_sign_negative();
        if value.is_infinite() {
            return Some(Number::infinity(negative));
        }
        let bits = value.to_bits();
        let fraction = i64::try_from(bits & ((1 << 52) - 1)).ok()?;
        let (mantissa, exponent) = match i32::try_from(bits >> 52 & 0x7ff).ok()? {
            0 => (fraction, -1074),
            exponent => (fraction | 1 << 52, exponent.saturating_sub(1075)),
        };
        if mantissa == 0 {
            return Some(Number::ZERO);
        }
        // Write the value as an odd integer times a power of two.
        let zeros = mantissa.trailing_zeros();
        let odd = mantissa >> zeros;
        let odd = if negative { odd.saturating_neg() } else { odd };
        let exponent = exponent.saturating_add(i32::try_from(zeros).ok()?);
        let power = exponent.unsigned_abs();
        if exponent >= 0 {
            let small = 2_i64.checked_pow(power).and_then(|power| odd.checked_mul(power));
            return Some(match small {
                Some(integer) => Number::from(integer),
                None => Number::canonical(times_power(BigInt::from(odd), 2, power), 0),
            });
        }
        // An odd multiple of a power of five is not divisible by ten, so the scale is canonical.
        let scale = u16::try_from(power).ok()?;
        let small = 5_i64.checked_pow(power).and_then(|power| odd.checked_mul(power));
        Some(match small {
            Some(mantissa) => Number(Repr::Small { mantissa, scale }),
            None => Number::canonical(times_power(BigInt::from(odd), 5, power), scale),
        })
    }

    /// The `f64` of exactly this value; `None` if there is none.
    pub(crate) fn to_f64_exactly(&self) -> Option<f64> {
        match self.0 {
            Repr::Small { mantissa, scale } => {
                // No mantissa of 64 bits is divisible by a power of five that does not fit 64 bits.
                let power = 5_i64.checked_pow(scale.into())?;
                if mantissa.checked_rem(power)? != 0 {
                    return None;
                }
                let integer = mantissa.checked_div(power)?;
                let magnitude = integer.unsigned_abs();
                let significant = u64::BITS
                    .saturating_sub(magnitude.leading_zeros().saturating_add(magnitude.trailing_zeros()));
                let exact = magnitude == 0 || significant <= f64::MANTISSA_DIGITS;
                exact.then(|| integer as f64 / 2_f64.powi(scale.into()))
            }
            Repr::Big(_) => {
                let nearest = self.to_f64();
                (nearest.is_finite() && Number::from_f64_exactly(nearest).as_ref() == Some(self))
                    .then_some(nearest)
            }
            Repr::Infinity => Some(f64::INFINITY),
            Repr::NegInfinity => Some(f64::NEG_INFINITY),
        }
    }
}
