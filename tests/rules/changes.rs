//! L10 for rules on changes.

use std::collections::BTreeSet;

use plantime::rule::{ForceNew, Outcome, Replaces, Request, Rule};
use plantime::{Mark, Type, Value};

use crate::concrete::{C, INF, NEG_INF, Ty};
use crate::laws::{Word, best};
use crate::universe::{Abstract, few_numbers, intervals, known};

pub(crate) fn answer(rule: &Rule, before: &Value, after: &Value) -> Word {
    match rule.check(&Request::new(after).before(before)) {
        Ok(Outcome::Pass) => Word::Pass,
        Ok(Outcome::Fail(_)) => Word::Fail,
        Ok(Outcome::Undetermined(_)) => Word::Undetermined,
        Err(_) => Word::Misuse,
    }
}

fn holds(rule: &Rule, before: &C, after: &C) -> bool {
    let (C::Num(before), C::Num(after)) = (before, after) else { return true };
    match rule.name() {
        "only_increase" => after >= before,
        "only_decrease" => after <= before,
        "multiple_of_old" => match (*before, *after) {
            (_, 0) => true,
            (0 | INF | NEG_INF, _) | (_, INF | NEG_INF) => false,
            (before, after) => after % before == 0,
        },
        _ => after == before,
    }
}

/// A part that appears or disappears has changed.
pub(crate) fn holds_for_part(rule: &Rule, before: &C, after: &C) -> bool {
    match (rule.name(), before, after) {
        (_, C::Num(_), C::Num(_)) => holds(rule, before, after),
        ("immutable", C::Num(_), _) | ("immutable", _, C::Num(_)) => false,
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
        for rule in [Rule::only_increase(), Rule::only_decrease(), Rule::immutable()] {
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
fn lists_of_numbers_decide_changes_by_their_pairs() {
    let lists = few_numbers();
    let (mut decided, mut undetermined) = (0, 0);
    for before in &lists {
        for after in &lists {
            let rule = Rule::multiple_of_old();
            let outcomes: BTreeSet<Option<bool>> = before
                .gamma
                .iter()
                .flat_map(|b| after.gamma.iter().map(|a| Some(holds(&rule, b, a))))
                .collect();
            let answer = answer(&rule, &before.value, &after.value);
            assert_eq!(answer, best(&outcomes), "from {:?} to {:?}", before.value, after.value);
            if answer == Word::Undetermined { undetermined += 1 } else { decided += 1 }
        }
    }
    assert!(decided > 100 && undetermined > 100, "{decided} and {undetermined}");
}

#[test]
fn multiples_of_what_was_are_sound() {
    let all = intervals();
    let mut calls = 0;
    let mut open = 0;
    for before in &all {
        for after in &all {
            let answer = answer(&Rule::multiple_of_old(), &before.value, &after.value);
            let pairs = before.gamma.iter().flat_map(|b| after.gamma.iter().map(move |a| (b, a)));
            let outcomes: BTreeSet<Option<bool>> =
                pairs.map(|(b, a)| Some(holds(&Rule::multiple_of_old(), b, a))).collect();
            // The numbers between quarters decide too; what they say is the next test's.
            let rough = answer == Word::Undetermined
                && best(&outcomes) != answer
                && before.gamma.len().max(after.gamma.len()) > 1;
            let (b, a) = (&before.value, &after.value);
            assert!(answer == best(&outcomes) || rough, "from {b:?} to {a:?}: {answer:?}");
            calls += 1;
            open += usize::from(rough);
        }
    }
    println!("multiples of what was: {calls} calls, {open} decided only on quarters");
}

#[test]
fn multiples_of_what_was_are_exact_on_intervals() {
    let value = |text: &str| match text.parse::<plantime::Number>() {
        Ok(number) => Value::from(number),
        Err(_) => {
            let refinement = format!("notnull({text})").parse().unwrap();
            Value::refined(plantime::Type::Number, refinement).unwrap()
        }
    };
    use Word::{Fail, Pass, Undetermined};
    for (before, after, expected) in [
        ("numberrange(2, 3)", "0", Pass),
        ("numberrange(-1, 1)", "5", Undetermined),
        ("0", "numberrange(1, 2)", Fail),
        ("0", "numberrange(0, 2)", Undetermined),
        ("4", "numberrange(5, 7)", Fail),
        ("4", "numberrange(5, 8)", Undetermined),
        ("-4", "numberrange(-8, -5)", Undetermined),
        ("-4", "numberrange(-7, -5)", Fail),
        // Twice from 4 to 5 is from 8 to 10, once is at most 5.
        ("numberrange(4, 5)", "6", Fail),
        ("numberrange(4, 5)", "numberrange(6, 7)", Fail),
        ("numberrange(4, 5)", "numberrange(6, 8)", Undetermined),
        ("numberrange(4, 5)", "10", Undetermined),
        ("numberrange(4, 5)", "11", Fail),
        ("numberrange(4, 5)", "12", Undetermined),
        ("numberrange(-5, -4)", "11", Fail),
        ("numbermin(4)", "3", Fail),
        ("numbermin(4)", "4", Undetermined),
        ("numbermax(-4)", "3", Fail),
        ("numbermin(4)", "numbermin(5)", Undetermined),
        ("numberrange(4, 5)", "numbermin(11)", Undetermined),
    ] {
        assert_eq!(
            answer(&Rule::multiple_of_old(), &value(before), &value(after)),
            expected,
            "{before} to {after}"
        );
    }
}

/// The meaning of replacement on concrete values: a change, for which the condition holds.
#[test]
fn replacement_has_three_exact_answers() {
    type Meaning = fn(&C, &C) -> bool;
    let conditions: [(Option<Rule>, Meaning); 4] = [
        (None, |_, _| true),
        (Some(Rule::min(1)), |_, after| !matches!(after, C::Num(n) if *n < 4)),
        (Some(Rule::only_increase()), |before, after| holds(&Rule::only_increase(), before, after)),
        (Some(Rule::not(Rule::only_increase()).unwrap()), |before, after| {
            after.is_null() || !holds(&Rule::only_increase(), before, after)
        }),
    ];
    let all = intervals();
    let concrete: Vec<C> = [0, 2, 4, 10].map(C::Num).to_vec();
    let sides: Vec<&Abstract> = all
        .iter()
        .filter(|side| !side.value.is_wholly_known() || side.gamma.iter().all(|c| concrete.contains(c)))
        .collect();
    let object = |value: &Value| Value::object([("n", value.clone()), ("other", true.into())]).unwrap();
    let mut calls = 0;
    for (condition, meaning) in &conditions {
        let force = ForceNew::new("n".parse().unwrap());
        let force = condition.iter().fold(force, |force, condition| force.when(condition.clone()));
        for before in sides.iter().filter(|side| side.value.is_wholly_known()) {
            for after in &sides {
                let (b, a) = (object(&before.value), object(&after.value));
                let answer = force.check(&Request::new(&a).before(&b)).unwrap();
                let was = before.gamma.first().unwrap();
                let same = |after: &C| after == was || after.is_null() && was.is_null();
                let outcomes: BTreeSet<bool> =
                    after.gamma.iter().map(|after| !same(after) && meaning(was, after)).collect();
                match answer {
                    Replaces::Yes => assert_eq!(outcomes, [true].into(), "{force:?} from {b:?} to {a:?}"),
                    Replaces::No => assert_eq!(outcomes, [false].into(), "{force:?} from {b:?} to {a:?}"),
                    Replaces::Maybe(why) => {
                        // Relative to its parts: that a change and its direction go together is not seen.
                        let apart = condition.is_some();
                        assert!(outcomes.len() == 2 || apart, "{force:?} from {b:?} to {a:?}: maybe");
                        assert!(!why.inputs().is_empty());
                    }
                }
                calls += 1;
            }
        }
    }
    println!("replacement: {calls} calls");
}

#[test]
fn what_is_created_or_deleted_is_not_replaced() {
    let force = ForceNew::new("name".parse().unwrap());
    let named = |name: Value| plantime::value!({ "name": name }).unwrap();
    let (a, b) = (named("a".into()), named("b".into()));
    let none = Value::null(a.ty());
    let answer = |before: &Value, after: &Value| force.check(&Request::new(after).before(before)).unwrap();
    assert_eq!(answer(&a, &b), Replaces::Yes);
    assert_eq!(answer(&a, &a), Replaces::No);
    assert_eq!(answer(&none, &a), Replaces::No);
    assert_eq!(answer(&a, &none), Replaces::No);
    assert_eq!(force.check(&Request::new(&a)).unwrap(), Replaces::No);
    assert_eq!(answer(&a, &named(Value::null(plantime::Type::String))), Replaces::Yes);
    assert!(matches!(answer(&a, &Value::unknown(a.ty())), Replaces::Maybe(_)));
    let prefix = Value::refined(plantime::Type::String, plantime::Refinement::prefix("b")).unwrap();
    assert_eq!(answer(&a, &named(prefix)), Replaces::Yes);
    assert!(ForceNew::new("nmae".parse().unwrap()).check(&Request::new(&a).before(&b)).is_err());
}

#[test]
fn marks_on_either_side_change_nothing() {
    let (low, high) = (Value::from(20), Value::from(40));
    let hidden = |value: &Value| value.clone().mark(Mark::SENSITIVE);
    for rule in [Rule::only_increase(), Rule::only_decrease(), Rule::multiple_of_old(), Rule::immutable()] {
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
    let rule = at("disks[0].size", Rule::only_increase());
    assert_eq!(answer(&rule, &storage(20), &storage(40)), Word::Pass);
    assert_eq!(answer(&rule, &storage(40), &storage(20)), Word::Fail);
    let every = at("disks[*].size", Rule::only_increase());
    assert_eq!(answer(&every, &storage(40), &storage(20)), Word::Fail);

    // A part that appears or disappears has changed; a whole that does was created or deleted.
    let named = |name: Value| plantime::value!({ "name": name }).unwrap();
    let null = || Value::null(plantime::Type::String);
    let immutable = at("name", Rule::immutable());
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
        let joined = answer(&at("a.name", Rule::immutable()), before, after);
        assert_eq!(answer(&at("a", at("name", Rule::immutable())), before, after), joined);
    }
}

#[test]
fn a_part_that_is_not_known_replaces_nothing_where_the_condition_cannot_hold() {
    let ty: Type = "object({a = object({b = string})})".parse().unwrap();
    let before = Value::unknown(ty.clone()).assume_not_null().unwrap();
    let after = Value::object([("a", Value::unknown("object({b = string})".parse().unwrap()))]).unwrap();
    let force = ForceNew::new("a.b".parse().unwrap()).when(Rule::any([]).unwrap());
    let replaces = force.check(&Request::new(&after).before(&before)).unwrap();
    assert!(matches!(replaces, Replaces::No), "{replaces:?}");
}

#[test]
fn an_element_by_a_key_that_is_not_known_may_have_been_any_or_none() {
    let number = |ty: &str| Value::unknown(ty.parse().unwrap());
    let before = plantime::value!({ "a": 1, "b": 5 }).unwrap();
    let before = [
        plantime::convert(&before, &"map(number)".parse().unwrap()).unwrap(),
        number("map(number)"),
        Value::null("map(number)".parse().unwrap()),
    ];
    for (rule, answers) in [
        (Rule::only_decrease(), [Word::Undetermined, Word::Undetermined, Word::Pass]),
        (Rule::only_increase(), [Word::Undetermined, Word::Undetermined, Word::Pass]),
        (Rule::immutable(), [Word::Undetermined, Word::Undetermined, Word::Pass]),
    ] {
        let everywhere = Rule::at("[*]".parse().unwrap(), rule).unwrap();
        for (before, expected) in before.iter().zip(answers) {
            let got = answer(&everywhere, before, &number("map(number)"));
            assert_eq!(got, expected, "{everywhere} from {before:?}");
        }
    }
}

#[test]
fn a_member_of_a_set_replaces_nothing_whatever_was_there_before() {
    let set = Value::set([1, 1_000_000]).unwrap();
    let list = Value::list([5, 6]).unwrap();
    for rule in [Rule::only_decrease(), Rule::only_increase(), Rule::immutable()] {
        let everywhere = Rule::at("[*]".parse().unwrap(), rule).unwrap();
        for before in
            [Value::dynamic(), Value::unknown("set(number)".parse().unwrap()), set.clone(), list.clone()]
        {
            assert_eq!(answer(&everywhere, &before, &set), Word::Pass, "{everywhere} from {before:?}");
        }
    }
}
