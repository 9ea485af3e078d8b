//! Rounding to a number of decimal places.

use std::cmp::Ordering;

use num_bigint::{BigInt, Sign};
use num_integer::Integer;
use num_traits::Zero;

use super::{Number, Parts, Repr, digits};
use crate::error::Result;
use crate::limits::DIGITS;

/// The direction of rounding a number that lies between two multiples of the unit, such as of the last place kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rounding {
    /// Toward `-inf`: -2.5 to -3.
    Floor,
    /// Toward `inf`: -2.5 to -2.
    Ceil,
    /// Toward 0: -2.5 to -2.
    Trunc,
    /// To the nearest, half way to the even one: -2.5 to -2.
    HalfEven,
    /// To the nearest, half way away from 0: -2.5 to -3.
    HalfAway,
}

impl Rounding {
    /// Whether to round away from 0 when digits that are not all 0 are dropped. `odd` says whether the last digit
    /// kept is odd; `half` compares the dropped part with half a unit of that digit.
    fn rounds_away_from_zero(self, negative: bool, odd: bool, half: Ordering) -> bool {
        match self {
            Rounding::Floor => negative,
            Rounding::Ceil => !negative,
            Rounding::Trunc => false,
            Rounding::HalfEven => half == Ordering::Greater || half == Ordering::Equal && odd,
            Rounding::HalfAway => half != Ordering::Less,
        }
    }
}

impl Number {
    /// The largest integer that is not above the number; an infinity stays.
    ///
    /// | number | `floor` | `ceil` | `trunc` |
    /// |---|---|---|---|
    /// | 2.5 | 2 | 3 | 2 |
    /// | -2.5 | -3 | -2 | -2 |
    ///
    /// ```
    /// use plantime::Number;
    ///
    /// let number: Number = "-2.5".parse()?;
    /// assert_eq!(number.floor(), Number::from(-3));
    /// assert_eq!((number.ceil(), number.trunc()), (Number::from(-2), Number::from(-2)));
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn floor(&self) -> Number {
        self.to_integer(Rounding::Floor)
    }

    /// The smallest integer that is not below the number; an infinity stays.
    ///
    /// [Example](Number::floor)
    pub fn ceil(&self) -> Number {
        self.to_integer(Rounding::Ceil)
    }

    /// The integer part, without the digits after the point; an infinity stays.
    ///
    /// [Example](Number::floor)
    pub fn trunc(&self) -> Number {
        self.to_integer(Rounding::Trunc)
    }

    /// Rounds to this number of decimal places. A negative number counts digits before the point: -3 rounds to
    /// thousands. An infinity stays.
    ///
    /// ```
    /// use plantime::{Number, Rounding};
    ///
    /// let number: Number = "2.675".parse()?;
    /// assert_eq!(number.round(2, Rounding::HalfEven)?.to_string(), "2.68");
    /// assert_eq!(number.round(-1, Rounding::Ceil)?, Number::from(10));
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Rounding away from 0 at a negative number of places can give more digits than the limit.
    pub fn round(&self, places: i64, rounding: Rounding) -> Result<Number> {
        match self.parts() {
            Parts::Finite(mantissa, scale) if places < i64::from(scale) => {
                let drop = i64::from(scale).saturating_sub(places).unsigned_abs();
                Number::finite(rounded(&mantissa, drop, rounding), places)
            }
            _ => Ok(self.clone()),
        }
    }

    /// Rounds to an integer; an infinity stays. The result never has too many digits: where rounding adds one digit
    /// in front, it drops at least one behind.
    fn to_integer(&self, rounding: Rounding) -> Number {
        match &self.0 {
            Repr::Small { mantissa, scale } if *scale > 0 => {
                let kept = 10_i64.checked_pow((*scale).into()).and_then(|unit| mantissa.checked_div(unit));
                let dropped = 10_i64.checked_pow((*scale).into()).and_then(|unit| mantissa.checked_rem(unit));
                // The power does not fit 64 bits, so the number is less than one unit, and as its form is canonical
                // it is not 0.
                let (kept, dropped) = (kept.unwrap_or(0), dropped.unwrap_or(*mantissa));
                let further = match rounding {
                    Rounding::Floor if dropped < 0 => -1,
                    Rounding::Ceil if dropped > 0 => 1,
                    _ => 0,
                };
                Number::integer(i128::from(kept).saturating_add(further))
            }
            Repr::Big(big) if big.scale() > 0 => {
                Number::canonical(rounded(&big.mantissa(), big.scale().into(), rounding), 0)
            }
            _ => self.clone(),
        }
    }
}

/// The quotient `mantissa / 10^drop`, rounded to an integer in the direction `rounding`.
#[expect(
    clippy::arithmetic_side_effects,
    reason = "integers of any size do not overflow; no divisor is zero"
)]
fn rounded(mantissa: &BigInt, drop: u64, rounding: Rounding) -> BigInt {
    // A unit with two digits more than the limit gives the same result as all larger units: no mantissa reaches
    // half of it.
    let unit = digits::power_of_ten(drop.min(DIGITS as u64 + 2));
    let (mut kept, dropped) = mantissa.magnitude().div_rem(&unit);
    let negative = mantissa.sign() == Sign::Minus;
    if !dropped.is_zero()
        && rounding.rounds_away_from_zero(negative, kept.is_odd(), (dropped << 1_u32).cmp(&unit))
    {
        kept += 1_u32;
    }
    BigInt::from_biguint(if negative { Sign::Minus } else { Sign::Plus }, kept)
}
