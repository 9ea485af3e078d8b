//! The laws, for all refinements, pairs and triples of the universe.

use std::hash::{BuildHasher, RandomState};

use super::universe::{Concrete, Mask, REFINEMENTS, SPECS, VALUES, gamma, mask, number};
use crate::refinement::{Nullness, Range, Refinement};

fn pairs() -> impl Iterator<Item = (&'static (Refinement, Mask), &'static (Refinement, Mask))> {
    REFINEMENTS.iter().flat_map(|a| REFINEMENTS.iter().map(move |b| (a, b)))
}

#[test]
fn the_universe_is_the_expected_one() {
    // Null; and, nullable or not: any, 14 prefixes, 44 intervals, 10 ranges of integers, 13 lengths, 12 lists of numbers.
    assert_eq!((VALUES.len(), SPECS.len(), REFINEMENTS.len()), (53, 375, 189));
}

#[test]
fn construction_fails_exactly_for_empty_ranges_and_keeps_the_values() {
    for (spec, values) in SPECS.iter() {
        let rest = values & !mask(|value| *value == Concrete::Null);
        match spec.build() {
            Some(refinement) => {
                assert_eq!(gamma(&refinement), *values, "{spec:?} gives {refinement}");
                assert!(rest != 0 || spec.nullness == Nullness::Null, "{spec:?} gives {refinement}");
            }
            None => assert_eq!(rest, 0, "{spec:?}"),
        }
    }
}

#[test]
fn equal_values_mean_equal_refinements() {
    let built: Vec<(Refinement, Mask)> =
        SPECS.iter().filter_map(|(spec, values)| Some((spec.build()?, *values))).collect();
    let state = RandomState::new();
    for (a, values) in &built {
        for (b, others) in &built {
            assert_eq!(a == b, values == others, "{a} and {b}");
            assert_eq!(a.cmp(b).is_eq(), a == b, "{a} and {b}");
            assert_eq!(a.cmp(b), b.cmp(a).reverse(), "{a} and {b}");
            if a == b {
                assert_eq!(state.hash_one(a), state.hash_one(b), "{a} and {b}");
            }
        }
    }
}

#[test]
fn the_order_is_total() {
    let mut sorted: Vec<&Refinement> = REFINEMENTS.iter().map(|(refinement, _)| refinement).collect();
    sorted.sort();
    for (i, a) in sorted.iter().enumerate() {
        assert!(sorted.iter().skip(i + 1).all(|b| a < b), "{a}");
    }
}

#[test]
fn parts_are_never_trivial_and_null_has_no_range() {
    for ((a, _), (b, _)) in pairs() {
        for refinement in [Ok(a.join(b)), a.meet(b)].into_iter().flatten() {
            let trivial = match refinement.range() {
                Range::Any => false,
                Range::Prefix(prefix) => prefix.as_str().is_empty(),
                Range::Number(range) => range.is_trivial(),
                Range::Length(range) => range.is_trivial(),
                Range::Language(language) => language.language().is_all(),
                Range::Multiples(multiples) => multiples.step() == 0,
                Range::Elements(elements) => elements.element().is_trivial(),
                Range::Numbers(few) => few.as_slice().len() < 2,
                Range::Structure(structure) => structure.parts().is_empty(),
            };
            assert!(!trivial, "{refinement:?}");
            assert!(refinement.nullness() != Nullness::Null || *refinement.range() == Range::Any);
        }
    }
}

#[test]
fn trivial_is_what_everything_agrees_with() {
    for (refinement, values) in REFINEMENTS.iter() {
        assert_eq!(refinement.is_trivial(), *values == mask(|_| true), "{refinement}");
        assert_eq!(refinement.allows_null(), values & 1 == 1, "{refinement}");
    }
}

#[test]
fn meet_is_the_intersection_and_fails_only_when_that_is_empty() {
    for ((a, of_a), (b, of_b)) in pairs() {
        match a.meet(b) {
            Ok(met) => assert_eq!(gamma(&met), of_a & of_b, "{a} ⊓ {b} = {met}"),
            Err(contradiction) => {
                assert_eq!(of_a & of_b, 0, "{a} ⊓ {b}");
                assert_eq!((contradiction.existing(), contradiction.assumed()), (Some(a), b));
            }
        }
    }
}

#[test]
fn join_is_the_least_upper_bound() {
    for ((a, of_a), (b, of_b)) in pairs() {
        let join = a.join(b);
        let (of_join, union) = (gamma(&join), of_a | of_b);
        assert_eq!(union & !of_join, 0, "{a} ⊔ {b} = {join}");
        for (other, of_other) in REFINEMENTS.iter() {
            let smaller = of_other & !of_join == 0 && *of_other != of_join;
            assert!(!smaller || union & !of_other != 0, "{a} ⊔ {b} = {join}, but {other} is smaller");
        }
    }
}

#[test]
fn contains_is_the_superset_of_values() {
    for ((a, of_a), (b, of_b)) in pairs() {
        assert_eq!(a.contains(b), of_b & !of_a == 0, "{a} ⊇ {b}");
    }
}

#[test]
fn meet_and_join_are_idempotent_and_commutative_and_absorb() {
    for (a, _) in REFINEMENTS.iter() {
        assert_eq!(a.meet(a).as_ref(), Ok(a));
        assert_eq!(a.join(a), *a);
    }
    for ((a, _), (b, _)) in pairs() {
        assert_eq!(a.meet(b).ok(), b.meet(a).ok(), "{a} ⊓ {b}");
        assert_eq!(a.join(b), b.join(a), "{a} ⊔ {b}");
        assert_eq!(a.meet(&a.join(b)).as_ref(), Ok(a), "{a} ⊓ ({a} ⊔ {b})");
        if let Ok(met) = a.meet(b) {
            assert_eq!(a.join(&met), *a, "{a} ⊔ ({a} ⊓ {b})");
        }
    }
}

#[test]
fn meet_and_join_are_associative() {
    for ((a, _), (b, _)) in pairs() {
        let (met, joined) = (a.meet(b).ok(), a.join(b));
        for (c, _) in REFINEMENTS.iter() {
            let left = met.as_ref().and_then(|met| met.meet(c).ok());
            let right = b.meet(c).ok().and_then(|met| a.meet(&met).ok());
            assert_eq!(left, right, "{a} ⊓ {b} ⊓ {c}");
            assert_eq!(joined.join(c), a.join(&b.join(c)), "{a} ⊔ {b} ⊔ {c}");
        }
    }
}

#[test]
fn the_text_reads_back_as_the_same_refinement() {
    for (refinement, _) in REFINEMENTS.iter() {
        let text = refinement.to_string();
        assert_eq!(text.parse().as_ref(), Ok(refinement), "{text}");
    }
    for ((a, _), (b, _)) in pairs() {
        // Two that hold together are read as their meet; unless only null is left, or they are of two kinds.
        let read: Result<Refinement, _> = format!("{a}, {b}").parse();
        if let Ok(read) = read {
            assert_eq!(Ok(read), a.meet(b), "{a}, {b}");
        } else {
            let met = a.meet(b);
            let mixed = std::mem::discriminant(a.range()) != std::mem::discriminant(b.range());
            let mixed = mixed && (a.number_range().is_none() || b.number_range().is_none());
            assert!(mixed || met.is_err() || met == Ok(Refinement::null()), "{a}, {b}");
        }
    }
}

#[test]
fn a_range_contains_exactly_its_values() {
    for (refinement, values) in REFINEMENTS.iter().filter(|(refinement, _)| *refinement.range() != Range::Any)
    {
        let contained = mask(|value| match (refinement.range(), value) {
            (_, Concrete::Null) => refinement.allows_null(),
            (Range::Prefix(prefix), Concrete::Text(text)) => prefix.contains(text),
            (Range::Number(range), Concrete::Number(halves)) => range.contains(&number(*halves)),
            (Range::Multiples(multiples), Concrete::Number(halves)) => multiples.contains(&number(*halves)),
            (Range::Numbers(few), Concrete::Number(halves)) => few.contains(&number(*halves)),
            (Range::Length(range), Concrete::Elements(length)) => range.contains(*length),
            _ => false,
        });
        assert_eq!(contained, *values, "{refinement}");
    }
}

#[test]
fn a_single_number_or_length_is_found_exactly_where_there_is_one() {
    for (refinement, values) in REFINEMENTS.iter() {
        let of_range = values & !1;
        let values: Vec<&Concrete> = VALUES
            .iter()
            .enumerate()
            .filter(|(bit, _)| of_range >> bit & 1 == 1)
            .map(|(_, value)| value)
            .collect();
        if let Some(range) = refinement.number_range() {
            let single = match values.as_slice() {
                [Concrete::Number(halves)] => Some(number(*halves)),
                _ => None,
            };
            // Between two bounds lies one value of the universe, but many numbers.
            let open = !(range.lower().is_inclusive() && range.upper().is_inclusive());
            assert_eq!(range.singleton().cloned(), single.filter(|_| !open), "{refinement}");
        }
        if let Some(range) = refinement.length_range() {
            let single = match values.as_slice() {
                // The largest length of the universe stands for all above.
                [Concrete::Elements(length)] if *length < 4 => Some(*length),
                _ => None,
            };
            assert_eq!(range.exact(), single, "{refinement}");
        }
    }
}
