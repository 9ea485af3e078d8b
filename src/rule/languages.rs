//! Sets of strings that a rule can name: regular expressions, formats, networks, URL schemes, lists of words.
//!
//! Each answers for a string, and for a prefix: whether every string, no string, or only some strings with that prefix are
//! in the set.

pub(super) mod format;
pub(super) mod networks;
pub(super) mod pattern;
pub(super) mod schemes;
pub(super) mod words;
