//! What a test found.

use std::fmt;

use plantime::{Error, Path};
use plantime_schema::planning;

use crate::message;

/// A promise that a provider did not keep: in which call, about what, and where.
///
/// [Example](crate::Harness)
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Violation {
    /// The call, such as `ApplyResourceChange (create)`.
    pub call: String,
    /// The resource type, data source, ephemeral resource type or function.
    pub subject: String,
    /// The place in the value; empty for the whole.
    pub path: Path,
    /// What is wrong, and where: what core says where core checks it. Sensitive content is withheld.
    pub message: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of = if self.subject.is_empty() { "" } else { " of " };
        write!(f, "{}{of}{}: {}", self.call, self.subject, self.message)
    }
}

/// All violations that a test found, in the order of the calls.
///
/// Its text has one line for each, and so has its `Debug` form, so that a test shows them all:
///
/// ```
/// use plantime_provider::{Harness, Provider, Report};
///
/// fn schemas_are_valid() -> Result<(), Report> {
///     Harness::new(Provider::new("demo")).schemas().into_result()
/// }
/// assert!(schemas_are_valid().is_ok());
/// ```
#[derive(Clone, PartialEq)]
pub struct Report {
    violations: Vec<Violation>,
    calls: usize,
}

impl Report {
    /// The violations, in the order of the calls.
    ///
    /// [Example](crate::Harness)
    pub fn violations(&self) -> &[Violation] {
        &self.violations
    }

    /// The number of calls that were made.
    pub fn calls(&self) -> usize {
        self.calls
    }

    /// Nothing if there is no violation.
    ///
    /// # Errors
    ///
    /// The report itself, if there are violations.
    ///
    /// [Example](Report)
    pub fn into_result(self) -> Result<(), Report> {
        if self.violations.is_empty() { Ok(()) } else { Err(self) }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.violations.len();
        let plural = if count == 1 { "" } else { "s" };
        write!(f, "{count} violation{plural} in {} calls", self.calls)?;
        self.violations.iter().try_for_each(|violation| write!(f, "\n{violation}"))
    }
}

impl fmt::Debug for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Report {}

/// Collects violations while a test runs.
pub(super) struct Findings {
    subject: String,
    violations: Vec<Violation>,
    /// Strings of sensitive attributes, which must show nowhere else.
    pub(super) secrets: Vec<String>,
    pub(super) calls: usize,
}

impl Findings {
    /// No findings about this subject.
    pub(super) fn new(subject: &str) -> Findings {
        Findings { subject: subject.to_owned(), violations: Vec::new(), secrets: Vec::new(), calls: 0 }
    }

    /// The report.
    pub(super) fn into_report(self) -> Report {
        Report { violations: self.violations, calls: self.calls }
    }

    /// Adds a violation about a whole value.
    pub(super) fn add(&mut self, call: &str, message: impl Into<String>) {
        self.add_at(call, Path::new(), message);
    }

    /// Adds a violation at a place, whose text begins with the place.
    pub(super) fn add_at(&mut self, call: &str, path: Path, message: impl Into<String>) {
        let message = message.into();
        let message = if path.is_empty() { message } else { format!(".{path}: {message}") };
        self.push(call, path, message);
    }

    /// Adds violations that core reports.
    pub(super) fn add_all(&mut self, call: &str, violations: &[planning::Violation]) {
        for violation in violations {
            self.push(call, violation.path().clone(), violation.to_string());
        }
    }

    /// Adds an error, such as a value that does not have its type.
    pub(super) fn add_error(&mut self, call: &str, error: &Error) {
        self.push(call, error.path().clone(), error.to_string());
    }

    /// Adds the errors that a provider reported. Returns whether there are any.
    pub(super) fn add_diagnostics(&mut self, call: &str, diagnostics: &[message::Diagnostic]) -> bool {
        let errors = diagnostics.iter().filter(|one| one.severity() == message::Severity::Error);
        let mut any = false;
        for error in errors {
            any = true;
            let colon = if error.detail.is_empty() { "" } else { ": " };
            let detail = error.detail.split_whitespace().collect::<Vec<_>>().join(" ");
            let text = format!("error: {}{colon}{detail}", error.summary);
            let path = error.attribute.as_ref().map(crate::wire::read_path).unwrap_or_default();
            self.add_at(call, path, text);
        }
        let shown = |secret: &String| {
            diagnostics.iter().any(|one| one.summary.contains(secret) || one.detail.contains(secret))
        };
        if self.secrets.iter().any(shown) {
            self.add(call, "a diagnostic shows content of a sensitive attribute");
        }
        any
    }

    /// Adds a violation. Its text must not show what is secret.
    fn push(&mut self, call: &str, path: Path, message: String) {
        let withheld =
            self.secrets.iter().fold(message, |text, secret| text.replace(secret.as_str(), "(sensitive)"));
        let (call, subject) = (call.to_owned(), self.subject.clone());
        self.violations.push(Violation { call, subject, path, message: withheld });
    }
}
