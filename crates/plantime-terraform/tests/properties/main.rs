//! The laws of plans on large random values: the concrete value is made first, and the abstract one from it.
//!
//! `PROPTEST_CASES=100000 cargo test --release --package plantime-terraform --test properties` tries more of them.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test says what went wrong by failing"
)]

#[path = "../checks/mod.rs"]
mod checks;
mod plans;
mod texts;
mod verified;

use std::fmt::Debug;

use proptest::prelude::Strategy;
use proptest::test_runner::{Config, RngSeed, TestRunner};

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
