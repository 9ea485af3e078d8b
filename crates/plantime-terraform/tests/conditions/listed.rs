//! The kinds of rules that teams have, with the plans that lie beside each: as keywords where these say it, and as a condition.

use std::collections::BTreeMap;

use plantime::source::Source;
use plantime_schema::ProviderSchemas;
use plantime_terraform::plan::{Plan, RulesFile, check};
use serde_json::{Map, Value as Json, json};

use super::binary::{self, Contents, Object};
use super::fronts::{answer_of, options};
use super::packed;

const KINDS: &[u8] = include_bytes!("policies/kinds.jsonl.gz");
const CONDITIONS: &str = include_str!("policies/listed.hcl");

/// What providers call sets.
const SETS: [&str; 2] = ["subnets", "vpc_security_group_ids"];

/// The kinds that the file has, with the plans by the answer that is expected.
fn kinds() -> Vec<Json> {
    packed::lines(KINDS).map(|line| serde_json::from_str(&line).unwrap()).collect()
}

/// The attributes and nested blocks of a schema, from values: those of a type that nothing tells are strings.
#[derive(Default)]
struct Shape {
    attributes: BTreeMap<String, Option<Json>>,
    blocks: BTreeMap<String, Shape>,
}

impl Shape {
    fn add(&mut self, value: &Json) {
        for (name, part) in value.as_object().into_iter().flatten() {
            let objects: Vec<&Json> =
                part.as_array().into_iter().flatten().filter(|one| one.is_object()).collect();
            if !objects.is_empty() {
                let block = self.blocks.entry(name.clone()).or_default();
                objects.into_iter().for_each(|object| block.add(object));
                continue;
            }
            let known = self.attributes.entry(name.clone()).or_default();
            let kind = if SETS.contains(&&**name) { "set" } else { "list" };
            let found = match part {
                Json::String(_) => Some(json!("string")),
                Json::Number(_) => Some(json!("number")),
                Json::Bool(_) => Some(json!("bool")),
                Json::Array(_) => Some(json!([kind, "string"])),
                Json::Object(_) => Some(json!(["map", "string"])),
                Json::Null => None,
            };
            *known = known.take().or(found);
        }
    }

    /// Adds the names of what is unknown.
    fn add_unknown(&mut self, unknown: &Json) {
        for (name, part) in unknown.as_object().into_iter().flatten() {
            if *part == Json::Bool(true) {
                self.attributes.entry(name.clone()).or_default();
            }
            for inner in part.as_array().into_iter().flatten().filter(|inner| inner.is_object()) {
                self.blocks.entry(name.clone()).or_default().add_unknown(inner);
            }
        }
    }

    fn to_json(&self) -> Json {
        let own = self.attributes.iter().filter(|(name, _)| !self.blocks.contains_key(*name));
        let attributes = own.map(|(name, ty)| {
            let ty = ty.clone().unwrap_or(json!("string"));
            (name.clone(), json!({"type": ty, "optional": true, "computed": true}))
        });
        let blocks = self
            .blocks
            .iter()
            .map(|(name, block)| (name.clone(), json!({"nesting_mode": "list", "block": block.to_json()})));
        json!({"attributes": Map::from_iter(attributes), "block_types": Map::from_iter(blocks)})
    }
}

/// The schemas that the values of these plans have.
fn schemas<'p>(plans: impl Iterator<Item = &'p Json>) -> ProviderSchemas {
    let mut shapes: BTreeMap<(String, String), Shape> = BTreeMap::new();
    let mut providers: BTreeMap<String, Json> = BTreeMap::new();
    for plan in plans {
        let changes = plan["resource_changes"].as_array().into_iter().flatten();
        let drift = plan["resource_drift"].as_array().into_iter().flatten();
        for row in changes.chain(drift) {
            let name = |key: &str| row[key].as_str().unwrap().to_owned();
            let shape = shapes.entry((name("provider_name"), name("type"))).or_default();
            for side in ["before", "after"] {
                shape.add(&row["change"][side]);
            }
            shape.add_unknown(&row["change"]["after_unknown"]);
        }
    }
    for ((provider, ty), shape) in &shapes {
        let of = providers.entry(provider.clone()).or_insert_with(|| json!({"resource_schemas": {}}));
        of["resource_schemas"][ty] = json!({"version": 0, "block": shape.to_json()});
    }
    let text = json!({"format_version": "1.0", "provider_schemas": providers}).to_string();
    ProviderSchemas::from_json(text.as_bytes()).unwrap()
}

/// What a binary plan of the same objects has.
fn contents(plan: &Plan) -> Contents {
    let rows = |all: &[std::sync::Arc<plantime_terraform::plan::ResourceChange>]| {
        let row = |change: &std::sync::Arc<plantime_terraform::plan::ResourceChange>| Object {
            address: change.address.clone(),
            provider: change.provider_name.to_string(),
            actions: change.change.actions.iter().map(|action| action.as_str()).collect::<Vec<_>>().join(" "),
            before: change.change.before.clone(),
            after: change.change.after.clone(),
            deposed: change.deposed.as_deref().map(str::to_owned),
        };
        all.iter().map(row).collect()
    };
    let read = plan.data_sources.iter().map(|source| Object {
        address: source.address.clone(),
        provider: source.provider_name.to_string(),
        actions: "read".to_owned(),
        before: None,
        after: Some(source.value.clone()),
        deposed: None,
    });
    Contents {
        changes: rows(&plan.resource_changes),
        drift: rows(&plan.resource_drift),
        read: read.collect(),
        outputs: plan
            .output_changes
            .iter()
            .filter_map(|(name, change)| Some((name.clone(), change.after.clone()?)))
            .collect(),
        variables: plan.variables.clone(),
        terraform_version: plan.terraform_version.clone(),
        ..Contents::default()
    }
}

/// The answer of rules on a plan in JSON, from a front; with its reports' problems in place of an answer.
fn answer(rules: &str, plan: &Json, schemas: Option<&ProviderSchemas>, is_binary: bool) -> String {
    let none = ProviderSchemas::new();
    let text = plan.to_string();
    let given = schemas.unwrap_or(&none);
    let mut read = Plan::read(text.as_bytes(), given).unwrap();
    if is_binary {
        // The values in the file have the types of the schemas, as the program that wrote it had them.
        let all = self::schemas(std::iter::once(plan));
        let typed = Plan::read(text.as_bytes(), schemas.unwrap_or(&all)).unwrap();
        read = Plan::read_binary(&binary::write(&contents(&typed)), given).unwrap();
    }
    let report = check("plan", &read, &options(rules, given.clone(), None));
    report.map_or_else(|problems| format!("{problems:?}"), |report| answer_of(&report).to_owned())
}

/// The rules of the file of conditions, by kind.
fn conditions() -> BTreeMap<String, String> {
    let mut rules: BTreeMap<String, String> = BTreeMap::new();
    for block in CONDITIONS.split_once("\n\n").unwrap().1.split("\n}\n") {
        let name = block.trim_start().split('"').nth(1).unwrap_or_default();
        let kind = name.split('-').next().unwrap().to_owned();
        if !kind.is_empty() {
            let rule = rules.entry(kind).or_default();
            rule.push_str(block);
            rule.push_str("\n}\n");
        }
    }
    rules
}

/// Whether the cases in few words have this kind.
fn elsewhere_has(kind: &str) -> bool {
    let digits: String = kind.chars().take_while(char::is_ascii_digit).collect();
    let name = format!("\n=== kind-{digits:0>2}{}-", kind.trim_start_matches(&*digits));
    include_str!("policies/kinds.txt").contains(&name)
}

#[test]
fn every_kind_has_one_answer_on_every_front() {
    let conditions = conditions();
    let (mut wrong, mut answers, mut plans) = (Vec::new(), 0, 0);
    let (mut as_keywords, mut as_conditions, mut elsewhere) = (0, 0, 0);
    for kind in kinds() {
        let name = kind["kind"].as_str().unwrap();
        let of_kind = kind["plans"].as_object().unwrap();
        if of_kind.is_empty() {
            // Beside the policies, in few words.
            assert!(elsewhere_has(name), "no case for {name}");
            elsewhere += 1;
            continue;
        }
        let schemas = schemas(of_kind.values());
        let condition = conditions.get(name).unwrap_or_else(|| panic!("no condition for {name}")).as_str();
        // What could not be said when the plans were made is said by the condition only.
        let keywords = kind["rule_today"].as_str().filter(|_| kind["sayable_today"] != "not");
        as_keywords += usize::from(keywords.is_some());
        as_conditions += 1;
        for (expected, plan) in of_kind {
            plans += 1;
            for (spelling, rules) in
                keywords.map(|rules| ("keywords", rules)).into_iter().chain([("condition", condition)])
            {
                for (front, schemas, is_binary) in [
                    ("json", Some(&schemas), false),
                    ("json without schemas", None, false),
                    ("binary", Some(&schemas), true),
                    ("binary without schemas", None, true),
                ] {
                    let found = answer(rules, plan, schemas, is_binary);
                    answers += 1;
                    let is_pass = expected == "pass" && found == "none";
                    if found != *expected && !is_pass {
                        wrong.push(format!("{name} {expected}, {spelling} on {front}: {found}"));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    println!(
        "{} kinds: {as_keywords} as keywords, {as_conditions} as conditions, {elsewhere} without plans here; {plans} plans, {answers} answers",
        as_conditions + elsewhere
    );
}

#[test]
fn the_conditions_of_all_kinds_are_one_file() {
    let read = RulesFile::read(Source::new("listed.hcl", CONDITIONS))
        .unwrap_or_else(|problems| panic!("{problems:#?}"));
    assert!(read.rules.len() >= 39, "{}", read.rules.len());
}
