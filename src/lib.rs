//! Values that may not be known yet.
//!
//! Tools that plan before they act must reason about values that exist only afterwards: an id the cloud will
//! choose, a list whose length a server decides. plantime gives each value a [`Type`] and one of five levels of
//! known-ness, keeps what *is* known as a [`Refinement`], carries it through operations, and lets rules answer
//! pass, fail or undetermined, with the reason, at plan time.
//!
//! ```
//! use plantime::{Refinement, Type, Value};
//!
//! // The cloud will choose the id, but it promises its prefix.
//! let id = Value::refined(Type::String, Refinement::prefix("vpc-").and_not_null())?;
//! assert_eq!(id.to_string(), r#""vpc-${(known after apply)}""#);
//!
//! // Whatever id the cloud chooses, it will not be this one.
//! assert_eq!(id.equals(&Value::from("subnet-1"))?, Value::from(false));
//! # Ok::<(), plantime::Error>(())
//! ```
//!
//! # Where to look
//!
//! | you want | look at |
//! |---|---|
//! | the value and its five levels | [`Value`], [`View`], [`value!`] |
//! | types | [`Type`], [`ObjectType`] |
//! | values of your own Rust types | [`Capsule`] |
//! | the facts known about an unknown value | [`Refinement`], [`ValueRange`] |
//! | equality, logic, order | [`Value::equals`], [`and`](Value::and), [`less_than`](Value::less_than), … |
//! | arithmetic | [`Value::add`], [`divide`](Value::divide), [`absolute`](Value::absolute), … |
//! | elements, attributes and members | [`Value::index`], [`get_attr`](Value::get_attr), [`has_element`](Value::has_element), [`length`](Value::length), … |
//! | set algebra | [`Value::union`], [`intersection`](Value::intersection), [`difference`](Value::difference), … |
//! | one value for several; templates | [`Value::join`], [`conditional`](Value::conditional), [`concat_text`](Value::concat_text) |
//! | assumptions | [`Value::assume`] and the methods beside it |
//! | whether an applied value agrees with the planned one | [`Value::may_become`] |
//! | conversion to a type, with optional attributes and defaults | [`convert`], [`TypeConstraint`], [`unify`] |
//! | places inside values | [`Path`], [`PathSet`], [`Value::parts`] |
//! | rebuilding a value, child by child | [`Value::transform`] |
//! | labels that travel with a value, such as `sensitive` | [`Mark`] |
//! | functions: the standard ones and your own | the module `function` (features `functions` and `functions-yaml`) |
//! | rules with three answers | the module `rule` (feature `rules`) |
//! | JSON | the module `json` (feature `json`) |
//! | MessagePack | the module `msgpack` (feature `msgpack`) |
//! | your own structs as values and back | the module `bridge` (feature `serde`, on by default) |
//! | values, types and rules in any serde format, exactly | the module `serial` (feature `serde`) |
//! | testing an operation of your own against the laws | the module `testing` (feature `testing`) |
//! | random values for tests | the modules `sample` (features `proptest`, `arbitrary`) and `strategy` (feature `proptest`) |
//! | texts that people write, with positions for messages | [`source`] |
//! | what can go wrong | [`Error`], [`limits`] |
//! | expressions of HCL | the crate `plantime-hcl` |
//! | provider schemas | the crate `plantime-schema` |
//! | plans and configurations of Terraform and OpenTofu | the crate `plantime-terraform` |
//! | providers in Rust | the crate `plantime-provider` |

// Only the nightly compiler of docs.rs sees this: it says beside each item which feature it needs.
#![cfg_attr(docsrs, feature(doc_cfg))]
// The modules do not ask which features are on, so some of what they hold is unused where a feature is off. What nothing uses
// is found where all are on.
#![cfg_attr(
    not(all(
        feature = "arbitrary",
        feature = "functions-yaml",
        feature = "msgpack",
        feature = "proptest",
        feature = "serde",
        feature = "testing"
    )),
    allow(dead_code, unreachable_pub, unused_imports, reason = "for the features that are off")
)]

#[cfg(feature = "arbitrary")]
mod arbitrary;
mod assume;
mod assume_equal;
#[cfg(feature = "serde")]
pub mod bridge;
mod capsule;
mod constraint;
mod convert;
mod error;
#[cfg(feature = "functions")]
pub mod function;
#[cfg(feature = "json")]
pub mod json;
pub mod language;
pub mod limits;
mod mark;
#[cfg(feature = "msgpack")]
pub mod msgpack;
mod number;
mod ops;
mod path;
mod refinement;
mod regexp;
#[cfg(feature = "rules")]
pub mod rule;
#[cfg(any(feature = "arbitrary", feature = "proptest"))]
pub mod sample;
#[cfg(feature = "serde")]
pub mod serial;
pub mod source;
#[cfg(feature = "proptest")]
pub mod strategy;
#[cfg(feature = "testing")]
pub mod testing;
pub mod text;
mod type_text;
mod types;
#[doc(hidden)]
pub mod unstable;
mod value;

pub use capsule::Capsule;
pub use constraint::{AttributeConstraint, TypeConstraint};
pub use convert::{Safety, conversion, convert, mismatch_message, unify};
pub use error::{Error, Result};
pub use mark::{Mark, Marks, MarksIter};
pub use number::{Number, Rounding};
pub use ops::PartKey;
pub use path::{AttrName, Path, PathSet, Step};
pub use refinement::{
    Bound, Contradiction, Description, ElementRange, LengthRange, Multiples, Nullness, NumberRange, Numbers,
    Prefix, Range, Refinement, StringLanguage, StructureRange,
};
pub use types::{AttributeTypes, CapsuleType, ListType, MapType, ObjectType, SetType, TupleType, Type};
#[doc(hidden)]
pub use value::macros::literal as __value_literal;
#[doc(hidden)]
pub use value::macros::{value_object as __value_object, value_tuple as __value_tuple};
pub use value::{
    Attributes, CapsuleView, Dynamic, Elements, Entries, Known, Knownness, ListView, MapView, MarkChange,
    MarkedView, Members, ObjectView, Partial, Parts, Refined, SetView, TupleView, Unknown, Value, ValueRange,
    View,
};

/// Runs the examples of the README as documentation tests.
#[cfg(all(doctest, feature = "json", feature = "msgpack", feature = "rules"))]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;

/// Runs the examples of `docs/library.md` as documentation tests.
#[cfg(all(doctest, feature = "functions", feature = "json", feature = "msgpack", feature = "rules"))]
#[doc = include_str!("../docs/library.md")]
struct LibraryExamples;
