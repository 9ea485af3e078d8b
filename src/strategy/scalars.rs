//! Shrinks numbers, strings, marks, paths and refinements. Every step is simpler by a measure, so none leads back.

use crate::mark::Mark;
use crate::number::Number;
use crate::path::{Path, Step};
use crate::refinement::{Bound, LengthRange, Nullness, NumberRange, Range, Refinement};
use crate::sample::Token;
use crate::value::Value;

/// The length of the number's text, then its distance from 0: the measure by which numbers shrink.
fn complexity(number: &Number) -> (usize, Number) {
    (number.to_string().len(), number.absolute())
}

/// The numbers that are simpler than a number.
pub(super) fn numbers(number: &Number) -> Vec<Number> {
    let mut simpler = vec![Number::ZERO, Number::ONE, number.absolute(), number.trunc()];
    let text = number.to_string();
    // The first half of the digits, and all digits but the last.
    for kept in [text.len().checked_div(2), text.len().checked_sub(1)].into_iter().flatten() {
        simpler.extend(text.get(..kept).and_then(|text| text.parse::<Number>().ok()));
    }
    simpler.extend(number.subtract(&Number::from(number.signum())));
    let own = complexity(number);
    simpler.retain(|simpler| complexity(simpler) < own);
    simpler
}

/// The strings that are simpler than a string.
pub(super) fn texts(text: &str) -> Vec<String> {
    let chars: Vec<char> = text.chars().collect();
    let (count, half) = (chars.len(), chars.len().div_ceil(2));
    let mut simpler: Vec<String> =
        vec![String::new(), chars.iter().take(half).collect(), chars.iter().skip(half).collect()];
    for left_out in 0..count {
        simpler.push(chars.iter().enumerate().filter(|(i, _)| *i != left_out).map(|(_, c)| *c).collect());
    }
    // The remaining characters may compose, so normalise again.
    let mut simpler: Vec<String> =
        simpler.iter().map(|simpler| crate::text::nfc(simpler).into_owned()).collect();
    simpler.retain(|simpler| simpler.chars().count() < count);
    simpler.dedup();
    simpler
}

/// The marks that are simpler than a mark.
pub(super) fn marks(mark: &Mark) -> Vec<Mark> {
    let mut simpler = Vec::new();
    if mark.note().is_some() {
        simpler.push(Mark::new(mark.name()));
    } else {
        simpler.extend(texts(mark.name()).iter().map(|name| Mark::new(name)));
    }
    simpler
}

/// The paths that are simpler than a path.
pub(super) fn paths(path: &Path) -> Vec<Path> {
    let steps = path.steps();
    let mut simpler = Vec::new();
    for left_out in 0..steps.len() {
        simpler
            .push(steps.iter().enumerate().filter(|(i, _)| *i != left_out).map(|(_, s)| s.clone()).collect());
    }
    for (place, step) in steps.iter().enumerate() {
        for smaller in smaller_steps(step) {
            let replaced =
                |(i, step): (usize, &Step)| if i == place { smaller.clone() } else { step.clone() };
            simpler.push(steps.iter().enumerate().map(replaced).collect());
        }
    }
    simpler
}

/// The steps that are simpler than a step.
fn smaller_steps(step: &Step) -> Vec<Step> {
    match step {
        Step::Attr(name) => texts(name.as_str()).iter().map(|name| Step::attr(name)).collect(),
        Step::Index(key) => super::values::smaller(key, false).map(Step::Index).collect(),
    }
}

/// The refinements that are simpler than a refinement.
pub(super) fn refinements(refinement: &Refinement) -> Vec<Refinement> {
    if refinement.is_trivial() {
        return Vec::new();
    }
    let mut simpler = vec![Refinement::any()];
    let with_nullness = |range: Refinement| {
        if refinement.nullness() == Nullness::NotNull { range.and_not_null() } else { range }
    };
    let ranges: Vec<Refinement> = match refinement.range() {
        Range::Any => Vec::new(),
        Range::Prefix(prefix) => texts(prefix.as_str()).iter().map(|text| Refinement::prefix(text)).collect(),
        Range::Language(language) => {
            let example = Refinement::one_of(language.language().examples(1)).ok();
            std::iter::once(Refinement::prefix(language.prefix())).chain(example).collect()
        }
        Range::Number(range) => {
            let (lower, upper) = (range.lower(), range.upper());
            let lowers = bounds(lower).into_iter().map(|lower| (lower, upper.clone()));
            let uppers = bounds(upper).into_iter().map(|upper| (lower.clone(), upper));
            let ends = lowers.chain(uppers);
            ends.filter_map(|(lower, upper)| NumberRange::new(lower, upper).ok())
                .map(Refinement::number)
                .collect()
        }
        Range::Multiples(multiples) => {
            vec![Refinement::integer(), Refinement::number(multiples.stated_range())]
        }
        Range::Numbers(few) => {
            let fewer = few.as_slice().split_last().map(|(_, fewer)| fewer.to_vec());
            let fewer = fewer.and_then(|fewer| Refinement::one_of_numbers(fewer).ok());
            std::iter::once(Refinement::number(few.range().clone())).chain(fewer).collect()
        }
        Range::Structure(structure) => {
            let parts = structure.parts();
            let without_one = (0..parts.len()).map(|dropped| {
                let kept = parts.iter().enumerate().filter(|(index, _)| *index != dropped);
                kept.map(|(_, part)| part.clone()).collect()
            });
            let with_simpler = parts.iter().enumerate().flat_map(|(index, (_, part))| {
                refinements(part).into_iter().map(move |simpler| {
                    let mut changed = parts.to_vec();
                    changed.get_mut(index).into_iter().for_each(|part| part.1 = simpler.clone());
                    changed
                })
            });
            without_one.chain(with_simpler).map(|parts| Refinement::of(Range::of_structure(parts))).collect()
        }
        Range::Length(_) | Range::Elements(_) => {
            let range = refinement.length_range().unwrap_or_default();
            let (lower, upper) = (range.lower(), range.upper());
            let half = lower.checked_div(2).unwrap_or(0);
            let lowers = [0, half, lower.saturating_sub(1)].into_iter().filter(|less| *less < lower);
            let ranges = lowers.map(|lower| (lower, upper)).chain(upper.map(|_| (lower, None)));
            ranges
                .filter_map(|(low, high)| LengthRange::new(low, high).ok())
                .map(|length| refinement.with_length(length))
                .chain([Refinement::length(range)])
                .chain(
                    refinements(refinement.element())
                        .into_iter()
                        .filter_map(|it| Refinement::elements(it).ok()),
                )
                .collect()
        }
    };
    if refinement.nullness() == Nullness::NotNull && *refinement.range() != Range::Any {
        simpler.push(Refinement::not_null());
        simpler.extend(match refinement.range() {
            Range::Any => None,
            Range::Prefix(prefix) => Some(Refinement::prefix(prefix.as_str())),
            Range::Language(language) => Refinement::language(language.language().clone()).ok(),
            Range::Number(range) => Some(Refinement::number(range.clone())),
            Range::Multiples(multiples) => Refinement::multiple_of(multiples.step())
                .meet(&Refinement::number(multiples.stated_range()))
                .ok(),
            Range::Numbers(few) => Refinement::one_of_numbers(few.as_slice().iter().cloned()).ok(),
            Range::Length(range) => Some(Refinement::length(*range)),
            Range::Elements(elements) => Some(Refinement::length(elements.length())),
            Range::Structure(structure) => Some(Refinement::of(Range::Structure(structure.clone()))),
        });
    }
    simpler.extend(ranges.into_iter().map(with_nullness));
    simpler.retain(|simpler| simpler != refinement);
    simpler
}

/// The bounds that are simpler than a bound.
fn bounds(bound: &Bound) -> Vec<Bound> {
    let Some(number) = bound.number() else { return Vec::new() };
    let closed = (!bound.is_inclusive()).then(|| Bound::Inclusive(number.clone()));
    let moved = numbers(number).into_iter().map(|number| match bound {
        Bound::Exclusive(_) => Bound::Exclusive(number),
        _ => Bound::Inclusive(number),
    });
    std::iter::once(Bound::Unbounded).chain(closed).chain(moved).collect()
}

/// The simpler strings and numbers, as values.
pub(super) fn of_value(value: &Value) -> Vec<Value> {
    if let Ok(number) = value.as_number() {
        return numbers(number).into_iter().map(Value::from).collect();
    }
    if let Ok(text) = value.as_str() {
        return texts(text).into_iter().map(Value::from).collect();
    }
    if let Ok(Token(number @ 1..)) = value.as_capsule::<Token>() {
        return vec![Value::capsule(Token(0)), Value::capsule(Token(number.saturating_sub(1)))];
    }
    match value.as_bool() {
        Ok(true) => vec![Value::from(false)],
        _ => Vec::new(),
    }
}
