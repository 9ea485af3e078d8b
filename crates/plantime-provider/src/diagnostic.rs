//! Problems that a provider reports to the user.

use std::fmt;

use plantime::{Path, Value};

/// The result of what a provider does: a value, or the problems that prevent it.
pub type Outcome<T> = Result<T, Diagnostics>;

/// Whether a diagnostic stops the operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The operation fails.
    Error,
    /// The operation goes on, and the user reads the text.
    Warning,
}

/// A problem that the host shows to the user. The host hides nothing in its text: keep secrets out of it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Diagnostic {
    /// Whether the problem stops the operation.
    pub severity: Severity,
    /// The problem in one line.
    pub summary: String,
    /// The problem at length; may be empty.
    pub detail: String,
    /// The place in the configuration or state; empty for the whole.
    pub path: Path,
}

impl Diagnostic {
    /// An error with this summary.
    ///
    /// ```
    /// use plantime_provider::Diagnostic;
    ///
    /// let error = Diagnostic::error("The quota is used up").detail("Ask for a larger one.");
    /// assert_eq!(error.to_string(), "The quota is used up: Ask for a larger one.");
    /// ```
    pub fn error(summary: impl Into<String>) -> Diagnostic {
        Diagnostic {
            severity: Severity::Error,
            summary: summary.into(),
            detail: String::new(),
            path: Path::new(),
        }
    }

    /// A warning with this summary.
    ///
    /// ```
    /// use plantime_provider::{Diagnostic, Severity};
    ///
    /// assert_eq!(Diagnostic::warning("The region is deprecated").severity, Severity::Warning);
    /// ```
    pub fn warning(summary: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::error(summary) }
    }

    /// The same diagnostic with a text that tells more.
    #[must_use]
    pub fn detail(mut self, detail: impl Into<String>) -> Diagnostic {
        self.detail = detail.into();
        self
    }

    /// The same diagnostic about a place.
    #[must_use]
    pub fn at(mut self, path: Path) -> Diagnostic {
        self.path = path;
        self
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.summary)?;
        if self.detail.is_empty() { Ok(()) } else { write!(f, ": {}", self.detail) }
    }
}

/// Problems that make an operation fail, and the state that the operation reached all the same.
#[derive(Clone, Debug)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
    state: Option<Value>,
}

impl Diagnostics {
    /// The failure with these problems.
    pub fn new(list: Vec<Diagnostic>) -> Diagnostics {
        Diagnostics { list, state: None }
    }

    /// The same failure after which an object exists: its state is stored, so that it is not lost. Values that are
    /// still unknown in it are stored as null.
    ///
    /// ```
    /// use plantime::Value;
    /// use plantime_provider::{Diagnostics, Outcome};
    ///
    /// fn create(planned: Value) -> Outcome<Value> {
    ///     Err(Diagnostics::from("created, but it never became ready").and_state(planned))
    /// }
    /// assert!(create(Value::from("x")).is_err());
    /// ```
    #[must_use]
    pub fn and_state(mut self, state: Value) -> Diagnostics {
        self.state = Some(state);
        self
    }

    /// The problems.
    pub fn list(&self) -> &[Diagnostic] {
        &self.list
    }

    /// The failure, in which there is an error: one without is a bug, which this adds.
    pub(crate) fn with_an_error(mut self, method: &str) -> Diagnostics {
        if !self.list.iter().any(|one| one.severity == Severity::Error) {
            self.list.push(
                Diagnostic::error(format!("The provider failed without an error in `{method}`"))
                    .detail("It returned `Err` with warnings, or with nothing. Where an operation succeeds, `Call::warn` shows a warning. This is a bug of the provider. Please report it to its authors."),
            );
        }
        self
    }

    /// The problems, and the state that the operation reached.
    pub(crate) fn into_parts(self) -> (Vec<Diagnostic>, Option<Value>) {
        (self.list, self.state)
    }
}

impl From<Diagnostic> for Diagnostics {
    fn from(diagnostic: Diagnostic) -> Diagnostics {
        Diagnostics::new(vec![diagnostic])
    }
}

impl From<&str> for Diagnostics {
    fn from(summary: &str) -> Diagnostics {
        Diagnostic::error(summary).into()
    }
}

impl From<String> for Diagnostics {
    fn from(summary: String) -> Diagnostics {
        Diagnostic::error(summary).into()
    }
}

impl From<plantime::Error> for Diagnostics {
    fn from(error: plantime::Error) -> Diagnostics {
        let path = error.path().clone();
        Diagnostic::error(error.to_string()).at(path).into()
    }
}
