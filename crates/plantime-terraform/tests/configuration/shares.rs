//! How much is known of the unknown values of the recorded roots, by their configurations, the schemas and the catalogue.

use std::collections::HashMap;

use plantime::{Path, Value};
use plantime_schema::catalogue::{Catalogue, Class};
use plantime_terraform::plan::ProviderFacts;
use serde_json::Value as Json;

use super::leaves::{Shares, leaves};
use super::recorded::{content, roots};

/// The leaves of all roots with a catalogue: all, and those that are configured or have a fact.
fn shares(class: Option<Class>) -> (Shares, Shares, Vec<String>) {
    let (mut all, mut stated, mut open) = (Shares::default(), Shares::default(), Vec::new());
    for mut root in roots() {
        let mut facts = ProviderFacts::default();
        facts.from_schemas = true;
        facts.catalogues.extend(class.map(Catalogue::builtin));
        root.plan.assume_facts(&facts, &root.schemas);
        let Some(configuration) = root.read() else { continue };
        let values = root.plan.planned_values();
        let inputs = root.inputs().known(&values);
        let evaluation = configuration.evaluate(&inputs);
        let json: Json = serde_json::from_slice(&content(&root.folder.join("plan.json")).unwrap()).unwrap();
        let mut paths: HashMap<String, Vec<String>> = HashMap::new();
        let changes = json["resource_changes"].as_array().into_iter().flatten();
        for (change, read) in changes.zip(&root.plan.resource_changes) {
            let (provider, ty) = (&*read.provider_name, &*read.type_name);
            let known = paths.entry(format!("{provider} {ty}")).or_insert_with(|| {
                let catalogue = facts.catalogues.first();
                let facts = catalogue.map_or_else(Vec::new, |catalogue| catalogue.facts(provider, ty));
                facts.iter().map(|fact| fact.path().to_string().replace("[*]", ".*")).collect()
            });
            let value = evaluation.value(&read.address).or_else(|| read.change.after.clone());
            let configured = evaluation.resource(&read.address);
            let is_applied =
                read.change.actions.iter().any(|action| matches!(action.as_str(), "create" | "update"));
            leaves(&change["change"]["after_unknown"], value.as_ref(), &mut |steps, value| {
                all.add(value, false);
                let has_fact = is_applied && known.contains(&steps.join("."));
                let is_configured =
                    configured.as_ref().is_some_and(|configured| is_configured(configured, steps));
                if has_fact || is_configured {
                    let before = stated.any;
                    stated.add(value, false);
                    if stated.any == before {
                        open.push(format!("{} {}.{}", root.name, read.address, steps.join(".")));
                    }
                }
            });
        }
    }
    (all, stated, open)
}

/// Whether the argument that a leaf is in, or the part of it, is configured.
fn is_configured(configured: &Value, steps: &[String]) -> bool {
    let mut value = configured.unmark_deep().0;
    for (at, step) in steps.iter().enumerate() {
        let by_name = || {
            value
                .get(&Path::new().attr(step.as_str()))
                .or_else(|_| value.get(&Path::new().index(step.as_str())))
        };
        let found = if step == "*" { value.get(&Path::new().index(0)) } else { by_name() };
        match found {
            Ok(found) => value = found,
            // A member of a set, or a part of an unknown value.
            Err(_) => return at > 0 && !value.is_null(),
        }
    }
    !value.is_null()
}

/// The floors are what was reached; they only rise.
#[test]
fn share_of_leaves() {
    println!("| catalogue | which | {} |", Shares::HEAD);
    println!("|---|---|---|---|---|---|---|---|");
    for (class, floors) in
        [(None, [11.5, 67.1]), (Some(Class::A), [42.1, 94.5]), (Some(Class::B), [61.1, 96.9])]
    {
        let (all, stated, open) = shares(class);
        if all.leaves == 0 {
            return;
        }
        let name = match class {
            None => "none",
            Some(Class::A) => "A",
            Some(_) => "A and B",
        };
        println!("| {name} | all | {} |", all.row());
        println!("| {name} | configured or with a fact | {} |", stated.row());
        if std::env::var_os("LISTED").is_some() {
            open.iter().for_each(|leaf| println!("OPEN {name} {leaf}"));
        }
        for (found, floor) in [all, stated].into_iter().zip(floors) {
            assert!(found.percents()[0] >= floor, "{name}: {found:?} below {floor}");
        }
    }
}
