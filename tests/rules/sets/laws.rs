//! L10 for ruled types: what is said of a value that is not known holds for all that it may become; nothing is
//! undetermined of a wholly known one; knowing more takes no answer back; and what is left to show gives the same answers.

use std::collections::{BTreeMap, BTreeSet};

use plantime::rule::set::{Edit, Guard, NodeKind, RuleSet, RuledType, SetRule};
use plantime::rule::{Custom, Outcome, Rule};
use plantime::{LengthRange, Refinement, Value};

use crate::concrete::{C, Ty, list};
use crate::laws::{Word, best, word};
use crate::universe::{self, Abstract, NULLS, rows};

/// A ruled type, and what it means for a concrete value.
struct Case {
    ty: RuledType,
    holds: fn(&C) -> bool,
    /// The rules stand at one node, so nothing is lost by asking nodes one by one.
    exact: bool,
}

fn at(path: &str, rule: Rule) -> Rule {
    Rule::at(path.parse().unwrap(), rule).unwrap()
}

fn is(truth: bool) -> Rule {
    Rule::equals(truth)
}

fn of(ty: &Ty) -> RuledType {
    RuledType::new(ty.to_type())
}

fn case(ty: RuledType, exact: bool, holds: fn(&C) -> bool) -> Case {
    Case { ty, holds, exact }
}

fn part<'c>(c: &'c C, name: &str) -> &'c C {
    let C::Object(parts) = c else { panic!("{c:?}") };
    &parts[name]
}

fn t(c: &C) -> bool {
    *c == C::Bool(true)
}

fn object() -> Ty {
    Ty::Object(BTreeMap::from([("p", Ty::Bool), ("q", Ty::Bool)]))
}

fn of_objects() -> Vec<Case> {
    let base = || of(&object());
    let not_null = || RuleSet::new([Rule::NotNull]);
    let union = Rule::one_not_null_of(["p", "q"]);
    vec![
        case(base().at("p", not_null()).unwrap(), true, |c| c.is_null() || !part(c, "p").is_null()),
        case(base().at("p", not_null()).unwrap().at("q", RuleSet::new([is(true)])).unwrap(), false, |c| {
            c.is_null() || !part(c, "p").is_null() && (part(c, "q").is_null() || t(part(c, "q")))
        }),
        case(base().at("q", RuleSet::new([Rule::NotNull, is(true)])).unwrap(), true, |c| {
            c.is_null() || t(part(c, "q"))
        }),
        case(base().at("", RuleSet::new([Rule::NotNull, union.clone()])).unwrap(), true, |c| {
            !c.is_null() && part(c, "p").is_null() != part(c, "q").is_null()
        }),
        case(base().at("", RuleSet::new([union])).unwrap(), true, |c| {
            c.is_null() || part(c, "p").is_null() != part(c, "q").is_null()
        }),
        // Guards: on the parent, on the whole, on the value, on two of them.
        case(
            base().at("q", RuleSet::new([is(true)]).when(Guard::parent(at("p", is(true))))).unwrap(),
            false,
            |c| c.is_null() || part(c, "p") == &C::Bool(false) || t_or_null(part(c, "q")),
        ),
        case(
            base()
                .at("q", not_null().when(Guard::root(at("p", Rule::all([Rule::NotNull, is(true)]).unwrap()))))
                .unwrap(),
            false,
            |c| c.is_null() || !t(part(c, "p")) || !part(c, "q").is_null(),
        ),
        case(
            base().at("q", RuleSet::new([Rule::any([]).unwrap()]).when(Guard::value(is(true)))).unwrap(),
            true,
            |c| c.is_null() || !t(part(c, "q")),
        ),
        case(
            base()
                .at(
                    "q",
                    RuleSet::new([Rule::any([]).unwrap()])
                        .when(Guard::value(is(true)).and(Guard::parent(at("p", Rule::NotNull)))),
                )
                .unwrap(),
            false,
            |c| c.is_null() || !t(part(c, "q")) || part(c, "p").is_null(),
        ),
        // What is null is asked nothing, not even by a guard that speaks of null.
        case(
            base().at("q", RuleSet::new([is(true)]).when(Guard::value(Rule::IsNull))).unwrap(),
            true,
            |_| true,
        ),
        case(base().at("q", not_null().when(Guard::value(Rule::IsNull))).unwrap(), true, |c| {
            c.is_null() || !part(c, "q").is_null()
        }),
        // Defaults for a kind, and a node that wants none.
        case(
            base()
                .defaults_for("", NodeKind::Bool, not_null())
                .unwrap()
                .edit("p", Edit::Replace(RuleSet::default()))
                .unwrap(),
            true,
            |c| c.is_null() || !part(c, "q").is_null(),
        ),
        // A warning makes nothing invalid; a critical rule ends the set.
        case(
            base().at("", RuleSet::new([SetRule::new(Rule::any([]).unwrap()).warning()])).unwrap(),
            true,
            |_| true,
        ),
        case(
            base()
                .at(
                    "q",
                    RuleSet::new([
                        SetRule::from(Custom::of_known("never", |_| Err("never".into()))),
                        SetRule::new(is(true)).priority(1).critical(),
                    ]),
                )
                .unwrap(),
            false,
            |c| c.is_null() || part(c, "q").is_null(),
        ),
        // A rule of the whole and one of a part.
        case(
            base()
                .at("p", RuleSet::new([is(true)]))
                .unwrap()
                .at("", RuleSet::new([Rule::NotNull, at("q", Rule::NotNull)]))
                .unwrap(),
            false,
            |c| !c.is_null() && t_or_null(part(c, "p")) && !part(c, "q").is_null(),
        ),
    ]
}

fn t_or_null(c: &C) -> bool {
    c.is_null() || t(c)
}

fn items(c: &C) -> Vec<&C> {
    match c {
        C::List(_, items) | C::Tuple(items) => items.iter().collect(),
        C::Set(_, items) => items.iter().collect(),
        C::Map(_, items) => items.values().collect(),
        C::Null(_) => vec![],
        c => panic!("{c:?}"),
    }
}

/// Of each kind of container of bools.
fn of_elements(ty: &Ty) -> Vec<Case> {
    let nodes: Vec<String> = match ty {
        Ty::Tuple(types) => (0..types.len()).map(|i| format!("[{i}]")).collect(),
        _ => vec!["[*]".to_owned()],
    };
    let each = |set: &RuleSet| nodes.iter().fold(of(ty), |ruled, node| ruled.at(node, set.clone()).unwrap());
    vec![
        case(each(&RuleSet::new([Rule::NotNull])), false, |c| !items(c).iter().any(|c| c.is_null())),
        case(each(&RuleSet::new([is(true)])), false, |c| items(c).into_iter().all(t_or_null)),
        case(each(&RuleSet::new([is(true)]).when(Guard::parent(Rule::len(2)))), false, |c| {
            items(c).len() != 2 || items(c).into_iter().all(t_or_null)
        }),
        case(
            each(&RuleSet::new([is(true)])).at("", RuleSet::new([Rule::NotNull, Rule::min_len(1)])).unwrap(),
            false,
            |c| !items(c).is_empty() && items(c).into_iter().all(t_or_null),
        ),
    ]
}

fn shape(ty: &RuledType, value: &Value) -> Word {
    match ty.check(value).unwrap().outcome() {
        Outcome::Pass => Word::Pass,
        Outcome::Fail(_) => Word::Fail,
        Outcome::Undetermined(_) => Word::Undetermined,
    }
}

fn hold(cases: &[Case], values: &[Abstract]) -> (usize, usize) {
    let (mut calls, mut lost) = (0, 0);
    for (number, case) in cases.iter().enumerate() {
        let rule = case.ty.to_rule().unwrap();
        let mut answers = Vec::new();
        for Abstract { value, gamma } in values {
            calls += 1;
            let answer = shape(&case.ty, value);
            let meanings: BTreeSet<Option<bool>> = gamma.iter().map(|c| Some((case.holds)(c))).collect();
            let expected = best(&meanings);
            if answer != expected {
                assert_eq!(answer, Word::Undetermined, "case {number} on {value:?}");
                assert!(!value.is_wholly_known() && !case.exact, "case {number} on {value:?}: {expected:?}");
                lost += 1;
            }
            if let [one] = &gamma.iter().collect::<Vec<_>>()[..] {
                let known = one.to_value();
                assert_eq!(
                    word(&rule, &known),
                    shape(&case.ty, &known),
                    "case {number}: {rule} on {known:?}"
                );
            }
            left(case, value, gamma);
            answers.push(answer);
        }
        knowing_more(number, values, &answers);
    }
    (calls, lost)
}

/// The obligation holds for just the outcomes for which the type does.
fn left(case: &Case, value: &Value, gamma: &BTreeSet<C>) {
    let report = case.ty.check(value).unwrap();
    let outcome = report.outcome();
    let Outcome::Undetermined(why) = &outcome else { return };
    assert!(!why.inputs().is_empty(), "{value:?}");
    let Some(rule) = why.obligation() else {
        return assert!(matches!(value.ty(), plantime::Type::Set(_)), "{value:?} leaves nothing to show");
    };
    for c in gamma {
        let expected = if (case.holds)(c) { Word::Pass } else { Word::Fail };
        let c = c.to_value();
        assert_eq!(word(rule, &c), expected, "{value:?} leaves {rule}, which differs on {c:?}");
    }
}

fn knowing_more(number: usize, values: &[Abstract], answers: &[Word]) {
    for (wide, before) in values.iter().zip(answers) {
        for (narrow, after) in values.iter().zip(answers) {
            // Partial sets can say the same in two ways, one of them by their length.
            let is_less = narrow.gamma.len() < wide.gamma.len() && narrow.gamma.is_subset(&wide.gamma);
            if *before != Word::Undetermined && is_less {
                assert_eq!(before, after, "case {number}: {:?} is more than {:?}", narrow.value, wide.value);
            }
        }
    }
}

#[test]
fn sets_on_objects_are_sound_and_exact_at_one_node() {
    let (calls, lost) = hold(&of_objects(), &universe::objects());
    println!("ruled objects: {calls} values, {lost} of them less exact than all nodes together could be");
    assert!(calls > 400 && lost * 20 < calls, "{lost} of {calls}");
}

#[test]
fn sets_on_elements_are_sound() {
    let tuples: Vec<Abstract> = universe::tuples()
        .into_iter()
        .filter(|tuple| tuple.gamma.iter().all(|c| c.ty().to_type() == tuple.value.ty()))
        .collect();
    let pairs = tuples
        .into_iter()
        .filter(|tuple| matches!(tuple.value.ty(), plantime::Type::Tuple(ty) if ty.len() == 2));
    let pair = Ty::Tuple(vec![Ty::Bool, Ty::Bool]);
    for (ty, values) in [
        (list(Ty::Bool), universe::lists()),
        (crate::concrete::set(Ty::Bool), universe::sets()),
        (crate::concrete::map(Ty::Bool), universe::maps()),
        (pair, pairs.collect()),
    ] {
        let (calls, lost) = hold(&of_elements(&ty), &values);
        println!(
            "ruled elements of {ty:?}: {calls} values, {lost} less exact than all nodes together could be"
        );
        assert!(lost * 5 < calls, "{ty:?}: {lost} of {calls}");
    }
}

/// Lists of objects, unknown at each of the two levels.
#[test]
fn sets_two_levels_below_an_unknown_are_sound() {
    let ty = list(object());
    let mut values: Vec<Abstract> = Vec::new();
    for null in NULLS {
        for (low, high) in [(0, None), (1, None), (2, Some(2)), (0, Some(1)), (0, Some(0))] {
            let length = Refinement::length(LengthRange::new(low, high).unwrap());
            values.extend(universe::unknown(&ty, null, length, |c| {
                let count = items(c).len() as u64;
                count >= low && high.is_none_or(|high| count <= high)
            }));
        }
    }
    let objects: Vec<Abstract> = universe::objects().into_iter().step_by(3).collect();
    for row in rows(&[objects.iter().collect::<Vec<_>>(), objects.iter().collect()]) {
        let gammas: Vec<Vec<C>> = row.iter().map(|part| part.gamma.iter().cloned().collect()).collect();
        values.push(Abstract {
            value: Value::list_of(object().to_type(), row.iter().map(|part| part.value.clone())).unwrap(),
            gamma: rows(&gammas).into_iter().map(|items| C::List(object(), items)).collect(),
        });
    }
    let cases = [
        case(of(&ty).at("[*].p", RuleSet::new([Rule::NotNull])).unwrap(), false, |c| {
            items(c).into_iter().all(|c| c.is_null() || !part(c, "p").is_null())
        }),
        case(
            of(&ty)
                .at("[*].p", RuleSet::new([is(true)]).when(Guard::parent(at("q", is(true)))))
                .unwrap()
                .at("[*]", RuleSet::new([Rule::NotNull]))
                .unwrap(),
            false,
            |c| {
                items(c)
                    .into_iter()
                    .all(|c| !c.is_null() && (t_or_null(part(c, "p")) || part(c, "q") == &C::Bool(false)))
            },
        ),
        case(
            of(&ty)
                .at("[*].p", RuleSet::new([Rule::any([]).unwrap()]).when(Guard::root(Rule::len(1))))
                .unwrap(),
            false,
            |c| items(c).len() != 1 || items(c).into_iter().all(|c| c.is_null() || part(c, "p").is_null()),
        ),
    ];
    let (calls, lost) = hold(&cases, &values);
    println!("ruled lists of objects: {calls} values, {lost} less exact than all nodes together could be");
    assert!(lost * 4 < calls, "{lost} of {calls}");
}
