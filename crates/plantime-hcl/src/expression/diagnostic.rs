//! Problems of expressions, as Terraform tells them.

use std::fmt;
use std::ops::Range;

use plantime::source::{Position, Source};

use super::Problems;
use super::tree::Span;

/// One or more problems, in the order in which they were found.
///
/// ```
/// use std::collections::BTreeMap;
/// use plantime::Value;
/// use plantime_hcl::{Expression, Scope};
///
/// let variables = BTreeMap::<String, Value>::new();
/// let both = Expression::parse("[a, b]").unwrap();
/// let problems = both.evaluate(&Scope::new(&variables)).unwrap_err();
/// assert_eq!(problems.first().position().to_string(), "1:2");
/// assert!(problems.iter().all(|problem| !problem.is_warning()) && !problems.is_limit());
/// ```
#[derive(Clone, PartialEq)]
pub struct Diagnostics {
    first: Box<Diagnostic>,
    others: Problems,
}

/// A problem of an expression: what is wrong, where, and the values of the references that are involved.
///
/// ```
/// use std::collections::BTreeMap;
/// use plantime::Value;
/// use plantime_hcl::{Expression, Scope};
///
/// let variables = BTreeMap::from([("n".to_owned(), Value::from(5))]);
/// let problems = Expression::parse("n.size").unwrap().evaluate(&Scope::new(&variables)).unwrap_err();
/// let problem = problems.first();
/// assert_eq!(problem.summary(), "Unsupported attribute");
/// assert_eq!(problem.detail(), "Can't access attributes on a primitive-typed value (number).");
/// assert_eq!(problem.span(), 1..6);
/// ```
#[derive(Clone, PartialEq)]
pub struct Diagnostic {
    source: Source,
    span: Span,
    /// The bytes that are shown with the problem, if these are more.
    context: Option<Span>,
    summary: String,
    detail: String,
    values: Vec<ReferenceValue>,
    is_limit: bool,
    is_warning: bool,
    /// Whether the problem is one of the whole configuration.
    is_global: bool,
    /// Whether Terraform reports the problem only once the value is known, although every value has it.
    is_reported_once_known: bool,
    /// The function that was being called: `upper(str)`.
    call: Option<Box<str>>,
}

/// The value of a reference in words: `local.l` `is tuple with 1 element`. Nothing is said of a value that is marked.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ReferenceValue {
    /// The reference as it is written.
    pub reference: String,
    /// What its value is: `is "abc"`, `is null`, `is a string`.
    pub statement: String,
}

impl Diagnostic {
    /// A problem at a place of a source.
    ///
    /// ```
    /// use plantime_hcl::Diagnostic;
    /// use plantime::source::Source;
    ///
    /// let source = Source::new("main.tf", "size = 5\nname = \"\"\n");
    /// let empty = Diagnostic::new(&source, 16..18, "Empty name", "A name has at least one character.").as_warning();
    /// assert_eq!((empty.summary(), empty.detail()), ("Empty name", "A name has at least one character."));
    /// assert_eq!((empty.position().to_string(), empty.end_position().to_string()), ("2:8".to_owned(), "2:10".to_owned()));
    /// assert!(empty.is_warning() && empty.span() == (16..18) && empty.source().name() == "main.tf");
    /// ```
    #[cold]
    pub fn new(
        source: &Source,
        span: Range<usize>,
        summary: impl Into<String>,
        detail: impl Into<String>,
    ) -> Diagnostic {
        let (summary, detail) = (summary.into(), detail.into());
        let (values, source) = (Vec::new(), source.clone());
        let (is_limit, is_warning, is_global, is_reported_once_known) = (false, false, false, false);
        Diagnostic {
            source,
            span,
            context: None,
            summary,
            detail,
            values,
            is_limit,
            is_warning,
            is_global,
            is_reported_once_known,
            call: None,
        }
    }

    /// The problem as one of the whole configuration, such as a cycle: Terraform names no place of it, and so do
    /// [`to_text`](Diagnostic::to_text) and the form of `validate -json`. The place is kept as data.
    ///
    /// ```
    /// use plantime_hcl::Diagnostic;
    /// use plantime::source::Source;
    ///
    /// let source = Source::new("main.tf", "locals { a = local.b }\n");
    /// let cycle = Diagnostic::new(&source, 9..20, "Cycle: local.a (expand), local.b (expand)", "").as_global();
    /// assert!(cycle.is_global());
    /// assert_eq!(cycle.to_text(), "Error: Cycle: local.a (expand), local.b (expand)\n\n");
    /// assert_eq!(cycle.position().to_string(), "1:10");
    /// ```
    #[must_use]
    pub fn as_global(mut self) -> Diagnostic {
        self.is_global = true;
        self
    }

    /// The problem as a warning: it should be mended, and does not stop anything.
    ///
    /// [Example](Diagnostic::new)
    #[must_use]
    pub fn as_warning(mut self) -> Diagnostic {
        self.is_warning = true;
        self
    }

    /// The problem with the values of the references that are involved.
    ///
    /// [Example](Diagnostic::new)
    #[must_use]
    pub fn with_values(mut self, values: Vec<ReferenceValue>) -> Diagnostic {
        self.values = values;
        self
    }

    /// The problem, shown with all lines of these bytes.
    ///
    /// ```
    /// use plantime_hcl::Diagnostic;
    /// use plantime::source::Source;
    ///
    /// let source = Source::new("main.tf", "zones = [\n  \"a\"\n  \"b\"\n]\n");
    /// let missing = Diagnostic::new(&source, 18..19, "Missing item separator", "").with_context(8..19);
    /// assert!(missing.to_text().contains("1: zones = [\n   2:   \"a\"\n   3:   \"b\"\n"));
    /// ```
    #[must_use]
    pub fn with_context(mut self, context: Range<usize>) -> Diagnostic {
        self.context = Some(context);
        self
    }

    /// The bytes whose lines [`to_text`](Diagnostic::to_text) prints. They contain [`span`](Diagnostic::span).
    ///
    /// [Example](Diagnostic::with_context)
    pub fn shown_span(&self) -> Range<usize> {
        self.context.clone().unwrap_or_else(|| self.span.clone())
    }

    /// The notice that replaces this problem and all later ones of its kind.
    #[cold]
    pub(super) fn into_notice_of_omission(mut self) -> Diagnostic {
        let what = if self.is_warning { "warnings" } else { "errors" };
        // Errors that are reported only once a value is known become warnings.
        let what = if self.is_reported_once_known { "problems" } else { what };
        self.summary = format!("Too many {what}");
        self.detail = format!("Only the first {} {what} of this kind are shown.", plantime::limits::PROBLEMS);
        (self.values, self.call, self.is_global) = (Vec::new(), None, false);
        self
    }

    /// The problem as one of a limit, which `try` does not hide.
    #[doc(hidden)]
    pub fn of_limit(mut self) -> Diagnostic {
        self.is_limit = true;
        self
    }

    /// Records the function that was being called, by its signature: `upper(str)`.
    pub(super) fn with_call(mut self, signature: String) -> Diagnostic {
        self.call = Some(signature.into_boxed_str());
        self
    }

    /// The function that was being called, with the names of its parameters: `upper(str)`.
    ///
    /// [Example](Diagnostic::new)
    pub fn call(&self) -> Option<&str> {
        self.call.as_deref()
    }

    /// The heading, such as `Unsupported attribute`.
    ///
    /// [Example](Diagnostic::new)
    pub fn summary(&self) -> &str {
        &self.summary
    }

    /// Sentences about the problem.
    ///
    /// [Example](Diagnostic::new)
    pub fn detail(&self) -> &str {
        &self.detail
    }

    /// The source that the problem is in.
    ///
    /// [Example](Diagnostic::new)
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// The bytes of the source that the problem is about.
    ///
    /// [Example](Diagnostic::new)
    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// The position of the first of these bytes.
    ///
    /// [Example](Diagnostic::new)
    pub fn position(&self) -> Position {
        self.source.position(self.span.start)
    }

    /// The position behind the last of these bytes.
    ///
    /// [Example](Diagnostic::new)
    pub fn end_position(&self) -> Position {
        self.source.position(self.span.end)
    }

    /// The values of the references that are involved, sorted.
    ///
    /// [Example](Diagnostic::new)
    pub fn values(&self) -> &[ReferenceValue] {
        &self.values
    }

    /// Whether a limit is exceeded.
    ///
    /// [Example](Diagnostic::new)
    pub fn is_limit(&self) -> bool {
        self.is_limit
    }

    /// Whether it is a problem of the whole configuration, which is printed without a place.
    ///
    /// [Example](Diagnostic::as_global)
    pub fn is_global(&self) -> bool {
        self.is_global
    }

    /// Whether Terraform reports the problem only once the value is known, although every value has it.
    #[doc(hidden)]
    pub fn is_reported_once_known(&self) -> bool {
        self.is_reported_once_known
    }

    /// Whether it is only a warning.
    ///
    /// [Example](Diagnostic::new)
    pub fn is_warning(&self) -> bool {
        self.is_warning
    }
}

/// `FILE:LINE:COLUMN: SUMMARY: DETAIL`, without the file if it has no name.
impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.source.name().is_empty() {
            write!(f, "{}:", self.source.name())?;
        }
        write!(f, "{}: {}", self.position(), self.summary)?;
        if !self.detail.is_empty() {
            write!(f, ": {}", self.detail)?;
        }
        Ok(())
    }
}

impl fmt::Debug for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Diagnostic({self})")
    }
}

impl Diagnostics {
    /// The problem that was found first.
    ///
    /// [Example](Diagnostics)
    pub fn first(&self) -> &Diagnostic {
        &self.first
    }

    /// The problems of a list; `None` if it is empty.
    #[doc(hidden)]
    pub fn of(problems: impl IntoIterator<Item = Diagnostic>) -> Option<Diagnostics> {
        let mut problems = problems.into_iter();
        let mut found = Diagnostics::from(problems.next()?);
        found.others.extend(problems);
        Some(found)
    }

    /// All problems, in the order of evaluation.
    ///
    /// [Example](Diagnostics)
    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        std::iter::once(&*self.first).chain(self.others.iter())
    }

    /// Whether one of them is that a limit is exceeded.
    ///
    /// [Example](Diagnostics)
    pub fn is_limit(&self) -> bool {
        self.iter().any(Diagnostic::is_limit)
    }

    /// The problems, marked as ones that Terraform reports only once the value is known, if `is_reported_once_known`.
    #[doc(hidden)]
    pub fn reported_once_known_if(mut self, is_reported_once_known: bool) -> Diagnostics {
        if is_reported_once_known {
            self.first.is_reported_once_known = true;
            self.others.update(|problem| problem.is_reported_once_known = true);
        }
        self
    }

    /// Sets for all problems whether Terraform reports them only once the value is known, or at once.
    pub(super) fn with_reported_once_known(mut self, is_reported_once_known: bool) -> Diagnostics {
        self.first.is_reported_once_known = is_reported_once_known;
        self.others.update(|problem| problem.is_reported_once_known = is_reported_once_known);
        self
    }

    /// The problems as those of a limit, where one of plantime is exceeded.
    pub(super) fn of_limit_if(mut self, is_limit: bool) -> Diagnostics {
        self.first.is_limit |= is_limit;
        self
    }

    /// Records in the first problem the function that was being called.
    pub(super) fn with_call(mut self, signature: String) -> Diagnostics {
        *self.first = self.first.with_call(signature);
        self
    }

    /// Adds other problems behind these, up to [`limits::PROBLEMS`](plantime::limits::PROBLEMS).
    ///
    /// [Example](Diagnostics)
    pub fn extend(&mut self, others: Diagnostics) {
        self.others.push(*others.first);
        self.others.extend(others.others);
    }
}

impl From<Diagnostic> for Diagnostics {
    fn from(first: Diagnostic) -> Diagnostics {
        Diagnostics { first: Box::new(first), others: Problems::default() }
    }
}

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, diagnostic) in self.iter().enumerate() {
            write!(f, "{}{diagnostic}", if i > 0 { "\n" } else { "" })?;
        }
        Ok(())
    }
}

impl fmt::Debug for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl std::error::Error for Diagnostics {}

/// The results of several nodes; all their problems if one has any.
pub(super) fn all<T>(
    results: impl IntoIterator<Item = Result<T, Diagnostics>>,
) -> Result<Vec<T>, Diagnostics> {
    let (mut values, mut problems) = (Vec::new(), None::<Diagnostics>);
    for result in results {
        match (result, &mut problems) {
            (Ok(value), _) => values.push(value),
            (Err(more), Some(problems)) => problems.extend(more),
            (Err(first), None) => problems = Some(first),
        }
        // What follows would fail for the same limit.
        if problems.as_ref().is_some_and(Diagnostics::is_limit) {
            break;
        }
    }
    problems.map_or(Ok(values), Err)
}
