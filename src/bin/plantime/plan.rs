//! A plan in JSON, read into resources whose planned values may be unknown or sensitive.

use serde_json::Value as Json;

/// What is known about one planned value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Known {
    Null,
    Value(Json),
    /// Unknown, but perhaps not null, and beginning with a text (empty: nothing is known).
    Unknown {
        not_null: bool,
        prefix: String,
    },
}

/// A planned value at its place.
#[derive(Clone, Debug)]
pub(crate) struct Planned {
    pub(crate) path: String,
    pub(crate) known: Known,
    pub(crate) sensitive: bool,
}

pub(crate) struct Resource {
    pub(crate) address: String,
    /// Type as rules write it: `aws_vpc`, `data.aws_vpc`.
    pub(crate) kind: String,
    pub(crate) actions: Vec<String>,
    change: Json,
    schema: Option<Json>,
}

pub(crate) struct Plan {
    pub(crate) name: String,
    pub(crate) version: String,
    pub(crate) resources: Vec<Resource>,
}

/// One step of a path in a rule.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    Attribute(String),
    Each,
}

pub(crate) fn json(name: &str, text: &str) -> Result<Json, String> {
    serde_json::from_str(text).map_err(|error| format!("{name}: {error}"))
}

/// Text from a plan as it may be printed: no control characters, so no terminal escapes.
pub(crate) fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() && c != '\n' { '\u{fffd}' } else { c }).collect()
}

fn text<'a>(json: &'a Json, key: &str) -> Option<&'a str> {
    json.get(key).and_then(Json::as_str)
}

impl Plan {
    pub(crate) fn read(name: &str, source: &str, schemas: &[Json]) -> Result<Plan, String> {
        let root = json(name, source)?;
        let Some(format) = text(&root, "format_version") else {
            return Err(format!("{name}: not a plan in JSON: no `format_version`"));
        };
        if !matches!(format.split('.').next(), Some("0" | "1")) {
            return Err(format!("{name}: plan format {format} is not supported (0.1, 0.2 and 1.x are)"));
        }
        if root.get("planned_values").or_else(|| root.get("resource_changes")).is_none() {
            return Err(format!("{name}: not a plan in JSON: no `planned_values` and no `resource_changes`"));
        }
        let mut resources = Vec::new();
        let changes = root.get("resource_changes").and_then(Json::as_array);
        for (index, change) in changes.into_iter().flatten().enumerate() {
            resources.push(Resource::read(change, schemas).ok_or_else(|| {
                format!("{name}: resource_changes[{index}] lacks its address, type or change")
            })?);
        }
        let version = text(&root, "terraform_version").unwrap_or("unknown version").to_owned();
        Ok(Plan { name: name.to_owned(), version, resources })
    }
}

impl Resource {
    fn read(entry: &Json, schemas: &[Json]) -> Option<Resource> {
        let (kind, change) = (text(entry, "type")?, entry.get("change")?);
        let data = text(entry, "mode") == Some("data");
        let section = if data { "data_source_schemas" } else { "resource_schemas" };
        let provider = text(entry, "provider_name").unwrap_or_default();
        let schema = schemas
            .iter()
            .find_map(|s| s.get("provider_schemas")?.get(provider)?.get(section)?.get(kind)?.get("block"));
        let actions = change.get("actions").and_then(Json::as_array)?;
        Some(Resource {
            address: text(entry, "address")?.to_owned(),
            kind: if data { format!("data.{kind}") } else { kind.to_owned() },
            actions: actions.iter().filter_map(Json::as_str).map(str::to_owned).collect(),
            change: change.clone(),
            schema: schema.cloned(),
        })
    }

    /// Whether there are planned values to check: not so where the resource goes away.
    pub(crate) fn has_after(&self) -> bool {
        self.change.get("after").is_some_and(|after| !after.is_null())
    }

    /// Whether a resource type or an address means this resource.
    pub(crate) fn is_meant_by(&self, pattern: &str) -> bool {
        pattern == self.address || pattern == self.kind
    }

    /// The name of the type of an attribute, where a schema tells it.
    pub(crate) fn type_name(&self, attribute: &str) -> Option<String> {
        let kind = self.schema.as_ref()?.get("attributes")?.get(attribute)?.get("type")?;
        match kind {
            Json::String(name) => Some(name.clone()),
            Json::Array(parts) => match parts.as_slice() {
                [Json::String(outer), Json::String(inner)] => Some(format!("{outer}({inner})")),
                [Json::String(outer), ..] => Some(outer.clone()),
                _ => None,
            },
            _ => None,
        }
    }

    /// All planned values that a path reaches.
    pub(crate) fn values(&self, steps: &[Step]) -> Result<Vec<Planned>, String> {
        let mut sensitive = false;
        if let (Some(block), Some(Step::Attribute(name))) = (&self.schema, steps.first()) {
            let attribute = block.get("attributes").and_then(|a| a.get(name));
            if attribute.or_else(|| block.get("block_types").and_then(|b| b.get(name))).is_none() {
                return Err(format!("{} has no attribute `{name}`", self.kind));
            }
            sensitive = attribute.and_then(|a| a.get("sensitive")) == Some(&Json::Bool(true));
        }
        let tree = |key| self.change.get(key);
        let place = Place {
            after: tree("after"),
            unknown: tree("after_unknown"),
            sensitive_tree: tree("after_sensitive"),
            sensitive,
        };
        let mut found = Vec::new();
        place.walk(String::new(), steps, &mut found);
        Ok(found)
    }
}

/// The same place in the three parallel trees of a change.
#[derive(Clone, Copy)]
struct Place<'a> {
    after: Option<&'a Json>,
    unknown: Option<&'a Json>,
    sensitive_tree: Option<&'a Json>,
    sensitive: bool,
}

impl<'a> Place<'a> {
    fn walk(mut self, path: String, steps: &[Step], found: &mut Vec<Planned>) {
        self.sensitive |= self.sensitive_tree == Some(&Json::Bool(true));
        let known = match (self.unknown, self.after) {
            (Some(Json::Bool(true)), _) => Known::Unknown { not_null: false, prefix: String::new() },
            (_, None | Some(Json::Null)) => Known::Null,
            (_, Some(value)) => Known::Value(value.clone()),
        };
        match (steps.split_first(), &known) {
            (Some((Step::Attribute(name), rest)), Known::Value(_)) => {
                let below = Place {
                    after: self.after.and_then(|v| v.get(name)),
                    unknown: self.unknown.and_then(|v| v.get(name)),
                    sensitive_tree: self.sensitive_tree.and_then(|v| v.get(name)),
                    ..self
                };
                let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                below.walk(path, rest, found);
            }
            (Some((Step::Each, rest)), Known::Value(Json::Array(members))) => {
                for (index, member) in members.iter().enumerate() {
                    let below = Place {
                        after: Some(member),
                        unknown: self.unknown.and_then(|v| v.get(index)),
                        sensitive_tree: self.sensitive_tree.and_then(|v| v.get(index)),
                        ..self
                    };
                    below.walk(format!("{path}[{index}]"), rest, found);
                }
            }
            // Null has no members, so there is nothing to test.
            (Some((Step::Each, _)), Known::Null) => {}
            _ => found.push(Planned { path, known, sensitive: self.sensitive }),
        }
    }
}
