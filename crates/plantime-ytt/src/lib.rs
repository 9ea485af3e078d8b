//! Schemas and data values of [ytt](https://carvel.dev/ytt/): read, merged, checked and validated, with ytt's messages.
//!
//! A [`Package`] takes files and values as ytt's command does, and returns the final data values or ytt's error.
//!
//! # What is not evaluated
//!
//! Starlark is not evaluated: arguments of annotations are literals. A file with code, a rule with a function, `when=`,
//! annotations of overlays, `@assert/validate` and libraries are refused with an error that says so. Output is not templated.

mod excerpt;
mod literal;
mod merge;
mod node;
mod package;
mod print;
mod reflow;
mod rules;
mod scalar;
mod schema;
mod types;
mod yaml;

pub use package::{Package, PackageError};
