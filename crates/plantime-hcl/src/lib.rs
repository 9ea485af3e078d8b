//! HCL, read and evaluated on values that may not be known yet.
//!
//! A file is parsed to a [`Body`]: its arguments and blocks. The value of an argument is an [`Expression`], which can
//! also be parsed from a text of its own. It is evaluated in a [`Scope`]: variables, functions and limits. The result
//! is a value, which may be known, partially known or unknown with facts about it, or [`Diagnostics`] with the summary
//! and the detail that Terraform gives, and the position in the source. [`format()`] writes a file in the canonical
//! format.
//!
//! ```
//! use std::collections::BTreeMap;
//! use plantime::{Type, Value};
//! use plantime_hcl::{Expression, Scope};
//!
//! let id = Value::unknown(Type::String).assume_string_prefix("vpc-")?.assume_not_null()?;
//! let variables = BTreeMap::from([("id".to_owned(), id), ("dev".to_owned(), Value::unknown(Type::Bool))]);
//! let scope = Scope::new(&variables);
//!
//! let name = Expression::parse(r#""net/${id}/${dev ? "a" : "b"}""#).unwrap();
//! let name = name.evaluate(&scope).unwrap();
//! assert_eq!(name.range().prefix(), Some("net/vpc-"));
//! // It ends with one of both letters.
//! assert_eq!(name.range().refinement().string_language().map(|known| known.contains("net/vpc-1/c")), Some(false));
//!
//! let wrong = Expression::parse("[for n in id : n]").unwrap().evaluate(&scope).unwrap_err();
//! assert_eq!(wrong.first().summary(), "Iteration over non-iterable value");
//! assert_eq!(wrong.first().position().to_string(), "1:11");
//! # Ok::<(), plantime::Error>(())
//! ```
//!
//! # What is known of the result
//!
//! | expression | while operands are unknown |
//! |---|---|
//! | `"a-${x}"` | the text before the first unknown part, and the prefix of that part |
//! | `"${x}"` | the value itself |
//! | `c ? a : b` | what `a` and `b`, converted to their common type, have in common; a branch that certainly fails is left out |
//! | `[for x in xs : f(x)]`, `{for …}` | the elements, if their number, the condition and the keys are known; else nothing, as each length is another type |
//! | `xs[*].a` | as `for`; of an unknown list a list, with its length |
//! | `xs[k]` | what the elements that the key may select have in common |
//! | `x.a` | the attribute; of an unknown object its type |
//! | `a && b`, `a \|\| b` | the answer that the known operand decides |
//! | `f(x)` | what the [function](plantime::function) tells |
//! | `f(xs...)` | as for a tuple of that length; of unknown length the type, if it is the same for each number of arguments |
//! | `try(a, b)` | `a` if it certainly succeeds; what both have in common if it may fail |
//!
//! An operation on a value that may be null gives the result for the case that it is not, since null is an error (see
//! [`Value::add`](plantime::Value::add)). `try` and `can` take this into account.
//!
//! # Which language it is
//!
//! Terraform's, as version 1.15 has it: `&&` and `||` do not evaluate the right operand if the left one decides.

mod body;
mod expression;
mod json;
mod syntax;
#[doc(hidden)]
pub mod unstable;

pub use body::{Argument, Block, Body, Item};
pub use expression::{
    Diagnostic, Diagnostics, Expression, Limits, Reference, ReferenceKey, ReferenceStep, ReferenceValue,
    Resolved, Scope, Unresolved, Variables,
};
pub use syntax::format;

/// Runs the examples of the README as documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
