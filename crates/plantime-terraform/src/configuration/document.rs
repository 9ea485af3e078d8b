//! A configuration in the form of the property `configuration` of a plan in JSON.

use std::collections::BTreeMap;

use super::Configuration;
use super::module::{Module, Resource, ResourceMode};
use super::tree::Tree;
use plantime::function::Functions;
use plantime::{Value, json};
use plantime_hcl::{Body, Expression, Reference, ReferenceKey, Scope};
use plantime_schema::{Nesting, ProviderSchemas};
use serde_json::{Map, Value as Json, json};

/// What may be written of the arguments of resources.
pub(crate) trait Published {
    /// Whether a constant argument of a resource may be written: nothing says that the attribute is sensitive, and something says that
    /// it is not. `calls` are the names of the module calls that lead to the resource, `name` is its address in its module.
    fn is_public(&self, calls: &[&str], name: &str, attribute: &str) -> bool;
}

impl Configuration {
    /// The configuration in the form of a plan in JSON. Constants are written where nothing sensitive can be in them: those of
    /// module calls, providers and provisioners never are.
    pub(crate) fn to_plan_json(&self, schemas: &ProviderSchemas, published: &dyn Published) -> Json {
        let mut writing = Writing { schemas, published, providers: Map::new() };
        let root = writing.module(&self.root, &mut Vec::new());
        let mut document = Map::new();
        insert_unless_empty(&mut document, "provider_config", Json::Object(writing.providers));
        document.insert("root_module".to_owned(), root);
        Json::Object(document)
    }

    /// The root variables that have a default, with it where it is not sensitive: the values of those that a plan does not have.
    pub(crate) fn public_defaults(&self) -> impl Iterator<Item = (&str, Option<&Value>)> {
        let variables = self.root.module.variables.iter().filter(|(_, variable)| variable.default.is_some());
        variables.map(|(name, variable)| (&**name, variable.default.as_ref().filter(|_| !variable.sensitive)))
    }
}

/// Writes modules.
struct Writing<'w> {
    schemas: &'w ProviderSchemas,
    published: &'w dyn Published,
    /// The configurations of providers, by their keys.
    providers: Map<String, Json>,
}

impl Writing<'_> {
    /// A module with those that it calls.
    fn module<'t>(&mut self, tree: &'t Tree, calls: &mut Vec<&'t str>) -> Json {
        let module = &tree.module;
        self.add_providers(module, calls);
        let mut document = Map::new();
        let outputs = module.outputs.iter().map(|(name, output)| (name.to_string(), written_output(output)));
        insert_unless_empty(&mut document, "outputs", Json::Object(outputs.collect()));
        // As Terraform has them: first what is managed, then what is read.
        let of_mode = |mode| module.resources.iter().filter(move |(_, resource)| resource.mode == mode);
        let mut resources = Vec::new();
        for mode in [ResourceMode::Managed, ResourceMode::Data, ResourceMode::Ephemeral] {
            for (address, resource) in of_mode(mode) {
                resources.push(self.resource(module, address, resource, calls));
            }
        }
        insert_unless_empty(&mut document, "resources", Json::Array(resources));
        let mut called = Map::new();
        for ((name, call), inside) in module.calls.iter().zip(&tree.calls) {
            let body = &call.block.body;
            let mut written = Map::new();
            insert_text(&mut written, "source", call.source.as_deref());
            let language = ["source", "version", "count", "for_each", "depends_on", "providers"];
            let own = body.arguments.iter().filter(|argument| !language.contains(&&*argument.name));
            let expressions = own.map(|one| (one.name.to_string(), references_of(&one.expression)));
            insert_unless_empty(&mut written, "expressions", Json::Object(expressions.collect()));
            insert_repetition(&mut written, body);
            if let Some(inside) = inside {
                calls.push(name);
                written.insert("module".to_owned(), self.module(inside, calls));
                calls.pop();
            }
            let version = body.argument("version").and_then(|argument| argument.expression.as_literal());
            insert_text(
                &mut written,
                "version_constraint",
                version.as_ref().and_then(|one| one.as_str().ok()),
            );
            called.insert(name.to_string(), Json::Object(written));
        }
        insert_unless_empty(&mut document, "module_calls", Json::Object(called));
        let variables = module.variables.iter().map(|(name, variable)| {
            let mut written = Map::new();
            let default = variable.default.as_ref().filter(|_| !variable.sensitive);
            if let Some(default) = default.and_then(json_of) {
                written.insert("default".to_owned(), default);
            }
            insert_text(
                &mut written,
                "description",
                constant_text(&variable.block.body, "description").as_deref(),
            );
            if variable.sensitive {
                written.insert("sensitive".to_owned(), Json::Bool(true));
            }
            (name.to_string(), Json::Object(written))
        });
        insert_unless_empty(&mut document, "variables", Json::Object(variables.collect()));
        Json::Object(document)
    }

    /// Adds the providers that a module requires, uses or configures.
    fn add_providers(&mut self, module: &Module, calls: &[&str]) {
        let steps: Vec<String> = calls.iter().map(|call| format!("module.{call}")).collect();
        let address = steps.join(".");
        let key = |name: &str| if address.is_empty() { name.to_owned() } else { format!("{address}:{name}") };
        let entry = |name: &str| {
            let mut written = Map::new();
            insert_text(&mut written, "name", Some(name));
            insert_text(&mut written, "full_name", Some(&module.provider_address(name)));
            let version = module.provider_versions.get(name);
            insert_text(&mut written, "version_constraint", version.map(String::as_str));
            insert_text(
                &mut written,
                "module_address",
                Some(&*address).filter(|address| !address.is_empty()),
            );
            written
        };
        for name in module.providers.keys().chain(module.provider_versions.keys()) {
            self.providers.insert(key(name), Json::Object(entry(name)));
        }
        // What is used and not required is that of the root module.
        let used = module.resources.values().filter_map(|resource| module.provider_reference(resource));
        for (name, _) in used.filter(|(name, _)| !module.provider_versions.contains_key(name)) {
            if !module.providers.contains_key(&name) {
                let address = module.provider_address(&name);
                let implied = || json!({"name": name, "full_name": address});
                self.providers.entry(name.clone()).or_insert_with(implied);
            }
        }
        for block in &module.configured_providers {
            let Some(name) = block.labels.first() else { continue };
            let mut written = entry(name);
            let alias = constant_text(&block.body, "alias");
            insert_text(&mut written, "alias", alias.as_deref());
            let version = constant_text(&block.body, "version");
            insert_text(&mut written, "version_constraint", version.as_deref());
            // Nothing says which arguments are sensitive.
            let mut arguments = expressions(&block.body, None, &|_| false);
            if let Json::Object(arguments) = &mut arguments {
                arguments.retain(|name, _| !matches!(&**name, "alias" | "version"));
            }
            insert_unless_empty(&mut written, "expressions", arguments);
            let own = alias.map_or_else(|| name.to_string(), |alias| format!("{name}.{alias}"));
            self.providers.insert(key(&own), Json::Object(written));
        }
    }

    /// A resource, data source or ephemeral resource.
    fn resource(&mut self, module: &Module, address: &str, resource: &Resource, calls: &[&str]) -> Json {
        let provider = module.provider(resource);
        let schema = match resource.mode {
            ResourceMode::Managed => self.schemas.resource(&provider, &resource.ty),
            ResourceMode::Data => self.schemas.data_source(&provider, &resource.ty),
            ResourceMode::Ephemeral => self.schemas.ephemeral_resource(&provider, &resource.ty),
        };
        let mode = match resource.mode {
            ResourceMode::Managed => "managed",
            ResourceMode::Data => "data",
            ResourceMode::Ephemeral => "ephemeral",
        };
        let (local, alias) = module.provider_reference(resource).unwrap_or_default();
        let key = alias.map_or_else(|| local.clone(), |alias| format!("{local}.{alias}"));
        let name = resource.block.labels.get(1).map(|name| &**name);
        let mut written = Map::new();
        for (property, text) in [
            ("address", Some(address)),
            ("mode", Some(mode)),
            ("type", Some(&*resource.ty)),
            ("name", name),
            ("provider_config_key", Some(&*key)),
        ] {
            insert_text(&mut written, property, text);
        }
        let body = &resource.block.body;
        let provisioners = body.blocks_of(&resource.block.source, "provisioner", 1);
        let provisioners = provisioners.iter().map(|block| {
            let expressions = expressions(&block.body, None, &|_| false);
            json!({"type": block.labels.first(), "expressions": expressions})
        });
        insert_unless_empty(&mut written, "provisioners", provisioners.collect());
        let is_public = |name: &str| self.published.is_public(calls, address, name);
        let mut arguments = expressions(body, schema.map(|schema| schema.block()), &is_public);
        if let Json::Object(arguments) = &mut arguments {
            for name in LANGUAGE {
                arguments.remove(name);
            }
        }
        written.insert("expressions".to_owned(), arguments);
        if let Some(schema) = schema {
            written.insert("schema_version".to_owned(), json!(schema.version()));
        }
        insert_repetition(&mut written, body);
        Json::Object(written)
    }
}

/// What the language defines inside a resource.
const LANGUAGE: [&str; 8] =
    ["count", "for_each", "depends_on", "provider", "lifecycle", "connection", "provisioner", "dynamic"];

/// An output. Its value is written if it is a constant that is not sensitive.
fn written_output(output: &super::module::Output) -> Json {
    let body = &output.block.body;
    let mut written = Map::new();
    if output.sensitive {
        written.insert("sensitive".to_owned(), Json::Bool(true));
    }
    if let Some(value) = body.argument("value") {
        written.insert("expression".to_owned(), written_expression(&value.expression, !output.sensitive));
    }
    insert_text(&mut written, "description", constant_text(body, "description").as_deref());
    insert_dependencies(&mut written, body);
    Json::Object(written)
}

/// The arguments and nested blocks of a block. Without a schema each kind of nested block is a list.
fn expressions(
    body: &Body,
    schema: Option<&plantime_schema::Block>,
    is_public: &dyn Fn(&str) -> bool,
) -> Json {
    let mut written = Map::new();
    for argument in &body.arguments {
        let expression = written_expression(&argument.expression, is_public(&argument.name));
        written.insert(argument.name.to_string(), expression);
    }
    for block in body.blocks.iter().filter(|block| !LANGUAGE.contains(&&*block.kind)) {
        let nested = schema.and_then(|schema| schema.block_types.get(&block.kind));
        // What is public of a nested block is what is public of all of it.
        let inside =
            expressions(&block.body, nested.map(|nested| &nested.block), &|_| is_public(&block.kind));
        let is_single =
            nested.is_some_and(|nested| matches!(nested.nesting, Nesting::Single | Nesting::Group));
        match written.get_mut(&*block.kind) {
            _ if is_single => drop(written.insert(block.kind.to_string(), inside)),
            Some(Json::Array(blocks)) => blocks.push(inside),
            _ => drop(written.insert(block.kind.to_string(), json!([inside]))),
        }
    }
    Json::Object(written)
}

/// An expression: its constant value, if it has one that may be written, else its references.
fn written_expression(expression: &Expression, is_public: bool) -> Json {
    let constant = || {
        let (none, functions) = (BTreeMap::<String, Value>::new(), Functions::new());
        let value = expression.evaluate(&Scope::new(&none).with_functions(&functions)).ok()?;
        json_of(&value)
    };
    match expression.references().is_empty() && is_public {
        true => {
            constant().map_or_else(|| references_of(expression), |value| json!({"constant_value": value}))
        }
        false => references_of(expression),
    }
}

/// The references of an expression, each with all that leads to it.
fn references_of(expression: &Expression) -> Json {
    let all = expression.references().into_iter().flat_map(reference_texts);
    let all: Vec<String> = all.collect();
    if all.is_empty() { json!({}) } else { json!({"references": all}) }
}

/// A reference as it is written, then without its last step, and so on to what it refers to.
fn reference_texts(reference: &Reference) -> Vec<String> {
    // `data.TYPE.NAME` has two steps behind its root, `TYPE.NAME` and `var.NAME` one.
    let of_subject = match reference.root() {
        "data" | "ephemeral" => 2,
        "self" => 0,
        _ => 1,
    };
    let mut texts = vec![String::from(reference.root())];
    for step in reference.steps() {
        let before = texts.last().cloned().unwrap_or_default();
        texts.push(match step.key() {
            ReferenceKey::Attribute(name) => format!("{before}.{name}"),
            ReferenceKey::Index(key) => format!("{before}[{key}]"),
        });
    }
    texts.drain(..of_subject.min(texts.len().saturating_sub(1)));
    texts.reverse();
    texts
}

/// Adds `count_expression` and `for_each_expression`, and what a block depends on.
fn insert_repetition(written: &mut Map<String, Json>, body: &Body) {
    for (argument, property) in [("count", "count_expression"), ("for_each", "for_each_expression")] {
        if let Some(argument) = body.argument(argument) {
            insert_unless_empty(written, property, written_expression(&argument.expression, true));
        }
    }
    insert_dependencies(written, body);
}

/// Adds what a block depends on.
fn insert_dependencies(written: &mut Map<String, Json>, body: &Body) {
    let listed = body.argument("depends_on").and_then(|argument| argument.expression.items());
    let listed = listed.into_iter().flatten();
    let names =
        listed.filter_map(|item| item.as_reference().map(|reference| Json::from(reference.to_string())));
    insert_unless_empty(written, "depends_on", names.collect());
}

/// The constant text of an argument.
fn constant_text(body: &Body, name: &str) -> Option<String> {
    Some(body.argument(name)?.expression.as_literal()?.as_str().ok()?.to_owned())
}

/// A known value as JSON.
fn json_of(value: &Value) -> Option<Json> {
    if !value.is_wholly_known() || value.contains_marks() {
        return None;
    }
    serde_json::from_str(&json::to_string_as(value, &value.ty()).ok()?).ok()
}

/// Adds a property, unless it is empty.
fn insert_unless_empty(object: &mut Map<String, Json>, name: &str, value: Json) {
    let is_empty = match &value {
        Json::Object(object) => object.is_empty(),
        Json::Array(items) => items.is_empty(),
        _ => false,
    };
    if !is_empty {
        object.insert(name.to_owned(), value);
    }
}

/// Adds a property with a text, if there is one.
fn insert_text(object: &mut Map<String, Json>, name: &str, text: Option<&str>) {
    if let Some(text) = text {
        object.insert(name.to_owned(), Json::from(text));
    }
}
