//! A number rounded to ten significant digits.

use std::cmp::Ordering;

use num_bigint::BigUint;
use num_integer::Integer;
use num_traits::{ToPrimitive, Zero};

use super::{Number, Repr, digits};

/// The number of significant digits that are kept.
const PRECISION: u64 = 10;

/// A finite number without its sign, rounded to ten significant digits: `digits * 10^exponent`. `digits` does not end
/// in 0, unless it is 0.
#[derive(Debug, PartialEq)]
pub(crate) struct Significant {
    pub(crate) digits: u64,
    pub(crate) exponent: i64,
}

impl Number {
    /// The number without its sign, rounded to ten significant digits, half to even; `None` for an infinity. A huge
    /// number takes no longer than its division by a power of ten: the dropped digits are not printed.
    pub(crate) fn significant(&self) -> Option<Significant> {
        let (kept, half, exponent) = match &self.0 {
            Repr::Small { mantissa, scale } => {
                let magnitude = mantissa.unsigned_abs();
                let drop = digit_count(magnitude).saturating_sub(PRECISION);
                let unit = power_of_ten(drop);
                let (kept, dropped) = magnitude.div_rem(&unit);
                (kept, dropped.cmp(&unit.saturating_sub(dropped)), exponent(drop, *scale))
            }
            Repr::Big(big) => {
                let (kept, half, drop) = leading_digits(big.mantissa().magnitude());
                (kept, half, exponent(drop, big.scale()))
            }
            Repr::Infinity | Repr::NegInfinity => return None,
        };
        let up = half == Ordering::Greater || half == Ordering::Equal && kept.is_odd();
        Some(without_trailing_zeros(kept.saturating_add(u64::from(up)), exponent))
    }
}

/// Splits a large integer into its first ten digits and the rest. Returns these digits, how the rest compares with
/// half a unit of the last of them, and the number of digits of the rest.
#[expect(
    clippy::arithmetic_side_effects,
    reason = "integers of any size do not overflow; no divisor is zero"
)]
fn leading_digits(magnitude: &BigUint) -> (u64, Ordering, u64) {
    // The estimate is at most one too low, so ten or eleven digits remain.
    let drop = digits::count_at_least(magnitude).saturating_sub(PRECISION);
    let unit = digits::power_of_ten(drop);
    let (kept, dropped) = magnitude.div_rem(&unit);
    let kept = kept.to_u64().unwrap_or(u64::MAX);
    if digit_count(kept) <= PRECISION {
        return (kept, (dropped << 1_u32).cmp(&unit), drop);
    }
    let (kept, last) = kept.div_rem(&10);
    let more = if dropped.is_zero() { Ordering::Equal } else { Ordering::Greater };
    (kept, last.cmp(&5).then(more), drop.saturating_add(1))
}

/// The decimal exponent of the digits that remain of a mantissa of this scale after its last `drop` digits were
/// dropped.
fn exponent(drop: u64, scale: u16) -> i64 {
    i64::try_from(drop).unwrap_or(i64::MAX).saturating_sub(scale.into())
}

/// The number of decimal digits of the integer; 0 has none.
fn digit_count(integer: u64) -> u64 {
    integer.checked_ilog10().map_or(0, |log| u64::from(log).saturating_add(1))
}

/// The integer 10^n, or `u64::MAX` if it does not fit.
fn power_of_ten(n: u64) -> u64 {
    u32::try_from(n).ok().and_then(|n| 10_u64.checked_pow(n)).unwrap_or(u64::MAX)
}

/// The number `digits * 10^exponent`, with the trailing zeros of `digits` moved into the exponent.
fn without_trailing_zeros(mut digits: u64, mut exponent: i64) -> Significant {
    while digits != 0 && digits.is_multiple_of(10) {
        digits /= 10;
        exponent = exponent.saturating_add(1);
    }
    Significant { digits, exponent }
}

#[cfg(test)]
mod tests {
    use super::{Number, Significant};

    #[track_caller]
    fn check(text: &str, digits: u64, exponent: i64) {
        let number: Number = text.parse().unwrap();
        let found = number.significant().unwrap();
        // The exponent of 0 has no meaning.
        assert!(
            found == Significant { digits, exponent } || digits == 0 && found.digits == 0,
            "{text}: {found:?}"
        );
    }

    #[test]
    fn ten_digits_are_kept_and_half_goes_to_the_even_one() {
        check("0", 0, 0);
        check("-120", 12, 1);
        check("0.00012", 12, -5);
        check("12345678905", 123_456_789, 2);
        check("12345678915", 1_234_567_892, 1);
        check("123456789050001", 1_234_567_891, 5);
        check("99999999999", 1, 11);
        check("99999999995", 1, 11);
        check("1e8000", 1, 8000);
        check("1e-8000", 1, -8000);
        check("9223372036854775808", 9_223_372_037, 9);
    }

    /// Numbers that do not fit 64 bits are rounded as small ones are.
    #[test]
    fn large_numbers_are_rounded_as_small_ones() {
        for first in ["1234567890", "1234567891", "9999999999", "1000000000"] {
            for rest in ["", "4", "49", "5", "50", "501", "6", "94"] {
                for zeros in ["", "000000", "000001"] {
                    let small: Number = format!("{first}{rest}{zeros}").parse().unwrap();
                    let Significant { digits, exponent } = small.significant().unwrap();
                    for places in [20_i64, 111, 8100] {
                        let large: Number = format!("{first}{rest}{zeros}e{places}").parse().unwrap();
                        let want = Significant { digits, exponent: exponent + places };
                        assert_eq!(large.significant(), Some(want), "{first}{rest}{zeros}e{places}");
                    }
                }
            }
        }
    }
}
