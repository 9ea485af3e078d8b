//! Output: the documents of templates, evaluated with the final data values.

use crate::files::template_documents;
use crate::node::{Content, Node, Scalar};
use crate::package::Package;
use crate::starlark::interpreter::Interpreter;
use crate::yaml::File;

/// A template that is neither a schema nor data values, or why it cannot be one.
pub(crate) enum Template {
    File(File),
    Refused(String),
}

/// Evaluates the templates of a package with data values, and returns their documents; the error is ytt's.
pub(crate) fn rendered(
    package: &Package,
    templates: &[Template],
    values: &Content,
    printed: &mut String,
) -> Result<Vec<Node>, String> {
    let mut this = Interpreter::new(package);
    let documents = this
        .set_data_values(values)
        .map_err(|failure| failure.message())
        .and_then(|()| all_documents(templates, &mut this));
    printed.push_str(&this.printed);
    documents
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
