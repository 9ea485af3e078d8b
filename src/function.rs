//! Functions on values. A function has a signature, a rule for the type of its result, a body for known arguments, and
//! optionally a transformer, which computes the facts about the result from those about unknown arguments. Feature
//! `functions`; `functions-yaml` adds `yamldecode` and `yamlencode`.
//!
//! [`Functions::standard`] is the table of the functions of Terraform and OpenTofu. You define a function of your own
//! in the same way:
//!
//! ```
//! use plantime::function::{Function, Parameter};
//! use plantime::{Mark, Type, Value};
//!
//! let shout = Function::new("shout")
//!     .description("The text in upper case, with an exclamation mark.")
//!     .parameter(Parameter::new("text", Type::String))
//!     .returns(Type::String)
//!     .not_null()
//!     .body(|arguments| Ok(Value::from(arguments.text(0)?.to_uppercase() + "!")));
//!
//! assert_eq!(shout.call(&[Value::from("hi")])?, Value::from("HI!"));
//!
//! // An unknown argument gives an unknown result, with the type and the promises of the function. Marks are never lost.
//! let name = Value::unknown(Type::String).mark(Mark::SENSITIVE);
//! let shouted = shout.call(&[name])?;
//! assert!(shouted.marks().contains(&Mark::SENSITIVE) && shouted.range().is_not_null());
//!
//! let error = shout.call(&[Value::from(1)]).unwrap_err();
//! assert_eq!(error.to_string(), "argument 1: string required, but received number");
//! # Ok::<(), plantime::Error>(())
//! ```
//!
//! # What a call does
//!
//! | step | |
//! |---|---|
//! | number of arguments | too few or too many are an error |
//! | marks | are removed, all of them or only the outermost ([`MarkHandling`]), and put on the result |
//! | null | is an error if the [`Parameter`] does not allow it; an unknown argument is then assumed not to be null |
//! | type | must be the parameter's; an argument of undecided type gets that type: `dynamic` becomes an unknown string |
//! | result type | comes from the type rule, which sees all arguments |
//! | body | runs if every argument is known as far as its parameter requires; the steps below are skipped then |
//! | finite outcomes | if the unknown arguments have at most 16 combinations of possible values, the body runs for each, and the results are joined |
//! | transformer | else runs, if the function has one |
//! | unknown | else the result is an unknown of the result type, with the function's promises |
//! | promises | in all cases: a result of another type, or against the promised refinement, is an error |
//!
//! Arguments are not converted, except by [`Function::call_converting`].
//!
//! When the body runs, the arguments match the signature: the body need not check them again.
//!
//! An error of a call with marked arguments does not reveal marked content (law L5). The call is repeated with unknowns
//! in place of the marked content: if it fails again, that error is returned, else one that gives no reason.
//!
//! # The standard functions
//!
//! `try` and `can`, whose arguments may be errors, are [`Function::attempt`] and [`Function::can`].
//!
//! The regular expressions of `regex`, `regexall`, `replace` and `regexreplace` have RE2's syntax and meaning, as Go's
//! package `regexp` has them: `\d`, `\w`, `\s` and `\b` match ASCII only, and counts go up to 1000. Rules use the same.
//!
#![doc = include_str!("function/table.md")]

mod arguments;
mod attempt;
mod builder;
mod call;
mod finite_outcomes;
mod marked_errors;
mod metadata;
mod parameter;
mod prepare;
pub(crate) mod standard;
mod table;
#[cfg(test)]
mod tests;
pub(crate) mod work;

use std::fmt;
use std::sync::Arc;

use crate::error::Result;
use crate::refinement::Refinement;
use crate::types::Type;
use crate::value::Value;

pub use arguments::Arguments;
pub use attempt::CallError;
pub use builder::FunctionBuilder;
pub use parameter::{MarkHandling, Parameter};
pub use standard::Bytes;
pub use table::Functions;

/// Computes the type of the result of a call from its arguments, which may be unknown.
type TypeRule = dyn Fn(&Arguments<'_>) -> Result<Type> + Send + Sync;
/// Computes the result of a call from its arguments: the type of bodies and of transformers.
type Body = dyn Fn(&Arguments<'_>) -> Result<Value> + Send + Sync;

/// A function on values. Cheap to clone.
///
/// [`Function::new`] begins a definition, and [`call`](Function::call) evaluates the function. See the [module](self)
/// for an example.
///
/// ```
/// use plantime::Value;
/// use plantime::function::Functions;
///
/// let join = Functions::standard().get("join").unwrap();
/// assert_eq!(join.name(), "join");
/// assert_eq!(join.parameters()[0].name(), "separator");
/// assert_eq!(join.variadic().map(|lists| lists.name()), Some("lists"));
/// assert!(join.is_predictable() && !join.description().is_empty());
/// let glue = join.renamed("glue");
/// assert_eq!(glue.call(&[Value::from("-"), Value::list(["a", "b"])?])?, Value::from("a-b"));
/// # Ok::<(), plantime::Error>(())
/// ```
#[derive(Clone)]
pub struct Function(Arc<Definition>);

/// Everything that defines a function: its signature, its promises about results, and the code that computes them.
#[derive(Clone)]
struct Definition {
    name: Box<str>,
    description: Box<str>,
    /// Which facts about the result are known while arguments are unknown, in words for the documentation.
    precision_note: Box<str>,
    /// The positional parameters: each needs an argument.
    parameters: Box<[Parameter]>,
    /// The parameter for any number of further arguments; `None` if there may be none.
    variadic: Option<Parameter>,
    return_type: ReturnType,
    /// A refinement that every result satisfies, such as not null, unless it does not apply to the type of the result.
    promise: Refinement,
    /// Whether `promise` says only that the result is not null: cached, since each call reads it.
    promises_only_not_null: bool,
    /// Computes the result from known arguments.
    body: Arc<Body>,
    /// Computes facts about the result from facts about unknown arguments. `None`: the result is then an unknown of its
    /// type.
    transformer: Option<Arc<Body>>,
    /// Whether the same arguments always give the same result. If not, every result is unknown at plan time.
    predictable: bool,
    /// What is known of the results of a function that is not predictable, in place of `promise`. Computed when it is called, as it may
    /// take an automaton.
    unpredictable_promise: Option<Arc<Promise>>,
}

/// Computes a refinement that every result satisfies.
type Promise = dyn Fn() -> Refinement + Send + Sync;

/// How the type of the result of a call is determined.
#[derive(Clone)]
enum ReturnType {
    /// The type of all results.
    Fixed(Type),
    /// The type rule, which computes it from the arguments.
    Computed(Arc<TypeRule>),
}

impl Function {
    /// Begins the definition of a function of this name.
    ///
    /// [Example](self)
    #[expect(clippy::new_ret_no_self, reason = "the builder ends in the function")]
    pub fn new(name: &str) -> FunctionBuilder {
        FunctionBuilder::new(name)
    }

    /// The name of the function.
    ///
    /// [Example](Function)
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// What the function computes, in a sentence or two; empty if the definition gives no description.
    ///
    /// [Example](Function)
    pub fn description(&self) -> &str {
        &self.0.description
    }

    /// Which facts about the result are known while arguments are unknown, in words; empty if the definition does not
    /// say.
    ///
    /// ```
    /// use plantime::function::Functions;
    ///
    /// let upper = Functions::standard().get("upper").unwrap();
    /// assert_eq!(upper.precision_note(), "the known prefix, in upper case");
    /// ```
    pub fn precision_note(&self) -> &str {
        &self.0.precision_note
    }

    /// The parameters that need an argument each.
    ///
    /// [Example](Function)
    pub fn parameters(&self) -> &[Parameter] {
        &self.0.parameters
    }

    /// The parameter that all further arguments share; `None` if the function takes no further arguments.
    ///
    /// [Example](Function)
    pub fn variadic(&self) -> Option<&Parameter> {
        self.0.variadic.as_ref()
    }

    /// Whether the same arguments always give the same result.
    ///
    /// [Example](Function)
    pub fn is_predictable(&self) -> bool {
        self.0.predictable
    }

    /// A copy of the function under another name.
    ///
    /// [Example](Function)
    #[must_use]
    pub fn renamed(&self, name: &str) -> Function {
        let mut definition = Definition::clone(&self.0);
        definition.name = name.into();
        Function(Arc::new(definition))
    }

    /// A copy of the function whose results are always unknown, as that of `timestamp` must be at plan time: a call
    /// checks the arguments and returns an unknown of the result type.
    ///
    /// ```
    /// use plantime::Value;
    /// use plantime::function::Functions;
    ///
    /// let abs = Functions::standard().get("abs").unwrap().unpredictable();
    /// let result = abs.call(&[Value::from(1)])?;
    /// assert!(!result.is_known() && result.range().is_not_null());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    #[must_use]
    pub fn unpredictable(&self) -> Function {
        let mut definition = Definition::clone(&self.0);
        definition.predictable = false;
        Function(Arc::new(definition))
    }

    /// A copy of the function with this [precision note](Function::precision_note).
    fn with_precision_note(&self, note: &str) -> Function {
        let mut definition = Definition::clone(&self.0);
        definition.precision_note = note.into();
        Function(Arc::new(definition))
    }

    /// The parameter for the argument at this index: a positional one, else the variadic one. `None` if the function
    /// takes no such argument.
    fn parameter_at(&self, index: usize) -> Option<&Parameter> {
        self.0.parameters.get(index).or(self.0.variadic.as_ref())
    }
}

/// The signature: `upper(str string) string`.
impl fmt::Display for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}(", self.name())?;
        for (i, parameter) in self.0.parameters.iter().enumerate() {
            write!(f, "{}{parameter}", if i > 0 { ", " } else { "" })?;
        }
        if let Some(variadic) = &self.0.variadic {
            write!(f, "{}{variadic}…", if self.0.parameters.is_empty() { "" } else { ", " })?;
        }
        write!(f, ") {}", self.declared_type())
    }
}

impl fmt::Debug for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Function({self})")
    }
}
