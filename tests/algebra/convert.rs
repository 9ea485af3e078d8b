//! The laws of conversion, for many constraints, and those of the queries about it.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use plantime::{LengthRange, Mark, Refinement, Safety, Type, TypeConstraint, Value, conversion, convert};
use rayon::prelude::*;

use super::concrete::{Con, Num, Ty};
use super::convert_reference::{Want, available, con, converted};
use super::gamma::{Abs, Bits};
use super::laws::{Effort, Violations};
use super::ledger;
use super::marks::marked_inside;
use super::universe::{ty, world};

/// What is converted to.
const TARGETS: [&str; 50] = [
    "any",
    "bool",
    "number",
    "string",
    "list(any)",
    "set(any)",
    "map(any)",
    "list(bool)",
    "set(bool)",
    "map(bool)",
    "list(number)",
    "set(number)",
    "map(number)",
    "list(string)",
    "set(string)",
    "map(string)",
    "list(list(any))",
    "list(list(string))",
    "list(set(bool))",
    "list(set(any))",
    "list(map(any))",
    "list(tuple([string, any]))",
    "list(object({a = optional(string, \"x\")}))",
    "set(list(any))",
    "set(list(string))",
    "set(set(bool))",
    "set(tuple([any]))",
    "set(object({a = any}))",
    "map(list(bool))",
    "map(object({a = string}))",
    "tuple([])",
    "tuple([any])",
    "tuple([string])",
    "tuple([any, any])",
    "tuple([bool, string])",
    "tuple([list(any)])",
    "tuple([object({a = optional(bool, true)})])",
    "object({})",
    "object({a = any})",
    "object({a = string})",
    "object({a = bool, b = any})",
    "object({a = list(any)})",
    "object({a = set(number)})",
    "object({a = optional(string)})",
    "object({a = optional(string, \"x\")})",
    "object({a = optional(any), b = optional(number, 1)})",
    "object({a = optional(bool, true), b = optional(number)})",
    "object({a = optional(list(string), [])})",
    "object({a = optional(list(any), [true])})",
    "object({a = optional(object({b = optional(bool, true)}), {}), c = optional(string, null)})",
];

/// What is converted, with all that it may become.
struct Sources {
    values: Vec<(Value, Abs, Bits)>,
    concretes: Vec<Con>,
    /// The first may become more than the second.
    covering: Vec<(usize, usize)>,
}

/// Texts that are a number or a bool, or nearly.
const TEXTS: [&str; 49] = [
    "true", "false", "True", "tr", "0", "1", "5", "05", "50", "5e-1", "5e0", "5e1", "5e-0", "-", "-0", "-1",
    "-5", "-5e-1", "-50", "-0.5", "+5", "+0", "+.5", "+inf", "inf", "-inf", "Inf", "infinity", ".5", ".0",
    ".5e1", ".25", "0.5", "0.0", "0.5e1", "5.", "5.5", "1e1", "vpc-", "vpc-1", "t", "i", "F", "5.0e-1",
    "05e-1", "0500", "1e-1", "5000", "-2000",
];

const PREFIXES: [&str; 21] = [
    "t", "tr", "true", "f", "F", "0", "5", "5.", "5e", "5e-", "-", "-5", "-i", "+", "i", ".", "0.", "vpc-",
    "05", "e", "1",
];

/// The texts that stand inside of containers.
fn inner_texts() -> Vec<Con> {
    let texts =
        ["true", "t", "z", "0", "1", "01", "05", "5e-1", "-1", "-0"].map(|text| Con::Str(text.to_owned()));
    texts.into_iter().chain([Con::Null(Ty::Str)]).collect()
}

fn more_concretes() -> BTreeSet<Con> {
    let mut all: BTreeSet<Con> = TEXTS.iter().map(|text| Con::Str((*text).to_owned())).collect();
    let texts = inner_texts();
    for items in sequences(&texts, 3) {
        all.insert(Con::Set(Ty::Str, items.iter().cloned().collect()));
        for keys in [["a", "b", "z"], ["b", "z", "a"]] {
            let entries = keys.iter().map(|key| (*key).to_owned()).zip(items.iter().cloned());
            all.insert(Con::Map(Ty::Str, entries.collect()));
        }
        if items.len() < 3 {
            all.insert(Con::Tuple(items.clone()));
        }
        all.insert(Con::List(Ty::Str, items));
    }
    for text in &texts {
        let object = |names: &[&str]| {
            Con::Object(names.iter().map(|name| ((*name).to_owned(), text.clone())).collect())
        };
        all.extend([object(&["a"]), object(&["b"])]);
        for other in &texts {
            all.insert(Con::Object([("a".to_owned(), text.clone()), ("b".to_owned(), other.clone())].into()));
        }
        for truth in [Con::Bool(true), Con::Bool(false), Con::Null(Ty::Bool)] {
            let pair = [("a".to_owned(), truth), ("b".to_owned(), text.clone())];
            all.insert(Con::Object(pair.into()));
        }
    }
    // Collections of what is in tuples and lists, so that an undecided element type can be theirs.
    for inner in [Con::Bool(true), Con::Null(Ty::Bool), Con::Num(Num::whole(1)), Con::Str("true".to_owned())]
    {
        let ty = inner.ty();
        let singles = [
            Con::Tuple(vec![inner.clone()]),
            Con::List(ty.clone(), vec![inner.clone()]),
            Con::Set(ty.clone(), [inner.clone()].into()),
            Con::Object([("a".to_owned(), inner.clone())].into()),
            Con::Map(ty.clone(), [("a".to_owned(), inner.clone())].into()),
            Con::List(ty.clone(), vec![]),
        ];
        for single in singles {
            let ty = single.ty();
            for items in sequences(&[single, Con::Null(ty.clone())], 3) {
                for keys in [["a", "b", "z"], ["b", "z", "a"]] {
                    let entries = keys.iter().map(|key| (*key).to_owned()).zip(items.iter().cloned());
                    all.insert(Con::Map(ty.clone(), entries.collect()));
                }
                all.insert(Con::Set(ty.clone(), items.iter().cloned().collect()));
                if items.len() == 1 {
                    all.insert(Con::Object([("a".to_owned(), items[0].clone())].into()));
                    all.insert(Con::Tuple(items.clone()));
                }
                all.insert(Con::List(ty.clone(), items));
            }
        }
    }
    // Three members that are different, of types with parts.
    let truths = [Con::Bool(true), Con::Bool(false), Con::Null(Ty::Bool)];
    let numbers = [Con::Num(Num::whole(0)), Con::Num(Num::whole(1)), Con::Null(Ty::Num)];
    let of_each = |of: &dyn Fn(usize) -> Con| [0, 1, 2].map(of).to_vec();
    for items in [
        of_each(&|i| Con::Tuple(vec![truths[i].clone()])),
        of_each(&|i| Con::Tuple(vec![numbers[i].clone()])),
        of_each(&|i| Con::Tuple(vec![numbers[i].clone(), truths[i].clone()])),
        of_each(&|i| Con::Object([("a".to_owned(), truths[i].clone())].into())),
        of_each(&|i| Con::List(Ty::Bool, truths[..i].to_vec())),
        of_each(&|i| Con::List(Ty::Bool, truths[i..].to_vec())),
        of_each(&|i| Con::Set(Ty::Bool, truths[..i].iter().cloned().collect())),
        of_each(&|i| Con::Set(Ty::Bool, truths[i..].iter().cloned().collect())),
        of_each(&|i| Con::Map(Ty::Bool, [("a".to_owned(), truths[i].clone())].into())),
    ] {
        let ty = items[0].ty();
        all.insert(Con::Set(ty.clone(), items.iter().cloned().collect()));
        for items in sequences(&items, 2) {
            all.insert(Con::Set(ty.clone(), items.iter().cloned().collect()));
            all.insert(Con::List(ty.clone(), items));
        }
        all.insert(Con::List(ty, items));
    }
    // Two of different types.
    let kinds = [
        vec![Con::Bool(true), Con::Bool(false), Con::Null(Ty::Bool)],
        [-8000, -4, 0, 2, 4, 8, 20_000].map(|quarters| Con::Num(Num::Quarters(quarters))).to_vec(),
        vec![Con::Num(Num::NegInf), Con::Num(Num::Inf), Con::Null(Ty::Num)],
        ["a", "b", "inf", "-inf", "false", "00"].map(|text| Con::Str(text.to_owned())).to_vec(),
        vec![
            Con::Null(Ty::Dyn),
            Con::Tuple(vec![Con::Bool(true)]),
            Con::List(Ty::Bool, vec![Con::Bool(true)]),
        ],
        texts.clone(),
        vec![Con::Object([("a".to_owned(), Con::Bool(true))].into()), Con::List(Ty::Bool, vec![])],
        vec![Con::List(Ty::Bool, truths.to_vec()), Con::List(Ty::Bool, vec![Con::Bool(true); 3])],
        vec![Con::Tuple(vec![Con::Str("true".to_owned()), Con::Bool(true)])],
    ];
    let parts: Vec<Con> = kinds.concat();
    for a in &parts {
        all.insert(a.clone());
        all.insert(Con::Tuple(vec![a.clone()]));
        all.insert(Con::Tuple(vec![Con::Null(Ty::Dyn), a.clone()]));
        if a.ty().has_dynamic() {
            continue;
        }
        for name in ["a", "b", "z"] {
            all.insert(Con::Object([(name.to_owned(), a.clone())].into()));
            all.insert(Con::Map(a.ty(), [(name.to_owned(), a.clone())].into()));
        }
        all.insert(Con::List(a.ty(), vec![a.clone()]));
        all.insert(Con::Set(a.ty(), [a.clone()].into()));
        for b in &parts {
            all.insert(Con::Tuple(vec![a.clone(), b.clone()]));
            let pair = [("a".to_owned(), a.clone()), ("b".to_owned(), b.clone())];
            if a.ty() == b.ty() {
                all.insert(Con::List(a.ty(), vec![a.clone(), b.clone()]));
                all.insert(Con::Set(a.ty(), [a.clone(), b.clone()].into()));
                all.insert(Con::Map(a.ty(), pair.clone().into()));
            }
            all.insert(Con::Object(pair.into()));
        }
    }
    all
}

fn more_values() -> Vec<Value> {
    let mut all: Vec<Value> = TEXTS.iter().map(|text| Value::from(*text)).collect();
    let prefix = |prefix: &&str| {
        let refinement = Refinement::prefix(prefix);
        let nullable = Value::refined(Type::String, refinement.clone()).unwrap();
        [nullable, Value::refined(Type::String, refinement.and_not_null()).unwrap()]
    };
    all.extend(PREFIXES.iter().flat_map(prefix));
    let parts = [
        vec![Value::from("true"), Value::from("1"), Value::from("01")],
        vec![Value::unknown(Type::String), Value::refined(Type::String, Refinement::not_null()).unwrap()],
        prefix(&"t").to_vec(),
        prefix(&"0").to_vec(),
        prefix(&"-").to_vec(),
    ]
    .concat();
    for items in sequences(&parts, 2) {
        let set = Value::set_of(Type::String, items.clone()).unwrap();
        all.extend(set.assume_set_length(2, 2));
        all.extend(set.assume_set_length(1, 1));
        all.push(set);
        all.push(Value::map_of(Type::String, ["a", "b"].iter().zip(items.clone())).unwrap());
        all.push(Value::tuple(items.clone()).unwrap());
        if items.len() == 2 {
            all.push(Value::object(["a", "b"].iter().zip(items.clone())).unwrap());
        }
        all.push(Value::list_of(Type::String, items).unwrap());
    }
    for ty in ["list(string)", "set(string)", "map(string)"].map(ty) {
        for min in 0..=2 {
            for max in [None, Some(1), Some(2)] {
                if let Ok(length) = LengthRange::new(min, max) {
                    let refinement = Refinement::length(length);
                    all.push(Value::refined(ty.clone(), refinement.clone()).unwrap());
                    all.push(Value::refined(ty.clone(), refinement.and_not_null()).unwrap());
                }
            }
        }
    }
    for ty in [
        "tuple([string, number])",
        "tuple([string])",
        "object({a = bool, b = string})",
        "object({b = string})",
    ] {
        all.push(Value::unknown(self::ty(ty)));
        all.push(Value::refined(self::ty(ty), Refinement::not_null()).unwrap());
    }
    all
}

fn sources() -> Sources {
    let world = world();
    let mut concretes: BTreeSet<Con> = world.concretes.iter().cloned().chain(more_concretes()).collect();
    let types: BTreeSet<Ty> = concretes.iter().map(Con::ty).collect();
    concretes.extend(types.into_iter().map(Con::Null));
    let concretes: Vec<Con> = concretes.into_iter().collect();
    let mut place_of: HashMap<Abs, usize> = HashMap::new();
    let mut values: Vec<(Value, Abs)> = Vec::new();
    let given = world.abstracts.iter().map(|entry| entry.value.clone());
    let places: Vec<usize> = given
        .chain(more_values())
        .map(|value| {
            let abs = Abs::of(&value);
            *place_of.entry(abs.clone()).or_insert_with(|| {
                values.push((value, abs));
                values.len() - 1
            })
        })
        .collect();
    let values: Vec<(Value, Abs, Bits)> = values
        .into_par_iter()
        .map(|(value, abs)| {
            let gamma = gamma(&concretes, &abs);
            (value, abs, gamma)
        })
        .collect();
    let mut covering: BTreeSet<(usize, usize)> = BTreeSet::new();
    for universe in [&world.m, &world.nested] {
        let place = |i: usize| places[universe.abstracts[i]];
        covering.extend(universe.covering.iter().map(|(wide, narrow)| (place(*wide), place(*narrow))));
    }
    // Those of the texts among each other and with the unknown ones.
    let more: BTreeSet<usize> = places[world.abstracts.len()..].iter().copied().collect();
    for &wide in &more {
        for &narrow in &more {
            let (wide_gamma, narrow_gamma) = (&values[wide].2, &values[narrow].2);
            if wide_gamma != narrow_gamma && narrow_gamma.within(wide_gamma) {
                covering.insert((wide, narrow));
            }
        }
    }
    Sources { values, concretes, covering: covering.into_iter().collect() }
}

fn gamma(concretes: &[Con], abs: &Abs) -> Bits {
    let mut gamma = Bits::none(concretes.len());
    let possible = concretes.iter().enumerate().filter(|(_, con)| abs.may_become(con));
    possible.for_each(|(i, _)| gamma.insert(i));
    gamma
}

fn to(text: &str) -> TypeConstraint {
    text.parse().unwrap()
}

/// All sequences of up to `most` items.
fn sequences<T: Clone>(items: &[T], most: usize) -> Vec<Vec<T>> {
    let mut all = vec![Vec::new()];
    let mut start = 0;
    for _ in 0..most {
        let end = all.len();
        for i in start..end {
            all.extend(
                items
                    .iter()
                    .map(|item| [all[i].as_slice(), std::slice::from_ref(item)].concat())
                    .collect::<Vec<_>>(),
            );
        }
        start = end;
    }
    all
}

/// What the concrete values become, by number, and for each source its outcomes; `None` is an error.
struct Outcomes {
    concretes: Vec<Con>,
    rows: Vec<Option<Bits>>,
}

/// L4 and the reference, on concrete values.
fn outcomes(target: &TypeConstraint, sources: &Sources, wrong: &mut Violations) -> Outcomes {
    let want = Want::of(target);
    let found: Vec<Option<Abs>> = sources.concretes.iter().map(|con| converted(con, &want)).collect();
    let known = found.iter().flatten().filter(|outcome| outcome.is_wholly_known());
    let mut concretes: BTreeSet<Con> = known.map(con).collect();
    let wanted = want.ty();
    concretes.extend(sources.concretes.iter().filter(|con| wanted.agrees_with(&con.ty())).cloned());
    let concretes: Vec<Con> = concretes.into_iter().collect();
    let mut rows = Vec::with_capacity(found.len());
    for (source, wanted) in sources.concretes.iter().zip(found) {
        let answer = convert(&source.value(), target);
        match (&answer, &wanted) {
            (Ok(value), Some(wanted)) => {
                let abs = Abs::of(value);
                let known = wanted.is_wholly_known();
                let same = [abs.is_wholly_known(), value.is_wholly_known()] == [known, known]
                    && if known {
                        abs.may_become(&con(wanted))
                    } else {
                        gamma(&concretes, &abs) == gamma(&concretes, wanted)
                    };
                if !same {
                    wrong.add(format!("L4 {target}"), || format!("{source:?} = {abs:?}, not {wanted:?}"));
                }
            }
            (Err(_), None) => {}
            _ => wrong.add(format!("L4 {target}"), || format!("{source:?} = {answer:?}, not {wanted:?}")),
        }
        rows.push(wanted.map(|wanted| gamma(&concretes, &wanted)));
    }
    Outcomes { concretes, rows }
}

/// L1 to L4 for one target. Gives the operands that the ledger excuses.
fn laws(target: &TypeConstraint, sources: &Sources) -> (Violations, Vec<Vec<String>>) {
    let mut wrong = Violations::default();
    let mut excused = Vec::new();
    let Outcomes { concretes, rows } = outcomes(target, sources, &mut wrong);
    let answers: Vec<plantime::Result<Value>> =
        sources.values.iter().map(|(value, ..)| convert(value, target)).collect();
    // What could have been answered: every answer to another value, and every value of the universes.
    let wanted = Want::of(target).ty();
    let mut place_of: HashMap<Abs, usize> = HashMap::new();
    let mut possible: Vec<(Abs, Bits)> = Vec::new();
    let given = sources.values.iter().map(|(_, abs, _)| abs.clone());
    for abs in given.chain(answers.iter().flatten().map(Abs::of)) {
        if abs.ty().agrees_with(&wanted) && !place_of.contains_key(&abs) {
            place_of.insert(abs.clone(), possible.len());
            let gamma = gamma(&concretes, &abs);
            possible.push((abs, gamma));
        }
    }
    let places: Vec<Option<usize>> =
        answers.iter().map(|answer| answer.as_ref().ok().map(|value| place_of[&Abs::of(value)])).collect();
    let mut better: HashMap<(usize, Bits), Option<usize>> = HashMap::new();
    for (((_, abs, gamma), answer), place) in sources.values.iter().zip(&answers).zip(&places) {
        let mut outcomes = Bits::none(concretes.len());
        gamma.iter().filter_map(|i| rows[i].as_ref()).for_each(|some| outcomes.add(some));
        let none = !gamma.iter().any(|i| rows[i].is_some());
        let mut add = |law: &str, text: &dyn Fn() -> String| {
            wrong.add(format!("{law} {} to {target}", abs.kind()), || format!("{abs:?}: {}", text()));
        };
        let Some(place) = *place else {
            if !none {
                let can = outcomes.iter().next().map(|i| &concretes[i]);
                add("L1", &|| format!("{answer:?}, but can be {can:?}"));
            }
            continue;
        };
        let (found, all) = &possible[place];
        if none {
            add("L1", &|| format!("{found:?}, but every outcome is an error"));
        } else if !outcomes.within(all) {
            let outside = outcomes.iter().find(|i| !all.contains(*i)).map(|i| &concretes[i]);
            add("L1", &|| format!("{found:?}, but can be {outside:?}"));
        } else {
            let better = *better.entry((place, outcomes)).or_insert_with_key(|(_, outcomes)| {
                possible
                    .iter()
                    .position(|(_, gamma)| outcomes.within(gamma) && gamma.within(all) && gamma != all)
            });
            if let Some(better) = better {
                let kinds = vec![abs.kind(), target.to_string()];
                if ledger::of("convert").excuses_kinds(&kinds) {
                    excused.push(kinds);
                } else {
                    add("L2", &|| format!("{found:?}, but {:?} holds all", possible[better].0));
                }
            }
        }
    }
    let mut within: HashMap<(usize, usize), bool> = HashMap::new();
    for &(wide, narrow) in &sources.covering {
        let fine = match (places[wide], places[narrow]) {
            (_, None) => true,
            (None, Some(_)) => false,
            (Some(wide), Some(narrow)) => {
                *within.entry((wide, narrow)).or_insert_with(|| possible[narrow].1.within(&possible[wide].1))
            }
        };
        // Where the narrow one's answer could be less, it need not lie within the other's.
        let kinds = vec![sources.values[narrow].1.kind(), target.to_string()];
        if !fine && ledger::of("convert").excuses_kinds(&kinds) {
            excused.push(kinds);
        } else if !fine {
            wrong.add(format!("L3 {target}"), || {
                let [(wide, wider), (narrow, narrower)] =
                    [wide, narrow].map(|i| (&sources.values[i].1, answers[i].as_ref().map(Abs::of)));
                format!("{wide:?} = {wider:?}, but {narrow:?} = {narrower:?}")
            });
        }
    }
    (wrong, excused)
}

#[test]
fn conversion_gives_the_least_value_that_holds_every_outcome() {
    let mut effort = Effort::start();
    let sources = sources();
    let mut wrong = Violations::default();
    let mut ledger = ledger::of("convert");
    let done: Vec<(Violations, Vec<Vec<String>>)> =
        TARGETS.par_iter().map(|target| laws(&to(target), &sources)).collect();
    for (found, excused) in done {
        wrong.merge(found);
        for operands in excused {
            ledger.excuses_kinds(&operands);
        }
    }
    effort.abstracts = sources.values.len();
    effort.concrete_calls = sources.concretes.len() * TARGETS.len();
    effort.abstract_calls = sources.values.len() * TARGETS.len();
    effort.print("convert", "M, nested, texts");
    ledger.close(effort.abstract_calls).into_iter().for_each(|row| wrong.add("ledger", || row));
    wrong.none("convert");
}

/// What was converted fits, so converting it again changes nothing.
#[test]
fn converting_again_changes_nothing() {
    let sources = sources();
    let mut wrong = Violations::default();
    for target in TARGETS.map(to) {
        for (value, abs, _) in &sources.values {
            let Ok(once) = convert(value, &target) else { continue };
            let twice = convert(&once, &target);
            if twice.as_ref().ok() != Some(&once) {
                wrong.add(target.to_string(), || format!("{abs:?}: {once:?}, then {twice:?}"));
            }
        }
    }
    wrong.none("convert twice");
}

/// What the types alone say is what the values do.
#[test]
fn a_safe_conversion_never_fails_and_one_that_there_is_not_always_does() {
    let sources = sources();
    let mut wrong = Violations::default();
    let mut by_type: BTreeMap<Ty, Vec<&Con>> = BTreeMap::new();
    for con in &sources.concretes {
        by_type.entry(con.ty()).or_default().push(con);
    }
    for target in TARGETS.map(to) {
        let want = Want::of(&target);
        for (ty, cons) in &by_type {
            let found = conversion(&ty.to_type(), &target);
            let wanted = if available(ty, &want, true) {
                Some(Safety::Safe)
            } else {
                available(ty, &want, false).then_some(Safety::Unsafe)
            };
            if found != wanted {
                wrong.add("safety", || format!("{ty:?} to {target}: {found:?}, not {wanted:?}"));
            }
            let failed = cons.iter().filter(|con| convert(&con.value(), &target).is_err()).count();
            let fine = match found {
                // Elements may be found to be of types that are not the same.
                Some(Safety::Safe) => failed == 0 || want.ty().has_dynamic(),
                Some(Safety::Unsafe) => true,
                None => failed == cons.len(),
            };
            if !fine {
                wrong.add("failures", || {
                    format!("{ty:?} to {target}: {found:?}, {failed} of {} fail", cons.len())
                });
            }
        }
    }
    wrong.none("conversion");
}

fn mark() -> Mark {
    Mark::new("m")
}

/// Where what stands at a place of a value is once it is converted; `None` where it is dropped. Below a set the
/// place is the set, and where the result is unknown the place is that of the unknown.
fn carried(place: &[String], result: &Abs) -> Option<Vec<String>> {
    let mut at = Vec::new();
    let mut result = result;
    for step in place {
        let below = match result {
            Abs::List(_, items) | Abs::Tuple(items) => step.parse::<usize>().ok().and_then(|i| items.get(i)),
            Abs::Map(_, parts) | Abs::Object(parts) => match parts.get(step) {
                None => return None,
                part => part,
            },
            _ => None,
        };
        let Some(below) = below else { break };
        result = below;
        at.push(step.clone());
    }
    Some(at)
}

/// L5: the same answer, marks aside; and the mark is where the part that had it is now.
#[test]
fn marks_change_no_conversion_and_stay_with_what_they_mark() {
    let sources = sources();
    let targets: Vec<TypeConstraint> = TARGETS.iter().map(|target| to(target)).collect();
    let found: Vec<Violations> = targets
        .par_iter()
        .map(|target| {
            let mut wrong = Violations::default();
            for (value, abs, _) in &sources.values {
                let bare = convert(value, target);
                let top = value.clone().mark(mark());
                for marked in std::iter::once(top).chain(marked_inside(value)) {
                    let (_, places) = Abs::with_marks(&marked);
                    let [(place, _)] = places.as_slice() else { panic!("one mark") };
                    let answer = convert(&marked, target);
                    let call = || format!("{abs:?} marked at {place:?} to {target}");
                    match (&answer, &bare) {
                        (Ok(answer), Ok(bare)) => {
                            let (found, marks) = Abs::with_marks(answer);
                            let plain = Abs::of(bare);
                            if found != plain {
                                wrong.add("erasure", || format!("{} = {found:?}, not {plain:?}", call()));
                                continue;
                            }
                            let now: Vec<&Vec<String>> = marks.iter().map(|(place, _)| place).collect();
                            let wanted = carried(place, &plain);
                            if now != wanted.iter().collect::<Vec<_>>() {
                                wrong.add("retention", || {
                                    format!("{} = {found:?} marked at {now:?}, not {wanted:?}", call())
                                });
                            }
                        }
                        (Err(marked), Err(bare)) => {
                            if (marked.is_type_mismatch(), marked.is_syntax(), marked.is_not_found())
                                != (bare.is_type_mismatch(), bare.is_syntax(), bare.is_not_found())
                            {
                                wrong
                                    .add("erasure of errors", || format!("{}: {marked}, not {bare}", call()));
                            }
                        }
                        _ => wrong.add("erasure", || format!("{} = {answer:?}, not {bare:?}", call())),
                    }
                }
            }
            wrong
        })
        .collect();
    let mut wrong = Violations::default();
    found.into_iter().for_each(|found| wrong.merge(found));
    wrong.none("marks of convert");
}

#[test]
fn numbers_of_the_texts_are_numbers_of_the_model() {
    for text in TEXTS {
        let con = converted(&Con::Str(text.to_owned()), &Want::Num);
        let value = convert(&Value::from(text), &to("number"));
        assert_eq!(con.is_some(), value.is_ok(), "{text}");
        if let (Some(con), Ok(value)) = (con, value) {
            assert_eq!(con, Abs::of(&value), "{text}");
        }
    }
    assert_eq!(converted(&Con::Str("-5e-1".to_owned()), &Want::Num), Some(Abs::Num(Num::Quarters(-2))));
}
