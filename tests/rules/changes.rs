//! L10 for rules on changes.

use std::collections::BTreeSet;

use plantime::rule::{Outcome, Request, Rule};
use plantime::{Mark, Value};

use crate::concrete::{C, INF, NEG_INF, Ty};
use crate::laws::{Word, best};
use crate::universe::{Abstract, intervals, known};

fn answer(rule: &Rule, before: &Value, after: &Value) -> Word {
    match rule.check(&Request::new(after).before(before)) {
        Ok(Outcome::Pass) => Word::Pass,
        Ok(Outcome::Fail(_)) => Word::Fail,
        Ok(Outcome::Undetermined(_)) => Word::Undetermined,
        Err(_) => Word::Misuse,
    }
}

fn holds(rule: &Rule, before: &C, after: &C) -> bool {
    let (C::Num(before), C::Num(after)) = (before, after) else { return true };
    match rule {
        Rule::OnlyIncrease => after >= before,
        Rule::OnlyDecrease => after <= before,
        _ => after == before,
    }
}

/// A part that appears or disappears has changed.
fn holds_for_part(rule: &Rule, before: &C, after: &C) -> bool {
    match (rule, before, after) {
        (_, C::Num(_), C::Num(_)) => holds(rule, before, after),
        (Rule::Immutable, C::Num(_), _) | (Rule::Immutable, _, C::Num(_)) => false,
        _ => true,
    }
}

#[test]
fn rules_on_changes_are_exact_for_both_sides() {
    let mut all = intervals();
    all.push(known(&C::Null(Ty::Num)));
    // Concrete sides on the bounds, beside them with room between, and the infinities.
    let mut concrete: Vec<C> = [0, 2, 4, 8, 10, INF, NEG_INF].map(C::Num).to_vec();
    concrete.push(C::Null(Ty::Num));
    let sides: Vec<&Abstract> = all
        .iter()
        .filter(|side| !side.value.is_wholly_known() || side.gamma.iter().all(|c| concrete.contains(c)))
        .collect();
    let whole = |value: &Value| value.clone();
    let part = |value: &Value| plantime::value!({ "a": (value.clone()) }).unwrap();
    let at_part = |rule: Rule| Rule::at("a".parse().unwrap(), rule).unwrap();
    type Place<'a> = (&'a dyn Fn(&Value) -> Value, &'a dyn Fn(Rule) -> Rule, fn(&Rule, &C, &C) -> bool);
    let places: [Place<'_>; 2] = [(&whole, &|rule| rule, holds), (&part, &at_part, holds_for_part)];
    let mut calls = 0;
    for (place, ruled, holds) in places {
        for rule in [Rule::OnlyIncrease, Rule::OnlyDecrease, Rule::Immutable] {
            let placed = ruled(rule.clone());
            for before in &sides {
                for after in &sides {
                    let outcomes: BTreeSet<Option<bool>> = before
                        .gamma
                        .iter()
                        .flat_map(|b| after.gamma.iter().map(|a| Some(holds(&rule, b, a))))
                        .collect();
                    let (old, new) = (place(&before.value), place(&after.value));
                    assert_eq!(
                        answer(&placed, &old, &new),
                        best(&outcomes),
                        "{placed} from {old:?} to {new:?}"
                    );
                    calls += 1;
                }
            }
        }
    }
    println!("rules on changes: {} abstract values, {calls} calls", sides.len());
}

#[test]
fn marks_on_either_side_change_nothing() {
    let (low, high) = (Value::from(20), Value::from(40));
    let hidden = |value: &Value| value.clone().mark(Mark::SENSITIVE);
    for rule in [Rule::OnlyIncrease, Rule::OnlyDecrease, Rule::Immutable] {
        for (before, after) in [(&low, &high), (&high, &low), (&low, &low)] {
            let plain = answer(&rule, before, after);
            assert_eq!(answer(&rule, &hidden(before), after), plain);
            assert_eq!(answer(&rule, before, &hidden(after)), plain);
        }
    }
}

#[test]
fn a_part_is_compared_with_the_same_part_before() {
    let at = |path: &str, rule: Rule| Rule::at(path.parse().unwrap(), rule).unwrap();
    let storage = |size: i64| plantime::value!({ "disks": [{ "size": size }], "name": "x" }).unwrap();
    let rule = at("disks[0].size", Rule::OnlyIncrease);
    assert_eq!(answer(&rule, &storage(20), &storage(40)), Word::Pass);
    assert_eq!(answer(&rule, &storage(40), &storage(20)), Word::Fail);
    let every = at("disks[*].size", Rule::OnlyIncrease);
    assert_eq!(answer(&every, &storage(40), &storage(20)), Word::Fail);

    // A part that appears or disappears has changed; a whole that does was created or deleted.
    let named = |name: Value| plantime::value!({ "name": name }).unwrap();
    let null = || Value::null(plantime::Type::String);
    let immutable = at("name", Rule::Immutable);
    assert_eq!(answer(&immutable, &named("a".into()), &named(null())), Word::Fail);
    assert_eq!(answer(&immutable, &named(null()), &named("a".into())), Word::Fail);
    assert_eq!(answer(&immutable, &named(null()), &named(null())), Word::Pass);
    let gone = Value::null(named(null()).ty());
    assert_eq!(answer(&immutable, &named("a".into()), &gone), Word::Pass);
    assert_eq!(answer(&immutable, &gone, &named("a".into())), Word::Pass);
    assert_eq!(immutable.check_value(&named("a".into())).unwrap(), Outcome::Pass);

    // Two paths in one another are one path.
    let inside = |inner: Value| plantime::value!({ "a": inner }).unwrap();
    let (none, some) = (inside(Value::null(plantime::Type::Dynamic)), inside(storage(20)));
    for (before, after) in [(&none, &some), (&some, &none), (&none, &none), (&some, &some)] {
        let joined = answer(&at("a.name", Rule::Immutable), before, after);
        assert_eq!(answer(&at("a", at("name", Rule::Immutable)), before, after), joined);
    }
}
