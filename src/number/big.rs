//! Numbers whose mantissa does not fit 64 bits.

use std::borrow::Cow;

use num_bigint::{BigInt, Sign};
use num_traits::ToPrimitive;

/// `mantissa * 10^-scale`.
#[derive(PartialEq, Eq, Hash)]
pub(super) struct Big {
    mantissa: Mantissa,
    scale: u16,
}

/// In one form only, so that the derived `Eq` and `Hash` go by value.
#[derive(PartialEq, Eq, Hash)]
enum Mantissa {
    /// 38 digits fit: most decimals that do not fit 64 bits.
    Wide(i128),
    /// What does not fit 128 bits.
    Long(BigInt),
}

impl Big {
    pub(super) fn new(mantissa: BigInt, scale: u16) -> Big {
        let mantissa = match mantissa.to_i128() {
            Some(mantissa) => Mantissa::Wide(mantissa),
            None => Mantissa::Long(mantissa),
        };
        Big { mantissa, scale }
    }

    pub(super) fn wide(mantissa: i128, scale: u16) -> Big {
        Big { mantissa: Mantissa::Wide(mantissa), scale }
    }

    pub(super) fn mantissa(&self) -> Cow<'_, BigInt> {
        match &self.mantissa {
            Mantissa::Wide(mantissa) => Cow::Owned((*mantissa).into()),
            Mantissa::Long(mantissa) => Cow::Borrowed(mantissa),
        }
    }

    /// The mantissa, where it fits 128 bits.
    pub(super) fn to_i128(&self) -> Option<i128> {
        match &self.mantissa {
            Mantissa::Wide(mantissa) => Some(*mantissa),
            Mantissa::Long(_) => None,
        }
    }

    pub(super) fn scale(&self) -> u16 {
        self.scale
    }

    pub(super) fn is_negative(&self) -> bool {
        match &self.mantissa {
            Mantissa::Wide(mantissa) => *mantissa < 0,
            Mantissa::Long(mantissa) => mantissa.sign() == Sign::Minus,
        }
    }

    /// How many bits the mantissa has.
    pub(super) fn bits(&self) -> u64 {
        match &self.mantissa {
            Mantissa::Wide(mantissa) => {
                u128::BITS.saturating_sub(mantissa.unsigned_abs().leading_zeros()).into()
            }
            Mantissa::Long(mantissa) => mantissa.bits(),
        }
    }
}
