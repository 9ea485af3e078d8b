//! Lines of the host's log, and events of `tracing` as such lines.
//!
//! Hosts read standard error of a provider. A line that is JSON with `@level`, `@message`, `@module` and `@timestamp` gets its
//! level; others are debug lines.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::{Map, Value, json};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::subscriber::Interest;
use tracing::{Event, Level, Metadata, Subscriber};

/// Parts of the crates below, whose events say nothing about a provider.
const BELOW: [&str; 5] = ["h2", "hyper", "hyper_util", "rustls", "tokio_rustls"];

/// Writes a line at a level with fields. What it says must be no content of a resource that is secret.
pub(crate) fn write(level: &str, module: &str, message: &str, fields: Map<String, Value>) {
    use std::io::Write;

    // In one piece: standard error has no buffer, and other threads write to it too.
    let text = format!("{}\n", line(level, module, message, fields));
    // A host that does not read any more, or a full disk, must not end a provider, as `eprintln` would.
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}

/// The text of a line.
fn line(level: &str, module: &str, message: &str, fields: Map<String, Value>) -> Value {
    let now = jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%S%.6fZ").to_string();
    let mut line = fields;
    line.extend([
        ("@level".to_owned(), json!(level)),
        ("@message".to_owned(), json!(message)),
        ("@module".to_owned(), json!(module)),
        ("@timestamp".to_owned(), json!(now)),
    ]);
    line.into()
}

/// Sends events of `tracing` to the host's log, from a level on. The spans around them are left out.
pub(crate) struct HostLog {
    level: Option<Level>,
    spans: AtomicU64,
}

impl HostLog {
    /// The log at the level that the user asks for in `TF_LOG_PROVIDER` or `TF_LOG`; without these nothing is logged.
    pub(crate) fn from_environment(variable: impl Fn(&str) -> Option<String>) -> HostLog {
        let set = |name| variable(name).filter(|text| !text.is_empty());
        let text = set("TF_LOG_PROVIDER").or_else(|| set("TF_LOG")).unwrap_or_default();
        let level = match text.to_ascii_uppercase().as_str() {
            "" | "OFF" => None,
            "ERROR" => Some(Level::ERROR),
            "WARN" => Some(Level::WARN),
            "INFO" => Some(Level::INFO),
            "DEBUG" => Some(Level::DEBUG),
            // As hosts have it: JSON is trace in another form, and so is what they do not know.
            _ => Some(Level::TRACE),
        };
        HostLog { level, spans: AtomicU64::new(1) }
    }

    /// Whether what happens at a level is written.
    pub(crate) fn has(&self, level: Level) -> bool {
        self.level.is_some_and(|most| level <= most)
    }

    /// Whether events with this metadata are written.
    fn writes(&self, metadata: &Metadata<'_>) -> bool {
        let root = metadata.target().split("::").next().unwrap_or_default();
        self.has(*metadata.level()) && !BELOW.contains(&root)
    }
}

impl Subscriber for HostLog {
    fn register_callsite(&self, metadata: &'static Metadata<'static>) -> Interest {
        if self.writes(metadata) { Interest::always() } else { Interest::never() }
    }

    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        self.writes(metadata)
    }

    fn max_level_hint(&self) -> Option<tracing::level_filters::LevelFilter> {
        Some(self.level.into())
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(self.spans.fetch_add(1, Ordering::Relaxed).max(1))
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let metadata = event.metadata();
        let mut fields = Fields::default();
        event.record(&mut fields);
        let level = metadata.level().as_str().to_ascii_lowercase();
        write(&level, metadata.target(), &fields.message, fields.others);
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

/// The message and the other fields of an event.
#[derive(Default)]
struct Fields {
    message: String,
    others: Map<String, Value>,
}

impl Fields {
    /// Keeps a field.
    fn keep(&mut self, field: &Field, value: Value) {
        match (field.name(), value) {
            ("message", Value::String(text)) => self.message = text,
            ("message", other) => self.message = other.to_string(),
            (name, value) => {
                self.others.insert(name.to_owned(), value);
            }
        }
    }
}

impl Visit for Fields {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.keep(field, json!(format!("{value:?}")));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.keep(field, json!(value));
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.keep(field, json!(value));
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.keep(field, json!(value));
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.keep(field, json!(value));
    }

    fn record_f64(&mut self, field: &Field, value: f64) {
        self.keep(field, json!(value));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn level(variables: &[(&str, &str)]) -> Option<Level> {
        let find =
            |name: &str| variables.iter().find(|(of, _)| *of == name).map(|(_, value)| (*value).to_owned());
        HostLog::from_environment(find).level
    }

    #[test]
    fn the_level_is_the_one_that_the_user_asks_for() {
        assert_eq!(level(&[]), None);
        assert_eq!(level(&[("TF_LOG", "off")]), None);
        assert_eq!(level(&[("TF_LOG", "info")]), Some(Level::INFO));
        assert_eq!(level(&[("TF_LOG", "JSON")]), Some(Level::TRACE));
        assert_eq!(level(&[("TF_LOG", "TRACE"), ("TF_LOG_PROVIDER", "warn")]), Some(Level::WARN));
    }

    #[test]
    fn a_line_has_the_keys_that_hosts_read() {
        let line = line("info", "demo", "a\nb", Map::from_iter([("id".to_owned(), json!(7))]));
        let text = line.to_string();
        assert!(!text.contains('\n'));
        assert_eq!((&line["@level"], &line["@message"]), (&json!("info"), &json!("a\nb")));
        assert_eq!((&line["@module"], &line["id"]), (&json!("demo"), &json!(7)));
        let is_time = |time: &str| time.starts_with('2') && time.ends_with('Z');
        assert!(line["@timestamp"].as_str().is_some_and(is_time), "{text}");
    }
}
