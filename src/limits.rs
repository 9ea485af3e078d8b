//! The bounds that keep every operation total: nothing in this crate overflows the stack or allocates out of
//! proportion to its input. An operation that would exceed a bound returns an error ([`Error::is_limit`]) or, where
//! only a fact would be lost, leaves the fact out. It never panics.
//!
//! [`Error::is_limit`]: crate::Error::is_limit

/// The maximum nesting depth of values, types, path expressions and rules, and of paths that are read from text.
///
/// Every recursion of the crate over this many levels fits a 1 MiB stack in a debug build.
pub const DEPTH: usize = 256;

/// The maximum size of a value or a type: the number of values (or types) in it on all levels, itself included. A
/// shared one counts once for each place where it occurs.
///
/// Sixty pairs that share their elements make a value of 2^60 parts. This bound keeps the time of a walk over a
/// value in proportion to an input that somebody could have written.
pub const SIZE: usize = 1 << 27;

/// The maximum number of digits before and after the point of a number in plain notation (`1e8000` has 8,001).
pub const DIGITS: usize = 8192;

/// The number of significant digits of a quotient whose decimal expansion does not end, such as 1/3.
pub const DIVISION_DIGITS: usize = 155;

/// The maximum length up to which an unknown list whose length is known is converted to a known list of unknown
/// elements.
pub const COLLAPSE: usize = 32;

/// The maximum number of values that such a collection may have inside: lists of lists of known length multiply.
pub const COLLAPSE_SIZE: usize = 4_096;

/// The maximum number of refinements of elements and attributes inside each other. What is known further inside is left out.
///
/// The text form has two levels for each, `notnull(elements(…))`, and texts nest at most [`DEPTH`] levels.
pub const ELEMENT_REFINEMENTS: usize = 64;

/// The maximum number of refinements inside a refinement of attributes or tuple elements, and the maximum number of values inside
/// the partially known object that stands for an unknown one. Beyond the limit an attribute keeps only whether it is null, and an
/// object stays unknown: its attributes are read one at a time.
///
/// Types and refinements share repeated parts: sixty pairs inside each other would expand to 2^60.
pub const STRUCTURE_SIZE: usize = 65_536;

/// The maximum number of numbers that a refinement lists, as one of which a value is known; of more, the interval and the
/// greatest common divisor are known.
///
/// The largest lists of the field have about 25 numbers, such as the days that CloudWatch keeps logs (23). Joining two
/// lists takes as many steps as both have numbers, so the bound is also one on the costs of a step of a join.
pub const ONE_OF: usize = 32;

/// The maximum number of errors of a configuration, or of the evaluation of an expression, that are reported, and of warnings. If
/// there are more, a notice at the end says that the rest was omitted.
///
/// Without the bound a file of a few megabytes could have reports of gigabytes, each with its line.
pub const PROBLEMS: usize = 1_000;

/// The maximum length in bytes of a string that a function builds by repeating, padding, replacing or joining,
/// unless one of its input strings is longer already.
///
/// Without the bound a small value could produce a huge string: one string that occurs a thousand times in a list
/// takes the memory of one.
pub const TEXT: usize = 1 << 24;

/// The maximum number of elements that a function adds to those of its longest list when it concatenates or
/// multiplies lists.
///
/// Without the bound a small value could produce a huge list: a list that occurs a thousand times in another takes
/// the memory of one.
pub const ELEMENTS: usize = 1 << 19;

/// The maximum number of parts, on all levels, that the aliases and merges of one YAML document may expand to.
pub const ALIASED: usize = 1 << 18;
