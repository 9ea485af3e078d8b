//! The plans of the tests, with rules about their values.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::path::Path;

use plantime::View;
use plantime_schema::ProviderSchemas;
use plantime_terraform::plan::{Mode, Plan, example};

use crate::packed;

/// A plan with the schemas that it was read with.
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) plan: Plan,
    pub(crate) schemas: ProviderSchemas,
    pub(crate) rules: String,
}

/// Every plan of the tests, with and without schemas.
pub(crate) fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    let none = ProviderSchemas::new;
    let network = || ProviderSchemas::from_json(example::PROVIDER_SCHEMAS).unwrap();
    add(&mut cases, "network", example::PLAN, network());
    add(&mut cases, "network without schemas", example::PLAN, none());
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    for name in ["network.tfplan", "modules.tfplan", "kinds.tfplan"] {
        let bytes = std::fs::read(folder.join("tests/binary_plans").join(name)).unwrap();
        add(&mut cases, name, &bytes, none());
        add(&mut cases, &format!("{name} with schemas"), &bytes, network());
    }
    for name in ["modules.json", "kinds.json"] {
        add(&mut cases, name, &packed::read(&folder.join("tests/binary_plans").join(name)).unwrap(), none());
    }
    let mut schemas: BTreeMap<String, String> = BTreeMap::new();
    for line in packed::lines(File::open(folder.join("tests/rendering/plans.jsonl.gz")).unwrap()) {
        let row: serde_json::Value = serde_json::from_str(&line).unwrap();
        let text = |key: &str| row[key].as_str().unwrap_or_default().to_owned();
        if row["schemas_text"].is_string() {
            schemas.insert(text("schemas"), text("schemas_text"));
        }
        let known = schemas.get(&text("schemas")).filter(|text| !text.is_empty());
        let known = known.map(|text| ProviderSchemas::from_json(text.as_bytes()).unwrap());
        add(&mut cases, &text("name"), text("plan").as_bytes(), none());
        if let Some(known) = known {
            add(&mut cases, &format!("{} with schemas", text("name")), text("plan").as_bytes(), known);
        }
    }
    cases
}

/// Adds a plan, with rules about its values.
pub(crate) fn add(cases: &mut Vec<Case>, name: &str, bytes: &[u8], schemas: ProviderSchemas) {
    let plan = match Plan::is_binary(bytes) {
        true => Plan::read_binary(bytes, &schemas),
        false => Plan::read(bytes, &schemas),
    };
    let plan = plan.unwrap_or_else(|error| panic!("{name}: {error}"));
    let rules = rules(&plan);
    cases.push(Case { name: name.to_owned(), plan, schemas, rules });
}

/// Rules about the attributes of the first types of a plan: by keywords, then by conditions, which read everything.
fn rules(plan: &Plan) -> String {
    let mut types: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for change in &plan.resource_changes {
        let prefix = if change.mode == Mode::Data { "data." } else { "" };
        if !matches!(change.mode, Mode::Data | Mode::Managed) {
            continue;
        }
        let names = types.entry(format!("{prefix}{}", change.type_name)).or_default();
        let value = change.change.after.as_ref().or(change.change.before.as_ref());
        if let Some(View::Object(object)) = value.map(|value| value.view_below_marks()) {
            names.extend(object.iter().map(|(name, _)| name.to_owned()));
        }
    }
    let mut out = String::new();
    for (number, (ty, names)) in types.iter().take(12).enumerate() {
        let plain = |name: &&String| name.chars().all(|c| c.is_ascii_lowercase() || c == '_');
        for name in names.iter().filter(plain).take(6) {
            out.push_str(&format!(
                "rule \"set-{number}-{name}\" {{\n  resource = \"{ty}\"\n  optional = true\n  attribute \"{name}\" {{ not_null = true }}\n}}\n"
            ));
            out.push_str(&format!(
                "rule \"size-{number}-{name}\" {{\n  resource = \"{ty}\"\n  optional = true\n  null = \"undetermined\"\n  \
                 attribute \"{name}\" {{ not {{ type_is = \"bool\" }} }}\n}}\n"
            ));
        }
        if !ty.starts_with("data.") {
            out.push_str(&format!(
                "rule \"keep-{number}\" {{\n  resource = \"{ty}\"\n  actions = [\"delete\"]\n  deny = true\n}}\n"
            ));
        }
    }
    out
}

/// Rules by conditions, in place of those by keywords.
pub(crate) fn conditions(rules: &str) -> String {
    let mut out = String::new();
    for (number, block) in rules.split("rule \"").skip(1).enumerate() {
        let Some(name) = block.strip_prefix("set-").and_then(|rest| rest.split('"').next()) else { continue };
        let attribute = name.split_once('-').map_or(name, |(_, attribute)| attribute);
        let ty = block.split("resource = \"").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
        let conditions = [
            format!("try(length(jsonencode(self.{attribute})), 0) > 4"),
            format!("length(resources(\"{ty}\")) <= 1"),
            format!("alltrue([for x in resources(\"{ty}\") : try(x.values.{attribute}, null) != null])"),
        ];
        let condition = &conditions[number % conditions.len()];
        out.push_str(&format!(
            "rule \"c-{name}\" {{\n  resource = \"{ty}\"\n  assert {{\n    condition     = {condition}\n    \
             error_message = \"It is not.\"\n  }}\n}}\n"
        ));
    }
    out
}
