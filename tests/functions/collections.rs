//! The functions of collections. Optimality is tried on values of one type, all of which are in the domain; soundness
//! is tried on values of every type.

use plantime::function::{Function, Functions};
use plantime::testing::Domain;
use plantime::{LengthRange, Number, NumberRange, Refinement, Type, Value};

/// What the answers must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hold {
    /// Sound: they cover all results that are possible for the arguments.
    Sound,
    /// Sound, and as precise as possible.
    Optimal,
}

use Hold::{Optimal, Sound};

use crate::domains::mixed;
use crate::laws::{function, proof};

/// Functions whose result type depends on the values of arguments: on which element is selected, which arguments are
/// empty or null, and how many elements there are.
const TYPES_FOLLOW_VALUES: &[&str] =
    &["coalesce", "coalescelist", "element", "flatten", "index", "lookup", "merge", "slice", "zipmap"];

#[track_caller]
fn try_function(function: &Function) {
    for (hold, domains) in tries(function.name()) {
        let mut proof = proof(function).on(domains);
        if TYPES_FOLLOW_VALUES.contains(&function.name()) {
            proof = proof.types_follow_values();
        }
        if hold == Optimal { proof.optimal() } else { proof }.assert();
    }
}

macro_rules! laws_of {
    ($($name:ident),* $(,)?) => {
        $(#[test]
        fn $name() {
            try_function(&function(stringify!($name)));
        })*

        /// The functions that are tried here.
        pub(crate) const TRIED: &[&str] = &[$(stringify!($name)),*];
    };
}

laws_of!(
    chunklist,
    coalesce,
    coalescelist,
    compact,
    concat,
    contains,
    distinct,
    element,
    flatten,
    hasindex,
    index,
    keys,
    length,
    lookup,
    merge,
    range,
    reverselist,
    sethaselement,
    setintersection,
    setproduct,
    setsubtract,
    setsymmetricdifference,
    setunion,
    slice,
    sort,
    values,
    zipmap,
);

/// Functions that the planning languages have otherwise than cty.
pub(crate) mod language {
    use super::*;

    macro_rules! laws_of {
        ($($name:ident),* $(,)?) => {
            $(#[test]
            fn $name() {
                try_function(Functions::standard().get(stringify!($name)).unwrap());
            })*

            /// The functions that are tried here.
            pub(crate) const TRIED: &[&str] = &[$(stringify!($name)),*];
        };
    }

    laws_of!(alltrue, anytrue, coalesce, index, length, lookup, matchkeys, one, sum, transpose,);
}

/// For each try of a function, what its answers must be, and one domain for each argument.
fn tries(function: &str) -> Vec<(Hold, Vec<Domain>)> {
    let mut all = tries_by_elements(function);
    let beside = of_undecided_elements;
    match function {
        "concat"
        | "coalescelist"
        | "setintersection"
        | "setsubtract"
        | "setsymmetricdifference"
        | "setunion" => {
            all.push((Sound, vec![beside(), beside()]));
            all.push((Sound, vec![beside(), just(&ty("set(bool)"))]));
        }
        "chunklist" | "element" => all.push((Sound, vec![beside(), numbers()])),
        "contains" | "index" => all.push((Sound, vec![beside(), just(&Type::Bool)])),
        "distinct" | "flatten" | "length" | "reverselist" => all.push((Sound, vec![beside()])),
        _ => {}
    }
    all
}

/// As [`tries`], without those on collections of several elements whose types are not decided.
fn tries_by_elements(function: &str) -> Vec<(Hold, Vec<Domain>)> {
    let small = Domain::small;
    let keys = || {
        let unknown = Value::unknown(Type::String);
        let not_null = unknown.assume_not_null().unwrap();
        let start = not_null.assume_string_prefix("a").unwrap();
        Domain::new(
            [unknown, not_null, start, "a".into(), "b".into()],
            ["ab".into(), Value::null(Type::String)],
        )
    };
    let bools = |kind: &str| just(&ty(&format!("{kind}(bool)")));
    let bool = || just(&Type::Bool);
    match function {
        "coalesce" => vec![(Optimal, vec![bool(), bool()]), (Sound, vec![some(), some()]), (Sound, three())],
        "coalescelist" => vec![
            (Optimal, vec![bools("list"), bools("list")]),
            (Sound, vec![some(), some()]),
            (Sound, three()),
        ],
        "compact" => vec![(Sound, vec![texts()])],
        "concat" => vec![
            (Optimal, vec![Domain::medium()]),
            (Optimal, vec![bools("list"), bools("list")]),
            (Sound, three()),
        ],
        "contains" | "index" => vec![(Optimal, vec![bools("list"), bool()]), (Sound, vec![some(), some()])],
        "element" => vec![(Optimal, vec![bools("list"), numbers()]), (Sound, vec![small(), numbers()])],
        "alltrue" | "anytrue" => vec![(Optimal, vec![bools("list")])],
        "chunklist" => vec![(Sound, vec![small().of(&ty("list(any)")), numbers()])],
        "distinct" => vec![(Sound, vec![Domain::medium()]), (Optimal, vec![bools("list")])],
        "flatten" | "one" => vec![(Sound, vec![Domain::medium()])],
        "matchkeys" => vec![(Sound, vec![bools("list"), bools("list"), bools("list")])],
        "merge" => {
            vec![(Sound, vec![Domain::medium()]), (Sound, vec![some(), some()]), (Sound, three())]
        }
        "range" => vec![
            (Sound, vec![numbers()]),
            (Sound, vec![numbers(), numbers()]),
            (Sound, vec![numbers(), numbers(), numbers()]),
        ],
        "sort" => vec![(Sound, vec![texts()])],
        "sum" => vec![(Sound, vec![Domain::nested()])],
        "transpose" => {
            let list = |texts: &[&str]| Value::list(texts.iter().copied()).unwrap();
            let map = Value::map([("x", list(&["a", "b"])), ("y", list(&["a"]))]).unwrap();
            vec![(Sound, vec![Domain::around([map])])]
        }
        "lookup" => vec![
            (Optimal, vec![bools("map"), keys(), bool()]),
            (Sound, vec![some(), keys(), Domain::scalars()]),
            (Sound, vec![of_typed_elements(), keys(), mixed()]),
        ],
        "reverselist" => vec![
            (Sound, vec![Domain::medium()]),
            (Optimal, vec![bools("list")]),
            (Optimal, vec![bools("set")]),
        ],
        "sethaselement" => {
            vec![(Optimal, vec![bools("set"), bool()]), (Sound, vec![small().of(&ty("set(any)")), some()])]
        }
        "setintersection" | "setsubtract" | "setsymmetricdifference" | "setunion" => {
            let any = || small().of(&ty("set(any)"));
            let mut tries = vec![(Optimal, vec![bools("set"), bools("set")]), (Sound, vec![any(), any()])];
            if function != "setsubtract" {
                tries.push((Sound, three()));
            }
            tries
        }
        "setproduct" => vec![
            (Optimal, vec![bools("list"), bools("list")]),
            (Optimal, vec![bools("set"), bools("set")]),
            (Optimal, vec![bools("set"), bools("list")]),
            (Sound, vec![of_typed_elements(), bools("set")]),
            (Sound, vec![just(&ty("tuple([bool])")), of_typed_elements()]),
            (Sound, vec![of_undecided_elements(), bools("set")]),
            (Sound, vec![bools("set"), of_undecided_elements()]),
            (Sound, vec![of_undecided_elements(), of_undecided_elements()]),
        ],
        "slice" => vec![(Sound, vec![some(), numbers(), numbers()])],
        "zipmap" => vec![(Sound, vec![texts(), some()])],
        "hasindex" => vec![(Optimal, vec![small(), small()])],
        _ => vec![(Optimal, vec![Domain::medium()])],
    }
}

/// Domains for three arguments of every kind.
fn three() -> Vec<Domain> {
    vec![mixed(); 3]
}

fn ty(text: &str) -> Type {
    text.parse().unwrap()
}

/// Some values of every kind, and all values that these may become.
fn some() -> Domain {
    let small = Domain::small();
    Domain::new(small.abstracts().step_by(4).cloned(), small.concretes().cloned())
}

/// As [`some`], without collections of nulls that have no type: their type is still undecided.
fn of_typed_elements() -> Domain {
    let some = some();
    let is_typed = |value: &&Value| !value.is_wholly_known() || !value.ty().has_dynamic();
    let typed =
        |values: &mut dyn Iterator<Item = &Value>| values.filter(is_typed).cloned().collect::<Vec<_>>();
    Domain::new(typed(&mut some.abstracts()), typed(&mut some.concretes()))
}

/// Tuples and lists of several elements of which two have no decided type, beside known ones, and what these may become.
fn of_undecided_elements() -> Domain {
    let dynamic = Value::dynamic;
    let text = Value::unknown(Type::String);
    let tuple = |items: &[Value]| Value::tuple(items.to_vec()).unwrap();
    let abstracts = [
        tuple(&[dynamic(), dynamic()]),
        tuple(&[dynamic(), dynamic(), "c".into()]),
        tuple(&[dynamic(), text, dynamic()]),
        tuple(&[true.into(), dynamic(), dynamic()]),
        tuple(&[Value::null(Type::Dynamic), dynamic(), dynamic()]),
        Value::list_of(Type::Dynamic, [dynamic(), dynamic()]).unwrap(),
        Value::set_of(Type::Dynamic, [dynamic(), dynamic()]).unwrap(),
    ];
    let parts = [Value::from("c"), Value::from("k"), true.into(), 1.into(), Value::null(Type::Dynamic)];
    let mut concretes =
        vec![Value::set(["k"]).unwrap(), Value::set(["c", "k"]).unwrap(), Value::set([true]).unwrap()];
    for a in &parts {
        for b in &parts {
            concretes.push(tuple(&[a.clone(), b.clone()]));
            concretes.extend(parts.iter().map(|c| tuple(&[a.clone(), b.clone(), c.clone()])));
        }
    }
    concretes.extend([Value::list(["k", "c"]).unwrap(), Value::list([true, true]).unwrap()]);
    // Of nulls without a type alone no collection is ever known as a whole.
    concretes.retain(|value| value.elements().any(|(_, part)| !part.is_null()));
    Domain::new(abstracts, concretes)
}

/// The values of this type.
fn just(ty: &Type) -> Domain {
    let small = Domain::small();
    let of_type = |value: &&Value| value.ty() == *ty;
    Domain::new(small.abstracts().filter(of_type).cloned(), small.concretes().filter(of_type).cloned())
}

/// Indices, and numbers that are not indices.
fn numbers() -> Domain {
    let not_null =
        |range: NumberRange| Value::refined(Type::Number, Refinement::number(range).and_not_null());
    let mut abstracts = vec![Value::dynamic(), Value::unknown(Type::Number)];
    for bound in [-1, 1] {
        abstracts.extend(not_null(NumberRange::at_least(bound)));
        abstracts.extend(not_null(NumberRange::at_most(bound)));
        abstracts.extend(NumberRange::above(bound).ok().and_then(|range| not_null(range).ok()));
    }
    let known = (-2..=3).map(Value::from);
    let half = Number::from(1).divide(&Number::from(2)).unwrap();
    let others =
        [Value::from(half), Value::from(Number::INFINITY), Value::null(Type::Number), Value::from("a")];
    let far = [-7, -6, -5, -4, -3, 4, 5, 6, 7].map(Value::from);
    Domain::new(abstracts.into_iter().chain(known), others.into_iter().chain(far))
}

/// Lists of strings.
fn texts() -> Domain {
    let lists = |parts: &[Value], most: usize| {
        let mut all = vec![Vec::new()];
        let mut longest = all.clone();
        for _ in 0..most {
            longest = longest
                .iter()
                .flat_map(|list: &Vec<Value>| {
                    parts.iter().map(|part| list.iter().cloned().chain([part.clone()]).collect())
                })
                .collect();
            all.extend(longest.clone());
        }
        all.into_iter().map(|items| Value::list_of(Type::String, items).unwrap()).collect::<Vec<_>>()
    };
    let known = ["", "a", "b"].map(Value::from);
    let concretes: Vec<Value> = known.iter().cloned().chain([Value::null(Type::String)]).collect();
    let unknown = Value::unknown(Type::String);
    let start = Value::refined(Type::String, Refinement::prefix("a").and_not_null()).unwrap();
    let abstracts = [known[0].clone(), known[1].clone(), unknown.assume_not_null().unwrap(), unknown, start];
    let list = ty("list(string)");
    let lengths = [
        LengthRange::at_least(0),
        LengthRange::at_least(1),
        LengthRange::at_most(1),
        LengthRange::at_most(2),
    ];
    let unknowns = lengths.map(|length| Value::refined(list.clone(), Refinement::length(length)).unwrap());
    let mut concrete = lists(&concretes, 3);
    concrete.push(Value::list(["zq"; 5]).unwrap());
    concrete.push(Value::null(list));
    Domain::new(lists(&abstracts, 2).into_iter().chain(unknowns).chain([Value::dynamic()]), concrete)
}
