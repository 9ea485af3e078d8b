//! Arithmetic on integers of a few 64-bit limbs, the lowest limb first: products and quotients of 128-bit integers
//! without an allocation.

use std::sync::Arc;

use num_bigint::{BigInt, BigUint, Sign};
use smallvec::SmallVec;

use super::big::Big;
use super::{Number, Repr};
use crate::error::Result;
use crate::limits::DIGITS;

/// The product of two integers as 64-bit limbs, the lowest first.
#[expect(
    clippy::arithmetic_side_effects,
    reason = "the product of two limbs and two more limbs fit 128 bits"
)]
pub(super) fn product(a: u128, b: u128) -> [u64; 4] {
    let ([a_low, a_high], [b_low, b_high]) = (halves(a), halves(b));
    let low = u128::from(a_low) * u128::from(b_low);
    let first = u128::from(a_high) * u128::from(b_low) + (low >> 64);
    let second = u128::from(a_low) * u128::from(b_high) + u128::from(first as u64);
    let high = u128::from(a_high) * u128::from(b_high) + (first >> 64) + (second >> 64);
    let [third, fourth] = halves(high);
    [low as u64, second as u64, third, fourth]
}

/// The two 64-bit halves of the integer, the low one first.
pub(super) fn halves(integer: u128) -> [u64; 2] {
    [integer as u64, (integer >> 64) as u64]
}

/// Adds `by * factor` to the integer `to`, in limbs, the lowest first. `to` must be long enough for the sum.
#[expect(
    clippy::arithmetic_side_effects,
    reason = "the product of two limbs and two more limbs fit 128 bits"
)]
pub(super) fn add_product(to: &mut [u64], by: &[u64], factor: u64) {
    let mut carry = 0;
    for (limb, by) in to.iter_mut().zip(by.iter().chain([&0])) {
        let wide = u128::from(*by) * u128::from(factor) + u128::from(*limb) + carry;
        (*limb, carry) = (wide as u64, wide >> 64);
    }
}

/// Adds 1 to the integer in limbs, the lowest first. It must be long enough for the sum.
pub(super) fn add_one(limbs: &mut [u64]) {
    for limb in limbs {
        *limb = limb.wrapping_add(1);
        if *limb != 0 {
            return;
        }
    }
}

/// Whether the integer in these limbs is divisible by ten.
pub(super) fn is_multiple_of_ten(limbs: &[u64]) -> bool {
    // 2^64 leaves the remainder 1 when divided by five, so the integer is divisible by five if the sum of its limbs
    // is.
    let fives = || limbs.iter().map(|limb| limb % 5).fold(0, u64::saturating_add);
    limbs.first().is_some_and(|low| low.is_multiple_of(2)) && fives().is_multiple_of(5)
}

/// Divides an integer in limbs, not 0, by ten in place as often as there is no remainder, at most `most` times.
/// Returns the number of divisions.
fn strip_zeros(limbs: &mut [u64], most: u32) -> u32 {
    let mut dropped = 0_u32;
    for count in [19, 8, 4, 2, 1] {
        let unit = 10_u64.saturating_pow(count);
        // A number divisible by 10^n is divisible by 2^n: a cheap test before the division.
        while dropped.saturating_add(count) <= most
            && limbs.first().is_some_and(|low| low.trailing_zeros() >= count)
        {
            let mut quotient: SmallVec<[u64; 12]> = SmallVec::from_slice(limbs);
            if divide(&mut quotient, unit) != 0 {
                break;
            }
            limbs.copy_from_slice(&quotient);
            dropped = dropped.saturating_add(count);
        }
    }
    dropped
}

/// Divides the integer in limbs, in place, by a number that is not 0; returns the remainder.
#[expect(clippy::arithmetic_side_effects, reason = "the callers divide by powers of ten")]
fn divide(limbs: &mut [u64], by: u64) -> u64 {
    let mut remainder = 0_u64;
    for limb in limbs.iter_mut().rev() {
        let wide = u128::from(remainder) << 64 | u128::from(*limb);
        *limb = (wide / u128::from(by)) as u64;
        remainder = (wide % u128::from(by)) as u64;
    }
    remainder
}

impl Number {
    /// The number `mantissa * 10^-scale` with this sign, from the limbs of its mantissa, the lowest first; an error
    /// if it has more digits than the limit. Overwrites the limbs.
    pub(super) fn from_limbs(negative: bool, limbs: &mut [u64], mut scale: i64) -> Result<Number> {
        if scale > 0 && is_multiple_of_ten(limbs) {
            if limbs.iter().all(|limb| *limb == 0) {
                return Ok(Number::ZERO);
            }
            let dropped = strip_zeros(limbs, u32::try_from(scale).unwrap_or(u32::MAX));
            scale = scale.saturating_sub(dropped.into());
        }
        let length = limbs.iter().rposition(|limb| *limb != 0).map_or(0, |last| last.saturating_add(1));
        let limbs = limbs.get(..length).unwrap_or_default();
        if let ([] | [_] | [_, _], Ok(scale)) = (limbs, u32::try_from(scale)) {
            let magnitude = limbs.iter().rev().fold(0, |all, limb| all << 64 | u128::from(*limb));
            if let Ok(magnitude) = i128::try_from(magnitude) {
                return Number::medium(if negative { magnitude.saturating_neg() } else { magnitude }, scale);
            }
        }
        let mantissa =
            BigInt::from_biguint(if negative { Sign::Minus } else { Sign::Plus }, to_biguint(limbs));
        match u16::try_from(scale) {
            // At most ten limbs hold far fewer digits than the limit, so only the scale needs a check.
            Ok(scale) if usize::from(scale) < DIGITS && length > 2 => {
                Ok(Number(Repr::Big(Arc::new(Big::long(mantissa, scale)))))
            }
            _ => Number::finite(mantissa, scale),
        }
    }
}

/// The integer in at most ten limbs, the lowest first, as a `BigUint`.
fn to_biguint(limbs: &[u64]) -> BigUint {
    let mut halves = [0; 20];
    for (halves, limb) in halves.chunks_exact_mut(2).zip(limbs) {
        halves.copy_from_slice(&[*limb as u32, (*limb >> 32) as u32]);
    }
    BigUint::from_slice(halves.get(..limbs.len().saturating_mul(2)).unwrap_or(&halves))
}

#[cfg(test)]
mod tests {
    use num_bigint::BigUint;

    use super::*;

    #[test]
    fn limbs_are_integers() {
        let corners = [0, 1, 9, 10, u128::from(u64::MAX), 1 << 64, (1 << 64) + 1, u128::MAX - 1, u128::MAX];
        for a in corners {
            for b in corners {
                assert_eq!(to_biguint(&product(a, b)), BigUint::from(a) * BigUint::from(b), "{a} * {b}");
                let mut sum = [halves(a)[0], halves(a)[1], 0, 0];
                add_product(&mut sum, &halves(b), u64::MAX);
                assert_eq!(to_biguint(&sum), BigUint::from(a) + BigUint::from(b) * u64::MAX, "{a} + {b}");
                let mut more = product(a, b);
                add_one(&mut more);
                assert_eq!(to_biguint(&more), BigUint::from(a) * BigUint::from(b) + 1_u32);
                let zero = (BigUint::from(a) * BigUint::from(b)) % 10_u32 == BigUint::ZERO;
                assert_eq!(is_multiple_of_ten(&product(a, b)), zero, "{a} * {b}");
            }
        }
    }

    #[test]
    fn zeros_are_dropped_as_far_as_they_may() {
        for zeros in [0, 1, 3, 18, 19, 20, 37, 38] {
            for most in [0, 1, 5, 19, 30, 100] {
                let mut limbs = product(3, 10_u128.pow(zeros));
                assert_eq!(strip_zeros(&mut limbs, most), zeros.min(most), "{zeros} {most}");
                assert_eq!(to_biguint(&limbs), BigUint::from(3 * 10_u128.pow(zeros - zeros.min(most))));
            }
        }
    }
}
