//! The abstract values of the universes S and M.

use crate::{Refinement, Type, Value};

use super::super::concrete::Num;
use super::capsules::capsules;
use super::combine::{entries, sequences};
use super::refinements::{
    element_refinements, key_refinements, length_refinements, multiple_refinements,
    number_element_refinements, number_member_refinements, number_refinements, one_of_refinements,
    prefix_refinements, structure_refinements,
};
use super::size::{Size, texts};
use super::undecided::undecided;
use super::{FIXED, ty};

/// An unknown value of the type with each refinement, not null and nullable.
pub(super) fn unknowns(ty: &Type, refinements: &[Refinement]) -> Vec<Value> {
    let mut all = vec![Value::unknown(ty.clone()), Value::null(ty.clone())];
    for refinement in refinements.iter().chain([&Refinement::any(), &Refinement::null()]) {
        all.push(Value::refined(ty.clone(), refinement.clone()).expect(FIXED));
        all.push(Value::refined(ty.clone(), refinement.clone().and_not_null()).expect(FIXED));
    }
    all
}

/// Every bool value: known, null and unknown.
pub(super) fn bools() -> [Value; 5] {
    [
        Value::from(false),
        Value::from(true),
        Value::null(Type::Bool),
        Value::unknown(Type::Bool),
        Value::refined(Type::Bool, Refinement::not_null()).expect(FIXED),
    ]
}

/// The set, and copies of it with its length narrowed in every way.
pub(super) fn narrowings(set: Value) -> Vec<Value> {
    let mut all = vec![set.clone()];
    for min in 0..=3 {
        for max in min..=3 {
            all.extend(set.assume_set_length(min, max));
        }
    }
    all
}

/// The abstract values of a universe of this size.
pub(super) fn abstracts(size: &Size) -> Vec<Value> {
    let bools = bools();
    let mut all = bools.to_vec();
    all.extend(size.known.iter().map(|quarters| Value::from(Num::Quarters(*quarters).number())));
    all.extend([Value::from(Num::Inf.number()), Value::from(Num::NegInf.number())]);
    all.extend(unknowns(&Type::Number, &number_refinements(size.bounds)));
    if size.multiples {
        all.extend(unknowns(&Type::Number, &multiple_refinements(size.bounds)));
        all.extend(unknowns(&Type::Number, &one_of_refinements()));
    }
    all.extend(texts(size).iter().map(|text| Value::from(text.as_str())));
    all.extend(unknowns(&Type::String, &prefix_refinements(size)));
    all.extend(capsules());
    all.extend(unknowns(&capsules()[0].ty(), &[]));
    let lengths = length_refinements();
    let lists = sequences(&bools, size.lists);
    all.extend(lists.iter().map(|items| Value::list_of(Type::Bool, items.clone()).expect(FIXED)));
    all.extend(unknowns(&ty("list(bool)"), &lengths));
    for items in sequences(&bools, size.sets) {
        all.extend(narrowings(Value::set_of(Type::Bool, items).expect(FIXED)));
    }
    all.extend(unknowns(&ty("set(bool)"), &lengths));
    all.extend(
        entries(&["a", "b"], &bools).into_iter().map(|map| Value::map_of(Type::Bool, map).expect(FIXED)),
    );
    all.extend(unknowns(&ty("map(bool)"), &lengths));
    all.extend(sequences(&bools, 2).into_iter().map(|items| Value::tuple(items).expect(FIXED)));
    all.extend(entries(&["a"], &bools).into_iter().map(|map| Value::object(map).expect(FIXED)));
    let pairs = entries(&["a", "b"], &bools).into_iter().filter(|map| map.len() == 2);
    all.extend(pairs.map(|map| Value::object(map).expect(FIXED)));
    for product in [
        "tuple([])",
        "tuple([bool])",
        "tuple([bool, bool])",
        "object({})",
        "object({a = bool})",
        "object({a = bool, b = bool})",
        "tuple([any])",
        "tuple([bool, any])",
        "tuple([list(any)])",
        "object({a = any})",
        "object({a = list(any)})",
    ] {
        all.extend(unknowns(&ty(product), &[]));
    }
    for collection in [
        "list(any)",
        "set(any)",
        "map(any)",
        "list(list(any))",
        "list(tuple([any]))",
        "list(number)",
        "set(number)",
        "map(number)",
    ] {
        all.extend(unknowns(&ty(collection), &lengths));
    }
    if size.elements {
        for (collection, refinements) in [
            ("list(bool)", element_refinements()),
            ("set(bool)", element_refinements()),
            ("map(bool)", element_refinements()),
            ("map(bool)", key_refinements()),
            ("list(number)", number_element_refinements()),
            ("set(number)", number_member_refinements()),
        ] {
            all.extend(unknowns(&ty(collection), &refinements));
        }
    }
    if size.elements {
        for (structure, refinements) in structure_refinements() {
            let refined = |refinement| Value::refined(ty(structure), refinement).expect(FIXED);
            all.extend(refinements.into_iter().map(refined));
        }
    }
    all.extend(undecided(&bools));
    all
}
