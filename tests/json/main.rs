//! JSON against what others say of it: the verdicts of JSONTestSuite, numbers, Unicode normalisation. Those lie beside
//! the checkout: `$PLANTIME_REAL`, else `../shared/real/dev`. And the document that the codecs are measured with.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    unreachable_pub,
    reason = "a test says what went wrong by failing"
)]

#[path = "../document/mod.rs"]
#[allow(dead_code, missing_docs, reason = "measured elsewhere")]
mod document;
mod measured;
mod own;
#[path = "../packed/mod.rs"]
mod packed;
mod suite;
