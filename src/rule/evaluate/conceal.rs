//! Failures inside of marked containers, told without what is content: how many elements a container has, which keys, and which of them
//! fail.

use std::collections::BTreeMap;

use crate::path::Path;
use crate::rule::{Diagnostic, Diagnostics, Request};
use crate::value::Value;

/// The failure that is told of a part of a marked container.
const FAILURE: &str = "a part of the sensitive value does not satisfy the rule";

/// The diagnostics, with one for each marked container in place of those of its parts.
pub(super) fn concealed(diagnostics: Diagnostics, request: &Request<'_>) -> Diagnostics {
    if !request.value.contains_marks() && !request.root.contains_marks() {
        return diagnostics;
    }
    let mut all: Vec<Diagnostic> = Vec::new();
    // Where in `all` the one of each container is.
    let mut told: BTreeMap<Path, usize> = BTreeMap::new();
    for diagnostic in diagnostics.iter() {
        let Some(container) = container_of(request, &diagnostic.path) else {
            all.push(diagnostic.clone());
            continue;
        };
        match told.get(&container).and_then(|at| all.get_mut(*at)) {
            // A warning beside an error.
            Some(known) => known.severity = known.severity.min(diagnostic.severity),
            None => {
                let place =
                    if container.is_empty() { String::new() } else { format!("Attribute {container}: ") };
                let detail = match place.is_empty() {
                    true => "A part of the sensitive value does not satisfy the rule.".to_owned(),
                    false => format!("{place}{FAILURE}."),
                };
                told.insert(container.clone(), all.len());
                let one = Diagnostic::error("Invalid Attribute Value", detail, container, FAILURE);
                all.push(Diagnostic { severity: diagnostic.severity, ..one });
            }
        }
    }
    all.into_iter().collect()
}

/// The path of the outermost marked container around a place; `None` if it is in none.
fn container_of(request: &Request<'_>, place: &Path) -> Option<Path> {
    let above = request.path.steps();
    let (from, start) = match place.steps().strip_prefix(above) {
        Some(_) => (request.value, above.len()),
        None => (request.root, 0),
    };
    let mut here = Value::clone(from);
    for at in start..place.len() {
        if here.is_marked() {
            return place.steps().get(..at).map(Path::from);
        }
        here = here.get(&place.steps().get(at..).and_then(|rest| rest.get(..1)).map(Path::from)?).ok()?;
    }
    None
}
