//! Every function on every hostile value that its parameters take.

use plantime::function::{Function, Functions};
use plantime::{Type, Value};

use crate::bounds::{Cost, alone, cost};
use crate::values::{Hostile, Values};

/// Arguments, each hostile in turn with the others plain, and all hostile together.
fn calls(types: &[Type], values: &Values) -> Vec<(String, Vec<Value>)> {
    let pools: Vec<Vec<Hostile>> = types.iter().map(|ty| values.of(ty)).collect();
    let plain: Vec<Value> = types.iter().map(|ty| values.plain(ty)).collect();
    let mut calls = Vec::new();
    for (i, pool) in pools.iter().enumerate() {
        for hostile in pool {
            let mut arguments = plain.clone();
            arguments[i] = hostile.1.clone();
            calls.push((format!("{}: {}", i + 1, hostile.0), arguments));
        }
    }
    let longest = pools.iter().map(Vec::len).max().unwrap_or(0);
    for (at, apart) in (0..longest).flat_map(|at| [(at, 0), (at, 1)]).filter(|_| types.len() > 1) {
        let chosen = pools.iter().enumerate().map(|(i, pool)| pool[(at + i * apart) % pool.len()].clone());
        let (names, arguments): (Vec<_>, Vec<_>) = chosen.map(|hostile| (hostile.0, hostile.1)).unzip();
        calls.push((names.join(", "), arguments));
    }
    calls
}

fn each(function: &Function, values: &Values) -> Vec<Cost> {
    let fixed: Vec<Type> = function.parameters().iter().map(|parameter| parameter.ty().clone()).collect();
    let mut signatures = vec![fixed.clone()];
    if let Some(variadic) = function.variadic() {
        signatures = (1..=2).map(|more| [&fixed[..], &vec![variadic.ty().clone(); more]].concat()).collect();
    }
    let calls = signatures.iter().flat_map(|types| calls(types, values));
    calls.map(|(names, arguments)| cost(function, &arguments, &names).1).collect()
}

#[test]
fn every_function_is_bounded() {
    let costs: Vec<Cost> = alone(|| {
        let values = Values::new();
        let (cty, standard) = (Functions::cty(), Functions::rules());
        let only = std::env::var("PLANTIME_FUNCTION").ok();
        let is_tried = |function: &&Function| only.as_deref().is_none_or(|only| only == function.name());
        let all = standard.iter().chain(cty.iter()).filter(is_tried);
        all.flat_map(|function| each(function, &values)).collect()
    });
    let mut slowest = costs.clone();
    slowest.sort_by_key(|cost| std::cmp::Reverse(cost.time));
    for cost in slowest.iter().take(10) {
        println!("{:>8.3} s {:>10} bytes {}", cost.time.as_secs_f64(), cost.bytes, cost.call);
    }
    println!("{} calls", costs.len());
    let faults: Vec<String> = costs.iter().filter_map(Cost::fault).collect();
    assert!(faults.is_empty(), "{} calls cost too much:\n{}", faults.len(), faults.join("\n"));
}
