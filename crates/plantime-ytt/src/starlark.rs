//! Starlark as ytt has it: parsed, resolved and evaluated, with the error messages of starlark-go.
//!
//! An evaluation is bounded in steps, memory and depth, and reads nothing but the files of the package. Data values may
//! be unknown: an operation that reads one ends the evaluation with its path, so that the answer is undetermined.

mod arguments;
mod assignments;
mod builtins;
pub(crate) mod convert;
mod dict;
pub(crate) mod error;
mod evaluate;
mod expressions;
mod format;
mod freeze;
pub(crate) mod functions;
pub(crate) mod heap;
pub(crate) mod interpreter;
mod letters;
mod methods;
pub(crate) mod modules;
pub(crate) mod number;
mod operators;
pub(crate) mod parser;
mod resolver;
mod sequences;
mod slices;
mod strings;
mod syntax;
pub(crate) mod token;
pub(crate) mod unit;
pub(crate) mod value;
