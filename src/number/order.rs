//! The order of numbers: by value, without multiplying out more than the larger operand.

use std::cmp::Ordering;

use num_bigint::{BigInt, BigUint};

use super::{Number, Parts, Repr, digits, long_division};

impl Ord for Number {
    #[inline]
    fn cmp(&self, other: &Number) -> Ordering {
        match self.integers(other) {
            Some((a, b)) => a.cmp(&b),
            None => self.compare(other),
        }
    }
}

impl Number {
    fn compare(&self, other: &Number) -> Ordering {
        // Where the scales are far apart, or an operand is large, go on below.
        if let (Some((a, s)), Some((b, t))) = (self.medium_parts(), other.medium_parts())
            && let Some(ordering) = aligned(a, s, b, t)
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
                let ordering = magnitudes(&a, s, &b, t);
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

/// Compares `a * 10^-s` with `b * 10^-t`, if what that takes fits 128 bits.
fn aligned(a: i128, s: u16, b: i128, t: u16) -> Option<Ordering> {
    if s == t {
        return Some(a.cmp(&b));
    }
    let factor = i128::try_from(long_division::power_of_ten(s.abs_diff(t).into())?).ok()?;
    Some(if s < t { a.checked_mul(factor)?.cmp(&b) } else { a.cmp(&b.checked_mul(factor)?) })
}

/// Compares the magnitudes of two numbers of the same sign.
fn magnitudes(a: &BigInt, s: u16, b: &BigInt, t: u16) -> Ordering {
    let (a, b) = (a.magnitude(), b.magnitude());
    let ((a_least, a_most), (b_least, b_most)) = (size(a, s), size(b, t));
    if a_most < b_least {
        return Ordering::Less;
    }
    if b_most < a_least {
        return Ordering::Greater;
    }
    // As large as each other within a few bits: with equal scales both are about as long as the longer one is now.
    let more = s.abs_diff(t);
    match s.cmp(&t) {
        Ordering::Equal => a.cmp(b),
        Ordering::Less => shifted(a, more).cmp(b),
        Ordering::Greater => a.cmp(&shifted(b, more)),
    }
}

#[expect(clippy::arithmetic_side_effects, reason = "integers of any size do not overflow")]
fn shifted(integer: &BigUint, places: u16) -> BigUint {
    integer * digits::power_of_ten(places.into())
}

/// Bounds on 10,000 times the binary logarithm of `magnitude * 10^-scale`.
fn size(magnitude: &BigUint, scale: u16) -> (i64, i64) {
    let scale = i64::from(scale);
    let bits = i64::try_from(magnitude.bits()).unwrap_or(i64::MAX).saturating_mul(10_000);
    // 3.3219 < log2(10) < 3.3220
    let least = bits.saturating_sub(10_000).saturating_sub(scale.saturating_mul(33_220));
    (least, bits.saturating_sub(scale.saturating_mul(33_219)))
}
