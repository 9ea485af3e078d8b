//! What it takes to prove an operation: small universes in which it is tried on every value, the values that each
//! unknown may become, and the laws of the crate as tests.
//!
//! | you want | look at |
//! |---|---|
//! | concrete values, apart from the library's own | [`concrete`] |
//! | what an unknown may become | [`gamma`] |
//! | all values of a small world | [`universe`] |
//! | the laws | [`laws`] |
//! | where an answer may contain more than it has to | [`ledger`] |
//!
//! ```
//! use plantime::testing::gamma::Abs;
//! use plantime::testing::laws::{Unary, Violations, unary};
//! use plantime::testing::concrete::Con;
//! use plantime::testing::{ledger::Ledger, universe};
//! use plantime::Value;
//!
//! let not = Unary {
//!     name: "not",
//!     reference: |a| match a {
//!         Con::Bool(truth) => Some(Con::Bool(!truth)),
//!         _ => None,
//!     },
//!     library: Value::not,
//! };
//! let (violations, tried) = unary(&not, &universe::world().s, &mut Ledger::default());
//! assert!(tried > 500);
//! violations.none("not");
//! ```

#[allow(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "the model is of values that the library can build"
)]
pub mod concrete;
#[allow(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "places are counted from the values at hand"
)]
pub mod gamma;
#[allow(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "places are those of the world"
)]
pub mod laws;
#[allow(clippy::arithmetic_side_effects, reason = "counts")]
pub mod ledger;
mod parallel;
#[allow(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "the universes are fixed"
)]
pub mod universe;
