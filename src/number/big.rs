//! The representation of numbers whose mantissa does not fit 64 bits.

use std::borrow::Cow;
use std::hash::{Hash, Hasher};

use bigdecimal::BigDecimal;
use num_bigint::{BigInt, Sign};
use num_traits::ToPrimitive;

/// The number `mantissa * 10^-scale` for a mantissa that does not fit 64 bits. Each number has one representation:
/// the smallest variant that fits, in canonical form.
pub(super) enum Big {
    /// A mantissa of up to 38 digits, which covers most decimals that do not fit 64 bits.
    Wide { mantissa: i128, scale: u16 },
    /// A mantissa that does not fit 128 bits. Only exact operations of `BigDecimal` are used: no result depends on
    /// the precision and rounding that bigdecimal takes from its build-time environment.
    Long(BigDecimal),
}

impl Big {
    /// The number `mantissa * 10^-scale`, in the variant that its mantissa fits.
    pub(super) fn new(mantissa: BigInt, scale: u16) -> Big {
        match mantissa.to_i128() {
            Some(mantissa) => Big::wide(mantissa, scale),
            None => Big::long(mantissa, scale),
        }
    }

    /// The number `mantissa * 10^-scale`; the caller knows that the mantissa does not fit 128 bits.
    pub(super) fn long(mantissa: BigInt, scale: u16) -> Big {
        Big::Long(BigDecimal::new(mantissa, scale.into()))
    }

    /// The number `mantissa * 10^-scale` of a mantissa of 128 bits.
    pub(super) fn wide(mantissa: i128, scale: u16) -> Big {
        Big::Wide { mantissa, scale }
    }

    /// The mantissa, of any size.
    pub(super) fn mantissa(&self) -> Cow<'_, BigInt> {
        match self {
            Big::Wide { mantissa, .. } => Cow::Owned((*mantissa).into()),
            Big::Long(decimal) => decimal.as_bigint_and_scale().0,
        }
    }

    /// The mantissa; `None` if it does not fit 128 bits.
    pub(super) fn to_i128(&self) -> Option<i128> {
        match self {
            Big::Wide { mantissa, .. } => Some(*mantissa),
            Big::Long(_) => None,
        }
    }

    /// The scale: the number of decimal places. It is below [`DIGITS`](crate::limits::DIGITS), so the conversion to
    /// `u16` loses nothing.
    pub(super) fn scale(&self) -> u16 {
        match self {
            Big::Wide { scale, .. } => *scale,
            Big::Long(decimal) => u16::try_from(decimal.as_bigint_and_scale().1).unwrap_or(u16::MAX),
        }
    }

    /// The number as a `BigDecimal`.
    pub(super) fn decimal(&self) -> Cow<'_, BigDecimal> {
        match self {
            Big::Wide { mantissa, scale } => Cow::Owned(BigDecimal::new((*mantissa).into(), (*scale).into())),
            Big::Long(decimal) => Cow::Borrowed(decimal),
        }
    }

    /// Whether the number is below 0.
    pub(super) fn is_negative(&self) -> bool {
        match self {
            Big::Wide { mantissa, .. } => *mantissa < 0,
            Big::Long(decimal) => decimal.sign() == Sign::Minus,
        }
    }

    /// The number of bits of the mantissa without its sign.
    pub(super) fn bits(&self) -> u64 {
        match self {
            Big::Wide { mantissa, .. } => {
                u128::BITS.saturating_sub(mantissa.unsigned_abs().leading_zeros()).into()
            }
            Big::Long(decimal) => decimal.as_bigint_and_scale().0.bits(),
        }
    }
}

// Equality and hash compare mantissa and scale, which are canonical. Those of `BigDecimal` would look for trailing
// zeros each time.

impl PartialEq for Big {
    fn eq(&self, other: &Big) -> bool {
        match (self, other) {
            (Big::Wide { mantissa: a, scale: s }, Big::Wide { mantissa: b, scale: t }) => a == b && s == t,
            (Big::Long(a), Big::Long(b)) => a.as_bigint_and_scale() == b.as_bigint_and_scale(),
            _ => false,
        }
    }
}

impl Eq for Big {}

impl Hash for Big {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self {
            Big::Wide { mantissa, scale } => (mantissa, scale).hash(state),
            Big::Long(decimal) => decimal.as_bigint_and_scale().hash(state),
        }
    }
}
