//! L10 for rules across fields and at paths: exact, since their operands vary independently here, and independent of
//! the order of operands.

use std::collections::{BTreeMap, BTreeSet};

use plantime::rule::{PathExpr, Rule};
use plantime::{Refinement, Type, Value};

use crate::concrete::{C, Ty};
use crate::laws::{Word, best, obligation, word};
use crate::universe::{Abstract, Null, concretes, known, rows, unknown_of};

fn path(text: &str) -> PathExpr {
    text.parse().unwrap()
}

/// `{ a, b, c: bool, o: object({ a: bool }), l: list(bool) }`, each part in several states.
fn configurations() -> Vec<Abstract> {
    let bools = || {
        vec![
            known(&C::Null(Ty::Bool)),
            known(&C::Bool(true)),
            unknown_of(&Ty::Bool, Null::Maybe),
            unknown_of(&Ty::Bool, Null::Never),
        ]
    };
    let inner = Ty::Object(BTreeMap::from([("a", Ty::Bool)]));
    let mut nested: Vec<Abstract> = bools()
        .into_iter()
        .map(|part| Abstract {
            value: Value::object([("a", part.value)]).unwrap(),
            gamma: part.gamma.into_iter().map(|c| C::Object([("a", c)].into())).collect(),
        })
        .collect();
    nested.extend([unknown_of(&inner, Null::Maybe), unknown_of(&inner, Null::Never), known(&C::Null(inner))]);
    let parts: [(&'static str, Vec<Abstract>); 4] =
        [("a", bools()), ("b", bools()), ("c", bools()), ("o", nested)];
    let choices: Vec<Vec<Abstract>> = parts.iter().map(|(_, choices)| choices.clone()).collect();
    let names = parts.map(|(name, _)| name);
    let mut all: Vec<Abstract> = rows(&choices)
        .into_iter()
        .map(|row| {
            let values = names.iter().zip(row.iter().map(|part| part.value.clone()));
            let gammas: Vec<Vec<C>> = row.iter().map(|part| part.gamma.iter().cloned().collect()).collect();
            Abstract {
                value: Value::object(values).unwrap(),
                gamma: rows(&gammas)
                    .into_iter()
                    .map(|row| C::Object(names.into_iter().zip(row).collect()))
                    .collect(),
            }
        })
        .collect();
    let ty = all[0].gamma.first().unwrap().ty();
    for null in crate::universe::NULLS {
        all.push(unknown_of(&ty, null));
    }
    let gamma = concretes(&ty).into_iter().collect();
    all.push(Abstract { value: Value::dynamic(), gamma });
    all
}

/// What stands at `a`, `b`, `c` or `o.a`; null below a null.
fn at<'c>(c: &'c C, path: &str) -> Option<&'c C> {
    path.split('.').try_fold(c, |c, name| match c {
        C::Object(parts) => parts.get(name),
        _ => None,
    })
}

fn is_set(c: &C, path: &str) -> bool {
    at(c, path).is_some_and(|part| !part.is_null())
}

/// The meaning of a rule on one part.
type Test = fn(&C) -> bool;
type Meaning = fn(usize, usize) -> bool;
type Build = fn(Vec<PathExpr>) -> Rule;

const ACROSS: [(Build, Meaning); 4] = [
    (Rule::ExactlyOneOf, |set, _| set == 1),
    (Rule::AtLeastOneOf, |set, _| set >= 1),
    (Rule::Conflicting, |set, _| set <= 1),
    (Rule::RequiredTogether, |set, all| set == 0 || set == all),
];

#[test]
fn rules_across_fields_are_exact_in_any_order() {
    let values = configurations();
    let lists: [&[&str]; 8] = [
        &[],
        &["a"],
        &["a", "b"],
        &["a", "b", "c"],
        &["a", "o.a"],
        &["o.a", "b", "c"],
        &["o", "a"],
        &["a", "b", "c", "o.a"],
    ];
    let mut calls = 0;
    for names in lists {
        for (build, meaning) in ACROSS {
            let rule = build(names.iter().copied().map(path).collect());
            let mut turned: Vec<&str> = names.to_vec();
            turned.reverse();
            let mut rotated = names.to_vec();
            rotated.rotate_left(names.len().min(1));
            for Abstract { value, gamma } in &values {
                let holds = |c: &C| meaning(names.iter().filter(|name| is_set(c, name)).count(), names.len());
                let outcomes: BTreeSet<Option<bool>> = gamma.iter().map(|c| Some(holds(c))).collect();
                // Of unknown type, the paths may lead nowhere: nothing is decided by what is not known to be there.
                let dynamic = value.ty() == Type::Dynamic;
                let expected = best(&outcomes);
                let answer = word(&rule, value);
                calls += 1;
                assert!(
                    answer == expected || dynamic && answer == Word::Undetermined,
                    "{rule} on {value:?}: {answer:?}"
                );
                for order in [&turned, &rotated] {
                    let other = build(order.iter().copied().map(path).collect());
                    assert_eq!(word(&other, value), answer, "{other} on {value:?}");
                }
                if !dynamic {
                    obligation(&rule, value, gamma, |c| best(&BTreeSet::from([Some(holds(c))])));
                }
            }
        }
    }
    println!("rules across fields: {} abstract values, {calls} calls", values.len());
}

#[test]
fn rules_at_a_path_are_exact() {
    let tests: [(Rule, Test); 4] = [
        (Rule::NotNull, |c| !c.is_null()),
        (Rule::IsNull, C::is_null),
        (Rule::Equals(Value::from(true)), |c| c.is_null() || *c == C::Bool(true)),
        (Rule::NoneOf(vec![Value::from(true), Value::from(false)]), C::is_null),
    ];
    for Abstract { value, gamma } in configurations() {
        for name in ["a", "o.a"] {
            for (test, holds) in &tests {
                let rule = Rule::at(path(name), test.clone()).unwrap();
                let meaning = |c: &C| holds(at(c, name).unwrap_or(&C::Null(Ty::Bool)));
                let outcomes: BTreeSet<Option<bool>> = gamma.iter().map(|c| Some(meaning(c))).collect();
                let answer = word(&rule, &value);
                let dynamic = value.ty() == Type::Dynamic;
                assert!(
                    answer == best(&outcomes) || dynamic && answer == Word::Undetermined,
                    "{rule} on {value:?}: {answer:?}"
                );
                if !dynamic {
                    obligation(&rule, &value, &gamma, |c| best(&BTreeSet::from([Some(meaning(c))])));
                }
            }
        }
    }
}

#[test]
fn rules_at_every_element_are_sound_and_exact() {
    let mut values = crate::universe::lists();
    values.extend(crate::universe::sets());
    values.extend(crate::universe::maps());
    values.extend(crate::universe::tuples());
    let tests: [(Rule, Test); 4] = [
        (Rule::NotNull, |c| !c.is_null()),
        (Rule::IsNull, C::is_null),
        (Rule::Equals(Value::from(true)), |c| c.is_null() || *c == C::Bool(true)),
        (Rule::OneOf(vec![Value::from(true), Value::from(false)]), |_| true),
    ];
    let mut imprecise = 0;
    let mut calls = 0;
    for (test, holds) in &tests {
        let rule = Rule::at(path("[*]"), test.clone()).unwrap();
        for Abstract { value, gamma } in &values {
            let meaning = |c: &C| match c {
                C::List(_, items) | C::Tuple(items) => items.iter().all(holds),
                C::Set(_, items) => items.iter().all(holds),
                C::Map(_, items) => items.values().all(holds),
                _ => true,
            };
            let outcomes: BTreeSet<Option<bool>> = gamma.iter().map(|c| Some(meaning(c))).collect();
            let (expected, answer) = (best(&outcomes), word(&rule, value));
            calls += 1;
            if answer != expected {
                // Exact relative to its parts: that members of a set differ from each other is not seen.
                assert!(matches!(value.ty(), Type::Set(_)), "{rule} on {value:?} should be {expected:?}");
                assert_eq!(answer, Word::Undetermined, "{rule} on {value:?} should be {expected:?}");
                imprecise += 1;
            }
            obligation(&rule, value, gamma, |c| best(&BTreeSet::from([Some(meaning(c))])));
        }
    }
    println!("rules at every element: {calls} calls, {imprecise} decided only by counting members of a set");
    assert!(imprecise * 10 < calls);
}

#[test]
fn indexes_and_keys_that_are_not_there_read_as_null() {
    let list = Type::list(Type::Bool).unwrap();
    let two = Value::refined(list.clone(), "length(0, 2)".parse::<Refinement>().unwrap()).unwrap();
    let not_null = |at: &str| Rule::at(path(at), Rule::NotNull).unwrap();
    assert_eq!(word(&not_null("[2]"), &two), Word::Fail);
    assert_eq!(word(&not_null("[1]"), &two), Word::Undetermined);
    assert_eq!(word(&not_null("Name"), &Value::map([("name", "x")]).unwrap()), Word::Fail);
    assert_eq!(word(&not_null("Name"), &Value::map([("Name", "x")]).unwrap()), Word::Pass);
    assert_eq!(word(&not_null("[*]"), &Value::list_of(Type::Bool, Vec::<Value>::new()).unwrap()), Word::Pass);
    assert_eq!(word(&not_null("[*]"), &Value::null(list)), Word::Pass);
    for (ty, at) in [("tuple([bool, bool])", "[2]"), ("object({a = bool})", "[\"b\"]"), ("object({})", "[*]")]
    {
        let unknown = Value::unknown(ty.parse().unwrap());
        assert_eq!(word(&Rule::at(path(at), Rule::IsNull).unwrap(), &unknown), Word::Pass, "{at} of {ty}");
        assert_eq!(word(&Rule::AtLeastOneOf(vec![path(at)]), &unknown), Word::Fail, "{at} of {ty}");
    }
}
