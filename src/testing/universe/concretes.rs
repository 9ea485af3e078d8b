//! The concrete values of the universes S and M.

use std::collections::{BTreeMap, BTreeSet};

use super::super::concrete::{Con, Num, Ty};
use super::capsules::capsules;
use super::combine::{entries, sequences};
use super::model_type;
use super::size::{Size, texts};

/// The concrete values of a universe of this size.
pub(super) fn concretes(size: &Size) -> BTreeSet<Con> {
    let mut all = BTreeSet::new();
    let bools = [Con::Bool(false), Con::Bool(true), Con::Null(Ty::Bool)];
    all.extend(bools.iter().cloned());
    all.extend(size.points.clone().map(|quarters| Con::Num(Num::Quarters(quarters))));
    all.extend([Con::Num(Num::NegInf), Con::Num(Num::Inf), Con::Null(Ty::Num), Con::Null(Ty::Str)]);
    all.extend(texts(size).into_iter().map(Con::Str));
    all.extend(capsules().map(Con::Capsule));
    all.insert(Con::Null(Ty::of(&capsules()[0].ty())));
    let lists = sequences(&bools, 3);
    all.extend(lists.iter().map(|items| Con::List(Ty::Bool, items.clone())));
    all.extend(lists.iter().map(|items| Con::Set(Ty::Bool, items.iter().cloned().collect())));
    all.extend(entries(&["a", "aa", "b"], &bools).into_iter().map(|map| Con::Map(Ty::Bool, map)));
    all.extend(lists.iter().filter(|items| items.len() < 3).cloned().map(Con::Tuple));
    all.extend(entries(&["a", "b"], &bools).into_iter().filter(|map| map.len() != 1).map(Con::Object));
    all.extend(entries(&["a"], &bools).into_iter().map(Con::Object));
    // Values of a second and third type, so that an undecided type has more than one instance.
    let numbers = [Con::Num(Num::whole(0)), Con::Num(Num::whole(1)), Con::Null(Ty::Num)];
    all.extend(sequences(&numbers, 3).into_iter().map(|items| Con::List(Ty::Num, items)));
    for items in sequences(&numbers[..2], 3) {
        all.insert(Con::Set(Ty::Num, items.iter().cloned().collect()));
        if items.len() == 1 || items.len() == 2 {
            all.insert(Con::Tuple(items.clone()));
            all.insert(Con::Tuple([&bools[..1], &items[..1]].concat()));
            all.insert(Con::Tuple([&items[..1], &bools[..1]].concat()));
        }
    }
    for items in sequences(&[0, 1, 2].map(|n| Con::Num(Num::whole(n))), 3) {
        all.insert(Con::Set(Ty::Num, items.into_iter().collect()));
    }
    all.extend(numbers.iter().map(|item| Con::Set(Ty::Num, [item.clone()].into())));
    all.insert(Con::Set(Ty::Num, [numbers[0].clone(), numbers[2].clone()].into()));
    all.extend(entries(&["a", "aa", "b"], &numbers[1..]).into_iter().map(|map| Con::Map(Ty::Num, map)));
    for infinity in [Num::NegInf, Num::Inf].map(Con::Num) {
        all.extend((1..=3).map(|length| Con::List(Ty::Num, vec![infinity.clone(); length])));
        all.insert(Con::Tuple(vec![infinity.clone(), bools[0].clone()]));
        for key in texts(size) {
            let one = BTreeMap::from([(key.clone(), infinity.clone())]);
            let two = BTreeMap::from([(key, infinity.clone()), ("z".to_owned(), numbers[0].clone())]);
            all.extend([one, two].map(|map| Con::Map(Ty::Num, map)));
        }
    }
    for (ty, items) in [(Ty::Bool, &bools), (Ty::Num, &numbers)] {
        for key in texts(size) {
            for item in items {
                let one = BTreeMap::from([(key.clone(), item.clone())]);
                let two = BTreeMap::from([(key.clone(), item.clone()), ("z".to_owned(), items[0].clone())]);
                all.extend([one, two].map(|map| Con::Map(ty.clone(), map)));
            }
        }
    }
    for map in entries(&["a"], &numbers).into_iter().chain(entries(&["a", "b"], &numbers[1..])) {
        if map.len() != 1 || map.contains_key("a") {
            all.insert(Con::Object(map));
        }
    }
    let text = Con::Str("a".to_owned());
    all.insert(Con::List(Ty::Str, vec![text.clone()]));
    all.insert(Con::Set(Ty::Str, [text.clone()].into()));
    all.insert(Con::Tuple(vec![text]));
    // Lists of lists and tuples.
    let lists_of_bool = [
        Con::List(Ty::Bool, vec![]),
        Con::List(Ty::Bool, vec![bools[1].clone()]),
        Con::List(Ty::Bool, vec![bools[1].clone(); 3]),
        Con::Null(model_type("list(bool)")),
    ];
    let lists_of_number = [
        Con::List(Ty::Num, vec![]),
        Con::List(Ty::Num, vec![numbers[1].clone()]),
        Con::List(Ty::Num, vec![numbers[1].clone(); 3]),
        Con::Null(model_type("list(number)")),
    ];
    for (inner, ty) in [(&lists_of_bool, "list(bool)"), (&lists_of_number, "list(number)")] {
        for items in sequences(inner, 3) {
            all.insert(Con::Set(model_type(ty), items.iter().cloned().collect()));
            all.insert(Con::List(model_type(ty), items));
        }
    }
    for (parts, ty) in [(&bools, "tuple([bool])"), (&numbers, "tuple([number])")] {
        let mut inner: Vec<Con> = parts.iter().map(|part| Con::Tuple(vec![part.clone()])).collect();
        inner.push(Con::Null(model_type(ty)));
        all.extend(sequences(&inner, 3).into_iter().map(|items| Con::List(model_type(ty), items)));
    }
    // Types that stay undecided.
    all.insert(Con::Null(Ty::Dyn));
    for element in ["any", "list(any)", "tuple([any])"] {
        all.insert(Con::List(model_type(element), vec![]));
        all.insert(Con::Set(model_type(element), BTreeSet::new()));
        all.insert(Con::Map(model_type(element), BTreeMap::new()));
    }
    let lists: Vec<Con> = [&lists_of_bool[..], &lists_of_number].concat();
    let untyped = [Con::Null(Ty::Dyn), Con::Null(model_type("list(any)")), Con::List(Ty::Dyn, vec![])];
    let parts = [&bools[..], &numbers, &untyped[..1]].concat();
    all.extend(sequences(&parts, 2).into_iter().map(Con::Tuple));
    for part in parts.iter().chain(&lists).chain(&untyped) {
        all.insert(Con::Tuple(vec![part.clone()]));
        all.insert(Con::Object([("a".to_owned(), part.clone())].into()));
    }
    let types: BTreeSet<Ty> = all.iter().map(Con::ty).collect();
    all.extend(types.into_iter().map(Con::Null));
    all
}
