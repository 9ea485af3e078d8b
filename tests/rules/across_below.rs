//! L10 for rules across fields whose parts lie in maps, lists, sets, objects and tuples that may be unknown, null or
//! empty; alone, and inside `not`, `implies` and `any`.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use plantime::rule::{PathExpr, Requirement, Rule};
use plantime::{LengthRange, Refinement, Value};

use crate::concrete::{C, Ty, list, map, set};
use crate::laws::{Word, best, obligation, word};
use crate::places::{To, expression, places};
use crate::universe::{Abstract, Null, bools, known, rows, unknown_of};

fn bools_or_null() -> Vec<C> {
    vec![C::Null(Ty::Bool), C::Bool(false), C::Bool(true)]
}

/// Concrete values of a type, with at most two elements.
fn concretes(ty: &Ty) -> Vec<C> {
    let choices = bools_or_null();
    let lists = || (0..=2).flat_map(|length| rows(&vec![bools_or_null(); length]));
    let mut all = vec![C::Null(ty.clone())];
    match ty {
        Ty::List(_) => all.extend(lists().map(|items| C::List(Ty::Bool, items))),
        Ty::Set(_) => {
            let sets: BTreeSet<C> =
                lists().map(|items| C::Set(Ty::Bool, items.into_iter().collect())).collect();
            all.extend(sets);
        }
        Ty::Map(_) => {
            let choices: Vec<Option<C>> =
                std::iter::once(None).chain(choices.into_iter().map(Some)).collect();
            all.extend(rows(&vec![choices; 2]).into_iter().map(|row| {
                let entries = ["k", "l"].into_iter().zip(row);
                C::Map(Ty::Bool, entries.filter_map(|(key, item)| Some((key, item?))).collect())
            }));
        }
        Ty::Tuple(types) => all.extend(rows(&vec![choices; types.len()]).into_iter().map(C::Tuple)),
        Ty::Object(types) => {
            let parts: Vec<Vec<C>> = types.values().map(concretes).collect();
            all.extend(
                rows(&parts).into_iter().map(|row| C::Object(types.keys().copied().zip(row).collect())),
            );
        }
        _ => all = choices,
    }
    all
}

fn size(c: &C) -> u64 {
    match c {
        C::List(_, items) | C::Tuple(items) => items.len() as u64,
        C::Set(_, items) => items.len() as u64,
        C::Map(_, items) => items.len() as u64,
        _ => 0,
    }
}

fn containers(ty: &Ty) -> Vec<Abstract> {
    let all = concretes(ty);
    let mut values: Vec<Abstract> =
        all.iter().step_by(if all.len() > 9 { 4 } else { 2 }).map(known).collect();
    let lengths = [None, Some((0, 0)), Some((0, 1)), Some((1, 2))];
    let sized = matches!(ty, Ty::List(_) | Ty::Set(_) | Ty::Map(_));
    for length in lengths.into_iter().take(if sized { 4 } else { 1 }) {
        let range = length.map(|(low, high)| Refinement::length(LengthRange::new(low, Some(high)).unwrap()));
        for null in [Null::Maybe, Null::Never] {
            let range = range.clone().unwrap_or_default();
            let refinement = if null == Null::Maybe { range } else { range.and_not_null() };
            let within = |c: &&C| match c.is_null() {
                true => null == Null::Maybe,
                false => length.is_none_or(|(low, high)| (low..=high).contains(&size(c))),
            };
            values.push(Abstract {
                value: Value::refined(ty.to_type(), refinement).unwrap(),
                gamma: all.iter().filter(within).cloned().collect(),
            });
        }
    }
    for item in bools() {
        let one = |value: Value, build: &dyn Fn(C) -> C| Abstract {
            value,
            gamma: item.gamma.iter().cloned().map(build).collect(),
        };
        match ty {
            Ty::List(_) => values
                .push(one(Value::list_of(plantime::Type::Bool, [item.value.clone()]).unwrap(), &|c| {
                    C::List(Ty::Bool, vec![c])
                })),
            Ty::Map(_) => values
                .push(one(Value::map_of(plantime::Type::Bool, [("k", item.value.clone())]).unwrap(), &|c| {
                    C::Map(Ty::Bool, [("k", c)].into())
                })),
            _ => {}
        }
    }
    values
}

/// `{ b: bool, m: … }`: each pair, and the whole unknown.
fn configurations(ty: &Ty) -> Vec<Abstract> {
    let others = [known(&C::Null(Ty::Bool)), known(&C::Bool(true)), unknown_of(&Ty::Bool, Null::Maybe)];
    let mut all = Vec::new();
    for part in containers(ty) {
        for b in &others {
            let pairs = part.gamma.iter().flat_map(|m| b.gamma.iter().map(move |b| (m.clone(), b.clone())));
            all.push(Abstract {
                value: Value::object([("b", b.value.clone()), ("m", part.value.clone())]).unwrap(),
                gamma: pairs.map(|(m, b)| C::Object([("b", b), ("m", m)].into())).collect(),
            });
        }
    }
    let whole = Ty::Object(BTreeMap::from([("b", Ty::Bool), ("m", ty.clone())]));
    let gamma = || concretes(&whole).into_iter();
    let unknown = Value::unknown(whole.to_type());
    all.push(Abstract {
        value: unknown.assume_not_null().unwrap(),
        gamma: gamma().filter(|c| !c.is_null()).collect(),
    });
    all.push(Abstract { value: unknown, gamma: gamma().collect() });
    all
}

type Build = fn(Vec<PathExpr>) -> Rule;
type Counted = fn(usize) -> bool;
type Holds = Rc<dyn Fn(&C) -> bool>;

fn is_set(c: &C, steps: &[To]) -> bool {
    places(steps, c).iter().any(|place| !place.part.is_null())
}

fn equals_one_of(c: &C, steps: &[To], values: &[C]) -> bool {
    let same = |part: &C| values.iter().any(|value| part == value || part.is_null() && value.is_null());
    places(steps, c).iter().any(|place| same(&place.part))
}

/// Rules on the part at a path and on `b`, with their meanings.
fn rules(steps: &[To]) -> Vec<(Rule, Holds)> {
    let b: &[To] = &[To::Name("b")];
    let own = || steps.to_vec();
    let both = || -> Vec<PathExpr> { vec![expression(steps), expression(b)] };
    let mut all: Vec<(Rule, Holds)> = Vec::new();
    let counted: [(Build, Counted); 4] = [
        (Rule::exactly_one_of, |set| set == 1),
        (Rule::at_least_one_of, |set| set >= 1),
        (Rule::conflicting, |set| set <= 1),
        (Rule::required_together, |set| set != 1),
    ];
    for (build, meaning) in counted {
        let steps = own();
        let count = move |c: &C| usize::from(is_set(c, &steps)) + usize::from(is_set(c, b));
        all.push((build(both()), Rc::new(move |c| meaning(count(c)))));
    }
    let steps_ = own();
    let requires = Rule::also_requires(expression(steps), [expression(b)]);
    all.push((requires, Rc::new(move |c| !is_set(c, &steps_) || is_set(c, b))));
    let steps_ = own();
    let requires = Rule::also_requires(expression(b), [expression(steps)]);
    all.push((requires, Rc::new(move |c| !is_set(c, b) || is_set(c, &steps_))));
    for values in [
        vec![C::Null(Ty::Bool)],
        vec![C::Bool(true)],
        vec![C::Null(Ty::Bool), C::Bool(true)],
        vec![C::Bool(false), C::Bool(true)],
        bools_or_null(),
    ] {
        let steps_ = own();
        let rule = Rule::required_when(Requirement {
            path: expression(steps),
            one_of: values.iter().map(C::to_value).collect(),
            required: vec![expression(b)],
        });
        all.push((rule, Rc::new(move |c| !equals_one_of(c, &steps_, &values) || is_set(c, b))));
    }
    all
}

/// The rules, and each inside a combinator.
fn around(rules: Vec<(Rule, Holds)>) -> Vec<(Rule, Holds)> {
    let is_true = || Rule::at("b".parse().unwrap(), Rule::NotNull).unwrap();
    let b_set = |c: &C| is_set(c, &[To::Name("b")]);
    // Alone a rule is exact, as its operands vary apart; inside a combinator its answer is.
    let mut all = Vec::new();
    for (rule, holds) in rules {
        let own = holds.clone();
        all.push((Rule::not(rule.clone()).unwrap(), Rc::new(move |c: &C| c.is_null() || !own(c)) as Holds));
        let own = holds.clone();
        let implied = Rule::implies(rule.clone(), is_true()).unwrap();
        all.push((implied, Rc::new(move |c: &C| c.is_null() || !own(c) || b_set(c))));
        let own = holds.clone();
        let either = Rule::any([rule.clone(), is_true()]).unwrap();
        all.push((either, Rc::new(move |c: &C| own(c) || b_set(c))));
        all.push((rule, holds));
    }
    all
}

#[test]
fn rules_across_fields_hold_for_parts_of_containers_that_may_be_unknown_null_or_empty() {
    use To::{Each, Index, Key, Name};
    let m = Name("m");
    let object = |name: &'static str, ty: Ty| Ty::Object(BTreeMap::from([(name, ty)]));
    let (mut calls, mut imprecise) = (0, Vec::new());
    for (ty, paths) in [
        (map(Ty::Bool), vec![vec![m, Name("k")], vec![m, Key("k")], vec![m, Each]]),
        (list(Ty::Bool), vec![vec![m, Index(0)], vec![m, Index(1)], vec![m, Each]]),
        (set(Ty::Bool), vec![vec![m, Each]]),
        (Ty::Tuple(vec![Ty::Bool, Ty::Bool]), vec![vec![m, Index(1)], vec![m, Index(2)], vec![m, Each]]),
        (object("k", Ty::Bool), vec![vec![m, Name("k")], vec![m, Key("z")], vec![m, Each]]),
        (object("n", list(Ty::Bool)), vec![vec![m, Name("n"), Index(0)], vec![m, Name("n"), Each]]),
    ] {
        let values = configurations(&ty);
        for steps in paths {
            for (i, (rule, holds)) in around(rules(&steps)).into_iter().enumerate() {
                let is_alone = i % 4 == 3;
                for Abstract { value, gamma } in &values {
                    let outcomes: BTreeSet<Option<bool>> = gamma.iter().map(|c| Some(holds(c))).collect();
                    let (expected, found) = (best(&outcomes), word(&rule, value));
                    calls += 1;
                    if found != expected {
                        assert!(
                            found == Word::Undetermined && !value.is_wholly_known(),
                            "{rule} on {value:?}: {found:?}, should be {expected:?}"
                        );
                        if is_alone {
                            imprecise.push(format!("{rule} on {value:?} should be {expected:?}"));
                        }
                    }
                    let sample: BTreeSet<C> =
                        gamma.iter().step_by(gamma.len().div_ceil(24).max(1)).cloned().collect();
                    obligation(&rule, value, &sample, |c| best(&BTreeSet::from([Some(holds(c))])));
                }
            }
        }
    }
    println!(
        "rules across fields below containers: {calls} calls, {} less precise than could be",
        imprecise.len()
    );
    for line in imprecise.iter().step_by(imprecise.len().div_ceil(20).max(1)) {
        println!("  {line}");
    }
    assert!(imprecise.len() * 50 < calls, "{}", imprecise.len());
}
