//! The nested universe: one container around the values of S.

use std::collections::{BTreeMap, BTreeSet};

use crate::{Type, Value};

use super::super::concrete::{Con, Num, Ty};
use super::abstracts::bools;
use super::combine::{entries, sequences};
use super::elements::{Elements, elements};
use super::size::{S, texts};
use super::{FIXED, model_type, ty};

/// The abstract values of the nested universe.
pub(super) fn abstracts() -> Vec<Value> {
    let mut all = Vec::new();
    for Elements { ty, abstracts, .. } in elements() {
        for (i, a) in abstracts.iter().enumerate() {
            all.push(Value::list_of(ty.clone(), [a.clone()]).expect(FIXED));
            all.push(Value::set_of(ty.clone(), [a.clone()]).expect(FIXED));
            all.push(Value::map_of(ty.clone(), [("a", a.clone())]).expect(FIXED));
            all.push(Value::tuple([a.clone()]).expect(FIXED));
            for (j, b) in abstracts.iter().enumerate() {
                all.push(Value::list_of(ty.clone(), [a.clone(), b.clone()]).expect(FIXED));
                if j >= i {
                    let set = Value::set_of(ty.clone(), [a.clone(), b.clone()]).expect(FIXED);
                    all.push(set.clone());
                    all.extend(set.assume_set_length(2, 2));
                    all.extend(set.assume_set_length(1, 1));
                }
                if i % 2 == 0 && j % 2 == 1 {
                    all.push(Value::map_of(ty.clone(), [("a", a.clone()), ("b", b.clone())]).expect(FIXED));
                }
            }
        }
        for shape in [Type::list(ty.clone()), Type::map(ty.clone()), Type::set(ty.clone())] {
            all.push(Value::unknown(shape.expect(FIXED)));
        }
    }
    let bools = bools();
    let number = Value::unknown(Type::Number);
    all.push(Value::tuple([Value::dynamic()]).expect(FIXED));
    all.push(Value::tuple([Value::unknown(ty("list(any)"))]).expect(FIXED));
    all.push(Value::tuple([number.clone(), bools[3].clone()]).expect(FIXED));
    all.push(Value::object([("a", Value::dynamic())]).expect(FIXED));
    all.push(Value::object([("a", number)]).expect(FIXED));
    all.push(Value::list_of(Type::Dynamic, [Value::dynamic(), Value::null(Type::Dynamic)]).expect(FIXED));
    all.push(Value::set_of(Type::Dynamic, [Value::dynamic(), Value::dynamic()]).expect(FIXED));
    all.push(Value::map_of(Type::Dynamic, [("a", Value::dynamic())]).expect(FIXED));
    all.push(Value::unknown(ty("list(any)")));
    all.push(Value::unknown(ty("set(any)")));
    all.push(Value::unknown(ty("map(list(any))")));
    all.push(Value::dynamic());
    all
}

/// The concrete values of the nested universe.
pub(super) fn concretes() -> BTreeSet<Con> {
    let mut all = BTreeSet::new();
    for Elements { ty, concretes, .. } in elements() {
        let ty = Ty::of(&ty);
        for items in sequences(&concretes, 3) {
            if items.len() < 3 {
                all.insert(Con::List(ty.clone(), items.clone()));
            }
            if items.len() == 1 {
                all.insert(Con::Tuple(items.clone()));
            }
            all.insert(Con::Set(ty.clone(), items.into_iter().collect()));
        }
        all.extend(concretes.iter().map(|item| Con::List(ty.clone(), vec![item.clone(); 3])));
        all.extend(entries(&["a", "b"], &concretes).into_iter().map(|map| Con::Map(ty.clone(), map)));
        let three = |item: &Con| ["a", "b", "z"].map(|key| (key.to_owned(), item.clone())).into();
        all.extend(concretes.iter().map(|item| Con::Map(ty.clone(), three(item))));
        for key in texts(&S) {
            let single =
                concretes.iter().map(|item| Con::Map(ty.clone(), [(key.clone(), item.clone())].into()));
            all.extend(single);
        }
    }
    for a in [Con::Num(Num::whole(0)), Con::Num(Num::whole(1)), Con::Null(Ty::Num)] {
        all.insert(Con::Object([("a".to_owned(), a.clone())].into()));
        for b in [Con::Bool(true), Con::Bool(false), Con::Null(Ty::Bool)] {
            all.insert(Con::Tuple(vec![a.clone(), b.clone()]));
            all.insert(Con::Object([("a".to_owned(), b)].into()));
        }
    }
    for infinity in [Num::NegInf, Num::Inf].map(Con::Num) {
        all.insert(Con::Object([("a".to_owned(), infinity)].into()));
    }
    all.insert(Con::Tuple(vec![Con::Null(Ty::Dyn)]));
    all.insert(Con::Tuple(vec![Con::List(Ty::Dyn, vec![])]));
    all.insert(Con::Tuple(vec![Con::List(Ty::Num, vec![Con::Num(Num::whole(0))])]));
    all.insert(Con::Object([("a".to_owned(), Con::Null(Ty::Dyn))].into()));
    all.extend([Con::Bool(true), Con::Bool(false), Con::Str("a".to_owned()), Con::Str("b".to_owned())]);
    all.extend((-1..=2).map(|n| Con::Num(Num::whole(n))));
    all.extend([Con::Num(Num::NegInf), Con::Num(Num::Inf)]);
    all.insert(Con::List(Ty::Dyn, vec![]));
    all.insert(Con::Set(Ty::Dyn, BTreeSet::new()));
    all.insert(Con::Map(Ty::Dyn, BTreeMap::new()));
    all.insert(Con::Map(model_type("list(any)"), BTreeMap::new()));
    all.insert(Con::Null(Ty::Dyn));
    let types: BTreeSet<Ty> = all.iter().map(Con::ty).collect();
    all.extend(types.into_iter().map(Con::Null));
    all
}
