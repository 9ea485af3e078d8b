//! Writes plan JSON as Terraform does: with the expressions of the configuration.

use std::collections::{BTreeMap, BTreeSet};

use plantime::function::Functions;
use plantime::source::Source;
use plantime::{Mark, Value, View};
use plantime_hcl::{Block, Body, Expression, Reference, ReferenceKey, Scope};
use serde_json::{Map, Value as Json, json};

use super::binary::{Contents, Object};

/// The known parts of a value; nothing where a whole value is unknown.
fn known(value: &Value) -> Option<Json> {
    let bare = value.clone().unmark().0;
    let all = |values: Vec<Value>| values.iter().map(|one| known(one).unwrap_or(Json::Null)).collect();
    Some(match bare.view() {
        View::Unknown(_) => return None,
        View::Object(object) => {
            let parts = object.iter().filter_map(|(name, part)| Some((name.to_owned(), known(part)?)));
            Json::Object(parts.collect())
        }
        View::Map(map) => {
            let parts = map.iter().filter_map(|(name, part)| Some((name.to_owned(), known(part)?)));
            Json::Object(parts.collect())
        }
        View::List(list) => all(list.iter().cloned().collect()),
        View::Tuple(tuple) => all(tuple.iter().cloned().collect()),
        View::Set(set) => all(set.iter().cloned().collect()),
        _ => serde_json::from_str(&plantime::json::to_string(&bare).unwrap()).unwrap(),
    })
}

/// The tree that says which parts of a value are of a kind: true where a whole part is.
fn tree(value: &Value, is_of: &dyn Fn(&Value) -> bool) -> Json {
    if is_of(value) {
        return Json::Bool(true);
    }
    let bare = value.clone().unmark().0;
    let all = |values: Vec<Value>| -> Json { values.iter().map(|one| tree(one, is_of)).collect() };
    let named = |parts: Vec<(String, Value)>| {
        let parts = parts.into_iter().map(|(name, part)| (name, tree(&part, is_of)));
        Json::Object(parts.filter(|(_, part)| *part != Json::Bool(false)).collect())
    };
    match bare.view() {
        View::Object(object) => {
            named(object.iter().map(|(name, part)| (name.to_owned(), part.clone())).collect())
        }
        View::Map(map) => named(map.iter().map(|(name, part)| (name.to_owned(), part.clone())).collect()),
        View::List(list) => all(list.iter().cloned().collect()),
        View::Tuple(tuple) => all(tuple.iter().cloned().collect()),
        View::Set(set) => all(set.iter().cloned().collect()),
        _ => Json::Bool(false),
    }
}

fn is_unknown(value: &Value) -> bool {
    matches!(value.clone().unmark().0.view(), View::Unknown(_))
}

fn is_sensitive(value: &Value) -> bool {
    value.marks().contains(&Mark::SENSITIVE)
}

/// The parts of the address of an instance: module, mode, type, name, key.
fn parts(address: &str) -> (String, &'static str, String, String, Option<Json>) {
    let bare = address.rsplit_once('[').filter(|_| address.ends_with(']'));
    let (bare, key) = match bare {
        Some((bare, key)) => (bare, Some(serde_json::from_str(key.trim_end_matches(']')).unwrap())),
        None => (address, None),
    };
    let (rest, name) = bare.rsplit_once('.').unwrap();
    let (module, ty) = rest.rsplit_once('.').unwrap_or(("", rest));
    let (module, mode) = match module.strip_suffix("data") {
        Some(module) => (module.trim_end_matches('.'), "data"),
        None => (module, "managed"),
    };
    (module.to_owned(), mode, ty.to_owned(), name.to_owned(), key)
}

/// What a change and a value have in common.
fn head(object: &Object) -> Map<String, Json> {
    let (module, mode, ty, name, key) = parts(&object.address);
    let mut head = Map::new();
    head.insert("address".to_owned(), json!(object.address));
    if !module.is_empty() {
        head.insert("module_address".to_owned(), json!(module));
    }
    for (property, text) in
        [("mode", mode), ("type", &*ty), ("name", &*name), ("provider_name", &*object.provider)]
    {
        head.insert(property.to_owned(), json!(text));
    }
    head.extend(key.map(|key| ("index".to_owned(), key)));
    head.extend(object.deposed.iter().map(|key| ("deposed".to_owned(), json!(key))));
    head
}

fn change(object: &Object) -> Json {
    let actions: Vec<&str> = object.actions.split(' ').collect();
    let side = |side: &Option<Value>| side.as_ref().and_then(known).unwrap_or(Json::Null);
    let sensitive = |side: &Option<Value>| match side {
        Some(value) if !value.is_null() => tree(value, &is_sensitive),
        _ => Json::Bool(false),
    };
    let unknown = object.after.as_ref().map_or(json!({}), |after| tree(after, &is_unknown));
    let mut row = head(object);
    row.insert(
        "change".to_owned(),
        json!({"actions": actions, "before": side(&object.before), "after": side(&object.after), "after_unknown": unknown,
            "before_sensitive": sensitive(&object.before), "after_sensitive": sensitive(&object.after)}),
    );
    Json::Object(row)
}

/// The data sources that were read while planning, by module.
fn prior_state(read: &[Object]) -> Json {
    let mut modules: BTreeMap<String, Vec<Json>> = BTreeMap::new();
    for object in read {
        let mut row = head(object);
        let module =
            row.remove("module_address").map_or(String::new(), |module| module.as_str().unwrap().to_owned());
        let value = object.after.as_ref().unwrap();
        row.insert("values".to_owned(), known(value).unwrap());
        row.insert("sensitive_values".to_owned(), tree(value, &is_sensitive));
        modules.entry(module).or_default().push(Json::Object(row));
    }
    let root = modules.remove("").unwrap_or_default();
    let below: Vec<Json> = modules
        .into_iter()
        .map(|(address, resources)| json!({"address": address, "resources": resources}))
        .collect();
    json!({"format_version": "1.0", "values": {"root_module": {"resources": root, "child_modules": below}}})
}

/// The plan in JSON.
pub(crate) fn write(contents: &Contents) -> String {
    let changes: Vec<Json> = contents.changes.iter().map(change).collect();
    let drift: Vec<Json> = contents.drift.iter().map(change).collect();
    let outputs = contents.outputs.iter().map(|(name, value)| {
        let value = Some(value.clone());
        let object = Object { address: String::new(), provider: String::new(), actions: "create".to_owned(), before: None, after: value, deposed: None };
        let after = object.after.as_ref().unwrap();
        let written = json!({"actions": ["create"], "before": null, "after": known(after), "after_unknown": tree(after, &is_unknown),
            "before_sensitive": false, "after_sensitive": tree(after, &is_sensitive)});
        (name.clone(), written)
    });
    let variables =
        contents.variables.iter().map(|(name, value)| (name.clone(), json!({"value": known(value)})));
    let mut plan = json!({
        "format_version": "1.2",
        "variables": Map::from_iter(variables),
        "resource_changes": changes,
        "output_changes": Map::from_iter(outputs),
        "prior_state": prior_state(&contents.read),
        "configuration": configuration(contents),
        "applyable": true,
        "complete": !contents.is_incomplete,
        "errored": contents.is_errored,
    });
    if !drift.is_empty() {
        plan["resource_drift"] = Json::from(drift);
    }
    for (name, text) in
        [("terraform_version", &contents.terraform_version), ("timestamp", &contents.timestamp)]
    {
        if let Some(text) = text {
            plan[name] = json!(text);
        }
    }
    plan.to_string()
}

fn body(contents: &Contents, folder: &str) -> Body {
    let path = if folder.is_empty() { "main.tf".to_owned() } else { format!("{folder}/main.tf") };
    Body::parse(&Source::new(&*path, &*contents.files[&path])).unwrap()
}

/// The configuration as plan JSON has it.
fn configuration(contents: &Contents) -> Json {
    let mut providers = Map::new();
    let root = module(contents, "", "", &mut providers);
    json!({"provider_config": providers, "root_module": root})
}

/// The constant text of an argument.
fn text(body: &Body, name: &str) -> Option<Json> {
    let literal = body.argument(name)?.expression.as_literal()?;
    Some(serde_json::from_str(&plantime::json::to_string(&literal).unwrap()).unwrap())
}

fn insert(row: &mut Map<String, Json>, name: &str, value: Option<Json>) {
    row.extend(value.map(|value| (name.to_owned(), value)));
}

/// A module: `key` is the key of its call, such as `net.dns`.
fn module(contents: &Contents, key: &str, folder: &str, providers: &mut Map<String, Json>) -> Json {
    let body = body(contents, folder);
    let of = |kind: &'static str| body.blocks.iter().filter(move |block| &*block.kind == kind);
    add_providers(&body, key, providers);
    let resources: Vec<Json> = of("resource").chain(of("data")).map(resource).collect();
    let mut calls = Map::new();
    for call in of("module") {
        let name = &*call.labels[0];
        let below = if key.is_empty() { name.to_owned() } else { format!("{key}.{name}") };
        let (_, _, folder) = contents.modules.iter().find(|(key, ..)| *key == below).unwrap();
        let mut row = Map::new();
        insert(&mut row, "source", text(&call.body, "source"));
        insert(&mut row, "version_constraint", text(&call.body, "version"));
        row.insert(
            "expressions".to_owned(),
            expressions(&call.body, &["source", "version", "count", "for_each", "providers"]),
        );
        row.insert("module".to_owned(), module(contents, &below, folder, providers));
        calls.insert(name.to_owned(), Json::Object(row));
    }
    let outputs = of("output").map(|output| {
        let mut row = Map::new();
        insert(
            &mut row,
            "expression",
            output.body.argument("value").map(|value| expression(&value.expression)),
        );
        insert(&mut row, "sensitive", text(&output.body, "sensitive"));
        insert(&mut row, "description", text(&output.body, "description"));
        (output.labels[0].to_string(), Json::Object(row))
    });
    let variables = of("variable").map(|variable| {
        let mut row = Map::new();
        for name in ["default", "sensitive", "description"] {
            insert(&mut row, name, text(&variable.body, name));
        }
        (variable.labels[0].to_string(), Json::Object(row))
    });
    json!({"outputs": Map::from_iter(outputs), "resources": resources, "module_calls": calls, "variables": Map::from_iter(variables)})
}

/// The provider configurations of a module: those that are required, configured, or used.
fn add_providers(body: &Body, key: &str, providers: &mut Map<String, Json>) {
    let calls: Vec<String> =
        key.split('.').filter(|name| !name.is_empty()).map(|name| format!("module.{name}")).collect();
    let address = calls.join(".");
    let prefix = if address.is_empty() { String::new() } else { format!("{address}:") };
    let mut required: BTreeMap<String, (String, Option<Json>)> = BTreeMap::new();
    let terraform =
        body.blocks.iter().filter(|block| &*block.kind == "terraform").flat_map(|block| &block.body.blocks);
    for argument in
        terraform.filter(|block| &*block.kind == "required_providers").flat_map(|block| &block.body.arguments)
    {
        let entries = argument.expression.entries().unwrap();
        let entry = |name: &str| {
            let found = entries.iter().find(|(key, _)| key.as_word() == Some(name))?;
            found.1.as_literal()?.as_str().ok().map(str::to_owned)
        };
        let source = entry("source").unwrap_or_else(|| format!("hashicorp/{}", argument.name));
        required.insert(argument.name.to_string(), (source, entry("version").map(Json::from)));
    }
    let used: BTreeSet<String> = body
        .blocks
        .iter()
        .filter(|block| matches!(&*block.kind, "resource" | "data"))
        .map(|block| block.labels[0].split('_').next().unwrap().to_owned())
        .collect();
    let configured = body.blocks.iter().filter(|block| &*block.kind == "provider");
    let row = |name: &str| {
        let mut row = Map::new();
        row.insert("name".to_owned(), json!(name));
        let (source, version) = required.get(name).cloned().unwrap_or((format!("hashicorp/{name}"), None));
        let full = match name {
            "terraform" => "terraform.io/builtin/terraform".to_owned(),
            _ => format!("registry.terraform.io/{source}"),
        };
        row.insert("full_name".to_owned(), json!(full));
        insert(&mut row, "version_constraint", version);
        if !address.is_empty() {
            row.insert("module_address".to_owned(), json!(address));
        }
        row
    };
    for name in required.keys().chain(&used) {
        providers.insert(format!("{prefix}{name}"), Json::Object(row(name)));
    }
    for block in configured {
        let name = &*block.labels[0];
        let alias = text(&block.body, "alias");
        let own =
            alias.as_ref().map_or(name.to_owned(), |alias| format!("{name}.{}", alias.as_str().unwrap()));
        let mut row = row(name);
        insert(&mut row, "alias", alias);
        let written = expressions(&block.body, &["alias", "version"]);
        if written != json!({}) {
            row.insert("expressions".to_owned(), written);
        }
        providers.insert(format!("{prefix}{own}"), Json::Object(row));
    }
}

fn resource(block: &Block) -> Json {
    let mode = if &*block.kind == "data" { "data" } else { "managed" };
    let prefix = if mode == "data" { "data." } else { "" };
    let (ty, name) = (&*block.labels[0], &*block.labels[1]);
    let meta = ["count", "for_each", "depends_on", "provider", "lifecycle", "provisioner"];
    let mut row = json!({"address": format!("{prefix}{ty}.{name}"), "mode": mode, "type": ty, "name": name,
        "provider_config_key": ty.split('_').next(), "expressions": expressions(&block.body, &meta)});
    let provisioners: Vec<Json> = block
        .body
        .blocks
        .iter()
        .filter(|inner| &*inner.kind == "provisioner")
        .map(|inner| json!({"type": inner.labels[0], "expressions": expressions(&inner.body, &["when", "on_failure"])}))
        .collect();
    if !provisioners.is_empty() {
        row["provisioners"] = Json::from(provisioners);
    }
    for (name, property) in [("count", "count_expression"), ("for_each", "for_each_expression")] {
        if let Some(argument) = block.body.argument(name) {
            row[property] = expression(&argument.expression);
        }
    }
    row
}

/// The arguments and nested blocks of a block, without these.
fn expressions(body: &Body, without: &[&str]) -> Json {
    let mut row = Map::new();
    for argument in body.arguments.iter().filter(|argument| !without.contains(&&*argument.name)) {
        row.insert(argument.name.to_string(), expression(&argument.expression));
    }
    for block in body.blocks.iter().filter(|block| !without.contains(&&*block.kind)) {
        let blocks = row.entry(block.produced_kind().to_owned()).or_insert(json!([]));
        blocks.as_array_mut().unwrap().push(expressions(&block.body, &[]));
    }
    Json::Object(row)
}

/// An expression: its value where it has no references, else these, each with all that leads to it.
fn expression(expression: &Expression) -> Json {
    let references = expression.references();
    if references.is_empty() {
        let (none, functions) = (BTreeMap::<String, Value>::new(), Functions::new());
        return match expression.evaluate(&Scope::new(&none).with_functions(&functions)) {
            // Terraform gives the value of constants only: `{}` stands for a call.
            Ok(value) if expression.function_names().is_empty() => json!({"constant_value": known(&value)}),
            _ => json!({}),
        };
    }
    let names: Vec<String> = references.into_iter().flat_map(leading).collect();
    json!({"references": names})
}

fn leading(reference: &Reference) -> Vec<String> {
    let of_subject = if reference.root() == "data" { 2 } else { 1 };
    let mut texts = vec![reference.root().to_owned()];
    for step in reference.steps() {
        let before = texts.last().unwrap();
        texts.push(match step.key() {
            ReferenceKey::Attribute(name) => format!("{before}.{name}"),
            ReferenceKey::Index(key) => format!("{before}[{key}]"),
        });
    }
    texts.drain(..of_subject.min(texts.len() - 1));
    texts.reverse();
    texts
}
