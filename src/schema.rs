//! Provider schemas, as `terraform providers schema -json` writes them. Feature `schema`.
//!
//! Plan JSON does not say of which type an unknown part is; the schema of the provider does. Everything that a
//! schema file holds is kept, keys that this version does not know included, so that a file survives being read and
//! written.
//!
//! ```
//! use plantime::schema::ProviderSchemas;
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

use std::collections::BTreeMap;

use crate::error::Result;
use crate::value::Value;

mod block;
mod function;
mod implied;
mod lookup;
mod marks;
mod on_demand;
mod read;
#[cfg(test)]
mod tests;
mod write;

pub use block::{Attribute, AttributeType, Block, NestedBlock, NestedType, Nesting, Schema};
pub use function::{Function, IdentityAttribute, IdentitySchema, Parameter};
pub(crate) use implied::Shape;

/// What a JSON object holds under keys that this version does not know.
pub type Other = BTreeMap<String, Value>;

/// The schemas of some providers: one file, or several put together.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct ProviderSchemas {
    /// `1.0` where the file does not say.
    pub format_version: String,
    /// By provider address, such as `registry.terraform.io/hashicorp/aws`.
    pub providers: BTreeMap<String, ProviderSchema>,
    /// Keys that this version does not know.
    pub other: Other,
}

/// The schemas of one provider.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct ProviderSchema {
    /// The configuration of the provider itself.
    pub provider: Option<Schema>,
    /// Schemas of resources, by resource type.
    pub resource_schemas: BTreeMap<String, Schema>,
    /// Schemas of data sources, by data source type.
    pub data_source_schemas: BTreeMap<String, Schema>,
    /// Schemas of ephemeral resources, by their type.
    pub ephemeral_resource_schemas: BTreeMap<String, Schema>,
    /// Schemas of list resources, by their type.
    pub list_resource_schemas: BTreeMap<String, Schema>,
    /// Schemas of actions, by action type.
    pub action_schemas: BTreeMap<String, Schema>,
    /// Schemas of state stores, by their type.
    pub state_store_schemas: BTreeMap<String, Schema>,
    /// Provider functions by name.
    pub functions: BTreeMap<String, Function>,
    /// Resource identities by resource type.
    pub resource_identity_schemas: BTreeMap<String, IdentitySchema>,
    /// Keys that this version does not know.
    pub other: Other,
    /// What [`ProviderSchemas::open`] left unread.
    unread: on_demand::Unread,
}

impl ProviderSchemas {
    /// No schemas: every unknown part of a plan is then of unknown type.
    ///
    /// ```
    /// use plantime::schema::ProviderSchemas;
    ///
    /// assert!(ProviderSchemas::new().resource("hashicorp/aws", "aws_vpc").is_none());
    /// ```
    pub fn new() -> ProviderSchemas {
        ProviderSchemas { format_version: read::VERSION.to_owned(), ..ProviderSchemas::default() }
    }

    /// Reads a schema file, format 0.1 to 1.x. A file without `format_version` is read as 1.0.
    ///
    /// ```
    /// use plantime::schema::ProviderSchemas;
    ///
    /// let schemas = ProviderSchemas::from_json(br#"{"provider_schemas": {"hashicorp/random": {}}}"#)?;
    /// assert_eq!(schemas.format_version, "1.0");
    /// assert!(schemas.providers.contains_key("hashicorp/random"));
    ///
    /// let error = ProviderSchemas::from_json(br#"{"format_version": "2.0"}"#).unwrap_err();
    /// assert!(error.is_argument());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the text is not JSON, is no schema file, or has another major version; the message ends with line and
    /// column, the error's path leads to the place.
    pub fn from_json(text: &[u8]) -> Result<ProviderSchemas> {
        read::file(text)
    }

    /// Opens a schema file of which little will be needed: each schema of a resource, data source or ephemeral
    /// resource is read when it is first asked for, and is not in the maps of [`ProviderSchema`]. The text is kept.
    ///
    /// `Plan::read` and `State::read` ask for the types that they meet. A schema that cannot be read is told there, with
    /// the name of the file.
    ///
    /// ```
    /// use plantime::schema::ProviderSchemas;
    ///
    /// let file = br#"{"provider_schemas": {"p": {"resource_schemas": {
    ///     "r": {"block": {"attributes": {"id": {"type": "string"}}}},
    ///     "s": {"block": "nobody asks for this"}}}}}"#;
    /// let schemas = ProviderSchemas::open("schemas.json", file.to_vec())?;
    /// assert_eq!(schemas.resource("p", "r").unwrap().implied_type()?.to_string(), "object({id = string})");
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`from_json`](ProviderSchemas::from_json), but for what is wrong inside the schemas that are not read.
    pub fn open(name: impl Into<String>, text: Vec<u8>) -> Result<ProviderSchemas> {
        read::open(name.into(), text)
    }

    /// The schemas as a JSON document: keys in order, flags that are not set left out.
    ///
    /// ```
    /// use plantime::schema::ProviderSchemas;
    ///
    /// let schemas = ProviderSchemas::from_json(br#"{"provider_schemas": {"hashicorp/random": {"new_key": 1}}}"#)?;
    /// assert_eq!(schemas.to_json()?["provider_schemas"]["hashicorp/random"]["new_key"], 1);
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When [`other`](Self::other) holds what JSON cannot: unknown or marked values, infinities; or a number of more
    /// digits than `serde_json` keeps without its feature `arbitrary_precision`; and when a schema that was left
    /// unread cannot be read.
    pub fn to_json(&self) -> Result<serde_json::Value> {
        write::file(self)
    }

    /// Adds the providers of another file; those that are here already are replaced.
    ///
    /// ```
    /// use plantime::schema::ProviderSchemas;
    ///
    /// let mut schemas = ProviderSchemas::from_json(br#"{"provider_schemas": {"hashicorp/aws": {}}}"#)?;
    /// schemas.extend(ProviderSchemas::from_json(br#"{"provider_schemas": {"hashicorp/random": {}}}"#)?);
    /// assert_eq!(schemas.providers.len(), 2);
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn extend(&mut self, other: ProviderSchemas) {
        self.providers.extend(other.providers);
        self.other.extend(other.other);
    }
}
