//! The laws of lists of numbers beside intervals and multiples, also where a union is too long to be listed.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use crate::limits;
use crate::number::Number;
use crate::refinement::{Bound, NumberRange, Range, Refinement};

/// Twice a number.
type Halves = i64;

/// The values that the laws look at: halves from -2 to 70, which go beyond every bound of the universe, and infinities.
static VALUES: LazyLock<Vec<Number>> = LazyLock::new(|| {
    let halves = (-4..=140).map(number);
    halves.chain([Number::INFINITY, Number::NEG_INFINITY]).collect()
});

fn number(halves: Halves) -> Number {
    Number::from(halves).divide(&2.into()).unwrap()
}

/// The values of a refinement, each asked of its parts.
fn gamma(refinement: &Refinement) -> BTreeSet<&'static Number> {
    let is_in = |value: &Number| match refinement.range() {
        Range::Any => true,
        Range::Number(range) => range.contains(value),
        Range::Multiples(multiples) => {
            let step = Number::from(multiples.step());
            let is_multiple = value.is_integer() && value.modulo(&step).unwrap().is_zero();
            is_multiple && multiples.range().contains(value)
        }
        Range::Numbers(few) => few.as_slice().iter().any(|one| one == value),
        range => panic!("{range} is no range of numbers"),
    };
    VALUES.iter().filter(|value| is_in(value)).collect()
}

/// Lists of which three together are too long: each has eleven numbers with different distances.
fn blocks() -> Vec<Vec<Halves>> {
    let block = |factor: i64, first: i64| -> Vec<Halves> {
        [0, 1, 3, 4, 8, 9, 13, 14, 16, 20, 21]
            .iter()
            .map(|place| first.saturating_add(factor.saturating_mul(*place)))
            .collect()
    };
    // Halves; integers; integers of another place; multiples of three.
    vec![block(1, 1), block(2, 2), block(2, 60), block(6, 0)]
}

fn one_of(halves: &[Halves]) -> Option<Refinement> {
    Refinement::one_of_numbers(halves.iter().map(|halves| number(*halves))).ok()
}

/// Lists short and long, intervals, integers and multiples.
fn refinements() -> Vec<Refinement> {
    let mut all: Vec<Refinement> = vec![Refinement::any(), Refinement::integer(), Refinement::multiple_of(3)];
    let blocks = blocks();
    for (place, block) in blocks.iter().enumerate() {
        all.extend(one_of(block));
        for other in blocks.iter().skip(place.saturating_add(1)) {
            all.extend(one_of(&[block.as_slice(), other].concat()));
        }
    }
    for few in [&[0][..], &[2, 6], &[1, 2], &[4, 8, 10], &[0, 2, 4], &[6, 12], &[3], &[60, 62, 66], &[1, 100]]
    {
        all.extend(one_of(few));
    }
    all.extend(Refinement::one_of_numbers([Number::from(1), Number::INFINITY]));
    all.extend(Refinement::one_of_numbers([Number::NEG_INFINITY, Number::INFINITY]));
    all.push(Refinement::number(NumberRange::exactly(Number::INFINITY)));
    let bounds = [Bound::Unbounded, Bound::Inclusive(1.into()), Bound::Exclusive(30.into())];
    for lower in &bounds {
        for upper in &bounds {
            if let Ok(range) = NumberRange::new(lower.clone(), upper.clone()) {
                all.push(Refinement::number(range.clone()));
                all.extend(Refinement::integer().meet(&Refinement::number(range)));
            }
        }
    }
    let mut all: Vec<Refinement> = all.into_iter().map(Refinement::and_not_null).collect();
    all.sort();
    all.dedup();
    all
}

#[test]
fn meet_join_and_containment_agree_with_the_values() {
    let all: Vec<(Refinement, BTreeSet<&Number>)> =
        refinements().into_iter().map(|one| (one.clone(), gamma(&one))).collect();
    assert_eq!(all.len(), 36);
    for (a, of_a) in &all {
        assert_eq!(a.to_string().parse().as_ref(), Ok(a));
        assert_eq!((a.meet(a).as_ref(), a.join(a)), (Ok(a), a.clone()));
        for (b, of_b) in &all {
            let both: BTreeSet<&Number> = of_a & of_b;
            match a.meet(b) {
                Ok(met) => {
                    assert_eq!(gamma(&met), both, "{a} meets {b} in {met}");
                    assert_eq!(a.join(&met), *a, "{a} and {met}");
                    assert_eq!(b.meet(a), Ok(met));
                }
                Err(_) => assert!(both.is_empty() && b.meet(a).is_err(), "{a} and {b}"),
            }
            assert_eq!(a.range().overlaps(b.range()), !both.is_empty(), "{a} and {b}");
            assert_eq!(a.contains(b), of_b.is_subset(of_a), "{a} contains {b}");
            assert_eq!(a == b, of_a == of_b, "{a} and {b}");
            let join = a.join(b);
            assert_eq!(join, b.join(a), "{a} joins {b}");
            assert!(join.contains(a) && join.contains(b), "{a} joins {b} to {join}");
            assert_eq!(a.meet(&join).as_ref(), Ok(a), "{a} and {join}");
            let (of_join, union) = (gamma(&join), of_a | of_b);
            let listed = [a, b].iter().all(|one| one.range().few_numbers(limits::ONE_OF).is_some());
            if listed && union.len() <= limits::ONE_OF {
                assert_eq!(of_join, union, "{a} joins {b} to {join}");
            }
            for (other, of_other) in &all {
                assert!(
                    !(union.is_subset(of_other) && of_other.is_subset(&of_join)) || *other == join,
                    "{a} joins {b} to {join}, but {other} is smaller"
                );
            }
        }
    }
}

#[test]
fn joins_and_meets_are_associative_and_monotone_beyond_the_bound_too() {
    let all = refinements();
    for a in &all {
        for b in &all {
            let (met, joined) = (a.meet(b).ok(), a.join(b));
            for c in &all {
                let left = met.as_ref().and_then(|met| met.meet(c).ok());
                let right = b.meet(c).ok().and_then(|met| a.meet(&met).ok());
                assert_eq!(left, right, "{a}, {b}, {c}");
                assert_eq!(joined.join(c), a.join(&b.join(c)), "{a}, {b}, {c}");
                if b.contains(c) {
                    assert!(joined.contains(&a.join(c)), "{a}, {b}, {c}");
                }
            }
        }
    }
}

#[test]
fn every_list_of_a_few_integers_has_one_form() {
    // Every set of integers from -3 to 4. Those that are all multiples of a step in an interval must be stored as multiples.
    let mut seen = BTreeSet::new();
    for chosen in 1..256_u32 {
        let members: Vec<Number> =
            (0..8).filter(|bit| chosen >> bit & 1 == 1).map(|bit| Number::from(i64::from(bit) - 3)).collect();
        let refinement = Refinement::one_of_numbers(members.clone()).unwrap();
        assert_eq!(refinement.range().few_numbers(8), Some(members.clone()), "{refinement}");
        assert!(seen.insert(refinement.clone()));
        if let Range::Numbers(few) = refinement.range() {
            let range = Refinement::number(few.range().clone());
            let step = few.step().unwrap();
            let multiples = Refinement::multiple_of(step).meet(&range).unwrap();
            assert!(multiples.contains(&refinement) && multiples != refinement);
        }
        let joined = members.iter().map(|one| Refinement::number(NumberRange::exactly(one.clone())));
        assert_eq!(joined.reduce(|a, b| b.join(&a)).unwrap(), refinement);
    }
}

#[test]
fn a_list_is_bounded_and_its_hull_says_what_is_left() {
    let squares = |count: i64| (0..count).map(|one| Number::from(4 * one * one + 4));
    let most = limits::ONE_OF as i64;
    let longest = Refinement::one_of_numbers(squares(most)).unwrap();
    assert!(matches!(longest.range(), Range::Numbers(few) if few.as_slice().len() == limits::ONE_OF));
    assert!(Refinement::one_of_numbers(squares(most + 1)).unwrap_err().is_limit());
    assert!(Refinement::one_of_numbers(Vec::<Number>::new()).unwrap_err().is_contradiction());
    // Any number of them may be the multiples of one number.
    assert_eq!(
        Refinement::one_of_numbers(1..=1000).unwrap().to_string(),
        "numberinteger(numberrange(1, 1000))"
    );
    let joined = longest.join(&Refinement::number(NumberRange::exactly(400_000)));
    assert_eq!(joined.to_string(), "numbermultiple(4, numberrange(4, 400000))");
    let joined = longest.join(&Refinement::number(NumberRange::exactly("0.5".parse::<Number>().unwrap())));
    assert_eq!(joined.to_string(), "numberrange(0.5, 3848)");
    let huge = ["1e40", "3e40", "4e40"].map(|text| text.parse::<Number>().unwrap());
    let huge = Refinement::one_of_numbers(huge).unwrap();
    assert_eq!(huge.to_string().parse::<Refinement>(), Ok(huge.clone()));
    assert!(Refinement::integer().contains(&huge) && !Refinement::multiple_of(7).contains(&huge));
    // Neighbours are multiples of 1, however large.
    let near: Refinement = "oneof(1e40, 10000000000000000000000000000000000000001)".parse().unwrap();
    assert!(matches!(near.range(), Range::Multiples(_)));
    let and_one = near.join(&Refinement::number(NumberRange::exactly(1)));
    assert!(matches!(and_one.range(), Range::Numbers(few) if few.as_slice().len() == 3));
}

#[test]
fn lists_are_told_and_read() {
    let words = |text: &str| text.parse::<Refinement>().unwrap().describe().to_string();
    assert_eq!(words("oneof(9, 1, 5.5)"), "one of 1, 5.5, 9, or null");
    assert_eq!(words("notnull(oneof(1, 3), numbermin(2))"), "not null, exactly 3");
    assert_eq!(words("oneof(inf, -1, numberbelow(inf))"), "exactly -1, or null");
    assert_eq!(
        words("oneof(1, 2, 4, numberinteger(), numbermax(2))"),
        "a whole number, at least 1, at most 2, or null"
    );
    for (text, error) in [
        ("oneof(1, \"a\")", "column"),
        ("oneof(1, 5, stringprefix(\"a\"))", "for strings"),
        ("oneof(\"a\", numbermin(1))", "for numbers"),
        ("numbermin(1, oneof(\"a\"))", "for strings"),
        ("oneof(1, 3, numbermultiple(5))", "contradict"),
        ("length(1, oneof(1, 3))", "for"),
        ("oneof()", "expected"),
    ] {
        let found = text.parse::<Refinement>().unwrap_err().to_string();
        assert!(found.contains(error), "{text}: {found}");
    }
}
