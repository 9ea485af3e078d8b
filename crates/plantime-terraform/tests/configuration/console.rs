//! Expressions that `terraform console -plan` evaluated, with the texts that it printed.

use std::collections::BTreeMap;
use std::sync::Arc;

use plantime::{Mark, Type, Value, View};
use plantime_hcl::Expression;
use plantime_schema::ProviderSchemas;
use plantime_schema::planning::proposed_new;
use plantime_terraform::configuration::{Configuration, Inputs, KnownValues};
use serde_json::Value as Json;

use super::proposed::filled;
use super::recorded::{Disk, builtin, content, folder, text};

/// The values that the provider of the recordings plans: what is proposed, with an unknown for each computed attribute that is
/// null.
struct Planned(BTreeMap<String, Value>);

impl KnownValues for Planned {
    fn resource(&self, address: &str) -> Option<Value> {
        self.0.get(address).cloned()
    }

    fn variable(&self, _: &str) -> Option<Value> {
        None
    }
}

#[test]
fn recorded_console_expressions_have_the_same_text() {
    let Some(folder) = folder() else { return };
    let configuration = Configuration::read(Arc::new(Disk(folder.join("console-config")))).unwrap();
    let mut schemas =
        ProviderSchemas::from_json(&content(&folder.join("own-corners/corner-schemas.json")).unwrap())
            .unwrap();
    schemas.extend(builtin());
    let rows = text(&folder.join("console.jsonl")).unwrap();
    let (mut same, mut more, mut other) = (0, Vec::new(), Vec::new());
    for mode in ["plain", "refined"] {
        let planned = planned(&configuration, &schemas, mode == "refined");
        let inputs = Inputs::new().schemas(&schemas).known(&planned).workspace("default");
        let evaluation = configuration.evaluate(&inputs);
        for row in rows.lines() {
            let row: Json = serde_json::from_str(row).unwrap();
            if row["mode"] != mode {
                continue;
            }
            let written = row["expr"].as_str().unwrap();
            let theirs = row["stdout"].as_str().unwrap().trim_end();
            let of_type = written.strip_prefix("type(").and_then(|rest| rest.strip_suffix(')'));
            let expression = Expression::parse(of_type.unwrap_or(written));
            let value = expression.and_then(|expression| evaluation.evaluate(&expression));
            let ours = match (value, of_type) {
                (Ok(value), Some(_)) => type_text(&value.ty(), 0),
                (Ok(value), None) => value_text(&value, 0),
                (Err(problems), _) => {
                    let summaries: Vec<&str> = problems.iter().map(|problem| problem.summary()).collect();
                    format!("ERROR {}", summaries.join("; "))
                }
            };
            if row["exit"] != 0 {
                let is_same = ours.strip_prefix("ERROR ").is_some_and(|all| {
                    all.split("; ").any(|one| row["stderr"].as_str().unwrap().contains(one))
                });
                match is_same {
                    true => same += 1,
                    false => other.push(format!("{mode} {written}: {ours}\n   {}", row["stderr"])),
                }
                continue;
            }
            if ours == theirs {
                same += 1;
            } else if is_more_known(&ours, theirs) {
                more.push(format!("{mode} {written}: {ours}, theirs {theirs}"));
            } else {
                other.push(format!("{mode} {written}\n{ours}\n   theirs\n{theirs}"));
            }
        }
    }
    println!("console: {same} the same, {} more known, {} others", more.len(), other.len());
    println!("more: {more:#?}");
    for one in &other {
        println!("OTHER {one}");
    }
    // A power has all its digits; Terraform rounds to those of a binary number.
    assert!(other.len() <= 1 && more.len() <= 1, "{} {}", other.len(), more.len());
}

/// Constructs of which the collection has few rows: strip markers, directives, heredocs, conditionals, groups, `.*`, `!`,
/// `templatestring`. Recorded with Terraform 1.11.4 for this project; heredocs as local values.
#[test]
fn recorded_constructs_have_the_same_text() {
    let data = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/terraform");
    let main = std::fs::read(data.join("constructs.tf")).unwrap();
    let configuration =
        Configuration::read(Arc::new(BTreeMap::from([("main.tf".to_owned(), main)]))).unwrap();
    let id = Value::unknown(Type::String).assume_not_null().unwrap();
    let none = || Value::null(Type::Dynamic);
    let attributes = [("id", id), ("input", none()), ("output", none()), ("triggers_replace", none())];
    let planned =
        Planned(BTreeMap::from([("terraform_data.u".to_owned(), Value::object(attributes).unwrap())]));
    let inputs = Inputs::new().known(&planned);
    let evaluation = configuration.evaluate(&inputs);
    assert!(evaluation.problems().is_empty(), "{:?}", evaluation.problems());
    let (mut count, mut more, mut other) = (0, Vec::new(), Vec::new());
    for row in text(&data.join("constructs.jsonl")).unwrap().lines() {
        let row: Json = serde_json::from_str(row).unwrap();
        let (written, theirs) = (row["expr"].as_str().unwrap(), row["stdout"].as_str().unwrap().trim_end());
        // A text of several lines is printed as a heredoc.
        let lines = theirs.strip_prefix("<<EOT\n").and_then(|text| text.strip_suffix("\nEOT"));
        let quoted = lines.map(|text| value_text(&Value::from(text), 0));
        let theirs = quoted.as_deref().unwrap_or(theirs);
        let ours = Expression::parse(written).and_then(|expression| evaluation.evaluate(&expression));
        let ours = ours.map_or_else(|problems| problems.to_string(), |value| value_text(&value, 0));
        count += 1;
        match ours == theirs {
            true => {}
            false if is_more_known(&ours, theirs) => more.push(format!("{written}: {ours}")),
            false => other.push(format!("{written}\n{ours}\n   theirs\n{theirs}")),
        }
    }
    println!("constructs: {count} rows, {} more known: {more:#?}", more.len());
    assert!(other.is_empty() && count > 310, "{count}\n{}", other.join("\n"));
}

/// What is sensitive of the results of `can`, `try`, conditionals and functions on sensitive values: recorded with Terraform
/// 1.11.4. What only depends on whether something sensitive succeeds is not sensitive, though no text of plantime shows it.
#[test]
fn recorded_marks_are_the_same() {
    let data = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/terraform");
    let main = std::fs::read(data.join("marks.tf")).unwrap();
    let configuration =
        Configuration::read(Arc::new(BTreeMap::from([("main.tf".to_owned(), main)]))).unwrap();
    let inputs = Inputs::new();
    let evaluation = configuration.evaluate(&inputs);
    let (mut count, mut other) = (0, Vec::new());
    for row in text(&data.join("marks.jsonl")).unwrap().lines() {
        let row: Json = serde_json::from_str(row).unwrap();
        let written = row["expr"].as_str().unwrap();
        let ours = Expression::parse(written).and_then(|expression| evaluation.evaluate(&expression));
        let ours = match &ours {
            Ok(value) => value_text(value, 0),
            Err(problems) => format!("error {}", problems.iter().next().unwrap().summary()),
        };
        let theirs = match row["error"].as_str() {
            Some(error) => format!("error {error}"),
            None => row["stdout"].as_str().unwrap().trim_end().to_owned(),
        };
        count += 1;
        // Where the reason of an error would tell of a sensitive value, it is not told.
        let is_hidden = ours == "error Invalid sensitive value" && theirs.starts_with("error ");
        // Terraform loses these marks.
        let is_lost = ["lookup({ a = 1 }, \"a\", var.n)", "{ abc = 1 }[var.p]"].contains(&written);
        if is_lost {
            assert_eq!((&*ours, &*theirs), ("(sensitive value)", "1"), "{written}");
            continue;
        }
        if ours != theirs && !is_hidden {
            other.push(format!("{written}: {ours}, theirs {theirs}"));
        }
    }
    assert!(other.is_empty() && count > 340, "{count} rows, {}:\n{}", other.len(), other.join("\n"));
}

/// The planned values of all resources.
fn planned(configuration: &Configuration, schemas: &ProviderSchemas, is_refined: bool) -> Planned {
    let inputs = Inputs::new().schemas(schemas);
    let evaluation = configuration.evaluate(&inputs);
    let none = Value::null(Type::Dynamic);
    let mut planned = BTreeMap::new();
    for address in evaluation.addresses() {
        let name = address.rsplit("module.").next().unwrap_or(&address);
        let ty =
            name.trim_start_matches("data.").split('.').find(|part| part.contains('_')).unwrap_or_default();
        let providers = ["registry.terraform.io/own/corner", "terraform.io/builtin/terraform"];
        let schema =
            providers.iter().find_map(|provider| match address.split('.').any(|part| part == "data") {
                true => schemas.data_source(provider, ty),
                false => schemas.resource(provider, ty),
            });
        let (Some(schema), Some(config)) = (schema, evaluation.resource(&address)) else { continue };
        // The known data source is read during the plan; what it gives is not asked.
        if address == "data.corner_read.r" {
            continue;
        }
        let block = schema.block();
        let proposed = block.coerce(&config).and_then(|config| proposed_new(block, &none, &config)).unwrap();
        let mut value = filled(block, &proposed);
        if let View::Object(object) = value.clone().view() {
            let attributes = object.iter().map(|(name, part)| {
                let stated = match name {
                    "s" => "notnull(stringprefix(\"s-pre-\"))",
                    "id" => "notnull(stringprefix(\"id-\"))",
                    "lo" => "notnull(listlength(2, 2))",
                    _ => "",
                };
                let refinement = stated.parse().ok().filter(|_| is_refined && !part.is_known());
                let refinement: Option<plantime::Refinement> = refinement;
                let part =
                    refinement.map_or_else(|| part.clone(), |refinement| part.assume(&refinement).unwrap());
                let is_sensitive = block.attributes.get(name).is_some_and(|attribute| attribute.sensitive);
                (name, if is_sensitive { part.mark(Mark::SENSITIVE) } else { part })
            });
            value = Value::object(attributes).unwrap();
        }
        planned.insert(address, value);
    }
    Planned(planned)
}

/// Whether ours is theirs with something in place of what is not known there.
fn is_more_known(ours: &str, theirs: &str) -> bool {
    let unknown = if theirs.contains("(known after apply)") { "(known after apply)" } else { "dynamic" };
    let mut parts = theirs.split(unknown);
    let Some(mut rest) = ours.strip_prefix(parts.next().unwrap_or_default()) else { return false };
    let mut is_open = false;
    for part in parts {
        is_open = true;
        match rest.find(part) {
            Some(at) if !part.is_empty() => rest = &rest[at + part.len()..],
            Some(_) => rest = "",
            None => return false,
        }
    }
    is_open && rest.is_empty()
}

fn indentation(depth: usize) -> String {
    "  ".repeat(depth)
}

/// A value as the console prints it.
fn value_text(value: &Value, depth: usize) -> String {
    if value.is_marked() && value.clone().unmark().0.is_known() {
        return match value.marks().contains(&Mark::SENSITIVE) {
            true => "(sensitive value)".to_owned(),
            false => value_text(&value.clone().unmark().0, depth),
        };
    }
    if !value.clone().unmark().0.is_known() {
        return "(known after apply)".to_owned();
    }
    if value.is_null() {
        let of = |ty: &Type| match ty {
            Type::Object(_) => "object".to_owned(),
            Type::Tuple(_) => "tuple".to_owned(),
            ty => ty.to_string(),
        };
        return match &value.ty() {
            Type::String => "tostring(null)".to_owned(),
            Type::Number => "tonumber(null)".to_owned(),
            Type::Bool => "tobool(null)".to_owned(),
            Type::List(element) => format!("tolist(null) /* of {} */", of(element.element())),
            Type::Set(element) => format!("toset(null) /* of {} */", of(element.element())),
            Type::Map(element) => format!("tomap(null) /* of {} */", of(element.element())),
            Type::Object(_) => "null /* object */".to_owned(),
            Type::Tuple(_) => "null /* tuple */".to_owned(),
            _ => "null".to_owned(),
        };
    }
    let items = |items: Vec<&Value>, open: &str, close: &str| {
        if items.is_empty() {
            return format!("{open}{close}");
        }
        let lines =
            items.iter().map(|item| format!("{}{},\n", indentation(depth + 1), value_text(item, depth + 1)));
        format!("{open}\n{}{}{close}", lines.collect::<String>(), indentation(depth))
    };
    let entries = |entries: Vec<(&str, &Value)>, open: &str, close: &str| {
        if entries.is_empty() {
            return format!("{open}{close}");
        }
        let lines = entries.iter().map(|(key, item)| {
            let key = Value::from(*key).to_string();
            format!("{}{key} = {}\n", indentation(depth + 1), value_text(item, depth + 1))
        });
        format!("{open}\n{}{}{close}", lines.collect::<String>(), indentation(depth))
    };
    match value.view() {
        View::List(list) => items(list.iter().collect(), "tolist([", "])"),
        View::Set(set) => items(set.iter().collect(), "toset([", "])"),
        View::Tuple(tuple) => items(tuple.iter().collect(), "[", "]"),
        View::Map(map) => entries(map.iter().collect(), "tomap({", "})"),
        View::Object(object) => entries(object.iter().collect(), "{", "}"),
        View::Number(number) if number.is_finite() => number.to_string(),
        View::Number(number) => if number.is_negative() { "-Inf" } else { "+Inf" }.to_owned(),
        _ => value.to_string(),
    }
}

/// A type as `type(…)` prints it.
fn type_text(ty: &Type, depth: usize) -> String {
    let (inner, outer) = ("    ".repeat(depth + 1), "    ".repeat(depth));
    match ty {
        Type::Object(object) => {
            let attributes =
                object.iter().map(|(name, ty)| format!("{inner}{name}: {},\n", type_text(ty, depth + 1)));
            format!("object({{\n{}{outer}}})", attributes.collect::<String>())
        }
        Type::Tuple(tuple) if tuple.elements().is_empty() => "tuple([])".to_owned(),
        Type::Tuple(tuple) => {
            let elements =
                tuple.elements().iter().map(|ty| format!("{inner}{},\n", type_text(ty, depth + 1)));
            format!("tuple([\n{}{outer}])", elements.collect::<String>())
        }
        Type::List(element) => format!("list({})", type_text(element.element(), depth)),
        Type::Set(element) => format!("set({})", type_text(element.element(), depth)),
        Type::Map(element) => format!("map({})", type_text(element.element(), depth)),
        Type::Dynamic => "dynamic".to_owned(),
        ty => ty.to_string(),
    }
}
