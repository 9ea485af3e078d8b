//! Provider schemas, read, built and written.

use std::collections::BTreeMap;

use plantime::{Result, Value};

mod block;
mod block_count;
mod build;
mod check;
mod coerce;
mod completion;
pub mod declared;
mod empty;
mod fields;
mod function;
mod implied;
mod json_schema;
mod layout;
mod lookup;
mod marks;
mod names;
mod on_demand;
mod read;
#[cfg(test)]
mod tests;
mod write;

pub use block::{Attribute, AttributeType, Block, NestedBlock, NestedType, Nesting, Schema};
pub use block_count::count_problem;
pub use build::{
    AtMostOne, AttributeBuilder, BlockBuilder, ByConfiguration, ByProvider, InvalidBlock, NestedBlockBuilder,
    Several, Unlimited,
};
pub use completion::Completion;
pub use declared::DeclaredMap;
pub use function::{Function, IdentityAttribute, IdentitySchema, Parameter};
pub use implied::Shape;
pub use layout::attribute_constraint;
pub(crate) use layout::{Entry, Layout, Nest};
pub use names::nearest_name;

/// The values of a JSON object under keys that this version does not know.
pub type Other = BTreeMap<String, Value>;

/// The schemas of some providers, from one file or several.
///
/// [Example](ProviderSchemas::resource)
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct ProviderSchemas {
    /// The format version of the file; `1.0` if the file has none.
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
    /// The schemas that [`ProviderSchemas::open`] has not read yet.
    unread: on_demand::Unread,
}

impl ProviderSchemas {
    /// No schemas: every unknown value of a plan is then of unknown type.
    ///
    /// ```
    /// use plantime_schema::ProviderSchemas;
    ///
    /// assert!(ProviderSchemas::new().resource("hashicorp/aws", "aws_vpc").is_none());
    /// ```
    pub fn new() -> ProviderSchemas {
        ProviderSchemas { format_version: read::VERSION.to_owned(), ..ProviderSchemas::default() }
    }

    /// Reads a schema file of format 0.1 to 1.x. A file without `format_version` is read as 1.0.
    ///
    /// ```
    /// use plantime_schema::ProviderSchemas;
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
    /// If the text is not JSON, is not a schema file, or has another major version. The message ends with line and column, and
    /// the error has the path.
    pub fn from_json(text: &[u8]) -> Result<ProviderSchemas> {
        read::file(text)
    }

    /// Opens a schema file and reads its schemas on demand: each schema of a resource, data source or ephemeral
    /// resource is read when it is first needed, and is not in the maps of [`ProviderSchema`]. The text stays in
    /// memory.
    ///
    /// `Plan::read` and `State::read` read the schemas of the types in the plan or state. They report a schema that
    /// cannot be read, with the `name` of the file.
    ///
    /// ```
    /// use plantime_schema::ProviderSchemas;
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
    /// As [`from_json`](ProviderSchemas::from_json), except for errors inside the schemas that are read on demand.
    pub fn open(name: impl Into<String>, text: Vec<u8>) -> Result<ProviderSchemas> {
        read::open(name.into(), text)
    }

    /// The schemas as a JSON document, with sorted keys and without flags that are not set.
    ///
    /// ```
    /// use plantime_schema::ProviderSchemas;
    ///
    /// let schemas = ProviderSchemas::from_json(br#"{"provider_schemas": {"hashicorp/random": {"new_key": 1}}}"#)?;
    /// assert_eq!(schemas.to_json()?["provider_schemas"]["hashicorp/random"]["new_key"], 1);
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If [`other`](Self::other) contains what JSON cannot express: unknown or marked values, infinities, or a
    /// number with more digits than `serde_json` keeps without its feature `arbitrary_precision`; and if a schema
    /// that is read on demand cannot be read.
    pub fn to_json(&self) -> Result<serde_json::Value> {
        write::file(self)
    }

    /// Adds the providers of another file. A provider that exists already is replaced.
    ///
    /// ```
    /// use plantime_schema::ProviderSchemas;
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
