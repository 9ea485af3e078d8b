//! Reads every plan and schema file of a collection of real ones, where it lies beside the checkout:
//! `$PLANTIME_REAL`, else `../shared/real/dev`. `cargo test --all-features --test plans -- --nocapture` prints counts.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test panics where something is wrong"
)]

mod catalogue;
mod coerced;
mod decided;
mod differences;
mod document;
#[path = "../leaves/mod.rs"]
mod leaves;
mod obligations;
#[path = "../packed/mod.rs"]
mod packed;
mod promises;
mod proposed;
mod recorded;
mod schemas;
mod shares;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use plantime::Type;
use plantime_schema::ProviderSchemas;
use plantime_terraform::plan::Plan;
use serde_json::Value as Json;

const FOLDERS: [&str; 4] =
    ["plans-public", "terraform-1.15.5-plans", "terraform-1.6.6-plans", "provider-schemas"];

/// Plans that are refused: a property occurs twice in their planned values, and readers differ in which one counts.
const WITH_A_PROPERTY_TWICE: [&str; 2] = [
    "plans-public/terraform-validator/test_read_planned_assets_tf0_12plan.applied.json.gz",
    "plans-public/terraform-validator/test_read_planned_assets_tf1_0plan.applied.json.gz",
];

/// The collection, or a line that says that there is none.
fn collection() -> Option<PathBuf> {
    let named = std::env::var_os("PLANTIME_REAL").map(PathBuf::from);
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/real/dev");
    let folder = named.unwrap_or_else(beside);
    if folder.is_dir() {
        return Some(folder);
    }
    println!("skipped: there is no {} (PLANTIME_REAL names another folder)", folder.display());
    None
}

/// The plans and schemas that can be read, with their content.
fn files(root: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files = all_files(root);
    files.retain(|(name, _)| !WITH_A_PROPERTY_TWICE.contains(&name.as_str()));
    files
}

/// All `*.json` and `*.json.gz` of the folders that hold plans and schemas, with their content.
fn all_files(root: &Path) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    let mut todo: Vec<PathBuf> =
        FOLDERS.iter().map(|folder| root.join(folder)).filter(|path| path.is_dir()).collect();
    while let Some(folder) = todo.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(root).unwrap().display().to_string();
            if path.is_dir() {
                todo.push(path);
            } else if name.ends_with(".json") {
                found.push((name, fs::read(&path).unwrap()));
            } else if name.ends_with(".json.gz") {
                found.push((name, packed::bytes(fs::File::open(&path).unwrap())));
            }
        }
    }
    found.sort();
    found
}

fn is_plan(json: &Json) -> bool {
    json.get("format_version").is_some()
        && (json.get("planned_values").is_some() || json.get("resource_changes").is_some())
}

fn is_schema_file(json: &Json) -> bool {
    json.get("provider_schemas").is_some() && json.get("plan_format_version").is_none()
}

#[test]
fn every_real_plan_and_schema_file_reads() {
    let Some(root) = collection() else { return };
    let (mut plans, mut schema_files, mut others, mut failed) = (0, 0, Vec::new(), Vec::new());
    let (mut changes, mut unknown, mut sensitive, mut notes) = (0, 0, 0, 0);
    let mut versions: BTreeMap<String, usize> = BTreeMap::new();
    let schemas = ProviderSchemas::new();
    for (name, content) in all_files(&root) {
        if WITH_A_PROPERTY_TWICE.contains(&name.as_str()) {
            let error = Plan::read(&content, &schemas).unwrap_err();
            assert!(error.to_string().contains("a property occurs twice"), "{name}: {error}");
            continue;
        }
        let json: Json = serde_json::from_slice(&content).unwrap();
        if is_plan(&json) {
            match Plan::read(&content, &schemas) {
                Ok(plan) => {
                    plans += 1;
                    changes += plan.resource_changes.len();
                    for after in
                        plan.resource_changes.iter().filter_map(|change| change.change.after.as_ref())
                    {
                        unknown += usize::from(!after.is_wholly_known());
                        sensitive += usize::from(after.contains_marks());
                    }
                    notes += plan.notes.len();
                    compare(&name, &json, &plan);
                    *versions.entry(plan.format_version).or_default() += 1;
                }
                Err(error) => failed.push(format!("{name}: {error}")),
            }
        } else if is_schema_file(&json) {
            match ProviderSchemas::from_json(&content) {
                Ok(schemas) => {
                    schema_files += 1;
                    assert_eq!(without_empty(&schemas.to_json().unwrap()), without_empty(&json), "{name}");
                    imply(&name, &schemas);
                }
                Err(error) => failed.push(format!("{name}: {error}")),
            }
        } else {
            assert!(Plan::read(&content, &schemas).is_err(), "{name} is no plan");
            others.push(name);
        }
    }
    println!("{plans} plans ({versions:?}), {schema_files} schema files, {} neither", others.len());
    println!(
        "{changes} resource changes, {unknown} partly unknown, {sensitive} partly sensitive, {notes} notes"
    );
    for other in &others {
        println!("no plan: {other}");
    }
    for failure in &failed {
        println!("failed: {failure}");
    }
    assert!(failed.is_empty(), "{} files did not read", failed.len());
}

/// What is read against what is written: every resource, and as many unknown places as the file marks `true`.
#[track_caller]
fn compare(name: &str, json: &Json, plan: &Plan) {
    let none = Vec::new();
    let written = json["resource_changes"].as_array().unwrap_or(&none);
    assert_eq!(plan.resource_changes.len(), written.len(), "{name}");
    for (read, written) in plan.resource_changes.iter().zip(written) {
        let Some(after) = &read.change.after else { continue };
        let mut unknown = 0;
        after.walk(|_, value| {
            unknown += usize::from(!value.is_known());
            value.is_known()
        });
        // Sets are tuples without a schema: nothing can have merged.
        assert_eq!(unknown, count_true(&written["change"]["after_unknown"]), "{name}: {}", read.address);
        if !written["change"]["after_sensitive"].is_null() {
            let mut marked = 0;
            after.walk(|_, value| {
                marked += usize::from(value.is_marked());
                true
            });
            let wanted = count_true(&written["change"]["after_sensitive"]);
            assert!(marked <= wanted, "{name}: {}", read.address);
        }
    }
}

fn count_true(json: &Json) -> usize {
    match json {
        Json::Bool(value) => usize::from(*value),
        Json::Array(items) => items.iter().map(count_true).sum(),
        Json::Object(properties) => properties.values().map(count_true).sum(),
        _ => 0,
    }
}

/// Every schema of a file implies a type.
fn imply(name: &str, schemas: &ProviderSchemas) {
    for provider in schemas.providers.values() {
        let all =
            [&provider.resource_schemas, &provider.data_source_schemas, &provider.ephemeral_resource_schemas];
        for (ty, schema) in all.into_iter().flatten() {
            assert!(schema.implied_type().is_ok(), "{name}: {ty}");
        }
    }
}

/// Without what says nothing: false, null, 0, and empty arrays and objects.
fn without_empty(json: &Json) -> Json {
    let says_something = |json: &Json| match json {
        Json::Null | Json::Bool(false) => false,
        Json::Array(items) => !items.is_empty(),
        Json::Object(properties) => !properties.is_empty(),
        Json::Number(number) => number.as_u64() != Some(0),
        _ => true,
    };
    match json {
        Json::Object(properties) => {
            let kept = properties.iter().map(|(key, value)| (key.clone(), without_empty(value)));
            let mut kept: serde_json::Map<_, _> = kept.filter(|(_, value)| says_something(value)).collect();
            // A file without version is read as 1.0.
            if properties.contains_key("provider_schemas") {
                kept.entry("format_version").or_insert_with(|| "1.0".into());
            }
            Json::Object(kept)
        }
        Json::Array(items) => Json::Array(items.iter().map(without_empty).collect()),
        json => json.clone(),
    }
}

#[test]
fn implied_types_are_what_go_implies() {
    let Some(root) = collection() else { return };
    let own = root.join("provider-schemas/own");
    let schemas = ProviderSchemas::from_json(&fs::read(own.join("probe_and_builtin.json")).unwrap()).unwrap();
    let types: Json = serde_json::from_slice(&fs::read(own.join("implied-types.json")).unwrap()).unwrap();
    let types = types.as_object().unwrap();
    for (key, wanted) in types {
        let schema = match key.strip_prefix("provider:") {
            Some(address) => schemas.providers.get(address).and_then(|provider| provider.provider.as_ref()),
            None => schemas.providers.values().find_map(|provider| {
                provider.resource_schemas.get(key).or_else(|| provider.data_source_schemas.get(key))
            }),
        };
        let schema = schema.unwrap_or_else(|| panic!("no schema of {key}"));
        let wanted = Type::from_json_text(&wanted.to_string()).unwrap();
        assert_eq!(schema.implied_type().unwrap(), &wanted, "{key}");
    }
    println!("{} implied types agree", types.len());
}

#[test]
fn plans_of_the_probe_provider_fit_its_schemas() {
    let Some(root) = collection() else { return };
    let own = root.join("provider-schemas/own/probe_and_builtin.json");
    let schemas = ProviderSchemas::from_json(&fs::read(own).unwrap()).unwrap();
    let (mut plans, mut changes) = (0, 0);
    for (name, content) in files(&root) {
        if !(name.starts_with("terraform-1.") && name.ends_with("plan.json")) {
            continue;
        }
        let plan = Plan::read(&content, &schemas).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(plan.notes.is_empty(), "{name}: {:?}", plan.notes);
        plans += 1;
        changes += plan.resource_changes.len();
    }
    println!("{plans} plans with {changes} resource changes fit the schemas of their providers");
}
