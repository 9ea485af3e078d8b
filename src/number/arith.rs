//! Addition, subtraction, multiplication, remainder and sign.

use std::ops::Neg;

use bigdecimal::BigDecimal;
use num_bigint::{BigInt, Sign};

use super::{Number, Parts, Repr, limbs, long_division, undefined};
use crate::error::Result;

impl Number {
    /// The exact sum of two numbers.
    ///
    /// ```
    /// use plantime::Number;
    ///
    /// let (tenth, fifth): (Number, Number) = ("0.1".parse()?, "0.2".parse()?);
    /// assert_eq!(tenth.add(&fifth)?, "0.3".parse()?);
    /// assert_eq!(tenth.multiply(&fifth)?.to_string(), "0.02");
    /// assert_eq!(tenth.subtract(&fifth)?, tenth.negate());
    /// assert_eq!(tenth.negate().absolute(), tenth);
    /// assert!(Number::INFINITY.add(&Number::INFINITY.negate()).unwrap_err().is_undefined());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The sum of `inf` and `-inf` is undefined; a result can have more digits than the limit.
    pub fn add(&self, other: &Number) -> Result<Number> {
        self.add_or_subtract(other, false)
    }

    /// The exact difference of two numbers.
    ///
    /// [Example](Number::add)
    ///
    /// # Errors
    ///
    /// The difference of an infinity and itself is undefined; a result can have more digits than the limit.
    pub fn subtract(&self, other: &Number) -> Result<Number> {
        self.add_or_subtract(other, true)
    }

    /// `self - other` if `minus`, else `self + other`.
    fn add_or_subtract(&self, other: &Number, minus: bool) -> Result<Number> {
        if let Some((a, b)) = self.both_i64(other)
            && let Some(mantissa) = if minus { a.checked_sub(b) } else { a.checked_add(b) }
        {
            return Ok(Number::small_integer(mantissa));
        }
        if let Some((a, b, scale)) = self.with_common_scale(other)
            && let Some(sum) = if minus { a.checked_sub(b) } else { a.checked_add(b) }
        {
            return Number::medium(sum, scale);
        }
        if let (Some(a), Some(b)) = (self.as_decimal(), other.as_decimal()) {
            return Number::decimal(if minus { difference(&a, &b) } else { sum(&a, &b) });
        }
        match (self.parts(), other.parts()) {
            (Parts::Infinite { negative: a }, Parts::Infinite { negative: b }) if a != (b != minus) => {
                Err(undefined("the sum of opposite infinities is undefined"))
            }
            (Parts::Infinite { negative }, _) => Ok(Number::infinity(negative)),
            _ => Ok(Number::infinity(other.is_negative() != minus)),
        }
    }

    /// The exact product of two numbers.
    ///
    /// [Example](Number::add)
    ///
    /// # Errors
    ///
    /// The product of 0 and an infinity is undefined; a result can have more digits than the limit.
    pub fn multiply(&self, other: &Number) -> Result<Number> {
        if let (Some((a, s)), Some((b, t))) = (self.medium_parts(), other.medium_parts()) {
            let scale = u32::from(s).saturating_add(t.into());
            if let (Ok(a), Ok(b)) = (i64::try_from(a), i64::try_from(b)) {
                return match a.checked_mul(b) {
                    Some(product) => Number::small(product, scale),
                    None => Number::medium(i128::from(a).saturating_mul(i128::from(b)), scale),
                };
            }
            let mut product = limbs::product(a.unsigned_abs(), b.unsigned_abs());
            return Number::from_limbs((a < 0) != (b < 0), &mut product, scale.into());
        }
        if let (Some(a), Some(b)) = (self.as_decimal(), other.as_decimal()) {
            return Number::decimal(product(&a, &b));
        }
        if self.is_zero() || other.is_zero() {
            return Err(undefined("the product of zero and an infinity is undefined"));
        }
        Ok(Number::infinity(self.is_negative() != other.is_negative()))
    }

    /// The remainder of a division that rounds toward zero: it has the sign of `self`.
    ///
    /// | `a` | `b` | `a.modulo(b)` |
    /// |---|---|---|
    /// | 7 | 3, -3 | 1 |
    /// | -7 | 3, -3 | -1 |
    /// | 7.5 | 2 | 1.5 |
    ///
    /// ```
    /// use plantime::Number;
    ///
    /// assert_eq!(Number::from(-7).modulo(&3.into())?, Number::from(-1));
    /// assert!(Number::from(7).modulo(&Number::ZERO).unwrap_err().is_undefined());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The remainder of a division by 0, and the remainder of an infinity, are undefined.
    pub fn modulo(&self, other: &Number) -> Result<Number> {
        if other.is_zero() {
            return Err(undefined("the remainder of a division by zero is undefined"));
        }
        if let Some((a, b)) = self.both_i64(other)
            && let Some(mantissa) = a.checked_rem(b)
        {
            return Ok(Number::small_integer(mantissa));
        }
        if let Some((a, b, scale)) = self.with_common_scale(other)
            && let Some(remainder) = a.checked_rem(b)
        {
            return Number::medium(remainder, scale);
        }
        match (self.as_decimal(), other.as_decimal()) {
            (None, _) => Err(undefined("the remainder of an infinity is undefined")),
            (_, None) => Ok(self.clone()),
            (Some(a), Some(b)) => Number::decimal(remainder(&a, &b)),
        }
    }

    /// The number with the opposite sign.
    ///
    /// [Example](Number::add)
    pub fn negate(&self) -> Number {
        match &self.0 {
            Repr::Small { mantissa, scale } => match mantissa.checked_neg() {
                Some(mantissa) => Number(Repr::Small { mantissa, scale: *scale }),
                None => Number::canonical(negated((*mantissa).into()), *scale),
            },
            Repr::Big(big) => Number::canonical(negated(big.mantissa().into_owned()), big.scale()),
            Repr::Infinity => Number::NEG_INFINITY,
            Repr::NegInfinity => Number::INFINITY,
        }
    }

    /// The number without its sign.
    ///
    /// [Example](Number::add)
    pub fn absolute(&self) -> Number {
        if self.is_negative() { Number::negate(self) } else { self.clone() }
    }

    /// Both mantissas brought to the larger of the two scales, and that scale, so that they can be added; `None` if
    /// they do not fit 128 bits, and for infinities.
    fn with_common_scale(&self, other: &Number) -> Option<(i128, i128, u32)> {
        let ((a, s), (b, t)) = (self.medium_parts()?, other.medium_parts()?);
        if s == t {
            return Some((a, b, s.into()));
        }
        let factor = i128::try_from(long_division::power_of_ten(s.abs_diff(t).into())?).ok()?;
        Some(if s < t {
            (a.checked_mul(factor)?, b, t.into())
        } else {
            (a, b.checked_mul(factor)?, s.into())
        })
    }
}

impl Neg for Number {
    type Output = Number;

    fn neg(self) -> Number {
        Number::negate(&self)
    }
}

impl Neg for &Number {
    type Output = Number;

    fn neg(self) -> Number {
        Number::negate(self)
    }
}

/// The integer with the opposite sign.
fn negated(a: BigInt) -> BigInt {
    let (sign, magnitude) = a.into_parts();
    BigInt::from_biguint(if sign == Sign::Minus { Sign::Plus } else { Sign::Minus }, magnitude)
}

/// The sum of two decimals.
#[expect(clippy::arithmetic_side_effects, reason = "decimals of any size do not overflow")]
fn sum(a: &BigDecimal, b: &BigDecimal) -> BigDecimal {
    a + b
}

/// The difference of two decimals.
#[expect(clippy::arithmetic_side_effects, reason = "decimals of any size do not overflow")]
fn difference(a: &BigDecimal, b: &BigDecimal) -> BigDecimal {
    a - b
}

/// The product of two decimals.
#[expect(clippy::arithmetic_side_effects, reason = "decimals of any size do not overflow")]
fn product(a: &BigDecimal, b: &BigDecimal) -> BigDecimal {
    a * b
}

/// The remainder of `a` divided by `b`, which is not 0.
#[expect(clippy::arithmetic_side_effects, reason = "the caller has excluded zero")]
fn remainder(a: &BigDecimal, b: &BigDecimal) -> BigDecimal {
    a % b
}
