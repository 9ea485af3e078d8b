//! Values that may not be known yet.
//!
//! Tools that plan before they act have to reason about values that exist only afterwards: an id
//! that a cloud will choose, a list whose length a server decides. `plantime` gives such a value a
//! type, keeps whatever *is* known about it (a *refinement*: not null, starts with `vpc-`, between
//! one and three elements), and lets rules answer *pass*, *fail* or *undetermined, because …* while
//! planning.
//!
//! The library is being built from the value model upwards; so far this crate holds the command
//! (feature `cli`), which reads a plan and answers a first set of rules:
//!
//! ```text
//! cargo run --features cli -- check
//! ```
