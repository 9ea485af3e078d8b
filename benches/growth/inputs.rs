//! Inputs of any size.

use plantime::{Mark, Number, Type, Value};

/// All 64 bit numbers, in no order.
pub fn scrambled(i: usize) -> u64 {
    (i as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

pub fn text(i: usize) -> String {
    format!("name-{:016x}", scrambled(i))
}

/// Parts made anew: nothing is shared.
pub fn all<T>(count: usize, part: impl Fn(usize) -> T) -> Vec<T> {
    (0..count).map(part).collect()
}

pub fn list(count: usize, part: impl Fn(usize) -> Value) -> Value {
    Value::list(all(count, part)).expect("parts of one type")
}

pub fn set(count: usize, part: impl Fn(usize) -> Value) -> Value {
    Value::set(all(count, part)).expect("parts of one type")
}

pub fn tuple(count: usize, part: impl Fn(usize) -> Value) -> Value {
    Value::tuple(all(count, part)).expect("a tuple")
}

pub fn map(count: usize, part: impl Fn(usize) -> Value) -> Value {
    Value::map((0..count).map(|i| (text(i), part(i)))).expect("parts of one type")
}

pub fn object(count: usize, part: impl Fn(usize) -> Value) -> Value {
    Value::object((0..count).map(|i| (text(i), part(i)))).expect("an object")
}

pub fn string(i: usize) -> Value {
    Value::from(text(i))
}

pub fn number(i: usize) -> Value {
    Value::from(scrambled(i))
}

pub fn number_text(i: usize) -> Value {
    Value::from(scrambled(i).to_string())
}

/// A wholly known object.
pub fn resource(i: usize) -> Value {
    let tags = Value::map([("Name", text(i)), ("Owner", "ops".to_owned())]).expect("parts of one type");
    Value::object([
        ("id", string(i)),
        ("port", number(i)),
        ("tags", tags),
        ("open", Value::from(i.is_multiple_of(2))),
    ])
    .expect("an object")
}

/// An object of the same type, of which some is not known.
pub fn planned(i: usize) -> Value {
    let tags = Value::map([("Name", string(i)), ("Owner", unknown(i))]).expect("parts of one type");
    let open = Value::unknown(Type::Bool);
    Value::object([("id", unknown(i)), ("port", number(i)), ("tags", tags), ("open", open)])
        .expect("an object")
}

pub fn unknown(_: usize) -> Value {
    Value::unknown(Type::String)
}

pub fn dynamic(_: usize) -> Value {
    Value::dynamic()
}

pub fn marked(i: usize) -> Value {
    string(i).mark(Mark::new(&text(i)))
}

/// How many levels `deep` has: a list of them is as deep as a value may be.
pub const LEVELS: usize = 255;

/// A text under as many lists of one element each.
pub fn deep(i: usize) -> Value {
    (0..LEVELS).fold(string(i), |value, _| Value::list([value]).expect("one part"))
}

/// A text under as many tuples.
pub fn deep_tuple(i: usize) -> Value {
    (0..LEVELS).fold(string(i), |value, _| Value::tuple([value]).expect("a tuple"))
}

/// Something unknown under as many sets.
pub fn deep_set(_: usize) -> Value {
    (0..LEVELS).fold(Value::unknown(Type::String), |value, _| Value::set([value]).expect("one part"))
}

/// A set of two parts under as many levels, at each of which the set of the level below and an empty one are members.
pub fn sets_in_sets(levels: usize, part: impl Fn(usize) -> Value) -> Value {
    let core = Value::set([part(0), part(1)]).expect("parts of one type");
    (0..levels).fold(core, |value, _| {
        let Type::Set(ty) = value.ty() else { panic!("a set") };
        let empty = Value::set_of::<Value>(ty.element().clone(), []).expect("no parts");
        Value::set([value, empty]).expect("parts of one type")
    })
}

/// A number of 2,000 digits, most of them 0.
pub fn huge(i: usize) -> Value {
    let number: Number = format!("{}e1980", scrambled(i)).parse().expect("a number");
    Value::from(number)
}

/// One of 2^20 object types with the same attributes.
pub fn distinct_object_type(i: usize) -> Type {
    let attribute = |bit: usize| if i >> bit & 1 == 0 { Type::String } else { Type::Number };
    Type::object((0..20).map(|bit| (format!("a{bit}"), attribute(bit)))).expect("an object type")
}

/// An object of such a type.
pub fn distinct_object(i: usize) -> Value {
    let attribute = |bit: usize| if i >> bit & 1 == 0 { string(i) } else { number(i) };
    Value::object((0..20).map(|bit| (format!("a{bit}"), attribute(bit)))).expect("an object")
}
