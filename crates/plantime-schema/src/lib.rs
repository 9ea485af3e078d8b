//! Provider schemas, as `terraform providers schema -json` writes them; what core does with them ([`planning`]); facts
//! about the values that providers choose ([`catalogue`]).
//!
//! Plan JSON does not contain the type of an unknown value; the schema of the provider does. All content of a
//! schema file is kept, including keys that this version does not know, so that a file that is read and written
//! loses nothing.
//!
//! ```
//! use plantime_schema::ProviderSchemas;
//!
//! let file = br#"{"format_version": "1.0", "provider_schemas": {"registry.terraform.io/hashicorp/random": {
//!     "resource_schemas": {"random_id": {"version": 0, "block": {"attributes": {
//!         "byte_length": {"type": "number", "required": true},
//!         "hex": {"type": "string", "computed": true}}}}}}}}"#;
//! let schemas = ProviderSchemas::from_json(file)?;
//! let random = schemas.resource("registry.terraform.io/hashicorp/random", "random_id").unwrap();
//! assert_eq!(random.implied_type()?.to_string(), "object({byte_length = number, hex = string})");
//! # Ok::<(), plantime::Error>(())
//! ```

pub mod catalogue;
mod json;
pub mod planning;
mod schema;
#[doc(hidden)]
pub mod unstable;

pub use schema::declared;
pub use schema::{
    AtMostOne, Attribute, AttributeBuilder, AttributeType, Block, BlockBuilder, ByConfiguration, ByProvider,
    Completion, DeclaredMap, Function, IdentityAttribute, IdentitySchema, InvalidBlock, NestedBlock,
    NestedBlockBuilder, NestedType, Nesting, Other, Parameter, ProviderSchema, ProviderSchemas, Schema,
    Several, Unlimited, nearest_name,
};

/// Runs the examples of the README as documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
