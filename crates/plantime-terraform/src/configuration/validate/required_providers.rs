//! The entries of `required_providers`: local names, source addresses, versions and aliases.

use super::constants::text_of_constant;
use super::version::is_version_constraint;
use crate::configuration::module::{configuration_name, constant};
use plantime_hcl::unstable::Problems;
use plantime_hcl::{Argument, Block};
use plantime_hcl::{Diagnostic, Expression};

/// What a part of an address of a provider may not be.
const ALLOWED: &str =
    "must contain only letters, digits, and dashes, and may not use leading or trailing dashes";

/// Adds the problems of the entries of a `required_providers` block.
pub(super) fn check_required_providers(block: &Block, problems: &mut Problems) {
    for inner in &block.body.blocks {
        let (summary, detail) =
            (format!("Unexpected {:?} block", inner.kind), "Blocks are not allowed here.");
        problems.push(Diagnostic::new(&block.source, inner.span.clone(), summary, detail));
    }
    for argument in &block.body.arguments {
        let expression = &argument.expression;
        if let Some(detail) = local_name_problem(&argument.name) {
            let (source, span) = (expression.source(), expression.span());
            problems.push(Diagnostic::new(source, span, "Invalid provider local name", detail));
            continue;
        }
        match expression.entries() {
            Some(entries) => {
                for (key, value) in entries {
                    let name = expression.source().text().get(key.span()).unwrap_or_default();
                    check_entry(argument, (name.trim_matches('"'), key.span()), &value, problems);
                }
            }
            None if text_of_constant(expression).is_some() => check_version(expression, problems),
            None => {
                let detail = "required_providers entries must be strings or objects.";
                let (source, span) = (expression.source(), expression.span());
                problems.push(Diagnostic::new(source, span, "Invalid required_providers object", detail));
            }
        }
    }
}

/// Adds the problems of one entry of the object of a provider.
fn check_entry(
    argument: &Argument,
    (name, key): (&str, std::ops::Range<usize>),
    value: &Expression,
    problems: &mut Problems,
) {
    let mut report = |summary: &str, detail: String| {
        problems.push(Diagnostic::new(value.source(), value.span(), summary, detail));
    };
    match name {
        "source" => match text_of_constant(value).filter(|_| constant(value).as_str().is_ok()) {
            Some(address) => {
                if let Some((summary, detail)) = source_problem(&address) {
                    report(summary, detail);
                }
            }
            None => report("Invalid source", "Source must be specified as a string.".to_owned()),
        },
        "version" => match constant(value).as_str() {
            Ok(_) => check_version(value, problems),
            Err(_) => {
                report("Invalid version constraint", "Version must be specified as a string.".to_owned());
            }
        },
        "configuration_aliases" => {
            for item in value.items().unwrap_or_default() {
                let is_quoted = item.as_reference().is_none() && !item.source().name().ends_with(".json");
                match configuration_name(&item).filter(|_| !is_quoted) {
                    Some((local, _)) if local != *argument.name => {
                        let detail = format!(
                            "Configuration aliases must be prefixed with the provider name. Expected {:?}, but found {local:?}.",
                            argument.name
                        );
                        let (source, span) = (value.source(), value.span());
                        problems.push(Diagnostic::new(
                            source,
                            span,
                            "Invalid configuration_aliases value",
                            detail,
                        ));
                    }
                    Some(_) => {}
                    None => {
                        let detail = "A single static variable reference is required: only attribute access and indexing with \
                                      constant keys. No calculations, function calls, template expressions, etc are allowed \
                                      here.";
                        let (source, span) = (item.source(), item.span());
                        problems.push(Diagnostic::new(source, span, "Invalid expression", detail));
                    }
                }
            }
        }
        _ => {
            let detail = "required_providers objects can only contain \"version\", \"source\" and \
                          \"configuration_aliases\" attributes. To configure a provider, use a \"provider\" block.";
            problems.push(Diagnostic::new(value.source(), key, "Invalid required_providers object", detail));
        }
    }
}

/// Adds the problem of a version that is no constraint.
fn check_version(expression: &Expression, problems: &mut Problems) {
    if text_of_constant(expression).is_some_and(|text| !is_version_constraint(&text)) {
        let detail = "This string does not use correct version constraint syntax.";
        let (source, span) = (expression.source(), expression.span());
        problems.push(Diagnostic::new(source, span, "Invalid version constraint", detail));
    }
}

/// What is wrong with the local name of a provider.
pub(in crate::configuration) fn local_name_problem(name: &str) -> Option<String> {
    let invalid = |reason: &str| Some(format!("{name} is an invalid provider local name: {reason}"));
    if name.is_empty() {
        return invalid("must have at least one character");
    }
    if name.contains('.') {
        return invalid("dots are not allowed");
    }
    if !is_part(name) {
        return invalid(ALLOWED);
    }
    if name.contains("--") {
        return invalid("cannot use multiple consecutive dashes");
    }
    let lower = name.to_lowercase();
    (lower != name).then(|| {
        format!("Provider names must be normalized. Replace {name:?} with {lower:?} to fix this error.")
    })
}

/// The summary and the detail of what is wrong with the source address of a provider.
fn source_problem(address: &str) -> Option<(&'static str, String)> {
    let parts: Vec<&str> = address.split('/').collect();
    if parts.len() > 3 || parts.iter().any(|part| part.is_empty()) {
        let detail = "The \"source\" attribute must be in the format \"[hostname/][namespace/]name\"";
        return Some(("Invalid provider source string", detail.to_owned()));
    }
    let (name, rest) = parts.split_last()?;
    if name.contains('.') {
        let detail = format!("Invalid provider type {name:?} in source {address:?}: dots are not allowed\"");
        return Some(("Invalid provider type", detail));
    }
    let short =
        name.strip_prefix("terraform-provider-").filter(|short| !short.is_empty() && !rest.is_empty());
    if let Some(short) = short {
        let instead = parts.iter().map(|part| if part == name { short } else { part });
        let instead = instead.collect::<Vec<_>>().join("/");
        let detail = format!(
            "Provider source {address:?} has a type with the prefix \"terraform-provider-\", which isn't valid. Although that \
             prefix is often used in the names of version control repositories for Terraform providers, provider source strings \
             should not include it.\n\nDid you mean {instead:?}?"
        );
        return Some(("Invalid provider type", detail));
    }
    if !is_part(name) {
        let detail = format!("Invalid provider type {name:?} in source {address:?}: {ALLOWED}\"");
        return Some(("Invalid provider type", detail));
    }
    if rest.last().is_some_and(|namespace| *namespace != "-" && !is_part(namespace)) {
        // The words are those of Terraform, which names no namespace.
        let detail = format!("Invalid provider namespace \"\" in source {address:?}: {ALLOWED}\"");
        return Some(("Invalid provider namespace", detail));
    }
    None
}

/// Whether a text may be a part of an address: letters, digits and dashes, no dash at an end.
fn is_part(text: &str) -> bool {
    let is_allowed = |c: char| c.is_alphanumeric() || c == '-' || !c.is_ascii();
    !text.starts_with('-') && !text.ends_with('-') && text.chars().all(is_allowed)
}
