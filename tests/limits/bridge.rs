//! Rust values and values of this crate at the limits of depth, and what claims to be larger than it is.

use std::collections::BTreeMap;

use plantime::bridge::{Planned, from_value, implied_type, to_value, to_value_as};
use plantime::{Mark, Type, TypeConstraint, Value, limits};
use serde::ser::SerializeSeq;
use serde::{Deserialize, Serialize, Serializer};

use crate::{WRAPS, cores, deepest, on_small_stack};

/// As many levels as a value may have.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Chain {
    name: String,
    next: Option<Box<Chain>>,
}

fn chain(levels: usize) -> Chain {
    (1..levels).fold(Chain { name: "n".into(), next: None }, |next, _| Chain {
        name: "n".into(),
        next: Some(Box::new(next)),
    })
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
enum Tree {
    Leaf(u8),
    List(Vec<Tree>),
    Planned(Box<Planned<Tree>>),
    Map(BTreeMap<String, Tree>),
}

#[test]
fn the_deepest_structs_become_values_and_structs_again_on_a_small_stack() {
    on_small_stack(|| {
        let deepest = chain(limits::DEPTH);
        let value = to_value(&deepest).unwrap();
        assert_eq!(value.ty().depth(), limits::DEPTH);
        assert_eq!(from_value::<Chain>(&value).unwrap(), deepest);
        assert!(to_value(&chain(limits::DEPTH + 1)).unwrap_err().is_limit());
        let constraint = TypeConstraint::from(value.ty());
        assert_eq!(to_value_as(&deepest, &constraint).unwrap(), value);
        let json: serde_json::Value = from_value(&value).unwrap();
        assert_eq!(from_value::<serde_json::Value>(&to_value(&json).unwrap()).unwrap(), json);
    });
}

#[test]
fn the_deepest_enums_become_values_and_enums_again_on_a_small_stack() {
    for wrap in [
        |tree| Tree::List(vec![tree]),
        |tree| Tree::Planned(Box::new(Planned::Known(tree))),
        |tree| Tree::Map(BTreeMap::from([("k".to_owned(), tree)])),
    ] as [fn(Tree) -> Tree; 3]
    {
        on_small_stack(move || {
            let levels = if matches!(wrap(Tree::Leaf(1)), Tree::Planned(_)) { 255 } else { 127 };
            let tree = (0..levels).fold(Tree::Leaf(1), |tree, _| wrap(tree));
            let value = to_value(&tree).unwrap();
            assert!(value.ty().depth() >= limits::DEPTH - 1);
            assert_eq!(from_value::<Tree>(&value).unwrap(), tree);
            assert!(to_value(&wrap(wrap(tree))).unwrap_err().is_limit());
        });
    }
}

#[test]
fn the_deepest_values_pass_on_a_small_stack() {
    for wrap in WRAPS {
        on_small_stack(move || {
            for core in cores() {
                let value = deepest(&core, wrap);
                assert_eq!(to_value(&value).unwrap(), value);
                assert_eq!(from_value::<Value>(&value).unwrap(), value);
                let planned = Planned::from(value.clone());
                assert_eq!(to_value(&planned).unwrap(), value);
                let anything = from_value::<serde_json::Value>(&value);
                assert!(anything.is_ok() || !core.is_wholly_known() || core.is_marked());
            }
        });
    }
}

/// Options and newtypes add no level, so they have a limit of their own: such a type never ends.
#[derive(Debug, Serialize, Deserialize)]
struct Endless(Option<Box<Endless>>);

#[test]
fn a_type_that_never_ends_is_refused_on_a_small_stack() {
    on_small_stack(|| {
        let error = from_value::<Endless>(&Value::from(1)).unwrap_err();
        assert!(error.is_limit(), "{error}");
        assert_eq!(error.to_string(), "options and newtypes may nest 512 levels deep");
        assert!(from_value::<Endless>(&Value::null(Type::Bool)).is_ok());
        let endless = (0..10_000).fold(Endless(None), |inner, _| Endless(Some(Box::new(inner))));
        assert!(to_value(&endless).unwrap_err().is_limit());
        std::mem::forget(endless);
    });
}

#[test]
fn a_recursive_type_implies_none_on_a_small_stack() {
    on_small_stack(|| {
        assert!(implied_type::<Chain>().unwrap_err().is_limit());
        assert!(implied_type::<Tree>().unwrap_err().is_limit());
        assert!(implied_type::<Endless>().unwrap_err().is_limit());
    });
}

#[test]
fn a_length_that_is_a_lie_allocates_nothing() {
    struct Liar;

    impl Serialize for Liar {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.serialize_seq(Some(usize::MAX))?.end()
        }
    }

    assert_eq!(to_value(&Liar).unwrap(), Value::list_of(Type::Dynamic, [0_u8; 0]).unwrap());
}

#[test]
fn marks_are_kept_at_any_depth_or_refused() {
    let value = deepest(&Value::from("x").mark(Mark::SENSITIVE), WRAPS[0]);
    on_small_stack(move || {
        assert!(from_value::<serde_json::Value>(&value).unwrap_err().is_marked());
        assert_eq!(from_value::<Vec<Value>>(&value).unwrap().len(), 1);
    });
}
