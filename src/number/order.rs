//! The order of numbers by value. No comparison builds an integer with more digits than the larger operand.

use std::cmp::Ordering;

use num_bigint::{BigInt, BigUint};

use super::{Number, Parts, Repr, digits, long_division};

impl Ord for Number {
    #[inline]
    fn cmp(&self, other: &Number) -> Ordering {
        match self.both_i64(other) {
            Some((a, b)) => a.cmp(&b),
            None => self.compare(other),
        }
    }
}

impl Number {
    /// The order of any two numbers by value, for those that are not both `i64` integers.
    fn compare(&self, other: &Number) -> Ordering {
        // If the scales are far apart or a mantissa is large, this does not fit 128 bits and the general comparison
        // below decides.
        if let (Some((a, s)), Some((b, t))) = (self.medium_parts(), other.medium_parts())
            && let Some(ordering) = compare_in_128_bits(a, s, b, t)
        {
            return ordering;
        }
        if let (Repr::Big(a), Repr::Big(b)) = (&self.0, &other.0)
            && a.scale() == b.scale()
        {
            return a.mantissa().cmp(&b.mantissa());
        }
        match (self.parts(), other.parts()) {
            (Parts::Finite(a, s), Parts::Finite(b, t)) => a.sign().cmp(&b.sign()).then_with(|| {
                let ordering = compare_magnitudes(&a, s, &b, t);
                if self.is_negative() { ordering.reverse() } else { ordering }
            }),
            (Parts::Infinite { negative: a }, Parts::Infinite { negative: b }) => b.cmp(&a),
            (Parts::Infinite { negative }, _) => {
                if negative {
                    Ordering::Less
                } else {
                    Ordering::Greater
                }
            }
            (_, Parts::Infinite { negative }) => {
                if negative {
                    Ordering::Greater
                } else {
                    Ordering::Less
                }
            }
        }
    }
}

impl PartialOrd for Number {
    #[inline]
    fn partial_cmp(&self, other: &Number) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Compares `a * 10^-s` with `b * 10^-t`; `None` if bringing both to the same scale does not fit 128 bits.
fn compare_in_128_bits(a: i128, s: u16, b: i128, t: u16) -> Option<Ordering> {
    if s == t {
        return Some(a.cmp(&b));
    }
    let factor = i128::try_from(long_division::power_of_ten(s.abs_diff(t).into())?).ok()?;
    Some(if s < t { a.checked_mul(factor)?.cmp(&b) } else { a.cmp(&b.checked_mul(factor)?) })
}

/// Compares the magnitudes `a * 10^-s` and `b * 10^-t`, ignoring the signs.
fn compare_magnitudes(a: &BigInt, s: u16, b: &BigInt, t: u16) -> Ordering {
    let (a, b) = (a.magnitude(), b.magnitude());
    let ((a_least, a_most), (b_least, b_most)) = (log2_bounds(a, s), log2_bounds(b, t));
    if a_most < b_least {
        return Ordering::Less;
    }
    if b_most < a_least {
        return Ordering::Greater;
    }
    // The logarithms are too close to decide. So with equal scales both mantissas have about the length of the
    // longer one, and the multiplication is bounded.
    let more = s.abs_diff(t);
    match s.cmp(&t) {
        Ordering::Equal => a.cmp(b),
        Ordering::Less => times_power_of_ten(a, more).cmp(b),
        Ordering::Greater => a.cmp(&times_power_of_ten(b, more)),
    }
}

/// The integer `integer * 10^places`.
#[expect(clippy::arithmetic_side_effects, reason = "integers of any size do not overflow")]
fn times_power_of_ten(integer: &BigUint, places: u16) -> BigUint {
    integer * digits::power_of_ten(places.into())
}

/// A lower and an upper bound of 10,000 times the binary logarithm of `magnitude * 10^-scale`, from the number of
/// bits.
fn log2_bounds(magnitude: &BigUint, scale: u16) -> (i64, i64) {
    let scale = i64::from(scale);
    let bits = i64::try_from(magnitude.bits()).unwrap_or(i64::MAX).saturating_mul(10_000);
    // 3.3219 < log2(10) < 3.3220
    let least = bits.saturating_sub(10_000).saturating_sub(scale.saturating_mul(33_220));
    (least, bits.saturating_sub(scale.saturating_mul(33_219)))
}
