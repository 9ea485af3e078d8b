//! Division: exact where the quotient ends, else an integer quotient of a fixed number of digits.

use num_bigint::{BigInt, BigUint, Sign};
use num_integer::Integer;
use num_traits::{One, Zero};

use super::{Number, Parts, Repr, digits, long_division, undefined};
use crate::error::Result;
use crate::limits::{DIGITS, DIVISION_DIGITS};

impl Number {
    /// The quotient: exact where it ends within the limit, else rounded to
    /// [`DIVISION_DIGITS`](crate::limits::DIVISION_DIGITS) significant digits, half to even.
    ///
    /// ```
    /// use plantime::Number;
    ///
    /// let third = Number::ONE.div(&Number::from(3))?;
    /// assert_eq!(third.to_string(), format!("0.{}", "3".repeat(155)));
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// 0 / 0 and inf / inf are undefined; a result can be longer than the limit.
    pub fn div(&self, other: &Number) -> Result<Number> {
        self.div_inexact(other).map(|(quotient, _)| quotient)
    }

    /// The quotient, and whether it was rounded.
    pub(crate) fn div_inexact(&self, other: &Number) -> Result<(Number, bool)> {
        match (self.parts(), other.parts()) {
            _ if other.is_zero() => match self.signum() {
                0 => Err(undefined("zero divided by zero is undefined")),
                sign => Ok((Number::infinity(sign < 0), false)),
            },
            (Parts::Infinite { .. }, Parts::Infinite { .. }) => {
                Err(undefined("an infinity divided by an infinity is undefined"))
            }
            (Parts::Infinite { .. }, _) => {
                Ok((Number::infinity(self.is_negative() != other.is_negative()), false))
            }
            (_, Parts::Infinite { .. }) => Ok((Number::ZERO, false)),
            (Parts::Finite(a, s), Parts::Finite(b, t)) => {
                if let Some(quotient) = small_quotient(self, other) {
                    return Ok((quotient, false));
                }
                if self.is_zero() {
                    return Ok((Number::ZERO, false));
                }
                let scale = i64::from(s).saturating_sub(t.into());
                let sign = if a.sign() == b.sign() { Sign::Plus } else { Sign::Minus };
                let number = |(quotient, scale)| Number::finite(BigInt::from_biguint(sign, quotient), scale);
                if let (Repr::Small { mantissa: a, .. }, Repr::Small { mantissa: b, .. }) =
                    (&self.0, &other.0)
                    && !ends_small(a.unsigned_abs(), b.unsigned_abs())
                {
                    return Ok((
                        number(long_division::rounded(a.unsigned_abs(), b.unsigned_abs(), scale))?,
                        true,
                    ));
                }
                match ending(a.magnitude(), b.magnitude(), scale) {
                    Some(quotient) => Ok((number(quotient)?, false)),
                    None => Ok((number(rounded(a.magnitude(), b.magnitude(), scale))?, true)),
                }
            }
        }
    }
}

impl Number {
    /// The quotient of two finite numbers, and what it is when rounded as one that does not end.
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

    /// The quotient of two numbers above 0, or a little more.
    pub(crate) fn div_up(&self, other: &Number) -> Result<Number> {
        self.div_outward(other, true).map(|(quotient, _)| quotient)
    }

    /// The quotient of two numbers above 0 where it ends; else a number that is above it or, unless `up`, below: what
    /// it is rounded to, or one unit of the last digit from there. And whether it ends.
    pub(crate) fn div_outward(&self, other: &Number, up: bool) -> Result<(Number, bool)> {
        let (quotient, rounded) = self.div_inexact(other)?;
        if !rounded {
            return Ok((quotient, true));
        }
        let product = quotient.mul(other);
        if product.is_ok_and(|product| if up { product > *self } else { product < *self }) {
            return Ok((quotient, false));
        }
        // One unit of a digit that the quotient has not, or has last.
        let length = i64::try_from(DIVISION_DIGITS).unwrap_or(i64::MAX);
        let unit = match quotient.parts() {
            Parts::Finite(mantissa, scale) => {
                let digits = i64::try_from(digits::count(mantissa.magnitude())).unwrap_or(i64::MAX);
                Number::finite(BigInt::one(), i64::from(scale).saturating_add(length).saturating_sub(digits))?
            }
            Parts::Infinite { .. } => return Ok((quotient, false)),
        };
        let beside = if up { quotient.add(&unit) } else { quotient.sub(&unit) };
        beside.map(|beside| (beside, false))
    }
}

/// The quotient of two small numbers, where the mantissas divide without remainder.
fn small_quotient(a: &Number, b: &Number) -> Option<Number> {
    let (Repr::Small { mantissa: a, scale: s }, Repr::Small { mantissa: b, scale: t }) = (&a.0, &b.0) else {
        return None;
    };
    let scale = s.checked_sub(*t)?;
    if a.checked_rem(*b)? != 0 {
        return None;
    }
    Number::small(a.checked_div(*b)?, scale.into()).ok()
}

/// `a / b * 10^-scale` as mantissa and scale, where the quotient ends within the limit: where all that `b` has
/// besides twos and fives divides `a`.
#[expect(
    clippy::arithmetic_side_effects,
    reason = "integers of any size do not overflow; no divisor is zero"
)]
fn ending(a: &BigUint, b: &BigUint, scale: i64) -> Option<(BigUint, i64)> {
    let twos = b.trailing_zeros().unwrap_or(0);
    let (rest, fives) = digits::strip(b >> twos, 5, u64::MAX);
    let a = if rest.is_one() { a.clone() } else { exact(a, &rest)? };
    // Twos and fives that both have go away; of the rest, one power of ten more for each.
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
    // With places added the quotient is no multiple of ten; without, it is not longer than `a`. Below 0, the scale is
    // too much for the rounded quotient too.
    (scale < 0 || !digits::exceed_limit(&quotient)).then_some((quotient, scale))
}

/// Whether `a / b` ends, for two integers above 0.
fn ends_small(a: u64, b: u64) -> bool {
    let mut rest = b.checked_shr(b.trailing_zeros()).unwrap_or(0);
    while rest.is_multiple_of(5) {
        rest /= 5;
    }
    a.is_multiple_of(rest)
}

fn exact(a: &BigUint, b: &BigUint) -> Option<BigUint> {
    let (quotient, remainder) = a.div_rem(b);
    remainder.is_zero().then_some(quotient)
}

/// `a / b * 10^-scale` to [`DIVISION_DIGITS`] significant digits, half to even, as mantissa and scale.
#[expect(
    clippy::arithmetic_side_effects,
    reason = "integers of any size do not overflow; no divisor is zero"
)]
pub(super) fn rounded(a: &BigUint, b: &BigUint, scale: i64) -> (BigUint, i64) {
    let length = |integer| i64::try_from(digits::count(integer)).unwrap_or(i64::MAX);
    // With this shift the quotient has as many digits as wanted, or one more.
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
