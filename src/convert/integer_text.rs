//! The strings that integers convert to.

use std::sync::OnceLock;

use crate::language::Language;
use crate::number::Number;
use crate::refinement::{Bound, Multiples, NumberRange, Refinement};

/// The maximum number of integers whose strings are listed.
const LISTED: usize = 64;

/// The strings of multiples: each of them where they are few, else digits, as many as the ends of the interval have.
pub(super) fn texts_of(multiples: &Multiples) -> Refinement {
    if let Some(members) = multiples.members(LISTED) {
        return Refinement::one_of(members.iter().map(Number::to_string)).unwrap_or_default();
    }
    let (lower, upper) = (multiples.range().lower().number(), multiples.range().upper().number());
    let is_below_zero = |bound: Option<&Number>| bound.is_none_or(Number::is_negative);
    let (near, far, sign) = match (is_below_zero(lower), upper.is_some_and(Number::is_negative)) {
        (true, true) => (upper, lower, "-"),
        (true, false) => return signed().clone(),
        (false, _) => (lower, upper, ""),
    };
    let digits = |bound: Option<&Number>| {
        bound.filter(|number| number.is_finite()).map(|number| number.absolute().to_string().len())
    };
    let least = digits(near).unwrap_or(1);
    let most = digits(far)
        .filter(|most| *most <= LISTED)
        .map_or(String::new(), |most| most.saturating_sub(1).to_string());
    let first = if near.is_some_and(Number::is_zero) { "0$|^[1-9]" } else { "[1-9]" };
    let pattern = format!("^{sign}{first}[0-9]{{{},{most}}}$", least.min(LISTED).saturating_sub(1));
    Refinement::pattern(&pattern).unwrap_or_default()
}

/// The strings of all integers.
fn signed() -> &'static Refinement {
    static SIGNED: OnceLock<Refinement> = OnceLock::new();
    SIGNED.get_or_init(|| Refinement::pattern("^(?:0|-?[1-9][0-9]*)$").unwrap_or_default())
}

/// The strings of digits, perhaps after a sign, which are integers where they are numbers.
pub(super) fn digits() -> &'static Language {
    static DIGITS: OnceLock<Language> = OnceLock::new();
    DIGITS.get_or_init(|| {
        let read = crate::regexp::language("^[+-]?[0-9]+$");
        read.ok().and_then(std::result::Result::ok).unwrap_or_else(Language::empty)
    })
}

/// An interval with the numbers that strings of a language mean, as far as signs tell it.
pub(super) fn interval_by_sign(strings: &Language) -> NumberRange {
    let begin_with = |sign: &str| Language::prefix(sign).map_or(true, |all| !strings.is_disjoint(&all));
    if begin_with("-") { NumberRange::default() } else { NumberRange::at_least(0) }
}

/// An interval that contains every integer that a string of the language stands for in a base from 2 to 62. It follows
/// from the signs and the numbers of digits that the strings can have.
pub(crate) fn interval_of_digits(strings: &Language, base: u32) -> NumberRange {
    let begin_with = |sign: &str| Language::prefix(sign).map_or(true, |all| !strings.is_disjoint(&all));
    let number = |digits: Vec<u8>| Number::from_digits(&digits, base);
    let highest = u8::try_from(base.saturating_sub(1)).unwrap_or(u8::MAX);
    let count = |length: u32| usize::try_from(length).unwrap_or(usize::MAX);
    let most = strings.longest().and_then(|longest| number(vec![highest; count(longest)]));
    // A string without a sign and a leading zero is at least 1, followed by zeros.
    let is_plain = !["-", "+", "0"].into_iter().any(begin_with);
    let least = strings.shortest().filter(|_| is_plain).and_then(|shortest| {
        let zeros = std::iter::repeat_n(0, count(shortest).saturating_sub(1));
        number(std::iter::once(1).chain(zeros).collect())
    });
    let lower = match (least, begin_with("-"), &most) {
        (Some(least), ..) => Bound::Inclusive(least),
        (None, false, _) => Bound::Inclusive(Number::ZERO),
        (None, true, Some(most)) => Bound::Inclusive(most.negate()),
        (None, true, None) => Bound::Unbounded,
    };
    NumberRange::new(lower, most.map_or(Bound::Unbounded, Bound::Inclusive)).unwrap_or_default()
}
