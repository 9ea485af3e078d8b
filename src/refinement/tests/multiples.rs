//! The laws of multiples beside intervals, over a universe of numbers of its own: halves, and the first two
//! multiples of each step beyond each bound.

use std::sync::LazyLock;

use crate::number::Number;
use crate::refinement::{Bound, NumberRange, Range, Refinement};

/// Twice a number; the infinities are at the ends.
type Halves = i64;
const INF: Halves = Halves::MAX;
const NEG_INF: Halves = Halves::MIN;

const STEPS: [u64; 4] = [1, 2, 3, 6];

/// One bit for each value.
type Mask = u64;

static VALUES: LazyLock<Vec<(Halves, Number)>> = LazyLock::new(|| {
    let halves = (-25..=25).chain([INF, NEG_INF]);
    halves.map(|halves| (halves, number(halves))).collect()
});

fn number(halves: Halves) -> Number {
    match halves {
        INF => Number::INFINITY,
        NEG_INF => Number::NEG_INFINITY,
        halves => Number::from(halves).divide(&2.into()).unwrap(),
    }
}

fn mask(holds: impl Fn(Halves) -> bool) -> Mask {
    VALUES
        .iter()
        .enumerate()
        .filter(|(_, (halves, _))| holds(*halves))
        .fold(0, |mask, (bit, _)| mask | 1 << bit)
}

/// A refinement in words: whole numbers as bounds, each with whether it is in, and a step.
type Words = (Option<(i64, bool)>, Option<(i64, bool)>, Option<u64>);

/// The values of a refinement in words.
fn meant((lower, upper, step): &Words) -> Mask {
    let doubled = |end: i64| match end {
        INF | NEG_INF => end,
        end => end.saturating_mul(2),
    };
    mask(|value| {
        lower.is_none_or(|(end, is_in)| doubled(end) < value || is_in && doubled(end) == value)
            && upper.is_none_or(|(end, is_in)| doubled(end) > value || is_in && doubled(end) == value)
            && step.is_none_or(|step| {
                value != INF
                    && value != NEG_INF
                    && value.rem_euclid(i64::try_from(step).unwrap().saturating_mul(2)) == 0
            })
    })
}

fn build((lower, upper, step): &Words) -> Option<Refinement> {
    let bound = |end: &Option<(i64, bool)>| match end {
        None => Bound::Unbounded,
        Some((end, is_in)) => {
            let end = match *end {
                INF => Number::INFINITY,
                NEG_INF => Number::NEG_INFINITY,
                end => Number::from(end),
            };
            if *is_in { Bound::Inclusive(end) } else { Bound::Exclusive(end) }
        }
    };
    let range = Refinement::number(NumberRange::new(bound(lower), bound(upper)).ok()?).and_not_null();
    match step {
        Some(step) => Refinement::multiple_of(*step).meet(&range).ok(),
        None => Some(range),
    }
}

/// Every refinement in words with bounds up to `most`, and its values.
fn words(most: i64) -> Vec<(Words, Mask)> {
    let mut ends = vec![None];
    ends.extend(
        (most.saturating_neg()..=most)
            .chain([INF, NEG_INF])
            .flat_map(|end| [Some((end, true)), Some((end, false))]),
    );
    let steps: Vec<Option<u64>> = STEPS.iter().map(|step| Some(*step)).chain([None]).collect();
    let mut all = Vec::new();
    for lower in &ends {
        for upper in &ends {
            all.extend(steps.iter().map(|step| (*lower, *upper, *step)));
        }
    }
    all.into_iter().map(|words| (words, meant(&words))).collect()
}

/// Every refinement once.
fn refinements(most: i64) -> Vec<(Refinement, Mask)> {
    let mut all: Vec<(Refinement, Mask)> = Vec::new();
    for (words, mask) in words(most) {
        if let Some(refinement) = build(&words)
            && all.iter().all(|(_, other)| *other != mask)
        {
            all.push((refinement, mask));
        }
    }
    all
}

/// The values of a refinement, read off its parts.
fn gamma(refinement: &Refinement) -> Mask {
    let end = |bound: &Bound| {
        let whole = |number: &Number| match number {
            number if *number == Number::INFINITY => INF,
            number if *number == Number::NEG_INFINITY => NEG_INF,
            number => number.to_i64().unwrap(),
        };
        match bound {
            Bound::Unbounded => None,
            Bound::Inclusive(number) => Some((whole(number), true)),
            Bound::Exclusive(number) => Some((whole(number), false)),
        }
    };
    let of = |range: &NumberRange, step| meant(&(end(range.lower()), end(range.upper()), step));
    match refinement.range() {
        Range::Any => mask(|_| true),
        Range::Number(range) => of(range, None),
        Range::Multiples(multiples) => of(multiples.range(), Some(multiples.step())),
        Range::Numbers(few) => mask(|halves| few.contains(&number(halves))),
        range => panic!("{range} is no range of numbers"),
    }
}

#[test]
fn equal_values_are_equal_refinements_and_empty_ones_contradict() {
    let built: Vec<_> = words(3).into_iter().map(|(words, mask)| (build(&words), mask, words)).collect();
    for (refinement, mask, words) in &built {
        match refinement {
            Some(refinement) => assert_eq!(gamma(refinement), *mask, "{words:?} is {refinement}"),
            None => assert_eq!(*mask, 0, "{words:?}"),
        }
    }
    let mut seen: std::collections::HashMap<Mask, &Refinement> = std::collections::HashMap::new();
    for (refinement, mask, _) in &built {
        let Some(refinement) = refinement else { continue };
        assert_eq!(*seen.entry(*mask).or_insert(refinement), refinement);
        for (value, number) in VALUES.iter() {
            let within = mask >> VALUES.iter().position(|(other, _)| other == value).unwrap() & 1 == 1;
            assert_eq!(refinement.range().contains_number(number), within, "{number} in {refinement}");
        }
    }
    assert!(seen.len() > 200, "{}", seen.len());
}

#[test]
fn meet_join_and_containment_are_exact() {
    let all = refinements(3);
    for (a, of_a) in &all {
        assert_eq!(a.to_string().parse().as_ref(), Ok(a), "{a}");
        assert_eq!(a.meet(a).as_ref(), Ok(a));
        assert_eq!(a.join(a), *a);
        for (b, of_b) in &all {
            match a.meet(b) {
                Ok(met) => {
                    assert_eq!(gamma(&met), of_a & of_b, "{a} meets {b} in {met}");
                    assert_eq!(a.join(&met), *a, "{a} and {met}");
                }
                Err(_) => assert_eq!(of_a & of_b, 0, "{a} and {b}"),
            }
            assert_eq!(a.meet(b).ok(), b.meet(a).ok());
            assert_eq!(a.range().overlaps(b.range()), of_a & of_b != 0, "{a} and {b}");
            assert_eq!(a.contains(b), of_b & !of_a == 0, "{a} contains {b}");
            assert_eq!(a.cmp(b).is_eq(), a == b);
            assert_eq!(a.cmp(b), b.cmp(a).reverse());
            let join = a.join(b);
            assert_eq!(join, b.join(a));
            assert!(join.contains(a) && join.contains(b), "{a} joins {b} to {join}");
            assert_eq!(a.meet(&join).as_ref(), Ok(a), "{a} and {join}");
        }
    }
}

#[test]
fn the_join_is_the_smallest() {
    let all = refinements(2);
    for (a, of_a) in &all {
        for (b, of_b) in &all {
            let (join, union) = (a.join(b), of_a | of_b);
            let of_join = gamma(&join);
            let smaller = all.iter().find(|(_, of_other)| {
                union & !of_other == 0 && of_other & !of_join == 0 && *of_other != of_join
            });
            assert!(smaller.is_none(), "{a} joins {b} to {join}, but {smaller:?} is smaller");
        }
    }
}

#[test]
fn meet_and_join_are_associative() {
    let all = refinements(1);
    for (a, _) in &all {
        for (b, _) in &all {
            let (met, joined) = (a.meet(b).ok(), a.join(b));
            for (c, _) in &all {
                let left = met.as_ref().and_then(|met| met.meet(c).ok());
                let right = b.meet(c).ok().and_then(|met| a.meet(&met).ok());
                assert_eq!(left, right, "{a}, {b}, {c}");
                assert_eq!(joined.join(c), a.join(&b.join(c)), "{a}, {b}, {c}");
            }
        }
    }
}

#[test]
fn numbers_beyond_64_bits_stay_sound() {
    let large = (1_u64 << 63) + 1;
    // The least common multiple does not fit: the meet is wider, and decides where the interval has no multiple of it.
    let both = Refinement::multiple_of(large).meet(&Refinement::multiple_of(1 << 62)).unwrap();
    assert_eq!(both, Refinement::multiple_of(large));
    let near = both.meet(&Refinement::number_at_least(1)).unwrap();
    let below = Refinement::number_at_most(Number::from(u64::MAX));
    let only = near.meet(&below).unwrap();
    assert_eq!(only.number_range().unwrap().singleton(), Some(&Number::from(large)));
    let other = Refinement::multiple_of(1 << 62).meet(&Refinement::number_at_least(1)).unwrap();
    let other = other.meet(&below).unwrap();
    assert_eq!(Refinement::multiple_of(large).meet(&other), Ok(Refinement::null()));

    let huge: Number = "1e3000".parse().unwrap();
    let exactly = |number: &Number| Refinement::number(NumberRange::exactly(number.clone()));
    let several = |step| Refinement::multiple_of(step).meet(&Refinement::number_at_least(0)).unwrap();
    assert_eq!(exactly(&huge).join(&several(15)).to_string(), "numbermultiple(5, numbermin(0))");
    assert_eq!(exactly(&huge).join(&exactly(&15.into())).to_string(), format!("oneof(15, {huge})"));
    assert_eq!(exactly(&huge).join(&exactly(&Number::ZERO)).to_string(), format!("oneof(0, {huge})"));
    assert!(
        Refinement::multiple_of(5).contains(&exactly(&huge))
            && !Refinement::multiple_of(3).contains(&exactly(&huge))
    );
    let tiny: Number = "1e-3000".parse().unwrap();
    let above = Refinement::number_at_least(tiny).meet(&Refinement::multiple_of(7)).unwrap();
    assert_eq!(above.to_string(), "numbermultiple(7, numbermin(7))");
    // The digits of its multiples are too many: the bound stays.
    let most: Number = "1e8191".parse().unwrap();
    let far = Refinement::number(NumberRange::above(most).unwrap()).meet(&Refinement::integer()).unwrap();
    assert_eq!(far.to_string().parse::<Refinement>(), Ok(far));
}

#[test]
fn multiples_are_told_and_read() {
    let words = |text: &str| text.parse::<Refinement>().unwrap().describe().to_string();
    assert_eq!(words("numberinteger()"), "a whole number, or null");
    assert_eq!(
        words("notnull(numberinteger(numberrange(1, 5)))"),
        "not null, a whole number, at least 1, at most 5"
    );
    assert_eq!(words("numbermultiple(1, numberabove(0.5), numberbelow(1.5))"), "exactly 1, or null");
    assert_eq!(words("numbermin(3), numbermultiple(10)"), "a multiple of 10, at least 10, or null");
    for (text, error) in [
        ("numbermultiple(0)", "from 1 on"),
        ("numbermultiple(-2)", "column 16"),
        ("numbermultiple(1.5)", "column 16"),
        ("numbermultiple()", "column 16"),
        ("numberinteger(5)", "column 15"),
        ("numberinteger(numberabove(1), numberbelow(2))", "contradict"),
        ("numberinteger(stringprefix(\"a\"))", "for strings"),
        ("integer()", "numberinteger"),
        ("multiple_of(2)", "numbermultiple"),
    ] {
        let found = text.parse::<Refinement>().unwrap_err().to_string();
        assert!(found.contains(error), "{text}: {found}");
    }
}
