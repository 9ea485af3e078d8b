//! L10 for rules on changes of parts: in maps, lists, sets, objects and tuples, known, unknown and null, before and
//! after, by name, by key, by index and at every element.

use std::collections::{BTreeMap, BTreeSet};

use plantime::rule::{Outcome, Request, Rule};
use plantime::{LengthRange, Refinement, Value};

use crate::changes::{answer, holds_for_part};
use crate::concrete::{C, Ty, list, map, set};
use crate::laws::{Word, best};
use crate::places::{Place, To, expression, places};
use crate::universe::{Abstract, Null, rows};

/// Numbers on both sides of the known ones, in quarters.
const NUMBERS: [i64; 4] = [0, 4, 8, 12];

type Holds = fn(Option<&C>, &C) -> bool;

fn base(rule: &Rule, before: Option<&C>, after: &C) -> bool {
    before.is_none_or(|before| holds_for_part(rule, before, after))
}

fn rules() -> Vec<(Rule, Holds)> {
    let two = || Rule::none_of([Value::from(2)]);
    vec![
        (Rule::only_increase(), |b, a| base(&Rule::only_increase(), b, a)),
        (Rule::only_decrease(), |b, a| base(&Rule::only_decrease(), b, a)),
        (Rule::multiple_of_old(), |b, a| base(&Rule::multiple_of_old(), b, a)),
        (Rule::immutable(), |b, a| base(&Rule::immutable(), b, a)),
        (Rule::not(Rule::immutable()).unwrap(), |b, a| a.is_null() || !base(&Rule::immutable(), b, a)),
        (Rule::not(Rule::only_decrease()).unwrap(), |b, a| {
            a.is_null() || !base(&Rule::only_decrease(), b, a)
        }),
        (Rule::implies(Rule::immutable(), two()).unwrap(), |b, a| {
            a.is_null() || !base(&Rule::immutable(), b, a) || *a != C::Num(8)
        }),
        (Rule::any([Rule::only_increase(), two()]).unwrap(), |b, a| {
            base(&Rule::only_increase(), b, a) || *a != C::Num(8)
        }),
    ]
}

/// Concrete containers of a type, with at most two elements.
fn concretes(ty: &Ty) -> Vec<C> {
    let mut all = vec![C::Null(ty.clone())];
    let lists = |element: &Ty| {
        let choices = few(element);
        (0..=2).flat_map(|length| rows(&vec![choices.clone(); length])).collect::<Vec<_>>()
    };
    match ty {
        Ty::List(element) => {
            all.extend(lists(element).into_iter().map(|items| C::List((**element).clone(), items)));
        }
        Ty::Set(element) => {
            let sets: BTreeSet<C> = lists(element)
                .into_iter()
                .map(|items| C::Set((**element).clone(), items.into_iter().collect()))
                .collect();
            all.extend(sets);
        }
        Ty::Map(element) => {
            let choices: Vec<Option<C>> =
                std::iter::once(None).chain(few(element).into_iter().map(Some)).collect();
            all.extend(rows(&vec![choices; 2]).into_iter().map(|row| {
                let entries = ["k", "l"].into_iter().zip(row);
                C::Map((**element).clone(), entries.filter_map(|(key, item)| Some((key, item?))).collect())
            }));
        }
        Ty::Tuple(types) => {
            all.extend(rows(&types.iter().map(few).collect::<Vec<_>>()).into_iter().map(C::Tuple));
        }
        Ty::Object(types) => all.extend(
            rows(&types.values().map(few).collect::<Vec<_>>())
                .into_iter()
                .map(|row| C::Object(types.keys().copied().zip(row).collect())),
        ),
        _ => all.extend(NUMBERS.map(C::Num)),
    }
    all
}

/// The elements of a container: of containers in it a handful.
fn few(element: &Ty) -> Vec<C> {
    match element {
        Ty::Num => concretes(element),
        element => concretes(element).into_iter().step_by(5).collect(),
    }
}

/// The number of elements of a collection.
fn size(c: &C) -> Option<u64> {
    match c {
        C::List(_, items) => Some(items.len() as u64),
        C::Set(_, items) => Some(items.len() as u64),
        C::Map(_, items) => Some(items.len() as u64),
        _ => None,
    }
}

/// Values of the type: known ones, unknown ones, and containers of both.
fn values(ty: &Ty) -> Vec<Abstract> {
    let all = concretes(ty);
    let unknown = |null: Null, length: Option<(u64, u64)>| {
        let range = length.map(|(low, high)| Refinement::length(LengthRange::new(low, Some(high)).unwrap()));
        let refinement = match null {
            Null::Maybe => range.unwrap_or_default(),
            _ => range.unwrap_or_default().and_not_null(),
        };
        let gamma = all.iter().filter(|c| match size(c) {
            _ if c.is_null() => null == Null::Maybe,
            Some(size) => length.is_none_or(|(low, high)| (low..=high).contains(&size)),
            None => true,
        });
        Abstract { value: Value::refined(ty.to_type(), refinement).unwrap(), gamma: gamma.cloned().collect() }
    };
    let mut values = vec![unknown(Null::Maybe, None), unknown(Null::Never, None)];
    if matches!(ty, Ty::List(_) | Ty::Set(_) | Ty::Map(_)) {
        values.extend([unknown(Null::Maybe, Some((0, 0))), unknown(Null::Never, Some((1, 2)))]);
    }
    values.extend(all.iter().step_by(if all.len() > 12 { 7 } else { 3 }).map(crate::universe::known));
    let element = |value: Value, gamma: &[C]| Abstract { value, gamma: gamma.iter().cloned().collect() };
    let elements: Vec<Abstract> = match ty {
        Ty::List(element) | Ty::Map(element) | Ty::Set(element) if **element != Ty::Num => {
            self::values(element)
        }
        Ty::Num => return values,
        _ => vec![
            element(Value::unknown(plantime::Type::Number), &concretes(&Ty::Num)),
            element(Value::unknown(plantime::Type::Number).assume_not_null().unwrap(), &NUMBERS.map(C::Num)),
            element(Value::from(1), &[C::Num(4)]),
        ],
    };
    match ty {
        Ty::List(of) => values.extend(elements.iter().map(|item| Abstract {
            value: Value::list_of(of.to_type(), [item.value.clone()]).unwrap(),
            gamma: item.gamma.iter().map(|c| C::List((**of).clone(), vec![c.clone()])).collect(),
        })),
        Ty::Set(of) => values.extend(elements.iter().map(|item| Abstract {
            value: Value::set_of(of.to_type(), [item.value.clone()]).unwrap(),
            gamma: item.gamma.iter().map(|c| C::Set((**of).clone(), [c.clone()].into())).collect(),
        })),
        Ty::Map(of) => values.extend(elements.iter().map(|item| Abstract {
            value: Value::map_of(of.to_type(), [("k", item.value.clone())]).unwrap(),
            gamma: item.gamma.iter().map(|c| C::Map((**of).clone(), [("k", c.clone())].into())).collect(),
        })),
        Ty::Object(types) if types.values().all(|ty| *ty == Ty::Num) => {
            let one = C::Num(4);
            values.extend(elements.iter().map(|item| {
                let part =
                    |name: &&'static str| if *name == "k" { item.value.clone() } else { one.to_value() };
                Abstract {
                    value: Value::object(types.keys().map(|name| (*name, part(name)))).unwrap(),
                    gamma: (item.gamma.iter())
                        .map(|c| {
                            let part = |name: &'static str| if name == "k" { c.clone() } else { one.clone() };
                            C::Object(types.keys().map(|name| (*name, part(name))).collect())
                        })
                        .collect(),
                }
            }));
        }
        Ty::Object(types) => {
            for (name, ty) in types {
                values.extend(self::values(ty).into_iter().map(|item| Abstract {
                    value: Value::object([(*name, item.value)]).unwrap(),
                    gamma: item.gamma.into_iter().map(|c| C::Object([(*name, c)].into())).collect(),
                }));
            }
        }
        Ty::Tuple(_) => values.extend(elements.iter().map(|item| Abstract {
            value: Value::tuple([item.value.clone(), Value::from(1)]).unwrap(),
            gamma: item.gamma.iter().map(|c| C::Tuple(vec![c.clone(), C::Num(4)])).collect(),
        })),
        _ => {}
    }
    values
}

/// Each value as the attribute `c` of an object; and wholes that are null or unknown.
fn wholes(ty: &Ty) -> Vec<Abstract> {
    let object = Ty::Object(BTreeMap::from([("c", ty.clone())]));
    let around = |c: C| C::Object([("c", c)].into());
    let mut all: Vec<Abstract> = values(ty)
        .into_iter()
        .map(|part| Abstract {
            value: Value::object([("c", part.value)]).unwrap(),
            gamma: part.gamma.into_iter().map(around).collect(),
        })
        .collect();
    let gamma: BTreeSet<C> = concretes(ty).into_iter().map(around).collect();
    let whole = Value::unknown(object.to_type());
    all.push(Abstract { value: whole.assume_not_null().unwrap(), gamma: gamma.clone() });
    let null = C::Null(object);
    all.push(Abstract { value: whole, gamma: gamma.into_iter().chain([null.clone()]).collect() });
    all.push(crate::universe::known(&null));
    all
}

fn meaning(holds: Holds, steps: &[To], before: &C, after: &C) -> bool {
    // A whole that is created or deleted.
    let replaced = before.is_null() || after.is_null();
    let one = |place: &Place| {
        let old = if replaced { None } else { place.before(before) };
        holds(old.as_ref(), &place.part)
    };
    places(steps, after).iter().filter(|place| !place.no_elements).all(one)
}

struct Tried {
    calls: usize,
    /// Answers that could be more precise, where these few numbers can tell: of equality, in containers of numbers.
    counted: usize,
    imprecise: Vec<String>,
}

/// Holds each answer, and what is left to check, against all that both sides may become.
fn held(
    (rule, counts): (&Rule, bool),
    holds: Holds,
    steps: &[To],
    befores: &[Abstract],
    afters: &[Abstract],
    tried: &mut Tried,
) {
    let mut table: BTreeMap<(&C, &C), bool> = BTreeMap::new();
    for before in befores {
        for after in afters {
            let pairs = || before.gamma.iter().flat_map(|b| after.gamma.iter().map(move |a| (b, a)));
            let outcomes: BTreeSet<Option<bool>> = pairs()
                .map(|pair| Some(*table.entry(pair).or_insert_with(|| meaning(holds, steps, pair.0, pair.1))))
                .collect();
            let expected = best(&outcomes);
            let outcome = rule.check(&Request::new(&after.value).before(&before.value));
            let found = answer(rule, &before.value, &after.value);
            let (old, new) = (&before.value, &after.value);
            tried.calls += 1;
            if found != expected {
                let known = old.is_wholly_known() && new.is_wholly_known();
                assert!(
                    found == Word::Undetermined && !known,
                    "{rule} from {old:?} to {new:?}: {found:?}, should be {expected:?}"
                );
                if counts {
                    tried.imprecise.push(format!("{rule} from {old:?} to {new:?} should be {expected:?}"));
                }
            }
            tried.counted += usize::from(counts);
            let Ok(Outcome::Undetermined(why)) = outcome else { continue };
            let left = why.obligation().unwrap();
            let count = before.gamma.len() * after.gamma.len();
            for (b, a) in pairs().step_by(count.div_ceil(12)) {
                let expected = if table[&(b, a)] { Word::Pass } else { Word::Fail };
                let found = answer(left, &b.to_value(), &a.to_value());
                assert_eq!(
                    found, expected,
                    "{rule} from {old:?} to {new:?} leaves {left}: from {b:?} to {a:?}"
                );
            }
        }
    }
}

#[test]
fn rules_on_changes_of_parts_hold_for_all_that_either_side_may_become() {
    use To::{Each, Index, Key, Name};
    let c = Name("c");
    let object = |name: &'static str, ty: Ty| Ty::Object(BTreeMap::from([(name, ty)]));
    let pair = Ty::Object(BTreeMap::from([("k", Ty::Num), ("l", Ty::Num)]));
    let by_key: Vec<Vec<To>> = vec![vec![c, Name("k")], vec![c, Key("k")], vec![c, Key("z")], vec![c, Each]];
    let by_index: Vec<Vec<To>> = vec![vec![c, Index(0)], vec![c, Index(1)], vec![c, Each]];
    // The types before, those after, and paths into both.
    type Group = (Vec<Ty>, Vec<Ty>, Vec<Vec<To>>);
    let groups: Vec<Group> = vec![
        (vec![map(Ty::Num), pair.clone()], vec![map(Ty::Num), pair], by_key),
        (
            vec![list(Ty::Num), Ty::Tuple(vec![Ty::Num, Ty::Num]), set(Ty::Num)],
            vec![list(Ty::Num), Ty::Tuple(vec![Ty::Num, Ty::Num])],
            by_index,
        ),
        (vec![list(Ty::Num), set(Ty::Num), map(Ty::Num)], vec![set(Ty::Num)], vec![vec![c, Each]]),
        (
            vec![object("m", map(Ty::Num))],
            vec![object("m", map(Ty::Num))],
            vec![vec![c, Name("m"), Name("k")], vec![c, Name("m"), Key("k")], vec![c, Name("m"), Each]],
        ),
        (
            vec![list(object("k", Ty::Num)), set(object("k", Ty::Num))],
            vec![list(object("k", Ty::Num))],
            vec![vec![c, Each, Name("k")], vec![c, Index(0), Name("k")]],
        ),
        (
            vec![set(object("k", Ty::Num)), list(object("k", Ty::Num))],
            vec![set(object("k", Ty::Num))],
            vec![vec![c, Each, Name("k")]],
        ),
        (
            vec![map(list(Ty::Num)), map(set(Ty::Num))],
            vec![map(list(Ty::Num)), map(set(Ty::Num))],
            vec![vec![c, Name("k"), Each], vec![c, Each, Each]],
        ),
    ];
    let mut tried = Tried { calls: 0, counted: 0, imprecise: Vec::new() };
    for (group, (befores, afters, paths)) in groups.iter().enumerate() {
        let befores: Vec<Abstract> = befores.iter().flat_map(wholes).collect();
        for after in afters {
            let afters = wholes(after);
            for (i, (rule, holds)) in rules().into_iter().enumerate() {
                for steps in paths {
                    let (first, rest) = steps.split_first().unwrap();
                    let at = |steps: &[To], rule: Rule| Rule::at(expression(steps), rule).unwrap();
                    // Two paths in one another are one path.
                    let rule = if i % 2 == 0 {
                        at(steps, rule.clone())
                    } else {
                        at(std::slice::from_ref(first), at(rest, rule.clone()))
                    };
                    // The universe knows no third key, and only some of what nests deeper.
                    let counts = group < 3 && (3..5).contains(&i) && !steps.contains(&Key("z"));
                    held((&rule, counts), holds, steps, &befores, &afters, &mut tried);
                }
            }
        }
    }
    let Tried { calls, counted, imprecise } = tried;
    println!("rules on changes of parts: {calls} calls, {} of {counted} less precise", imprecise.len());
    for line in imprecise.iter().step_by(imprecise.len().div_ceil(20).max(1)) {
        println!("  {line}");
    }
    assert!(imprecise.is_empty(), "{}", imprecise.len());
}

#[test]
fn a_part_of_undecided_type_may_be_a_member_of_a_set() {
    let at = |rule: Rule| Rule::at("c[*]".parse().unwrap(), rule).unwrap();
    let object = |c: Value| Value::object([("c", c)]).unwrap();
    let before = object(Value::null("set(number)".parse().unwrap()));
    let (as_list, as_set) = (object(Value::list([1]).unwrap()), object(Value::set([1]).unwrap()));
    let changes = at(Rule::not(Rule::immutable()).unwrap());
    assert_eq!(answer(&changes, &before, &as_list), Word::Pass);
    assert_eq!(answer(&changes, &before, &as_set), Word::Fail);
    assert_eq!(answer(&changes, &before, &object(Value::dynamic())), Word::Undetermined);
    // Below an attribute that is surely no set the value before is compared.
    let list = object(Value::unknown("list(number)".parse().unwrap()));
    assert_eq!(answer(&at(Rule::only_increase()), &before, &list), Word::Pass);
}

#[test]
fn a_path_that_leads_out_compares_with_what_stood_there_before() {
    let value = |a: i64, b: i64| plantime::value!({ "a": a, "b": { "c": b } }).unwrap();
    let rule =
        Rule::at("b.c".parse().unwrap(), Rule::at("<.<.a".parse().unwrap(), Rule::immutable()).unwrap());
    let rule = rule.unwrap();
    assert_eq!(answer(&rule, &value(1, 2), &value(1, 3)), Word::Pass);
    assert_eq!(answer(&rule, &value(1, 2), &value(2, 2)), Word::Fail);
}
