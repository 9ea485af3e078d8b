//! Output: the documents of templates, evaluated with the final data values.

use crate::annotations::refuse_unknown;
use crate::files::template_documents;
use crate::given::GivenDocument;
use crate::library::{Scoped, rest_of_reference};
use crate::node::{Content, Node, Scalar};
use crate::starlark::interpreter::{Interpreter, LibraryResult};
use crate::validation::validate_output;
use crate::yaml::File;

/// A template that is neither a schema nor data values, or why it cannot be one.
pub(crate) enum Template {
    File(File),
    Refused(String),
}

/// Evaluates the templates of a package with data values, and returns their documents; the error is ytt's.
pub(crate) fn rendered(
    scoped: &Scoped<'_>,
    templates: &[Template],
    values: &Content,
    result: &mut LibraryResult,
) -> Result<Vec<Node>, String> {
    let mut this = Interpreter::new(scoped);
    let documents = this
        .set_data_values(values)
        .map_err(|failure| failure.message())
        .and_then(|()| all_documents(templates, &mut this));
    let documents = documents.and_then(|documents| {
        if scoped.package.has_proposal() && !scoped.skipped.output {
            for document in &documents {
                validate_output(&mut this, document, &mut result.undetermined)?;
            }
        }
        Ok(documents)
    });
    result.printed.push_str(&this.printed);
    result.undetermined.append(&mut this.undetermined);
    result.steps = result.steps.saturating_add(this.heap.steps());
    let documents = documents?;
    let is_used = |document: &&GivenDocument| {
        let mut used = this.used_libraries.iter();
        used.any(|(path, alias)| rest_of_reference(&document.library, path, alias).is_some())
    };
    let unused: Vec<String> = scoped
        .documents
        .iter()
        .filter(|document| !is_used(document))
        .map(|document| {
            let (library, at) = (&document.library, &document.node.at);
            format!("Data Value belonging to library '{library}' on line {at}")
        })
        .collect();
    if unused.is_empty() {
        return Ok(documents);
    }
    Err(format!(
        "Expected all provided library data values documents to be used but found unused: {}",
        unused.join(", ")
    ))
}

/// Returns the documents of all templates.
fn all_documents(templates: &[Template], this: &mut Interpreter<'_>) -> Result<Vec<Node>, String> {
    let mut documents = Vec::new();
    for template in templates {
        match template {
            Template::File(file) => documents.extend(template_documents(this, file)?),
            Template::Refused(error) => return Err(error.clone()),
        }
    }
    documents.iter().try_for_each(refuse_overlay)?;
    if this.library.has_proposal() {
        documents.iter().try_for_each(refuse_unknown)?;
    }
    Ok(documents)
}

/// Refuses a document that is an overlay of others, which is not supported.
fn refuse_overlay(document: &Node) -> Result<(), String> {
    match document.annotations.iter().find(|annotation| annotation.name.starts_with("overlay/")) {
        Some(annotation) => {
            Err(format!("{}: @{} on output is not supported", annotation.at, annotation.name))
        }
        None => Ok(()),
    }
}

/// Whether a document is not printed: null, or a map or an array without children.
pub(crate) fn is_empty(document: &Node) -> bool {
    let is_scalar = matches!(document.content, Content::Scalar(_));
    matches!(document.content, Content::Scalar(Scalar::Null))
        || !is_scalar && document.content.children().is_empty()
}
