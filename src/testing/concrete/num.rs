//! The model of numbers.

use std::cmp::Ordering;
use std::sync::Arc;

use num_bigint::BigInt;
use num_traits::Zero;

use crate::Number;

/// A number, ordered by value. The universes contain multiples of one quarter and the infinities.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Num {
    /// Negative infinity.
    NegInf,
    /// A multiple of one quarter: the number of quarters.
    Quarters(i64),
    /// Any other number.
    Decimal(Decimal),
    /// Positive infinity.
    Inf,
}

/// A finite number that is no multiple of one quarter, or too large for [`Num::Quarters`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Decimal(Arc<Digits>);

/// The decimal `digits` / 10^`places`, with the smallest possible `places`.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Digits {
    digits: BigInt,
    places: u32,
}

/// The integer 10^`exponent`.
fn power_of_ten(exponent: u32) -> BigInt {
    BigInt::from(10).pow(exponent)
}

impl Num {
    /// The model of an integer.
    pub const fn whole(number: i64) -> Num {
        Num::Quarters(number.saturating_mul(4))
    }

    /// Parses a number in plain notation, such as `-1.25` or `inf`; `None` if the text is not one.
    pub fn parse(text: &str) -> Option<Num> {
        match text {
            "inf" => return Some(Num::Inf),
            "-inf" => return Some(Num::NegInf),
            _ => {}
        }
        let (whole, rest) = text.split_once('.').unwrap_or((text, ""));
        let mut digits: BigInt = format!("{whole}{rest}").parse().ok()?;
        let mut places = u32::try_from(rest.len()).ok()?;
        let quarters: BigInt = &digits * 4;
        let one = power_of_ten(places);
        if (&quarters % &one).is_zero()
            && let Ok(quarters) = i64::try_from(&quarters / &one)
        {
            return Some(Num::Quarters(quarters));
        }
        while places > 0 && (&digits % 10_u8).is_zero() {
            digits /= 10_u8;
            places = places.saturating_sub(1);
        }
        Some(Num::Decimal(Decimal(Arc::new(Digits { digits, places }))))
    }

    /// The number in plain notation.
    pub fn text(&self) -> String {
        let (digits, places) = match self {
            Num::NegInf => return "-inf".to_owned(),
            Num::Inf => return "inf".to_owned(),
            Num::Quarters(quarters) => (BigInt::from(*quarters) * 25_u8, 2),
            Num::Decimal(Decimal(number)) => (number.digits.clone(), number.places as usize),
        };
        let text = digits.magnitude().to_string();
        let text = format!("{text:0>width$}", width = places.saturating_add(1));
        let (whole, rest) = text.split_at(text.len().saturating_sub(places));
        let rest = rest.trim_end_matches('0');
        let sign = if digits.sign() == num_bigint::Sign::Minus { "-" } else { "" };
        let point = if rest.is_empty() { "" } else { "." };
        format!("{sign}{whole}{point}{rest}")
    }

    /// Converts the model to a number of the library.
    ///
    /// # Panics
    ///
    /// If the number has more digits than [`limits`](crate::limits) allow.
    pub fn number(&self) -> Number {
        self.text().parse().expect("a number within the limits")
    }

    /// Whether the number is a multiple of a positive integer.
    pub fn is_multiple_of(&self, step: i64) -> bool {
        match self.finite() {
            Some((digits, places)) => (digits % (BigInt::from(step) * power_of_ten(places))).is_zero(),
            None => false,
        }
    }

    /// The number as an index of a list or tuple; `None` if it is negative, not an integer, or too large.
    pub fn place(&self) -> Option<usize> {
        match self {
            Num::Quarters(quarters) if quarters % 4 == 0 => usize::try_from(quarters / 4).ok(),
            _ => None,
        }
    }

    /// The integer `digits` and the exponent `places` of which the number is `digits` / 10^`places`; `None` for
    /// infinities.
    fn finite(&self) -> Option<(BigInt, u32)> {
        match self {
            Num::Quarters(quarters) => Some((BigInt::from(*quarters) * 25_u8, 2)),
            Num::Decimal(Decimal(number)) => Some((number.digits.clone(), number.places)),
            Num::NegInf | Num::Inf => None,
        }
    }
}

impl From<&Number> for Num {
    fn from(number: &Number) -> Num {
        Num::parse(&number.to_string()).expect("numbers are written in plain notation")
    }
}

impl PartialOrd for Num {
    fn partial_cmp(&self, other: &Num) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Num {
    fn cmp(&self, other: &Num) -> Ordering {
        if let (Num::Quarters(a), Num::Quarters(b)) = (self, other) {
            return a.cmp(b);
        }
        match (self.finite(), other.finite()) {
            (Some((a, a_places)), Some((b, b_places))) => {
                (a * power_of_ten(b_places)).cmp(&(b * power_of_ten(a_places)))
            }
            _ => {
                let rank = |num: &Num| match num {
                    Num::NegInf => 0,
                    Num::Quarters(_) | Num::Decimal(_) => 1,
                    Num::Inf => 2,
                };
                rank(self).cmp(&rank(other))
            }
        }
    }
}
