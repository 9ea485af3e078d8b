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
/// The field of the diagnostics in answers to applies.
const APPLY_DIAGNOSTICS: u32 = 3;

/// The value in the first field of an answer.
fn state(answer: &Bytes, ty: &plantime::Type) -> Option<Value> {
    let message = DynamicValue::decode(raw::content(answer, STATE)?).ok()?;
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
    let planned = state(answer, &ty)?;
    let (narrowed, added) = facts::narrow(&planned, &facts, resources.sends_class_b()).ok()?;
    if added.is_empty() {
        return None;
    }
    let value = wire::encode(&narrowed, &ty).ok()?.encode_to_vec();
    let amended = raw::replaced(answer, STATE, &value)?;
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
    let mut broken = facts::broken(&state(answer, &ty)?, &facts, resources.sends_class_b());
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
    }
    let base = match severity {
        Severity::Error => Diagnostic::error(summary),
        Severity::Warning => Diagnostic::warning(summary),
    };
    base.detail(detail).at(fact.path)
}
