//! Configurations: corners of the language, and roots that Terraform has planned, where the collection of recordings lies
//! beside the checkout: `$PLANTIME_REAL`, else `../shared/real/dev`.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test panics where something is wrong"
)]

mod agreement;
mod assumptions;
mod conditions;
mod console;
mod corners;
mod costs;
mod dynamic_blocks;
mod explain;
mod file_functions;
mod fixtures;
mod folders;
mod hostile;
#[path = "../leaves/mod.rs"]
mod leaves;
mod one_answer;
mod origins;
mod outputs;
#[path = "../packed/mod.rs"]
mod packed;
mod planned_values;
mod policies;
mod proposed;
#[path = "../record/mod.rs"]
mod record;
mod recorded;
mod roots;
mod sensitivity;
mod shares;
mod two_forms;
mod validate;
mod without_plan;
