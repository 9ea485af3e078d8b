//! Libraries: packages within a package, in folders below `_ytt_lib`.

use crate::given::GivenDocument;
use crate::node::{Content, Node};
use crate::output::rendered;
use crate::package::{Package, Skipped};
use crate::starlark::functions::no_position;
use crate::starlark::interpreter::{Interpreter, LibraryRequest, LibraryResult};
use crate::validation::ASSERTION;

/// The folder of libraries.
pub(crate) const FOLDER: &str = "_ytt_lib/";

/// A package or one of its libraries, with what is given to it.
pub(crate) struct Scoped<'p> {
    pub(crate) package: &'p Package,
    /// The folder of its files, with a slash at the end; empty for the package itself.
    pub(crate) folder: String,
    /// Schemas that are merged into its own.
    pub(crate) schemas: Vec<Node>,
    /// Data values that are merged into its own, and whether they are plain.
    pub(crate) overlays: Vec<(Node, bool)>,
    /// Data values for its libraries.
    pub(crate) documents: Vec<GivenDocument>,
    pub(crate) skipped: Skipped,
}

impl<'p> Scoped<'p> {
    /// The package itself.
    pub(crate) fn root(package: &'p Package) -> Scoped<'p> {
        let skipped = package.skipped();
        let (folder, schemas, overlays, documents) = (String::new(), Vec::new(), Vec::new(), Vec::new());
        Scoped { package, folder, schemas, overlays, documents, skipped }
    }

    /// Whether a file belongs to it, and not to one of its libraries.
    pub(crate) fn has(&self, name: &str) -> bool {
        let below = name.strip_prefix(self.folder.as_str());
        below.is_some_and(|below| !below.starts_with(FOLDER) && !below.contains("/_ytt_lib/"))
    }

    /// The folder of a library.
    fn folder_of(&self, path: &str) -> String {
        format!("{}{FOLDER}{path}/", self.folder)
    }

    /// Whether there are files of a library.
    pub(crate) fn has_library(&self, path: &str) -> bool {
        let folder = self.folder_of(path);
        self.package.templates().iter().any(|(name, _)| name.starts_with(&folder))
    }

    /// Evaluates a library; the error is ytt's.
    pub(crate) fn evaluate(&self, request: &LibraryRequest) -> Result<LibraryResult, String> {
        let (mut overlays, mut documents) = (Vec::new(), Vec::new());
        for document in &self.documents {
            match rest_of_reference(&document.library, &request.path, &request.alias) {
                Some("") => overlays.push((document.node.clone(), document.is_plain)),
                Some(rest) => {
                    documents.push(GivenDocument { library: rest.to_owned(), ..document.clone() });
                }
                None => {}
            }
        }
        overlays.extend(request.values.iter().map(|(value, is_plain)| (document_of(value), *is_plain)));
        let mut inner = Scoped {
            package: self.package,
            folder: self.folder_of(&request.path),
            schemas: request.schemas.iter().map(document_of).collect(),
            overlays,
            documents,
            skipped: self.skipped.or(request.skipped),
        };
        let mut result = LibraryResult::default();
        let mut interpreter = Interpreter::new(&inner);
        let found = self.package.final_values(&inner, &mut interpreter, &mut result.undetermined);
        result.steps = interpreter.heap.steps();
        result.printed = std::mem::take(&mut interpreter.printed);
        drop(interpreter);
        let found = found?;
        inner.documents.extend(found.documents);
        result.content = match request.wants_documents {
            true => {
                let mut documents = rendered(&inner, &found.templates, &found.root.content, &mut result)?;
                if inner.skipped.output {
                    documents.iter_mut().for_each(without_rules);
                }
                Content::Array(documents)
            }
            false => found.root.content,
        };
        Ok(result)
    }
}

/// Removes the rules of a node and of those below it, so that the package does not evaluate them in its own output.
fn without_rules(node: &mut Node) {
    node.annotations.retain(|annotation| annotation.name != ASSERTION);
    if let Content::Map(children) | Content::Array(children) = &mut node.content {
        children.iter_mut().for_each(without_rules);
    }
}

/// Returns a document with a content.
fn document_of(content: &Content) -> Node {
    Node { key: None, content: content.clone(), at: no_position(), annotations: Vec::new() }
}

/// Returns what follows a reference to a library; `None` if a reference is to another one.
///
/// A reference has the form `@PATH`, `@~ALIAS` or `@PATH~ALIAS`, and may be followed by one within that library.
pub(crate) fn rest_of_reference<'r>(reference: &'r str, path: &str, alias: &str) -> Option<&'r str> {
    let reference = reference.strip_prefix('@')?;
    let end = reference.find('@').unwrap_or(reference.len());
    let (first, rest) = reference.split_at_checked(end)?;
    let (wanted_path, wanted_alias) = first.split_once('~').unwrap_or((first, ""));
    let is_same =
        (wanted_path.is_empty() || wanted_path == path) && (wanted_alias.is_empty() || wanted_alias == alias);
    is_same.then_some(rest)
}
