//! The documented limits hold for everything public: 256 levels fit a 1 MiB stack, also in a debug build
//! (`CARGO_PROFILE_TEST_OPT_LEVEL=0 cargo test --all-features --test limits`), and nothing grows out of proportion.

#![allow(clippy::unwrap_used, reason = "a test says what went wrong by failing")]

#[cfg(feature = "serde")]
mod bridge;
mod convert;
mod growth;
mod json;
#[cfg(feature = "msgpack")]
mod msgpack;
#[cfg(feature = "serde")]
mod serial;
mod sets;

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use plantime::{Mark, MarkChange, Number, NumberRange, Path, Refinement, Result, Type, Value, limits};

/// Runs on a stack of 1 MiB.
#[track_caller]
fn on_small_stack(work: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(1 << 20).spawn(work).unwrap().join().unwrap();
}

fn wrap_tuple(value: Value) -> Result<Value> {
    Value::tuple([value])
}

fn wrap_list(value: Value) -> Result<Value> {
    Value::list([value])
}

fn wrap_set(value: Value) -> Result<Value> {
    Value::set([value])
}

fn wrap_map(value: Value) -> Result<Value> {
    Value::map([("k", value)])
}

fn wrap_object(value: Value) -> Result<Value> {
    Value::object([("a", value)])
}

const WRAPS: [fn(Value) -> Result<Value>; 5] = [wrap_tuple, wrap_list, wrap_set, wrap_map, wrap_object];

/// As deep as a value may be.
fn deepest(core: &Value, wrap: fn(Value) -> Result<Value>) -> Value {
    let mut value = core.clone();
    for _ in 0..limits::DEPTH {
        value = wrap(value).unwrap();
    }
    assert!(wrap(value.clone()).unwrap_err().is_limit());
    value
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

fn cores() -> Vec<Value> {
    vec![
        Value::from("x"),
        Value::from("x").mark(Mark::SENSITIVE),
        Value::unknown(Type::String),
        Value::null(Type::String),
    ]
}

#[test]
fn the_deepest_values_fit_a_small_stack() {
    for wrap in WRAPS {
        for core in cores() {
            on_small_stack(move || {
                let (a, b) = (deepest(&core, wrap), deepest(&core, wrap));
                assert_eq!(a, b);
                assert_eq!(hash(&a), hash(&b));
                assert_eq!(a.cmp(&b), std::cmp::Ordering::Equal);
                let copy = a.clone();
                assert!(format!("{a}{a:?}{a:#?}").len() > 1);
                let _ = (a.equals(&b).unwrap(), a.not_equal(&b).unwrap(), a.length().unwrap());
                let mut parts = 0;
                a.walk(|path, _| {
                    parts = parts.max(path.len());
                    true
                });
                assert_eq!(parts, limits::DEPTH);
                let (bare, places) = a.unmark_deep_with_paths();
                assert_eq!(bare.mark_with_paths(&places), a);
                assert_eq!(a.parts().count(), limits::DEPTH + 1);
                assert_eq!(a.transform(|_, part| Ok(part)).unwrap(), a);
                let marked = a.transform_with(|_, part| Ok(part), |_, part| Ok(part.mark(Mark::EPHEMERAL)));
                let marked = marked.unwrap();
                assert!(marked.has_mark_deep(&Mark::EPHEMERAL));
                let bare = marked.wrangle_marks(|_, _| MarkChange::Drop);
                assert_eq!(bare, a.unmark_deep().0);
                let _ = (a.unmark_deep(), a.range(), a.ty().to_string(), a.view());
                let path = {
                    let mut deepest = Path::new();
                    a.walk(|path, _| {
                        if path.len() > deepest.len() && path.len() <= 40 {
                            deepest = path.clone();
                        }
                        true
                    });
                    deepest
                };
                assert!(a.get(&path).is_ok());
                assert!(a.range().includes(&b).is_some());
                let other = deepest(&Value::from("y"), wrap);
                assert_eq!(Value::join(&[&a, &b]).unwrap(), a);
                let some = Value::unknown(Type::Bool).conditional(&a, &other).unwrap();
                assert!(!some.is_wholly_known() || a.is_wholly_known());
                assert!(some.unknown_as_null().is_ok());
                let _ = (a.has_element(&b), a.has_element(&some), some.has_element(&a));
                let _ = (a.equals(&other).unwrap(), a.cmp(&other));
                assert!(a.assume_type(&b.ty()).is_ok());
                assert!(a.assume_equal(&b).is_ok());
                drop((copy, a, b));
            });
        }
    }
}

#[test]
fn the_deepest_undecided_values_fit_a_small_stack() {
    for wrap in [wrap_tuple, wrap_object] {
        on_small_stack(move || {
            let undecided = deepest(&Value::dynamic(), wrap);
            let known = deepest(&Value::from("x"), wrap);
            assert!(undecided.equals(&known).unwrap().range().is_not_null());
            let typed = undecided.assume_type(&known.ty()).unwrap();
            assert_eq!(typed.ty(), known.ty());
            // What an undecided type decides is hidden at every level first.
            assert!(known.assume_equal(&undecided).is_ok());
            let texts = deepest(&Value::from(1), wrap);
            assert!(texts.assume_equal(&undecided).is_ok());
            let tuple = Value::tuple([known.clone()]);
            assert!(tuple.is_err());
        });
    }
    for (wrap, of) in
        [(wrap_list as fn(Value) -> Result<Value>, "list"), (wrap_set, "set"), (wrap_map, "map")]
    {
        on_small_stack(move || {
            let known = deepest(&Value::from("x"), wrap);
            let ty = (0..limits::DEPTH.saturating_sub(1))
                .fold("dynamic".to_owned(), |ty, _| format!("{of}({ty})"));
            assert!(known.assume_equal(&Value::unknown(ty.parse().unwrap())).is_ok());
        });
    }
    on_small_stack(|| {
        let list = Value::list([deepest_of(250, "a"), deepest_of(250, "b")]).unwrap();
        let some = list.index(&Value::unknown(Type::Number)).unwrap();
        assert!(!some.is_wholly_known());
    });
}

fn deepest_of(levels: usize, core: &str) -> Value {
    (0..levels).fold(Value::from(core), |value, _| Value::tuple([value]).unwrap())
}

#[test]
fn the_deepest_refined_values_fit_a_small_stack() {
    on_small_stack(|| {
        let ty = (0..limits::DEPTH).fold(Type::String, |ty, _| Type::list(ty).unwrap());
        assert!(Type::list(ty.clone()).unwrap_err().is_limit());
        let two: Refinement = "notnull(listlength(2))".parse().unwrap();
        let value = Value::refined(ty.clone(), two).unwrap();
        assert_eq!(value.length().unwrap(), Value::from(2));
        let unknown = Value::unknown(ty);
        assert!(!unknown.equals(&value).unwrap().is_known());
        drop((format!("{unknown:?}{value:?}{value}"), unknown, value));
    });
}

#[test]
fn sharing_does_not_make_values_or_types_out_of_proportion() {
    let mut value = Value::from("x");
    let error = loop {
        match Value::tuple([value.clone(), value.clone()]) {
            Ok(pair) => value = pair,
            Err(error) => break error,
        }
    };
    assert!(error.is_limit());
    assert_eq!(error.to_string(), "a value may have at most 134217728 parts");
    // It has 2^27 - 1 parts; one around it is just allowed.
    let most = Value::tuple([value]).unwrap();
    assert!(Value::tuple([most]).unwrap_err().is_limit());
    let mut ty = Type::String;
    let error = loop {
        match Type::tuple([ty.clone(), ty.clone()]) {
            Ok(pair) => ty = pair,
            Err(error) => break error,
        }
    };
    assert_eq!(error.to_string(), "a type may have at most 134217728 parts");
    let most = Type::tuple([ty]).unwrap();
    assert!(Type::tuple([most]).unwrap_err().is_limit());
}

#[test]
fn numbers_out_of_proportion_are_refused_at_once() {
    for text in ["1e1000000000", "1e-1000000000", "-1e99999999", "1e8192"] {
        assert!(text.parse::<Number>().unwrap_err().is_limit(), "{text}");
    }
    let large: Number = "1e8000".parse().unwrap();
    assert!(large.multiply(&large).unwrap_err().is_limit());
    let range = NumberRange::at_least(large);
    assert!(Value::refined(Type::Number, Refinement::number(range)).is_ok());
}

#[test]
fn a_length_beyond_the_collapse_limit_stays_a_refinement() {
    let list = Type::list(Type::Bool).unwrap();
    for (length, collapses) in [(0, true), (32, true), (33, false), (8_000_000, false), (u64::MAX, false)] {
        let value = Value::unknown(list.clone()).assume_list_length(length, length).unwrap();
        let value = value.assume_not_null().unwrap();
        assert_eq!(value.is_known(), collapses, "{length}");
        assert_eq!(value.length().unwrap(), Value::from(length));
    }
}
