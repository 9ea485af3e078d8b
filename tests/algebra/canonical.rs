//! Canonical form (L9) and determinism (L7).

use std::cmp::Ordering;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use plantime::{Knownness, LengthRange, Refinement, Type, Value};

use super::concrete::Ty;
use super::gamma::{Abs, Bits};
use super::laws::{BINARY, UNARY, Violations, kinds};
use super::universe::{rebuilt, ty, world};

fn hash(value: &Value) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// `Eq`, `Ord` and `Hash` agree with each other and with what the view shows.
#[test]
fn equality_order_and_hash_compare_representation() {
    let world = world();
    let mut wrong = Violations::default();
    let mut sorted: Vec<&Value> = world.abstracts.iter().map(|entry| &entry.value).collect();
    sorted.sort();
    // Sorted, so that the order is total if every earlier value is below every later one.
    for (i, a) in sorted.iter().enumerate() {
        for (j, b) in sorted.iter().enumerate() {
            let order = i.cmp(&j);
            if a.cmp(b) != order || (*a == *b) != (order == Ordering::Equal) {
                wrong.add("order", || format!("{a:?} and {b:?}"));
            }
        }
    }
    for value in rebuilt() {
        let abs = Abs::of(&value);
        let same = &world.abstracts.iter().find(|entry| entry.abs == abs).unwrap().value;
        if value != *same || value.cmp(same) != Ordering::Equal || hash(&value) != hash(same) {
            wrong.add("built anew", || format!("{value:?} and {same:?}"));
        }
    }
    wrong.none("representation");
}

/// Whether a set is at, or below, the top of the value.
fn has_set(abs: &Abs) -> bool {
    fn of(ty: &Ty) -> bool {
        match ty {
            Ty::Set(_) => true,
            Ty::List(ty) | Ty::Map(ty) => of(ty),
            Ty::Tuple(parts) => parts.iter().any(of),
            Ty::Object(parts) => parts.values().any(of),
            _ => false,
        }
    }
    of(&abs.ty())
}

fn is_product(ty: &Ty) -> bool {
    matches!(ty, Ty::Tuple(_) | Ty::Object(_))
}

/// Values that may become the same are the same, but for the named exceptions: sets, and the not-null unknown tuple
/// or object.
#[test]
fn equal_gamma_means_equal_representation() {
    let world = world();
    let mut wrong = Violations::default();
    let mut seen: HashMap<&Bits, &Abs> = HashMap::new();
    for entry in &world.abstracts {
        if let Some(other) = seen.insert(&entry.gamma, &entry.abs)
            && !(has_set(&entry.abs) && has_set(other))
            && !is_product(&entry.abs.ty())
        {
            wrong.add(kinds("L9", &[other, &entry.abs]), || format!("{other:?} and {:?}", entry.abs));
        }
    }
    wrong.none("canonical form");
}

/// Built anew and asked again, everything answers the same, text and order of members included.
#[test]
fn same_input_gives_the_same_output() {
    let world = world();
    let again = rebuilt();
    let text = |value: &Value| format!("{value} {value:?}");
    let by_abs: HashMap<Abs, &Value> = again.iter().map(|value| (Abs::of(value), value)).collect();
    let pairs: Vec<(&Value, &Value)> = world
        .s
        .abstracts
        .iter()
        .map(|i| &world.abstracts[*i])
        .map(|entry| (&entry.value, by_abs[&entry.abs]))
        .collect();
    for (a, other) in &pairs {
        assert_eq!(text(a), text(other));
        for op in &UNARY {
            assert_eq!(format!("{:?}", (op.library)(a)), format!("{:?}", (op.library)(other)));
        }
    }
    for (a, other_a) in pairs.iter().step_by(3) {
        for (b, other_b) in pairs.iter().step_by(3) {
            for op in &BINARY {
                let (answer, other) = ((op.library)(a, b), (op.library)(other_a, other_b));
                match (&answer, &other) {
                    (Ok(answer), Ok(other)) => assert_eq!(Abs::of(answer), Abs::of(other)),
                    (Err(answer), Err(other)) => assert_eq!(answer.to_string(), other.to_string()),
                    _ => panic!("{answer:?} and {other:?}"),
                }
            }
        }
    }
}

/// The order in which members, entries and attributes are given does not show.
#[test]
fn the_order_of_construction_does_not_show() {
    let world = world();
    let parts: Vec<&Value> = world.s.abstracts.iter().map(|i| &world.abstracts[*i].value).collect();
    for (i, a) in parts.iter().enumerate() {
        for b in parts.iter().skip(i).take(40) {
            if let (Ok(one), Ok(other)) =
                (Value::set([(*a).clone(), (*b).clone()]), Value::set([(*b).clone(), (*a).clone()]))
            {
                assert_eq!((&one, format!("{one:?}")), (&other, format!("{other:?}")));
            }
            let one = Value::object([("a", (*a).clone()), ("b", (*b).clone())]).unwrap();
            let other = Value::object([("b", (*b).clone()), ("a", (*a).clone())]).unwrap();
            assert_eq!((&one, format!("{one:?}")), (&other, format!("{other:?}")));
        }
    }
}

/// The named exception: the wire has the not-null unknown object, so it stays; but for the empty one.
#[test]
fn a_not_null_unknown_object_or_tuple_stays_refined() {
    for text in ["object({a = bool})", "tuple([bool])", "tuple([any])"] {
        let value = Value::refined(ty(text), Refinement::not_null()).unwrap();
        assert_eq!(value.knownness(), Knownness::Refined);
    }
    for text in ["object({})", "tuple([])"] {
        let value = Value::refined(ty(text), Refinement::not_null()).unwrap();
        assert_eq!(value.knownness(), Knownness::Known);
    }
}

/// The named exception: of sets, what is told of their members decides when they become known, and no more.
#[test]
fn partial_sets_become_known_by_their_length() {
    let unknown = Value::refined(Type::String, Refinement::not_null()).unwrap();
    let set = Value::set([Value::from("a"), unknown.clone()]).unwrap();
    assert_eq!(set.assume_set_length_max(1).unwrap(), Value::set(["a"]).unwrap());
    assert_eq!(set.assume_set_length_min(2).unwrap().knownness(), Knownness::Partial);
    // Two unknowns are two members, whatever they look like; with room for one only, they are not made one.
    let two = Value::set([unknown.clone(), unknown.clone()]).unwrap();
    let narrowed = two.assume_set_length_max(1).unwrap();
    assert_ne!(narrowed, Value::set([unknown]).unwrap());
    assert_eq!(narrowed.length().unwrap(), Value::from(1));
}

/// The named exception: finite types are recognised for bool, `object({})` and `tuple([])` only.
#[test]
fn a_set_over_few_values_becomes_known_when_one_set_is_left() {
    let bool = Value::refined(Type::Bool, Refinement::not_null()).unwrap();
    let both = Value::set([bool.clone(), bool.clone()]).unwrap().assume_set_length_min(2).unwrap();
    assert_eq!(both, Value::set([true, false]).unwrap());
    let empty = Value::object(Vec::<(&str, Value)>::new()).unwrap();
    let unknown = Value::unknown(ty("object({})"));
    let set = Value::set([empty.clone(), unknown]).unwrap().assume_set_length_min(2).unwrap();
    assert_eq!(set, Value::set([empty, Value::null(ty("object({})"))]).unwrap());
    // An unknown set of as many members as there are is all of them.
    let all = Refinement::length(LengthRange::at_least(3)).and_not_null();
    let every = Value::set([Value::from(true), Value::from(false), Value::null(Type::Bool)]).unwrap();
    assert_eq!(Value::refined(ty("set(bool)"), all).unwrap(), every);
    let most = Refinement::length(LengthRange::at_most(3));
    let unknown = Value::unknown(ty("set(bool)"));
    assert_eq!(Value::refined(ty("set(bool)"), most).unwrap(), unknown);
    let more = Refinement::length(LengthRange::at_least(4));
    assert_eq!(unknown.assume(&more).unwrap(), Value::null(ty("set(bool)")));
    for error in [
        unknown.assume(&more.clone().and_not_null()).unwrap_err(),
        Value::refined(ty("set(bool)"), more.and_not_null()).unwrap_err(),
    ] {
        assert!(error.is_contradiction(), "{error}");
    }
}

/// Below an undecided element type a null, and an empty collection, has one form.
#[test]
fn parts_of_undecided_type_have_one_form() {
    let list = ty("list(any)");
    let none = Refinement::length(LengthRange::exactly(0)).and_not_null();
    let forms = [
        (Value::refined(list.clone(), Refinement::null()).unwrap(), Value::null(list.clone())),
        (
            Value::refined(list.clone(), none).unwrap(),
            Value::list_of(Type::Dynamic, Vec::<Value>::new()).unwrap(),
        ),
    ];
    for (refined, known) in forms {
        assert_ne!(refined, known);
        let of = |part: &Value| {
            let tuple = Value::tuple([part.clone()]).unwrap();
            [
                Value::list([part.clone()]).unwrap(),
                Value::map([("a", part.clone())]).unwrap(),
                Value::set([part.clone()]).unwrap(),
                Value::list([tuple]).unwrap(),
            ]
        };
        assert_eq!(of(&refined), of(&known));
        assert_eq!(Value::list([known]).unwrap().index(&Value::from(0)).unwrap(), refined);
    }
}
