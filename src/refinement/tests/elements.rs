//! The laws for refinements of elements and keys, by brute force: all maps of up to four keys, and every refinement in
//! words over them.

use crate::refinement::{LengthRange, Nullness, Range, Refinement};
use crate::types::Type;
use crate::value::{Knownness, Value};

/// An element: null or a number.
type Element = Option<i64>;

/// A map, or null.
type Concrete = Option<Vec<(&'static str, Element)>>;

const KEYS: [&str; 4] = ["a", "ab", "b", "c"];

/// Null and every map of these keys and elements.
fn values() -> Vec<Concrete> {
    let mut maps: Vec<Vec<(&str, Element)>> = vec![Vec::new()];
    for key in KEYS {
        let with = maps.iter().flat_map(|map| {
            [None, Some(0), Some(1)].map(|element| [map.as_slice(), &[(key, element)]].concat())
        });
        let with: Vec<_> = with.collect();
        maps.extend(with);
    }
    maps.into_iter().map(Some).chain([None]).collect()
}

/// The elements that satisfy a refinement, in words.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Word {
    Any,
    NotNull,
    Null,
    AtLeastOne,
    NotNullAtLeastOne,
}

/// The keys that satisfy a refinement, in words.
#[derive(Clone, Copy, Debug, PartialEq)]
enum KeyWord {
    Any,
    OnlyA,
    AOrB,
    StartsWithA,
}

#[derive(Clone, Debug)]
struct Spec {
    nullness: Nullness,
    length: (u64, Option<u64>),
    element: Word,
    keys: KeyWord,
}

impl Spec {
    fn holds(&self, value: &Concrete) -> bool {
        let Some(map) = value else { return self.nullness != Nullness::NotNull };
        let length = map.len() as u64;
        let of_length = self.length.0 <= length && self.length.1.is_none_or(|most| length <= most);
        let element = |element: &Element| match self.element {
            Word::Any => true,
            Word::NotNull => element.is_some(),
            Word::Null => element.is_none(),
            Word::AtLeastOne => element.is_none_or(|number| number >= 1),
            Word::NotNullAtLeastOne => element.is_some_and(|number| number >= 1),
        };
        let key = |key: &str| match self.keys {
            KeyWord::Any => true,
            KeyWord::OnlyA => key == "a",
            KeyWord::AOrB => key == "a" || key == "b",
            KeyWord::StartsWithA => key.starts_with('a'),
        };
        of_length && map.iter().all(|(name, item)| element(item) && key(name))
    }

    fn build(&self) -> Option<Refinement> {
        let element = match self.element {
            Word::Any => Refinement::any(),
            Word::NotNull => Refinement::not_null(),
            Word::Null => Refinement::null(),
            Word::AtLeastOne => Refinement::number_at_least(1),
            Word::NotNullAtLeastOne => Refinement::number_at_least(1).and_not_null(),
        };
        let keys = match self.keys {
            KeyWord::Any => Refinement::any(),
            KeyWord::OnlyA => Refinement::one_of(["a"]).unwrap(),
            KeyWord::AOrB => Refinement::one_of(["a", "b"]).unwrap(),
            KeyWord::StartsWithA => Refinement::prefix("a"),
        };
        let length = Refinement::length(LengthRange::new(self.length.0, self.length.1).unwrap());
        let parts = [length, Refinement::elements(element).unwrap(), Refinement::keys(&keys).unwrap()];
        let own = Refinement { nullness: self.nullness, range: Range::Any };
        parts.iter().try_fold(own, |all, part| all.meet(part).ok())
    }
}

/// Every refinement, once, with the values that satisfy it.
fn refinements() -> Vec<(Refinement, Vec<bool>)> {
    let values = values();
    let mut all: Vec<(Refinement, Vec<bool>)> = Vec::new();
    for nullness in [Nullness::Nullable, Nullness::NotNull] {
        for length in [(0, None), (0, Some(0)), (0, Some(1)), (1, None)] {
            for element in [Word::Any, Word::NotNull, Word::Null, Word::AtLeastOne, Word::NotNullAtLeastOne] {
                for keys in [KeyWord::Any, KeyWord::OnlyA, KeyWord::AOrB, KeyWord::StartsWithA] {
                    let spec = Spec { nullness, length, element, keys };
                    let held: Vec<bool> = values.iter().map(|value| spec.holds(value)).collect();
                    let Some(refinement) = spec.build() else {
                        assert!(!held.contains(&true), "{spec:?}");
                        continue;
                    };
                    let model: Vec<bool> = values.iter().map(|value| satisfies(&refinement, value)).collect();
                    assert_eq!(model, held, "{spec:?} gives {refinement}");
                    match all.iter().find(|(_, other)| *other == held) {
                        // Equal values mean equal refinements.
                        Some((other, _)) => assert_eq!(*other, refinement, "{spec:?}"),
                        None => all.push((refinement, held)),
                    }
                }
            }
        }
    }
    all
}

/// Whether the value satisfies the refinement, as a value says it.
fn satisfies(refinement: &Refinement, value: &Concrete) -> bool {
    let ty = Type::map(Type::Number).unwrap();
    let concrete = match value {
        None => Value::null(ty.clone()),
        Some(map) => {
            let element = |element: &Element| element.map_or(Value::null(Type::Number), Value::from);
            Value::map_of(Type::Number, map.iter().map(|(key, item)| (*key, element(item)))).unwrap()
        }
    };
    let planned = match refinement.nullness() {
        Nullness::Null => Value::null(ty),
        _ => Value::refined(ty, refinement.clone()).unwrap(),
    };
    let assumed = concrete.assume(refinement).is_ok();
    assert_eq!(planned.may_become(&concrete), assumed, "{refinement} of {concrete}");
    // A range of a known length is a container, whose range says nothing of its children.
    if planned.knownness() == Knownness::Refined {
        assert_eq!(planned.range().includes(&concrete) != Some(false), assumed, "{refinement} of {concrete}");
    }
    assumed
}

#[test]
fn the_lattice_is_that_of_the_sets_of_values() {
    let all = refinements();
    // For each nullness: 3 lengths, 5 elements and 4 keys, of which 5 have the length that one key has anyway; and length 0.
    assert_eq!(all.len(), 2 * (3 * 5 * 4 - 5 + 1));
    let subset = |a: &[bool], b: &[bool]| a.iter().zip(b).all(|(a, b)| *b || !*a);
    let of = |refinement: &Refinement| {
        values().iter().map(|value| satisfies(refinement, value)).collect::<Vec<bool>>()
    };
    for (a, of_a) in &all {
        for (b, of_b) in &all {
            assert_eq!(a.contains(b), subset(of_b, of_a), "{a} ⊇ {b}");
            assert_eq!(a == b, a.cmp(b).is_eq(), "{a} {b}");
            assert_eq!(a.cmp(b), b.cmp(a).reverse(), "{a} {b}");
            let both: Vec<bool> = of_a.iter().zip(of_b).map(|(a, b)| *a && *b).collect();
            match a.meet(b) {
                Ok(met) => {
                    assert_eq!(of(&met), both, "{a} ⊓ {b} = {met}");
                    assert_eq!(b.meet(a), Ok(met.clone()));
                    assert_eq!(a.join(&met), *a, "{a} ⊔ ({a} ⊓ {b})");
                }
                Err(_) => assert!(!both.contains(&true), "{a} ⊓ {b}"),
            }
            let joined = a.join(b);
            assert_eq!(joined, b.join(a));
            assert!(joined.contains(a) && joined.contains(b), "{a} ⊔ {b} = {joined}");
            assert_eq!(a.meet(&joined), Ok(a.clone()), "{a} ⊓ ({a} ⊔ {b})");
            let of_joined = of(&joined);
            for (other, of_other) in &all {
                let is_bound = subset(of_a, of_other) && subset(of_b, of_other);
                assert!(!is_bound || subset(&of_joined, of_other), "{a} ⊔ {b} = {joined}, but {other}");
            }
        }
    }
}

#[test]
fn the_text_reads_back_as_the_same_refinement() {
    for (refinement, _) in refinements() {
        assert_eq!(refinement.to_string().parse().as_ref(), Ok(&refinement), "{refinement}");
    }
    let nested = "elements(notnull(lengthmin(1), elements(notnull(stringprefix(\"a\")))))";
    assert_eq!(nested.parse::<Refinement>().unwrap().to_string(), nested);
    let error = "keys(numbermin(1))".parse::<Refinement>().unwrap_err().to_string();
    assert_eq!(error, "column 6: numbermin is for numbers, but keys is for strings");
    let error = "elements(numbermin(1)), stringprefix(\"a\")".parse::<Refinement>().unwrap_err().to_string();
    assert_eq!(error, "column 25: stringprefix is for strings, but elements is for collections");
}

#[test]
fn elements_in_elements_are_bounded() {
    let mut deep = Refinement::not_null();
    for _ in 0..crate::limits::ELEMENT_REFINEMENTS {
        deep = Refinement::elements(deep).unwrap();
    }
    assert!(Refinement::elements(deep.clone()).unwrap_err().is_limit());
    assert_eq!(deep.meet(&deep), Ok(deep.clone()));
    assert_eq!(deep.join(&deep), deep);
}

#[test]
fn a_certain_length_gives_a_collection_of_refined_elements() {
    let refined = |ty: &str, text: &str| Value::refined(ty.parse().unwrap(), text.parse().unwrap()).unwrap();
    for (ty, text, value) in [
        (
            "list(string)",
            "notnull(length(2), elements(notnull(stringprefix(\"a\"))))",
            r#"["a${(known after apply)}", "a${(known after apply)}"]"#,
        ),
        ("list(string)", "notnull(length(2), elements(null()))", "[null, null]"),
        (
            "set(string)",
            "notnull(length(1), elements(notnull(stringprefix(\"a\"))))",
            r#"toset(["a${(known after apply)}"])"#,
        ),
        (
            "set(string)",
            "notnull(lengthmin(2), elements(notnull(oneof(\"a\", \"b\"))))",
            r#"toset(["a", "b"])"#,
        ),
        ("set(bool)", "notnull(lengthmin(2), elements(notnull()))", "toset([false, true])"),
        (
            "map(number)",
            "notnull(lengthmin(2), keys(oneof(\"a\", \"b\")))",
            r#"{"a" = (known after apply), "b" = (known after apply)}"#,
        ),
        ("map(number)", "notnull(length(0), keys(oneof(\"a\", \"b\")))", "{}"),
        (
            "list(string)",
            "notnull(lengthmin(1), elements(notnull(stringprefix(\"a\"))))",
            r#"(known after apply, at least 1 element, each element (not null, starts with "a"))"#,
        ),
    ] {
        assert_eq!(refined(ty, text).to_string(), value, "{ty} {text}");
    }
    let refused = Value::refined(
        "set(bool)".parse().unwrap(),
        "notnull(lengthmin(3), elements(notnull()))".parse().unwrap(),
    );
    assert!(refused.unwrap_err().is_contradiction());
    let refused =
        Value::refined("list(bool)".parse().unwrap(), "elements(stringprefix(\"a\"))".parse().unwrap());
    assert!(refused.unwrap_err().is_type_mismatch());
}
