//! The laws of this crate as tests for your own operations and rules.
//!
//! Your own function on values that may be unknown should make the same promise as the functions of this crate: its
//! answer for an unknown operand contains its answer for every value that the operand may become. A function breaks
//! this promise easily, and the mistake is hard to see. So the function is called with all values of a small
//! universe. One call checks every [law](crate::testing::Law):
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
//! A violation is reported with an example:
//!
//! ```
//! use plantime::{Result, Value, testing};
//!
//! /// Whether a value is given. Wrong: says false of an unknown value.
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
//! | check an operation | [`unary`], [`binary`], [`variadic`], [`Proof`] |
//! | check a rule (feature `rules`) | `rule`, `RuleProof` |
//! | choose the values to try | [`Domain`] |
//! | read the results | [`Report`], [`Law`] |
//! | find out what an unknown may become | [`may_become`], [`Domain::concretisations`] |
//! | write laws about marks | [`flow`]: values that differ only in marked content |
//!
//! The tests of this crate use this module, and the hidden ones beside it: a model of values that does not use the
//! library's operations, all values of a small world, the ledger of precision. Those may change in any version.

#[allow(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "the model is of values that the library can build"
)]
#[doc(hidden)]
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
#[doc(hidden)]
pub mod gamma;
#[allow(clippy::arithmetic_side_effects, clippy::expect_used, clippy::indexing_slicing, reason = "counts")]
#[doc(hidden)]
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
#[doc(hidden)]
pub mod universe;

pub use domain::Domain;
pub use proof::{Proof, binary, unary, variadic};
pub use report::{Law, Report, Violation};
#[cfg(feature = "rules")]
pub use rules::{RuleProof, rule};

use crate::Value;

/// Whether `value` may become the value `concrete`, decided by a model of values that does not use the library's own
/// operations. Marks are ignored; false if `concrete` is not wholly known.
///
/// The work grows fast with the number of members of sets, so this is for small values. For large ones there is
/// [`sample::may_become`](crate::sample::may_become), which the tests compare with this one.
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
