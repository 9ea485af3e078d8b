//! A package: schemas and data values, merged, checked and validated.

use std::collections::HashMap;
use std::fmt;
use std::rc::Rc;

use crate::merge::{Merging, merge};
use crate::node::{Content, Node, Position, Scalar, Source, key_id};
use crate::print::document;
use crate::reflow::reflow;
use crate::rules::{Rules, child_path};
use crate::scalar::resolve;
use crate::schema::{Kind, Schema, default_node};
use crate::types::{Mismatches, check};
use crate::yaml::{Comments, ReadError, read, size_of};

const SCHEMA: &str = "data/values-schema";
const VALUES: &str = "data/values";

/// Why a package is refused, in ytt's words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackageError(String);

impl fmt::Display for PackageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&reflow(&self.0))
    }
}

impl std::error::Error for PackageError {}

/// Files with schemas and data values, and values from the command line.
///
/// ```
/// use plantime_ytt::Package;
///
/// let schema = "#@data/values-schema\n---\n#@schema/validation min=1\nreplicas: 3\n";
/// assert_eq!(Package::new().template("schema.yml", schema).data_values()?, "replicas: 3\n");
///
/// let package = Package::new().template("schema.yml", schema).data_value_yaml("replicas", "0");
/// let error = package.data_values().map_err(|error| error.to_string());
/// assert!(error.is_err_and(|error| error.contains("- must be: a value >= 1 (by: schema.yml:3)")));
/// # Ok::<(), plantime_ytt::PackageError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Package {
    templates: Vec<(String, String)>,
    plain: Vec<(String, String)>,
    /// Values of the command line as strings, and as YAML: ytt takes them in this order.
    strings: Vec<(String, String)>,
    yamls: Vec<(String, String)>,
    unvalidated: bool,
}

impl Package {
    /// A package without files.
    pub fn new() -> Package {
        Package::default()
    }

    /// Adds a file that may have schemas or data values, as `-f` does.
    #[must_use]
    pub fn template(mut self, name: &str, text: &str) -> Package {
        self.templates.push((name.to_owned(), text.to_owned()));
        self
    }

    /// Adds a file of plain data values, as `--data-values-file` does.
    #[must_use]
    pub fn values_file(mut self, name: &str, text: &str) -> Package {
        self.plain.push((name.to_owned(), text.to_owned()));
        self
    }

    /// Sets a data value to a string, as `--data-value` does; points in the key lead into maps.
    #[must_use]
    pub fn data_value(mut self, key: &str, value: &str) -> Package {
        self.strings.push((key.to_owned(), value.to_owned()));
        self
    }

    /// Sets a data value to a YAML value, as `--data-value-yaml` does.
    #[must_use]
    pub fn data_value_yaml(mut self, key: &str, value: &str) -> Package {
        self.yamls.push((key.to_owned(), value.to_owned()));
        self
    }

    /// Skips validations, as `--dangerous-data-values-disable-validation` does. Types are checked all the same.
    #[must_use]
    pub fn without_validation(mut self) -> Package {
        self.unvalidated = true;
        self
    }

    /// Whether a file is neither a schema nor data values, so that ytt would print what it evaluates to.
    pub fn has_other_templates(&self) -> bool {
        let other = |(name, text): &(String, String)| {
            let is_yaml = name.ends_with(".yml") || name.ends_with(".yaml");
            let has_documents = || match read(name, text, Comments::Template) {
                Ok(documents) => documents.iter().any(|node| !is_annotated(node)),
                Err(_) => true,
            };
            !is_yaml || has_documents()
        };
        self.templates.iter().any(other)
    }

    /// Returns the final data values as YAML: defaults of the schema, overridden in order, checked and validated.
    ///
    /// # Errors
    ///
    /// For what ytt refuses, with its message; and for what needs Starlark, overlay annotations or libraries.
    pub fn data_values(&self) -> Result<String, PackageError> {
        self.evaluate().map_err(PackageError)
    }

    fn evaluate(&self) -> Result<String, String> {
        let additional = self.additional()?;
        let (mut schemas, mut values) = (Vec::new(), Vec::new());
        for (name, text) in &self.templates {
            if !(name.ends_with(".yml") || name.ends_with(".yaml")) || name.ends_with(".lib.yml") {
                continue;
            }
            match read(name, text, Comments::Template) {
                Ok(documents) => sort_documents(name, documents, &mut schemas, &mut values)?,
                Err(ReadError::Syntax(error)) => {
                    return Err(format!("Unmarshaling YAML template '{name}': {error}"));
                }
                Err(_) if !text.contains("#@data/values") => {}
                Err(ReadError::Comment(error)) => {
                    let kind = if text.contains("#@data/values-schema") { " schema" } else { "" };
                    return Err(format!(
                        "Overlaying data values{kind} (in following order: {name}): Templating file '{name}': Compiling YAML template '{name}': {error}"
                    ));
                }
                Err(ReadError::Code(error)) => return Err(error),
            }
        }
        let schema = schema_of(schemas)?;
        let mut root = default_node(&schema);
        let mut names: Vec<String> = values.iter().map(|node| node.at.source.name.clone()).collect();
        names.dedup();
        if !additional.is_empty() {
            names.push("additional data values".to_owned());
        }
        let prefix = format!("Overlaying data values (in following order: {}): ", names.join(", "));
        let overlays = values.into_iter().map(|node| (node, Merging::Overlay));
        let mut merged = 0_usize;
        for (node, merging) in overlays.chain(additional.into_iter().map(|node| (node, Merging::Plain))) {
            merge(&mut root, node, merging).map_err(|error| format!("{prefix}{error}"))?;
            // Each merge looks at all values, so that many documents with many values would cost the product.
            merged = merged.saturating_add(size_of(&root.content));
            if merged > MAX_MERGED {
                return Err("the data values have too many documents for their size".to_owned());
            }
            let mut mismatches = Mismatches::default();
            check(&mut root, &schema, &mut mismatches);
            if let Some(limit) = mismatches.limit() {
                return Err(limit);
            }
            if let Some(message) = mismatches.message() {
                return Err(format!("{prefix}{message}"));
            }
        }
        if !self.unvalidated {
            let mut report = Report::default();
            validate(&root, &schema, "", &mut report)?;
            if !report.blocks.is_empty() {
                return Err(format!("Validating final data values:\n{}", report.blocks));
            }
        }
        Ok(document(&root.content))
    }

    /// Reads the values that are no templates.
    fn additional(&self) -> Result<Vec<Node>, String> {
        let mut nodes = Vec::new();
        for (name, text) in &self.plain {
            match read(name, text, Comments::Plain) {
                Ok(documents) => nodes.extend(documents.into_iter().filter(|node| !node.content.is_null())),
                Err(ReadError::Syntax(error) | ReadError::Code(error)) => {
                    return Err(format!(
                        "Extracting data value from file: Unmarshaling YAML data values file '{name}': {error}"
                    ));
                }
                Err(ReadError::Comment(error)) => {
                    return Err(format!(
                        "Extracting data value from file: Checking data values file '{name}': {error}"
                    ));
                }
            }
        }
        for (key, value) in &self.strings {
            nodes.push(nested(key, Content::Scalar(Scalar::Text(value.clone())), "(data-value arg)", value));
        }
        for (key, value) in &self.yamls {
            let content = match read("", value, Comments::Plain) {
                Ok(documents) => match documents.into_iter().next() {
                    Some(node) => node.content,
                    None => Content::Scalar(resolve("")),
                },
                Err(ReadError::Syntax(error) | ReadError::Comment(error) | ReadError::Code(error)) => {
                    return Err(format!(
                        "Extracting data value from KV: Deserializing value for key '{key}': Deserializing YAML value: {error}"
                    ));
                }
            };
            nodes.push(nested(key, content, "(data-value-yaml arg)", value));
        }
        Ok(nodes)
    }
}

/// Returns a document with a value at a key with points.
fn nested(key: &str, value: Content, name: &str, text: &str) -> Node {
    let source = Rc::new(Source { name: name.to_owned(), lines: vec![format!("{key}={text}")] });
    let at = Position { source, line: 1 };
    let node = |key, content| Node { key, content, at: at.clone(), annotations: Vec::new() };
    let content = key
        .split('.')
        .rev()
        .fold(value, |value, key| Content::Map(vec![node(Some(Scalar::Text(key.to_owned())), value)]));
    node(None, content)
}

fn is_annotated(node: &Node) -> bool {
    node.annotation(SCHEMA).is_some() || node.annotation(VALUES).is_some()
}

/// Adds the documents of a file to the schemas and to the data values.
fn sort_documents(
    name: &str,
    documents: Vec<Node>,
    schemas: &mut Vec<Node>,
    values: &mut Vec<Node>,
) -> Result<(), String> {
    let (mut in_file, mut others) = (0_usize, 0_usize);
    for node in documents {
        refuse_misplaced(&node)?;
        if node.annotation(SCHEMA).is_some() {
            refuse_unsupported(&node)?;
            in_file = in_file.saturating_add(1);
            schemas.push(node);
        } else if node.annotation(VALUES).is_some() {
            refuse_unsupported(&node)?;
            values.push(node);
            others = others.saturating_add(1);
        } else if !(node.content.is_null() && node.annotations.is_empty()) {
            others = others.saturating_add(1);
        }
    }
    if in_file > 0 && others > 0 {
        return Err(format!(
            "Overlaying data values schema (in following order: {name}): Templating file '{name}': Expected schema file '{name}' to only have schema documents"
        ));
    }
    Ok(())
}

fn refuse_misplaced(node: &Node) -> Result<(), String> {
    for child in node.content.children() {
        for name in [SCHEMA, VALUES] {
            if child.annotation(name).is_some() {
                let kind = if child.key.is_some() { "map item" } else { "array item" };
                return Err(format!(
                    "Found @{name} on {kind} ({}); only documents (---) can be annotated with @{name}",
                    child.at
                ));
            }
        }
        refuse_misplaced(child)?;
    }
    Ok(())
}

/// Refuses annotations that would change the result, and which are not evaluated.
fn refuse_unsupported(node: &Node) -> Result<(), String> {
    for annotation in &node.annotations {
        let name = annotation.name.as_str();
        let library = name == VALUES && !annotation.arguments.trim().is_empty();
        if name.starts_with("overlay/")
            || name.starts_with("library/")
            || name.starts_with("yaml/")
            || library
        {
            return Err(format!("{}: @{name} is not supported", annotation.at));
        }
        if name == "assert/validate" && node.annotation(SCHEMA).is_none() {
            return Err(format!("{}: @{name} is not supported", annotation.at));
        }
    }
    node.content.children().iter().try_for_each(refuse_unsupported)
}

/// Merges the documents of schemas, and returns the type that they declare.
fn schema_of(documents: Vec<Node>) -> Result<Schema, String> {
    let mut names: Vec<String> = documents.iter().map(|node| node.at.source.name.clone()).collect();
    names.dedup();
    let prefix = format!("Overlaying data values schema (in following order: {}): ", names.join(", "));
    let mut documents = documents.into_iter();
    let Some(mut first) = documents.next() else {
        let source = Rc::new(Source { name: "?".to_owned(), lines: Vec::new() });
        return Ok(Schema::any(Position { source, line: 0 }));
    };
    let mut merged = 0_usize;
    for node in documents {
        merged = merged.saturating_add(size_of(&first.content));
        if merged > MAX_MERGED {
            return Err("the schema has too many documents for its size".to_owned());
        }
        merge(&mut first, node, Merging::Overlay).map_err(|error| format!("{prefix}{error}"))?;
    }
    Schema::of(&first).map_err(|error| format!("{prefix}{error}"))
}

/// The blocks of a report, and what they cost.
#[derive(Default)]
struct Report {
    blocks: String,
    cost: usize,
}

/// The largest number of nodes that all merges together look at.
const MAX_MERGED: usize = 1 << 19;

/// The largest cost of all validations: bytes of rules and of messages.
const MAX_COST: usize = 1 << 24;

/// Adds a block for each node that violates its rules: parents before children.
fn validate(node: &Node, schema: &Schema, path: &str, report: &mut Report) -> Result<(), String> {
    if let Some(rules) = &schema.rules {
        let block = block(node, rules, path);
        report.cost = report.cost.saturating_add(rules.cost).saturating_add(block.len());
        if report.cost > MAX_COST {
            return Err("the validations of the data values cost too much".to_owned());
        }
        report.blocks.push_str(&block);
    }
    let by_key: HashMap<String, &Schema> = match &schema.kind {
        Kind::Map(declared) => declared.iter().map(|schema| (key_id(schema.key.as_ref()), schema)).collect(),
        Kind::Array(_) | Kind::Any | Kind::Scalar(_) => HashMap::new(),
    };
    for (index, child) in node.content.children().iter().enumerate() {
        let schema = match &schema.kind {
            Kind::Map(_) => by_key.get(&key_id(child.key.as_ref())).copied(),
            Kind::Array(item) => Some(item.as_ref()),
            Kind::Any | Kind::Scalar(_) => None,
        };
        if let Some(schema) = schema {
            validate(child, schema, &child_path(path, child, index), report)?;
        }
    }
    Ok(())
}

fn block(node: &Node, rules: &Rules, path: &str) -> String {
    let violations = rules.violations(&node.content);
    if violations.is_empty() {
        return String::new();
    }
    let path = if path.is_empty() { "(document)" } else { path };
    let mut block = format!("  {path}\n    from: {}\n", node.at);
    for violation in violations {
        let by = rules.at();
        block.push_str(&format!(
            "    - must be: {} (by: {by})\n      found: {}\n",
            violation.description, violation.found
        ));
    }
    block.push('\n');
    block
}
