//! Parameters: the type of an argument, and how the function treats one that is null, unknown or marked.

use std::fmt;

use crate::constraint::TypeConstraint;
use crate::types::Type;

/// A parameter of a function: its name, its type, and how the function treats special arguments.
///
/// | the argument is | if not allowed | if allowed |
/// |---|---|---|
/// | null | an error | the body receives it |
/// | not wholly known | the transformer runs, if there is one, in place of the body | the body receives it |
/// | of unknown type (`dynamic`), for a parameter of any type | the result is of unknown type | the type rule and the body receive it |
/// | marked | see [`MarkHandling`] | |
///
/// ```
/// use plantime::function::{Function, MarkHandling, Parameter};
/// use plantime::{Type, Value};
///
/// let value = Parameter::new("value", Type::Dynamic).describe("any value").allow_null().allow_unknown().allow_dynamic();
/// assert_eq!((value.name(), value.description(), value.ty()), ("value", "any value", &Type::Dynamic));
/// assert!(value.allows_null() && value.allows_unknown() && value.allows_dynamic());
/// assert_eq!(value.mark_handling(), MarkHandling::Gathered);
///
/// let known = Function::new("known")
///     .parameter(value)
///     .returns(Type::Bool)
///     .body(|arguments| Ok(Value::from(arguments.at(0).is_wholly_known())));
/// assert_eq!(known.call(&[Value::unknown(Type::String)])?, Value::from(false));
/// # Ok::<(), plantime::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    name: Box<str>,
    description: Box<str>,
    /// The type that the argument must have, and is converted to by `call_converting`.
    constraint: TypeConstraint,
    /// Whether the argument may be null; else null is an error.
    allows_null: bool,
    /// Whether the body runs although the argument is not wholly known.
    allows_unknown: bool,
    /// Whether the type rule and the body run although the type of the argument is unknown.
    allows_dynamic: bool,
    marks: MarkHandling,
}

/// What a function does with the marks of an argument.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum MarkHandling {
    /// All marks, at every depth, are removed before the function sees the argument, and put on the result.
    #[default]
    Gathered,
    /// Only the outermost marks are removed and put on the result. The function sees the marks inside the argument, and
    /// copies elements to the result with their marks. An unknown result has no elements, so it gets all marks itself.
    Carried,
    /// As `Carried`, but the function itself chooses the marks of an unknown result: a function that selects one
    /// element need not add the marks of the others.
    Picked,
    /// No marks are removed: the function sees all of them, and decides which the result gets.
    Own,
}

impl Parameter {
    /// A parameter of this name and type. It does not allow null, unknown or dynamic arguments.
    ///
    /// [Example](Parameter)
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
    ///
    /// [Example](Parameter)
    #[must_use]
    pub fn describe(mut self, description: &str) -> Parameter {
        self.description = description.into();
        self
    }

    /// Allows null as an argument.
    ///
    /// [Example](Parameter)
    #[must_use]
    pub fn allow_null(mut self) -> Parameter {
        self.allows_null = true;
        self
    }

    /// Lets the body run although this argument is not wholly known.
    ///
    /// [Example](Parameter)
    #[must_use]
    pub fn allow_unknown(mut self) -> Parameter {
        self.allows_unknown = true;
        self
    }

    /// Lets the type rule and the body run although the type of this argument is unknown.
    ///
    /// [Example](Parameter)
    #[must_use]
    pub fn allow_dynamic(mut self) -> Parameter {
        self.allows_dynamic = true;
        self
    }

    /// Sets what the function does with marks.
    ///
    /// [Example](Parameter)
    #[must_use]
    pub fn marks(mut self, marks: MarkHandling) -> Parameter {
        self.marks = marks;
        self
    }

    /// The name of the parameter.
    ///
    /// [Example](Parameter)
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The description of the parameter; empty if the definition gives none.
    ///
    /// [Example](Parameter)
    pub fn description(&self) -> &str {
        &self.description
    }

    /// The type constraint that [`call_converting`](crate::function::Function::call_converting) converts the argument
    /// to.
    ///
    /// [Example](Parameter)
    pub fn constraint(&self) -> &TypeConstraint {
        &self.constraint
    }

    /// The type that the argument must have; `dynamic` for any.
    ///
    /// [Example](Parameter)
    pub fn ty(&self) -> &Type {
        self.constraint.as_type()
    }

    /// Whether the argument may be null.
    ///
    /// [Example](Parameter)
    pub fn allows_null(&self) -> bool {
        self.allows_null
    }

    /// Whether the body runs although this argument is not wholly known.
    ///
    /// [Example](Parameter)
    pub fn allows_unknown(&self) -> bool {
        self.allows_unknown
    }

    /// Whether the type rule and the body run although the type of this argument is unknown.
    ///
    /// [Example](Parameter)
    pub fn allows_dynamic(&self) -> bool {
        self.allows_dynamic
    }

    /// What the function does with the marks of the argument.
    ///
    /// [Example](Parameter)
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
