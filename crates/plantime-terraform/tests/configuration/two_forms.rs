//! A configuration gives one answer in both forms: in the native syntax, and in JSON; as it is, and overridden with itself.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use plantime::source::Source;
use plantime::{Type, Value};
use plantime_hcl::{Block, Body, Expression};
use plantime_schema::{AttributeType, ProviderSchemas};
use plantime_terraform::configuration::{Configuration, Files, Inputs};
use serde_json::{Map, Value as Json, json};

use crate::folders::digest;
use crate::validate::{in_order, problem_row, recorded_row};
use crate::{record, recorded};

/// Arguments that are read where no variables may be used, by the kind of their block.
fn is_constant(kind: &str, argument: &str) -> bool {
    match kind {
        "variable" => matches!(argument, "default" | "description" | "sensitive" | "nullable" | "ephemeral"),
        "output" => matches!(argument, "description" | "sensitive" | "ephemeral"),
        "module" => matches!(argument, "source" | "version"),
        "terraform" => matches!(argument, "required_version" | "experiments"),
        "required_providers" => true,
        "lifecycle" => matches!(argument, "create_before_destroy" | "prevent_destroy"),
        "provider" => matches!(argument, "alias" | "version"),
        _ => false,
    }
}

/// Arguments whose expressions are names.
fn is_name(argument: &str) -> bool {
    matches!(
        argument,
        "depends_on"
            | "ignore_changes"
            | "replace_triggered_by"
            | "provider"
            | "providers"
            | "configuration_aliases"
            | "iterator"
            | "when"
            | "on_failure"
            | "from"
            | "to"
    )
}

fn written(expression: &Expression) -> &str {
    &expression.source().text()[expression.span()]
}

/// An expression in JSON. `Names`: as the texts of names; `Constant`: as literals; else as templates.
#[derive(Clone, Copy, PartialEq)]
enum Use {
    Names,
    Constant,
    Template,
}

fn expression_json(expression: &Expression, used: Use) -> Option<Json> {
    if let Some(literal) = expression.as_literal() {
        return Some(match literal.as_str() {
            Ok(text) if used == Use::Template => json!(text.replace("${", "$${").replace("%{", "%%{")),
            Ok(text) => json!(text),
            Err(_) => serde_json::from_str(&plantime::json::to_string(&literal).ok()?).ok()?,
        });
    }
    if let Some(items) = expression.items() {
        return items
            .iter()
            .map(|item| expression_json(item, used))
            .collect::<Option<Vec<Json>>>()
            .map(Json::from);
    }
    if let Some(entries) = expression.entries() {
        let mut object = Map::new();
        for (key, value) in &entries {
            let name = match key.as_reference() {
                Some(name) if used == Use::Names => name.to_string(),
                Some(name) if name.steps().is_empty() && written(key) == name.root() => {
                    name.root().to_owned()
                }
                _ => match key.as_literal() {
                    Some(text) if text.as_str().is_ok() => {
                        text.as_str().unwrap().replace("${", "$${").replace("%{", "%%{")
                    }
                    _ => return template(expression, used),
                },
            };
            if object.insert(name, expression_json(value, used)?).is_some() {
                return template(expression, used);
            }
        }
        return Some(Json::Object(object));
    }
    template(expression, used)
}

fn template(expression: &Expression, used: Use) -> Option<Json> {
    match used {
        Use::Names => Some(json!(written(expression))),
        // The marker that ends a heredoc ends its line.
        Use::Template if written(expression).contains("<<") => {
            Some(json!(format!("${{{}\n}}", written(expression))))
        }
        Use::Template => Some(json!(format!("${{{}}}", written(expression)))),
        Use::Constant => None,
    }
}

/// A body in JSON; `None` where it cannot be said there.
fn body_json(kind: &str, body: &Body, of: Schema<'_>) -> Option<Json> {
    let mut object = Map::new();
    // In JSON a list of objects is an argument, never blocks: its objects need each attribute of their type.
    for (name, _) in of.attributes().filter(|(name, _)| body.argument(name).is_none()) {
        object.insert(name.to_owned(), Json::Null);
    }
    for argument in &body.arguments {
        let used = match () {
            () if kind == "variable" && &*argument.name == "type" => Use::Names,
            () if is_constant(kind, &argument.name) => Use::Constant,
            () if is_name(&argument.name) => Use::Names,
            () => Use::Template,
        };
        let value = match used {
            Use::Names if &*argument.name == "type" => json!(written(&argument.expression)),
            used => expression_json(&argument.expression, used)?,
        };
        object.insert(argument.name.to_string(), value);
    }
    let mut blocks: BTreeMap<&str, Vec<Json>> = BTreeMap::new();
    for block in &body.blocks {
        blocks.entry(&block.kind).or_default().push(block_json(block, of.of_block(block))?);
    }
    for (kind, many) in blocks {
        if object.insert(kind.to_owned(), Json::Array(many)).is_some_and(|before| !before.is_null()) {
            return None;
        }
    }
    Some(Json::Object(object))
}

fn block_json(block: &Block, of: Schema<'_>) -> Option<Json> {
    let kind = if &*block.kind == "content" { "dynamic" } else { &*block.kind };
    let body = body_json(kind, &block.body, of)?;
    Some(block.labels.iter().rev().fold(body, |body, label| json!({ (&**label): body })))
}

/// What is known of the body that is converted.
#[derive(Clone, Copy)]
enum Schema<'s> {
    Unknown,
    /// The body of a file.
    File(&'s ProviderSchemas),
    /// A resource, data source or nested block.
    Block(&'s plantime_schema::Block),
    /// A block that is an object of an attribute: the type of the object.
    Object(&'s Type),
}

impl<'s> Schema<'s> {
    fn attributes(self) -> impl Iterator<Item = (&'s str, &'s Type)> {
        let object = match self {
            Schema::Object(Type::Object(object)) => Some(object),
            _ => None,
        };
        object.into_iter().flat_map(|object| object.iter())
    }

    fn of_block(self, block: &Block) -> Schema<'s> {
        let element = |ty: &'s Type| match (ty, ty.element_type()) {
            (Type::List(_) | Type::Set(_), Some(element @ Type::Object(_))) => Schema::Object(element),
            _ => Schema::Unknown,
        };
        match self {
            // A `dynamic` block and its content make objects without blocks inside: Terraform reads them as blocks.
            _ if &*block.kind == "dynamic" => Schema::Unknown,
            Schema::File(schemas) => {
                let Some(ty) = block.labels.first() else { return Schema::Unknown };
                let named =
                    block.body.argument("provider").and_then(|argument| argument.expression.as_reference());
                let local = named.map_or(ty.split('_').next().unwrap(), |reference| reference.root());
                let of_provider = |provider: &String| match &*block.kind {
                    "resource" => schemas.resource(provider, ty),
                    "data" => schemas.data_source(provider, ty),
                    _ => None,
                };
                let is_named = |provider: &&String| provider.ends_with(&format!("/{local}"));
                let schema = schemas.providers.keys().filter(is_named).find_map(of_provider);
                schema.map_or(Schema::Unknown, |schema| Schema::Block(schema.block()))
            }
            Schema::Block(schema) => match schema.block_types.get(&block.kind) {
                Some(nested) => Schema::Block(&nested.block),
                None => match schema.attributes.get(&block.kind).map(|attribute| &attribute.ty) {
                    Some(AttributeType::Plain(ty)) => element(ty),
                    _ => Schema::Unknown,
                },
            },
            Schema::Object(_) => {
                let mut attributes = self.attributes();
                attributes
                    .find(|(name, _)| *name == &*block.kind)
                    .map_or(Schema::Unknown, |(_, ty)| element(ty))
            }
            Schema::Unknown => Schema::Unknown,
        }
    }
}

/// Files with each `*.tf` in JSON, where it can be said there.
struct InJson {
    files: Arc<dyn Files>,
    schemas: Option<Arc<ProviderSchemas>>,
}

impl InJson {
    fn converted(&self, path: &str) -> Option<String> {
        let source = Source::new(path, String::from_utf8(self.files.content(path)?).ok()?);
        let schema = self.schemas.as_deref().map_or(Schema::Unknown, Schema::File);
        Some(body_json("", &Body::parse(&source).ok()?, schema)?.to_string())
    }
}

impl Files for InJson {
    fn entries(&self, folder: &str) -> Vec<String> {
        let path = |name: &str| if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") };
        let entry = |name: String| match name.ends_with(".tf") && self.converted(&path(&name)).is_some() {
            true => format!("{name}.json"),
            false => name,
        };
        self.files.entries(folder).into_iter().map(entry).collect()
    }

    fn content(&self, path: &str) -> Option<Vec<u8>> {
        let native = path.strip_suffix(".json").filter(|path| path.ends_with(".tf"));
        match native.filter(|_| self.files.content(path).is_none()) {
            Some(native) => self.converted(native).map(String::into_bytes),
            None => self.files.content(path),
        }
    }
}

/// The names of the outputs that the files of the root folder declare.
fn output_names(files: &dyn Files) -> Vec<String> {
    let mut names = Vec::new();
    for name in files.entries("").iter().filter(|name| name.ends_with(".tf")) {
        let text = String::from_utf8(files.content(name).unwrap_or_default()).unwrap_or_default();
        if let Ok(body) = Body::parse(&Source::new(name.as_str(), text)) {
            let outputs = body.blocks.iter().filter(|block| &*block.kind == "output");
            names.extend(outputs.filter_map(|block| Some(block.labels.first()?.to_string())));
        }
    }
    names
}

/// The summaries of the errors, and the values of all outputs.
fn answers(
    files: Arc<dyn Files>,
    names: &[String],
    schemas: Option<&ProviderSchemas>,
) -> (Vec<String>, BTreeMap<String, Value>) {
    let problems = Configuration::validate(Arc::clone(&files), schemas);
    let mut errors: Vec<String> = problems
        .iter()
        .filter(|problem| !problem.is_warning())
        .map(|problem| format!("{}: {}", problem.summary(), problem.detail()))
        .collect();
    errors.sort();
    let mut outputs = BTreeMap::new();
    if let Ok(configuration) = Configuration::read(files) {
        let mut inputs = Inputs::new();
        if let Some(schemas) = schemas {
            inputs = inputs.schemas(schemas);
        }
        let evaluation = configuration.evaluate(&inputs);
        for name in names {
            outputs.extend(evaluation.output(name).map(|value| (name.clone(), value)));
        }
    }
    (errors, outputs)
}

/// Our own configurations, with what Terraform reported.
fn cases() -> Vec<Json> {
    let text = crate::packed::text(&include_bytes!("../data/terraform/validate.json.gz")[..]);
    serde_json::from_str(&text).unwrap()
}

/// The files of a case by their names.
fn files_of(case: &Json) -> BTreeMap<String, Vec<u8>> {
    let text = |text: &Json| text.as_str().unwrap().as_bytes().to_vec();
    case["files"].as_object().unwrap().iter().map(|(name, content)| (name.clone(), text(content))).collect()
}

/// Cases of our own that Terraform accepts.
#[test]
fn a_case_in_json_has_the_same_answers() {
    let cases = cases();
    let (mut same, mut unlike) = (0, Vec::new());
    for case in &cases {
        let errors =
            case["diagnostics"].as_array().unwrap().iter().filter(|problem| problem["severity"] == "error");
        if errors.count() > 0 {
            continue;
        }
        let files = files_of(case);
        // Both forms are there already.
        if files.keys().any(|name| name.ends_with(".json")) {
            continue;
        }
        let files: Arc<dyn Files> = Arc::new(files);
        let names = output_names(&*files);
        let other = InJson { files: Arc::clone(&files), schemas: None };
        let text = other.converted("main.tf");
        let (native, in_json) = (answers(files, &names, None), answers(Arc::new(other), &names, None));
        if native == in_json {
            same += usize::from(text.is_some());
        } else {
            unlike.push(format!("{}: {native:?}\n  in JSON {in_json:?}\n  {text:?}", case["name"]));
        }
    }
    unlike.iter().for_each(|row| println!("{row}"));
    println!("{same} cases have the same answers in JSON, {} have not", unlike.len());
    assert!(unlike.is_empty() && same > 100);
}

/// Cases of our own that Terraform refuses, in JSON: their names and files. Those that cannot be said there are left out.
fn refused_in_json() -> Vec<(String, BTreeMap<String, String>)> {
    let kinds = crate::packed::text(&include_bytes!("../data/terraform/validate-kinds.json.gz")[..]);
    let kinds: Vec<Json> = serde_json::from_str(&kinds).unwrap();
    let mut found = Vec::new();
    for case in cases().iter().chain(&kinds) {
        let problems = case["diagnostics"].as_array().unwrap();
        let files = files_of(case);
        if problems.iter().all(|problem| problem["severity"] != "error")
            || files.keys().any(|name| name.ends_with(".json"))
        {
            continue;
        }
        let files = InJson { files: Arc::new(files), schemas: None };
        if files.converted("main.tf").is_none() {
            continue;
        }
        let names = files_of(case).into_keys().map(|name| match files.converted(&name) {
            Some(_) if name.ends_with(".tf") => format!("{name}.json"),
            _ => name,
        });
        let content = |name: String| {
            let text = String::from_utf8(files.content(&name).unwrap()).unwrap();
            (name, text)
        };
        found.push((case["name"].as_str().unwrap().to_owned(), names.map(content).collect()));
    }
    found
}

/// The rows without those that are in others twice.
fn sorted(mut rows: Vec<String>) -> Vec<String> {
    rows.sort();
    rows.dedup();
    rows
}

/// The number of refused cases whose problems have other summaries in JSON than those of Terraform.
const OTHER_SUMMARIES: usize = 169;

/// The number of refused cases that Terraform accepts in JSON, and ours does not: it evaluates no message of a rule of a variable there.
const REFUSED_IN_JSON: usize = 3;

/// Cases of our own that Terraform refuses, in JSON.
#[test]
fn a_refused_case_in_json_has_the_problems_of_terraform() {
    let cases = refused_in_json();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/terraform/validate-json.jsonl.gz");
    let rows = record::rows(&path, || {
        let files: Vec<_> = cases.iter().map(|(_, files)| files.clone()).collect();
        let mut rows = record::configurations(&files, false);
        for (row, (name, files)) in rows.iter_mut().zip(&cases) {
            row["files"] = digest(files).into();
            row["name"] = name.as_str().into();
        }
        rows
    });
    assert_eq!(rows.len(), cases.len());
    let (mut whole, mut accepted, mut refused_too, mut unlike) = (0, 0, 0, Vec::new());
    for (row, (name, files)) in rows.iter().zip(cases) {
        assert_eq!(
            row["files"],
            digest(&files),
            "{name}: PLANTIME_RECORD=1 records what is written otherwise now"
        );
        let files: BTreeMap<_, _> = files.into_iter().map(|(name, text)| (name, text.into_bytes())).collect();
        let ours = Configuration::validate(Arc::new(files), None);
        let ours = ours.iter().filter(|problem| !problem.is_warning());
        let theirs =
            row["diagnostics"].as_array().unwrap().iter().filter(|problem| problem["severity"] == "error");
        let summaries = sorted(ours.clone().map(|problem| in_order(problem.summary())).collect());
        let expected =
            sorted(theirs.clone().map(|problem| in_order(problem["summary"].as_str().unwrap())).collect());
        let ours = sorted(ours.map(problem_row).collect());
        let theirs = sorted(theirs.map(recorded_row).collect());
        whole += usize::from(ours == theirs);
        if summaries != expected {
            unlike.push(name.clone());
            println!("ALL {name}: {theirs:#?} / ours {ours:#?}");
        }
        if theirs.is_empty() {
            accepted += 1;
            refused_too += usize::from(!ours.is_empty());
        }
    }
    println!(
        "{whole} of {} have the same problems, {} have other summaries; {refused_too} of {accepted} accepted are refused",
        rows.len(),
        unlike.len()
    );
    // These numbers only shrink.
    assert!(refused_too <= REFUSED_IN_JSON && unlike.len() <= OTHER_SUMMARIES);
}

/// The recorded roots, where they lie.
#[test]
fn a_recorded_root_in_json_has_the_same_answers() {
    let (mut same, mut unlike) = (0, Vec::new());
    for root in recorded::roots() {
        let native: Arc<dyn Files> = Arc::new(recorded::Disk(root.configuration.clone()));
        let names = output_names(&*native);
        let schemas = Arc::new(root.schemas);
        let other = Arc::new(InJson { files: Arc::clone(&native), schemas: Some(Arc::clone(&schemas)) });
        let (native, in_json) =
            (answers(native, &names, Some(&*schemas)), answers(other, &names, Some(&*schemas)));
        match native == in_json {
            true => same += 1,
            false => {
                let other = native.1.iter().filter(|(name, value)| in_json.1.get(*name) != Some(*value));
                let other: Vec<_> = other.map(|(name, value)| (name, value, in_json.1.get(name))).collect();
                unlike.push(format!("{}: {:?}, in JSON {:?}, {other:?}", root.name, native.0, in_json.0));
            }
        }
    }
    unlike.iter().take(20).for_each(|row| println!("{}", row.chars().take(3000).collect::<String>()));
    println!("{same} roots have the same answers in JSON, {} have not", unlike.len());
    assert!(unlike.is_empty());
}

/// Without a schema a property in JSON may be an argument or a block.
#[test]
fn resources_without_a_schema_have_the_same_answers() {
    for main in [
        "variable \"l\" {}\nresource \"x_y\" \"a\" {\n  dynamic \"b\" {\n    for_each = var.l\n    content {\n      c = b.value.c\n      \
         dynamic \"d\" {\n        for_each = b.value.d\n        iterator = e\n        content {\n          f = \"${b.key}${e.value}\"\n        \
         }\n      }\n    }\n  }\n}\n",
        "resource \"x_y\" \"a\" {\n  provisioner \"local-exec\" {\n    command = self.id\n  }\n  connection {\n    host = self.ip\n  }\n}\n",
        "resource \"x_y\" \"a\" {\n  lifecycle {\n    ignore_changes = [tags]\n    postcondition {\n      condition = self.a == 1\n      \
         error_message = \"Not ${self.a}.\"\n    }\n  }\n}\n",
        "resource \"terraform_data\" \"a\" {\n  provider = other-one\n}\n",
        "resource \"x_y\" \"a\" {\n  provider = terraform\n}\n",
    ] {
        let files: Arc<dyn Files> =
            Arc::new(BTreeMap::from([("main.tf".to_owned(), main.as_bytes().to_vec())]));
        let other = Arc::new(InJson { files: Arc::clone(&files), schemas: None });
        assert!(other.converted("main.tf").is_some(), "{main}");
        assert_eq!(answers(files, &[], None), answers(other, &[], None), "{main}");
    }
}

/// A file that overrides another one with the same.
#[test]
fn what_is_overridden_with_itself_stays() {
    let cases = cases();
    let mut tried = 0;
    for case in &cases {
        let Some(main) = case["files"]["main.tf"].as_str() else { continue };
        if !case["diagnostics"].as_array().unwrap().is_empty() {
            continue;
        }
        let Ok(body) = Body::parse(&Source::new("main.tf", main)) else { continue };
        let can_be = |block: &Block| {
            matches!(&*block.kind, "variable" | "output" | "locals" | "resource" | "data" | "module")
        };
        if !body.blocks.iter().all(can_be) {
            continue;
        }
        let files = files_of(case);
        let outputs = output_names(&files);
        let expected = answers(Arc::new(files.clone()), &outputs, None);
        let mut names = vec![("main.other_override.tf", main.to_owned())];
        if let Some(json) = body_json("", &body, Schema::Unknown) {
            names.push(("override.tf.json", json.to_string()));
        }
        for (name, text) in names {
            let mut both = files.clone();
            both.insert(name.to_owned(), text.into_bytes());
            assert_eq!(answers(Arc::new(both), &outputs, None), expected, "{name} {}", case["name"]);
            tried += 1;
        }
    }
    assert!(tried > 100, "{tried}");
}
