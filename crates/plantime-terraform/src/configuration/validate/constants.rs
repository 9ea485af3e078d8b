//! Arguments that have to be constants or bare references, and conditions that have to refer to something.

use std::collections::BTreeMap;
use std::ops::Range;

use super::quoted::{ListedReference, quoted_problem, quoted_text, quoted_warning};
use crate::configuration::module::{AnyReference, constant};
use plantime::function::Functions;
use plantime::{Type, Value};
use plantime_hcl::unstable::Problems;
use plantime_hcl::{Argument, Body};
use plantime_hcl::{Diagnostic, Expression, ReferenceKey, Scope};

/// Adds the problems of an argument that has to be a constant of a type.
pub(super) fn check_constant(body: &Body, name: &str, ty: &Type, problems: &mut Problems) {
    let Some(argument) = body.argument(name) else { return };
    let expression = &argument.expression.constant_form();
    let unsuitable = |reason: &str| {
        let detail = format!("Unsuitable value: {reason}");
        Diagnostic::new(expression.source(), expression.start_span(), "Unsuitable value type", detail)
    };
    let (value, wrong) = value_despite_problems(expression);
    problems.extend(wrong);
    if value.is_null() {
        problems.push(unsuitable("null value is not allowed"));
    } else if let Err(error) = plantime::convert(&value, &ty.clone().into()) {
        problems.push(unsuitable(error.message()));
    } else if !value.is_wholly_known() {
        problems.push(unsuitable("value must be known"));
    }
}

/// The value of an expression that has to be a constant, and what is wrong with it. With problems the value is unknown, of the type that
/// Terraform goes on with: it then reports that type too where it does not fit.
pub(in crate::configuration) fn value_despite_problems(expression: &Expression) -> (Value, Vec<Diagnostic>) {
    let problems = constant_problems(expression);
    if !problems.is_empty() {
        // Without functions a call gives nothing.
        let (nothing, functions) = (AnyReference, Functions::new());
        let value = expression.evaluate(&Scope::new(&nothing).with_functions(&functions));
        return (value.unwrap_or_else(|_| Value::unknown(expression.type_after_error())), problems);
    }
    match expression.evaluate(&Scope::new(&BTreeMap::new())) {
        Ok(value) => (value, problems),
        Err(wrong) => (Value::unknown(expression.type_after_error()), wrong.iter().cloned().collect()),
    }
}

/// Adds the problem of a type in quotes, as they were before version 0.12.
pub(super) fn check_quoted_type(body: &Body, problems: &mut Problems) {
    let Some(argument) = body.argument("type") else { return };
    let expression = &argument.expression;
    // In JSON it cannot be written otherwise.
    if expression.is_json() || !expression.references().is_empty() || !expression.outermost_calls().is_empty()
    {
        return;
    }
    let Ok(written) = expression.evaluate(&Scope::new(&BTreeMap::new())) else { return };
    let Ok(ty) = written.as_str() else { return };
    let (summary, hint) = match ty {
        "string" => ("Invalid quoted type constraints", String::new()),
        "list" | "map" => (
            "Invalid quoted type constraints",
            format!(
                " and write {ty}(string) instead to explicitly indicate that the {ty} elements are strings"
            ),
        ),
        _ => ("Invalid legacy variable type hint", String::new()),
    };
    let detail = match summary {
        "Invalid quoted type constraints" => format!(
            "Terraform 0.11 and earlier required type constraints to be given in quotes, but that form is now deprecated and \
             will be removed in a future version of Terraform. Remove the quotes around {ty:?}{hint}."
        ),
        _ => "To provide a full type expression, remove the surrounding quotes and give the type expression directly."
            .to_owned(),
    };
    problems.push(Diagnostic::new(expression.source(), expression.span(), summary, detail));
}

/// The problems of an expression that has to be a constant: each reference, and each call of a function.
pub(in crate::configuration) fn constant_problems(expression: &Expression) -> Vec<Diagnostic> {
    let expression = &expression.constant_form();
    let source = expression.source();
    let calls = expression.outermost_calls();
    // What is in a call that is refused is not looked at.
    let is_outside = |place: &Range<usize>| !calls.iter().any(|call| call.contains(&place.start));
    let references = expression.references().into_iter().map(|reference| reference.span_of(0));
    let variables = references.filter(is_outside).map(|span| {
        let detail = "Variables may not be used here.";
        Diagnostic::new(source, span, "Variables not allowed", detail)
    });
    let calls = calls.iter().map(|span| {
        let detail = "Functions may not be called here.";
        Diagnostic::new(source, span.clone(), "Function calls not allowed", detail)
    });
    variables.chain(calls).collect()
}

/// The text that an expression without references and calls converts to; `None` for null and where it does not convert.
pub(super) fn text_of_constant(expression: &Expression) -> Option<String> {
    if !constant_problems(expression).is_empty() {
        return None;
    }
    let text = plantime::convert(&constant(expression), &Type::String.into()).ok()?;
    text.as_str().ok().map(str::to_owned)
}

/// Adds the problem of a condition that refers to nothing.
pub(super) fn check_condition(kind: &str, condition: &Argument, problems: &mut Problems) {
    if condition.expression.references().is_empty() {
        let detail = "The condition expression must refer to at least one object from elsewhere in the configuration, or \
                      else its result would not be checking anything.";
        let (source, span) = (condition.expression.source(), condition.expression.span());
        problems.push(Diagnostic::new(source, span, format!("Invalid {kind} expression"), detail));
    }
}

/// Adds the problems of `depends_on`, which is a list of references.
pub(super) fn check_references_only(body: &Body, problems: &mut Problems) {
    let Some(argument) = body.argument("depends_on") else { return };
    let expression = &argument.expression;
    let source = expression.source();
    let Some(items) = expression.items() else {
        let detail = "A static list expression is required.";
        problems.push(Diagnostic::new(source, expression.start_span(), "Invalid expression", detail));
        return;
    };
    for item in items {
        if is_keyword(&item) {
            let detail = "A reference to a resource type must be followed by at least one attribute access, specifying the \
                          resource name.";
            problems.push(Diagnostic::new(source, item.span(), "Invalid reference", detail));
        } else if item.as_reference().is_none() {
            check_quoted_reference(&item, problems);
            // Nothing at all is no reference either.
            if !item.is_json() && quoted_text(&item).is_some_and(|(text, _)| text.is_empty()) {
                problems.push(no_reference(&item));
            }
        }
    }
}

/// Whether an expression is `true`, `false` or `null`, which are names where a reference is expected.
pub(super) fn is_keyword(expression: &Expression) -> bool {
    let text = expression.source().text().get(expression.span());
    !expression.is_json() && matches!(text, Some("true" | "false" | "null"))
}

/// The problem of an expression that is no reference.
fn no_reference(item: &Expression) -> Diagnostic {
    let detail = "A single static variable reference is required: only attribute access and indexing with constant keys. \
                  No calculations, function calls, template expressions, etc are allowed here.";
    Diagnostic::new(item.source(), item.span(), "Invalid expression", detail)
}

/// Adds the problems of a reference in quotes: a warning in HCL, an error if it is none.
pub(super) fn check_quoted_reference(item: &Expression, problems: &mut Problems) {
    let source = item.source();
    let Some((text, start)) = quoted_text(item) else {
        problems.push(no_reference(item));
        return;
    };
    if ListedReference::of(item).is_none() {
        problems.push(if item.is_json() { no_reference(item) } else { quoted_problem(item, &text, start) });
    }
    if !source.name().ends_with(".json") {
        problems.push(quoted_warning(item, "reference", "references"));
    }
}

/// Adds the problems of `ignore_changes` that need no schema: its old form for all attributes, and attributes in quotes.
pub(super) fn check_ignore_changes(body: &Body, problems: &mut Problems) {
    let Some(argument) = body.argument("ignore_changes") else { return };
    for item in argument.expression.items().unwrap_or_default() {
        if item.as_reference().is_some() {
            continue;
        }
        if quoted_text(&item).is_some_and(|(text, _)| text == "*") {
            // The words are those of Terraform.
            let detail = "The [\"*\"] form of ignore_changes wildcard is was deprecated and is now invalid. Use \
                          \"ignore_changes = all\" to ignore changes to all attributes.";
            let (source, span) = (argument.expression.source(), argument.expression.span());
            problems.push(Diagnostic::new(source, span, "Invalid ignore_changes wildcard", detail));
        } else {
            check_quoted_reference(&item, problems);
        }
    }
}

/// Adds the problems of `replace_triggered_by`, which names resources.
pub(super) fn check_replace_triggered_by(body: &Body, problems: &mut Problems) {
    let Some(argument) = body.argument("replace_triggered_by") else { return };
    if argument.expression.items().is_none() && !argument.expression.source().name().ends_with(".json") {
        let detail = "A static list expression is required.";
        let (source, span) = (argument.expression.source(), argument.expression.start_span());
        problems.push(Diagnostic::new(source, span, "Invalid expression", detail));
    }
    for item in argument.expression.items().unwrap_or_default() {
        let (mut is_resource, mut others) = (false, Vec::new());
        // In JSON the text is an expression.
        let text = quoted_text(&item).filter(|_| item.is_json());
        let in_text = text.and_then(|(text, _)| Expression::parse(&text).ok());
        for reference in in_text.as_ref().unwrap_or(&item).references() {
            let first = reference.steps().first().map(|step| step.key());
            match (reference.root(), first) {
                ("each", Some(ReferenceKey::Attribute(name))) if &**name != "key" => {
                    let detail = "Only each.key may be used in replace_triggered_by.";
                    let summary = "Invalid each reference in replace_triggered_by expression";
                    others.push(Diagnostic::new(item.source(), reference.span(), summary, detail));
                }
                ("count" | "each", _) => {}
                (_, None) => {
                    let detail = "A reference to a resource type must be followed by at least one attribute access, specifying \
                                  the resource name.";
                    others.push(Diagnostic::new(
                        item.source(),
                        reference.span(),
                        "Invalid reference",
                        detail,
                    ));
                }
                ("local" | "var" | "module" | "path" | "terraform" | "self", _) => {
                    let detail =
                        "Only resources, count.index, and each.key may be used in replace_triggered_by.";
                    let summary = "Invalid reference in replace_triggered_by expression";
                    let span = reference.span();
                    others.push(Diagnostic::new(item.source(), span, summary, detail));
                }
                (_, Some(ReferenceKey::Attribute(_))) => is_resource = true,
                _ => {}
            }
        }
        problems.extend(others);
        if !is_resource {
            let detail = "Missing resource reference in replace_triggered_by expression.";
            let summary = "Invalid replace_triggered_by expression";
            problems.push(Diagnostic::new(item.source(), item.span(), summary, detail));
        }
    }
}
