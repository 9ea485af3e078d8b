//! Numbers as plain text.

use std::fmt;

use super::{Number, Repr};

/// Plain text without exponent: `-12.5`, `0.001`; `inf` and `-inf`. Width, fill and sign of the format are kept.
impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Repr::Small { mantissa, scale: 0 } => fmt::Display::fmt(mantissa, f),
            Repr::Small { mantissa, scale } => {
                plain(f, mantissa.unsigned_abs().to_string(), *scale, *mantissa < 0)
            }
            Repr::Big(big) => {
                plain(f, big.mantissa().magnitude().to_string(), big.scale(), self.is_negative())
            }
            Repr::Infinity => f.pad("inf"),
            Repr::NegInfinity => f.pad("-inf"),
        }
    }
}

/// Prints digits with the point before the last `scale` ones.
fn plain(f: &mut fmt::Formatter<'_>, mut digits: String, scale: u16, negative: bool) -> fmt::Result {
    let scale = usize::from(scale);
    if scale > 0 {
        match digits.len().checked_sub(scale) {
            Some(whole @ 1..) => digits.insert(whole, '.'),
            _ => digits = format!("0.{digits:0>scale$}"),
        }
    }
    f.pad_integral(!negative, "", &digits)
}

impl fmt::Debug for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Number({self})")
    }
}
