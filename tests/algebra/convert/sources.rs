//! What is converted, with all that it may become.

use std::collections::{BTreeSet, HashMap};

use plantime::{LengthRange, Refinement, Type, Value};
use rayon::prelude::*;

use super::super::concrete::{Con, Ty};
use super::super::gamma::{Abs, Bits};
use super::super::universe::{ty, world};
use super::concretes::{TEXTS, more_concretes};
use super::sequences;

/// What is converted, with all that it may become.
pub(super) struct Sources {
    pub(super) values: Vec<(Value, Abs, Bits)>,
    pub(super) concretes: Vec<Con>,
    /// The first may become more than the second.
    pub(super) covering: Vec<(usize, usize)>,
}

const PREFIXES: [&str; 21] = [
    "t", "tr", "true", "f", "F", "0", "5", "5.", "5e", "5e-", "-", "-5", "-i", "+", "i", ".", "0.", "vpc-",
    "05", "e", "1",
];

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
    // Of maps of two objects none has keys that every wanted object is without.
    let of_texts = ["list(string)", "set(string)", "map(string)"].map(|text| (text, 2));
    let of_objects = ["list(object({a = bool}))", "set(object({a = bool}))", "map(object({a = bool}))"]
        .map(|text| (text, 1));
    for (ty, least) in of_texts.into_iter().chain(of_objects).map(|(text, least)| (ty(text), least)) {
        for min in 0..=least {
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
    all.extend(beside_undecided());
    all
}

/// Pairs of which one part is of an undecided type.
fn beside_undecided() -> Vec<Value> {
    let list = |element: Type| Value::list_of(element, Vec::<Value>::new()).unwrap();
    let undecided = [Value::dynamic(), Value::unknown(ty("list(dynamic)"))];
    let parts = [
        Value::null(Type::Dynamic),
        Value::from("a"),
        Value::unknown(Type::String),
        Value::refined(Type::String, Refinement::prefix("t").and_not_null()).unwrap(),
        Value::from(1),
        Value::unknown(Type::Number),
        Value::from(true),
        Value::null(Type::Bool),
        Value::list([true]).unwrap(),
        Value::list(["true"]).unwrap(),
        Value::unknown(ty("list(string)")),
        list(Type::Dynamic),
        Value::map([("a", true)]).unwrap(),
        Value::map([("a", "a")]).unwrap(),
        Value::map_of(Type::Dynamic, Vec::<(&str, Value)>::new()).unwrap(),
        Value::tuple([Value::from(true)]).unwrap(),
        Value::set(["a"]).unwrap(),
    ];
    let mut all = Vec::new();
    for open in &undecided {
        // A list of capsules that become texts beside a set of texts would be a set, and no capsules are among the
        // concrete values.
        let beside_set = |other: &&Value| open.ty() != Type::Dynamic && other.ty() == ty("set(string)");
        for other in parts.iter().chain(&undecided).filter(|other| !beside_set(other)) {
            for pair in [[open, other], [other, open]] {
                all.push(Value::tuple(pair.map(Clone::clone)).unwrap());
                all.push(Value::object(["a", "b"].into_iter().zip(pair.map(Clone::clone))).unwrap());
            }
        }
    }
    all
}

pub(super) fn sources() -> Sources {
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

pub(super) fn gamma(concretes: &[Con], abs: &Abs) -> Bits {
    let mut gamma = Bits::none(concretes.len());
    let possible = concretes.iter().enumerate().filter(|(_, con)| abs.may_become(con));
    possible.for_each(|(i, _)| gamma.insert(i));
    gamma
}
