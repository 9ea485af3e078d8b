//! What the proxy adds to answers: facts to plans, diagnostics about broken facts after applies.

#[cfg(test)]
mod tests;

use bytes::Bytes;
use plantime::Value;
use prost::Message;
use tracing::Level;

use super::facts::{self, Added, Broken};
use super::log::log;
use super::resources::Resources;
use crate::diagnostic::{Diagnostic, Severity};
use crate::message::{self, DynamicValue};
use crate::raw;
use crate::wire;

/// The field of the state in answers to plans and applies.
const STATE: u32 = 1;
/// The field of the planned state in requests to apply.
const PLANNED: u32 = 3;
/// The field of the diagnostics in answers to applies.
const APPLY_DIAGNOSTICS: u32 = 3;

/// The value in a field of a message.
fn state(message: &Bytes, field: u32, ty: &plantime::Type) -> Option<Value> {
    let message = DynamicValue::decode(raw::content(message, field)?).ok()?;
    wire::decode(Some(&message), ty).ok()
}

/// The answer to a plan with the facts about the resource; `None` where they add nothing.
pub(super) async fn plan(resources: &Resources, request: &Bytes, answer: &Bytes) -> Option<Bytes> {
    let type_name = raw::text(request, 1);
    let facts = resources.facts(&type_name);
    if facts.is_empty() {
        return None;
    }
    let ty = resources.value_type(&type_name).await?;
    // A plan that failed has none.
    raw::content(answer, STATE)?;
    let amended = state(answer, STATE, &ty).and_then(|planned| {
        let (narrowed, added) = facts::narrow(&planned, &facts, resources.sends_class_b()).ok()?;
        let value = wire::encode(&narrowed, &ty).ok()?.encode_to_vec();
        Some((raw::replaced(answer, STATE, &value)?, added))
    });
    let Some((amended, added)) = amended else {
        resources.warn(format!("a plan of {type_name} passes without facts: it cannot be read or written"));
        return None;
    };
    if added.is_empty() {
        return None;
    }
    for fact in added {
        log(Level::INFO, || planned_line(&type_name, &fact));
    }
    Some(amended.into())
}

/// The answer to an apply with a diagnostic for each broken fact; `None` where none is broken. The state stays as it is.
pub(super) async fn apply(
    resources: &Resources,
    on_broken: Severity,
    request: &Bytes,
    answer: &Bytes,
) -> Option<Bytes> {
    let type_name = raw::text(request, 1);
    let facts = resources.facts(&type_name);
    if facts.is_empty() {
        return None;
    }
    let ty = resources.value_type(&type_name).await?;
    raw::content(answer, STATE)?;
    let Some(applied) = state(answer, STATE, &ty) else {
        resources.warn(format!("an apply of {type_name} is not checked: the state cannot be read"));
        return None;
    };
    let planned = state(request, PLANNED, &ty);
    let mut broken = facts::broken(&applied, planned.as_ref(), &facts, resources.sends_class_b());
    // A failed apply stores null for what it did not reach.
    if has_error(answer) {
        broken.retain(|fact| !fact.is_of_null);
    }
    if broken.is_empty() {
        return None;
    }
    let mut amended = answer.to_vec();
    for fact in broken {
        log(Level::WARN, || applied_line(&type_name, &fact));
        let diagnostic = wire::diagnostic(&diagnostic(&type_name, fact, on_broken));
        raw::write(&mut amended, APPLY_DIAGNOSTICS, &diagnostic.encode_to_vec());
    }
    Some(amended.into())
}

/// Whether an answer to an apply has an error.
fn has_error(answer: &Bytes) -> bool {
    let fields = raw::fields(answer).unwrap_or_default();
    let diagnostics = fields.into_iter().filter(|field| field.number == APPLY_DIAGNOSTICS);
    let mut read = diagnostics.filter_map(|field| message::Diagnostic::decode(field.content?).ok());
    read.any(|diagnostic| diagnostic.severity() == message::Severity::Error)
}

/// The line of the log about a fact that was added.
fn planned_line(type_name: &str, fact: &Added) -> String {
    format!("planned {type_name}.{}: {} ({})", fact.place, fact.says, fact.origin)
}

/// The line of the log about a broken fact.
fn applied_line(type_name: &str, fact: &Broken) -> String {
    format!("applied {type_name}.{}: not {} ({})", fact.place, fact.says, fact.origin)
}

/// The diagnostic about a broken fact. It shows no content: the value may be secret.
fn diagnostic(type_name: &str, fact: Broken, severity: Severity) -> Diagnostic {
    let summary = format!("Broken assumption about {type_name}.{}", fact.place);
    let mut detail = format!(
        "{} says {}, and the value after the apply is another one. The state has the value that the provider returned; \
         plans made with this assumption may have decided conditions wrongly.",
        fact.origin, fact.says
    );
    if fact.is_planned {
        detail.push_str(
            " The plan had this assumption in it, so an error that calls this result a bug of the provider is about the \
             assumption.",
        );
    } else {
        detail.push_str(" The plan that the host was given did not have this assumption in it.");
    }
    let base = match severity {
        Severity::Error => Diagnostic::error(summary),
        Severity::Warning => Diagnostic::warning(summary),
    };
    base.detail(detail).at(fact.path)
}
