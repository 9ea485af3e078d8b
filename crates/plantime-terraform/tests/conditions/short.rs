//! Plans in few words: a configuration, with what only a plan says written beside it.
//!
//! | in the text | is |
//! |---|---|
//! | `x = unknown`, `x = unknown.number` | an attribute that the provider chooses, not known yet: not in the configuration |
//! | `id = "vpc-1"`, `arn = "…"` | one that it has chosen: not in the configuration |
//! | `plan { actions = ["update"] … }` in a resource | what happens to it; `before` and `drift` hold the values that were different |
//! | `plan { complete = false … }` | what the plan says of itself: `errored`, `terraform_version`, `timestamp`, `workspace`, `variables` |
//! | `## net.dns` on a line | the files of this module call follow |
//!
//! The schemas come from the types of the values: each attribute is optional, and `id` and those that are unknown in one of the plans
//! of a case are computed.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use plantime::source::Source;
use plantime::{Type, Value, View};
use plantime_hcl::{Block, Body, Expression, Scope};
use plantime_schema::ProviderSchemas;
use plantime_terraform::configuration::{Configuration, Inputs};
use serde_json::{Map, Value as Json, json};

use super::binary::{Contents, Object, has_unknown};

/// What providers call sets: attributes, and blocks.
const SETS: [&str; 9] = [
    "aws_network_acl.subnet_ids",
    "aws_db_subnet_group.subnet_ids",
    "aws_instance.vpc_security_group_ids",
    "aws_cloudfront_distribution.origin",
    "aws_db_parameter_group.parameter",
    "aws_wafv2_web_acl.rule",
    "aws_backup_selection.resources",
    "aws_route53_zone.vpc",
    "tencentcloud_instance.orderly_security_groups",
];

/// A plan in few words, taken apart.
pub(crate) struct Short {
    /// The files by folder and name.
    texts: BTreeMap<String, String>,
    /// The module calls: keys, sources, folders.
    modules: Vec<(String, String, String)>,
}

/// What a resource block of a plan in few words says beside its configuration.
#[derive(Default)]
struct Beside {
    actions: Option<String>,
    before: Option<Expression>,
    drift: Option<Expression>,
}

fn parse(text: &str) -> Body {
    Body::parse(&Source::new("main.tf", text)).unwrap_or_else(|problems| panic!("{problems}\n{text}"))
}

/// A block of HCL, to its closing brace.
fn whole(text: &str, block: &Block) -> std::ops::Range<usize> {
    let mut depth = 0;
    for (at, byte) in text.bytes().enumerate().skip(block.head().end) {
        match byte {
            b'{' => depth += 1,
            b'}' if depth == 1 => return block.span.start..at + 1,
            b'}' => depth -= 1,
            _ => {}
        }
    }
    panic!("no end of a block: {text}")
}

/// The text with these ranges blank.
fn without(text: &str, ranges: &[std::ops::Range<usize>]) -> String {
    let is_out = |at: usize| ranges.iter().any(|range| range.contains(&at));
    let keep = |(at, c): (usize, char)| if is_out(at) && c != '\n' { ' ' } else { c };
    text.char_indices().map(keep).collect()
}

fn literal(expression: &Expression) -> Value {
    struct Nothing;
    impl plantime_hcl::Variables for Nothing {
        fn resolve(
            &self,
            reference: &plantime_hcl::Reference,
        ) -> Result<plantime_hcl::Resolved, plantime_hcl::Unresolved> {
            Err(plantime_hcl::Unresolved::unknown_variable(reference, [""]))
        }
    }
    expression.evaluate(&Scope::new(&Nothing)).unwrap_or_else(|problems| panic!("{problems}"))
}

fn is_unknown(expression: &Expression) -> Option<Json> {
    let reference = expression.as_reference().filter(|reference| reference.root() == "unknown")?;
    let word = reference.to_string();
    Some(match word.trim_start_matches("unknown").trim_start_matches('.') {
        "" | "string" => json!("string"),
        "strings" => json!(["list", "string"]),
        "numbers" => json!(["list", "number"]),
        "map" => json!(["map", "string"]),
        word => json!(word),
    })
}

/// Whether an argument of a resource stands for a value that the provider has chosen.
fn is_chosen(name: &str, expression: &Expression) -> bool {
    matches!(name, "id" | "arn") && expression.as_reference().is_none()
}

/// The place in a schema of an attribute or block: its type or the block, and whether it is computed.
#[derive(Default, Clone)]
pub(crate) struct Shape {
    attributes: BTreeMap<String, (Option<Json>, bool)>,
    blocks: BTreeMap<String, Shape>,
}

/// The type of the value of an expression, as schemas write it.
fn type_of(expression: &Expression) -> Option<Json> {
    if let Some(ty) = is_unknown(expression) {
        return Some(ty);
    }
    if let Some(literal) = expression.as_literal() {
        return match literal.view() {
            View::String(_) => Some(json!("string")),
            View::Number(_) => Some(json!("number")),
            View::Bool(_) => Some(json!("bool")),
            _ => None,
        };
    }
    if let Some(items) = expression.items() {
        return Some(json!(["list", items.iter().find_map(type_of).unwrap_or(json!("string"))]));
    }
    if let Some(entries) = expression.entries() {
        let mut types = Map::new();
        for (key, value) in &entries {
            let name = key
                .as_word()
                .map(str::to_owned)
                .or_else(|| key.as_literal().and_then(|literal| literal.as_str().ok().map(str::to_owned)));
            types.insert(name.unwrap_or_default(), type_of(value).unwrap_or(json!("string")));
        }
        let all_texts = types.values().all(|ty| ty == "string");
        return Some(if all_texts { json!(["map", "string"]) } else { json!(["object", types]) });
    }
    match expression.as_call() {
        Some(("jsonencode", _)) => Some(json!("string")),
        Some(("sensitive", arguments)) => type_of(&arguments[0]),
        _ => None,
    }
}

impl Shape {
    fn add(&mut self, body: &Body, is_top: bool) {
        for argument in &body.arguments {
            let name = &*argument.name;
            if is_top && matches!(name, "count" | "for_each" | "provider" | "depends_on") {
                continue;
            }
            let known = self.attributes.entry(name.to_owned()).or_default();
            let computed = is_unknown(&argument.expression).is_some();
            known.1 |= computed || is_top && is_chosen(name, &argument.expression);
            known.0 = known.0.take().or_else(|| type_of(&argument.expression));
        }
        for block in &body.blocks {
            if is_top && matches!(&*block.kind, "plan" | "lifecycle" | "provisioner" | "connection") {
                let before = block.body.argument("before").or_else(|| block.body.argument("drift"));
                let entries = before.and_then(|before| before.expression.entries()).unwrap_or_default();
                for (key, value) in entries {
                    let known = self.attributes.entry(key.as_word().unwrap().to_owned()).or_default();
                    known.0 = known.0.take().or_else(|| type_of(&value));
                }
                continue;
            }
            let body = match &*block.kind {
                "dynamic" => &block.body.blocks[0].body,
                _ => &block.body,
            };
            self.blocks.entry(block.produced_kind().to_owned()).or_default().add(body, false);
        }
    }

    /// Adds what only another shape has, as what nothing chooses.
    fn extend(&mut self, other: &Shape) {
        for (name, (ty, _)) in &other.attributes {
            self.attributes.entry(name.clone()).or_insert_with(|| (ty.clone(), false));
        }
        for (name, block) in &other.blocks {
            self.blocks.entry(name.clone()).or_default().extend(block);
        }
    }

    fn to_json(&self, ty: &str) -> Json {
        let is_set = |name: &str| SETS.contains(&&*format!("{ty}.{name}"));
        let mut attributes = Map::new();
        for (name, (ty, computed)) in &self.attributes {
            if self.blocks.contains_key(name) {
                continue;
            }
            let mut ty = ty.clone().unwrap_or(json!("string"));
            if is_set(name) {
                ty = json!(["set", ty[1]]);
            }
            attributes.insert(name.clone(), json!({"type": ty, "optional": true, "computed": computed}));
        }
        let blocks = self.blocks.iter().map(|(name, shape)| {
            let mode = if is_set(name) { "set" } else { "list" };
            (name.clone(), json!({"nesting_mode": mode, "block": shape.to_json("")}))
        });
        json!({"attributes": attributes, "block_types": Map::from_iter(blocks)})
    }
}

/// The shapes of the resource types, by `resource` or `data`, and the type.
pub(crate) type Shapes = BTreeMap<(String, String), Shape>;

/// Adds what only other shapes have of the types that these have.
pub(crate) fn extend(shapes: &mut Shapes, all: &Shapes) {
    for (name, shape) in shapes {
        if let Some(other) = all.get(name) {
            shape.extend(other);
        }
    }
}

/// Adds the types that the text of a rule names: real schemas have them, whether a plan does or not.
pub(crate) fn add_named(shapes: &mut Shapes, rule: &str) {
    for word in rule.split('"').skip(1).step_by(2) {
        let (kind, ty) = word.strip_prefix("data.").map_or(("resource", word), |ty| ("data", ty));
        let is_name =
            ty.contains('_') && ty.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
        if is_name {
            shapes.entry((kind.to_owned(), ty.to_owned())).or_default();
        }
    }
}

/// The providers of a root module that it requires from elsewhere: their sources by name.
fn sources(body: &Body) -> BTreeMap<String, String> {
    let terraform = body.blocks.iter().filter(|block| &*block.kind == "terraform");
    let required =
        terraform.flat_map(|block| &block.body.blocks).filter(|block| &*block.kind == "required_providers");
    let mut found = BTreeMap::new();
    for argument in required.flat_map(|block| &block.body.arguments) {
        let value = literal(&argument.expression);
        if let Ok(source) = value.get_attr("source").and_then(|source| source.as_str().map(str::to_owned)) {
            found.insert(argument.name.to_string(), source);
        }
    }
    found
}

/// The address of the provider of a resource type.
fn provider(ty: &str, sources: &BTreeMap<String, String>) -> String {
    let name = ty.split('_').next().unwrap();
    if name == "terraform" {
        return "terraform.io/builtin/terraform".to_owned();
    }
    match sources.get(name) {
        Some(source) => format!("registry.terraform.io/{source}"),
        None => format!("registry.terraform.io/hashicorp/{name}"),
    }
}

/// The schemas of these shapes.
pub(crate) fn schemas(shapes: &Shapes, plans: &[Short]) -> ProviderSchemas {
    let sources: BTreeMap<String, String> =
        plans.iter().flat_map(|plan| sources(&parse(&plan.texts["main.tf"]))).collect();
    let mut providers: BTreeMap<String, Json> = BTreeMap::new();
    for ((kind, ty), shape) in shapes {
        let provider = providers.entry(provider(ty, &sources)).or_insert_with(|| {
            json!({"provider": {"version": 0, "block": {}}, "resource_schemas": {}, "data_source_schemas": {}})
        });
        let list = if kind == "data" { "data_source_schemas" } else { "resource_schemas" };
        provider[list][ty] = json!({"version": 0, "block": shape.to_json(ty)});
    }
    let text = json!({"format_version": "1.0", "provider_schemas": providers}).to_string();
    ProviderSchemas::from_json(text.as_bytes()).unwrap()
}

/// The name of a resource block in the configuration.
fn address(block: &Block) -> String {
    let prefix = if &*block.kind == "data" { "data." } else { "" };
    format!("{prefix}{}.{}", block.labels[0], block.labels[1])
}

fn is_resource(block: &Block) -> bool {
    matches!(&*block.kind, "resource" | "data")
}

impl Short {
    pub(crate) fn read(text: &str) -> Short {
        let mut sections: BTreeMap<&str, String> = BTreeMap::from([("", String::new())]);
        let mut key = "";
        for line in text.lines() {
            match line.strip_prefix("## ") {
                Some(next) => key = next.trim(),
                None => {
                    let section = sections.entry(key).or_default();
                    section.push_str(line);
                    section.push('\n');
                }
            }
        }
        let mut short = Short { texts: BTreeMap::new(), modules: Vec::new() };
        let mut todo = vec![(String::new(), String::new())];
        while let Some((key, folder)) = todo.pop() {
            let text = sections.get(&*key).cloned().unwrap_or_default();
            for call in parse(&text).blocks.iter().filter(|block| &*block.kind == "module") {
                let name = &*call.labels[0];
                let below = if key.is_empty() { name.to_owned() } else { format!("{key}.{name}") };
                let source = literal(&call.body.argument("source").unwrap().expression);
                let source = source.as_str().unwrap().to_owned();
                let inside = match source.strip_prefix("./") {
                    Some(path) if folder.is_empty() => path.to_owned(),
                    Some(path) => format!("{folder}/{path}"),
                    None => format!(".terraform/modules/{below}"),
                };
                short.modules.push((below.clone(), source, inside.clone()));
                todo.push((below, inside));
            }
            let path = if folder.is_empty() { "main.tf".to_owned() } else { format!("{folder}/main.tf") };
            short.texts.insert(path, text);
        }
        short
    }

    /// Adds the types of the resources.
    pub(crate) fn add_shapes(&self, shapes: &mut Shapes) {
        for block in self.texts.values().flat_map(|text| parse(text).blocks).filter(is_resource) {
            let shape = shapes.entry((block.kind.to_string(), block.labels[0].to_string())).or_default();
            if &*block.kind == "resource" {
                shape.attributes.entry("id".to_owned()).or_default().1 = true;
            }
            shape.add(&block.body, true);
        }
    }

    /// Whether there is nothing but what is written.
    pub(crate) fn is_configuration(&self) -> bool {
        let has_plan = |text: &String| {
            let blocks = parse(text).blocks;
            let of_resource = |block: &Block| block.body.blocks.iter().any(|inner| &*inner.kind == "plan");
            blocks.iter().any(|block| &*block.kind == "plan" || of_resource(block))
        };
        !self.texts.values().any(has_plan)
    }

    /// The files as they are configured: without what only a plan says. With `with_chosen`, what the provider has chosen stays.
    fn files(&self, with_chosen: bool) -> BTreeMap<String, String> {
        let mut files = BTreeMap::new();
        for (path, text) in &self.texts {
            let mut out = Vec::new();
            for block in parse(text).blocks {
                if &*block.kind == "plan" {
                    out.push(whole(text, &block));
                }
                if is_resource(&block) {
                    let is_gone = beside(&block)
                        .actions
                        .is_some_and(|actions| matches!(&*actions, "delete" | "forget"));
                    if is_gone && !with_chosen {
                        out.push(whole(text, &block));
                    }
                    blank(text, &block, true, with_chosen, &mut out);
                }
            }
            files.insert(path.clone(), without(text, &out));
        }
        files
    }

    /// The configuration, as its files.
    pub(crate) fn configuration(&self) -> Arc<BTreeMap<String, Vec<u8>>> {
        let mut files = self.files(false);
        let folders = self.modules.iter();
        let rows: Vec<Json> = folders
            .map(|(key, source, folder)| json!({"Key": key, "Source": source, "Dir": folder}))
            .collect();
        files.insert(".terraform/modules/modules.json".to_owned(), json!({"Modules": rows}).to_string());
        Arc::new(files.into_iter().map(|(path, text)| (path, text.into_bytes())).collect())
    }

    /// What the plan has.
    pub(crate) fn contents(&self, schemas: &ProviderSchemas) -> Contents {
        let root = parse(&self.texts["main.tf"]);
        let mut contents = Contents {
            files: self.files(false),
            modules: self.modules.clone(),
            terraform_version: Some("1.11.4".to_owned()),
            timestamp: Some("2026-11-28T12:00:00Z".to_owned()),
            ..Contents::default()
        };
        let mut given = BTreeMap::new();
        for block in root.blocks.iter().filter(|block| &*block.kind == "plan") {
            for argument in &block.body.arguments {
                let value = literal(&argument.expression);
                let text = value.as_str().ok().map(str::to_owned);
                match &*argument.name {
                    "complete" => contents.is_incomplete = value == Value::from(false),
                    "errored" => contents.is_errored = value == Value::from(true),
                    "terraform_version" => contents.terraform_version = text,
                    "timestamp" => contents.timestamp = text,
                    "workspace" => contents.workspace = text,
                    "variables" => given = entries(&value),
                    other => panic!("a plan has no {other}"),
                }
            }
        }
        self.evaluate(schemas, given, &sources(&root), &mut contents);
        contents
    }

    /// Adds the resources, variables and outputs.
    fn evaluate(
        &self,
        schemas: &ProviderSchemas,
        given: BTreeMap<String, Value>,
        sources: &BTreeMap<String, String>,
        contents: &mut Contents,
    ) {
        let mut files: BTreeMap<String, Vec<u8>> =
            self.files(true).into_iter().map(|(path, text)| (path, text.into_bytes())).collect();
        let manifest = self.configuration()[".terraform/modules/modules.json"].clone();
        files.insert(".terraform/modules/modules.json".to_owned(), manifest);
        let configuration =
            Configuration::read(Arc::new(files)).unwrap_or_else(|problems| panic!("{problems}"));
        let mut inputs = Inputs::new().schemas(schemas).without_plan();
        if let Some(workspace) = &contents.workspace {
            inputs = inputs.workspace(workspace);
        }
        for (name, value) in given {
            inputs = inputs.variable(name, value);
        }
        let evaluation = configuration.evaluate(&inputs);
        let problems: Vec<String> = evaluation.problems().iter().map(ToString::to_string).collect();
        assert!(problems.is_empty(), "{problems:#?}");
        let beside = self.beside();
        for address in evaluation.addresses() {
            let value = evaluation.value(&address).unwrap();
            let bare = address.split('[').next().unwrap();
            let (bare, is_data) =
                (bare.to_owned(), address.starts_with("data.") || address.contains(".data."));
            let ty = bare.rsplit('.').nth(1).unwrap();
            let beside = beside.get(&bare);
            add_object((&address, &provider(ty, sources), is_data), value, beside, contents);
        }
        contents.changes.sort_by(|a, b| a.address.cmp(&b.address));
        let root = parse(&self.texts["main.tf"]);
        for block in &root.blocks {
            match &*block.kind {
                "output" => {
                    let name = block.labels[0].to_string();
                    let value = evaluation.output(&name).unwrap();
                    contents.outputs.insert(name, value);
                }
                "variable" => {
                    let expression = Expression::parse(&format!("var.{}", block.labels[0])).unwrap();
                    let value = evaluation.evaluate(&expression).unwrap();
                    contents.variables.insert(block.labels[0].to_string(), value);
                }
                _ => {}
            }
        }
    }

    /// What is said beside the configuration of resources, by their addresses without keys.
    fn beside(&self) -> BTreeMap<String, Beside> {
        let mut found = BTreeMap::new();
        let root = (String::new(), "main.tf".to_owned());
        let modules = self.modules.iter().map(|(key, _, folder)| {
            let calls: String = key.split('.').map(|name| format!("module.{name}.")).collect();
            (calls, format!("{folder}/main.tf"))
        });
        for (prefix, path) in std::iter::once(root).chain(modules) {
            for block in parse(&self.texts[&path]).blocks.iter().filter(|block| is_resource(block)) {
                found.insert(format!("{prefix}{}", address(block)), beside(block));
            }
        }
        found
    }
}

/// What a resource block says beside the configuration.
fn beside(block: &Block) -> Beside {
    let mut beside = Beside::default();
    for plan in block.body.blocks.iter().filter(|inner| &*inner.kind == "plan") {
        for argument in &plan.body.arguments {
            match &*argument.name {
                "actions" => {
                    let actions = literal(&argument.expression);
                    let words: Vec<String> = match actions.view() {
                        View::Tuple(all) => {
                            all.iter().map(|word| word.as_str().unwrap().to_owned()).collect()
                        }
                        _ => panic!("actions are a list"),
                    };
                    beside.actions = Some(words.join(" "));
                }
                "before" => beside.before = Some(argument.expression.clone()),
                "drift" => beside.drift = Some(argument.expression.clone()),
                other => panic!("a resource has no {other}"),
            }
        }
    }
    beside
}

/// The ranges of a resource block that are not in its configuration.
fn blank(text: &str, block: &Block, is_top: bool, with_chosen: bool, out: &mut Vec<std::ops::Range<usize>>) {
    for argument in &block.body.arguments {
        let is_out = is_unknown(&argument.expression).is_some()
            || is_top && !with_chosen && is_chosen(&argument.name, &argument.expression);
        if is_out {
            out.push(argument.whole());
        }
    }
    for inner in &block.body.blocks {
        match &*inner.kind {
            "plan" => out.push(whole(text, inner)),
            _ => blank(text, inner, false, with_chosen, out),
        }
    }
}

/// The attributes of an object.
fn entries(value: &Value) -> BTreeMap<String, Value> {
    match value.view() {
        View::Object(object) => object.iter().map(|(name, part)| (name.to_owned(), part.clone())).collect(),
        _ => panic!("{value} is no object"),
    }
}

/// The value with these attributes in place of its own; what is not known is null then.
fn with(value: &Value, other: &Expression) -> Value {
    let mut parts = entries(&value.unmark_deep().0);
    for part in parts.values_mut().filter(|part| has_unknown(part)) {
        *part = Value::null(part.ty());
    }
    let names: BTreeSet<String> = parts.keys().cloned().collect();
    for (name, part) in entries(&literal(other)) {
        assert!(names.contains(&name), "no attribute {name}");
        let ty = parts[&name].ty();
        let part = plantime::convert(&part, &ty.into()).unwrap();
        parts.insert(name, part);
    }
    Value::object(parts).unwrap()
}

/// Adds a resource or data source to a plan.
fn add_object(
    (address, provider, is_data): (&str, &str, bool),
    value: Value,
    beside: Option<&Beside>,
    contents: &mut Contents,
) {
    let object = |actions: &str, before: Option<Value>, after: Option<Value>| Object {
        address: address.to_owned(),
        provider: provider.to_owned(),
        actions: actions.to_owned(),
        before,
        after,
        deposed: None,
    };
    if is_data {
        match has_unknown(&value) {
            true => {
                let null = Some(Value::null(Type::Dynamic));
                contents.changes.push(object("read", null, Some(value)));
            }
            false => contents.read.push(object("read", None, Some(value))),
        }
        return;
    }
    let actions = beside.and_then(|beside| beside.actions.as_deref()).unwrap_or("create");
    let before = match beside.and_then(|beside| beside.before.as_ref()) {
        Some(other) => with(&value, other),
        None => with(&value, &Expression::parse("{}").unwrap()),
    };
    if let Some(drift) = beside.and_then(|beside| beside.drift.as_ref()) {
        contents.drift.push(object("update", Some(with(&value, drift)), Some(before.clone())));
    }
    contents.changes.push(match actions {
        "create" => object(actions, None, Some(value)),
        "delete" | "forget" => object(actions, Some(before), None),
        "no-op" => object(actions, Some(value.clone()), Some(value)),
        _ => object(actions, Some(before), Some(value)),
    });
}
