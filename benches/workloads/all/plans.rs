//! Reading a large plan, beside reading the same JSON without types.

use std::rc::Rc;

use plantime_schema::ProviderSchemas;
use plantime_terraform::plan::Plan;
use serde_json::Value as Json;

use super::work::Work;

pub const PLAN: &[u8] = include_bytes!("../../../crates/plantime-terraform/examples/network/plan.json");
pub const SCHEMAS: &[u8] =
    include_bytes!("../../../crates/plantime-terraform/examples/network/provider-schemas.json");

/// The example plan with its resource changes repeated so many times, into values typed by its schemas.
pub fn plan_read(n: usize) -> Work {
    let schemas = ProviderSchemas::from_json(SCHEMAS).expect("the example schemas are readable");
    let text = Rc::new(repeated(n));
    let same = Rc::clone(&text);
    let changes = Plan::read(&text, &schemas).expect("the plan is readable").resource_changes.len();
    Work::new(changes, move || Plan::read(&text, &schemas).expect("the plan is readable"))
        .beside("serde_json::Value", move || serde_json::from_slice::<Json>(&same).expect("the plan is JSON"))
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
