//! Calls as JSON lines, without what is secret.

#[cfg(test)]
mod tests;

use std::fs::File;
use std::io::Write;
use std::path::Path as FilePath;
use std::sync::{Mutex, PoisonError};

use bytes::Bytes;
use plantime::{Mark, Value};
use plantime_schema::Schema;
use prost::Message;
use serde_json::{Map, json};
use tracing::Level;

use super::log::log;
use super::resources::{Kind, Resources};
use crate::message::{self, DynamicValue};
use crate::raw;
use crate::wire;

/// A file that calls are recorded in.
pub(super) struct Recorder(Mutex<File>);

/// The values in the messages of a method: fields by number and name, and whose schema tells their type.
struct Layout {
    kind: Kind,
    request: &'static [(u32, &'static str)],
    answer: &'static [(u32, &'static str)],
    /// The field of the diagnostics in the answer.
    diagnostics: u32,
}

impl Layout {
    /// The layout of a method whose values have a schema; `None` for methods of which only the call is recorded.
    fn of(method: &str) -> Option<Layout> {
        let changed = &[(2, "prior_state"), (3, "proposed_new_state"), (4, "config")];
        let applied = &[(2, "prior_state"), (3, "planned_state"), (4, "config")];
        let (kind, request, answer, diagnostics): (_, &'static [_], &'static [_], _) = match method {
            "ValidateProviderConfig" | "PrepareProviderConfig" => {
                (Kind::Provider, &[(1, "config")], &[(1, "prepared_config")], 2)
            }
            "ConfigureProvider" | "Configure" => (Kind::Provider, &[(2, "config")], &[], 1),
            "ValidateResourceConfig" | "ValidateResourceTypeConfig" => {
                (Kind::Resource, &[(2, "config")], &[], 1)
            }
            "UpgradeResourceState" => (Kind::Resource, &[], &[(1, "upgraded_state")], 2),
            "ReadResource" => (Kind::Resource, &[(2, "current_state")], &[(1, "new_state")], 2),
            "PlanResourceChange" => (Kind::Resource, changed, &[(1, "planned_state")], 4),
            "ApplyResourceChange" => (Kind::Resource, applied, &[(1, "new_state")], 3),
            "ValidateDataResourceConfig" | "ValidateDataSourceConfig" => {
                (Kind::DataSource, &[(2, "config")], &[], 1)
            }
            "ReadDataSource" => (Kind::DataSource, &[(2, "config")], &[(1, "state")], 2),
            _ => return None,
        };
        Some(Layout { kind, request, answer, diagnostics })
    }
}

impl Recorder {
    /// Opens the file, which no other user can read where it is new, and whose lines stay: a host starts a provider several times in one run.
    pub(super) fn open(file: &FilePath) -> Result<Recorder, String> {
        let mut options = File::options();
        options.append(true).create(true);
        // What only the configuration calls sensitive is in it.
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let opened = options.open(file);
        opened.map(|file| Recorder(Mutex::new(file))).map_err(|error| format!("{}: {error}", file.display()))
    }

    /// Writes the line of a call whose messages were not read.
    pub(super) fn call(&self, path: &str) {
        self.append_line(&json!({ "call": path }));
    }

    /// Writes the line of a call. A message that is not there was not readable, or the call failed.
    pub(super) async fn exchange(
        &self,
        resources: &Resources,
        path: &str,
        request: Option<&Bytes>,
        answer: Option<&Bytes>,
    ) {
        let method = path.rsplit('/').next().unwrap_or_default();
        let mut line = Map::new();
        line.insert("call".to_owned(), json!(path));
        // Not how long they are: of a secret that would be told too.
        line.insert("has_request".to_owned(), json!(request.is_some()));
        line.insert("has_answer".to_owned(), json!(answer.is_some()));
        if let (Some(layout), Some(request)) = (Layout::of(method), request) {
            let type_name = if layout.kind == Kind::Provider { String::new() } else { raw::text(request, 1) };
            if let Some(schema) = resources.schema(layout.kind, &type_name).await {
                line.insert("type".to_owned(), json!(type_name));
                line.insert("request".to_owned(), values(request, layout.request, &schema));
                if let Some(answer) = answer {
                    line.insert("answer".to_owned(), values(answer, layout.answer, &schema));
                    line.insert("diagnostics".to_owned(), json!(severities(answer, layout.diagnostics)));
                }
            }
        }
        self.append_line(&line.into());
    }

    /// Appends a line to the file. A failure, such as a full disk, is only logged: it must not stop an apply.
    fn append_line(&self, line: &serde_json::Value) {
        let mut file = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Err(error) = file.write_all(format!("{line}\n").as_bytes()) {
            log(Level::WARN, || format!("a call could not be recorded: {error}"));
        }
    }
}

/// The values in a message, by name.
fn values(message: &Bytes, fields: &[(u32, &str)], schema: &Schema) -> serde_json::Value {
    let mut found = Map::new();
    for (number, name) in fields {
        if let Some(content) = raw::content(message, *number) {
            found.insert((*name).to_owned(), value(content, schema).unwrap_or(json!(null)));
        }
    }
    found.into()
}

/// A value: its text, in which what the schema calls sensitive or write-only is withheld, and its bytes in MessagePack where
/// nothing is. A value that does not fit the schema is withheld as a whole.
fn value(content: Bytes, schema: &Schema) -> Option<serde_json::Value> {
    let message = DynamicValue::decode(content).ok()?;
    let value = wire::decode(Some(&message), schema.implied_type().ok()?).ok()?;
    let hidden: Vec<_> =
        schema.marks_for(&value).into_iter().filter(|(_, marks)| marks.contains(&Mark::SENSITIVE)).collect();
    if hidden.is_empty() {
        let bytes: String = message.msgpack.iter().map(|byte| format!("{byte:02x}")).collect();
        return Some(json!({ "text": value.to_string(), "msgpack": bytes }));
    }
    let marked: Value = value.mark_with_paths(&hidden);
    Some(json!({ "text": marked.to_string() }))
}

/// How severe each diagnostic of an answer is. Its text may quote a secret.
fn severities(answer: &Bytes, number: u32) -> Vec<&'static str> {
    let fields = raw::fields(answer).unwrap_or_default().into_iter().filter(|field| field.number == number);
    let read = fields.filter_map(|field| message::Diagnostic::decode(field.content?).ok());
    read.map(|diagnostic| match diagnostic.severity() {
        message::Severity::Error => "error",
        message::Severity::Warning => "warning",
        message::Severity::Invalid => "invalid",
    })
    .collect()
}
