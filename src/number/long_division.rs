//! Quotients of 128-bit integers, rounded to [`DIVISION_DIGITS`] digits, computed in 64-bit limbs.
//!
//! The divisor is the same for all limbs. So it is inverted once, and each limb takes multiplications only: Möller
//! and Granlund, *Improved division by invariant integers*, IEEE Transactions on Computers 60, 2011.

use super::limbs;
use crate::limits::DIVISION_DIGITS;

/// A quotient rounded to [`DIVISION_DIGITS`] significant digits: `limbs * 10^-shift`, the lowest limb first, and
/// whether rounding changed it.
pub(super) struct Quotient {
    pub(super) limbs: [u64; LIMBS],
    pub(super) shift: i64,
    pub(super) is_rounded: bool,
}

/// The number of 64-bit limbs that hold a quotient, an integer of at most 155 digits.
const LIMBS: usize = 9;

/// The quotient `a / b` of two integers above 0, rounded to [`DIVISION_DIGITS`] significant digits, half to even.
pub(super) fn rounded(a: u128, b: u128) -> Quotient {
    let (a_digits, b_digits) = (ilog10(a), ilog10(b));
    // Choose the shift that gives the quotient exactly the wanted number of digits.
    let is_longer = shifted_for_comparison(a, b_digits.saturating_sub(a_digits))
        >= shifted_for_comparison(b, a_digits.saturating_sub(b_digits));
    let shift = (DIVISION_DIGITS as u32)
        .saturating_add(b_digits)
        .saturating_sub(a_digits)
        .saturating_sub(u32::from(is_longer));
    let divisor = Divisor::new(b);
    let dividend = shift_left(&times_five_to(a, shift), shift.saturating_add(divisor.shift));
    let [rest @ .., low, high] = &dividend;
    // The high limbs are below the divisor, because the quotient has no more limbs than remain.
    let mut remainder = u128::from(*high) << 64 | u128::from(*low);
    let mut quotient = [0; LIMBS];
    for (digit, limb) in quotient.iter_mut().zip(rest).rev() {
        (*digit, remainder) = divisor.divide(remainder, *limb);
    }
    let half = remainder.cmp(&divisor.divisor.wrapping_sub(remainder));
    if half.is_gt() || half.is_eq() && quotient[0] % 2 == 1 {
        limbs::add_one(&mut quotient);
    }
    Quotient { limbs: quotient, shift: shift.into(), is_rounded: remainder != 0 }
}

/// The decimal logarithm of an integer above 0, rounded down: its number of digits less one.
pub(super) fn ilog10(integer: u128) -> u32 {
    // 1233 / 4096 approximates log10(2); the estimate is exact or one too high.
    let bits = u128::BITS.saturating_sub(integer.leading_zeros());
    let most = bits.saturating_mul(1233) >> 12;
    match power_of_ten(most) {
        Some(power) if power <= integer => most,
        _ => most.saturating_sub(1),
    }
}

/// The integer 10^n; `None` if it does not fit 128 bits.
pub(super) fn power_of_ten(n: u32) -> Option<u128> {
    TENS.get(n as usize).copied()
}

/// The integer `integer * 10^places` as limbs, the high limb first, so that arrays compare like integers; `places`
/// is at most 38.
fn shifted_for_comparison(integer: u128, places: u32) -> [u64; 4] {
    let [first, second, third, fourth] = limbs::product(integer, power_of_ten(places).unwrap_or(u128::MAX));
    [fourth, third, second, first]
}

/// The integer `a * 5^n` as 64-bit limbs, the lowest first. `n` must be one of the exponents in [`FIVES`].
fn times_five_to(a: u128, n: u32) -> [u64; 10] {
    let mut product = [0; 10];
    let five = n.checked_sub(MIN_SHIFT).and_then(|n| FIVES.get(n as usize)).unwrap_or(&[0; 8]);
    let [low, high] = limbs::halves(a);
    limbs::add_product(&mut product, five, low);
    if high > 0
        && let [_, above @ ..] = &mut product
    {
        limbs::add_product(above, five, high);
    }
    product
}

/// The integer `integer * 2^by` in 64-bit limbs, the lowest first; the callers know that it fits.
fn shift_left(integer: &[u64; 10], by: u32) -> [u64; 11] {
    let (words, bits) = ((by / 64) as usize, by % 64);
    let mut shifted = [0; 11];
    let mut below = 0_u64;
    for (limb, own) in shifted.iter_mut().skip(words).zip(integer.iter().chain([&0])) {
        // Shift in two steps: if `bits` is 0, one shift by 64 would not be defined.
        *limb = own << bits | (below >> 1) >> 63_u32.saturating_sub(bits);
        below = *own;
    }
    shifted
}

/// A divisor, shifted left so that its highest bit is set, with its precomputed inverse, for many divisions by it.
struct Divisor {
    divisor: u128,
    /// The number of bits that the divisor was shifted by.
    shift: u32,
    /// The inverse: `(2^192 - 1) / divisor - 2^64`.
    inverse: u64,
}

impl Divisor {
    /// Prepares an integer above 0 as a divisor.
    fn new(integer: u128) -> Divisor {
        let shift = integer.leading_zeros();
        let divisor = integer.checked_shl(shift).unwrap_or(integer);
        let [low, high] = limbs::halves(divisor);
        let ones = u128::from(!high) << 64 | u128::from(u64::MAX);
        let mut inverse = ones.checked_div(high.into()).unwrap_or(0) as u64;
        let mut error = high.wrapping_mul(inverse).wrapping_add(low);
        if error < low {
            inverse = inverse.wrapping_sub(1);
            if error >= high {
                inverse = inverse.wrapping_sub(1);
                error = error.wrapping_sub(high);
            }
            error = error.wrapping_sub(high);
        }
        let [below, above] = limbs::halves(u128::from(inverse).wrapping_mul(low.into()));
        error = error.wrapping_add(above);
        if error < above {
            inverse = inverse.wrapping_sub(1);
            if u128::from(error) << 64 | u128::from(below) >= divisor {
                inverse = inverse.wrapping_sub(1);
            }
        }
        Divisor { divisor, shift, inverse }
    }

    /// Divides `remainder * 2^64 + limb` by the divisor; returns the quotient and the new remainder. `remainder` must
    /// be below the divisor.
    fn divide(&self, remainder: u128, limb: u64) -> (u64, u128) {
        let [low, high] = limbs::halves(self.divisor);
        let [middle, top] = limbs::halves(remainder);
        let guess = u128::from(self.inverse).wrapping_mul(top.into()).wrapping_add(remainder);
        let [fraction, mut quotient] = limbs::halves(guess);
        let rest = middle.wrapping_sub(quotient.wrapping_mul(high));
        let mut rest = (u128::from(rest) << 64 | u128::from(limb))
            .wrapping_sub(u128::from(low).wrapping_mul(quotient.into()))
            .wrapping_sub(self.divisor);
        quotient = quotient.wrapping_add(1);
        if (rest >> 64) as u64 >= fraction {
            quotient = quotient.wrapping_sub(1);
            rest = rest.wrapping_add(self.divisor);
        }
        if rest >= self.divisor {
            quotient = quotient.wrapping_add(1);
            rest = rest.wrapping_sub(self.divisor);
        }
        (quotient, rest)
    }
}

/// The powers of ten that fit 128 bits, by exponent.
#[expect(clippy::indexing_slicing, reason = "computed when it is compiled, where a wrong index is an error")]
static TENS: [u128; 39] = {
    let mut powers = [1; 39];
    let mut n = 1;
    while n < powers.len() {
        powers[n] = powers[n - 1] * 10;
        n += 1;
    }
    powers
};

/// The smallest power of ten that a dividend is multiplied by: for a 39-digit integer divided by a one-digit integer.
const MIN_SHIFT: u32 = DIVISION_DIGITS as u32 - 39;

/// The powers of five from 5^[`MIN_SHIFT`] on, as 64-bit limbs, the lowest first.
#[expect(clippy::indexing_slicing, reason = "computed when it is compiled, where a wrong index is an error")]
static FIVES: [[u64; 8]; 78] = {
    let mut powers = [[0; 8]; 78];
    let mut power = [1, 0, 0, 0, 0, 0, 0, 0];
    let mut n = 0;
    while n < MIN_SHIFT as usize + powers.len() {
        if n >= MIN_SHIFT as usize {
            powers[n - MIN_SHIFT as usize] = power;
        }
        let (mut limb, mut carry) = (0, 0);
        while limb < power.len() {
            let wide = power[limb] as u128 * 5 + carry;
            power[limb] = wide as u64;
            carry = wide >> 64;
            limb += 1;
        }
        assert!(carry == 0);
        n += 1;
    }
    powers
};

#[cfg(test)]
#[expect(clippy::arithmetic_side_effects, reason = "integers of any size do not overflow")]
mod tests {
    use num_bigint::BigUint;
    use num_integer::Integer;
    use num_traits::Zero;

    use crate::number::{digits, divide};

    /// Asserts that `a / b` equals the quotient that big integers give.
    #[track_caller]
    fn check(a: u128, b: u128) {
        let found = super::rounded(a, b);
        let limbs = found.limbs.iter().rev().fold(BigUint::ZERO, |all, limb| (all << 64_u32) + *limb);
        let (a, b) = (BigUint::from(a), BigUint::from(b));
        assert_eq!((limbs, found.shift), divide::rounded(&a, &b, 0), "{a} / {b}");
        let remainder = (&a * digits::power_of_ten(found.shift.unsigned_abs())).mod_floor(&b);
        assert_eq!(found.is_rounded, !remainder.is_zero(), "{a} / {b}");
    }

    #[test]
    fn quotients_are_those_of_integers_of_any_size() {
        let mut state = 1_u64;
        let mut word = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            u128::from(state >> 32)
        };
        let mut next = || {
            let bits = word() << 96 | word() << 64 | word() << 32 | word();
            (bits >> (word() % 128)).max(1)
        };
        let near = |integer: u128| [integer - 1, integer, integer.saturating_add(1)];
        let corners: Vec<u128> = [2, 4, 8, 10, 100, 1 << 32, 1 << 63, 1 << 64, 1 << 127, u128::MAX - 1]
            .into_iter()
            .chain((17..=38).map(|n| 10_u128.pow(n)))
            .chain((1..4).map(|n| ((u128::MAX >> 64) * n) << 32))
            .flat_map(near)
            .collect();
        let pairs = corners.iter().flat_map(|a| corners.iter().map(|b| (*a, *b)));
        let random: Vec<(u128, u128)> = (0..3000).map(|_| (next(), next())).collect();
        pairs.chain(random).for_each(|(a, b)| check(a, b));
    }

    #[test]
    fn half_way_goes_to_the_even_one() {
        // One digit more than a quotient has: 5^n ends in 5.
        for a in [1, 3, 7, 9, 11] {
            for twos in 100..128 {
                check(a, 1 << twos);
            }
        }
    }

    #[test]
    fn exponents_are_logarithms() {
        for n in 1..=38 {
            let power = 10_u128.pow(n);
            assert_eq!([power - 1, power, power + 1].map(super::ilog10), [n - 1, n, n]);
        }
        assert_eq!([1, 9, u128::MAX].map(super::ilog10), [0, 0, 38]);
    }
}
