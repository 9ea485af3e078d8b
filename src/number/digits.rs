//! Decimal digits of large integers: counting, shifting, dropping zeros.
//!
//! Every operand is a mantissa within [`DIGITS`](crate::limits::DIGITS) or a product or quotient of a few such, so
//! nothing here grows beyond a few times that.

use std::sync::LazyLock;

use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{One, Zero};

use crate::limits::DIGITS;

/// 10^n.
#[expect(clippy::arithmetic_side_effects, reason = "integers of any size do not overflow")]
pub(super) fn power_of_ten(n: u64) -> BigUint {
    match u32::try_from(n).ok().and_then(|n| 10_u64.checked_pow(n)) {
        Some(power) => power.into(),
        None => power(5, n) << n,
    }
}

/// `base^n`; the callers keep `n` below a few times [`DIGITS`].
pub(super) fn power(base: u32, n: u64) -> BigUint {
    num_traits::Pow::pow(BigUint::from(base), n)
}

/// `integer * 10^n`.
#[expect(clippy::arithmetic_side_effects, reason = "integers of any size do not overflow")]
pub(super) fn shift_left(integer: &BigInt, n: u64) -> BigInt {
    if n == 0 { integer.clone() } else { integer * BigInt::from(power_of_ten(n)) }
}

/// How many decimal digits an integer has; 0 has none.
pub(super) fn count(integer: &BigUint) -> u64 {
    let least = count_at_least(integer);
    if *integer < power_of_ten(least) { least } else { least.saturating_add(1) }
}

/// How many decimal digits an integer has, or one less.
pub(super) fn count_at_least(integer: &BigUint) -> u64 {
    let Some(below) = integer.bits().checked_sub(1) else { return 0 };
    // 2^below <= integer < 2^(below + 1), and 0.30102999566 < log10(2): one digit too few at most.
    let least = (u128::from(below).saturating_mul(30_102_999_566) / 100_000_000_000) as u64;
    least.saturating_add(1)
}

/// Whether an integer has certainly more than [`DIGITS`] digits.
pub(super) fn bits_exceed_limit(integer: &BigUint) -> bool {
    integer.bits() > LONGEST.bits()
}

/// Whether an integer has more than [`DIGITS`] digits.
pub(super) fn exceed_limit(integer: &BigUint) -> bool {
    integer.bits() >= LONGEST.bits() && *integer >= *LONGEST
}

/// The first integer that has too many digits.
static LONGEST: LazyLock<BigUint> = LazyLock::new(|| power_of_ten(DIGITS as u64));

/// Divides by 10 as often as that is exact, at most `scale` times; gives what is left of both.
pub(super) fn without_trailing_zeros(mantissa: BigInt, scale: u64) -> (BigInt, u64) {
    let most = mantissa.trailing_zeros().unwrap_or(0).min(scale);
    if most == 0 {
        return (mantissa, scale);
    }
    let (sign, magnitude) = mantissa.into_parts();
    let (magnitude, zeros) = strip(magnitude, 10, most);
    (BigInt::from_biguint(sign, magnitude), scale.saturating_sub(zeros))
}

/// Divides by `factor` as often as that is exact, at most `most` times: by its powers of two, largest first, so that
/// it takes few divisions.
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
