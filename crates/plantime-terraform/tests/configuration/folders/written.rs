//! Arguments and blocks, written in the native syntax or in JSON.

use serde_json::{Map, Value as Json, json};

/// The value of an argument.
#[derive(Clone)]
pub(super) enum Value {
    /// A constant where no variables may be used.
    Literal(Json),
    /// A constant that is a template in JSON.
    Constant(Json),
    /// An expression in the native syntax.
    Expression(String),
    /// A name, which is not quoted in the native syntax.
    Name(String),
    Names(Vec<String>),
}

#[derive(Clone)]
pub(super) enum Item {
    Argument(String, Value),
    Block(String, Vec<String>, Vec<Item>),
}

pub(super) fn argument(name: &str, value: Value) -> Item {
    Item::Argument(name.to_owned(), value)
}

pub(super) fn block(kind: &str, labels: &[&str], items: Vec<Item>) -> Item {
    Item::Block(kind.to_owned(), labels.iter().map(|label| (*label).to_owned()).collect(), items)
}

/// A constant in the native syntax.
pub(super) fn native_constant(json: &Json) -> String {
    match json {
        Json::String(text) => json!(text.replace("${", "$${").replace("%{", "%%{")).to_string(),
        Json::Array(items) => {
            let items: Vec<String> = items.iter().map(native_constant).collect();
            format!("[{}]", items.join(", "))
        }
        Json::Object(object) => {
            let entries: Vec<String> = object
                .iter()
                .map(|(name, value)| format!("{} = {}", json!(name), native_constant(value)))
                .collect();
            format!("{{ {} }}", entries.join(", "))
        }
        other => other.to_string(),
    }
}

fn json_constant(json: &Json) -> Json {
    match json {
        Json::String(text) => json!(text.replace("${", "$${").replace("%{", "%%{")),
        Json::Array(items) => items.iter().map(json_constant).collect(),
        Json::Object(object) => {
            Json::Object(object.iter().map(|(name, value)| (name.clone(), json_constant(value))).collect())
        }
        other => other.clone(),
    }
}

impl Value {
    fn native(&self) -> String {
        match self {
            Value::Literal(json) | Value::Constant(json) => native_constant(json),
            Value::Expression(text) | Value::Name(text) => text.clone(),
            Value::Names(names) => format!("[{}]", names.join(", ")),
        }
    }

    fn json(&self) -> Json {
        match self {
            Value::Literal(json) => json.clone(),
            Value::Constant(json) => json_constant(json),
            // The marker that ends a heredoc ends its line.
            Value::Expression(text) if text.contains("<<") => json!(format!("${{{text}\n}}")),
            Value::Expression(text) => json!(format!("${{{text}}}")),
            Value::Name(name) => json!(name),
            Value::Names(names) => json!(names),
        }
    }
}

pub(super) fn native(items: &[Item], depth: usize) -> String {
    let indent = "  ".repeat(depth);
    let mut text = String::new();
    for item in items {
        match item {
            Item::Argument(name, value) => text += &format!("{indent}{name} = {}\n", value.native()),
            Item::Block(kind, labels, items) => {
                let labels: Vec<String> = labels.iter().map(|label| format!(" {}", json!(label))).collect();
                text += &format!(
                    "{indent}{kind}{} {{\n{}{indent}}}\n",
                    labels.join(""),
                    native(items, depth + 1)
                );
            }
        }
    }
    text
}

/// A body in JSON. Blocks of one kind are one object by their labels, or with `is_list` a list.
pub(super) fn json(items: &[Item], is_list: bool) -> Json {
    let mut object = Map::new();
    for item in items {
        match item {
            Item::Argument(name, value) => drop(object.insert(name.clone(), value.json())),
            Item::Block(kind, labels, items) => {
                let body = json(items, is_list);
                let labelled = |labels: &[String]| {
                    labels.iter().rev().fold(body.clone(), |body, label| json!({ label: body }))
                };
                if is_list || labels.is_empty() {
                    let all = object.entry(kind.clone()).or_insert_with(|| json!([]));
                    all.as_array_mut().unwrap().push(labelled(labels));
                    continue;
                }
                // One more level of objects for each label; blocks of the same labels are a list.
                let mut place = object.entry(kind.clone()).or_insert(Json::Null);
                for label in labels {
                    if place.is_null() {
                        *place = json!({});
                    }
                    place = place.as_object_mut().unwrap().entry(label.clone()).or_insert(Json::Null);
                }
                *place = match place.take() {
                    Json::Null => body,
                    Json::Array(mut bodies) => {
                        bodies.push(body);
                        Json::Array(bodies)
                    }
                    first => json!([first, body]),
                };
            }
        }
    }
    Json::Object(object)
}
