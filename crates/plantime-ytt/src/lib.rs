//! Schemas and data values of [ytt](https://carvel.dev/ytt/): read, merged, checked and validated, with ytt's messages.
//!
//! [`command::run`] is the command with its flags. A [`Package`] takes files and values as ytt's command does, and returns the final data values or ytt's error.
//!
//! # Starlark
//!
//! Code in schemas and data values is evaluated, and functions are rules and guards. An evaluation is bounded in steps, memory
//! and depth, and reads no files beside those of the package.
//!
//! # Unknown data values
//!
//! A data value with the tag `!unknown` is not known yet. [`Package::evaluate`] lists the rules whose answers depend on one.
//!
//! # What is not supported
//!
//! Overlays of output documents are refused with an error that says so.

mod annotations;
mod bounds;
pub mod command;
mod examples;
mod excerpt;
mod export;
mod files;
mod given;
mod library;
mod library_rule;
mod matching;
mod merge;
mod node;
mod output;
mod overlay;
mod package;
mod print;
mod proposal;
mod quoted;
mod reflow;
mod rules;
mod scalar;
mod schema;
mod spelling;
mod starlark;
mod template;
mod types;
mod validation;
mod yaml;

pub use package::{Evaluation, Format, Package, PackageError};
pub use validation::Undetermined;

/// Runs the examples of the README as documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
