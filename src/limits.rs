//! The bounds that keep every operation total: nothing in this crate overflows the stack or allocates out of
//! proportion, whatever the input. Where a bound is met, the answer is an error ([`Error::is_limit`]) or, for a
//! refinement, a bound that is left out; never a panic.
//!
//! [`Error::is_limit`]: crate::Error::is_limit

/// How deep values, types, paths and rules may nest.
///
/// Every recursion of the crate over this many levels fits a 1 MiB stack in a debug build.
pub const DEPTH: usize = 256;

/// How many parts a value or a type may have, all levels counted, a shared part once for each place it stands in.
///
/// Sharing makes a value of 2^60 parts out of sixty pairs; with this bound, what walks a value stays in
/// proportion to something that could have been written down.
pub const SIZE: usize = 1 << 27;

/// How many places a number may have before plus after the point in plain notation (`1e8000` has 8,001).
pub const DIGITS: usize = 8192;

/// How many significant digits a quotient that does not end is given.
pub const DIVISION_DIGITS: usize = 155;

/// Up to how many elements an unknown list of known length becomes a list of unknowns.
pub const COLLAPSE: usize = 32;

/// How many bytes a text may have that a function puts together, by repeating, padding, replacing or joining, unless
/// one of the texts has more that it is made of.
///
/// One text that stands a thousand times in a list takes the memory of one.
pub const TEXT: usize = 1 << 24;

/// How many elements a function may put together of several lists, beyond those of the longest.
///
/// A list that stands a thousand times in another takes the memory of one.
pub const ELEMENTS: usize = 1 << 19;

/// How many parts the aliases and merges of one YAML document may stand for, all levels counted.
pub const ALIASED: usize = 1 << 18;
