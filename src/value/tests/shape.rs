//! Sizes, auto traits, levels and order.

use std::collections::hash_map::DefaultHasher;
use std::hash::{BuildHasher, BuildHasherDefault};
use std::mem::size_of;

use crate::value::{Dynamic, Known, Partial, Refined, Unknown};
use crate::{
    Error, Knownness, Mark, Marks, Number, NumberRange, Path, Refinement, Result, Step, Type, Value,
    ValueRange, View, value,
};

#[test]
fn sizes_are_pinned() {
    assert_eq!(size_of::<Value>(), 24);
    assert_eq!(size_of::<Option<Value>>(), 24);
    assert_eq!(size_of::<Result<Value, Error>>(), 24);
    assert_eq!(size_of::<Error>(), 8);
    assert_eq!(size_of::<Known>(), 24);
    assert_eq!(size_of::<Partial>(), 16);
    assert_eq!(size_of::<Unknown>(), 16);
    assert_eq!(size_of::<Refined>(), 8);
    assert_eq!(size_of::<Dynamic>(), 8);
}

#[test]
fn everything_public_is_send_and_sync() {
    fn is<T: Send + Sync>() {}
    is::<Value>();
    is::<Type>();
    is::<Number>();
    is::<Refinement>();
    is::<Error>();
    is::<Path>();
    is::<Step>();
    is::<Marks>();
    is::<ValueRange>();
    is::<View<'_>>();
}

#[test]
fn values_types_and_paths_may_cross_a_caught_panic() {
    fn is<T: std::panic::UnwindSafe + std::panic::RefUnwindSafe>() {}
    is::<Value>();
    is::<Type>();
    is::<Number>();
    is::<Refinement>();
    is::<Path>();
    is::<Marks>();
}

#[test]
fn the_variant_is_the_level_also_of_a_marked_value() {
    let prefix = Refinement::prefix("vpc-");
    for (value, level) in [
        (Value::dynamic(), Knownness::Dynamic),
        (Value::unknown(Type::Dynamic), Knownness::Dynamic),
        (Value::unknown(Type::String), Knownness::Unknown),
        (Value::refined(Type::String, prefix).unwrap(), Knownness::Refined),
        (Value::list([Value::unknown(Type::Bool)]).unwrap(), Knownness::Partial),
        (Value::list([Value::null(Type::Dynamic)]).unwrap(), Knownness::Partial),
        (Value::tuple([Value::null(Type::Dynamic)]).unwrap(), Knownness::Known),
        (Value::list_of(Type::Dynamic, [] as [Value; 0]).unwrap(), Knownness::Known),
        (Value::null(Type::Dynamic), Knownness::Known),
        (Value::from(1), Knownness::Known),
    ] {
        assert_eq!(value.knownness(), level, "{value:?}");
        assert_eq!(value.clone().mark(Mark::SENSITIVE).knownness(), level, "{value:?}");
        assert_eq!(value.is_wholly_known(), level == Knownness::Known);
        assert_eq!(value.is_known(), level >= Knownness::Partial);
    }
}

#[test]
fn a_refinement_collapses_where_one_outcome_is_left() {
    let list = Type::list(Type::String).unwrap();
    let undecided = Type::list(Type::Dynamic).unwrap();
    let exactly = |n| Refinement::length(crate::LengthRange::exactly(n)).and_not_null();
    let five = Refinement::number(NumberRange::exactly(5));
    let unknown = Value::unknown(Type::String);
    for (ty, refinement, value) in [
        (Type::Number, five.clone().and_not_null(), Value::from(5)),
        (Type::String, Refinement::null(), Value::null(Type::String)),
        (Type::Bool, Refinement::any(), Value::unknown(Type::Bool)),
        (list.clone(), exactly(0), Value::list_of(Type::String, [] as [Value; 0]).unwrap()),
        (list.clone(), exactly(2), Value::list([unknown.clone(), unknown.clone()]).unwrap()),
        (undecided.clone(), exactly(1), Value::list([Value::dynamic()]).unwrap()),
        (Type::set(Type::String).unwrap(), exactly(1), Value::set([unknown]).unwrap()),
        (
            Type::map(Type::String).unwrap(),
            exactly(0),
            Value::map_of(Type::String, [] as [(&str, Value); 0]).unwrap(),
        ),
        (Type::tuple([]).unwrap(), Refinement::not_null(), Value::tuple([] as [Value; 0]).unwrap()),
    ] {
        assert_eq!(Value::refined(ty, refinement).unwrap(), value);
    }
    for (ty, refinement) in [
        (Type::Number, five),
        (undecided.clone(), exactly(0)),
        (undecided, Refinement::null()),
        (Type::map(Type::String).unwrap(), exactly(1)),
        (Type::Bool, Refinement::not_null()),
        (Type::object([("a", Type::Bool)]).unwrap(), Refinement::not_null()),
    ] {
        let value = Value::refined(ty.clone(), refinement.clone()).unwrap();
        assert_eq!(value.knownness(), Knownness::Refined, "{value:?}");
        assert_eq!(*value.range().refinement(), refinement);
        assert_eq!(*value.range().ty(), ty);
    }
}

#[test]
fn a_refinement_of_another_kind_or_of_no_type_is_refused() {
    let prefix = Refinement::prefix("a");
    assert!(Value::refined(Type::Number, prefix.clone()).unwrap_err().is_type_mismatch());
    assert!(Value::refined(Type::Dynamic, prefix).unwrap_err().needs_type());
    assert!(Value::refined(Type::Dynamic, Refinement::not_null()).unwrap_err().needs_type());
    assert_eq!(Value::refined(Type::Dynamic, Refinement::any()).unwrap(), Value::dynamic());
}

#[test]
fn null_sorts_last_and_what_is_not_known_before_it() {
    let unknown = Value::unknown(Type::Number);
    let at_least = Value::refined(Type::Number, Refinement::number_at_least(1)).unwrap();
    let sorted = [
        Value::from(false),
        Value::from(true),
        Value::from(-1),
        Value::from(9),
        Value::from(10),
        Value::from("10"),
        Value::from("9"),
        Value::list([1, 2]).unwrap(),
        Value::list([1, 3]).unwrap(),
        Value::list([unknown.clone()]).unwrap(),
        at_least,
        unknown,
        Value::dynamic(),
        Value::null(Type::Number),
    ];
    for (i, a) in sorted.iter().enumerate() {
        for (j, b) in sorted.iter().enumerate() {
            assert_eq!(a.cmp(b), i.cmp(&j), "{a:?} {b:?}");
            assert_eq!(a == b, i == j);
        }
    }
}

#[test]
fn marks_count_after_all_content() {
    let (a, b) = (Value::from(1), Value::from(2));
    let marked = a.clone().mark(Mark::SENSITIVE);
    assert!(a < marked && marked < b);
    assert_ne!(a, marked);
    let inside = Value::tuple([marked]).unwrap();
    assert!(Value::tuple([a]).unwrap() < inside);
}

#[test]
fn accessors_say_why_they_do_not_answer() {
    let marked = Value::from("hunter2").mark(Mark::SENSITIVE);
    let error = marked.as_str().unwrap_err();
    assert!(error.is_marked() && !error.to_string().contains("hunter2"));
    assert!(Value::from(1).as_str().unwrap_err().is_type_mismatch());
    assert!(Value::unknown(Type::String).as_str().unwrap_err().is_unknown());
    assert!(Value::dynamic().as_bool().unwrap_err().is_unknown());
    assert!(Value::null(Type::Bool).as_bool().unwrap_err().is_null());
    assert!(Value::null(Type::Dynamic).as_number().unwrap_err().is_null());
    assert_eq!(Value::from(1.5_f64.to_string()).as_str().unwrap(), "1.5");
    assert_eq!(*Value::try_from(0.1).unwrap().as_number().unwrap(), "0.1".parse().unwrap());
}

#[test]
fn the_elements_of_a_collection_share_one_type() {
    let made = |i: u64| {
        let inner = Type::list(Type::tuple([Type::Bool]).unwrap()).unwrap();
        let empty = Value::list_of(Type::tuple([Type::Bool]).unwrap(), [] as [Value; 0]).unwrap();
        let marked = Value::unknown(inner.clone()).mark(Mark::SENSITIVE);
        Value::object([("i", i.into()), ("empty", empty), ("null", Value::null(inner)), ("unknown", marked)])
            .unwrap()
    };
    // Each with types of its own: none is found again on another thread.
    let part = |i: u64| std::thread::scope(|scope| scope.spawn(|| made(i)).join().unwrap());
    assert!(made(1).ty().is_same(&made(2).ty()) && !part(1).ty().is_same(&part(1).ty()));
    let parts = || (0..4).map(part);
    for value in [
        Value::list(parts()).unwrap(),
        Value::set(parts()).unwrap(),
        Value::map(parts().zip(0..).map(|(part, i)| (i.to_string(), part))).unwrap(),
    ] {
        let ty = value.ty();
        let Some(Type::Object(element)) = ty.element_type() else { panic!("{ty}") };
        for child in value.container().unwrap().children() {
            assert!(child.ty().is_same(ty.element_type().unwrap()));
            for (slot, (_, ty)) in child.container().unwrap().children().zip(element.iter()) {
                assert!(slot.ty().is_same(ty), "{ty}");
            }
        }
    }
    let shared = part(9);
    let kept = Value::list([part(1), shared.clone()]).unwrap();
    assert!(!kept.ty().element_type().unwrap().is_same(&shared.ty()));
    assert_eq!(kept, Value::list([part(1), part(9)]).unwrap());
}

#[test]
fn iterators_know_how_much_is_left() {
    let object = value!({ "a": 1, "b": 2, "c": 3 }).unwrap();
    let View::Object(attributes) = object.view() else { unreachable!() };
    let mut attributes = attributes.iter();
    assert_eq!(attributes.size_hint(), (3, Some(3)));
    attributes.next();
    assert_eq!(attributes.size_hint(), (2, Some(2)));
    let set = Value::set([1, 2, 3]).unwrap();
    let View::Set(members) = set.view() else { unreachable!() };
    let mut members = members.iter();
    assert_eq!(members.size_hint(), (3, Some(3)));
    members.next();
    assert_eq!(members.size_hint(), (2, Some(2)));
}

/// What is different should mostly hash apart, or tables of values are slow.
#[test]
fn keys_and_the_types_of_empty_lists_are_hashed() {
    let hash = |value: &Value| BuildHasherDefault::<DefaultHasher>::default().hash_one(value);
    assert_ne!(hash(&Value::map([("a", 1)]).unwrap()), hash(&Value::map([("b", 1)]).unwrap()));
    let empty = |ty: Type| Value::list_of::<Value>(ty, []).unwrap();
    assert_ne!(hash(&empty(Type::Bool)), hash(&empty(Type::String)));
    assert_eq!(hash(&empty(Type::Bool)), hash(&empty(Type::Bool)));
}

/// An untyped null is no null of another type.
#[test]
fn parts_of_other_types_tell_structures_apart() -> Result<()> {
    let (null, unknown) = (Value::null(Type::Dynamic), Value::unknown(Type::String));
    let object = Value::object([("a", null.clone()), ("b", unknown.clone())])?;
    let tuple = Value::tuple([null, unknown])?;
    for (value, typed, untyped) in [
        (object, "object({a = number, b = string})", "object({a = dynamic, b = string})"),
        (tuple, "tuple([number, string])", "tuple([dynamic, string])"),
    ] {
        let other = |ty: &str| Value::refined(ty.parse()?, Refinement::not_null());
        assert_eq!(value.equals(&other(typed)?)?, Value::from(false), "{typed}");
        assert!(!value.equals(&other(untyped)?)?.is_known(), "{untyped}");
    }
    Ok(())
}

/// Values of the same parts and of different types are different values.
#[test]
fn types_tell_values_apart_that_have_nothing_else_to_tell() -> Result<()> {
    let null = |ty: Type| Value::tuple([Value::null(ty)]);
    assert_ne!(null(Type::String)?, null(Type::Number)?);
    let nothing = || Vec::<Value>::new();
    assert_ne!(Value::list_of(Type::String, nothing())?, Value::list_of(Type::Number, nothing())?);
    assert_ne!(Value::set_of(Type::String, nothing())?, Value::set_of(Type::Number, nothing())?);
    let map = |ty: Type| Value::map_of(ty, Vec::<(&str, Value)>::new());
    assert_ne!(map(Type::String)?, map(Type::Number)?);
    Ok(())
}
