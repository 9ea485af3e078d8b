//! The inner operations, each alone, with criterion: how long one takes, and how that moved since the last run.
//!
//! ```text
//! cargo bench --bench inner                       all of them
//! cargo bench --bench inner -- equals             those with this in their name
//! cargo bench --bench inner -- --quick convert    fewer rounds
//! ```
//!
//! The inputs are those of `benches/growth`: objects have four attributes, one of them a map; planned objects are partly
//! known. Lists and sets have a hundred parts.
#![allow(clippy::arithmetic_side_effects, clippy::expect_used, clippy::panic, missing_docs, unreachable_pub)]

mod changed;
#[path = "../growth/inputs.rs"]
#[allow(dead_code, reason = "what is not needed is for the other program")]
mod inputs;
mod made;
mod seen;

use criterion::Criterion;

/// How many parts a list or a set has.
const PARTS: usize = 100;

/// How a value is made.
type Make = fn() -> plantime::Value;

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    made::construct(&mut criterion);
    made::clone(&mut criterion);
    made::drop(&mut criterion);
    seen::equals(&mut criterion);
    seen::order(&mut criterion);
    seen::hash(&mut criterion);
    seen::get_attr(&mut criterion);
    seen::index(&mut criterion);
    seen::walk(&mut criterion);
    seen::rules(&mut criterion);
    changed::refine(&mut criterion);
    changed::meet(&mut criterion);
    changed::convert(&mut criterion);
    changed::transform(&mut criterion);
    changed::marks(&mut criterion);
    criterion.final_summary();
}
