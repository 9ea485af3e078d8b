//! The recorded plans, each beside the JSON that Terraform wrote for it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::packed::read;
use plantime::{Mark, Value, View};
use plantime_schema::ProviderSchemas;
use plantime_terraform::plan::{Change, Plan, PlanDocument, PlanStates, ResourceChange, StateResource};

/// The collection of recordings, or a line that says that there is none.
pub(crate) fn collection() -> Option<PathBuf> {
    let named = std::env::var_os("PLANTIME_REAL_ALL").map(PathBuf::from);
    let folder = named.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/real"));
    if folder.is_dir() {
        return Some(folder);
    }
    println!("skipped: there is no {} (PLANTIME_REAL_ALL names another folder)", folder.display());
    None
}

/// All files below a folder whose names end so.
pub(crate) fn files_below(folder: &Path, end: &str, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files_below(&path, end, found);
        } else if path.to_string_lossy().ends_with(end) {
            found.push(path);
        }
    }
}

/// The schemas that lie with a plan, or above it.
pub(crate) fn schemas_of(plan: &Path) -> ProviderSchemas {
    for folder in plan.ancestors().skip(1).take(3) {
        for name in ["schemas.json", "provider-schemas.json"] {
            if let Some(text) = read(&folder.join(name)) {
                return ProviderSchemas::from_json(&text).unwrap();
            }
        }
    }
    ProviderSchemas::new()
}

/// Whether all of a value without marks is unknown.
fn is_unknown(value: &Value) -> bool {
    matches!(value.view(), View::Unknown(_) | View::Dynamic)
}

/// The number of unknown parts of a value of which something is known beyond their type.
fn refined_parts(value: &Value) -> usize {
    let mut count = 0;
    value.walk(|_, part| {
        let (bare, _) = part.clone().unmark();
        count += usize::from(is_unknown(&bare) && bare != Value::unknown(bare.ty()));
        true
    });
    count
}

/// What differs between a value that was read from JSON and the same from the binary plan, in words. JSON has no
/// refinements, no types where the schema has `any` or there is none, and only 53 bits of a number.
fn difference(json: Option<&Value>, binary: Option<&Value>) -> Option<String> {
    match (json, binary) {
        (None, None) => None,
        (Some(json), Some(binary)) => {
            let mut path = String::new();
            let agree = agree(json, binary, &mut path);
            (!agree).then(|| format!("at {path:?}\n    json   {json:?}\n    binary {binary:?}"))
        }
        _ => Some(format!("\n    json   {json:?}\n    binary {binary:?}")),
    }
}

/// Whether two values say the same. Where they do not, `path` leads there.
fn agree(json: &Value, binary: &Value, path: &mut String) -> bool {
    let ((json, json_marks), (binary, binary_marks)) = (json.clone().unmark(), binary.clone().unmark());
    if json_marks != binary_marks {
        return false;
    }
    let (items, entries) = (elements(&json), named(&json));
    match (json.view(), binary.view()) {
        (View::Dynamic, _) => !binary.is_wholly_known(),
        (View::Unknown(_), _) => is_unknown(&binary) && json.ty() == binary.ty(),
        (View::Null(_), View::Null(_)) => true,
        (View::Number(a), View::Number(b)) => a == b || near(a.to_f64(), b.to_f64()),
        (View::List(_) | View::Set(_) | View::Tuple(_), View::List(_) | View::Set(_) | View::Tuple(_)) => {
            let others = elements(&binary);
            let pairs = items.iter().zip(&others).enumerate();
            items.len() == others.len()
                && pairs
                    .into_iter()
                    .all(|(index, (a, b))| below(path, &index.to_string(), |path| agree(a, b, path)))
        }
        (View::Map(_) | View::Object(_), View::Map(_) | View::Object(_)) => {
            let others = named(&binary);
            entries.keys().eq(others.keys())
                && entries.iter().all(|(name, a)| below(path, name, |path| agree(a, &others[name], path)))
        }
        _ => json == binary,
    }
}

/// Whether two numbers are the same but for what a text of 16 digits loses.
fn near(a: f64, b: f64) -> bool {
    (a - b).abs() <= a.abs() * 1e-15
}

/// Calls `check` with the path one step longer, and shortens it again if all is well.
fn below(path: &mut String, step: &str, check: impl FnOnce(&mut String) -> bool) -> bool {
    let length = path.len();
    path.push('/');
    path.push_str(step);
    let fine = check(path);
    if fine {
        path.truncate(length);
    }
    fine
}

/// The elements of a list, set or tuple.
fn elements(value: &Value) -> Vec<Value> {
    match value.view() {
        View::List(list) => list.iter().cloned().collect(),
        View::Set(set) => set.iter().cloned().collect(),
        View::Tuple(tuple) => tuple.iter().cloned().collect(),
        _ => Vec::new(),
    }
}

/// The parts of a map or object by name.
fn named(value: &Value) -> BTreeMap<String, Value> {
    match value.view() {
        View::Map(map) => map.iter().map(|(name, part)| (name.to_string(), part.clone())).collect(),
        View::Object(object) => object.iter().map(|(name, part)| (name.to_string(), part.clone())).collect(),
        _ => BTreeMap::new(),
    }
}

/// What differs between two changes.
fn change_differences(address: &str, json: &Change, binary: &Change, found: &mut Vec<String>) {
    let mut add = |what: &str, difference: Option<String>| {
        found.extend(difference.map(|difference| format!("{address} {what}: {difference}")));
    };
    add("before", difference(json.before.as_ref(), binary.before.as_ref()));
    add("after", difference(json.after.as_ref(), binary.after.as_ref()));
    let rest = |change: &Change| {
        let mut rest = change.clone();
        (rest.before, rest.after) = (None, None);
        rest
    };
    let (json, binary) = (rest(json), rest(binary));
    add("else", (json != binary).then(|| format!("\n    json   {json:?}\n    binary {binary:?}")));
}

/// What differs between two lists of resource changes.
fn resource_differences(
    json: &[std::sync::Arc<ResourceChange>],
    binary: &[std::sync::Arc<ResourceChange>],
    found: &mut Vec<String>,
) {
    let key = |change: &ResourceChange| (change.address.clone(), change.deposed.clone());
    let mut left: BTreeMap<_, _> = binary.iter().map(|change| (key(change), change)).collect();
    for change in json {
        let Some(other) = left.remove(&key(change)) else {
            found.push(format!("{} is missing", change.address));
            continue;
        };
        change_differences(&change.address, &change.change, &other.change, found);
        let rest = |change: &ResourceChange| {
            let mut rest = change.clone();
            rest.change = Change::default();
            rest
        };
        if rest(change) != rest(other) {
            found.push(format!("{:?}\n    {:?}", rest(change), rest(other)));
        }
    }
    found.extend(left.values().map(|change| format!("{} is not in the JSON", change.address)));
}

/// Everything in which two readings of a plan differ.
pub(crate) fn differences(json: &Plan, binary: &Plan) -> Vec<String> {
    let mut found = Vec::new();
    resource_differences(&json.resource_changes, &binary.resource_changes, &mut found);
    resource_differences(&json.resource_drift, &binary.resource_drift, &mut found);
    for (name, change) in &json.output_changes {
        match binary.output_changes.get(name) {
            Some(other) => change_differences(&format!("output.{name}"), change, other, &mut found),
            None => found.push(format!("output.{name} is missing")),
        }
    }
    let same = [
        ("terraform_version", json.terraform_version == binary.terraform_version),
        ("timestamp", json.timestamp == binary.timestamp),
        ("errored", json.errored.unwrap_or(false) == binary.errored.unwrap_or(false)),
        ("complete", json.complete == binary.complete),
        ("applyable", json.applyable == binary.applyable),
        ("deferred", json.deferred_changes == binary.deferred_changes),
    ];
    found.extend(same.iter().filter(|(_, same)| !same).map(|(what, _)| (*what).to_owned()));
    for (name, value) in &json.variables {
        // The binary plan has the variables that were set, the JSON also defaults.
        let other = binary.variables.get(name);
        if other.is_some_and(|other| {
            difference(Some(&value.unmark_deep().0), Some(&other.unmark_deep().0)).is_some()
        }) {
            found.push(format!("variable {name}: {value:?} {other:?}"));
        }
        if value.contains_marks() && other.is_some_and(|other| !other.contains_marks()) {
            found.push(format!("variable {name} is sensitive"));
        }
    }
    if json.checks != binary.checks {
        let sorted = |plan: &Plan| {
            let mut checks = plan.checks.clone();
            checks.sort_by(|a, b| a.address.cmp(&b.address));
            for check in &mut checks {
                check.instances.sort_by(|a, b| a.address.cmp(&b.address));
            }
            checks
        };
        if sorted(json) != sorted(binary) {
            found.push(format!("checks {:?}\n    {:?}", json.checks, binary.checks));
        }
    }
    for source in &json.data_sources {
        let other = binary.data_sources.iter().find(|other| other.address == source.address);
        let same = other.is_some_and(|other| {
            difference(Some(&source.value), Some(&other.value)).is_none()
                && (&source.index, &source.provider_name) == (&other.index, &other.provider_name)
        });
        if !same {
            found.push(format!("data source {source:?}\n    {other:?}"));
        }
    }
    if json.data_sources.len() != binary.data_sources.len() {
        found.push(format!("{} data sources, {}", json.data_sources.len(), binary.data_sources.len()));
    }
    found
}

#[test]
fn recorded_plans_agree_with_the_json_that_terraform_made_of_them() {
    let Some(root) = collection() else { return };
    let mut paths = Vec::new();
    files_below(&root, ".tfplan", &mut paths);
    paths.sort();
    let (mut read_count, mut differing, mut refined, mut with_schemas) = (0, 0, 0, 0);
    let mut all = Vec::new();
    for path in &paths {
        let name = path.with_extension("json");
        let (Some(bytes), Some(json)) =
            (read(path), read(&name).or_else(|| read(&path.with_file_name("plan.json"))))
        else {
            continue;
        };
        let schemas = schemas_of(path);
        let shown = path.strip_prefix(&root).unwrap().display();
        let binary = Plan::read_binary(&bytes, &schemas).unwrap_or_else(|error| panic!("{shown}: {error}"));
        let json = Plan::read(&json, &schemas).unwrap_or_else(|error| panic!("{shown}: {error}"));
        read_count += 1;
        let changes = binary.resource_changes.iter();
        let mut known =
            changes.filter(|change| schemas.resource(&change.provider_name, &change.type_name).is_some());
        with_schemas += usize::from(known.next().is_some());
        for change in &binary.resource_changes {
            refined += change.change.after.as_ref().map_or(0, refined_parts);
        }
        let found = differences(&json, &binary);
        differing += usize::from(!found.is_empty());
        all.extend(found.into_iter().map(|difference| format!("{shown}: {difference}")));
    }
    println!(
        "{read_count} binary plans read, {with_schemas} with schemas, {refined} refined parts, {differing} differ from their JSON"
    );
    for difference in all.iter().take(40) {
        println!("{}", difference.chars().take(1500).collect::<String>());
    }
    assert_eq!(all.len(), 0, "{} differences", all.len());
}

/// The refinements of the unknown parts of a value, by path; without sets, whose members have no place of their own, and
/// without what is behind a mark.
fn refinements_by_path(value: Option<&Value>) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    if let Some(value) = value {
        value.walk(|path, part| {
            if let View::Unknown(range) = part.view()
                && !range.refinement().is_trivial()
            {
                let steps: Vec<String> = path
                    .steps()
                    .iter()
                    .map(|step| match step {
                        plantime::Step::Attr(name) => name.as_str().to_owned(),
                        plantime::Step::Index(key) => key.to_string().trim_matches('"').to_owned(),
                    })
                    .collect();
                found.insert(steps.join("/"), format!("{} {}", range.ty(), range.refinement()));
            }
            part.marks().is_empty() && !matches!(part.view(), View::Set(_))
        });
    }
    found
}

/// The JSON that Terraform wrote, with the refinements of the binary plan beside it, tells what the binary plan does.
#[test]
fn refinements_written_to_the_json_are_those_of_the_binary_plan() {
    let Some(root) = collection() else { return };
    let mut paths = Vec::new();
    files_below(&root, ".tfplan", &mut paths);
    paths.sort();
    let (mut plans, mut refinements) = (0, 0);
    for path in &paths {
        let Some(text) =
            read(&path.with_extension("json")).or_else(|| read(&path.with_file_name("plan.json")))
        else {
            continue;
        };
        let (schemas, shown) = (schemas_of(path), path.strip_prefix(&root).unwrap().display());
        let binary = Plan::read_binary(&read(path).unwrap(), &schemas).unwrap();
        let mut out = Vec::new();
        let document = PlanDocument::parse(&text).unwrap();
        document.write_json_with_refinements(&mut out, &binary).unwrap();
        let json = Plan::read(&out, &schemas).unwrap();
        plans += 1;
        for change in &binary.resource_changes {
            let other = json.resource_changes.iter();
            let mut other =
                other.filter(|other| (&other.address, &other.deposed) == (&change.address, &change.deposed));
            let expected = refinements_by_path(change.change.after.as_ref());
            refinements += expected.len();
            let read = refinements_by_path(other.next().unwrap().change.after.as_ref());
            assert_eq!(read, expected, "{shown}: {}", change.address);
        }
        for (name, change) in &binary.output_changes {
            let read = json.output_changes.get(name).and_then(|change| change.after.as_ref());
            assert_eq!(
                refinements_by_path(read),
                refinements_by_path(change.after.as_ref()),
                "{shown}: {name}"
            );
        }
    }
    println!("{refinements} refinements of {plans} binary plans were written to JSON and read again");
}

/// The state after the refresh is the `prior_state` of the JSON; the one before it is there too.
#[test]
fn states_inside_are_those_of_the_json() {
    let Some(root) = collection() else { return };
    let mut paths = Vec::new();
    files_below(&root, ".tfplan", &mut paths);
    let (mut states, mut previous, mut resources, mut compared) = (0, 0, 0, 0);
    for path in &paths {
        let Some(text) =
            read(&path.with_extension("json")).or_else(|| read(&path.with_file_name("plan.json")))
        else {
            continue;
        };
        let (schemas, shown) = (schemas_of(path), path.strip_prefix(&root).unwrap().display());
        let binary = PlanStates::read_binary(&read(path).unwrap(), &schemas).unwrap();
        let json = PlanStates::read(&text, &schemas).unwrap();
        previous += usize::from(binary.previous.is_some_and(|state| !state.resources.is_empty()));
        let Some(json) = json.prior else { continue };
        let binary = binary.prior.unwrap();
        states += 1;
        let key = |found: &StateResource| (found.address.clone(), found.deposed.clone());
        let others: BTreeMap<_, _> = binary.resources.iter().map(|found| (key(found), found)).collect();
        assert_eq!(others.len(), json.resources.len(), "{shown}");
        for found in &json.resources {
            let other = others[&key(found)];
            // A stored state has the type beside a value of any type; without a schema that is an object.
            if !has_types_beside_values(&other.value) {
                let difference = difference(Some(&found.value), Some(&other.value));
                assert_eq!(difference, None, "{shown}: {}", found.address);
                compared += 1;
            }
            let rest = |found: &StateResource| {
                (found.mode, found.index.clone(), found.provider_name.clone(), found.is_tainted)
            };
            assert_eq!(rest(found), rest(other), "{shown}: {}", found.address);
            assert_eq!(found.identity, other.identity, "{shown}: {}", found.address);
            assert_eq!(found.schema_version, other.schema_version, "{shown}: {}", found.address);
            let sorted = |found: &StateResource| BTreeSet::from_iter(found.depends_on.clone());
            assert_eq!(sorted(found), sorted(other), "{shown}: {}", found.address);
            resources += 1;
        }
        for (name, value) in &json.outputs {
            assert_eq!(difference(Some(value), binary.outputs.get(name)), None, "{shown}: {name}");
        }
    }
    println!(
        "{states} states with {resources} resources, {compared} compared; {previous} states before the refresh"
    );
    assert!(compared * 10 > resources * 8);
}

/// Whether a part of a value is `{"type": …, "value": …}`.
fn has_types_beside_values(value: &Value) -> bool {
    let mut found = false;
    value.walk(|_, part| {
        found |= named(part).keys().eq(["type", "value"]);
        true
    });
    found
}

/// The JSON that is made of a binary plan is that plan, but for what is behind a mark and for the members of sets.
#[test]
fn binary_plans_are_the_same_plans_as_json() {
    let Some(root) = collection() else { return };
    let mut paths = Vec::new();
    files_below(&root, ".tfplan", &mut paths);
    let mut plans = 0;
    for path in &paths {
        let (shown, schemas) = (path.display(), schemas_of(path));
        let binary = Plan::read_binary(&read(path).unwrap(), &schemas).unwrap();
        let text = binary.to_json_text(&ProviderSchemas::new()).unwrap();
        let mut known = Vec::new();
        let document = PlanDocument::parse(text.as_bytes()).unwrap();
        document.write_json_with_refinements(&mut known, &binary).unwrap();
        let (mut json, mut binary) = (Plan::read(&known, &schemas).unwrap(), binary);
        assert_eq!(json.resource_changes.len(), binary.resource_changes.len(), "{shown}");
        // In JSON they are in the order of Terraform's own.
        for plan in [&mut json, &mut binary] {
            plan.resource_changes.sort_by(|a, b| (&a.address, &a.deposed).cmp(&(&b.address, &b.deposed)));
            plan.checks.sort_by(|a, b| (&a.kind, &a.address).cmp(&(&b.kind, &b.address)));
            for check in &mut plan.checks {
                check.instances.sort_by(|a, b| a.address.cmp(&b.address));
            }
        }
        for (read, change) in json.resource_changes.iter().zip(&binary.resource_changes) {
            assert_eq!((&read.address, &read.deposed), (&change.address, &change.deposed), "{shown}");
            assert_eq!(read.change.actions, change.change.actions, "{shown}: {}", read.address);
            let name = format!("{shown}: {}", read.address);
            assert_written(read.change.after.as_ref(), change.change.after.as_ref(), &name);
            if !schemas.providers.is_empty() {
                assert_eq!(read.change.replace_paths, change.change.replace_paths, "{name}");
            }
        }
        for (name, change) in &binary.output_changes {
            let read = json.output_changes.get(name).and_then(|change| change.after.as_ref());
            assert_written(read, change.after.as_ref(), &format!("{shown}: {name}"));
        }
        assert_eq!((&json.checks, json.complete), (&binary.checks, binary.complete), "{shown}");
        assert_eq!(json.relevant_attributes.len(), binary.relevant_attributes.len(), "{shown}");
        plans += 1;
    }
    println!("{plans} binary plans were written as JSON");
}

/// Panics unless the value that was read contains the one that was written, and is as well known outside of marks and sets.
#[track_caller]
fn assert_written(read: Option<&Value>, written: Option<&Value>, name: &str) {
    let (Some(read), Some(written)) = (read, written) else {
        return assert_eq!(read.is_some(), written.is_some(), "{name}");
    };
    assert_eq!(refinements_by_path(Some(read)), refinements_by_path(Some(written)), "{name}");
    if written.contains_marks() {
        assert!(read.contains_marks(), "{name} lost its marks");
    } else if written.is_wholly_known() {
        assert_eq!(read.to_string(), written.to_string(), "{name}");
    }
}

/// Nothing that is marked in the JSON is read without a mark.
#[test]
fn marks_are_never_lost() {
    let Some(root) = collection() else { return };
    let mut paths = Vec::new();
    files_below(&root, ".tfplan", &mut paths);
    for path in paths.iter().filter(|path| path.to_string_lossy().contains("sensitive")) {
        let Some(json) = read(&path.with_extension("json")) else { continue };
        // Without schemas paths lead into containers whose kind is not known.
        let none = ProviderSchemas::new();
        let (json, binary) =
            (Plan::read(&json, &none).unwrap(), Plan::read_binary(&read(path).unwrap(), &none).unwrap());
        for change in &json.resource_changes {
            let Some(other) = binary.resource_change(&change.address) else { continue };
            let secrets = |change: &Change| {
                let mut texts = Vec::new();
                for value in [&change.before, &change.after].into_iter().flatten() {
                    value.walk(|_, part| {
                        if part.marks().contains(&Mark::SENSITIVE) {
                            texts.push(part.unmark_deep().0);
                        }
                        true
                    });
                }
                texts
            };
            let marked = secrets(&other.change);
            for secret in secrets(&change.change) {
                let found = marked
                    .iter()
                    .any(|marked| *marked == secret || marked.to_string().contains(&secret.to_string()));
                assert!(found || is_unknown(&secret), "{}: {} lost its mark", path.display(), change.address);
            }
        }
    }
}
