//! A small universe: every value of it, every refinement over it, and which values agree with which refinement,
//! worked out from the words of each refinement and not by the code under test.
//!
//! Values go one step beyond every bound, and there are numbers half way between bounds: else a range that is cut off
//! by the end of the universe looks like a smaller one.

use std::sync::LazyLock;

use crate::number::Number;
use crate::refinement::{Bound, LengthRange, Nullness, NumberRange, Range, Refinement};

/// A value, as far as refinements can tell. Numbers count halves, so that they are exact.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Concrete {
    Null,
    Flag,
    Text(String),
    Number(Halves),
    Elements(u64),
}

/// Twice a number; the infinities are at the ends.
pub(super) type Halves = i64;
const INF: Halves = Halves::MAX;
const NEG_INF: Halves = Halves::MIN;

/// One end of an interval in halves: the number, and whether it is in.
type End = Option<(Halves, bool)>;

/// A refinement in words.
#[derive(Clone, Debug)]
pub(super) struct Spec {
    pub(super) nullness: Nullness,
    pub(super) range: SpecRange,
}

#[derive(Clone, Debug)]
pub(super) enum SpecRange {
    Any,
    Prefix(String),
    Number(End, End),
    /// Integers from the first to the last, where there are bounds.
    Integer(Option<Halves>, Option<Halves>),
    Length(u64, Option<u64>),
    OneOf(Vec<Halves>),
}

/// One bit for each value of [`VALUES`].
pub(super) type Mask = u64;

pub(super) static VALUES: LazyLock<Vec<Concrete>> = LazyLock::new(|| {
    let mut values = vec![Concrete::Null, Concrete::Flag];
    values.extend(texts(4).into_iter().map(Concrete::Text));
    let numbers = [NEG_INF, -6, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6, INF];
    values.extend(numbers.map(Concrete::Number));
    values.extend((0..=4).map(Concrete::Elements));
    assert!(values.len() <= 64);
    values
});

/// Every refinement in words, each with its values. Two of them may have the same values, or none.
pub(super) static SPECS: LazyLock<Vec<(Spec, Mask)>> = LazyLock::new(|| {
    let mut ranges = vec![SpecRange::Any];
    ranges.extend(texts(3).into_iter().filter(|text| !text.is_empty()).map(SpecRange::Prefix));
    let numbers = [NEG_INF, -2, 0, 2, INF];
    let mut ends: Vec<End> = vec![None];
    ends.extend(numbers.iter().flat_map(|n| [Some((*n, true)), Some((*n, false))]));
    for lower in &ends {
        ranges.extend(ends.iter().map(|upper| SpecRange::Number(*lower, *upper)));
    }
    for lower in [None, Some(-2), Some(0), Some(2)] {
        ranges.extend([None, Some(-2), Some(0), Some(2)].map(|upper| SpecRange::Integer(lower, upper)));
    }
    for chosen in 1..16_u32 {
        let few = [-2, 2, 4, INF];
        let few = few.into_iter().enumerate().filter(|(bit, _)| chosen >> bit & 1 == 1);
        ranges.push(SpecRange::OneOf(few.map(|(_, halves)| halves).collect()));
    }
    for min in 0..=3 {
        ranges.push(SpecRange::Length(min, None));
        ranges.extend((0..=3).map(|max| SpecRange::Length(min, Some(max))));
    }
    let mut specs = vec![Spec { nullness: Nullness::Null, range: SpecRange::Any }];
    for nullness in [Nullness::Nullable, Nullness::NotNull] {
        specs.extend(ranges.iter().map(|range| Spec { nullness, range: range.clone() }));
    }
    specs.into_iter().map(|spec| (spec.clone(), mask(|value| spec.agrees(value)))).collect()
});

/// Every refinement that is not empty, once, with its values.
pub(super) static REFINEMENTS: LazyLock<Vec<(Refinement, Mask)>> = LazyLock::new(|| {
    let mut all: Vec<(Refinement, Mask)> = Vec::new();
    for (spec, mask) in SPECS.iter() {
        if let Some(refinement) = spec.build()
            && all.iter().all(|(_, other)| other != mask)
        {
            all.push((refinement, *mask));
        }
    }
    all
});

/// All texts of `a` and `b` up to a length.
fn texts(longest: usize) -> Vec<String> {
    let mut texts = vec![String::new()];
    let mut last = texts.clone();
    for _ in 0..longest {
        last = last.iter().flat_map(|text| [format!("{text}a"), format!("{text}b")]).collect();
        texts.extend(last.iter().cloned());
    }
    texts
}

pub(super) fn mask(agrees: impl Fn(&Concrete) -> bool) -> Mask {
    VALUES.iter().enumerate().filter(|(_, value)| agrees(value)).fold(0, |mask, (bit, _)| mask | 1 << bit)
}

impl Spec {
    fn agrees(&self, value: &Concrete) -> bool {
        if *value == Concrete::Null {
            return self.nullness != Nullness::NotNull;
        }
        if self.nullness == Nullness::Null {
            return false;
        }
        match (&self.range, value) {
            (SpecRange::Any, _) => true,
            (SpecRange::Prefix(prefix), Concrete::Text(text)) => {
                text.len() >= prefix.len() && prefix.chars().zip(text.chars()).all(|(p, t)| p == t)
            }
            (SpecRange::Number(lower, upper), Concrete::Number(number)) => {
                lower.is_none_or(|(end, closed)| end < *number || closed && end == *number)
                    && upper.is_none_or(|(end, closed)| end > *number || closed && end == *number)
            }
            (SpecRange::Integer(lower, upper), Concrete::Number(number)) => {
                *number != INF
                    && *number != NEG_INF
                    && number % 2 == 0
                    && lower.is_none_or(|lower| lower <= *number)
                    && upper.is_none_or(|upper| *number <= upper)
            }
            (SpecRange::OneOf(few), Concrete::Number(number)) => few.contains(number),
            (SpecRange::Length(min, max), Concrete::Elements(length)) => {
                min <= length && max.is_none_or(|max| *length <= max)
            }
            // The whole of a kind says nothing, so it is no claim about the kind either.
            (SpecRange::Number(lower, upper), _) => {
                matches!(lower, None | Some((NEG_INF, true))) && matches!(upper, None | Some((INF, true)))
            }
            (SpecRange::Length(0, None), _) => true,
            _ => false,
        }
    }

    /// The refinement, where its range is not empty.
    pub(super) fn build(&self) -> Option<Refinement> {
        let refinement = match (self.nullness, &self.range) {
            (Nullness::Null, _) => return Some(Refinement::null()),
            (_, SpecRange::Any) => Refinement::any(),
            (_, SpecRange::Prefix(prefix)) => Refinement::prefix(prefix),
            (_, SpecRange::Number(lower, upper)) => {
                Refinement::number(NumberRange::new(bound(*lower), bound(*upper)).ok()?)
            }
            (_, SpecRange::Integer(lower, upper)) => {
                let end = |halves: Option<Halves>| bound(halves.map(|halves| (halves, true)));
                let range = Refinement::number(NumberRange::new(end(*lower), end(*upper)).ok()?);
                Refinement::integer().meet(&range).ok()?
            }
            (_, SpecRange::OneOf(few)) => {
                Refinement::one_of_numbers(few.iter().map(|halves| number(*halves))).ok()?
            }
            (_, SpecRange::Length(min, max)) => Refinement::length(LengthRange::new(*min, *max).ok()?),
        };
        Some(match self.nullness {
            Nullness::NotNull => refinement.and_not_null(),
            _ => refinement,
        })
    }
}

/// The values of a refinement, read off its parts.
pub(super) fn gamma(refinement: &Refinement) -> Mask {
    let range = match refinement.range() {
        Range::Any => SpecRange::Any,
        Range::Prefix(prefix) => SpecRange::Prefix(prefix.as_str().to_owned()),
        Range::Number(range) => SpecRange::Number(end(range.lower()), end(range.upper())),
        Range::Length(range) => SpecRange::Length(range.lower(), range.upper()),
        Range::Multiples(multiples) if multiples.step() > 1 => {
            let few = multiples.members(8).expect("a bounded range of this universe");
            SpecRange::OneOf(few.iter().map(halves).collect())
        }
        Range::Multiples(multiples) => {
            assert_eq!(multiples.step(), 1, "{refinement}");
            let finite = |bound| end(bound).filter(|(_, is_in)| *is_in).map(|(halves, _)| halves);
            SpecRange::Integer(finite(multiples.range().lower()), finite(multiples.range().upper()))
        }
        Range::Numbers(few) => SpecRange::OneOf(few.as_slice().iter().map(halves).collect()),
        range @ (Range::Language(_) | Range::Elements(_) | Range::Structure(_)) => {
            panic!("{range} is not in this universe")
        }
    };
    let spec = Spec { nullness: refinement.nullness(), range };
    mask(|value| spec.agrees(value))
}

pub(super) fn number(halves: Halves) -> Number {
    match halves {
        INF => Number::INFINITY,
        NEG_INF => Number::NEG_INFINITY,
        halves => Number::from(halves).divide(&2.into()).unwrap(),
    }
}

fn bound(end: End) -> Bound {
    match end {
        None => Bound::Unbounded,
        Some((halves, true)) => Bound::Inclusive(number(halves)),
        Some((halves, false)) => Bound::Exclusive(number(halves)),
    }
}

fn halves(wanted: &Number) -> Halves {
    let numbers = [NEG_INF, -6, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6, INF];
    numbers.into_iter().find(|halves| number(*halves) == *wanted).unwrap()
}

fn end(bound: &Bound) -> End {
    match bound {
        Bound::Unbounded => None,
        Bound::Inclusive(number) => Some((halves(number), true)),
        Bound::Exclusive(number) => Some((halves(number), false)),
    }
}
