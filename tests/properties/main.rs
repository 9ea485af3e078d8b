//! The laws on large random values: the concrete value is made first, and the abstract one from it.
//!
//! `PROPTEST_CASES=100000 cargo test --release --all-features --test properties` tries more of them.

#![allow(clippy::panic, clippy::unwrap_used, reason = "a test says what went wrong by failing")]

#[path = "../checks/mod.rs"]
mod checks;

mod bridge;
mod functions;
mod kinds;
mod known_elements;
mod laws;
mod outcomes;
mod shrinking;
mod texts;
mod wire;

use std::fmt::Debug;

use plantime::sample::{Size, Weakened};
use plantime::strategy::{constraint_for, weakened, weakened_of, weakening_of, wider_than};
use plantime::{Value, convert};
use proptest::prelude::{Just, Strategy, prop_oneof};
use proptest::strategy::BoxedStrategy;
use proptest::test_runner::{Config, RngSeed, TestRunner};

use checks::operations::Kind;

/// Tries a law on `cases` random values from a fixed seed; where `PROPTEST_CASES` is set, on that number from a random seed.
#[track_caller]
fn law<S: Strategy<Value: Debug>>(cases: u32, strategy: &S, law: impl Fn(S::Value)) {
    let (cases, rng_seed) = match std::env::var("PROPTEST_CASES") {
        Ok(cases) => (cases.parse().unwrap(), RngSeed::Random),
        Err(_) => (cases, RngSeed::Fixed(1)),
    };
    let config =
        Config { cases, rng_seed, failure_persistence: None, max_shrink_iters: 20_000, ..Config::default() };
    let outcome = TestRunner::new(config).run(strategy, |value| {
        law(value);
        Ok(())
    });
    if let Err(error) = outcome {
        panic!("{error}");
    }
}

/// Pairs of all sizes, most of them readable.
fn pairs() -> BoxedStrategy<Weakened> {
    prop_oneof![4 => weakened(Size::default()), 1 => weakened(Size::LARGE)].boxed()
}

/// The pair, and a value that contains its weakened one.
fn with_wider(pairs: impl Strategy<Value = Weakened> + 'static) -> BoxedStrategy<(Weakened, Value)> {
    pairs.prop_flat_map(|pair| (Just(pair.clone()), wider_than(pair.value().clone()))).boxed()
}

/// An operand of an operation of this kind.
fn operand(kind: Kind) -> BoxedStrategy<Weakened> {
    use plantime::Type;
    use plantime::strategy::ty;
    let of = |of: fn(Type) -> Type| {
        ty(Size::default(), false).prop_flat_map(move |inner| weakened_of(of(inner), Size::default())).boxed()
    };
    match kind {
        Kind::Any => pairs(),
        Kind::Bool => weakened_of(Type::Bool, Size::default()).boxed(),
        Kind::Number => weakened_of(Type::Number, Size::default()).boxed(),
        Kind::Set | Kind::Sets => of(|inner| Type::set(inner).unwrap()),
        Kind::Container => prop_oneof![
            of(|inner| Type::list(inner).unwrap()),
            of(|inner| Type::map(inner).unwrap()),
            of(|inner| Type::tuple([inner, Type::Number]).unwrap()),
            weakened(Size::default()),
        ]
        .boxed(),
    }
}

/// Operands that have something to do with each other.
fn operands(kind: Kind) -> BoxedStrategy<(Weakened, Weakened)> {
    let partner = move |first: &Weakened| -> BoxedStrategy<Weakened> {
        let own = first.concrete();
        match (kind, own.view()) {
            (Kind::Container, plantime::View::Map(map)) => {
                let keys: Vec<Value> = map.iter().map(|(key, _)| Value::from(key)).collect();
                member(keys, plantime::Type::String)
            }
            (Kind::Container, _) => member((0..3).map(Value::from).collect(), plantime::Type::Number),
            (Kind::Set, plantime::View::Set(set)) => member(set.known().to_vec(), set.element_type().clone()),
            _ => prop_oneof![
                weakening_of(own.clone()),
                weakened_of(own.ty(), Size::default()),
                weakened(Size::default()),
                converted(own.clone()),
            ]
            .boxed(),
        }
    };
    prop_oneof![8 => operand(kind), 1 => operand(Kind::Any)]
        .prop_flat_map(move |first| (Just(first.clone()), partner(&first)))
        .boxed()
}

/// What the value converts to, weakened; the value where it converts to nothing.
fn converted(value: Value) -> BoxedStrategy<Weakened> {
    constraint_for(value.ty(), Size::default())
        .prop_flat_map(move |to| {
            let converted = convert(&value, &to).ok().filter(Value::is_wholly_known);
            weakening_of(converted.unwrap_or_else(|| value.clone()))
        })
        .boxed()
}

/// One of the values, weakened, or another of the type.
fn member(values: Vec<Value>, ty: plantime::Type) -> BoxedStrategy<Weakened> {
    let other = weakened_of(ty, Size::default());
    if values.is_empty() {
        return other.boxed();
    }
    let one = proptest::sample::select(values).prop_flat_map(weakening_of);
    prop_oneof![3 => one, 1 => other].boxed()
}
