//! The names of annotations, and of their keywords.

use crate::node::{Annotation, Node};
use crate::spelling::nearest;

/// The annotations that there are.
const NAMES: [&str; 23] = [
    "assert/validate",
    "data/values",
    "data/values-schema",
    "library/ref",
    "overlay/append",
    "overlay/assert",
    "overlay/insert",
    "overlay/match",
    "overlay/match-child-defaults",
    "overlay/merge",
    "overlay/remove",
    "overlay/replace",
    "schema/default",
    "schema/deprecated",
    "schema/desc",
    "schema/examples",
    "schema/nullable",
    "schema/title",
    "schema/type",
    "schema/validation",
    "schema/validation-defaults-for-strings",
    "yaml/map-key-override",
    "yaml/text-templated-strings",
];

/// The annotations that the proposal has and that are not evaluated.
const UNSUPPORTED: [&str; 8] = [
    "overlay/merge-ann",
    "overlay/merge-anns",
    "overlay/noop",
    "overlay/nullable",
    "overlay/remove-ann",
    "overlay/remove-anns",
    "overlay/replace-ann",
    "overlay/validate",
];

/// The keywords of the annotations of overlays.
const KEYWORDS: [(&str, &[&str]); 8] = [
    ("overlay/append", &[]),
    ("overlay/assert", &["via"]),
    ("overlay/insert", &["after", "before", "via"]),
    ("overlay/match", &["by", "expects", "missing_ok", "when"]),
    ("overlay/match-child-defaults", &["expects", "missing_ok", "when"]),
    ("overlay/merge", &[]),
    ("overlay/remove", &[]),
    ("overlay/replace", &["or_add", "via"]),
];

/// Refuses keywords that the annotations of overlays do not have, on a node; the error is ytt's, which looks at some of them
/// only where a node matches. The proposal names the nearest.
pub(crate) fn refuse_unknown_keywords(node: &Node, is_proposal: bool) -> Result<(), String> {
    for annotation in &node.annotations {
        let Some((name, known)) = KEYWORDS.iter().find(|(name, _)| *name == annotation.name) else {
            continue;
        };
        let other = annotation.arguments.keywords.iter().find(|(keyword, _)| !known.contains(&&**keyword));
        if let Some((keyword, _)) = other {
            let near = nearest(keyword, known).filter(|_| is_proposal);
            let hint = near.map_or(String::new(), |near| format!(" (did you mean '{near}'?)"));
            return Err(format!("Unknown '{name}' annotation keyword argument '{keyword}'{hint}"));
        }
    }
    Ok(())
}

/// Refuses annotations that there are not, on a node and below it. ytt ignores them; the proposal has more than are evaluated
/// here, and none of them may seem to have an effect.
pub(crate) fn refuse_unknown(node: &Node) -> Result<(), String> {
    node.annotations.iter().try_for_each(known)?;
    node.content.children().iter().try_for_each(refuse_unknown)
}

/// Refuses an annotation that there is not. Those of other tools have a first part of their own.
fn known(annotation: &Annotation) -> Result<(), String> {
    let (name, at) = (annotation.name.as_str(), &annotation.at);
    if UNSUPPORTED.contains(&name) {
        return Err(format!("{at}: the annotation @{name} is not supported"));
    }
    let is_ours = |name: &str| {
        name.split_once('/').is_some_and(|(part, _)| {
            ["assert", "data", "library", "overlay", "schema", "yaml"].contains(&part)
        })
    };
    if !is_ours(name) || NAMES.contains(&name) {
        return Ok(());
    }
    let hint = nearest(name, &NAMES).map_or(String::new(), |near| format!(" (did you mean @{near}?)"));
    Err(format!("{at}: there is no annotation @{name}{hint}"))
}
