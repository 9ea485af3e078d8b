//! Nulls in place of unknowns: no operation on what a value may become, so its laws are its own.

use plantime::{Type, Value};

use super::gamma::Abs;
use super::marks::{mark, marked_inside};
use super::universe::world;

/// The same with nulls for unknowns, on what is read off the value.
fn expected(abs: &Abs) -> Abs {
    let each = |parts: &[Abs]| -> Vec<Abs> { parts.iter().map(expected).collect() };
    match abs {
        Abs::Dynamic => Abs::of(&Value::null(Type::Dynamic)),
        Abs::Unknown(ty, _) => Abs::Null(ty.clone()),
        Abs::List(ty, parts) => Abs::List(ty.clone(), each(parts)),
        Abs::Map(ty, parts) => {
            Abs::Map(ty.clone(), parts.iter().map(|(key, part)| (key.clone(), expected(part))).collect())
        }
        Abs::Tuple(parts) => Abs::Tuple(each(parts)),
        Abs::Object(parts) => {
            Abs::Object(parts.iter().map(|(name, part)| (name.clone(), expected(part))).collect())
        }
        known => known.clone(),
    }
}

#[test]
fn every_unknown_becomes_the_null_of_its_type_and_nothing_else_changes() {
    let world = world();
    for entry in &world.abstracts {
        let answer = entry.value.unknown_as_null().unwrap();
        answer.walk(|path, part| {
            assert!(part.is_known(), "{:?}: {path} in {answer:?}", entry.abs);
            true
        });
        assert_eq!(answer.unknown_as_null().unwrap(), answer);
        assert_eq!(answer.ty(), entry.value.ty());
        if entry.value.is_wholly_known() {
            assert_eq!(answer, entry.value);
        }
        match &entry.abs {
            // What is unknown is one null together.
            Abs::Set { known, undecided, .. } => {
                let undecided: Vec<Abs> = undecided.iter().map(expected).collect();
                let mut members = [known.as_slice(), &undecided].concat();
                members.sort();
                members.dedup();
                let Abs::Set { known: found, undecided, .. } = Abs::of(&answer) else { panic!("{answer:?}") };
                let mut found = [found, undecided].concat();
                found.sort();
                if !entry.abs.ty().has_dynamic() && members.iter().all(Abs::is_wholly_known) {
                    assert_eq!(found, members);
                }
            }
            abs => {
                // Members of sets further in are told apart above.
                if !format!("{abs:?}").contains("Set {") {
                    assert_eq!(Abs::of(&answer), expected(abs));
                }
            }
        }
    }
}

#[test]
fn marks_stay_where_they_are() {
    let world = world();
    for entry in &world.abstracts {
        for marked in [vec![entry.value.clone().mark(mark())], marked_inside(&entry.value)].concat() {
            let answer = marked.unknown_as_null().unwrap();
            assert_eq!(Abs::with_marks(&answer).1, Abs::with_marks(&marked).1);
            assert_eq!(answer.unmark_deep().0, entry.value.unknown_as_null().unwrap());
        }
    }
}
