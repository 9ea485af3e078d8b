//! The laws of this crate as tests for your own operations and rules.
//!
//! Whoever writes a function on values that may not be known promises the same as the functions here: what it gives
//! for an unknown contains what it gives for every value that the unknown may become. Such a promise is easily
//! broken and hard to see, so it is tried on all values of a small world. One call tries every
//! [law](crate::testing::Law):
//!
//! ```
//! use plantime::{Result, Type, Value, testing};
//!
//! /// A name with a prefix before it.
//! fn named(name: &Value) -> Result<Value> {
//!     let (name, marks) = name.clone().unmark();
//!     let named = match name.as_str() {
//!         Ok(name) => Value::from(format!("app-{name}")),
//!         Err(error) if error.is_unknown() => {
//!             name.assume_type(&Type::String)?;
//!             Value::unknown(Type::String).assume_not_null()?.assume_string_prefix("app-")?
//!         }
//!         Err(error) => return Err(error),
//!     };
//!     Ok(named.with_marks(&marks))
//! }
//!
//! testing::unary("named", named).assert();
//! ```
//!
//! A mistake is found, and shown by an example:
//!
//! ```
//! use plantime::{Result, Value, testing};
//!
//! /// Whether a value is there. Says no of one that is not known yet.
//! fn is_given(value: &Value) -> Result<Value> {
//!     Ok(Value::from(value.is_known() && !value.is_null()).with_same_marks([value]))
//! }
//!
//! let report = testing::unary("is_given", is_given).report();
//! assert!(!report.is_proven());
//! assert_eq!(
//!     report.violations[0].example,
//!     "is_given(dynamic) = false\nbut is_given(false) = true"
//! );
//! ```
//!
//! | you want to | look at |
//! |---|---|
//! | prove an operation | [`unary`], [`binary`], [`variadic`], [`Proof`] |
//! | prove a rule (feature `rules`) | `rule`, `RuleProof` |
//! | choose the values that are tried | [`Domain`] |
//! | know what was tried and what was found | [`Report`], [`Law`] |
//! | ask what an unknown may become | [`may_become`], [`Domain::concretisations`] |
//! | write laws of your own | [`concrete`] and [`gamma`], a model of values apart from the library; [`universe`], all values of a small world; [`flow`], values that differ only behind a mark; [`laws`], [`ledger`] |
//!
//! The tests of this crate are written with it.

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
    reason = "places are those of the values at hand"
)]
mod domain;
#[allow(clippy::indexing_slicing, reason = "lengths are those of the values at hand")]
pub mod flow;
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
#[allow(clippy::arithmetic_side_effects, clippy::expect_used, clippy::indexing_slicing, reason = "counts")]
pub mod ledger;
mod parallel;
#[allow(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "places are those of the domains"
)]
mod proof;
mod report;
#[cfg(feature = "rules")]
#[allow(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "places are those of the domain"
)]
mod rules;
#[allow(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "the universes are fixed"
)]
pub mod universe;

pub use domain::Domain;
pub use proof::{Proof, binary, unary, variadic};
pub use report::{Law, Report, Violation};
#[cfg(feature = "rules")]
pub use rules::{RuleProof, rule};

use crate::Value;

/// Whether a value may become a concrete one, by a model of values that is written apart from the library's own
/// operations. Marks do not matter.
///
/// The work grows fast with the number of members of sets: this is for small values. For large ones there is
/// [`sample::may_become`](crate::sample::may_become), which is held against this one.
///
/// ```
/// use plantime::testing::may_become;
/// use plantime::{Type, Value};
///
/// let id = Value::unknown(Type::String).assume_string_prefix("vpc-")?;
/// assert!(may_become(&id, &Value::from("vpc-1")));
/// assert!(may_become(&id, &Value::null(Type::String)));
/// assert!(!may_become(&id, &Value::from("subnet-1")));
/// assert!(!may_become(&id, &id), "that is not concrete");
/// # Ok::<(), plantime::Error>(())
/// ```
pub fn may_become(value: &Value, concrete: &Value) -> bool {
    concrete::Con::of(concrete).is_some_and(|con| gamma::Abs::of(value).may_become(&con))
}
