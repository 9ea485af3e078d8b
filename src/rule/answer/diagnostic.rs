//! Diagnostics: what is wrong, in words for a person, with the place as data.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt::{self, Write};
use std::ops::Deref;

use crate::error::Error;
use crate::path::Path;

/// Whether a diagnostic is an error or a warning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The value breaks a rule.
    Error,
    /// The value breaks a rule that only warns.
    Warning,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
        })
    }
}

/// One problem of a value. The content of marked values never appears.
///
/// Summary and detail are worded as in the Terraform plugin framework.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Diagnostic {
    /// Whether it is an error or a warning.
    pub severity: Severity,
    /// A few words: `Invalid Attribute Value`.
    pub summary: Cow<'static, str>,
    /// A sentence: `Attribute vpc_id value must start with "vpc-", got: "subnet-1"`.
    pub detail: String,
    /// The place that the diagnostic is about.
    pub path: Path,
    /// What is wrong about the value: `it is "subnet-1"`, `it is a length of 0`.
    pub failure: String,
}

impl Diagnostic {
    /// A diagnostic of severity error.
    ///
    /// ```
    /// use plantime::rule::{Diagnostic, Severity};
    /// use plantime::{Path, Value};
    ///
    /// let port = Path::new().attr("port");
    /// let taken = Diagnostic::error("Port Taken", "another listener has port 443", port.clone(), "it is 443");
    /// assert_eq!((taken.severity, taken.to_string().as_str()), (Severity::Error, "Port Taken: another listener has port 443"));
    /// let old = Diagnostic::warning("Port Deprecated", "use ports", port, "it is set").at("ports".parse()?);
    /// assert_eq!((old.severity, old.path.to_string().as_str()), (Severity::Warning, "ports"));
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn error(
        summary: impl Into<Cow<'static, str>>,
        detail: impl Into<String>,
        path: Path,
        failure: impl Into<String>,
    ) -> Diagnostic {
        Diagnostic {
            severity: Severity::Error,
            summary: summary.into(),
            detail: detail.into(),
            path,
            failure: failure.into(),
        }
    }
}

impl Diagnostic {
    /// A diagnostic of severity warning.
    ///
    /// [Example](Diagnostic::error)
    pub fn warning(
        summary: impl Into<Cow<'static, str>>,
        detail: impl Into<String>,
        path: Path,
        failure: impl Into<String>,
    ) -> Diagnostic {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::error(summary, detail, path, failure) }
    }

    /// Moves the diagnostic to another place, such as the element at fault.
    ///
    /// [Example](Diagnostic::error)
    #[must_use]
    pub fn at(mut self, path: Path) -> Diagnostic {
        self.path = path;
        self
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.summary)?;
        f.write_str(": ")?;
        f.write_str(&self.detail)
    }
}

/// An error as a diagnostic with the same path; the message is the detail.
impl From<Error> for Diagnostic {
    fn from(error: Error) -> Diagnostic {
        let failure = error.message().to_owned();
        Diagnostic::error("Invalid Value", error.to_string(), error.path().clone(), failure)
    }
}

/// A list of diagnostics without duplicates, in the order in which they were found.
///
/// ```
/// use plantime::Path;
/// use plantime::rule::{Diagnostic, Diagnostics, Severity};
///
/// let wrong = Diagnostic::error("Invalid Attribute Value", "no port", Path::new().attr("port"), "it is 0");
/// let old = Diagnostic::warning("Attribute Deprecated", "use port", Path::new().attr("listen"), "it is set");
/// let all: Diagnostics = [wrong.clone(), old, wrong].into_iter().collect();
/// assert_eq!(all.len(), 2);
/// assert!(all.has_error());
/// assert_eq!(all.warnings().count(), 1);
/// let milder = all.clone().with_severity(Severity::Warning);
/// assert!(!milder.has_error());
/// // By place, errors first: attributes stand in the order of their object type.
/// assert_eq!(all.sorted()[0].path.to_string(), "listen");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Diagnostics(Vec<Diagnostic>);

impl Diagnostics {
    /// A list without diagnostics.
    ///
    /// [Example](Diagnostics)
    pub fn new() -> Diagnostics {
        Diagnostics::default()
    }

    /// Whether one of them has severity error.
    ///
    /// [Example](Diagnostics)
    pub fn has_error(&self) -> bool {
        self.errors().next().is_some()
    }

    /// Iterates over the diagnostics of severity error.
    ///
    /// [Example](Diagnostics)
    pub fn errors(&self) -> impl Iterator<Item = &Diagnostic> {
        self.with_the_severity(Severity::Error)
    }

    /// Iterates over the diagnostics of severity warning.
    ///
    /// [Example](Diagnostics)
    pub fn warnings(&self) -> impl Iterator<Item = &Diagnostic> {
        self.with_the_severity(Severity::Warning)
    }

    /// Iterates over the diagnostics of exactly this severity.
    fn with_the_severity(&self, severity: Severity) -> impl Iterator<Item = &Diagnostic> {
        self.0.iter().filter(move |diagnostic| diagnostic.severity == severity)
    }

    /// Lowers every severity to at most `most`: errors become warnings where a configuration says so.
    ///
    /// [Example](Diagnostics)
    #[must_use]
    pub fn with_severity(self, most: Severity) -> Diagnostics {
        // `Error` orders before `Warning`, so the maximum is the milder of the two.
        let milder = |one: Diagnostic| Diagnostic { severity: one.severity.max(most), ..one };
        self.into_iter().map(milder).collect()
    }

    /// Sorts by place, in the order of the value's type; at one place errors first, then in the order found.
    ///
    /// [Example](Diagnostics)
    #[must_use]
    pub fn sorted(mut self) -> Diagnostics {
        self.0.sort_by(|a, b| (&a.path, a.severity).cmp(&(&b.path, b.severity)));
        self
    }
}

impl Extend<Diagnostic> for Diagnostics {
    fn extend<I: IntoIterator<Item = Diagnostic>>(&mut self, more: I) {
        let all = std::mem::take(&mut self.0);
        *self = all.into_iter().chain(more).collect();
    }
}

impl Deref for Diagnostics {
    type Target = [Diagnostic];

    fn deref(&self) -> &[Diagnostic] {
        &self.0
    }
}

impl From<Diagnostic> for Diagnostics {
    fn from(diagnostic: Diagnostic) -> Diagnostics {
        Diagnostics(vec![diagnostic])
    }
}

impl FromIterator<Diagnostic> for Diagnostics {
    fn from_iter<I: IntoIterator<Item = Diagnostic>>(diagnostics: I) -> Diagnostics {
        let mut seen = HashSet::new();
        let mut all: Vec<Diagnostic> = diagnostics.into_iter().collect();
        if all.len() > 1 {
            all.retain(|diagnostic| seen.insert(diagnostic.clone()));
        }
        Diagnostics(all)
    }
}

impl<'d> IntoIterator for &'d Diagnostics {
    type Item = &'d Diagnostic;
    type IntoIter = std::slice::Iter<'d, Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl IntoIterator for Diagnostics {
    type Item = Diagnostic;
    type IntoIter = std::vec::IntoIter<Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, diagnostic) in self.0.iter().enumerate() {
            f.write_str(if i > 0 { "; " } else { "" })?;
            fmt::Display::fmt(diagnostic, f)?;
        }
        Ok(())
    }
}

/// The bytes that most details fit into.
const DETAIL_BYTES: usize = 96;

/// The detail of a diagnostic: `Attribute PATH value must …`, or `Value must …` for an empty path. The parts of
/// `requirement` follow each other; the first one begins in lower case: `value must …`.
pub(in crate::rule) fn detail(path: &Path, requirement: &[&str]) -> String {
    let mut text = String::with_capacity(DETAIL_BYTES);
    let mut rest = requirement;
    if !path.is_empty() {
        // Writing into a String does not fail.
        let _ = write!(text, "Attribute {path} ");
    } else if let Some((first, others)) = requirement.split_first() {
        let mut chars = first.chars();
        text.extend(chars.next().into_iter().flat_map(char::to_uppercase));
        text.push_str(chars.as_str());
        rest = others;
    }
    text.extend(rest.iter().copied());
    text
}
