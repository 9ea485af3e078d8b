//! The three answers.

use std::fmt;

use super::{Diagnostic, Diagnostics, Why};

/// The answer of a rule.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// The rule holds, whatever the value turns out to be.
    Pass,
    /// The rule does not hold, whatever the value turns out to be.
    Fail(Diagnostics),
    /// That depends on what is not known yet.
    Undetermined(Why),
}

impl Outcome {
    /// A failure with one diagnostic.
    pub fn fail(diagnostic: Diagnostic) -> Outcome {
        Outcome::Fail(Diagnostics::from(diagnostic))
    }

    /// Whether the rule is known to hold.
    pub fn is_pass(&self) -> bool {
        matches!(self, Outcome::Pass)
    }

    /// Whether the rule is known not to hold.
    pub fn is_fail(&self) -> bool {
        matches!(self, Outcome::Fail(_))
    }

    /// Whether it depends.
    pub fn is_undetermined(&self) -> bool {
        matches!(self, Outcome::Undetermined(_))
    }

    /// What is wrong; nothing unless it fails.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        match self {
            Outcome::Fail(diagnostics) => diagnostics,
            _ => &[],
        }
    }

    /// Why it depends.
    pub fn why(&self) -> Option<&Why> {
        match self {
            Outcome::Undetermined(why) => Some(why),
            _ => None,
        }
    }

    /// `pass`, `fail` or `undetermined`.
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
            Outcome::Fail(diagnostics) => write!(f, ": {diagnostics}"),
            Outcome::Undetermined(why) => write!(f, ": {why}"),
        }
    }
}
