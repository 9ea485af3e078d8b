//! L10 for rules across fields and at paths: exact, since their operands vary independently here, and independent of
//! the order of operands.

use std::collections::{BTreeMap, BTreeSet};

use plantime::rule::{Outcome, PathExpr, Requirement, Rule, Severity};
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
    (Rule::exactly_one_of, |set, _| set == 1),
    (Rule::at_least_one_of, |set, _| set >= 1),
    (Rule::conflicting, |set, _| set <= 1),
    (Rule::required_together, |set, all| set == 0 || set == all),
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

/// Holds each answer against the meaning, and each order of the same rule against the first.
fn exact(orders: &[Rule], values: &[Abstract], meaning: impl Fn(&C) -> bool) -> usize {
    for Abstract { value, gamma } in values {
        let outcomes: BTreeSet<Option<bool>> = gamma.iter().map(|c| Some(meaning(c))).collect();
        let (rule, answer) = (&orders[0], word(&orders[0], value));
        let dynamic = value.ty() == Type::Dynamic;
        assert!(
            answer == best(&outcomes) || dynamic && answer == Word::Undetermined,
            "{rule} on {value:?}: {answer:?}, not {:?}",
            best(&outcomes)
        );
        for other in &orders[1..] {
            assert_eq!(word(other, value), answer, "{other} on {value:?}");
        }
        if !dynamic {
            obligation(rule, value, gamma, |c| best(&BTreeSet::from([Some(meaning(c))])));
        }
    }
    values.len() * orders.len()
}

#[test]
fn a_part_that_requires_others_is_exact_in_any_order() {
    let values = configurations();
    let lists: [(&str, &[&str]); 6] = [
        ("a", &[]),
        ("a", &["b"]),
        ("a", &["b", "c"]),
        ("o.a", &["b", "c"]),
        ("a", &["o.a", "c"]),
        ("o", &["a"]),
    ];
    let mut calls = 0;
    for (first, others) in lists {
        let rule = |others: &[&str]| Rule::also_requires(path(first), others.iter().copied().map(path));
        let turned: Vec<&str> = others.iter().rev().copied().collect();
        let meaning = |c: &C| !is_set(c, first) || others.iter().all(|other| is_set(c, other));
        calls += exact(&[rule(others), rule(&turned)], &values, meaning);
    }
    println!("a part that requires others: {} abstract values, {calls} calls", values.len());
}

#[test]
fn parts_required_by_a_condition_are_exact_in_any_order() {
    let values = configurations();
    let null = || C::Null(Ty::Bool);
    let conditions: [(&str, Vec<C>); 6] = [
        ("a", vec![C::Bool(true)]),
        ("a", vec![C::Bool(false)]),
        ("a", vec![C::Bool(false), C::Bool(true)]),
        ("a", vec![null(), C::Bool(true)]),
        ("o.a", vec![C::Bool(true)]),
        ("o.a", vec![null()]),
    ];
    let mut calls = 0;
    for (when, one_of) in conditions {
        for required in [&[][..], &["b"], &["b", "c"]] {
            let rule = |required: &[&str], one_of: Vec<Value>| {
                let required = required.iter().copied().map(path).collect();
                Rule::required_when(Requirement { path: path(when), one_of, required })
            };
            let operands: Vec<Value> = one_of.iter().map(C::to_value).collect();
            let orders = [
                rule(required, operands.clone()),
                rule(
                    &required.iter().rev().copied().collect::<Vec<_>>(),
                    operands.into_iter().rev().collect(),
                ),
            ];
            let meaning = |c: &C| {
                let part = at(c, when).cloned().unwrap_or_else(null);
                !one_of.contains(&part) || required.iter().all(|name| is_set(c, name))
            };
            calls += exact(&orders, &values, meaning);
        }
    }
    println!("parts required by a condition: {} abstract values, {calls} calls", values.len());
}

#[test]
fn a_condition_that_can_never_hold_is_misuse() {
    let requirement =
        |at: &str| Requirement { path: path(at), one_of: vec!["x".into()], required: vec![path("b")] };
    let value = plantime::value!({ "a": true, "b": null }).unwrap();
    let misuse = Rule::required_when(requirement("a")).check_value(&value).unwrap_err();
    assert_eq!(misuse.to_string(), "a: required_when compares with a string, but the value is a bool");
    let misuse = Rule::required_when(requirement("c")).check_value(&value).unwrap_err();
    assert_eq!(misuse.to_string(), "there is no attribute \"c\"; did you mean \"a\"?");
}

#[test]
fn a_write_only_alternative_is_preferred_with_a_warning_and_no_error() {
    let values = configurations();
    let rule = Rule::prefer_write_only(path("a"), path("b"));
    exact(std::slice::from_ref(&rule), &values, |c| !is_set(c, "a"));
    let outcome = rule.check_value(&plantime::value!({ "a": "x", "b": null }).unwrap()).unwrap();
    let Outcome::Fail(diagnostics) = outcome else { panic!("{outcome}") };
    assert!(!diagnostics.has_error());
    assert_eq!(diagnostics[0].severity, Severity::Warning);
    assert_eq!(diagnostics[0].summary, "Available Write-only Attribute Alternative");
}

#[test]
fn rules_at_a_path_are_exact() {
    let tests: [(Rule, Test); 4] = [
        (Rule::NotNull, |c| !c.is_null()),
        (Rule::IsNull, C::is_null),
        (Rule::equals(Value::from(true)), |c| c.is_null() || *c == C::Bool(true)),
        (Rule::none_of([Value::from(true), Value::from(false)]), C::is_null),
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
        (Rule::equals(Value::from(true)), |c| c.is_null() || *c == C::Bool(true)),
        (Rule::one_of([Value::from(true), Value::from(false)]), |_| true),
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
        assert_eq!(word(&Rule::at_least_one_of([path(at)]), &unknown), Word::Fail, "{at} of {ty}");
    }
}
