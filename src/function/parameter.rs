//! Parameters: what an argument must be, and what the function does with what is special about it.

use std::fmt;

use crate::constraint::TypeConstraint;
use crate::types::Type;

/// What a function wants of an argument.
///
/// | it may be | if not allowed | if allowed |
/// |---|---|---|
/// | null | an error | the body gets it |
/// | not wholly known | the body is not called: the transformer is, if there is one | the body gets it |
/// | of undecided type, where the parameter is of any type | the result is of undecided type | the rule for the type and the body get it |
/// | marked | see [`MarkHandling`] | |
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    name: Box<str>,
    description: Box<str>,
    constraint: TypeConstraint,
    allows_null: bool,
    allows_unknown: bool,
    allows_dynamic: bool,
    marks: MarkHandling,
}

/// What becomes of the marks of an argument.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum MarkHandling {
    /// The function sees none of them; all, at every depth, are at the top of the result.
    #[default]
    Gathered,
    /// The function does not see those at the top, which are at the top of the result. It sees those inside, and
    /// carries over parts with their marks. Where the result is not known, its parts have no places yet: then those
    /// inside are at its top.
    Carried,
    /// As `Carried`, but that the function says itself which of those inside are on a result that is not known: one
    /// that picks an element loses no mark by leaving out those of the others.
    Picked,
    /// The function sees all and decides alone.
    Own,
}

impl Parameter {
    /// A parameter of this name and type.
    pub fn new(name: &str, constraint: impl Into<TypeConstraint>) -> Parameter {
        Parameter {
            name: name.into(),
            description: Box::default(),
            constraint: constraint.into(),
            allows_null: false,
            allows_unknown: false,
            allows_dynamic: false,
            marks: MarkHandling::Gathered,
        }
    }

    /// Sets the description of the parameter.
    #[must_use]
    pub fn describe(mut self, description: &str) -> Parameter {
        self.description = description.into();
        self
    }

    /// Lets the function be called with null for this parameter.
    #[must_use]
    pub fn allow_null(mut self) -> Parameter {
        self.allows_null = true;
        self
    }

    /// Lets what is not wholly known through to the body.
    #[must_use]
    pub fn allow_unknown(mut self) -> Parameter {
        self.allows_unknown = true;
        self
    }

    /// Lets what is of undecided type through to the rule for the type of the result, and to the body.
    #[must_use]
    pub fn allow_dynamic(mut self) -> Parameter {
        self.allows_dynamic = true;
        self
    }

    /// Says what becomes of marks.
    #[must_use]
    pub fn marks(mut self, marks: MarkHandling) -> Parameter {
        self.marks = marks;
        self
    }

    /// The name of the parameter.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it is for; empty if nothing was said.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// What the argument must be.
    pub fn constraint(&self) -> &TypeConstraint {
        &self.constraint
    }

    /// The type that the argument must be of.
    pub fn ty(&self) -> &Type {
        self.constraint.as_type()
    }

    /// Whether it can be null.
    pub fn allows_null(&self) -> bool {
        self.allows_null
    }

    /// Whether the body gets it while it is not wholly known.
    pub fn allows_unknown(&self) -> bool {
        self.allows_unknown
    }

    /// Whether the rule for the type of the result gets it while its type is undecided.
    pub fn allows_dynamic(&self) -> bool {
        self.allows_dynamic
    }

    /// What becomes of its marks.
    pub fn mark_handling(&self) -> MarkHandling {
        self.marks
    }
}

/// Name and type: `str string`.
impl fmt::Display for Parameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.name, self.constraint)
    }
}
