//! Conditions of rules, asked of plans.
//!
//! | file | tests |
//! |---|---|
//! | `kinds` | the kinds of rules that only conditions say: a plan that passes, one that fails, one that is undetermined |
//! | `laws` | what a condition answers on a plan holds however the unknown values turn out |
//! | `obligations` | what a condition leaves open is upheld exactly if the rule passes after the apply |
//! | `listed` | the kinds of rules that teams have: as keywords and as conditions, on every front |
//! | `words` | what is wrong with a rules file, and what an answer says |
//! | `policies` | policies as rules, each with plans that pass, fail and are undetermined, asked through every front |
//! | `plans` | plans in JSON, from resources in few words |
//! | `short` | plans in few words: a configuration, with what only a plan says beside it |
//! | `fronts` | one rule and one plan, asked through every front |
//! | `binary`, `json` | write plans: binary, and JSON with the expressions of the configuration |
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test says what it expects by failing"
)]

mod binary;
mod fronts;
mod json;
mod kinds;
mod laws;
mod listed;
mod obligations;
#[path = "../packed/mod.rs"]
mod packed;
mod plans;
mod policies;
mod short;
mod words;
