//! The laws for refinements of attributes and tuple elements, by brute force: all objects and tuples of two parts, and every
//! refinement in words over them.

use crate::limits;
use crate::refinement::{Nullness, Range, Refinement};
use crate::types::Type;
use crate::value::{Knownness, Value};

/// A part: null or a number.
type Part = Option<i64>;

/// An object or a tuple of two parts, or null.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Concrete {
    Null,
    Object([Part; 2]),
    Tuple([Part; 2]),
}

/// Null, and every object and tuple of two such parts.
fn values() -> Vec<Concrete> {
    let parts = [None, Some(0), Some(1), Some(2)];
    let pairs = || parts.into_iter().flat_map(move |a| parts.into_iter().map(move |b| [a, b]));
    pairs().map(Concrete::Object).chain(pairs().map(Concrete::Tuple)).chain([Concrete::Null]).collect()
}

/// The parts that satisfy a refinement, in words.
const WORDS: [&str; 6] = ["any", "notnull", "null", "from 1", "notnull from 1", "notnull 1"];

fn part_holds(word: &str, part: Part) -> bool {
    match word {
        "any" => true,
        "notnull" => part.is_some(),
        "null" => part.is_none(),
        "from 1" => part.is_none_or(|part| part >= 1),
        "notnull from 1" => part.is_some_and(|part| part >= 1),
        _ => part == Some(1),
    }
}

/// The refinement that the word stands for.
fn of_part(word: &str) -> Refinement {
    match word {
        "any" => Refinement::any(),
        "notnull" => Refinement::not_null(),
        "null" => Refinement::null(),
        "from 1" => Refinement::number_at_least(1),
        "notnull from 1" => Refinement::number_at_least(1).and_not_null(),
        _ => Refinement::number_at_least(1).meet(&Refinement::number_at_most(1)).unwrap().and_not_null(),
    }
}

/// Every refinement of objects or tuples that the words can state, with whether each value satisfies it.
fn refinements() -> Vec<(Refinement, Vec<bool>)> {
    let values = values();
    let mut all: Vec<(Refinement, Vec<bool>)> = Vec::new();
    for is_object in [true, false] {
        for (first, second) in WORDS.iter().flat_map(|first| WORDS.map(|second| (*first, second))) {
            let part = |index: usize, word: &str| match is_object {
                true => Refinement::attribute(["a", "b"][index], of_part(word)).unwrap(),
                false => Refinement::tuple_element(index, of_part(word)).unwrap(),
            };
            let range = part(0, first).meet(&part(1, second)).unwrap();
            for (refinement, allows_null) in [(range.clone(), true), (range.and_not_null(), false)] {
                let holds = |value: &Concrete| match value {
                    Concrete::Null => allows_null,
                    Concrete::Object(parts) | Concrete::Tuple(parts) => {
                        let is_of_kind = matches!(value, Concrete::Object(_)) == is_object;
                        // Nothing is known of any part: then objects and tuples are alike.
                        (is_of_kind || (first, second) == ("any", "any"))
                            && part_holds(first, parts[0])
                            && part_holds(second, parts[1])
                    }
                };
                let gamma: Vec<bool> = values.iter().map(holds).collect();
                all.push((refinement, gamma));
            }
        }
    }
    all.push((Refinement::null(), values.iter().map(|value| *value == Concrete::Null).collect()));
    all
}

#[test]
fn equal_meaning_is_equal_representation() {
    for (a, gamma_a) in &refinements() {
        for (b, gamma_b) in &refinements() {
            assert_eq!(a == b, gamma_a == gamma_b, "{a} and {b}");
            assert_eq!(a.cmp(b).is_eq(), a == b, "{a} and {b}");
        }
    }
}

#[test]
fn meet_and_containment_are_exact() {
    let within = |a: &[bool], b: &[bool]| a.iter().zip(b).all(|(a, b)| !a || *b);
    for (a, gamma_a) in &refinements() {
        for (b, gamma_b) in &refinements() {
            let both: Vec<bool> = gamma_a.iter().zip(gamma_b).map(|(a, b)| *a && *b).collect();
            match a.meet(b) {
                Ok(met) => {
                    let expected = refinements().into_iter().find(|(_, gamma)| *gamma == both);
                    assert_eq!(Some(met), expected.map(|(it, _)| it), "{a} and {b}");
                }
                Err(_) => assert!(!both.contains(&true), "{a} and {b}"),
            }
            assert_eq!(a.contains(b), within(gamma_b, gamma_a), "{a} contains {b}");
        }
    }
}

#[test]
fn join_is_the_smallest_refinement_of_both() {
    let within = |a: &[bool], b: &[bool]| a.iter().zip(b).all(|(a, b)| !a || *b);
    let all = refinements();
    for (a, gamma_a) in &all {
        for (b, gamma_b) in &all {
            let either: Vec<bool> = gamma_a.iter().zip(gamma_b).map(|(a, b)| *a || *b).collect();
            let joined = a.join(b);
            // A join of parts may be one that the words do not have, which lies between those that contain it.
            assert!(joined.contains(a) && joined.contains(b), "{a} and {b}: {joined}");
            for (other, gamma) in &all {
                assert!(
                    !within(&either, gamma) || other.contains(&joined),
                    "{a} and {b}: {joined}, not {other}"
                );
            }
        }
    }
}

#[test]
fn a_written_refinement_is_read_again() {
    for (refinement, _) in refinements() {
        let text = refinement.to_string();
        assert_eq!(text.parse::<Refinement>().unwrap(), refinement, "{text}");
        assert!(!refinement.describe().to_string().is_empty());
    }
    for (text, message) in [
        (r#"attribute("a")"#, "column 14: \",\" after the name of an attribute expected, but found \")\""),
        (r#"attribute(a, notnull())"#, "column 11"),
        ("tupleelement(-1, notnull())", "column 14"),
        ("tupleelement(0)", "after the index of an element expected"),
        (
            r#"attribute("a", notnull()), tupleelement(0, null())"#,
            "tupleelement is for tuples, but attribute is for objects",
        ),
        (
            r#"attribute("a", null()), attribute("b", null()), notnull(attribute("a", notnull()))"#,
            "column 49",
        ),
        (r#"property("a", notnull())"#, "did you mean \"attribute\"?"),
    ] {
        let error = text.parse::<Refinement>().unwrap_err();
        assert!(error.message().contains(message), "{text}: {error}");
    }
    let empty: Refinement = r#"attribute("a", any())"#.parse().unwrap();
    assert!(empty.is_trivial());
}

#[test]
fn what_is_known_of_many_attributes_is_read_in_a_time_in_proportion() {
    let parts: Vec<String> = (0..20_000).map(|i| format!("attribute(\"a{i}\", notnull())")).collect();
    let refinement: Refinement = parts.join(", ").parse().unwrap();
    let Range::Structure(structure) = refinement.range() else { panic!("{refinement}") };
    assert_eq!(structure.attributes().count(), 20_000);
    let wrong = format!("{}, attribute(\"a7\", null()), attribute(\"b\", null())", parts.join(", "));
    let wrong = format!("notnull({wrong})");
    // A null alone satisfies both.
    let error = wrong.parse::<Refinement>().unwrap_err();
    assert!(error.is_contradiction() && error.message().contains("a7"), "{}", &error.message()[..200]);
}

#[test]
fn refinements_nest_to_a_limit() {
    let mut inside = Refinement::not_null();
    for _ in 0..limits::ELEMENT_REFINEMENTS {
        inside = Refinement::attribute("a", inside).unwrap().and_not_null();
    }
    assert!(Refinement::attribute("a", inside.clone()).unwrap_err().is_limit());
    assert!(Refinement::elements(inside).unwrap_err().is_limit());
}

#[test]
fn assuming_not_null_makes_an_unknown_object_an_object_of_unknown_attributes() {
    let ty: Type = "object({ a = number, b = number })".parse().unwrap();
    let known = Refinement::attribute("a", Refinement::number_at_least(1).and_not_null()).unwrap();
    let nullable = Value::refined(ty.clone(), known.clone()).unwrap();
    assert_eq!(nullable.knownness(), Knownness::Refined);
    let whole = Value::refined(ty.clone(), known.and_not_null()).unwrap();
    assert_eq!(whole.knownness(), Knownness::Partial);
    assert_eq!(nullable.assume_not_null().unwrap(), whole);
    assert_eq!(nullable.at("a").unwrap(), whole.at("a").unwrap());
    // An attribute that the type lacks is a mistake, not a contradiction.
    let other = Refinement::attribute("c", Refinement::not_null()).unwrap();
    assert!(Value::refined(ty.clone(), other.clone()).unwrap_err().is_type_mismatch());
    assert!(whole.assume(&other).unwrap_err().is_type_mismatch());
    // No number is a string.
    let text = Refinement::attribute("a", Refinement::prefix("x")).unwrap();
    assert!(Value::refined(ty, text).unwrap_err().is_type_mismatch());
    assert_eq!(Nullness::NotNull, whole.range().nullness());
}
