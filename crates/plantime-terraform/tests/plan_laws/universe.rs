//! The attributes that the laws are tried on: each kind with planned values, from null to partly known.

use crate::kind::{Kind, Nesting};
use crate::tree::Tree::{self, Array, Entries, Null, Number, Text, Unknown};

/// A kind, values that a plan may have of it, and values before.
pub(crate) struct Universe {
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    pub(crate) planned: Vec<Tree>,
    pub(crate) before: Vec<Tree>,
}

fn a() -> Tree {
    Text("a")
}

fn bb() -> Tree {
    Text("bb")
}

/// The object with the attributes `p`, a string, and `q`, a number.
pub(crate) fn pair() -> Vec<(&'static str, Kind)> {
    vec![("p", Kind::String), ("q", Kind::Number)]
}

fn object(p: Tree, q: Tree) -> Tree {
    Entries(vec![("p", p), ("q", q)])
}

fn strings() -> Vec<Vec<Tree>> {
    vec![
        vec![],
        vec![a()],
        vec![Unknown],
        vec![a(), bb()],
        vec![a(), Unknown],
        vec![Unknown, Unknown],
        vec![a(), bb(), Unknown],
    ]
}

fn objects() -> Vec<Vec<Tree>> {
    vec![
        vec![],
        vec![object(a(), Number(1))],
        vec![object(a(), Unknown)],
        vec![object(a(), Number(1)), object(Unknown, Number(1))],
        vec![object(Unknown, Number(4)), object(Unknown, Null)],
    ]
}

fn entries(all: &[&[(&'static str, Tree)]]) -> Vec<Tree> {
    all.iter().map(|entries| Entries(entries.to_vec())).collect()
}

/// Null, unknown, and these.
fn with_null(trees: impl IntoIterator<Item = Tree>) -> Vec<Tree> {
    [Null, Unknown].into_iter().chain(trees).collect()
}

/// Unknown, and these: blocks are never null.
fn without_null(trees: impl IntoIterator<Item = Tree>) -> Vec<Tree> {
    [Unknown].into_iter().chain(trees).collect()
}

/// All of them.
pub(crate) fn universes() -> Vec<Universe> {
    let universe = |name, kind, planned, before| Universe { name, kind, planned, before };
    let lists = |items: Vec<Vec<Tree>>| items.into_iter().map(Array);
    let with_equal = || {
        let mut items = strings();
        items.extend([vec![a(), a()], vec![Null], vec![Unknown, Null], vec![a(), a(), Unknown]]);
        items
    };
    let maps = |one: Tree, two: Tree| {
        with_null(entries(&[
            &[],
            &[("k", one.clone())],
            &[("k", Unknown)],
            &[("k", Null)],
            &[("j", two.clone())],
            &[("j", Unknown), ("k", one.clone())],
            &[("j", two), ("k", Unknown)],
        ]))
    };
    vec![
        universe(
            "bool",
            Kind::Bool,
            with_null([Tree::Bool(true), Tree::Bool(false)]),
            vec![Null, Tree::Bool(true)],
        ),
        universe("number", Kind::Number, with_null([1, 4].map(Number)), vec![Null, Number(1), Number(4)]),
        universe("string", Kind::String, with_null([a(), bb()]), vec![Null, a()]),
        universe(
            "list",
            Kind::list(Kind::String),
            with_null(lists(with_equal())),
            vec![Null, Array(vec![a()])],
        ),
        universe("set", Kind::set(Kind::String), with_null(lists(strings())), vec![Null, Array(vec![a()])]),
        universe(
            "set-of-numbers",
            Kind::set(Kind::Number),
            with_null(lists(vec![vec![Number(1), Unknown], vec![Unknown, Unknown], vec![Number(4)]])),
            vec![Array(vec![Number(4)])],
        ),
        universe("map", Kind::map(Kind::String), maps(a(), bb()), vec![Null, Entries(vec![("k", a())])]),
        universe(
            "map-of-numbers",
            Kind::map(Kind::Number),
            maps(Number(1), Number(4)),
            vec![Null, Entries(vec![]), Entries(vec![("k", Number(4))])],
        ),
        universe(
            "object",
            Kind::Object(pair()),
            with_null([
                object(a(), Number(1)),
                object(Null, Unknown),
                object(Unknown, Number(4)),
                object(Unknown, Unknown),
                object(Null, Null),
            ]),
            vec![Null, object(a(), Number(4))],
        ),
        universe(
            "tuple",
            Kind::Tuple(vec![Kind::String, Kind::String]),
            with_null(lists(vec![
                vec![a(), bb()],
                vec![a(), a()],
                vec![Unknown, a()],
                vec![Unknown, Unknown],
                vec![Null, Unknown],
            ])),
            vec![Null, Array(vec![a(), bb()])],
        ),
        universe(
            "list-of-objects",
            Kind::list(Kind::Object(pair())),
            with_null(lists(objects())),
            vec![Array(vec![object(a(), Number(4))])],
        ),
        universe(
            "set-of-objects",
            Kind::set(Kind::Object(pair())),
            with_null(lists(objects())),
            vec![Array(vec![object(a(), Number(4))])],
        ),
        universe(
            "map-of-objects",
            Kind::map(Kind::Object(pair())),
            maps(object(a(), Number(1)), object(Unknown, Number(4))),
            vec![Entries(vec![("k", object(a(), Number(4)))])],
        ),
        universe(
            "list-of-sets",
            Kind::list(Kind::set(Kind::String)),
            with_null(lists(vec![
                vec![],
                vec![Array(vec![a(), Unknown])],
                vec![Array(vec![Unknown, Unknown]), Array(vec![a()])],
                vec![Unknown],
            ])),
            vec![Array(vec![Array(vec![a()])])],
        ),
        universe(
            "block",
            Kind::Block(Nesting::Single, pair()),
            with_null([object(a(), Unknown), object(Unknown, Unknown)]),
            vec![object(a(), Number(4))],
        ),
        universe(
            "blocks-in-list",
            Kind::Block(Nesting::List, pair()),
            without_null(lists(objects())),
            vec![Array(vec![object(a(), Number(4))])],
        ),
        universe(
            "blocks-in-set",
            Kind::Block(Nesting::Set, pair()),
            without_null(lists(objects())),
            vec![Array(vec![object(a(), Number(4))])],
        ),
        universe(
            "blocks-in-map",
            Kind::Block(Nesting::Map, pair()),
            without_null(entries(&[
                &[],
                &[("k", object(Unknown, Number(1)))],
                &[("j", object(a(), Number(1))), ("k", object(a(), Unknown))],
            ])),
            vec![Entries(vec![("k", object(a(), Number(4)))])],
        ),
    ]
}
