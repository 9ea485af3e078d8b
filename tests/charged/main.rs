//! What a call costs is told by its arguments, its result and what it charges: who bounds the sum of these bounds what all calls
//! together cost. The cost is counted in bytes that are allocated, which is the same in each run.
//!
//! `PLANTIME_FUNCTION` names one function to be tried alone. Where a loop allocates nothing, `hostile charged::` measures its time.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test says what went wrong by failing"
)]

mod values;

use std::alloc::System;

use plantime::function::{Function, Functions};
use plantime::unstable::function::work;
use plantime::{Type, Value};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

use values::Values;

#[global_allocator]
static MEMORY: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// What a call may allocate apart from its steps, and with each step, in bytes.
const OF_CALL: usize = 128 << 10;
const OF_STEP: usize = 1_536;

/// What a call has cost.
struct Cost {
    call: String,
    bytes: usize,
    steps: u64,
}

impl Cost {
    /// How much of what it may allocate it did.
    fn share(&self) -> f64 {
        self.bytes as f64 / (OF_CALL as f64 + OF_STEP as f64 * self.steps as f64)
    }
}

fn cost(function: &Function, names: &str, arguments: &[Value]) -> Cost {
    let measured = || {
        let _ = work::take();
        let region = Region::new(MEMORY);
        let result = function.call_converting(arguments);
        let bytes = region.change().bytes_allocated;
        let sizes = arguments.iter().chain(result.as_ref().ok()).map(work::of);
        let steps = sizes.chain([work::take()]).fold(0, u64::saturating_add);
        Cost { call: format!("{}({names})", function.name()), bytes, steps }
    };
    // The first call fills what is kept for later, such as compiled expressions.
    let first = measured();
    if first.share() <= 1.0 { first } else { measured() }
}

/// The types of the arguments of calls, with one and with two further arguments where their number is open.
fn signatures(function: &Function) -> Vec<Vec<Type>> {
    let fixed: Vec<Type> = function.parameters().iter().map(|parameter| parameter.ty().clone()).collect();
    match function.variadic() {
        None => vec![fixed],
        Some(variadic) => {
            (1..=2).map(|more| [&fixed[..], &vec![variadic.ty().clone(); more]].concat()).collect()
        }
    }
}

/// Arguments, each wide in turn with the others plain, and all wide together.
fn calls(types: &[Type], values: &Values) -> Vec<(String, Vec<Value>)> {
    let pools: Vec<_> = types.iter().map(|ty| values.of(ty)).collect();
    let plain: Vec<Value> = types.iter().map(|ty| values.plain(ty)).collect();
    let mut calls = Vec::new();
    for (i, pool) in pools.iter().enumerate() {
        for (name, value) in pool {
            let mut arguments = plain.clone();
            arguments[i] = (*value).clone();
            calls.push((format!("{}: {name}", i + 1), arguments));
        }
    }
    let longest = pools.iter().map(Vec::len).max().unwrap_or(0);
    for (at, apart) in (0..longest).flat_map(|at| [(at, 0), (at, 1)]).filter(|_| types.len() > 1) {
        let chosen = pools.iter().enumerate().map(|(i, pool)| pool[(at + i * apart) % pool.len()]);
        let (names, arguments): (Vec<_>, Vec<_>) = chosen.map(|(name, value)| (*name, value.clone())).unzip();
        calls.push((names.join(", "), arguments));
    }
    calls
}

#[test]
fn every_function_charges_what_it_allocates() {
    let values = Values::new();
    let only = std::env::var("PLANTIME_FUNCTION").ok();
    let is_tried = |function: &&Function| only.as_deref().is_none_or(|only| only == function.name());
    let mut costs = Vec::new();
    for function in Functions::rules().iter().chain(Functions::cty().iter()).filter(is_tried) {
        for types in signatures(function) {
            for (names, arguments) in calls(&types, &values) {
                costs.push(cost(function, &names, &arguments));
            }
        }
    }
    costs.sort_by(|a, b| b.share().total_cmp(&a.share()));
    let told = |cost: &Cost| {
        format!("{:>8.2} {:>10} bytes {:>9} steps {}", cost.share(), cost.bytes, cost.steps, cost.call)
    };
    costs.iter().take(40).for_each(|cost| println!("{}", told(cost)));
    println!("{} calls", costs.len());
    let faults: Vec<String> = costs.iter().filter(|cost| cost.share() > 1.0).map(told).collect();
    assert!(
        faults.is_empty(),
        "{} calls allocate more than they charge:\n{}",
        faults.len(),
        faults.join("\n")
    );
}
