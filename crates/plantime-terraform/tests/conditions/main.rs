//! Conditions of rules, asked of plans.
//!
//! | file | tests |
//! |---|---|
//! | `kinds` | the kinds of rules that only conditions say: a plan that passes, one that fails, one that is undetermined |
//! | `laws` | what a condition answers on a plan holds however the unknown values turn out |
//! | `obligations` | what a condition leaves open is upheld exactly if the rule passes after the apply |
//! | `words` | what is wrong with a rules file, and what an answer says |
//! | `plans` | plans, from resources in few words |
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test says what it expects by failing"
)]

mod kinds;
mod laws;
mod obligations;
mod plans;
mod words;
