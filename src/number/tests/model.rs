//! Numbers as fractions of integers of any size: slow, obvious, and without any of the code that is tested.

use std::cmp::Ordering;

use num_bigint::BigInt;
use num_integer::Integer;

use crate::limits::DIGITS;
use crate::number::{Number, Parts};

#[derive(Clone, Debug)]
pub(super) enum Model {
    /// Numerator and denominator, which is above 0.
    Fraction(BigInt, BigInt),
    Infinite(bool),
}

/// What has no value.
#[derive(Debug)]
pub(super) struct Undefined;

/// The mantissa of a finite number.
pub(super) fn mantissa(number: &Number) -> BigInt {
    match number.parts() {
        Parts::Finite(mantissa, _) => mantissa.into_owned(),
        Parts::Infinite { .. } => BigInt::ZERO,
    }
}

fn ten(power: usize) -> BigInt {
    BigInt::from(10).pow(power as u32)
}

impl Model {
    /// Reads the number's plain text.
    pub(super) fn of(number: &Number) -> Model {
        let text = number.to_string();
        if let "inf" | "-inf" = text.as_str() {
            return Model::Infinite(text.starts_with('-'));
        }
        let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
        let numerator: BigInt = format!("{whole}{fraction}").parse().unwrap();
        Model::Fraction(numerator, ten(fraction.len()))
    }

    fn sign(&self) -> Ordering {
        match self {
            Model::Fraction(numerator, _) => numerator.cmp(&BigInt::ZERO),
            Model::Infinite(true) => Ordering::Less,
            Model::Infinite(false) => Ordering::Greater,
        }
    }

    fn infinite(a: Ordering, b: Ordering) -> Model {
        Model::Infinite((a == Ordering::Less) != (b == Ordering::Less))
    }

    pub(super) fn cmp(&self, other: &Model) -> Ordering {
        match (self, other) {
            (Model::Fraction(a, b), Model::Fraction(c, d)) => (a * d).cmp(&(c * b)),
            (Model::Infinite(a), Model::Infinite(b)) => b.cmp(a),
            (Model::Infinite(_), _) => self.sign(),
            (_, Model::Infinite(_)) => other.sign().reverse(),
        }
    }

    pub(super) fn neg(&self) -> Model {
        match self {
            Model::Fraction(a, b) => Model::Fraction(-a, b.clone()),
            Model::Infinite(negative) => Model::Infinite(!negative),
        }
    }

    pub(super) fn add(&self, other: &Model) -> Result<Model, Undefined> {
        match (self, other) {
            (Model::Fraction(a, b), Model::Fraction(c, d)) => Ok(Model::Fraction(a * d + c * b, b * d)),
            (Model::Infinite(a), Model::Infinite(b)) if a != b => Err(Undefined),
            (Model::Infinite(a), _) | (_, Model::Infinite(a)) => Ok(Model::Infinite(*a)),
        }
    }

    pub(super) fn sub(&self, other: &Model) -> Result<Model, Undefined> {
        self.add(&other.neg())
    }

    pub(super) fn mul(&self, other: &Model) -> Result<Model, Undefined> {
        match (self, other) {
            (Model::Fraction(a, b), Model::Fraction(c, d)) => Ok(Model::Fraction(a * c, b * d)),
            _ if self.sign() == Ordering::Equal || other.sign() == Ordering::Equal => Err(Undefined),
            _ => Ok(Model::infinite(self.sign(), other.sign())),
        }
    }

    pub(super) fn div(&self, other: &Model) -> Result<Model, Undefined> {
        match (self, other) {
            (_, Model::Fraction(c, _)) if *c == BigInt::ZERO => match self.sign() {
                Ordering::Equal => Err(Undefined),
                sign => Ok(Model::Infinite(sign == Ordering::Less)),
            },
            (Model::Fraction(a, b), Model::Fraction(c, d)) => {
                let (numerator, denominator) = (a * d, b * c);
                let flip = denominator < BigInt::ZERO;
                Ok(if flip {
                    Model::Fraction(-numerator, -denominator)
                } else {
                    Model::Fraction(numerator, denominator)
                })
            }
            (Model::Infinite(_), Model::Infinite(_)) => Err(Undefined),
            (Model::Infinite(_), _) => Ok(Model::infinite(self.sign(), other.sign())),
            (_, Model::Infinite(_)) => Ok(Model::Fraction(0.into(), 1.into())),
        }
    }

    pub(super) fn rem(&self, other: &Model) -> Result<Model, Undefined> {
        match (self, other) {
            (Model::Infinite(_), _) => Err(Undefined),
            (_, Model::Infinite(_)) => Ok(self.clone()),
            (Model::Fraction(..), Model::Fraction(c, _)) if *c == BigInt::ZERO => Err(Undefined),
            (Model::Fraction(a, b), Model::Fraction(c, d)) => {
                let times = (a * d) / (b * c);
                self.sub(&Model::Fraction(times * c, d.clone()))
            }
        }
    }

    /// The denominator in lowest terms, without twos and fives, and how many places twos and fives ask for.
    fn places(&self) -> Option<(BigInt, usize)> {
        let Model::Fraction(a, b) = self else { return None };
        let mut rest = b / a.gcd(b);
        let mut count = |factor: u32| {
            let mut times = 0;
            while (&rest % factor) == BigInt::ZERO {
                rest /= factor;
                times += 1;
            }
            times
        };
        let places = count(2).max(count(5));
        Some((rest, places))
    }

    /// How many digits plain text shows of a fraction that ends.
    fn shown(&self) -> Option<usize> {
        let (Model::Fraction(a, b), Some((rest, places))) = (self, self.places()) else { return Some(0) };
        let whole = (a / b).magnitude().to_string().len();
        (rest == BigInt::from(1)).then_some(whole + places)
    }

    /// Whether it ends within the limit.
    pub(super) fn ends(&self) -> bool {
        self.shown().is_some_and(|shown| shown <= DIGITS)
    }

    /// Whether it is too long for a number: it ends beyond the limit, or it does not end and 155 digits of it do.
    pub(super) fn is_long(&self) -> bool {
        let (Model::Fraction(a, b), false) = (self, self.ends()) else { return false };
        let whole = (a / b).magnitude().to_string().len();
        // Where no digit stands before the point: so many zeros after it, and then 155 digits.
        let zeros = (b / a).magnitude().to_string().len();
        self.shown().is_some() || whole > DIGITS || zeros + 155 > DIGITS - 2
    }

    /// Whether `number` is this fraction to `digits` significant digits, half to even.
    pub(super) fn rounds_to(&self, number: &Number, digits: usize) -> bool {
        let (Model::Fraction(a, b), Model::Fraction(c, d)) = (self, Model::of(number)) else { return false };
        // The unit in the last of so many digits of the exact value, as fraction.
        let (mut unit_up, mut unit_down) = (BigInt::from(1), BigInt::from(1));
        let a_abs = BigInt::from(a.magnitude().clone());
        let guess = a_abs.to_string().len() as i64 - b.to_string().len() as i64;
        let at_least = |power: i64| {
            if power >= 0 { a_abs >= b * ten(power as usize) } else { &a_abs * ten(-power as usize) >= *b }
        };
        let leading = if at_least(guess) { guess } else { guess - 1 };
        assert!(at_least(leading) && !at_least(leading + 1));
        let last = leading - (digits as i64 - 1);
        if last >= 0 {
            unit_up = ten(last as usize)
        } else {
            unit_down = ten(-last as usize)
        }
        // number / unit is an integer, and 2 |exact - number| <= unit, even where equal.
        let (quotient, remainder) = (&c * &unit_down).div_rem(&(&d * &unit_up));
        let error = BigInt::from((a * &d - &c * b).magnitude().clone()) * 2 * &unit_down;
        let unit = b * &d * &unit_up;
        remainder == BigInt::ZERO && (error < unit || error == unit && quotient.is_even())
    }
}
