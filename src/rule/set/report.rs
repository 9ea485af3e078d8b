//! Reports: the answers of a check.

use crate::path::{Path, Step};
use crate::rule::{Diagnostic, Diagnostics, Fields, Outcome, Severity, Template, Why};
use crate::value::{Value, View};

use super::{SetRule, words};

/// The result of checking a value against a ruled type: each rule that failed or is undetermined, in the order of
/// evaluation, those skipped, and how many passed.
///
/// ```
/// use plantime::rule::set::{RuleSet, RuledType};
/// use plantime::{Type, Value, value};
///
/// let db = RuledType::new("object({port = number, size = number})".parse::<Type>()?)
///     .named("db")
///     .at("port", RuleSet::keywords([("min", 1024)])?)?
///     .at("size", RuleSet::keywords([("min", 10), ("max", 99)])?)?;
/// let report = db.check(&value!({ "port": 80, "size": Value::unknown(Type::Number) })?)?;
/// assert_eq!((report.name(), report.answers().len(), report.passed()), ("db", 3, 0));
/// assert_eq!((report.violations().count(), report.undetermined().count(), report.skipped().len()), (1, 2, 0));
/// assert_eq!(report.messages(), [r#""port" requires a valid value (at least 1024); it is 80."#]);
/// assert!(report.outcome().is_fail() && report.diagnostics().has_error());
/// assert!(report.outcome_at(&"size".parse()?).is_undetermined());
/// # Ok::<(), plantime::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The name of the root in messages; `document` if there is none.
    name: Option<String>,
    /// The rules that failed or are undetermined, in the order of evaluation.
    pub(super) answers: Vec<Answer>,
    /// The rules that were skipped, with their places.
    pub(super) skipped: Vec<Skipped>,
    /// The number of rules that passed, counted once for each place.
    pub(super) passed: usize,
}

/// A rule that was skipped at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Skipped {
    /// The place of the value.
    pub path: Path,
    /// What the rule requires, in words.
    pub rule: String,
    /// Why it was skipped.
    pub reason: Option<String>,
}

/// A rule that fails or is undetermined at a place. Marked content is in none of its texts.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Answer {
    /// The path of the value.
    pub path: Path,
    /// The name of the rule; none of a positional one.
    pub rule: Option<String>,
    /// What it requires: `a length of at least 1`.
    pub description: String,
    /// Whether a failure is an error or a warning.
    pub severity: Severity,
    /// Where the rule is written.
    pub from: Option<String>,
    /// The answer: fail or undetermined.
    pub outcome: Outcome,
    /// The sentences for each diagnostic of the outcome, in the same order.
    pub(super) wordings: Vec<Wording>,
}

/// The sentences written for one diagnostic of a failed rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Wording {
    /// The message, from the author's template if there is one.
    pub(super) message: String,
    /// What the value must be, in the words of the tool ytt: `length >= 1`.
    pub(super) must_be: String,
    /// What was found instead, in the words of the tool ytt: `length = 0`.
    pub(super) found: String,
    /// Whether the author of the rule wrote the message or the description.
    own: bool,
}

impl Answer {
    /// The answer of the rule `item` at `path`, with the sentence for each diagnostic. `name` is the name of the root
    /// in messages.
    pub(super) fn new(item: &SetRule, outcome: Outcome, path: Path, root: &Value, name: &str) -> Answer {
        let description = item.description();
        let severity = item.severity;
        let outcome = match outcome {
            Outcome::Fail(diagnostics) => Outcome::Fail(diagnostics.with_severity(severity)),
            outcome => outcome,
        };
        let wordings =
            outcome.diagnostics().iter().map(|one| wording(item, &description, one, root, name)).collect();
        let rule = item.name.clone();
        Answer { path, rule, description, severity, from: item.from.clone(), outcome, wordings }
    }

    /// The message of each diagnostic.
    ///
    /// [Example](Report)
    pub fn messages(&self) -> impl Iterator<Item = &str> {
        self.wordings.iter().map(|wording| wording.message.as_str())
    }

    /// The diagnostics of a failure. If the author of the rule chose the words, they are the detail.
    ///
    /// [Example](Report)
    pub fn diagnostics(&self) -> Diagnostics {
        let each = self.outcome.diagnostics().iter().zip(&self.wordings);
        each.map(|(diagnostic, wording)| match wording.own {
            true => Diagnostic { detail: wording.message.clone(), ..diagnostic.clone() },
            false => diagnostic.clone(),
        })
        .collect()
    }

    /// Whether the rule fails, as an error or as a warning.
    fn is_violation(&self) -> bool {
        self.outcome.is_fail()
    }
}

/// Builds the sentences for one diagnostic of the rule `item`, from the author's template or description if there is
/// one. `name` is the name of the root.
fn wording(item: &SetRule, description: &str, diagnostic: &Diagnostic, root: &Value, name: &str) -> Wording {
    let key = place_name(&diagnostic.path, name);
    let failure = diagnostic.failure.as_str();
    let shaped = |template: &Template| {
        let value = root.get(&diagnostic.path);
        let value = value.as_ref().unwrap_or(root);
        template.render(&Fields { key: &key, value, desc: description, failure })
    };
    let stop = if failure.ends_with('.') { "" } else { "." };
    let message = match (&item.message, &item.name) {
        (Some(template), _) => shaped(template),
        (None, None) => format!("\"{key}\" requires a valid value: {description}; {failure}{stop}"),
        (None, Some(_)) => format!("\"{key}\" requires a valid value ({description}); {failure}{stop}"),
    };
    Wording {
        message,
        must_be: item.text.clone().unwrap_or_else(|| words::must_be(&item.rule)),
        found: words::found_in_words(&item.rule, failure),
        own: item.message.is_some() || item.text.is_some(),
    }
}

/// The name of a place in messages: the last attribute, key or index of its path; `name` for the root.
fn place_name(path: &Path, name: &str) -> String {
    match path.steps().last() {
        None => name.to_owned(),
        Some(Step::Attr(attr)) => attr.as_str().to_owned(),
        Some(Step::Index(key)) => match key.view() {
            View::String(text) => text.to_owned(),
            _ => key.to_string(),
        },
    }
}

impl Report {
    /// A report without answers; `name` is the name of the root in messages.
    pub(super) fn new(name: Option<&str>) -> Report {
        Report { name: name.map(str::to_owned), answers: Vec::new(), skipped: Vec::new(), passed: 0 }
    }

    /// The name of the root in messages.
    ///
    /// [Example](Report)
    pub fn name(&self) -> &str {
        self.name.as_deref().unwrap_or("document")
    }

    /// The path of a value as ytt reports write it; for the root its name, or `(document)`.
    pub(super) fn place(&self, path: &Path) -> String {
        match (path.is_empty(), &self.name) {
            (false, _) => path.to_string(),
            (true, Some(name)) => name.clone(),
            (true, None) => "(document)".to_owned(),
        }
    }

    /// All answers except passes.
    ///
    /// [Example](Report)
    pub fn answers(&self) -> &[Answer] {
        &self.answers
    }

    /// The rules that fail, including warnings.
    ///
    /// [Example](Report)
    pub fn violations(&self) -> impl Iterator<Item = &Answer> {
        self.answers.iter().filter(|answer| answer.is_violation())
    }

    /// The rules that are undetermined.
    ///
    /// [Example](Report)
    pub fn undetermined(&self) -> impl Iterator<Item = &Answer> {
        self.answers.iter().filter(|answer| answer.outcome.is_undetermined())
    }

    /// The rules that were skipped.
    ///
    /// [Example](Report)
    pub fn skipped(&self) -> &[Skipped] {
        &self.skipped
    }

    /// How many rules passed.
    ///
    /// [Example](Report)
    pub fn passed(&self) -> usize {
        self.passed
    }

    /// The messages of all failures.
    ///
    /// [Example](Report)
    pub fn messages(&self) -> Vec<String> {
        self.violations().flat_map(Answer::messages).map(str::to_owned).collect()
    }

    /// All diagnostics without duplicates, warnings included.
    ///
    /// [Example](Report)
    pub fn diagnostics(&self) -> Diagnostics {
        self.violations().flat_map(Answer::diagnostics).collect()
    }

    /// The outcome for the root: fail if a rule of severity error fails, otherwise undetermined if one is.
    ///
    /// [Example](Report)
    pub fn outcome(&self) -> Outcome {
        self.outcome_at(&Path::new())
    }

    /// The outcome for a place and everything below it: no value is valid while a child of it is not.
    ///
    /// [Example](Report)
    pub fn outcome_at(&self, path: &Path) -> Outcome {
        let mut failed = false;
        let mut open: Option<Why> = None;
        let errors = |answer: &&Answer| answer.severity == Severity::Error && answer.path.starts_with(path);
        for answer in self.answers.iter().filter(errors) {
            match &answer.outcome {
                Outcome::Pass => {}
                // A rule of severity error may still produce only warnings.
                Outcome::Fail(diagnostics) => failed = failed || diagnostics.has_error(),
                Outcome::Undetermined(why) => {
                    open = Some(match open.take() {
                        Some(before) => before.and(why.clone()),
                        None => why.clone().and(Why::new([])),
                    });
                }
            }
        }
        match (failed, open) {
            (true, _) => {
                let violations = self.violations().filter(errors);
                Outcome::Fail(violations.flat_map(Answer::diagnostics).collect())
            }
            (false, Some(why)) => Outcome::Undetermined(match self.obligation_at(path) {
                Some(rule) => why.with_obligation(rule),
                None => why,
            }),
            (false, None) => Outcome::Pass,
        }
    }
}
