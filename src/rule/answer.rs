//! What a check of a rule returns: the outcome, its reasons, and the sentences that a person reads.
//!
//! [`Outcome`](outcome::Outcome) is pass, fail or undetermined. A failure holds diagnostics, an undetermined outcome a
//! [`Why`](why::Why). [`Misuse`](misuse::Misuse) is the error of a rule that cannot read the type of its value.

pub(super) mod diagnostic;
pub(super) mod fault;
pub(super) mod message;
pub(super) mod misuse;
pub(super) mod outcome;
pub(super) mod verdict;
pub(super) mod why;
