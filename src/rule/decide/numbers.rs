//! Rules on numbers, decided by the lower and the upper bound of the number.

use crate::number::Number;
use crate::refinement::{Bound, NumberRange, Range, Refinement};
use crate::types::Type;
use crate::value::{Value, View, view_below_marks};

use super::congruence;
use crate::rule::Rule;
use crate::rule::keywords::operand::Operand;
use crate::rule::keywords::{Keyword, row};

/// A rule on numbers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NumberRule {
    /// The number is at least this one.
    Min(Number),
    /// The number is at most this one.
    Max(Number),
    /// The number is a multiple of this one; the sign does not matter. The only multiple of 0, and of an infinity, is
    /// 0.
    MultipleOf(Number),
    /// The number is even.
    Even,
    /// The number is an integer that is not even.
    Odd,
    /// The number is an integer from 1 to 65535.
    Port,
    /// The number is an integer from 0 to 65535.
    PortOrZero,
}

impl Rule {
    /// The number is at least this one.
    ///
    /// ```
    /// use plantime::rule::Rule;
    /// use plantime::{NumberRange, Refinement, Type, Value};
    ///
    /// let size = Refinement::number(NumberRange::at_least(20)).and_not_null();
    /// let size = Value::refined(Type::Number, size)?;
    /// assert!(Rule::min(10).check_value(&size)?.is_pass());
    /// assert!(Rule::max(10).check_value(&size)?.is_fail());
    /// assert!(Rule::max(100).check_value(&size)?.is_undetermined());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn min(least: impl Into<Number>) -> Rule {
        Rule::Number(NumberRule::Min(least.into()))
    }

    /// The number is at most this one.
    ///
    /// [Example](Rule::min)
    pub fn max(most: impl Into<Number>) -> Rule {
        Rule::Number(NumberRule::Max(most.into()))
    }

    /// The number is a multiple of this one. The only multiple of 0, and of an infinity, is 0.
    ///
    /// ```
    /// use plantime::Value;
    /// use plantime::rule::Rule;
    ///
    /// assert!(Rule::multiple_of(64).check_value(&Value::from(512))?.is_pass());
    /// assert!(Rule::multiple_of(64).check_value(&Value::from(500))?.is_fail());
    /// assert!(Rule::even().check_value(&Value::from(500))?.is_pass());
    /// assert!(Rule::odd().check_value(&Value::try_from(1.5)?)?.is_fail());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn multiple_of(divisor: impl Into<Number>) -> Rule {
        Rule::Number(NumberRule::MultipleOf(divisor.into()))
    }

    /// The number is even.
    ///
    /// [Example](Rule::multiple_of)
    pub fn even() -> Rule {
        Rule::Number(NumberRule::Even)
    }

    /// The number is an integer that is not even.
    ///
    /// [Example](Rule::multiple_of)
    pub fn odd() -> Rule {
        Rule::Number(NumberRule::Odd)
    }

    /// The number is an integer from 1 to 65535.
    ///
    /// ```
    /// use plantime::Value;
    /// use plantime::rule::Rule;
    ///
    /// assert!(Rule::port().check_value(&Value::from(443))?.is_pass());
    /// assert!(Rule::port().check_value(&Value::from(0))?.is_fail());
    /// assert!(Rule::port_or_zero().check_value(&Value::from(0))?.is_pass());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn port() -> Rule {
        Rule::Number(NumberRule::Port)
    }

    /// The number is an integer from 0 to 65535.
    ///
    /// [Example](Rule::port)
    pub fn port_or_zero() -> Rule {
        Rule::Number(NumberRule::PortOrZero)
    }
}

impl NumberRule {
    /// The entry of the keyword table for this rule: its name in rules files and the types that it can read.
    pub(in crate::rule) fn row(&self) -> &'static Keyword {
        match self {
            NumberRule::Min(_) => const { row("min") },
            NumberRule::Max(_) => const { row("max") },
            NumberRule::MultipleOf(_) => const { row("multiple_of") },
            NumberRule::Even => const { row("even") },
            NumberRule::Odd => const { row("odd") },
            NumberRule::Port => const { row("port") },
            NumberRule::PortOrZero => const { row("port_or_zero") },
        }
    }

    /// The argument of the rule, such as the number of `min`; none for rules without one.
    pub(in crate::rule) fn operand(&self) -> Operand<'_> {
        match self {
            NumberRule::Min(number) | NumberRule::Max(number) | NumberRule::MultipleOf(number) => {
                Operand::Number(number)
            }
            NumberRule::Even | NumberRule::Odd | NumberRule::Port | NumberRule::PortOrZero => Operand::None,
        }
    }

    /// Whether the rule holds for a value that is not null. `None` if that depends on unknowns.
    pub(in crate::rule) fn holds(&self, value: &Value) -> Option<bool> {
        if let Some(Range::Numbers(few)) = value.refinement().map(Refinement::range) {
            let mut answers = few.as_slice().iter().map(|number| self.holds(&Value::from(number.clone())));
            let first = answers.next()??;
            return answers.all(|answer| answer == Some(first)).then_some(first);
        }
        match self {
            NumberRule::Min(least) => at_least(value, least),
            NumberRule::Max(most) => at_most(value, most),
            NumberRule::MultipleOf(number) if number.is_zero() || number.is_infinite() => {
                crate::value::equality::equal(value, &Value::from(0))
            }
            NumberRule::MultipleOf(number) => {
                congruence::has_remainder(value, &number.absolute(), &Number::ZERO)
            }
            NumberRule::Even => congruence::has_remainder(value, &Number::from(2), &Number::ZERO),
            NumberRule::Odd => congruence::has_remainder(value, &Number::from(2), &Number::ONE),
            NumberRule::Port => whole_between(value, 1, 65535),
            NumberRule::PortOrZero => whole_between(value, 0, 65535),
        }
    }
}

/// The interval of the numbers that a value, which is not null, may be. `None` if it is not, or may not be, a number.
pub(in crate::rule) fn range(value: &Value) -> Option<NumberRange> {
    match view_below_marks(value) {
        View::Number(number) => Some(NumberRange::exactly(number.clone())),
        View::Unknown(range) if *range.ty() == Type::Number => {
            Some(range.number_range().cloned().unwrap_or_default())
        }
        _ => None,
    }
}

/// Whether the number is at least `least`. `None` if that depends on unknowns, or the value may not be a number.
fn at_least(value: &Value, least: &Number) -> Option<bool> {
    if let View::Number(number) = view_below_marks(value) {
        return Some(number >= least);
    }
    is_at_least(&range(value)?, &NumberRange::exactly(least.clone()))
}

/// Whether the number is at most `most`. `None` if that depends on unknowns, or the value may not be a number.
fn at_most(value: &Value, most: &Number) -> Option<bool> {
    if let View::Number(number) = view_below_marks(value) {
        return Some(number <= most);
    }
    is_at_least(&NumberRange::exactly(most.clone()), &range(value)?)
}

/// Whether the number is an integer from `low` to `high`. `None` if that depends on unknowns. An unknown number of which
/// only an interval is known can only be excluded: every interval of several numbers contains fractions.
fn whole_between(value: &Value, low: u64, high: u64) -> Option<bool> {
    let range = range(value)?;
    let wanted = NumberRange::new(Bound::Inclusive(Number::from(low)), Bound::Inclusive(Number::from(high)));
    let Some(within) = range.meet(&wanted.unwrap_or_default()) else { return Some(false) };
    if let Some(number) = range.singleton() {
        return Some(number.is_integer());
    }
    if let Some(Range::Multiples(_)) = value.refinement().map(Refinement::range)
        && within == range
    {
        return Some(true);
    }
    let within = Refinement::number(within).and_not_null();
    let within = Value::refined(Type::Number, within).ok()?;
    let none = congruence::has_remainder(&within, &Number::ONE, &Number::ZERO).filter(|whole| !whole);
    none.or_else(|| {
        let wanted = Refinement::integer().meet(within.refinement()?).ok()?;
        value.refinement()?.meet(&wanted).is_err().then_some(false)
    })
}

/// Whether every number of the interval `a` is at least as large as every number of `b` (`Some(true)`), or smaller than
/// every one (`Some(false)`).
pub(in crate::rule) fn is_at_least(a: &NumberRange, b: &NumberRange) -> Option<bool> {
    let (a_low, _) = endpoint(a.lower(), Number::NEG_INFINITY);
    let (b_high, _) = endpoint(b.upper(), Number::INFINITY);
    if a_low >= b_high {
        return Some(true);
    }
    let (a_high, a_closed) = endpoint(a.upper(), Number::INFINITY);
    let (b_low, b_closed) = endpoint(b.lower(), Number::NEG_INFINITY);
    let never = a_high < b_low || a_high == b_low && !(a_closed && b_closed);
    never.then_some(false)
}

/// The number at the end of an interval, and whether it belongs to the interval. Where the interval is unbounded, that
/// is `infinity`, which belongs to it.
fn endpoint(bound: &Bound, infinity: Number) -> (Number, bool) {
    match bound {
        Bound::Unbounded => (infinity, true),
        Bound::Inclusive(number) => (number.clone(), true),
        Bound::Exclusive(number) => (number.clone(), false),
    }
}
