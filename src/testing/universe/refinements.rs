//! The refinements of the universes.

use crate::{Bound, LengthRange, NumberRange, Range, Refinement};

use super::super::concrete::Num;
use super::FIXED;
use super::combine::sequences;
use super::size::{M, Size};

/// Refinements of numbers: every combination of exclusive, inclusive and missing bounds.
pub fn number_refinements(bounds: &[i64]) -> Vec<Refinement> {
    let ends = |infinity: Num| {
        let mut ends = vec![Bound::Unbounded, Bound::Exclusive(infinity.number())];
        for bound in bounds {
            let number = Num::whole(*bound).number();
            ends.extend([Bound::Inclusive(number.clone()), Bound::Exclusive(number)]);
        }
        ends
    };
    let mut all = Vec::new();
    for low in ends(Num::NegInf) {
        for high in ends(Num::Inf) {
            if let Ok(range) = NumberRange::new(low.clone(), high.clone()) {
                all.push(Refinement::number(range));
            }
        }
    }
    all.push(Refinement::number(NumberRange::at_least(Num::Inf.number())));
    all.push(Refinement::number(NumberRange::at_most(Num::NegInf.number())));
    all
}

/// Refinements of numbers by multiples: integers with every combination of bounds, and even numbers.
pub(super) fn multiple_refinements(bounds: &[i64]) -> Vec<Refinement> {
    let mut all = vec![Refinement::multiple_of(2)];
    let ends = || [None].into_iter().chain(bounds.iter().map(|bound| Some(*bound)));
    for low in ends() {
        for high in ends() {
            let least = low.map_or(Refinement::any(), Refinement::number_at_least);
            let most = high.map_or(Refinement::any(), Refinement::number_at_most);
            let range = least.meet(&most).and_then(|range| range.meet(&Refinement::integer()));
            all.extend(range.into_iter().filter(|range| *range.range() != Range::Any));
        }
    }
    all
}

/// Refinements of numbers by lists, with and without integers that the bounds leave out.
pub(super) fn one_of_refinements() -> Vec<Refinement> {
    let half = Num::Quarters(2).number();
    let one = Num::whole(1).number();
    let lists = [vec![Num::whole(-1).number(), one], vec![Num::whole(0).number(), half]];
    lists.into_iter().map(|numbers| Refinement::one_of_numbers(numbers).expect(FIXED)).collect()
}

/// Refinements of lengths: minimum and maximum lengths up to 2.
pub fn length_refinements() -> Vec<Refinement> {
    let mut all = Vec::new();
    for min in 0..=2 {
        for max in [None, Some(0), Some(1), Some(2)] {
            if let Ok(range) = LengthRange::new(min, max) {
                all.push(Refinement::length(range));
            }
        }
    }
    all
}

/// Refinements of the elements of collections of bools, alone and with lengths.
pub fn element_refinements() -> Vec<Refinement> {
    let not_null = || Refinement::elements(Refinement::not_null()).expect(FIXED);
    let mut all = vec![not_null(), Refinement::elements(Refinement::null()).expect(FIXED)];
    for (min, max) in [(1, None), (0, Some(1)), (0, Some(2))] {
        let length = LengthRange::new(min, max).map(Refinement::length).expect(FIXED);
        all.extend(not_null().meet(&length));
    }
    all
}

/// Refinements of the keys of maps, alone and with a refinement of the elements.
pub fn key_refinements() -> Vec<Refinement> {
    let only_a = Refinement::one_of(["a"]).and_then(|keys| Refinement::keys(&keys)).expect(FIXED);
    let not_null = Refinement::elements(Refinement::not_null()).expect(FIXED);
    let both = only_a.meet(&not_null);
    [only_a].into_iter().chain(both).collect()
}

/// Refinements of the members of sets of numbers. The universes have no sets of three positive numbers.
pub(super) fn number_member_refinements() -> Vec<Refinement> {
    vec![Refinement::elements(Refinement::not_null()).expect(FIXED)]
}

/// Refinements of the elements of lists of numbers.
pub(super) fn number_element_refinements() -> Vec<Refinement> {
    let least = Refinement::number_at_least(1);
    let all = [Refinement::not_null(), least.clone(), least.and_not_null()];
    all.into_iter().map(|element| Refinement::elements(element).expect(FIXED)).collect()
}

/// Refinements of strings: the prefixes of this size.
pub(super) fn prefix_refinements(size: &Size) -> Vec<Refinement> {
    let mut all: Vec<Refinement> = sequences(&["a", "b"], size.prefixes)
        .iter()
        .map(|parts| Refinement::prefix(&parts.concat()))
        .collect();
    if size.unicode {
        all.extend(["e", "\u{e9}", "\u{301}"].map(Refinement::prefix));
    }
    all
}

/// Refinements of strings by languages that are more than a prefix.
pub(super) fn language_refinements() -> Vec<Refinement> {
    let length = |least, most| LengthRange::new(least, most).and_then(Refinement::string_length);
    let all = [
        Refinement::suffix("b"),
        Refinement::containing("ab"),
        length(1, Some(2)),
        Refinement::one_of(["a", "bb"]),
        Refinement::one_of(["a", "b", "\u{e9}"]),
        Refinement::pattern("^a[ab]?$"),
        Refinement::pattern("^[^b]*$"),
    ];
    all.into_iter().map(|refinement| refinement.expect(FIXED)).collect()
}

/// Every refinement that the larger universes use, for assumptions.
pub fn refinements() -> Vec<Refinement> {
    let mut all = vec![Refinement::null()];
    for ranges in [
        number_refinements(M.bounds),
        multiple_refinements(M.bounds),
        one_of_refinements(),
        length_refinements(),
        prefix_refinements(&M),
        language_refinements(),
        element_refinements(),
        key_refinements(),
        structure_refinements().into_iter().flat_map(|(_, refinements)| refinements).collect(),
    ] {
        for range in ranges {
            all.push(range.clone().and_not_null());
            all.push(range);
        }
    }
    all
}

/// Types of objects and tuples, each with refinements of their parts.
pub(super) fn structure_refinements() -> Vec<(&'static str, Vec<Refinement>)> {
    let attribute = |name, refinement| Refinement::attribute(name, refinement).expect(FIXED);
    let element = |index, refinement| Refinement::tuple_element(index, refinement).expect(FIXED);
    let both = |a: Refinement, b: &Refinement| a.meet(b).expect(FIXED);
    let (not_null, null) = (Refinement::not_null, Refinement::null);
    vec![
        ("object({a = bool})", vec![attribute("a", not_null()), attribute("a", null())]),
        (
            "object({a = bool, b = bool})",
            vec![
                attribute("a", not_null()),
                both(attribute("a", not_null()), &attribute("b", not_null())),
                both(attribute("a", null()), &attribute("b", not_null())),
            ],
        ),
        ("tuple([bool])", vec![element(0, not_null())]),
        (
            "tuple([bool, bool])",
            vec![element(1, not_null()), both(element(0, not_null()), &element(1, null()))],
        ),
    ]
}
