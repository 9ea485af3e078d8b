//! Data values that come from no template: plain files, the environment and the command line.

use std::rc::Rc;

use crate::node::{Content, Node, Position, Scalar, Source};
use crate::scalar::resolve;
use crate::yaml::{Comments, ReadError, read};

/// Where a value was given.
#[derive(Clone, Debug)]
enum Origin {
    /// A variable of the environment, with its prefix.
    Environment { prefix: String, variable: String },
    /// An argument with a key and a value.
    Argument,
    /// A file with the value, for a key.
    File { name: String },
}

/// A value at a key.
#[derive(Clone, Debug)]
struct GivenValue {
    key: String,
    text: String,
    is_yaml: bool,
    origin: Origin,
}

/// All data values that come from no template.
#[derive(Clone, Debug, Default)]
pub(crate) struct Given {
    files: Vec<(String, String)>,
    values: Vec<GivenValue>,
}

/// A document of data values, and the library that it is for.
#[derive(Clone, Debug)]
pub(crate) struct GivenDocument {
    /// The reference to a library, as `@NAME` or `@~ALIAS`; empty for the package itself.
    pub(crate) library: String,
    /// Whether it is merged as a plain value; others are overlays.
    pub(crate) is_plain: bool,
    pub(crate) node: Node,
}

impl Given {
    /// The number of bytes of all values.
    pub(crate) fn size(&self) -> usize {
        let files = self.files.iter().map(|(_, text)| text.len());
        files.chain(self.values.iter().map(|value| value.text.len())).sum()
    }

    /// Adds a file of plain values.
    pub(crate) fn file(&mut self, name: &str, text: &str) {
        self.files.push((name.to_owned(), text.to_owned()));
    }

    /// Adds a value at a key, as a string or as YAML.
    pub(crate) fn value(&mut self, key: &str, text: &str, is_yaml: bool) {
        self.add(key, text, is_yaml, Origin::Argument);
    }

    /// Adds the text of a file as the value of a key.
    pub(crate) fn file_value(&mut self, key: &str, file: &str, text: &str) {
        self.add(key, text, false, Origin::File { name: file.to_owned() });
    }

    /// Adds a variable of the environment if its name has the prefix. Two underscores in its name lead into a map.
    pub(crate) fn variable(&mut self, prefix: &str, name: &str, text: &str, is_yaml: bool) {
        // A prefix may name the library that the values are for.
        let (library, start) = prefix.split_once(':').unwrap_or(("", prefix));
        let Some(key) = name.strip_prefix(start).and_then(|rest| rest.strip_prefix('_')) else { return };
        let origin = Origin::Environment { prefix: prefix.to_owned(), variable: name.to_owned() };
        let separator = if library.is_empty() { "" } else { ":" };
        self.add(&format!("{library}{separator}{}", key.replace("__", ".")), text, is_yaml, origin);
    }

    /// Adds a value.
    fn add(&mut self, key: &str, text: &str, is_yaml: bool, origin: Origin) {
        self.values.push(GivenValue { key: key.to_owned(), text: text.to_owned(), is_yaml, origin });
    }

    /// Returns the values as documents in the order in which ytt merges them; the error is ytt's.
    pub(crate) fn documents(&self, strict: bool) -> Result<Vec<GivenDocument>, String> {
        let mut documents = Vec::new();
        for (reference, text) in &self.files {
            let (library, name) = match reference.split_once(':') {
                Some((library, name)) if library.starts_with('@') => (library, name),
                _ => ("", reference.as_str()),
            };
            match read(name, text, Comments::Plain, strict) {
                Ok(file) => {
                    let found = file.documents.into_iter().filter(|node| !node.content.is_null());
                    documents.extend(found.map(|node| GivenDocument {
                        library: library.to_owned(),
                        is_plain: true,
                        node,
                    }));
                }
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
        let mut values: Vec<&GivenValue> = self.values.iter().collect();
        values.sort_by_key(|value| value.order());
        for value in values {
            documents.push(value.document(strict)?);
        }
        Ok(documents)
    }
}

impl GivenValue {
    /// The place among all values, which does not depend on the order of the arguments.
    fn order(&self) -> u8 {
        match (&self.origin, self.is_yaml) {
            (Origin::Environment { .. }, false) => 0,
            (Origin::Environment { .. }, true) => 1,
            (Origin::Argument, false) => 2,
            (Origin::Argument, true) => 3,
            (Origin::File { .. }, _) => 4,
        }
    }

    /// Returns the document of a value; the error is ytt's.
    fn document(&self, strict: bool) -> Result<GivenDocument, String> {
        let fail = |error: String| match &self.origin {
            Origin::Environment { prefix, variable } => format!(
                "Extracting data values from env under prefix '{prefix}': Extracting data value from env variable '{variable}': {error}"
            ),
            Origin::Argument => format!("Extracting data value from KV: {error}"),
            Origin::File { .. } => format!("Extracting data value from file: {error}"),
        };
        let (library, path) = library_and_path(&self.key).map_err(fail)?;
        let content = match self.is_yaml {
            false => Content::Scalar(Scalar::Text(self.text.clone())),
            true => match read("", &self.text, Comments::Plain, strict) {
                Ok(file) => match file.documents.into_iter().next() {
                    Some(node) => node.content,
                    None => Content::Scalar(resolve("")),
                },
                Err(ReadError::Syntax(error) | ReadError::Comment(error)) => {
                    return Err(fail(format!(
                        "Deserializing value for key '{}': Deserializing YAML value: {error}",
                        self.key
                    )));
                }
            },
        };
        let yaml = if self.is_yaml { "-yaml" } else { "" };
        let (name, line) = match &self.origin {
            Origin::Environment { prefix, variable } => {
                (format!("(data-values-env{yaml} arg) {prefix}"), format!("{variable}={}", self.text))
            }
            Origin::Argument => (format!("(data-value{yaml} arg)"), format!("{}={}", self.key, self.text)),
            Origin::File { name } => {
                let shown = format!("{}={name}", self.key);
                let first = self.text.split('\n').next().unwrap_or("");
                (format!("(data-value-file arg) {shown}"), first.to_owned())
            }
        };
        let at = Position { source: Rc::new(Source { name, lines: vec![line] }), line: 1 };
        Ok(GivenDocument { library: library.to_owned(), is_plain: true, node: nested(path, content, &at) })
    }
}

/// Splits a key at the colon into a library and a path; the error is ytt's.
fn library_and_path(key: &str) -> Result<(&str, &str), String> {
    match key.split_once(':') {
        None => Ok(("", key)),
        Some((_, path)) if path.contains(':') => {
            Err(format!("Expected at most one library-key separator ':' in '{key}'"))
        }
        Some((library, path)) if library.starts_with('@') => Ok((library, path)),
        Some(_) => Err(format!("Expected library ref to start with '@' in '{key}'")),
    }
}

/// Returns a document with a value at a path with points.
fn nested(path: &str, value: Content, at: &Position) -> Node {
    let node = |key, content| Node { key, content, at: at.clone(), annotations: Vec::new() };
    let content = path
        .split('.')
        .rev()
        .fold(value, |value, key| Content::Map(vec![node(Some(Scalar::Text(key.to_owned())), value)]));
    node(None, content)
}
