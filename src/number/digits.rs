//! Decimal digits of large integers: counting, shifting, removing trailing zeros.
//!
//! Every operand is a mantissa within [`DIGITS`](crate::limits::DIGITS), or a product or quotient of a few such, so
//! that no integer here has more than a few times as many digits.

use std::sync::LazyLock;

use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{One, Zero};

use crate::limits::DIGITS;

/// The integer 10^n.
#[expect(clippy::arithmetic_side_effects, reason = "integers of any size do not overflow")]
pub(super) fn power_of_ten(n: u64) -> BigUint {
    match u32::try_from(n).ok().and_then(|n| 10_u64.checked_pow(n)) {
        Some(power) => power.into(),
        None => power(5, n) << n,
    }
}

/// The integer `base^n`; the callers keep `n` below a few times [`DIGITS`].
pub(super) fn power(base: u32, n: u64) -> BigUint {
    num_traits::Pow::pow(BigUint::from(base), n)
}

/// The integer `integer * 10^n`: a decimal shift.
#[expect(clippy::arithmetic_side_effects, reason = "integers of any size do not overflow")]
pub(super) fn shift_left(integer: &BigInt, n: u64) -> BigInt {
    if n == 0 { integer.clone() } else { integer * BigInt::from(power_of_ten(n)) }
}

/// The number of decimal digits of the integer; 0 has none.
pub(super) fn count(integer: &BigUint) -> u64 {
    let least = count_at_least(integer);
    if *integer < power_of_ten(least) { least } else { least.saturating_add(1) }
}

/// A quick lower bound of the number of decimal digits: exact, or one too low.
pub(super) fn count_at_least(integer: &BigUint) -> u64 {
    let Some(below) = integer.bits().checked_sub(1) else { return 0 };
    // 2^below <= integer < 2^(below + 1), and 0.30102999566 < log10(2): the estimate is at most one digit too low.
    let least = (u128::from(below).saturating_mul(30_102_999_566) / 100_000_000_000) as u64;
    least.saturating_add(1)
}

/// Whether the number of bits alone shows that the integer has more than [`DIGITS`] digits: cheaper than
/// [`exceed_limit`], and false for some integers just above the limit.
pub(super) fn bits_exceed_limit(integer: &BigUint) -> bool {
    integer.bits() > FIRST_TOO_LONG.bits()
}

/// Whether the integer has more than [`DIGITS`] decimal digits.
pub(super) fn exceed_limit(integer: &BigUint) -> bool {
    integer.bits() >= FIRST_TOO_LONG.bits() && *integer >= *FIRST_TOO_LONG
}

/// The smallest integer with more than [`DIGITS`] digits.
static FIRST_TOO_LONG: LazyLock<BigUint> = LazyLock::new(|| power_of_ten(DIGITS as u64));

/// Divides the mantissa by ten as often as there is no remainder, at most `scale` times. Returns the new mantissa and
/// the scale less that number, so that `mantissa * 10^-scale` stays the same.
pub(super) fn without_trailing_zeros(mantissa: BigInt, scale: u64) -> (BigInt, u64) {
    let most = mantissa.trailing_zeros().unwrap_or(0).min(scale);
    if most == 0 {
        return (mantissa, scale);
    }
    let (sign, magnitude) = mantissa.into_parts();
    let (magnitude, zeros) = strip(magnitude, 10, most);
    (BigInt::from_biguint(sign, magnitude), scale.saturating_sub(zeros))
}

/// Divides by `factor` as often as there is no remainder, at most `most` times; returns the quotient and the number
/// of divisions by `factor`. It divides by `factor^(2^k)`, largest first, so that n factors take about log n
/// divisions.
pub(super) fn strip(mut integer: BigUint, factor: u32, most: u64) -> (BigUint, u64) {
    if integer.is_zero() {
        return (integer, 0);
    }
    let mut powers = vec![(BigUint::from(factor), 1_u64)];
    while let Some((power, times)) = powers.last() {
        let times = times.saturating_mul(2);
        if times > most || power.bits().saturating_mul(2) > integer.bits().saturating_add(1) {
            break;
        }
        if !integer.is_multiple_of(power) {
            break;
        }
        let square = num_traits::Pow::pow(power, 2_u32);
        powers.push((square, times));
    }
    let mut stripped = 0_u64;
    for (power, times) in powers.into_iter().rev() {
        // The largest power can go in more than once only where the loop above ended for another reason than size.
        while stripped.saturating_add(times) <= most && integer > BigUint::one() {
            let (quotient, remainder) = integer.div_rem(&power);
            if !remainder.is_zero() {
                break;
            }
            integer = quotient;
            stripped = stripped.saturating_add(times);
        }
    }
    (integer, stripped)
}
