//! Parses numbers, by the grammar in the documentation of [`Number`].

use std::str::FromStr;

use num_bigint::BigInt;

use super::{Number, too_long};
use crate::error::{Error, Kind, Result};
use crate::limits::DIGITS;

/// The message of the error for a string that is not a number, as in cty.
pub(crate) const REQUIRED: &str = "a number is required";

impl Number {
    /// The integer with these digits in a base from 2 to 256, most significant digit first. `None` if a digit is
    /// not below the base or the number is above [`limits::DIGITS`](crate::limits::DIGITS).
    pub(crate) fn from_digits(digits: &[u8], base: u32) -> Option<Number> {
        Number::finite(BigInt::from_radix_be(num_bigint::Sign::Plus, digits, base)?, 0).ok()
    }
}

impl FromStr for Number {
    type Err = Error;

    fn from_str(text: &str) -> Result<Number> {
        let (negative, unsigned) = match text.as_bytes() {
            [b'-', rest @ ..] => (true, rest),
            [b'+', rest @ ..] => (false, rest),
            rest => (false, rest),
        };
        if let b"inf" | b"Inf" = unsigned {
            return Ok(Number::infinity(negative));
        }
        Decimal::read(unsigned).ok_or_else(|| Error::new(Kind::Syntax, REQUIRED))??.to_number(negative)
    }
}

/// The parsed text of a decimal without its sign: the digits before and after the point as ASCII, and the exponent.
struct Decimal<'a> {
    whole: &'a [u8],
    fraction: &'a [u8],
    exponent: i64,
}

impl Decimal<'_> {
    /// Parses a decimal without a sign. `None` if the text is not a number; the inner error means that the exponent
    /// does not fit 64 bits.
    fn read(text: &[u8]) -> Option<Result<Decimal<'_>>> {
        let (whole, rest) = split_digits(text);
        let (fraction, rest) = match rest {
            [b'.', rest @ ..] => split_digits(rest),
            rest => (&[][..], rest),
        };
        if whole.is_empty() && fraction.is_empty() {
            return None;
        }
        let exponent = match rest {
            [] => Ok(0),
            [b'e' | b'E', rest @ ..] => parse_exponent(rest)?,
            _ => return None,
        };
        Some(exponent.map(|exponent| Decimal { whole, fraction, exponent }))
    }

    /// The number with these digits and this sign; an error if it has more digits than the limit, which is checked
    /// before zeros are multiplied out.
    fn to_number(&self, negative: bool) -> Result<Number> {
        let all = || self.whole.iter().chain(self.fraction);
        let Some(first) = all().position(|digit| *digit != b'0') else { return Ok(Number::ZERO) };
        let zeros = all().rev().take_while(|digit| **digit == b'0').count();
        let length = self.whole.len().saturating_add(self.fraction.len());
        let significant = length.saturating_sub(first).saturating_sub(zeros);
        // The number of digits after the point; below 0, the number of zeros before it.
        let scale =
            (self.fraction.len() as i128).saturating_sub(self.exponent.into()).saturating_sub(zeros as i128);
        let limit = DIGITS as i128;
        let (before, after) = (significant as i128, scale.max(0));
        if before.saturating_sub(scale.min(0)) > limit || after >= limit {
            return Err(too_long());
        }
        let digits = all().skip(first).take(significant);
        if significant <= 18 {
            let magnitude = digits.fold(0_i64, |sum, digit| {
                sum.saturating_mul(10).saturating_add(i64::from(digit.saturating_sub(b'0')))
            });
            let mantissa = if negative { magnitude.saturating_neg() } else { magnitude };
            if let Ok(scale) = u32::try_from(scale) {
                return Number::small(mantissa, scale);
            }
            let unit = u32::try_from(scale.saturating_neg()).ok().and_then(|zeros| 10_i64.checked_pow(zeros));
            if let Some(mantissa) = unit.and_then(|unit| mantissa.checked_mul(unit)) {
                return Number::small(mantissa, 0);
            }
            return Number::finite(mantissa.into(), i64::try_from(scale).map_err(|_| too_long())?);
        }
        if significant <= 37
            && let Ok(scale) = u32::try_from(scale)
        {
            // Read the digits as two integers of 64 bits, which hold up to 37 digits together.
            let mut digits = digits;
            let add = |sum: u64, digit: &u8| {
                sum.saturating_mul(10).saturating_add(u64::from(digit.saturating_sub(b'0')))
            };
            let high = digits.by_ref().take(significant.saturating_sub(18)).fold(0, add);
            let low = digits.fold(0, add);
            let magnitude = i128::from(high).saturating_mul(10_i128.pow(18)).saturating_add(low.into());
            return Number::medium(if negative { magnitude.saturating_neg() } else { magnitude }, scale);
        }
        let mut text = Vec::with_capacity(significant.saturating_add(1));
        if negative {
            text.push(b'-');
        }
        text.extend(digits);
        let mantissa = BigInt::parse_bytes(&text, 10).ok_or_else(|| Error::new(Kind::Syntax, REQUIRED))?;
        Number::finite(mantissa, i64::try_from(scale).map_err(|_| too_long())?)
    }
}

/// Splits the text into its leading ASCII digits and the rest.
fn split_digits(text: &[u8]) -> (&[u8], &[u8]) {
    let length = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    text.split_at_checked(length).unwrap_or((text, &[]))
}

/// Parses the text after the `e` of a number. `None` if it is not an integer; the inner error means that it does not
/// fit 64 bits.
fn parse_exponent(text: &[u8]) -> Option<Result<i64>> {
    let unsigned = match text {
        [b'+' | b'-', rest @ ..] => rest,
        rest => rest,
    };
    let (value, rest) = split_digits(unsigned);
    if value.is_empty() || !rest.is_empty() {
        return None;
    }
    Some(std::str::from_utf8(text).ok()?.parse().map_err(|_| too_long()))
}
