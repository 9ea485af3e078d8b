//! Converts reports to values that can be written as JSON.

use crate::error::Result;
use crate::rule::Diagnostic;
use crate::types::Type;
use crate::value::Value;

use super::{Answer, Report};

impl Report {
    /// The report as a value in the form that JSON implies; write it with `serde_json::Value::try_from` (feature `json`).
    ///
    /// ```text
    /// {
    ///   "outcome": "pass" | "fail" | "undetermined",
    ///   "passed": 3,
    ///   "answers": [{
    ///     "path": "db.port", "rule": "min" | null, "description": "at least 1024", "severity": "error" | "warning",
    ///     "outcome": "fail" | "undetermined", "from": "schema.yml:3" | null,
    ///     "diagnostics": [{"path": "db.port", "summary": "…", "detail": "…", "failure": "it is 0"}],
    ///     "messages": ["…"],
    ///     "depends_on": ["db"], "passes_if": "…"           of what is undetermined; else [] and null
    ///   }],
    ///   "skipped": [{"path": "…", "rule": "at least 1024", "reason": "…" | null}]
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// Never: it only contains strings, numbers and nulls.
    pub fn to_value(&self) -> Result<Value> {
        let answers = self.answers.iter().map(answer).collect::<Result<Vec<_>>>()?;
        let skipped = self.skipped.iter().map(|skipped| {
            Value::object([
                ("path", string(skipped.path.to_string())),
                ("rule", string(&skipped.rule)),
                ("reason", or_null(skipped.reason.as_deref())),
            ])
        });
        Value::object([
            ("outcome", string(self.outcome().name())),
            ("passed", Value::from(self.passed)),
            ("answers", Value::tuple(answers)?),
            ("skipped", Value::tuple(skipped.collect::<Result<Vec<_>>>()?)?),
        ])
    }
}

/// Converts one answer of a report to an object.
fn answer(answer: &Answer) -> Result<Value> {
    let why = answer.outcome.why();
    let depends = why.map(|why| why.inputs().iter().map(|path| string(path.to_string())).collect::<Vec<_>>());
    let diagnostics = answer.diagnostics().iter().map(diagnostic).collect::<Result<Vec<_>>>()?;
    Value::object([
        ("path", string(answer.path.to_string())),
        ("rule", or_null(answer.rule.as_deref())),
        ("description", string(&answer.description)),
        ("severity", string(answer.severity.to_string())),
        ("outcome", string(answer.outcome.name())),
        ("from", or_null(answer.from.as_deref())),
        ("diagnostics", Value::tuple(diagnostics)?),
        ("messages", Value::tuple(answer.messages().map(string))?),
        ("depends_on", Value::tuple(depends.unwrap_or_default())?),
        ("passes_if", or_null(why.map(crate::rule::Why::passes_if).as_deref())),
    ])
}

/// Converts one diagnostic to an object.
fn diagnostic(diagnostic: &Diagnostic) -> Result<Value> {
    Value::object([
        ("path", string(diagnostic.path.to_string())),
        ("summary", string(&diagnostic.summary)),
        ("detail", string(&diagnostic.detail)),
        ("failure", string(&diagnostic.failure)),
    ])
}

/// A string value.
fn string(text: impl AsRef<str>) -> Value {
    Value::from(text.as_ref())
}

/// A string value, or null.
fn or_null(maybe: Option<&str>) -> Value {
    maybe.map_or_else(|| Value::null(Type::Dynamic), string)
}
