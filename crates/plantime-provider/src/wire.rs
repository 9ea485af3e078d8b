//! Values, paths, diagnostics and schemas as messages.

pub(crate) mod read_schema;
pub(crate) mod schema;
#[cfg(test)]
mod tests;

use plantime::{Error, Path, Result, Step, Type, Value, View, json, msgpack};

use crate::diagnostic::{Diagnostic, Severity};
use crate::message;

/// The value in a message. MessagePack counts, JSON is the fallback; a value that is absent is null.
pub(crate) fn decode(value: Option<&message::DynamicValue>, ty: &Type) -> Result<Value> {
    match value {
        Some(value) if !value.msgpack.is_empty() => msgpack::lenient::from_slice(&value.msgpack, ty),
        Some(value) if !value.json.is_empty() => json::from_slice_as(&value.json, ty),
        _ => Ok(Value::null(ty.clone())),
    }
}

/// The message with a value, in MessagePack. Marks are left out: the schema tells the host what is sensitive.
pub(crate) fn encode(value: &Value, ty: &Type) -> Result<message::DynamicValue> {
    let (value, _) = value.unmark_deep();
    Ok(message::DynamicValue { msgpack: msgpack::to_vec(&value, ty)?.into(), json: bytes::Bytes::new() })
}

/// The message with a path, which ends before the first step that the protocol cannot express: a member of a set.
pub(crate) fn path(path: &Path) -> Option<message::AttributePath> {
    let selectors = path.steps().iter().map_while(selector);
    let steps: Vec<_> = selectors.map(|selector| message::PathStep { selector: Some(selector) }).collect();
    if steps.is_empty() { None } else { Some(message::AttributePath { steps }) }
}

/// The step of a message; `None` for one that the protocol cannot express.
fn selector(step: &Step) -> Option<message::Selector> {
    match step {
        Step::Attr(name) => Some(message::Selector::AttributeName(name.as_str().to_owned())),
        Step::Index(key) => match key.view() {
            View::String(key) => Some(message::Selector::ElementKeyString(key.to_owned())),
            View::Number(index) => index.to_string().parse().ok().map(message::Selector::ElementKeyInt),
            _ => None,
        },
    }
}

/// The path in a message. A step that says nothing leads nowhere else.
pub(crate) fn read_path(message: &message::AttributePath) -> Path {
    message.steps.iter().fold(Path::new(), |path, step| match &step.selector {
        Some(message::Selector::AttributeName(name)) => path.attr(name),
        Some(message::Selector::ElementKeyString(key)) => path.index(key.as_str()),
        Some(message::Selector::ElementKeyInt(index)) => path.index(*index),
        None => path,
    })
}

/// The message with a diagnostic.
pub(crate) fn diagnostic(diagnostic: &Diagnostic) -> message::Diagnostic {
    let severity = match diagnostic.severity {
        Severity::Error => message::Severity::Error,
        Severity::Warning => message::Severity::Warning,
    };
    message::Diagnostic {
        severity: severity.into(),
        summary: diagnostic.summary.clone(),
        detail: diagnostic.detail.clone(),
        attribute: path(&diagnostic.path),
    }
}

/// A stored state as JSON, as the current schema has it: attributes that are gone are left out, new ones are null.
///
/// The host keeps attributes of a removed name in states of the same schema version, so this is needed for every state.
pub(crate) fn fit_state(state: serde_json::Value, ty: &Type) -> Result<Value> {
    let Type::Object(object) = ty else { return Err(Error::custom("the schema is not of an object")) };
    let serde_json::Value::Object(mut stored) = state else {
        return Err(Error::custom("the stored state is not an object"));
    };
    let mut attributes = Vec::with_capacity(object.len());
    for (name, ty) in object.iter() {
        let value = match stored.remove(name) {
            Some(value) => json::from_slice_as(value.to_string().as_bytes(), ty)
                .map_err(|error| error.under(Step::attr(name)))?,
            None => Value::null(ty.clone()),
        };
        attributes.push((name, value));
    }
    Value::object(attributes)
}

/// A value in which everything unknown is null: a failed apply may not store what is unknown.
pub(crate) fn nulls_for_unknowns(value: &Value) -> Result<Value> {
    value.transform(|_, part| match part.view() {
        View::Unknown(_) | View::Dynamic => Ok(Value::null(part.ty())),
        _ => Ok(part),
    })
}
