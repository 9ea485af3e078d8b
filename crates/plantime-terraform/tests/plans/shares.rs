//! How much is known out of the box of the unknown values of public plans, by the facts of schemas and of the catalogue.
//! `cargo test --all-features --test plans --test configuration -- share_of_leaves --nocapture` prints the table, and that of the
//! recorded roots with their configurations.

use plantime_schema::ProviderSchemas;
use plantime_schema::catalogue::{Catalogue, Class};
use plantime_terraform::plan::{Plan, ProviderFacts};
use serde_json::Value as Json;

use super::leaves::{Shares, leaves};
use super::{collection, files, is_plan, schemas};

fn shares(plans: &[(Vec<u8>, Json)], schemas: &ProviderSchemas, class: Option<Class>) -> (Shares, usize) {
    let mut shares = Shares::default();
    let mut facts = ProviderFacts::default();
    facts.from_schemas = true;
    facts.catalogues.extend(class.map(Catalogue::builtin));
    let mut contradicted = 0;
    for (content, json) in plans {
        let mut plan = Plan::read(content, schemas).unwrap();
        for one in plan.assume_facts(&facts, schemas) {
            println!("  contradicted: {} {}: {} ({})", one.address, one.path, one.message, one.origin);
            contradicted += 1;
        }
        let changes = json["resource_changes"].as_array().into_iter().flatten();
        for (change, read) in changes.zip(&plan.resource_changes) {
            let unknown = &change["change"]["after_unknown"];
            let related: Vec<String> = match class {
                Some(class) if change["mode"] == "managed" => related(change, class),
                _ => Vec::new(),
            };
            leaves(unknown, read.change.after.as_ref(), &mut |steps, value| {
                shares.add(value, related.contains(&steps.join(".").replace(".*", "[*]")));
            });
        }
    }
    (shares, contradicted)
}

/// The attributes of a resource's type that are related to others, by the catalogue.
fn related(change: &Json, class: Class) -> Vec<String> {
    let name = change["provider_name"].as_str().unwrap_or_default();
    let facts = Catalogue::builtin(class).facts(name, change["type"].as_str().unwrap());
    let related = facts.iter().filter(|fact| !fact.equals().is_empty() || !fact.contains().is_empty());
    related.map(|fact| fact.path().to_string()).collect()
}

/// The floors are what was reached; they only rise.
#[test]
fn share_of_leaves() {
    let Some(root) = collection() else { return };
    let plans: Vec<(Vec<u8>, Json)> = files(&root)
        .into_iter()
        .filter(|(name, _)| name.starts_with("plans-public"))
        .filter_map(|(_, content)| {
            let json: Json = serde_json::from_slice(&content).unwrap();
            is_plan(&json).then_some((content, json))
        })
        .collect();
    let (none, all) = (ProviderSchemas::new(), schemas::together());
    println!("| schemas | catalogue | {} |", Shares::HEAD);
    println!("|---|---|---|---|---|---|---|---|---|");
    let rows = [
        ("no", &none, None, [0.0, 0.0, 0.0, 0.0, 0.0, 0.0]),
        ("yes", &all, None, [10.9, 10.9, 0.0, 0.0, 0.0, 0.0]),
        ("no", &none, Some(Class::A), [51.9, 46.5, 16.6, 31.8, 33.9, 34.0]),
        ("yes", &all, Some(Class::A), [61.8, 56.6, 16.6, 31.8, 33.9, 34.0]),
        ("no", &none, Some(Class::B), [69.4, 56.7, 18.5, 49.7, 53.0, 53.0]),
        ("yes", &all, Some(Class::B), [79.3, 67.4, 18.5, 49.7, 53.0, 53.0]),
    ];
    for (with, schemas, class, floors) in rows {
        let (found, contradicted) = shares(&plans, schemas, class);
        let name = match class {
            None => "none",
            Some(Class::A) => "A",
            Some(_) => "A and B",
        };
        println!("| {with} | {name} | {} | contradicted: {contradicted}", found.row());
        for (percent, floor) in found.percents().into_iter().zip(floors) {
            assert!(percent >= floor, "{with} {name}: {percent} below {floor}");
        }
    }
}
