//! Reading a large plan, beside reading the same JSON without types.

use std::time::Duration;

use plantime::plan::Plan;
use plantime::schema::ProviderSchemas;
use serde_json::Value as Json;

use crate::compared::time;

const PLAN: &[u8] = include_bytes!("../../tests/data/network/plan.json");
const SCHEMAS: &[u8] = include_bytes!("../../tests/data/network/provider-schemas.json");

pub fn run(n: usize, pairs: usize) {
    let schemas = ProviderSchemas::from_json(SCHEMAS).expect("the example schemas are readable");
    let text = repeated(n);
    let changes = Plan::read(&text, &schemas).expect("the plan is readable").resource_changes.len();
    let mut times: Vec<(Duration, Duration)> = (0..pairs)
        .map(|_| {
            let ours = time(|| Plan::read(&text, &schemas).expect("the plan is readable"));
            let theirs = time(|| serde_json::from_slice::<Json>(&text).expect("the plan is JSON"));
            (ours, theirs)
        })
        .collect();
    let ratio = |(ours, theirs): &(Duration, Duration)| ours.as_secs_f64() / theirs.as_secs_f64();
    times.sort_by(|a, b| ratio(a).total_cmp(&ratio(b)));
    let median = times.get(pairs / 2).expect("there is a pair");
    println!(
        "plan_read {n}: {:.1} MB, {changes} changes, plantime {:.1} ms, serde_json::Value {:.1} ms, ratio {:.2} (median of {pairs})",
        text.len() as f64 / 1e6,
        median.0.as_secs_f64() * 1e3,
        median.1.as_secs_f64() * 1e3,
        ratio(median),
    );
}

/// The example plan with its resource changes repeated, each copy under names of its own.
fn repeated(n: usize) -> Vec<u8> {
    let mut plan: Json = serde_json::from_slice(PLAN).expect("the example plan is JSON");
    let changes = plan["resource_changes"].as_array().expect("a plan has changes").clone();
    let copies = (0..n).flat_map(|i| changes.iter().map(move |change| copy(change, i)));
    plan["resource_changes"] = Json::Array(copies.collect());
    serde_json::to_vec(&plan).expect("JSON can be written")
}

fn copy(change: &Json, i: usize) -> Json {
    let mut change = change.clone();
    let name = change["name"].as_str().expect("a change has a name");
    let (old, new) = (format!(".{name}"), format!("{name}_{i}"));
    let address = change["address"].as_str().expect("a change has an address");
    let (before, after) = address.rsplit_once(&old).expect("an address ends with the name and an index");
    change["address"] = format!("{before}.{new}{after}").into();
    change["name"] = new.into();
    change
}
