//! The scope that an expression is evaluated in: variables, functions and limits.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use plantime::Value;
use plantime::function::Functions;
use plantime::unstable::text::nearest;

use super::dependencies::Dependency;
use super::members::{MemberFunctions, Members};
use super::references::Reference;

/// The variables of a [`Scope`]. A map from names to values is the simplest; an evaluator of modules resolves each reference
/// when it is first used, and reads of it as many steps as name the object that it refers to.
///
/// ```
/// use plantime::Value;
/// use plantime_hcl::{Expression, Reference, Resolved, Scope, Unresolved, Variables};
///
/// /// Every variable has its own name as value.
/// struct Names;
///
/// impl Variables for Names {
///     fn resolve(&self, reference: &Reference) -> Result<Resolved, Unresolved> {
///         Ok(Resolved { value: Value::from(reference.root()), steps: 0 })
///     }
/// }
///
/// let upper = Expression::parse("upper(name)").unwrap();
/// assert_eq!(upper.evaluate(&Scope::new(&Names)).unwrap(), Value::from("NAME"));
/// ```
pub trait Variables {
    /// The value of the reference, or of the first steps of it; the remaining steps are then read from the value.
    ///
    /// # Errors
    ///
    /// When there is no such variable or object.
    fn resolve(&self, reference: &Reference) -> Result<Resolved, Unresolved>;

    /// The members of the whole reference; `None` if its value is no collection of which it may be unknown what is there. Only scopes
    /// of rules use it.
    #[doc(hidden)]
    fn members(&self, reference: &Reference) -> Option<Result<Arc<Members>, Unresolved>> {
        let _ = reference;
        None
    }

    /// Whether the reference has one value wherever the [members](Variables::members) of this scope are used, so that what is selected by it
    /// may be kept for other expressions. Only scopes of rules use it.
    #[doc(hidden)]
    fn is_constant(&self, reference: &Reference) -> bool {
        let _ = reference;
        false
    }

    /// The value whose JSON the value of this name is, which may not be known yet: what `jsonencode` was given. Only scopes of rules use it.
    #[doc(hidden)]
    fn json_source(&self, name: &Dependency) -> Option<Value> {
        let _ = name;
        None
    }

    /// Whether the evaluation of what the reference names may fail for some values of the unknowns. Only scopes of rules use it.
    #[doc(hidden)]
    fn may_fail(&self, reference: &Reference) -> bool {
        let _ = reference;
        false
    }
}

/// The value of a reference, or of its first steps.
#[derive(Clone, Debug)]
pub struct Resolved {
    /// The value that these steps lead to.
    pub value: Value,
    /// How many steps of the reference lead to it, from 0.
    pub steps: usize,
}

/// Why a reference has no value.
#[derive(Clone, Debug)]
pub struct Unresolved {
    /// The heading, such as `Reference to undeclared resource`.
    pub summary: String,
    /// Sentences about the problem.
    pub detail: String,
    /// How many steps of the reference the problem is about, from 0.
    pub steps: usize,
}

impl Unresolved {
    /// The problem that there is no variable of the name of the reference.
    pub fn unknown_variable<'a>(
        reference: &Reference,
        names: impl IntoIterator<Item = &'a str>,
    ) -> Unresolved {
        let suggestion = nearest(reference.root(), names)
            .map_or_else(String::new, |name| format!(" Did you mean \"{name}\"?"));
        Unresolved {
            summary: "Unknown variable".to_owned(),
            detail: format!("There is no variable named \"{}\".{suggestion}", reference.root()),
            steps: 0,
        }
    }
}

impl Variables for BTreeMap<String, Value> {
    fn resolve(&self, reference: &Reference) -> Result<Resolved, Unresolved> {
        match self.get(reference.root()) {
            Some(value) => Ok(Resolved { value: value.clone(), steps: 0 }),
            None => Err(Unresolved::unknown_variable(reference, self.keys().map(String::as_str))),
        }
    }
}

/// The variables, functions and limits that an expression is evaluated with.
///
/// [Example](crate)
#[derive(Clone, Copy)]
pub struct Scope<'a> {
    pub(super) variables: &'a dyn Variables,
    pub(super) functions: &'a Functions,
    pub(super) limits: Limits,
    pub(super) origins: Option<&'a dyn Origins>,
    pub(super) total: Option<&'a Total>,
    pub(super) is_validation: bool,
    pub(super) member_functions: Option<&'a dyn MemberFunctions>,
    pub(super) is_for_rules: bool,
}

/// The limits of the evaluations of several expressions together, and what these have used up so far.
#[derive(Debug)]
pub struct Total {
    limits: Limits,
    pub(super) iterations: Cell<u64>,
    pub(super) steps: Cell<u64>,
    pub(super) text: Cell<u64>,
}

impl Total {
    /// A total with these limits, of which nothing is used up yet.
    #[doc(hidden)]
    pub fn new(limits: Limits) -> Total {
        Total { limits, iterations: Cell::new(0), steps: Cell::new(0), text: Cell::new(0) }
    }

    pub(super) fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Whether a limit is exceeded.
    #[doc(hidden)]
    pub fn is_exceeded(&self) -> bool {
        self.iterations.get() > self.limits.iterations
            || self.steps.get() > self.limits.steps
            || self.text.get() > self.limits.text
    }
}

/// Finds the value that a reference is a copy of: copies of one value are equal, even while it is unknown.
pub trait Origins {
    /// The value that the value of a reference is a copy of. All copies of one value give the same name. `None` if the
    /// origin is not known.
    fn origin(&self, reference: &Dependency) -> Option<Dependency>;

    /// Is told that the values of two references are taken for one, since both are copies of one value.
    #[doc(hidden)]
    fn are_one(&self, a: &Dependency, b: &Dependency) {
        let _ = (a, b);
    }
}

impl<'a> Scope<'a> {
    /// A scope with these variables, the [standard functions](Functions::standard) and the default [limits](Limits).
    ///
    /// [Example](crate)
    pub fn new(variables: &'a dyn Variables) -> Scope<'a> {
        Scope {
            variables,
            functions: Functions::standard(),
            limits: Limits::default(),
            origins: None,
            total: None,
            is_validation: false,
            member_functions: None,
            is_for_rules: false,
        }
    }

    /// The scope with these functions in place of the standard ones. A function of a provider has its whole name,
    /// `provider::NAME::FUNCTION`; the result of one that is not in the table is unknown.
    ///
    /// ```
    /// use std::collections::BTreeMap;
    /// use plantime_hcl::{Expression, Scope};
    /// use plantime::function::{Function, Functions};
    /// use plantime::Value;
    ///
    /// let mut functions = Functions::new();
    /// functions.insert(Function::new("answer").body(|_| Ok(Value::from(42))));
    /// let variables = BTreeMap::<String, Value>::new();
    /// let scope = Scope::new(&variables).with_functions(&functions);
    /// assert_eq!(Expression::parse("answer() / 2").unwrap().evaluate(&scope).unwrap(), Value::from(21));
    /// assert!(Expression::parse("upper(\"a\")").unwrap().evaluate(&scope).is_err());
    /// ```
    #[must_use]
    pub fn with_functions(mut self, functions: &'a Functions) -> Scope<'a> {
        self.functions = functions;
        self
    }

    /// The scope in which references may be copies of one value.
    #[must_use]
    #[doc(hidden)]
    pub fn with_origins(mut self, origins: &'a dyn Origins) -> Scope<'a> {
        self.origins = Some(origins);
        self
    }

    /// The scope whose evaluations also count towards the limits of `total`, which other expressions share.
    #[must_use]
    #[doc(hidden)]
    pub fn within(mut self, total: &'a Total) -> Scope<'a> {
        self.total = Some(total);
        self
    }

    /// The scope of a validation as that of Terraform: what fails for every element of a collection is an error, although it may
    /// turn out to have none.
    #[must_use]
    #[doc(hidden)]
    pub fn for_validation(mut self, is_validation: bool) -> Scope<'a> {
        self.is_validation = is_validation;
        self
    }

    /// The scope with functions that give collections of which it may be unknown what is there.
    #[must_use]
    #[doc(hidden)]
    pub fn with_member_functions(mut self, functions: &'a dyn MemberFunctions) -> Scope<'a> {
        self.member_functions = Some(functions);
        self
    }

    /// The scope of a rule. What differs from Terraform's language:
    ///
    /// | expression | in a rule |
    /// |---|---|
    /// | `null && a`, `null \|\| a` | an error, unless the other operand decides |
    /// | `a == "80"`, `a == []` | the literal is converted to the type of `a`; an error if it does not convert |
    /// | `a == b` of two kinds of types | an error, as they can never be equal |
    /// | `sum([])` | 0 |
    #[must_use]
    #[doc(hidden)]
    pub fn for_rules(mut self, is_for_rules: bool) -> Scope<'a> {
        self.is_for_rules = is_for_rules;
        self
    }

    /// The scope with other limits.
    ///
    /// ```
    /// use std::collections::BTreeMap;
    /// use plantime_hcl::{Expression, Limits, Scope};
    ///
    /// let none = BTreeMap::new();
    /// let mut limits = Limits::default();
    /// limits.iterations = 100;
    /// let scope = Scope::new(&none).with_limits(limits);
    /// let long = Expression::parse("[for n in range(1000) : n]").unwrap();
    /// assert!(long.evaluate(&scope).unwrap_err().is_limit());
    /// ```
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Scope<'a> {
        self.limits = limits;
        self
    }
}

impl fmt::Debug for Scope<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scope").field("limits", &self.limits).finish_non_exhaustive()
    }
}

/// How much the evaluation of one expression may take. Beyond a limit the evaluation fails, and neither `try` nor `can` hide it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// The maximum number of iterations of all `for` and splats together.
    pub iterations: u64,
    /// The maximum number of steps: each node that is evaluated, and each element or 16 bytes of an argument or result.
    pub steps: u64,
    /// The maximum size in bytes of all strings that templates build.
    pub text: u64,
}

impl Default for Limits {
    /// Half a million iterations, four million steps, 16 MiB of text: each takes less than a second.
    fn default() -> Limits {
        Limits { iterations: 500_000, steps: 4_000_000, text: 1 << 24 }
    }
}
