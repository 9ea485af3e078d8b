//! Rules as JSON Schema and OpenAPI, and back.
//!
//! [`export`] writes a type and its rules as a schema, [`import`] reads a schema as a type, a rule, and what is
//! certain of a value that is not known yet. A schema is a [`Value`](crate::Value) in the form that JSON implies
//! (objects, tuples, untyped nulls), so that its numbers are exact: read it with `json::from_slice`, write it with
//! `serde_json::Value::try_from` (feature `json`).
//!
//! ```
//! use plantime::rule::Rule;
//! use plantime::rule::json_schema::{Dialect, Reading, export, import};
//! use plantime::{Type, TypeConstraint};
//!
//! let name: TypeConstraint = Type::String.into();
//! let rule = Rule::all([Rule::NotNull, Rule::starts_with("vpc-"), Rule::max_len(21)])?;
//! let schema = export(&name, &rule, Dialect::JsonSchema)?;
//! let read = import(&schema, None, &Reading::default())?;
//! assert_eq!(read.constraint, name);
//! assert_eq!(read.unknown()?.to_string(), "(known after apply, matches ^vpc-(?s:.){0,17}$)");
//! # Ok::<(), plantime::Error>(())
//! ```
//!
//! # What is written
//!
//! Null is allowed unless the rules forbid it: `type` is a list with `null`, in OpenAPI there is `nullable`. An
//! attribute is `required` unless the type has it optional; an optional one that must not be null is required too.
//! `description` says the rules in words.
//!
//! | rule | string | list, set, tuple | map | object | number |
//! |---|---|---|---|---|---|
//! | `min_len`, `max_len`, `len` | `minLength`, `maxLength` | `minItems`, `maxItems` | `minProperties`, `maxProperties` | - | |
//! | `equals`, `one_of`, `none_of` | `const`, `enum`, `not` | same | same | same | same |
//! | `starts_with`, `ends_with`, `matches` | `pattern` | | | | |
//! | `contains` | `pattern` | `contains` (not in OpenAPI, nor of a tuple) | | | |
//! | `format` | `format` | | | | |
//! | `min`, `max` | | | | | `minimum`, `maximum` |
//! | `not(max)`, `not(min)` | | | | | `exclusiveMinimum`, `exclusiveMaximum` |
//! | `multiple_of`, `even` | | | | | `multipleOf` |
//! | `port`, `port_or_zero` | | | | | `multipleOf`, `minimum`, `maximum` |
//! | `not_zero` | `minLength` | | | | `not` |
//! | `one_of_ignoring_case`, `none_of_ignoring_case` of ASCII | `pattern`, `not` (not in Kubernetes) | | | | |
//! | `keys` | | | `propertyNames` (not in OpenAPI) | - | |
//! | `unique` | | `uniqueItems` (not in Kubernetes) | | | |
//! | `has_key` | | | `required` | - | |
//! | `not_null` | `type` | same | same | same | same |
//! | `at` attributes, `[*]`, places of tuples | | `items`, `prefixItems` | `additionalProperties` | `properties`, `required` | |
//!
//! All else has no keyword of its own. Then the schema says what it can (lengths in bytes bound those in characters;
//! `any`, `also_requires`, `required_when` are `anyOf`; `exactly_one_of`, `one_not_null` are `oneOf`), and these keys say the rest, so that export and then import lose
//! nothing but functions:
//!
//! | key | |
//! |---|---|
//! | `x-plantime-rules` | all rules on the value at this place, each in the form of [`Rule::to_form`](super::Rule::to_form). Where it stands, import reads it *instead of* the other keywords, except for those of parts (`properties`, `items`, …): delete it when you edit them |
//! | `x-plantime-type` | the type, at the root, where the schema does not show it: sets, defaults of other types |
//! | `x-kubernetes-validations` | in the dialect of Kubernetes: what has no keyword and CEL can say |
//!
//! # What is read
//!
//! | keywords | become |
//! |---|---|
//! | `type`, `enum`, `const`, `nullable` | `not_null`, `one_of`, `equals`; integers are `multiple_of(1)` |
//! | `minLength`, `maxLength`, `minItems`, `maxItems`, `minProperties`, `maxProperties` | `min_len`, `max_len`, `len` |
//! | `pattern` | `starts_with`, `ends_with`, `contains` where it is literal, else `matches`; no looking around or back |
//! | `format` | `format`, for the forms of [`Format`](super::Format) but expressions; `int32`, `int64` are bounds |
//! | `minimum`, `maximum`, `exclusiveMinimum`, `exclusiveMaximum`, `multipleOf` | `min`, `max`, `not(max)`, `not(min)`, `multiple_of` |
//! | `items`, `prefixItems`, `additionalItems`, `properties`, `additionalProperties` | `at` |
//! | `propertyNames` | `at` attributes of objects; `keys` of maps |
//! | `patternProperties` | `at` attributes of objects; of maps it is not supported |
//! | `required`, `dependentRequired`, `dependentSchemas`, `dependencies` | `not_null` at attributes, `has_key` of maps, `implies` |
//! | `uniqueItems`, `contains` | `unique`; `contains`, or `not` and `at` |
//! | `allOf`, `anyOf`, `oneOf`, `not`, `if`, `then`, `else` | `all`, `any`, `not`, `implies` |
//! | `$ref` into the document | what it refers to, as long as the type goes on |
//! | `title`, `description`, `default`, `examples` and their like | nothing |
//!
//! A schema says nothing of values of other types than its keywords are for, and a rule has to be able to read the
//! type. So a schema is read *for a type*: keywords for other types are left out, and a `type` that does not fit is a
//! rule that never holds. A part whose type is not decided gets a function that reads its schema when it is; what that
//! would leave out is looked for in advance, for every kind of JSON.
//!
//! `$schema` says the draft (4, 6, 7, 2019-09, 2020-12): a keyword that it does not have is left out, and until draft 7
//! so is all beside `$ref`. Of a document with a metaschema of its own nothing is read. Without `$schema` the keywords
//! of all drafts are read.
//!
//! Whatever else a document has is listed as [`Unsupported`], with a JSON pointer. What is left out only ever makes
//! the rule weaker: it refuses nothing that the schema allows. Of `not`, `oneOf` and `if`, which would turn that
//! around, nothing is read unless all inside is supported.
//!
//! # Null
//!
//! A null attribute is a property that is left out ([`Nulls::AreAbsent`]), or one that is null
//! ([`Nulls::AreValues`]). The first is what plans and configurations mean: there an attribute that may be left out may
//! be null whatever its schema says, and one that is `required` only where its schema allows null.
//!
//! # Text
//!
//! Strings are in normal form C, so texts that look the same are the same, where JSON Schema compares code points.
//! Patterns of ECMAScript are put in terms of this crate's: `\d` is `[0-9]`, `.` is no end of a line.
//!
//! # Limits
//!
//! Schemas nest at most [`DEPTH`] deep, references followed; at most [`SIZE`] schemas are read, each time it is, and
//! become at most as many rules.

mod any_case;
mod arrays;
mod cel;
mod check;
mod choices;
mod compile;
mod compiled;
mod draft;
mod ecma;
mod export;
mod fit;
mod fragment;
mod implied;
mod import;
mod keywords;
mod late;
mod numbers;
mod objects;
mod presence;
mod strings;
mod survey;
mod values;

pub use export::export;
pub use import::{Import, Unsupported, import, pointer};

/// The maximum number of schemas nested in each other, references followed.
pub const DEPTH: usize = 64;

/// The maximum number of schemas that one reading compiles, and of rules that they become.
pub const SIZE: usize = 1 << 16;

/// Which dialect a schema is written in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// JSON Schema, draft 2020-12; also OpenAPI 3.1.
    #[default]
    JsonSchema,
    /// OpenAPI 3.0, near to draft 4: `nullable`, and `$ref` stands alone.
    OpenApi,
    /// OpenAPI 3.0 as custom resource definitions of Kubernetes have it, with CEL.
    Kubernetes,
}

/// How a schema describes a null attribute of an object.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Nulls {
    /// A property that is left out, or that is null: whichever is allowed.
    #[default]
    AreAbsent,
    /// A property that is null. What is left out is no attribute of the type.
    AreValues,
}

/// The options for reading a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Reading {
    /// The dialect that the schema is written in.
    pub dialect: Dialect,
    /// What a null attribute is.
    pub nulls: Nulls,
    /// Whether `format` is checked; if false it is only an annotation.
    pub formats: bool,
}

impl Default for Reading {
    fn default() -> Reading {
        Reading { dialect: Dialect::default(), nulls: Nulls::default(), formats: true }
    }
}
