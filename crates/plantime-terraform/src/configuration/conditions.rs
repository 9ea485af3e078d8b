//! Custom conditions: what the modules of a configuration demand of their own values.

use std::fmt;

use super::Origin;

/// A custom condition of the configuration, evaluated for one instance of its object.
///
/// [`Evaluation::conditions`](super::Evaluation::conditions) gives them.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Condition {
    /// The kind of block that states it.
    pub kind: ConditionKind,
    /// The kind of object that it is about.
    pub object: ConditionObject,
    /// The address of the object: `aws_vpc.main[0]`, `module.net.var.cidr`, `output.url`, `check.health`.
    pub address: String,
    /// Where the condition is written.
    pub origin: Origin,
    /// Whether the condition passes, fails, or depends on unknown values.
    pub verdict: ConditionVerdict,
    /// The `error_message` of the condition; `None` if the message is unknown, or is marked and so must not be shown.
    pub message: Option<String>,
    /// The unknown values that an undetermined condition depends on.
    pub depends_on: Vec<String>,
}

/// The kind of block that states a [`Condition`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum ConditionKind {
    /// `validation` of a variable.
    Validation,
    /// `precondition` of a resource or output.
    Precondition,
    /// `postcondition` of a resource.
    Postcondition,
    /// `assert` of a check.
    Assertion,
}

impl ConditionKind {
    /// The name of the block.
    ///
    /// ```
    /// use plantime_terraform::configuration::ConditionKind;
    ///
    /// assert_eq!(ConditionKind::Assertion.name(), "assert");
    /// ```
    pub fn name(self) -> &'static str {
        match self {
            ConditionKind::Validation => "validation",
            ConditionKind::Precondition => "precondition",
            ConditionKind::Postcondition => "postcondition",
            ConditionKind::Assertion => "assert",
        }
    }
}

impl fmt::Display for ConditionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The kind of object that a [`Condition`] is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum ConditionObject {
    /// An input variable.
    Variable,
    /// A resource, data source or ephemeral resource.
    Resource,
    /// An output.
    Output,
    /// A `check` block.
    Check,
}

impl ConditionObject {
    /// The word for the kind of object in the field `checks` of plan JSON.
    ///
    /// ```
    /// use plantime_terraform::configuration::ConditionObject;
    ///
    /// assert_eq!(ConditionObject::Output.name(), "output_value");
    /// ```
    pub fn name(self) -> &'static str {
        match self {
            ConditionObject::Variable => "var",
            ConditionObject::Resource => "resource",
            ConditionObject::Output => "output_value",
            ConditionObject::Check => "check",
        }
    }
}

/// Whether a [`Condition`] holds.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ConditionVerdict {
    /// The condition holds, whatever the unknown values turn out to be.
    Pass,
    /// The condition fails, whatever the unknown values turn out to be.
    Fail,
    /// Whether the condition holds depends on unknown values.
    Undetermined,
    /// The condition cannot be evaluated, or its value is neither true nor false. Contains the heading and the
    /// sentences of the problem.
    Invalid(String),
}
