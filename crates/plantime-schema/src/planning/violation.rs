//! Violations: differences between the values of a provider that core does not allow.

use std::fmt;

use plantime::unstable::text::QuotedInMessage;
use plantime::{Path, Step};

/// A difference between planned, configured and applied values that core does not allow: its path and core's message.
///
/// Its text is the one of core, with the path before it:
///
/// ```
/// use plantime_schema::planning::assert_refines;
/// use plantime::value;
///
/// let broken = assert_refines(&value!({ "size": 1 })?, &value!({ "size": 2 })?);
/// assert_eq!(broken[0].path().to_string(), "size");
/// assert_eq!(broken[0].to_string(), ".size: was cty.NumberIntVal(1), but now cty.NumberIntVal(2)");
/// # Ok::<(), plantime::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Violation {
    path: Path,
    message: String,
}

impl Violation {
    /// The path of the difference, from the whole value.
    ///
    /// [Example](Violation)
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The message of core, without the path. It shows no content of a marked value.
    ///
    /// [Example](Violation)
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for step in self.path.steps() {
            match step {
                Step::Attr(name) => write!(f, ".{}", name.as_str())?,
                Step::Index(key) => match (key.as_str(), key.as_number()) {
                    (Ok(key), _) => write!(f, "[{}]", QuotedInMessage(key))?,
                    (_, Ok(index)) => write!(f, "[{index}]")?,
                    _ => f.write_str("[...]")?,
                },
            }
        }
        let colon = if self.path.is_empty() { "" } else { ": " };
        write!(f, "{colon}{}", self.message)
    }
}

/// The type system that a provider declares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum TypeSystem {
    /// The current type system: core treats each violation as an error.
    #[default]
    Strict,
    /// The type system of the first SDK, which cannot avoid these violations: core logs them and continues.
    Legacy,
}

/// The result of a check: the violations that are errors, and those that core tolerates.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Verdict {
    /// The violations that are errors: attributes by name, then blocks by name.
    pub violations: Vec<Violation>,
    /// The violations that core tolerates from a provider with the [legacy](TypeSystem::Legacy) type system.
    pub tolerated: Vec<Violation>,
}

impl Verdict {
    /// The verdict on these violations.
    pub(super) fn of(found: ViolationCollector, system: TypeSystem) -> Verdict {
        match system {
            TypeSystem::Strict => Verdict { violations: found.violations, tolerated: Vec::new() },
            TypeSystem::Legacy => Verdict { violations: Vec::new(), tolerated: found.violations },
        }
    }

    /// Whether no violation is an error.
    ///
    /// [Example](crate::planning::assert_plan_valid)
    pub fn is_accepted(&self) -> bool {
        self.violations.is_empty()
    }
}

/// Collects violations, each with the path of the value that is being checked.
#[derive(Default)]
pub(super) struct ViolationCollector {
    path: Path,
    pub(super) violations: Vec<Violation>,
}

impl ViolationCollector {
    /// Records a violation at the current path.
    pub(super) fn report(&mut self, message: impl Into<String>) {
        self.violations.push(Violation { path: self.path.clone(), message: message.into() });
    }

    /// Runs a check on a part of the value: its violations have this step in their path.
    pub(super) fn at(&mut self, step: Step, check: impl FnOnce(&mut ViolationCollector)) {
        self.path.push(step);
        check(self);
        self.path.pop();
    }

    /// Whether the whole value is being checked, not a part of it.
    pub(super) fn is_at_root(&self) -> bool {
        self.path.is_empty()
    }

    /// Runs a check. If it records violations, one violation with this message replaces them: theirs may show sensitive
    /// content.
    pub(super) fn report_as_one(&mut self, message: &str, check: impl FnOnce(&mut ViolationCollector)) {
        let before = self.violations.len();
        check(self);
        if self.violations.len() > before {
            self.violations.truncate(before);
            self.report(message);
        }
    }
}
