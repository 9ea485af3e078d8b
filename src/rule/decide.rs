//! The meaning of each rule that is not a combinator, one family of rules to a file.
//!
//! Most functions here take a value that is not null, perhaps unknown, and return `Option<bool>`: whether the rule
//! holds for every value that it may turn out to be (`Some(true)`), for none of them (`Some(false)`), or depends on
//! unknowns (`None`). [`evaluate`](crate::rule::evaluate) handles null, types and obligations for them.

pub(super) mod change;
pub(super) mod congruence;
pub(super) mod cross_field;
pub(super) mod custom;
pub(super) mod finite;
pub(super) mod force_new;
pub(super) mod keys;
pub(super) mod lengths;
pub(super) mod members;
pub(super) mod numbers;
pub(super) mod parts;
pub(super) mod required;
pub(super) mod sums;
pub(super) mod text;
pub(super) mod unique;
pub(super) mod value;
