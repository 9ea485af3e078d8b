//! Functions on values: a signature, a rule for the type of the result, a body for arguments that are known, and what
//! is kept of those that are not. Feature `functions`; `functions-yaml` brings `yamldecode` and `yamlencode`.
//!
//! [`Functions::standard`] are the functions of the planning languages. A function of your own is data like theirs:
//!
//! ```
//! use plantime::function::{Function, Parameter};
//! use plantime::{Mark, Type, Value};
//!
//! let shout = Function::new("shout")
//!     .description("The text in capitals, with a mark of exclamation.")
//!     .parameter(Parameter::new("text", Type::String))
//!     .returns(Type::String)
//!     .not_null()
//!     .body(|arguments| Ok(Value::from(arguments.text(0)?.to_uppercase() + "!")));
//!
//! assert_eq!(shout.call(&[Value::from("hi")])?, Value::from("HI!"));
//!
//! // What is not known yet stays so, but for its type and what the function promises; marks are never lost.
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
//! | number of arguments | an error where there are too few or too many |
//! | marks | taken off, all or those at the top ([`MarkHandling`]), and put on the result, whatever it is |
//! | null | an error where the [`Parameter`] does not allow it; of an unknown it is then known that it is not null |
//! | type | must be the parameter's; what is undecided takes it, so that `dynamic` for a string is an unknown string |
//! | result type | from the rule, which sees all arguments |
//! | body | where all is known that has to be |
//! | few outcomes | where an unknown can become only a few things, the body gives the result for each, and these are joined |
//! | transformer | else, if the function has one |
//! | unknown | else: of the result type, with what the function promises of every result |
//! | promises | a result of another type, or against the refinement, is an error: the caller can rely on both |
//!
//! Nothing is converted unless asked for: see [`Function::call_converting`].
//!
//! The arguments are what the function says they are when the body runs: it need not check them again.
//!
//! An error of a call with marked arguments says nothing of what is marked: where the call fails too with unknowns in
//! place of that, it is the error of that call, and else an error without a reason, the same whatever is marked.
//!
//! # The standard functions
//!
//! `try` and `can`, whose arguments may fail, are [`Function::attempt`] and [`Function::can`].
//!
//! The regular expressions of `regex`, `regexall`, `replace` and `regexreplace` have RE2's syntax and meaning, as Go's
//! package `regexp` has them: `\d`, `\w`, `\s` and `\b` are about ASCII, and counts go up to 1000. Rules have the same.
//!
#![doc = include_str!("function/table.md")]

mod arguments;
mod attempt;
mod blind;
mod builder;
mod call;
mod few;
mod metadata;
mod parameter;
mod ready;
mod standard;
mod table;
#[cfg(test)]
mod tests;

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

type TypeRule = dyn Fn(&Arguments<'_>) -> Result<Type> + Send + Sync;
type Body = dyn Fn(&Arguments<'_>) -> Result<Value> + Send + Sync;

/// A function on values. Cheap to clone.
///
/// Made by [`Function::new`], which begins its signature; called with [`call`](Function::call). See the
/// [module](self) for an example.
#[derive(Clone)]
pub struct Function(Arc<Definition>);

#[derive(Clone)]
struct Definition {
    name: Box<str>,
    description: Box<str>,
    /// What is kept of arguments that are not known, in words.
    keeps: Box<str>,
    parameters: Box<[Parameter]>,
    variadic: Option<Parameter>,
    returns: Returns,
    /// What holds of every result, where it is of a type that this can be said of.
    promise: Refinement,
    /// Whether that is no more than that it is not null.
    promises_only_not_null: bool,
    body: Arc<Body>,
    transformer: Option<Arc<Body>>,
    /// Whether the same arguments always give the same result.
    predictable: bool,
}

#[derive(Clone)]
enum Returns {
    Always(Type),
    By(Arc<TypeRule>),
}

impl Function {
    /// Begins a function of this name.
    #[expect(clippy::new_ret_no_self, reason = "the builder ends in the function")]
    pub fn new(name: &str) -> FunctionBuilder {
        FunctionBuilder::new(name)
    }

    /// The name that the function is called by.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// What it is for, in a sentence or two; empty if nothing was said.
    pub fn description(&self) -> &str {
        &self.0.description
    }

    /// What the result keeps of arguments that are not known, in words; empty if nothing was said.
    ///
    /// ```
    /// use plantime::function::Functions;
    ///
    /// let upper = Functions::standard().get("upper").unwrap();
    /// assert_eq!(upper.keeps(), "what it begins with, in these letters");
    /// ```
    pub fn keeps(&self) -> &str {
        &self.0.keeps
    }

    /// The parameters that always have an argument.
    pub fn parameters(&self) -> &[Parameter] {
        &self.0.parameters
    }

    /// The parameter of all further arguments, if there can be any.
    pub fn variadic(&self) -> Option<&Parameter> {
        self.0.variadic.as_ref()
    }

    /// Whether the same arguments always give the same result.
    pub fn is_predictable(&self) -> bool {
        self.0.predictable
    }

    /// The same function under another name.
    #[must_use]
    pub fn renamed(&self, name: &str) -> Function {
        let mut definition = Definition::clone(&self.0);
        definition.name = name.into();
        Function(Arc::new(definition))
    }

    /// The same function as one whose results cannot be told before they are needed, such as the time: it checks its
    /// arguments and knows the type of its result, and gives an unknown.
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

    /// The same function with other words for what it keeps.
    fn keeping(&self, keeps: &str) -> Function {
        let mut definition = Definition::clone(&self.0);
        definition.keeps = keeps.into();
        Function(Arc::new(definition))
    }

    /// The parameter of the argument at this place.
    fn parameter(&self, index: usize) -> Option<&Parameter> {
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
