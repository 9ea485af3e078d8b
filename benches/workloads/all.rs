//! The workloads, and what measures them.

pub mod allocations;
mod calls;
mod codecs;
mod comparison;
mod configurations;
mod conversion;
#[path = "../../tests/document/mod.rs"]
mod document;
mod languages;
#[path = "../growth/limit.rs"]
mod limit;
pub mod list;
mod marks;
mod numbers;
mod parallel;
mod plans;
mod refinement;
mod rules;
pub mod scaling;
mod sets;
mod table;
mod time;
pub mod timed;
mod walks;
pub mod work;
