//! Quotients of integers of 64 bits, by long division: without an integer of any size but the result.

use num_bigint::BigUint;

use crate::limits::DIVISION_DIGITS;

/// `a / b * 10^-scale` of two integers above 0 to [`DIVISION_DIGITS`] significant digits, half to even, as mantissa and
/// scale.
#[expect(
    clippy::arithmetic_side_effects,
    reason = "lengths are below 21; a remainder is below the divisor, and it times 10^18 below 2^124"
)]
pub(super) fn rounded(a: u64, b: u64, scale: i64) -> (BigUint, i64) {
    let (a_digits, b_digits) = (a.ilog10(), b.ilog10());
    let aligned =
        |integer: u64, other: u32, own: u32| u128::from(integer) * 10_u128.pow(other.saturating_sub(own));
    let is_longer = aligned(a, b_digits, a_digits) >= aligned(b, a_digits, b_digits);
    // With this shift the quotient has as many digits as wanted.
    let shift = DIVISION_DIGITS as i64 - i64::from(a_digits) + i64::from(b_digits) - i64::from(is_longer);
    let (mut quotient, mut remainder) = (Limbs::from(a / b), a % b);
    let mut left = u32::try_from(shift).unwrap_or(0);
    while left > 0 {
        let count = left.min(18);
        let (digits, rest) = next_digits(remainder, b, count);
        quotient.append(10_u64.pow(count), digits);
        remainder = rest;
        left -= count;
    }
    let half = (u128::from(remainder) * 2).cmp(&b.into());
    let is_up = half.is_gt() || half.is_eq() && quotient.is_odd();
    (quotient.into_integer(is_up), scale.saturating_add(shift))
}

/// The next so many digits of a long division, and what remains.
#[expect(clippy::arithmetic_side_effects, reason = "a remainder is below the divisor, which is not zero")]
fn next_digits(remainder: u64, b: u64, count: u32) -> (u64, u64) {
    if b > u32::MAX.into() {
        let wide = u128::from(remainder) * u128::from(10_u64.pow(count));
        let b = u128::from(b);
        return ((wide / b) as u64, (wide % b) as u64);
    }
    // In 64 bits, at most nine digits at a time.
    let (first, second) = (count.min(9), count.saturating_sub(9));
    let high = remainder * 10_u64.pow(first);
    let low = (high % b) * 10_u64.pow(second);
    ((high / b) * 10_u64.pow(second) + low / b, low % b)
}

/// An integer of as many digits as a quotient has, lowest limb first.
struct Limbs {
    limbs: [u64; LIMBS],
    length: usize,
}

const LIMBS: usize = 10;

impl From<u64> for Limbs {
    fn from(integer: u64) -> Limbs {
        let mut limbs = [0; LIMBS];
        limbs[0] = integer;
        Limbs { limbs, length: 1 }
    }
}

impl Limbs {
    /// `self * factor + more`
    fn append(&mut self, factor: u64, more: u64) {
        let mut carry = u128::from(more);
        for limb in self.limbs.iter_mut().take(self.length) {
            // Below 2^64 squared.
            let wide = u128::from(*limb).saturating_mul(factor.into()).saturating_add(carry);
            (*limb, carry) = (wide as u64, wide >> 64);
        }
        if carry > 0
            && let Some(limb) = self.limbs.get_mut(self.length)
        {
            *limb = carry as u64;
            self.length = self.length.saturating_add(1);
        }
    }

    fn is_odd(&self) -> bool {
        self.limbs[0] % 2 == 1
    }

    fn into_integer(mut self, is_up: bool) -> BigUint {
        if is_up {
            self.append(1, 1);
        }
        let halves =
            self.limbs.iter().take(self.length).flat_map(|limb| [*limb as u32, (*limb >> 32) as u32]);
        BigUint::new(halves.collect())
    }
}

#[cfg(test)]
mod tests {
    use crate::number::divide;

    #[test]
    fn quotients_are_those_of_integers_of_any_size() {
        let mut state = 1_u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            state >> (state % 61)
        };
        let corners = [1, 2, 3, 7, 9, 10, 11, 99, 100, 101, u64::MAX, u64::MAX - 1, 1 << 32, (1 << 32) - 1];
        let pairs = corners.iter().flat_map(|a| corners.iter().map(|b| (*a, *b)));
        let random: Vec<(u64, u64)> = (0..3000).map(|_| (next().max(1), next().max(1))).collect();
        for (a, b) in pairs.chain(random) {
            assert_eq!(super::rounded(a, b, 3), divide::rounded(&a.into(), &b.into(), 3), "{a} / {b}");
        }
    }
}
