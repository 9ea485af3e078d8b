//! A package: schemas and data values, merged, checked and validated.

use std::fmt;
use std::rc::Rc;

use crate::export::openapi;
use crate::files::{evaluated, is_yaml};
use crate::merge::{Merging, merge};
use crate::node::{Content, Node, Position, Scalar, Source};
use crate::print::document;
use crate::reflow::reflow;
use crate::scalar::resolve;
use crate::schema::{Schema, default_node};
use crate::starlark::functions::no_position;
use crate::starlark::interpreter::Interpreter;
use crate::template::has_annotation;
use crate::types::{Mismatches, check};
use crate::validation::{Undetermined, validate};
use crate::yaml::{Comments, File, ReadError, read, size_of};

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

/// The result of an evaluation.
#[derive(Clone, Debug)]
pub struct Evaluation {
    /// The final data values as YAML, or why there are none.
    pub values: Result<String, PackageError>,
    /// The rules whose answers depend on data values that are not known yet.
    pub undetermined: Vec<Undetermined>,
    /// What functions printed, which ytt writes to standard error.
    pub printed: String,
}

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

    /// The files that may have schemas or data values, as names and texts.
    pub(crate) fn templates(&self) -> &[(String, String)] {
        &self.templates
    }

    /// Whether a file is neither a schema nor data values, so that ytt would print what it evaluates to.
    pub fn has_other_templates(&self) -> bool {
        let other = |(name, text): &(String, String)| {
            let is_yaml = name.ends_with(".yml") || name.ends_with(".yaml");
            let has_documents = || match read(name, text, Comments::Template) {
                Ok(file) => !has_annotation(&file, SCHEMA) && !has_annotation(&file, VALUES),
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
    /// For what ytt refuses, with its message; and for what needs overlay annotations or libraries.
    pub fn data_values(&self) -> Result<String, PackageError> {
        self.evaluate().values
    }

    /// Returns the final data values, the rules without an answer, and what functions printed meanwhile.
    ///
    /// A data value with the tag `!unknown` is not known yet. It has any value of its type. A rule whose answer depends
    /// on it is undetermined; a rule that does not read it has its answer.
    ///
    /// ```
    /// use plantime_ytt::Package;
    ///
    /// let schema = "#@data/values-schema\n---\n#@schema/validation min_len=1\nhost: ''\n#@schema/validation min=1\nport: 80\n";
    /// let package = Package::new().template("schema.yml", schema).values_file("values.yml", "host: !unknown\n");
    /// let evaluation = package.evaluate();
    /// assert_eq!(evaluation.values?, "host: (known after apply)\nport: 80\n");
    /// let open: Vec<&str> = evaluation.undetermined.iter().map(|open| open.path.as_str()).collect();
    /// assert_eq!(open, ["host"]);
    /// # Ok::<(), plantime_ytt::PackageError>(())
    /// ```
    pub fn evaluate(&self) -> Evaluation {
        let mut interpreter = Interpreter::new(self);
        let mut undetermined = Vec::new();
        let values = self.final_values(&mut interpreter, &mut undetermined).map_err(PackageError);
        Evaluation { values, undetermined, printed: std::mem::take(&mut interpreter.printed) }
    }

    /// Returns the schema as an OpenAPI document in YAML, as `--data-values-schema-inspect -o openapi-v3` prints it.
    ///
    /// # Errors
    ///
    /// For what ytt refuses in the schema, with its message; and for what is not supported.
    pub fn openapi_schema(&self) -> Result<String, PackageError> {
        let mut interpreter = Interpreter::new(self);
        let this = &mut interpreter;
        let schema = self
            .additional()
            .and_then(|_| self.files())
            .and_then(|files| merged_schema(this, &files.schemas));
        schema.map(|schema| document(&openapi(&schema))).map_err(PackageError)
    }

    /// Reads the templates.
    fn files(&self) -> Result<ParsedTemplates, String> {
        let (mut schemas, mut values) = (Vec::new(), Vec::new());
        for (name, text) in self.templates.iter().filter(|(name, _)| is_yaml(name)) {
            let is_schema = text.contains("#@data/values-schema");
            match read(name, text, Comments::Template) {
                Ok(file) if has_annotation(&file, SCHEMA) => schemas.push(file),
                Ok(file) if has_annotation(&file, VALUES) => values.push(file),
                Err(ReadError::Syntax(error)) => {
                    return Err(format!("Unmarshaling YAML template '{name}': {error}"));
                }
                Err(ReadError::Comment(error)) if text.contains("#@data/values") => {
                    let kind = if is_schema { " schema" } else { "" };
                    return Err(format!(
                        "Overlaying data values{kind} (in following order: {name}): Templating file '{name}': Compiling YAML template '{name}': {error}"
                    ));
                }
                // Other templates are not evaluated.
                Ok(_) | Err(ReadError::Comment(_)) => {}
            }
        }
        Ok(ParsedTemplates { schemas, values })
    }

    /// Returns the merged data values as YAML, after all rules were evaluated; adds the rules without an answer.
    fn final_values(
        &self,
        this: &mut Interpreter<'_>,
        undetermined: &mut Vec<Undetermined>,
    ) -> Result<String, String> {
        let additional = self.additional()?;
        let ParsedTemplates { schemas, values } = self.files()?;
        let schema = merged_schema(this, &schemas)?;
        let mut root = default_node(&schema);
        let mut names: Vec<&str> = values.iter().map(|file| file.source.name.as_str()).collect();
        names.dedup();
        if !additional.is_empty() {
            names.push("additional data values");
        }
        let prefix = format!("Overlaying data values (in following order: {}): ", names.join(", "));
        let mut overlays = Vec::new();
        for file in &values {
            for node in evaluated(this, file).map_err(|error| format!("{prefix}{error}"))? {
                refuse_misplaced(&node)?;
                if node.annotation(VALUES).is_some() {
                    refuse_unsupported(&node)?;
                    overlays.push((node, Merging::Overlay));
                }
            }
        }
        overlays.extend(additional.into_iter().map(|node| (node, Merging::Plain)));
        let mut merged = 0_usize;
        for (node, merging) in overlays {
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
            validate(this, &root, &schema, undetermined)?;
        }
        Ok(document(&root.content))
    }

    /// Reads the values that are no templates.
    fn additional(&self) -> Result<Vec<Node>, String> {
        let mut nodes = Vec::new();
        for (name, text) in &self.plain {
            match read(name, text, Comments::Plain) {
                Ok(file) => nodes.extend(file.documents.into_iter().filter(|node| !node.content.is_null())),
                Err(ReadError::Syntax(error)) => {
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
                Ok(file) => match file.documents.into_iter().next() {
                    Some(node) => node.content,
                    None => Content::Scalar(resolve("")),
                },
                Err(ReadError::Syntax(error) | ReadError::Comment(error)) => {
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

/// The parsed templates.
struct ParsedTemplates {
    /// Those that declare a schema.
    schemas: Vec<File>,
    /// Those that have data values.
    values: Vec<File>,
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

/// Refuses annotations of documents on other nodes.
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
        let given = &annotation.arguments;
        let library = name == VALUES && !(given.positional.is_empty() && given.keywords.is_empty());
        if name.starts_with("overlay/")
            || name.starts_with("library/")
            || name.starts_with("yaml/")
            || library
        {
            return Err(format!("{}: @{name} is not supported", annotation.at));
        }
    }
    node.content.children().iter().try_for_each(refuse_unsupported)
}

/// Returns the schema that all schema files declare together: later ones are merged into earlier ones.
fn merged_schema(this: &mut Interpreter<'_>, files: &[File]) -> Result<Schema, String> {
    let mut names: Vec<&str> = files.iter().map(|file| file.source.name.as_str()).collect();
    names.dedup();
    let prefix = format!("Overlaying data values schema (in following order: {}): ", names.join(", "));
    let mut documents = Vec::new();
    for file in files {
        let name = &file.source.name;
        for node in evaluated(this, file).map_err(|error| format!("{prefix}{error}"))? {
            refuse_misplaced(&node)?;
            if node.annotation(SCHEMA).is_some() {
                refuse_unsupported(&node)?;
                documents.push(node);
            } else if !is_empty(&node) {
                return Err(format!(
                    "Overlaying data values schema (in following order: {name}): Templating file '{name}': Expected schema file '{name}' to only have schema documents"
                ));
            }
        }
    }
    let mut documents = documents.into_iter();
    let Some(mut first) = documents.next() else { return Ok(Schema::any(no_position())) };
    let mut merged = 0_usize;
    for node in documents {
        merged = merged.saturating_add(size_of(&first.content));
        if merged > MAX_MERGED {
            return Err("the schema has too many documents for its size".to_owned());
        }
        merge(&mut first, node, Merging::Overlay).map_err(|error| format!("{prefix}{error}"))?;
    }
    Schema::of(&first, this).map_err(|error| format!("{prefix}{error}"))
}

/// The largest number of nodes that all merges together look at.
const MAX_MERGED: usize = 1 << 19;

/// Whether a document has neither content nor annotations: one that only has functions is empty.
fn is_empty(node: &Node) -> bool {
    let is_scalar = matches!(node.content, Content::Scalar(_));
    (node.content.is_null() || (!is_scalar && node.content.children().is_empty()))
        && node.annotations.is_empty()
}
