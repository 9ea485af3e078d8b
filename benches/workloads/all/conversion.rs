//! Conversion, and the types that types have in common.

use plantime::{Safety, Type, TypeConstraint, Value, convert, unify};

use super::document::Random;
use super::work::Work;

const PRIMITIVES: [Type; 3] = [Type::String, Type::Number, Type::Bool];

fn parts(n: usize) -> Vec<Value> {
    let mut r = Random::seeded(5);
    let part = |_| {
        let id = Value::from(r.below(1_000_000).to_string());
        let on = Value::from(["true", "false"][r.below(2) as usize]);
        let name = Value::from(r.word());
        let tags = [
            ("a", Value::from(r.word())),
            ("b", Value::from(r.below(100))),
            ("c", Value::from(r.below(2) == 1)),
        ];
        let tags = Value::object(tags).expect("an object");
        Value::object([("id", id), ("on", on), ("name", name), ("tags", tags)]).expect("an object")
    };
    (0..n).map(part).collect()
}

fn target() -> TypeConstraint {
    let text = "list(object({id = number, on = bool, name = string, tags = map(string)}))";
    text.parse().expect("a constraint")
}

pub fn convert_tuple(n: usize) -> Work {
    let (value, to) = (Value::tuple(parts(n)).expect("a tuple"), target());
    Work::new(n, move || convert(&value, &to).expect("it converts"))
}

pub fn convert_list(n: usize) -> Work {
    let (value, to) = (Value::list(parts(n)).expect("parts of one type"), target());
    Work::new(n, move || convert(&value, &to).expect("it converts"))
}

fn unified(types: Vec<Type>) -> Work {
    Work::new(types.len(), move || unify(&types, Safety::Unsafe).expect("they have a type in common"))
}

fn object(attributes: impl IntoIterator<Item = (usize, Type)>) -> Type {
    let named = attributes.into_iter().map(|(at, ty)| (format!("a{at}"), ty));
    Type::object(named).expect("an object type")
}

pub fn unify_equal(n: usize) -> Work {
    unified((0..n).map(|_| object((0..12).map(|at| (at, PRIMITIVES[at % 3].clone())))).collect())
}

pub fn unify_mixed(n: usize) -> Work {
    let mut r = Random::seeded(11);
    let ty = |_| {
        let mut any = |kinds| PRIMITIVES[r.below(kinds) as usize].clone();
        object((0..12).map(|at| {
            let ty = match at {
                0..4 => Type::String,
                4..8 => any(3),
                8..10 => Type::list(any(2)).expect("a list type"),
                _ => Type::object([("x", any(2)), ("y", Type::Bool)]).expect("an object type"),
            };
            (at, ty)
        }))
    };
    unified((0..n).map(ty).collect())
}

pub fn unify_map(n: usize) -> Work {
    let mut r = Random::seeded(11);
    let ty = |_| {
        let skip = r.below(12) as usize;
        let attributes = (0..12).filter(|at| *at != skip);
        object(attributes.map(|at| (at, PRIMITIVES[r.below(2) as usize].clone())).collect::<Vec<_>>())
    };
    unified((0..n).map(ty).collect())
}
