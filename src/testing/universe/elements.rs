//! The element types of the nested universe.

use std::collections::BTreeSet;

use crate::{LengthRange, Refinement, Type, Value};

use super::super::concrete::{Con, Num, Ty};
use super::abstracts::bools;
use super::combine::sequences;
use super::{FIXED, ty};

/// The element types of the nested universe, each with a few abstract and concrete values.
pub(super) struct Elements {
    pub(super) ty: Type,
    pub(super) abstracts: Vec<Value>,
    pub(super) concretes: Vec<Con>,
}

/// All element types of the nested universe.
pub(super) fn elements() -> Vec<Elements> {
    let refined = |ty: &Type, refinement: Refinement| Value::refined(ty.clone(), refinement).expect(FIXED);
    let not_null = |ty: &Type| refined(ty, Refinement::not_null());
    let number = Num::whole;
    let value = |con: &Con| con.value();
    let from = |whole| Value::from(number(whole).number());
    let at_least =
        |whole| refined(&Type::Number, Refinement::number_at_least(number(whole).number()).and_not_null());
    let prefix = |text| refined(&Type::String, Refinement::prefix(text).and_not_null());
    let flag = |truth| Con::Bool(truth);
    let list = ty("list(bool)");
    let truths = [flag(false), flag(true), Con::Null(Ty::Bool)];
    let lists: Vec<Con> = sequences(&truths[..2], 2)
        .into_iter()
        .chain([vec![truths[2].clone()], vec![truths[0].clone(); 3]])
        .map(|items| Con::List(Ty::Bool, items))
        .chain([Con::Null(Ty::of(&list))])
        .collect();
    let set = ty("set(bool)");
    let sets: BTreeSet<Con> = sequences(&truths, 3)
        .into_iter()
        .map(|items| Con::Set(Ty::Bool, items.into_iter().collect()))
        .collect();
    let sets: Vec<Con> = sets.into_iter().chain([Con::Null(Ty::of(&set))]).collect();
    let tuple = ty("tuple([number, bool])");
    let tuples: Vec<Con> = [0, 1]
        .iter()
        .flat_map(|whole| {
            [true, false].map(|truth| Con::Tuple(vec![Con::Num(number(*whole)), Con::Bool(truth)]))
        })
        .chain([
            Con::Tuple(vec![Con::Num(number(2)), flag(true)]),
            Con::Tuple(vec![Con::Null(Ty::Num), flag(true)]),
            Con::Null(Ty::of(&tuple)),
        ])
        .collect();
    let object = ty("object({a = bool})");
    let objects: Vec<Con> = [flag(false), flag(true), Con::Null(Ty::Bool)]
        .into_iter()
        .map(|part| Con::Object([("a".to_owned(), part)].into()))
        .chain([Con::Null(Ty::of(&object))])
        .collect();
    let numbers: Vec<Con> = [Con::Num(Num::NegInf), Con::Num(Num::Inf), Con::Null(Ty::Num)]
        .into_iter()
        .chain([-4, 0, 2, 4, 8].map(|quarters| Con::Num(Num::Quarters(quarters))))
        .collect();
    let texts: Vec<Con> = ["", "a", "aa", "ab", "b", "ba", "bb"]
        .map(|text| Con::Str(text.to_owned()))
        .into_iter()
        .chain([Con::Null(Ty::Str)])
        .collect();
    vec![
        Elements {
            ty: Type::Bool,
            abstracts: bools().to_vec(),
            concretes: vec![flag(false), flag(true), Con::Null(Ty::Bool)],
        },
        Elements {
            ty: Type::Number,
            abstracts: vec![
                from(0),
                from(1),
                Value::null(Type::Number),
                Value::unknown(Type::Number),
                not_null(&Type::Number),
                at_least(1),
                refined(&Type::Number, Refinement::number_at_most(0).and_not_null()),
                refined(&Type::Number, Refinement::number_at_most(0)),
            ],
            concretes: numbers,
        },
        Elements {
            ty: Type::String,
            abstracts: vec![
                Value::from("a"),
                Value::from("b"),
                Value::null(Type::String),
                Value::unknown(Type::String),
                prefix("a"),
                prefix("b"),
                refined(&Type::String, Refinement::prefix("a")),
            ],
            concretes: texts,
        },
        Elements {
            abstracts: vec![
                value(&lists[0]),
                value(&lists[1]),
                Value::null(list.clone()),
                Value::unknown(list.clone()),
                not_null(&list),
                Value::list([Value::unknown(Type::Bool)]).expect(FIXED),
                refined(&list, Refinement::length(LengthRange::at_least(1))),
            ],
            ty: list,
            concretes: lists,
        },
        Elements {
            abstracts: vec![
                value(&sets[0]),
                value(&sets[1]),
                Value::unknown(set.clone()),
                Value::set([Value::unknown(Type::Bool)]).expect(FIXED),
                Value::set([Value::from(true), bools()[4].clone()]).expect(FIXED),
            ],
            ty: set,
            concretes: sets,
        },
        Elements {
            abstracts: vec![
                value(&tuples[0]),
                Value::unknown(tuple.clone()),
                not_null(&tuple),
                Value::tuple([Value::unknown(Type::Number), Value::from(true)]).expect(FIXED),
                Value::tuple([from(0), Value::unknown(Type::Bool)]).expect(FIXED),
                refined(
                    &tuple,
                    Refinement::tuple_element(0, Refinement::number_at_least(1).and_not_null()).expect(FIXED),
                ),
            ],
            ty: tuple,
            concretes: tuples,
        },
        Elements {
            abstracts: vec![
                value(&objects[0]),
                Value::null(object.clone()),
                Value::unknown(object.clone()),
                Value::object([("a", Value::unknown(Type::Bool))]).expect(FIXED),
                refined(&object, Refinement::attribute("a", Refinement::not_null()).expect(FIXED)),
            ],
            ty: object,
            concretes: objects,
        },
    ]
}
