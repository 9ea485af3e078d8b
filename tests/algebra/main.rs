//! The exhaustive algebra: small universes, every abstract value, every operation, held against what brute
//! force over concrete values says. The laws are those of DESIGN.md; `cargo test --all-features --test algebra -- --nocapture`
//! prints how much was tried.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

mod arithmetic;
mod assume;
#[cfg(any(feature = "arbitrary", feature = "proptest"))]
mod becoming;
mod beyond;
mod canonical;
mod capsules;
mod concat;
mod concrete;
mod convert;
mod convert_reference;
mod deep;
mod defects;
mod elements;
#[cfg(all(feature = "json", feature = "msgpack"))]
mod few_numbers;
mod flow;
mod harness;
mod integers;
mod join;
mod laws;
mod ledger;
mod long_lists;
mod marks;
#[cfg(feature = "msgpack")]
mod msgpack;
mod paths;
mod set_algebra;
mod set_order;
mod undecided_nulls;
mod unify;
mod unify_reference;
mod unknown_as_null;

use plantime::testing::gamma::{self, Abs};
use plantime::testing::universe;

#[test]
fn each_abstract_value_becomes_one_value_exactly_when_it_is_wholly_known() {
    let world = universe::world();
    for universe in [&world.s, &world.m, &world.nested] {
        println!(
            "universe {:7} {:5} abstract values, {:5} concrete values, {:6} covering pairs",
            universe.name,
            universe.abstracts.len(),
            universe.concretes.len(),
            universe.covering.len()
        );
    }
    assert!(world.nested.abstracts.len() <= 850);
    for universe in [&world.s, &world.m, &world.nested] {
        for &i in &universe.abstracts {
            let entry = &world.abstracts[i];
            let count = entry.gamma.and(&universe.mask).count();
            // A partial set is made known by the rules of its length only, not by everything that can be told.
            let partial_set = matches!(&entry.abs, Abs::Set { undecided, .. } if !undecided.is_empty());
            let known = entry.abs.is_wholly_known();
            assert!(
                count > 0 && (count == 1) == known || partial_set && count == 1,
                "{:?}: {count}",
                entry.abs
            );
        }
    }
}
