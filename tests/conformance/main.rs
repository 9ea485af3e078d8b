//! Recorded behaviour of go-cty 1.18.1 against this crate.
//!
//! Each line of a recorded file says what an operation of go-cty gave. Here the same operation is asked of this crate,
//! and the two answers are *equal*, both *refuse* an argument that no typed call takes, ours is *more precise*, it is a *deviation* with a reason from `deviations.toml`, or
//! it is unexplained. What cannot be asked is left out, and `left_out.toml` says why.
//! `ratchet.toml` holds how many may be unexplained and left out; `awaiting_repair.toml` the cases whose answer here is known to
//! be wrong. `texts.tsv` lists the texts of errors, and `missed.tsv` the wrong answers that none of this notices.
//!
//! | environment | |
//! |---|---|
//! | `PLANTIME_VECTORS` | another directory of `*.jsonl` or `*.jsonl.gz` files |
//! | `PLANTIME_REAL` | the folder of real plans and tables, for what Terraform's own conversions and functions give |
//! | `PLANTIME_VECTORS_SHOW` | set: also print every unexplained case and what is left out; the name of a reason: also its cases |
//! | `PLANTIME_VECTORS_FILE` | the one file whose answers are changed to see that wrong ones are noticed |
//! | `PLANTIME_BLESS` | set: write `texts.tsv` and `missed.tsv` |
#![expect(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test that fails is what these would be"
)]

mod bytes;
mod calls;
mod classes;
mod encodings;
mod made;
mod mutants;
mod notation;
mod oracle;
#[path = "../packed/mod.rs"]
mod packed;
mod reasons;
mod run;
mod sample;
mod tests;
mod texts;
mod verdict;
mod within;
