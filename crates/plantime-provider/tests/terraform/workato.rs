//! A real provider of the first SDK: its schema, and the plans of its resources beside ours. The executable is not ours to copy, so
//! nothing of it is recorded here: it runs where `PLANTIME_WORKATO` names it.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    reason = "a test says what it expects by failing"
)]

use plantime::{Type, Value, msgpack};
use plantime_schema::planning::{
    Behaviour, Behaviours, TypeSystem, assert_plan_valid, plan_resource, proposed_new,
};
use plantime_schema::{ProviderSchemas, Schema};
use serde_json::{Value as Json, json};

use crate::support::{Workspace, terraform_is_there};

const ADDRESS: &str = "registry.terraform.io/test/workato";

/// The provider, which needs no network to plan.
const PROVIDER: &str =
    "provider \"workato\" {\n  api_key  = \"k\"\n  base_url = \"https://127.0.0.1:9\"\n}\n";

/// Objects that do not exist yet, of every type but those whose schema has sensitive attributes: of these the recording withholds
/// the bytes.
const CREATED: &str = r#"
resource "terraform_data" "u" {}
resource "workato_agentic_skill" "a" { 
  recipe_id = 5 
}
resource "workato_custom_connector" "a" {
  code  = "{ title: 'x' }"
  title = "T"
  note  = "n"
}
resource "workato_data_table" "a" {
  name      = "t"
  folder_id = 1
  column {
    name = "c"
    type = "string"
  }
  column {
    name = "d"
    type = "relation"
    relation {
      field_id = terraform_data.u.id
      table_id = "t"
    }
  }
}
resource "workato_event_stream_topic" "a" {
  name = "t"
  schema_field {
    name = "f"
    type = "string"
  }
  schema_field {
    name  = "g"
    type  = "integer"
    hint  = "h"
    label = terraform_data.u.id
  }
}
resource "workato_folder" "a" {
  name      = "n"
  folder_id = 1
}
resource "workato_folder" "b" {
  name      = terraform_data.u.id
  folder_id = 1
  force     = true
}
resource "workato_iam_user_group" "a" {
  name = "g"
}
resource "workato_iam_user_group" "b" {
  name        = "g"
  description = "d"
}
resource "workato_project" "a" {
  name = "p"
}
resource "workato_recipe" "a" {
  name      = "r"
  folder_id = 1
  code      = jsonencode({ a = 1 })
}
"#;

/// Changes of objects that exist.
const UPDATED: &str = r#"
resource "workato_folder" "a" {
  name      = "new"
  folder_id = 1
}
resource "workato_folder" "b" {
  name      = "old"
  folder_id = 1
}
resource "workato_project" "a" {
  name        = "p"
  description = "new"
}
resource "workato_project" "b" {
  name = "p"
}
resource "workato_data_table" "a" {
  name      = "t"
  folder_id = 2
  column {
    name = "c"
    type = "string"
  }
  column {
    name = "new"
    type = "integer"
  }
}
resource "workato_iam_user_group" "a" {
  name        = "g2"
  description = "d"
}
resource "workato_event_stream_topic" "a" {
  name = "t"
  schema_field {
    name = "f"
    type = "integer"
  }
}
resource "workato_event_stream_topic" "b" {
  name = "new"
  schema_field {
    name = "f"
    type = "string"
  }
  schema_field {
    name = "g"
    type = "string"
  }
}
resource "workato_event_stream_topic" "c" {
  name        = "t"
  description = ""
  schema_field {
    name = "f"
    type = "string"
  }
}
resource "workato_data_table" "b" {
  name      = "new"
  folder_id = 1
  column {
    name = "c"
    type = "string"
  }
}
"#;

/// The state of the objects that [`UPDATED`] changes.
fn state() -> Json {
    let objects = [
        (
            "workato_folder",
            "a",
            json!({"applied_name": "old", "created_at": "x", "folder_id": 1, "force": false, "id": "7",
            "name": "old", "updated_at": "y"}),
        ),
        (
            "workato_folder",
            "b",
            json!({"applied_name": "old", "created_at": "x", "folder_id": 1, "force": false, "id": "7",
            "name": "old", "updated_at": "y"}),
        ),
        (
            "workato_project",
            "a",
            json!({"applied_name": "p", "description": "old", "folder_id": 4, "id": "8", "name": "p"}),
        ),
        (
            "workato_project",
            "b",
            json!({"applied_name": "p", "description": "old", "folder_id": 4, "id": "8", "name": "p"}),
        ),
        (
            "workato_data_table",
            "a",
            json!({"applied_name": "t", "created_at": "x", "folder_id": 1, "folder_path": null, "id": "9",
            "name": "t", "numeric_id": 3, "truncate_trigger": null, "updated_at": "y", "column": [{"field_id": "u", "hint": null,
            "multivalue": false, "name": "c", "optional": false, "type": "string", "relation": []}]}),
        ),
        (
            "workato_iam_user_group",
            "a",
            json!({"applied_name": "g", "created_at": "x", "description": "d", "id": "10",
            "name": "g", "updated_at": "y"}),
        ),
        (
            "workato_event_stream_topic",
            "a",
            json!({"applied_name": "t", "created_at": "x", "description": "dd", "folder_id": 1,
            "id": "11", "name": "t", "retention": 3, "updated_at": "y", "schema_field": [{"control_type": "text",
            "extra_json": "{}", "hint": "h", "label": "l", "name": "f", "optional": false, "properties_json": "[]",
            "type": "string"}]}),
        ),
        // What is null in a list and what is empty: the SDK does not always tell them apart.
        ("workato_event_stream_topic", "b", topic()),
        ("workato_event_stream_topic", "c", topic()),
        (
            "workato_data_table",
            "b",
            json!({"applied_name": "t", "folder_id": 1, "folder_path": "", "id": "9", "name": "t", "numeric_id": 3,
            "column": [{"name": "c", "type": "string", "relation": [{"field_id": "u", "table_id": "t"}]}]}),
        ),
    ];
    let resource = |(ty, name, attributes): (&str, &str, Json)| {
        json!({"mode": "managed", "type": ty, "name": name, "provider": format!("provider[\"{ADDRESS}\"]"),
            "instances": [{"schema_version": 0, "attributes": attributes, "sensitive_attributes": []}]})
    };
    let resources: Vec<Json> = objects.into_iter().map(resource).collect();
    json!({"version": 4, "terraform_version": "1.11.4", "serial": 1, "lineage": "plantime", "outputs": {}, "resources": resources})
}

/// A topic in which only what is required is set.
fn topic() -> Json {
    json!({"folder_id": 1, "id": "1", "name": "t", "retention": 3, "schema_field": [{"name": "f", "type": "string"}]})
}

/// The defaults of the provider, which no schema tells.
fn behaviours(type_name: &str) -> Behaviours {
    let defaults: &[(&str, bool)] = match type_name {
        "workato_custom_connector" => &[("release", true)],
        "workato_data_table" => &[("column.multivalue", false), ("column.optional", false)],
        "workato_folder" => &[("force", false)],
        "workato_recipe" => &[("force_restart", false), ("start", true)],
        _ => &[],
    };
    let behaviours = defaults.iter().fold(Behaviours::sdk(), |behaviours, (path, default)| {
        behaviours.at(*path, Behaviour::new().default_value(*default))
    });
    match type_name {
        // A table stays in its folder.
        "workato_data_table" => {
            behaviours.at("folder_id", Behaviour::new().suppress_with("kept", |_, _| true))
        }
        _ => behaviours,
    }
}

/// A value of a recorded call.
fn value(recorded: &Json, ty: &Type) -> Value {
    let text = recorded["msgpack"].as_str().expect("nothing in it is sensitive");
    let digit = |at: usize| u8::from_str_radix(&text[at..at.saturating_add(2)], 16).expect("hex");
    let bytes: Vec<u8> = (0..text.len()).step_by(2).map(digit).collect();
    msgpack::from_slice(&bytes, ty).expect("a value of the type")
}

/// The schemas, the names of the resource types, and the calls of a plan.
fn recorded_plans(
    executable: &std::ffi::OsStr,
    configuration: &str,
    state: Option<&Json>,
) -> (ProviderSchemas, Vec<String>, Vec<Json>) {
    let kind = if state.is_some() { "update" } else { "create" };
    let record = std::env::temp_dir().join(format!("plantime-workato-{kind}-{}.jsonl", std::process::id()));
    let options = format!("--no-catalogue --record '{}'", record.display());
    let workspace = Workspace::behind_proxy(&options, "workato", executable.as_ref(), &[]);
    workspace.write("main.tf", &format!("{PROVIDER}{configuration}"));
    if let Some(state) = state {
        workspace.write("terraform.tfstate", &state.to_string());
    }
    workspace.terraform(&["plan", "-refresh=false"]).prints("Plan:");
    let schemas = workspace.terraform_output(&["providers", "schema", "-json"]);
    let recorded = std::fs::read_to_string(&record).expect("the calls are recorded");
    std::fs::remove_file(&record).expect("the file is there");
    let calls = recorded.lines().map(|line| serde_json::from_str::<Json>(line).expect("JSON"));
    let plans = calls.filter(|call| call["call"] == "/tfplugin6.Provider/PlanResourceChange").collect();
    let json: Json = serde_json::from_str(&schemas).expect("JSON");
    let types = json["provider_schemas"][ADDRESS]["resource_schemas"].as_object().expect("types");
    let type_names = types.keys().cloned().collect();
    (ProviderSchemas::from_json(schemas.as_bytes()).expect("schemas"), type_names, plans)
}

/// What is planned for a recorded call, beside what core proposed and the provider planned.
fn compare(schema: &Schema, call: &Json) {
    let (block, ty) = (schema.block(), schema.implied_type().expect("a type"));
    let type_name = call["type"].as_str().expect("a name");
    let of = |side: &str, name: &str| value(&call[side][name], ty);
    let (prior, config) = (of("request", "prior_state"), of("request", "config"));
    let (proposed, planned) = (of("request", "proposed_new_state"), of("answer", "planned_state"));
    assert_eq!(block.coerce(&config).expect("it fits"), config, "{type_name}");
    let own = proposed_new(block, &prior, &config).expect("a proposal");
    assert_eq!(own, proposed, "{type_name}: proposed");
    let valid = |planned: &Value| {
        assert_plan_valid(block, &prior, &config, planned, TypeSystem::Legacy).expect("values of the schema")
    };
    assert!(valid(&planned).is_accepted(), "{type_name}: {:?}", valid(&planned).violations);
    let own = plan_resource(block, &behaviours(type_name), &prior, &config).expect("a plan").value;
    assert!(valid(&own).is_accepted(), "{type_name}: {:?}", valid(&own).violations);
    // The SDK sends unknown values without refinements, so they are removed before the comparison.
    let plain = own.transform(|_, part| Ok(if part.is_known() { part } else { Value::unknown(part.ty()) }));
    let plain = plain.expect("values of the same types");
    assert_eq!(plain, planned, "{type_name}: planned");
}

#[test]
fn a_real_provider_is_planned_as_it_plans() {
    let Some(executable) = std::env::var_os("PLANTIME_WORKATO") else {
        println!("skipped: PLANTIME_WORKATO does not name terraform-provider-workato");
        return;
    };
    if !terraform_is_there() {
        return;
    }
    for (configuration, state, count) in [(CREATED, None, 10), (UPDATED, Some(state()), 10)] {
        let (schemas, type_names, plans) = recorded_plans(&executable, configuration, state.as_ref());
        for type_name in type_names {
            let schema = schemas.resource(ADDRESS, &type_name).expect("a schema");
            assert_eq!(schema.block().check(), [], "{type_name}");
        }
        for call in &plans {
            let type_name = call["type"].as_str().expect("a name");
            compare(schemas.resource(ADDRESS, type_name).expect("a schema"), call);
        }
        println!("{} plans compared", plans.len());
        assert_eq!(plans.len(), count);
    }
}
