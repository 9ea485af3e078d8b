//! Sum, difference, product, remainder, sign.

use std::ops::Neg;

use bigdecimal::BigDecimal;
use num_bigint::{BigInt, Sign};
use num_traits::ToPrimitive;

use super::{Number, Parts, Repr, undefined};
use crate::error::Result;

impl Number {
    /// The sum.
    ///
    /// # Errors
    ///
    /// The sum of the two infinities is undefined; a result can be longer than the limit.
    pub fn add(&self, other: &Number) -> Result<Number> {
        self.plus(other, false)
    }

    /// The difference.
    ///
    /// # Errors
    ///
    /// The difference of an infinity and itself is undefined; a result can be longer than the limit.
    pub fn sub(&self, other: &Number) -> Result<Number> {
        self.plus(other, true)
    }

    /// `self + other`, or `self - other`.
    fn plus(&self, other: &Number, minus: bool) -> Result<Number> {
        if let Some((a, b)) = self.integers(other)
            && let Some(mantissa) = if minus { a.checked_sub(b) } else { a.checked_add(b) }
        {
            return Ok(Number(Repr::Small { mantissa, scale: 0 }));
        }
        if let Some((a, b, scale)) = self.aligned_small(other).or_else(|| self.aligned_medium(other))
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

    /// The product.
    ///
    /// # Errors
    ///
    /// The product of 0 and an infinity is undefined; a result can be longer than the limit.
    pub fn mul(&self, other: &Number) -> Result<Number> {
        if let (Repr::Small { mantissa: a, scale: s }, Repr::Small { mantissa: b, scale: t }) =
            (&self.0, &other.0)
        {
            let scale = u32::from(*s).saturating_add(u32::from(*t));
            return match a.checked_mul(*b) {
                Some(product) => Number::small(product, scale),
                None => Number::medium(i128::from(*a).saturating_mul(i128::from(*b)), scale),
            };
        }
        if let (Some(a), Some(b)) = (self.as_decimal(), other.as_decimal()) {
            return Number::decimal(product(&a, &b));
        }
        if self.is_zero() || other.is_zero() {
            return Err(undefined("the product of zero and an infinity is undefined"));
        }
        Ok(Number::infinity(self.is_negative() != other.is_negative()))
    }

    /// What is left after dividing by `other` a whole number of times, toward zero: it has the sign of `self`.
    ///
    /// # Errors
    ///
    /// The remainder of a division by 0, and the remainder of an infinity, are undefined.
    pub fn rem(&self, other: &Number) -> Result<Number> {
        if other.is_zero() {
            return Err(undefined("the remainder of a division by zero is undefined"));
        }
        if let Some((a, b)) = self.integers(other)
            && let Some(mantissa) = a.checked_rem(b)
        {
            return Ok(Number(Repr::Small { mantissa, scale: 0 }));
        }
        if let Some((a, b, scale)) = self.aligned_small(other)
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

    /// The number of the other sign.
    pub fn neg(&self) -> Number {
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
    pub fn abs(&self) -> Number {
        if self.is_negative() { Number::neg(self) } else { self.clone() }
    }

    /// Both, where they are integers of 64 bits.
    fn integers(&self, other: &Number) -> Option<(i64, i64)> {
        match (&self.0, &other.0) {
            (Repr::Small { mantissa: a, scale: 0 }, Repr::Small { mantissa: b, scale: 0 }) => Some((*a, *b)),
            _ => None,
        }
    }

    /// Both mantissas, where the scales are the same and both fit 128 bits.
    fn aligned_medium(&self, other: &Number) -> Option<(i128, i128, u32)> {
        let ((a, s), (b, t)) = (self.medium_parts()?, other.medium_parts()?);
        (s == t).then_some((a, b, s.into()))
    }

    /// Mantissa and scale, where the mantissa fits 128 bits.
    fn medium_parts(&self) -> Option<(i128, u16)> {
        match &self.0 {
            Repr::Small { mantissa, scale } => Some(((*mantissa).into(), *scale)),
            Repr::Big(big) => Some((big.mantissa().to_i128()?, big.scale())),
            Repr::Infinity | Repr::NegInfinity => None,
        }
    }

    /// Both mantissas at the larger scale, where both are small and not far apart.
    fn aligned_small(&self, other: &Number) -> Option<(i128, i128, u32)> {
        let (Repr::Small { mantissa: a, scale: s }, Repr::Small { mantissa: b, scale: t }) =
            (&self.0, &other.0)
        else {
            return None;
        };
        let (a, b) = (i128::from(*a), i128::from(*b));
        let factor = 10_i128.checked_pow(s.abs_diff(*t).into())?;
        let scale = u32::from(*s.max(t));
        Some(if s < t { (a.checked_mul(factor)?, b, scale) } else { (a, b.checked_mul(factor)?, scale) })
    }
}

impl Neg for Number {
    type Output = Number;

    fn neg(self) -> Number {
        Number::neg(&self)
    }
}

impl Neg for &Number {
    type Output = Number;

    fn neg(self) -> Number {
        Number::neg(self)
    }
}

fn negated(a: BigInt) -> BigInt {
    let (sign, magnitude) = a.into_parts();
    BigInt::from_biguint(if sign == Sign::Minus { Sign::Plus } else { Sign::Minus }, magnitude)
}

#[expect(clippy::arithmetic_side_effects, reason = "decimals of any size do not overflow")]
fn sum(a: &BigDecimal, b: &BigDecimal) -> BigDecimal {
    a + b
}

#[expect(clippy::arithmetic_side_effects, reason = "decimals of any size do not overflow")]
fn difference(a: &BigDecimal, b: &BigDecimal) -> BigDecimal {
    a - b
}

#[expect(clippy::arithmetic_side_effects, reason = "decimals of any size do not overflow")]
fn product(a: &BigDecimal, b: &BigDecimal) -> BigDecimal {
    a * b
}

#[expect(clippy::arithmetic_side_effects, reason = "the caller has excluded zero")]
fn remainder(a: &BigDecimal, b: &BigDecimal) -> BigDecimal {
    a % b
}
