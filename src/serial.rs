//! The self-describing form of values, types, rules and paths: what their `Serialize` writes and their
//! `Deserialize` reads.
//!
//! Every value is read back exactly: level of known-ness, types, refinements, lengths of partly known sets, marks.
//! The form consists of strings, integers and sequences, so any serde format can carry it, both formats that
//! describe themselves (JSON, MessagePack, CBOR) and others (postcard, bincode).
//!
//! | | form |
//! |---|---|
//! | [`Value`] | a struct of two fields: `plantime`, the [`VERSION`], and `value`, a node |
//! | [`Type`], [`TypeConstraint`], [`Refinement`], [`Number`] | the text that `Display` writes |
//! | [`Path`] | a sequence of steps: `["attr", "name"]`, `["index", NODE]` |
//! | [`Mark`] | `["name"]`, or `["name", "note"]`; [`Marks`] are a sequence of them |
//! | `Rule` (feature `rules`) | its form as a value, [`Rule::to_form`](crate::rule::Rule::to_form) |
//!
//! A node is a sequence whose first element is a word:
//!
//! | node | value |
//! |---|---|
//! | `["dynamic"]` | unknown of unknown type |
//! | `["unknown", "TYPE"]` | unknown of this type |
//! | `["refined", "TYPE", "REFINEMENT"]` | unknown, with a refinement |
//! | `["null", "TYPE"]` | null |
//! | `["bool", true]`, `["number", "1.5"]`, `["string", "a"]` | a primitive; numbers are exact |
//! | `["list", "ELEMENT TYPE", NODE, …]`, `["set", …]` | a list; a set whose length follows from its members |
//! | `["partial_set", "ELEMENT TYPE", 1, 3, NODE, …]` | a set with undecided members, and its minimum and maximum length |
//! | `["map", "ELEMENT TYPE", "key", NODE, …]` | a map |
//! | `["tuple", NODE, …]`, `["object", "name", NODE, …]` | a tuple, an object |
//! | `["marked", [MARK, …], NODE]` | a value with marks: **marked content is written in plain form** |
//!
//! ```
//! use plantime::{Refinement, Type, Value};
//!
//! let id = Value::refined(Type::String, Refinement::prefix("vpc-").and_not_null())?;
//! let vpc = Value::object([("id", id), ("port", Value::from(443))])?;
//! let text = serde_json::to_string(&vpc)?;
//! assert_eq!(
//!     text,
//!     r#"{"plantime":1,"value":["object","id",["refined","string","notnull(stringprefix(\"vpc-\"))"],"port",["number","443"]]}"#
//! );
//! assert_eq!(serde_json::from_str::<Value>(&text)?, vpc);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The [bridge](crate::bridge) does not use the form: it passes a value, type or number on unchanged.
//!
//! # Errors
//!
//! Writing fails for a value that contains a capsule, and for a rule without a form. Reading fails, with the
//! format's own error, for another version, an unknown word or type, an attribute, key or known member that occurs
//! twice, elements of another type than their collection, lengths that no set of these members can have, and above
//! [`limits::DEPTH`](crate::limits::DEPTH) levels. Reading allocates nothing out of proportion to the input, so a
//! number whose exponent makes it far longer than its text is refused. `serde_json` reads up to 128 levels by
//! default, two of which the form itself takes.

pub(crate) mod handover;
mod number;
mod read;
mod set;
#[cfg(test)]
mod tests;
mod texts;
mod write;

pub(crate) use read::fields as read_fields;

#[cfg(doc)]
use crate::{Mark, Marks, Number, Path, Refinement, Type, TypeConstraint, Value};

/// The version of the form that is written, and the only one that is read. An addition that keeps the meaning of
/// existing forms does not change it.
pub const VERSION: u32 = 1;

/// The newtype name under which a [`Value`] passes through serde; the bridge recognises values by it.
pub(crate) const VALUE: &str = "$plantime::Value";
/// The newtype name under which a [`Number`] passes through serde; the bridge recognises numbers by it.
pub(crate) const NUMBER: &str = "$plantime::Number";

/// The names of the two fields of a serialized value: the version, and the value's node.
pub(crate) const FIELDS: [&str; 2] = ["plantime", "value"];
