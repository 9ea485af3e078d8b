//! Rules as data: how they are built and nested, and what a rule says of itself without a value.
//!
//! That is: which types it can read, which paths it looks at, which refinement it implies, and whether it can fail at all.

pub(super) mod build;
pub(super) mod constant;
pub(super) mod nested;
pub(super) mod operands;
pub(super) mod reads;
pub(super) mod refine;
pub(crate) mod undecided;
