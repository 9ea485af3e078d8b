//! A package: schemas and data values, merged, checked and validated.

use std::fmt;

use crate::annotations::refuse_unknown;
use crate::export::openapi;
use crate::files::{evaluated, is_yaml, text_template_error};
use crate::given::{Given, GivenDocument};
use crate::library::Scoped;
use crate::merge::merge;
use crate::node::{Content, Node};
use crate::output::{Template, is_empty, rendered};
use crate::overlay::overlay;
use crate::print::document;
use crate::proposal::spread_defaults;
use crate::reflow::reflow;
use crate::schema::{Schema, default_node};
use crate::starlark::functions::no_position;
use crate::starlark::interpreter::{Interpreter, LibraryResult};
use crate::starlark::modules::encodings::json_line;
use crate::starlark::value::{Value, text_of};
use crate::template::has_annotation;
use crate::types::{Mismatches, check};
use crate::validation::{Undetermined, validate};
use crate::yaml::{Comments, File, ReadError, read, size_of};

const SCHEMA: &str = "data/values-schema";
const VALUES: &str = "data/values";

/// Why a package is refused, in ytt's words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackageError(String);

impl PackageError {
    /// An error with ytt's text.
    pub(crate) fn new(text: String) -> PackageError {
        PackageError(text)
    }

    /// The text before its first line is laid out.
    pub(crate) fn into_text(self) -> String {
        self.0
    }
}

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

/// How results are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// Documents of YAML, with `---` between them.
    #[default]
    Yaml,
    /// A line of JSON for each document, with sorted keys.
    Json,
}

/// What is not validated.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Skipped {
    pub(crate) values: bool,
    pub(crate) output: bool,
}

impl Skipped {
    /// What is not validated because of one or the other.
    pub(crate) fn or(self, other: Skipped) -> Skipped {
        Skipped { values: self.values || other.values, output: self.output || other.output }
    }
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
    given: Given,
    skipped: Skipped,
    strict: bool,
    overrides: bool,
    proposal: bool,
    format: Format,
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
        self.given.file(name, text);
        self
    }

    /// Sets a data value to a string, as `--data-value` does; points in the key lead into maps.
    #[must_use]
    pub fn data_value(mut self, key: &str, value: &str) -> Package {
        self.given.value(key, value, false);
        self
    }

    /// Sets a data value to a YAML value, as `--data-value-yaml` does.
    #[must_use]
    pub fn data_value_yaml(mut self, key: &str, value: &str) -> Package {
        self.given.value(key, value, true);
        self
    }

    /// Sets a data value to the text of a file, as `--data-value-file` does.
    #[must_use]
    pub fn data_value_file(mut self, key: &str, file: &str, text: &str) -> Package {
        self.given.file_value(key, file, text);
        self
    }

    /// Takes a variable of the environment as a string if its name starts with the prefix, as `--data-values-env` does.
    ///
    /// What follows the prefix and an underscore is the key; two underscores lead into a map.
    ///
    /// ```
    /// use plantime_ytt::Package;
    ///
    /// let schema = "#@data/values-schema\n---\nserver:\n  host: ''\n";
    /// let package = Package::new().template("schema.yml", schema).variable("APP", "APP_server__host", "a");
    /// assert_eq!(package.data_values()?, "server:\n  host: a\n");
    /// # Ok::<(), plantime_ytt::PackageError>(())
    /// ```
    #[must_use]
    pub fn variable(mut self, prefix: &str, name: &str, value: &str) -> Package {
        self.given.variable(prefix, name, value, false);
        self
    }

    /// Takes a variable of the environment as YAML, as `--data-values-env-yaml` does.
    #[must_use]
    pub fn variable_yaml(mut self, prefix: &str, name: &str, value: &str) -> Package {
        self.given.variable(prefix, name, value, true);
        self
    }

    /// Refuses plain scalars whose type is not plain to see, as `--strict` does.
    #[must_use]
    pub fn strict(mut self) -> Package {
        self.strict = true;
        self
    }

    /// Lets a later key of a map replace an earlier one, as `--implicit-map-key-overrides` does.
    #[must_use]
    pub fn with_map_key_overrides(mut self) -> Package {
        self.overrides = true;
        self
    }

    /// Reads and evaluates rules as the proposal for validations has them, of which ytt has a part. ytt refuses what is
    /// only there.
    ///
    /// | part | in ytt | in the proposal |
    /// |---|---|---|
    /// | named rules | `min_len`, `max_len`, `min`, `max`, `one_of`, `not_null`, `one_not_null` | also `len`, `starts_with`, `ends_with`, `contains`, `matches`, `format`, `even`, `odd`, `multiple_of` |
    /// | the argument of a named rule | a value | also `("what is valid", value)` |
    /// | a rule | `("what is valid", function)` | also with a message: `{key}`, `{value}`, `{desc}`, `{failure}` |
    /// | a function that returns `None` | a violation | the value is valid |
    /// | `when=` that calls `assert.fail` | an error | the rules are not evaluated; any other error is one |
    /// | messages | `must be: …`, `found: …`, parents first | `"port" requires a valid value (at least 1); it is 0.`, leaves first |
    /// | the order of named rules | fixed | as they are written |
    /// | rules for all strings below a node | none | `@schema/validation-defaults-for-strings` |
    /// | `@assert/validate` in templates | nothing | rules of the documents of output |
    /// | an annotation that does not exist, or that is not evaluated | is ignored | is refused |
    /// | OpenAPI | no rules | the keywords of named rules, and the words of others as descriptions |
    ///
    /// ```
    /// use plantime_ytt::Package;
    ///
    /// let schema = "#@data/values-schema\n---\n#@schema/validation starts_with=(\"a name in prod\", \"prod-\")\nname: ''\n";
    /// let package = Package::new().template("schema.yml", schema).data_value("name", "web").with_proposal();
    /// let error = package.data_values().unwrap_err().to_string();
    /// assert!(error.contains("- \"name\" requires a valid value (a name in prod); "), "{error}");
    /// ```
    #[must_use]
    pub fn with_proposal(mut self) -> Package {
        self.proposal = true;
        self
    }

    /// Prints results in a format, as `--output` does.
    #[must_use]
    pub fn format(mut self, format: Format) -> Package {
        self.format = format;
        self
    }

    /// Skips validations, as `--dangerous-data-values-disable-validation` does. Types are checked all the same.
    #[must_use]
    pub fn without_validation(mut self) -> Package {
        self.skipped = Skipped { values: true, output: true };
        self
    }

    /// Skips the validation of data values, and not that of the output, as `--data-value-schema-disable-validation` of the
    /// proposal does.
    ///
    /// ```
    /// use plantime_ytt::Package;
    ///
    /// let schema = "#@data/values-schema\n---\n#@schema/validation min=1\nreplicas: 0\n";
    /// let package = Package::new().template("schema.yml", schema).with_proposal().without_validation_of_values();
    /// assert_eq!(package.data_values()?, "replicas: 0\n");
    /// # Ok::<(), plantime_ytt::PackageError>(())
    /// ```
    #[must_use]
    pub fn without_validation_of_values(mut self) -> Package {
        self.skipped.values = true;
        self
    }

    /// Skips the validation of the output, and not that of data values, as `--output-disable-validation` of the proposal
    /// does.
    ///
    /// ```
    /// use plantime_ytt::Package;
    ///
    /// let template = "#@assert/validate min=1\nreplicas: 0\n";
    /// let package = Package::new().template("t.yml", template).with_proposal();
    /// assert!(package.output().values.is_err());
    /// assert_eq!(package.without_validation_of_output().output().values?, "replicas: 0\n");
    /// # Ok::<(), plantime_ytt::PackageError>(())
    /// ```
    #[must_use]
    pub fn without_validation_of_output(mut self) -> Package {
        self.skipped.output = true;
        self
    }

    /// The number of bytes of all files and values.
    pub(crate) fn size(&self) -> usize {
        self.templates.iter().map(|(_, text)| text.len()).sum::<usize>().saturating_add(self.given.size())
    }

    /// The files that may have schemas or data values, as names and texts.
    pub(crate) fn templates(&self) -> &[(String, String)] {
        &self.templates
    }

    /// Returns the final data values as YAML: defaults of the schema, overridden in order, checked and validated.
    ///
    /// # Errors
    ///
    /// For what ytt refuses, with its message; and for what is not evaluated.
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
        self.evaluated(|_, found, _| self.print(&found.root.content))
    }

    /// Evaluates the templates with the final data values, and returns their documents as ytt prints them.
    ///
    /// Files with schemas and data values, files that are loaded and files that are no YAML print nothing.
    ///
    /// ```
    /// use plantime_ytt::Package;
    ///
    /// let template = "#@ load('@ytt:data', 'data')\nname: #@ data.values.name\n";
    /// let package = Package::new().template("t.yml", template).values_file("v.yml", "name: web\n");
    /// assert_eq!(package.output().values?, "name: web\n");
    /// # Ok::<(), plantime_ytt::PackageError>(())
    /// ```
    pub fn output(&self) -> Evaluation {
        self.evaluated(|scoped, found, result| {
            let documents = rendered(scoped, &found.templates, &found.root.content, result)?;
            let documents = documents.iter().filter(|document| !is_empty(document));
            let texts: Vec<String> =
                documents.map(|document| self.print(&document.content)).collect::<Result<_, _>>()?;
            Ok(texts.join(if self.format == Format::Json { "" } else { "---\n" }))
        })
    }

    /// Evaluates the data values, and returns what `show` makes of them.
    fn evaluated(
        &self,
        show: impl FnOnce(&Scoped<'_>, &FinalValues, &mut LibraryResult) -> Result<String, String>,
    ) -> Evaluation {
        let mut scoped = Scoped::root(self);
        let mut result = LibraryResult::default();
        let mut interpreter = Interpreter::new(&scoped);
        let found = self.final_values(&scoped, &mut interpreter, &mut result.undetermined);
        result.printed = std::mem::take(&mut interpreter.printed);
        drop(interpreter);
        let values = found.and_then(|mut found| {
            scoped.documents.append(&mut found.documents);
            show(&scoped, &found, &mut result)
        });
        let values = values.map_err(PackageError);
        Evaluation { values, undetermined: result.undetermined, printed: result.printed }
    }

    /// Returns a document in the format of the package.
    fn print(&self, content: &Content) -> Result<String, String> {
        match self.format {
            Format::Yaml => Ok(document(content)),
            Format::Json => json_line(content),
        }
    }

    /// What is not validated.
    pub(crate) fn skipped(&self) -> Skipped {
        self.skipped
    }

    /// Whether rules are those of the proposal.
    pub(crate) fn has_proposal(&self) -> bool {
        self.proposal
    }

    /// Whether a later key of a map replaces an earlier one.
    pub(crate) fn overrides_keys(&self) -> bool {
        self.overrides
    }

    /// Returns the schema as an OpenAPI document in YAML, as `--data-values-schema-inspect -o openapi-v3` prints it.
    ///
    /// # Errors
    ///
    /// For what ytt refuses in the schema, with its message; and for what is not supported.
    pub fn openapi_schema(&self) -> Result<String, PackageError> {
        let scoped = Scoped::root(self);
        let mut interpreter = Interpreter::new(&scoped);
        let this = &mut interpreter;
        let schema = self
            .given
            .documents(self.strict)
            .and_then(|_| self.files(&scoped))
            .and_then(|files| merged_schema(this, &scoped, &files.schemas));
        let document =
            schema.and_then(|schema| openapi(&schema, &this.heap).map_err(|failure| failure.message()));
        document.and_then(|document| self.print(&document)).map_err(PackageError)
    }

    /// Reads the templates.
    fn files(&self, scoped: &Scoped<'_>) -> Result<ParsedTemplates, String> {
        let (mut schemas, mut values, mut others) = (Vec::new(), Vec::new(), Vec::new());
        for (name, text) in self.templates.iter().filter(|(name, _)| scoped.has(name)) {
            if name.ends_with(".txt") && text.contains("(@") {
                others.push(Template::Refused(text_template_error(name, text)));
            }
            if !is_yaml(name) {
                continue;
            }
            let is_schema = text.contains("#@data/values-schema");
            match read(name, text, Comments::Template, self.strict) {
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
                Ok(file) => others.push(Template::File(file)),
                Err(ReadError::Comment(error)) => {
                    others.push(Template::Refused(format!("Compiling YAML template '{name}': {error}")));
                }
            }
        }
        Ok(ParsedTemplates { schemas, values, others })
    }

    /// Returns the merged data values, after all rules were evaluated; adds the rules without an answer.
    pub(crate) fn final_values(
        &self,
        scoped: &Scoped<'_>,
        this: &mut Interpreter<'_>,
        undetermined: &mut Vec<Undetermined>,
    ) -> Result<FinalValues, String> {
        let given = match scoped.folder.as_str() {
            "" => self.given.documents(self.strict)?,
            _ => Vec::new(),
        };
        let (given, mut documents): (Vec<GivenDocument>, Vec<GivenDocument>) =
            given.into_iter().partition(|document| document.library.is_empty());
        let given = given.into_iter().map(|document| (document.node, document.is_plain));
        let additional: Vec<(Node, bool)> = scoped.overlays.iter().cloned().chain(given).collect();
        let ParsedTemplates { schemas, values, others } = self.files(scoped)?;
        let schema = merged_schema(this, scoped, &schemas)?;
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
                if self.proposal {
                    refuse_unknown(&node)?;
                }
                if node.annotation(VALUES).is_some() {
                    refuse_unsupported(&node)?;
                    if let Some(library) = library_of(&node).map_err(|error| format!("{prefix}{error}"))? {
                        documents.push(GivenDocument { library, is_plain: false, node });
                        continue;
                    }
                    overlays.push((node, false));
                } else if !is_empty(&node) {
                    let name = &file.source.name;
                    return Err(format!(
                        "{prefix}Templating file '{name}': Expected data values file '{name}' to only have data values documents"
                    ));
                }
            }
        }
        overlays.extend(additional);
        let mut merged = 0_usize;
        for (node, is_plain) in overlays {
            let merged_into = if is_plain { merge(&mut root, node) } else { overlay(&mut root, node, this) };
            merged_into.map_err(|error| format!("{prefix}{error}"))?;
            // Each merge looks at all values, so that many documents with many values would cost the product.
            merged = merged.saturating_add(size_of(&root.content));
            if merged > this.heap.bounds().merged {
                return Err("the data values have too many documents for their size".to_owned());
            }
            let mut mismatches = Mismatches::new(this.heap.bounds().defaults);
            check(&mut root, &schema, &mut mismatches);
            if let Some(limit) = mismatches.limit() {
                return Err(limit);
            }
            if let Some(message) = mismatches.message() {
                return Err(format!("{prefix}{message}"));
            }
        }
        if !scoped.skipped.values {
            validate(this, &root, &schema, undetermined)?;
        }
        Ok(FinalValues { root, templates: others, documents })
    }
}

/// The final data values of a package or a library.
pub(crate) struct FinalValues {
    pub(crate) root: Node,
    pub(crate) templates: Vec<Template>,
    /// Data values for libraries.
    pub(crate) documents: Vec<GivenDocument>,
}

/// Returns the library that a document of data values is for, by its annotation `@library/ref`.
fn library_of(node: &Node) -> Result<Option<String>, String> {
    let Some(annotation) = node.annotation("library/ref") else { return Ok(None) };
    match annotation.arguments.positional.as_slice() {
        [Value::Text(library)] if is_reference(&text_of(library)) => Ok(Some(text_of(library).into_owned())),
        [Value::Text(other)] => Err(format!(
            "Annotation library/ref: Expected library ref to have form: '@path', '@~alias', or '@path~alias', got: '{}'",
            text_of(other)
        )),
        _ => Err(format!("{}: @library/ref without one reference is not supported", annotation.at)),
    }
}

/// Whether a text refers to a library, or to one within another.
fn is_reference(text: &str) -> bool {
    let Some(parts) = text.strip_prefix('@') else { return false };
    parts.split('@').all(|part| !part.is_empty() && part.matches('~').count() <= 1 && !part.ends_with('~'))
}

/// The parsed templates.
struct ParsedTemplates {
    /// Those that declare a schema.
    schemas: Vec<File>,
    /// Those that have data values.
    values: Vec<File>,
    /// Those whose documents are printed.
    others: Vec<Template>,
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
        if name.starts_with("library/") && name != "library/ref" || library {
            return Err(format!("{}: @{name} is not supported", annotation.at));
        }
    }
    node.content.children().iter().try_for_each(refuse_unsupported)
}

/// Returns the schema that all schema files declare together: later ones are merged into earlier ones.
fn merged_schema(this: &mut Interpreter<'_>, scoped: &Scoped<'_>, files: &[File]) -> Result<Schema, String> {
    let mut names: Vec<&str> = files.iter().map(|file| file.source.name.as_str()).collect();
    names.dedup();
    let prefix = format!("Overlaying data values schema (in following order: {}): ", names.join(", "));
    let mut documents = Vec::new();
    for file in files {
        let name = &file.source.name;
        for node in evaluated(this, file).map_err(|error| format!("{prefix}{error}"))? {
            refuse_misplaced(&node)?;
            if this.library.has_proposal() {
                refuse_unknown(&node)?;
            }
            if node.annotation(SCHEMA).is_some() {
                refuse_unsupported(&node)?;
                if let Some(annotation) = node.annotation("library/ref") {
                    return Err(format!("{}: @library/ref on a schema is not supported", annotation.at));
                }
                documents.push(node);
            } else if !is_empty(&node) || !node.annotations.is_empty() {
                return Err(format!(
                    "Overlaying data values schema (in following order: {name}): Templating file '{name}': Expected schema file '{name}' to only have schema documents"
                ));
            }
        }
    }
    documents.extend(scoped.schemas.iter().cloned());
    if this.library.has_proposal() {
        documents.iter_mut().for_each(spread_defaults);
    }
    let mut documents = documents.into_iter();
    let Some(mut first) = documents.next() else { return Ok(Schema::any(no_position())) };
    let mut merged = 0_usize;
    for node in documents {
        merged = merged.saturating_add(size_of(&first.content));
        if merged > this.heap.bounds().merged {
            return Err("the schema has too many documents for its size".to_owned());
        }
        overlay(&mut first, node, this).map_err(|error| format!("{prefix}{error}"))?;
    }
    Schema::of(&first, this).map_err(|error| format!("{prefix}{error}"))
}
