//! Division: exact if the quotient ends, else rounded to a fixed number of significant digits.

use num_bigint::{BigInt, BigUint, Sign};
use num_integer::Integer;
use num_traits::{One, Zero};

use super::{Number, Parts, Repr, digits, long_division, undefined};
use crate::error::Result;
use crate::limits::{DIGITS, DIVISION_DIGITS};

impl Number {
    /// The quotient: exact if its expansion ends within the limit, else rounded to
    /// [`DIVISION_DIGITS`](crate::limits::DIVISION_DIGITS) significant digits, half to even.
    ///
    /// ```
    /// use plantime::Number;
    ///
    /// let third = Number::ONE.divide(&Number::from(3))?;
    /// assert_eq!(third.to_string(), format!("0.{}", "3".repeat(155)));
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// 0 / 0 and inf / inf are undefined; a result can have more digits than the limit.
    pub fn divide(&self, other: &Number) -> Result<Number> {
        self.div_inexact(other).map(|(quotient, _)| quotient)
    }

    /// The quotient as [`divide`](Number::divide) returns it, and whether it was rounded.
    pub(crate) fn div_inexact(&self, other: &Number) -> Result<(Number, bool)> {
        if other.is_zero() {
            return match self.signum() {
                0 => Err(undefined("zero divided by zero is undefined")),
                sign => Ok((Number::infinity(sign < 0), false)),
            };
        }
        if let (Some((a, s)), Some((b, t))) = (self.medium_parts(), other.medium_parts()) {
            return medium_quotient(a, b, i64::from(s).saturating_sub(t.into()));
        }
        match (self.parts(), other.parts()) {
            (Parts::Infinite { .. }, Parts::Infinite { .. }) => {
                Err(undefined("an infinity divided by an infinity is undefined"))
            }
            (Parts::Infinite { .. }, _) => {
                Ok((Number::infinity(self.is_negative() != other.is_negative()), false))
            }
            (_, Parts::Infinite { .. }) => Ok((Number::ZERO, false)),
            (Parts::Finite(a, s), Parts::Finite(b, t)) => {
                if self.is_zero() {
                    return Ok((Number::ZERO, false));
                }
                let scale = i64::from(s).saturating_sub(t.into());
                let sign = if a.sign() == b.sign() { Sign::Plus } else { Sign::Minus };
                let number = |(quotient, scale)| Number::finite(BigInt::from_biguint(sign, quotient), scale);
                match exact_quotient(a.magnitude(), b.magnitude(), scale) {
                    Some(quotient) => Ok((number(quotient)?, false)),
                    None => Ok((number(rounded(a.magnitude(), b.magnitude(), scale))?, true)),
                }
            }
        }
    }
}

impl Number {
    /// The quotient of two finite numbers, and the same quotient rounded to [`DIVISION_DIGITS`] significant digits
    /// even if its expansion ends.
    pub(crate) fn div_and_rounded(&self, other: &Number) -> Result<(Number, Number)> {
        let (quotient, is_rounded) = self.div_inexact(other)?;
        let rounded = match (self.parts(), other.parts(), &quotient.0) {
            (Parts::Finite(a, s), Parts::Finite(b, t), Repr::Big(_)) if !is_rounded => {
                let scale = i64::from(s).saturating_sub(t.into());
                let sign = if a.sign() == b.sign() { Sign::Plus } else { Sign::Minus };
                let (rounded, scale) = rounded(a.magnitude(), b.magnitude(), scale);
                Number::finite(BigInt::from_biguint(sign, rounded), scale)?
            }
            _ => quotient.clone(),
        };
        Ok((quotient, rounded))
    }

    /// An upper bound of the quotient of two numbers above 0: the quotient itself if its expansion ends within the
    /// limit.
    pub(crate) fn div_up(&self, other: &Number) -> Result<Number> {
        self.div_outward(other, true).map(|(quotient, _)| quotient)
    }

    /// The quotient of two numbers above 0 and `true` if its expansion ends within the limit. Otherwise a bound of
    /// the quotient and `false`: an upper bound if `up`, else a lower bound, within one unit of the last digit.
    pub(crate) fn div_outward(&self, other: &Number, up: bool) -> Result<(Number, bool)> {
        let (quotient, rounded) = self.div_inexact(other)?;
        if !rounded {
            return Ok((quotient, true));
        }
        let product = quotient.multiply(other);
        if product.is_ok_and(|product| if up { product > *self } else { product < *self }) {
            return Ok((quotient, false));
        }
        // One unit of the last of the [`DIVISION_DIGITS`] digits, which is zero and not stored if the quotient has
        // fewer.
        let length = i64::try_from(DIVISION_DIGITS).unwrap_or(i64::MAX);
        let unit = match quotient.parts() {
            Parts::Finite(mantissa, scale) => {
                let digits = i64::try_from(digits::count(mantissa.magnitude())).unwrap_or(i64::MAX);
                Number::finite(BigInt::one(), i64::from(scale).saturating_add(length).saturating_sub(digits))?
            }
            Parts::Infinite { .. } => return Ok((quotient, false)),
        };
        let beside = if up { quotient.add(&unit) } else { quotient.subtract(&unit) };
        beside.map(|beside| (beside, false))
    }
}

/// The quotient `a / b * 10^-scale`, and whether it was rounded. `b` is not 0.
fn medium_quotient(a: i128, b: i128, scale: i64) -> Result<(Number, bool)> {
    let (negative, a, b) = ((a < 0) != (b < 0), a.unsigned_abs(), b.unsigned_abs());
    if let (Ok(a), Ok(b)) = (u64::try_from(a), u64::try_from(b))
        && let Some((quotient, places)) = short_quotient(a, b)
    {
        let scale = scale.saturating_add(places.into());
        let quotient = if negative { quotient.saturating_neg() } else { quotient };
        let number = match u32::try_from(scale) {
            Ok(scale) => Number::medium(quotient, scale)?,
            Err(_) => Number::finite(quotient.into(), scale)?,
        };
        return Ok((number, false));
    }
    if a == 0 {
        return Ok((Number::ZERO, false));
    }
    // If the quotient of two 128-bit integers ends, it has at most 128 digits: fewer than `rounded` computes.
    let long_division::Quotient { mut limbs, shift, is_rounded } = long_division::rounded(a, b);
    Ok((Number::from_limbs(negative, &mut limbs, scale.saturating_add(shift))?, is_rounded))
}

/// The exact quotient `a / b` as `(mantissa, scale)`, for `mantissa * 10^-scale`; `None` if its expansion does not
/// end or does not fit 128 bits. It ends if `a` is divisible by the part of `b` without factors two and five.
fn short_quotient(a: u64, b: u64) -> Option<(i128, u32)> {
    if a.checked_rem(b)? == 0 {
        return Some((a.checked_div(b)?.into(), 0));
    }
    let twos = b.trailing_zeros();
    let mut rest = b.checked_shr(twos)?;
    let mut fives = 0_u32;
    while rest.is_multiple_of(5) {
        rest /= 5;
        fives = fives.saturating_add(1);
    }
    if a.checked_rem(rest)? != 0 {
        return None;
    }
    // Cancel the factors two and five that `a` and `b` share.
    let mut a = a.checked_div(rest)?;
    let common = a.trailing_zeros().min(twos);
    a = a.checked_shr(common)?;
    let twos = twos.saturating_sub(common);
    while fives > 0 && a.is_multiple_of(5) {
        a /= 5;
        fives = fives.saturating_sub(1);
    }
    let places = twos.max(fives);
    let twos = 1_i128.checked_shl(places.saturating_sub(twos))?;
    let factor = 5_i128.checked_pow(places.saturating_sub(fives))?.checked_mul(twos)?;
    Some((i128::from(a).checked_mul(factor)?, places))
}

/// The exact quotient `a / b * 10^-scale` as a new mantissa and scale; `None` if its expansion does not end within
/// the limit. It ends if `a` is divisible by the part of `b` without factors two and five.
#[expect(
    clippy::arithmetic_side_effects,
    reason = "integers of any size do not overflow; no divisor is zero"
)]
fn exact_quotient(a: &BigUint, b: &BigUint, scale: i64) -> Option<(BigUint, i64)> {
    let twos = b.trailing_zeros().unwrap_or(0);
    let (rest, fives) = digits::strip(b >> twos, 5, u64::MAX);
    let a = if rest.is_one() { a.clone() } else { divide_exactly(a, &rest)? };
    // Cancel the factors two and five that `a` and `b` share. Each factor that `b` still has costs one decimal
    // place.
    let common = a.trailing_zeros().unwrap_or(0).min(twos);
    let (a, twos) = (a >> common, twos.saturating_sub(common));
    let (a, common) = digits::strip(a, 5, fives);
    let fives = fives.saturating_sub(common);
    let places = twos.max(fives);
    let scale = scale.saturating_add(i64::try_from(places).ok()?);
    if places > 0 && scale >= DIGITS as i64 {
        return None;
    }
    let quotient = (a << places.saturating_sub(twos)) * digits::power(5, places.saturating_sub(fives));
    // If places were added, the quotient is not divisible by ten; if not, it is not longer than `a`. A scale below
    // 0 that exceeds the limit does so for the rounded quotient too.
    (scale < 0 || !digits::exceed_limit(&quotient)).then_some((quotient, scale))
}

/// The quotient `a / b`; `None` if there is a remainder.
fn divide_exactly(a: &BigUint, b: &BigUint) -> Option<BigUint> {
    let (quotient, remainder) = a.div_rem(b);
    remainder.is_zero().then_some(quotient)
}

/// The quotient `a / b * 10^-scale` as a new mantissa and scale, rounded to [`DIVISION_DIGITS`] significant digits,
/// half to even.
#[expect(
    clippy::arithmetic_side_effects,
    reason = "integers of any size do not overflow; no divisor is zero"
)]
pub(super) fn rounded(a: &BigUint, b: &BigUint, scale: i64) -> (BigUint, i64) {
    let length = |integer| i64::try_from(digits::count(integer)).unwrap_or(i64::MAX);
    // With this shift the quotient has the wanted number of digits, or one more.
    let wanted = DIVISION_DIGITS as i64;
    let mut shift = wanted.saturating_sub(length(a)).saturating_add(length(b));
    let divide = |shift: i64| {
        let power = digits::power_of_ten(shift.unsigned_abs());
        let (a, b) = if shift < 0 { (a.clone(), b * power) } else { (a * power, b.clone()) };
        let (quotient, remainder) = a.div_rem(&b);
        (quotient, remainder, b)
    };
    let (mut quotient, mut remainder, mut divisor) = divide(shift);
    if length(&quotient) > wanted {
        shift = shift.saturating_sub(1);
        (quotient, remainder, divisor) = divide(shift);
    }
    let up = match (remainder << 1_u32).cmp(&divisor) {
        std::cmp::Ordering::Less => false,
        std::cmp::Ordering::Equal => quotient.is_odd(),
        std::cmp::Ordering::Greater => true,
    };
    (if up { quotient + 1_u32 } else { quotient }, scale.saturating_add(shift))
}
