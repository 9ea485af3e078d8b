//! The three outcomes of a rule.

use std::fmt;

use crate::path::Path;

use crate::rule::{Diagnostic, Diagnostics, Rule, Why};

/// The outcome of checking a rule.
///
/// ```
/// use plantime::rule::Rule;
/// use plantime::{Type, Value};
///
/// let rule = Rule::min(1);
/// let outcome = rule.check_value(&Value::from(0))?;
/// assert_eq!((outcome.name(), outcome.diagnostics().len()), ("fail", 1));
/// assert!(rule.check_value(&Value::from(1))?.is_pass());
///
/// let outcome = rule.check_value(&Value::unknown(Type::Number))?;
/// assert_eq!(outcome.why().and_then(|why| why.obligation()), Some(&rule));
/// # Ok::<(), plantime::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// The rule holds, whatever the value turns out to be.
    Pass,
    /// The rule does not hold, whatever the value turns out to be.
    Fail(Diagnostics),
    /// It depends on values that are not known yet.
    Undetermined(Why),
}

impl Outcome {
    /// A failure with one diagnostic.
    ///
    /// ```
    /// use plantime::rule::{Custom, Diagnostic, Outcome, Rule};
    /// use plantime::{Path, Value};
    ///
    /// let never = Custom::new("never", |request| {
    ///     Ok(Outcome::fail(Diagnostic::error("Forbidden", "no value is right", request.path().clone(), "it is set")))
    /// });
    /// assert!(Rule::Custom(never).check_value(&Value::from(1))?.is_fail());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn fail(diagnostic: Diagnostic) -> Outcome {
        Outcome::Fail(Diagnostics::from(diagnostic))
    }

    /// Whether the rule is known to hold.
    ///
    /// [Example](Outcome)
    pub fn is_pass(&self) -> bool {
        matches!(self, Outcome::Pass)
    }

    /// Whether the rule is known not to hold.
    ///
    /// [Example](Outcome)
    pub fn is_fail(&self) -> bool {
        matches!(self, Outcome::Fail(_))
    }

    /// Whether the outcome depends on values that are not known yet.
    ///
    /// [Example](Outcome)
    pub fn is_undetermined(&self) -> bool {
        matches!(self, Outcome::Undetermined(_))
    }

    /// The diagnostics of a failure; none for other outcomes.
    ///
    /// [Example](Outcome)
    pub fn diagnostics(&self) -> &[Diagnostic] {
        match self {
            Outcome::Fail(diagnostics) => diagnostics,
            _ => &[],
        }
    }

    /// The reason for an undetermined outcome; `None` for other outcomes.
    ///
    /// [Example](Outcome)
    pub fn why(&self) -> Option<&Why> {
        match self {
            Outcome::Undetermined(why) => Some(why),
            _ => None,
        }
    }

    /// Turns the outcome of `rule` into undetermined if `undecided` is not empty: it lists values whose type may turn
    /// out to be one that the rule cannot read. Then every rule around it is undetermined too, because misuse is an
    /// error and no answer.
    pub(in crate::rule) fn undetermined_if_misuse(self, rule: &Rule, undecided: Vec<Path>) -> Outcome {
        if undecided.is_empty() {
            return self;
        }
        let why = match self {
            Outcome::Undetermined(why) => why,
            _ => Why::new(undecided).with_obligation(rule.clone()),
        };
        Outcome::Undetermined(why.with_possible_misuse())
    }

    /// The outcome, with `rule` as what remains to be checked where it is undetermined.
    #[doc(hidden)]
    pub fn with_obligation(self, rule: &Rule) -> Outcome {
        match self {
            Outcome::Undetermined(why) => Outcome::Undetermined(why.with_obligation(rule.clone())),
            outcome => outcome,
        }
    }

    /// Whether the outcome is undetermined because the rule may turn out unable to read its value.
    pub(in crate::rule) fn may_be_misuse(&self) -> bool {
        self.why().is_some_and(Why::may_be_misuse)
    }

    /// `pass`, `fail` or `undetermined`.
    ///
    /// [Example](Outcome)
    pub fn name(&self) -> &'static str {
        match self {
            Outcome::Pass => "pass",
            Outcome::Fail(_) => "fail",
            Outcome::Undetermined(_) => "undetermined",
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        match self {
            Outcome::Pass => Ok(()),
            Outcome::Fail(diagnostics) => {
                f.write_str(": ")?;
                fmt::Display::fmt(diagnostics, f)
            }
            Outcome::Undetermined(why) => write!(f, ": {why}"),
        }
    }
}
