//! The self-describing form: what `Serialize` and `Deserialize` write and read.
//!
//! Every value comes back as it was: level, types, refinements, lengths of partly known sets, marks. The form is
//! made of texts, whole numbers and sequences, so any serde format carries it, those that describe themselves
//! (JSON, MessagePack, CBOR) and those that do not (postcard, bincode).
//!
//! | | form |
//! |---|---|
//! | [`Value`] | a struct of two fields: `plantime`, the [`VERSION`], and `value`, a node |
//! | [`Type`], [`TypeConstraint`], [`Refinement`], [`Number`] | the text that `Display` writes |
//! | [`Path`] | a sequence of steps: `["attr", "name"]`, `["index", NODE]` |
//! | [`Mark`] | `["name"]`, or `["name", "note"]`; [`Marks`] are a sequence of them |
//! | `Rule` (feature `rules`) | its form as a value, [`Rule::to_form`](crate::rule::Rule::to_form) |
//!
//! A node is a sequence that begins with a word:
//!
//! | node | value |
//! |---|---|
//! | `["dynamic"]` | unknown of unknown type |
//! | `["unknown", "TYPE"]` | unknown of this type |
//! | `["refined", "TYPE", "REFINEMENT"]` | unknown, and what is known of it |
//! | `["null", "TYPE"]` | null |
//! | `["bool", true]`, `["number", "1.5"]`, `["string", "a"]` | a primitive; numbers are exact |
//! | `["list", "ELEMENT TYPE", NODE, …]`, `["set", …]` | a list; a set of which all or none of the members say how many there are |
//! | `["partial_set", "ELEMENT TYPE", 1, 3, NODE, …]` | a set with members that are not decided: the fewest and the most there can be |
//! | `["map", "ELEMENT TYPE", "key", NODE, …]` | a map |
//! | `["tuple", NODE, …]`, `["object", "name", NODE, …]` | a tuple, an object |
//! | `["marked", [MARK, …], NODE]` | the value with marks: **what is behind a mark is written like everything else** |
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
//! Through the [bridge](crate::bridge) no form is made: a value, type or number there is passed on as it is.
//!
//! # Errors
//!
//! Writing fails for what has a capsule inside, and for rules that have no form. Reading fails, in the words of the
//! format's own error, for another version, a word or type that is none, an attribute, key or known member given
//! twice, parts of another type than their collection, lengths that no set of these members has, and above
//! [`limits::DEPTH`](crate::limits::DEPTH). Reading builds nothing out of proportion to what is read, hence no number whose
//! exponent makes it far longer than its text. `serde_json`
//! reads up to 128 levels unless told otherwise, two of which are the form's own.

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

/// The version of the form that is written, and the only one that is read. What can be added without changing what
/// a form says does not change it.
pub const VERSION: u32 = 1;

/// The name under which a value passes through serde.
pub(crate) const VALUE: &str = "$plantime::Value";
/// The name under which a number passes through serde.
pub(crate) const NUMBER: &str = "$plantime::Number";

/// The names of the fields.
pub(crate) const FIELDS: [&str; 2] = ["plantime", "value"];
