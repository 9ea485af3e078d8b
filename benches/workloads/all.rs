//! The workloads, and what measures them.

pub mod allocations;
mod calls;
mod codecs;
mod comparison;
mod conversion;
mod document;
pub mod list;
mod marks;
mod numbers;
mod parallel;
mod plans;
mod refinement;
mod rules;
mod sets;
mod table;
mod time;
pub mod timed;
mod walks;
pub mod work;
