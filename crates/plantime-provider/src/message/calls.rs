//! Requests and responses of the calls.

use std::collections::BTreeMap;

use prost::Message;

use super::schema::Function;
use super::{AttributePath, Diagnostic, DynamicValue, FunctionError, RawState, ServerCapabilities};

/// The answer to `GetMetadata`.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct MetadataResponse {
    #[prost(message, optional, tag = "1")]
    pub(crate) server_capabilities: Option<ServerCapabilities>,
    #[prost(message, repeated, tag = "2")]
    pub(crate) diagnostics: Vec<Diagnostic>,
    #[prost(message, repeated, tag = "3")]
    pub(crate) data_sources: Vec<TypeName>,
    #[prost(message, repeated, tag = "4")]
    pub(crate) resources: Vec<TypeName>,
    #[prost(message, repeated, tag = "5")]
    pub(crate) functions: Vec<TypeName>,
    #[prost(message, repeated, tag = "6")]
    pub(crate) ephemeral_resources: Vec<TypeName>,
}

/// The name of a resource type, a data source or a function.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct TypeName {
    #[prost(string, tag = "1")]
    pub(crate) name: String,
}

/// A configuration to be validated: of a resource, a data source or an ephemeral resource.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct ConfigRequest {
    #[prost(string, tag = "1")]
    pub(crate) type_name: String,
    #[prost(message, optional, tag = "2")]
    pub(crate) config: Option<DynamicValue>,
}

/// The answer to a validation or a configuration.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct DiagnosticsResponse {
    #[prost(message, repeated, tag = "1")]
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// The provider's configuration to be validated.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct ProviderConfigRequest {
    #[prost(message, optional, tag = "1")]
    pub(crate) config: Option<DynamicValue>,
}

/// The answer to the validation of the provider's configuration; protocol 5 returns the configuration too.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct ProviderConfigResponse {
    #[prost(message, optional, tag = "1")]
    pub(crate) prepared_config: Option<DynamicValue>,
    #[prost(message, repeated, tag = "2")]
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// The provider's configuration, to be used.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct ConfigureRequest {
    #[prost(string, tag = "1")]
    pub(crate) terraform_version: String,
    #[prost(message, optional, tag = "2")]
    pub(crate) config: Option<DynamicValue>,
}

/// A stored state, to be read with the current schema.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct UpgradeRequest {
    #[prost(string, tag = "1")]
    pub(crate) type_name: String,
    #[prost(int64, tag = "2")]
    pub(crate) version: i64,
    #[prost(message, optional, tag = "3")]
    pub(crate) raw_state: Option<RawState>,
}

/// The answer to an [`UpgradeRequest`].
#[derive(Clone, PartialEq, Message)]
pub(crate) struct UpgradeResponse {
    #[prost(message, optional, tag = "1")]
    pub(crate) upgraded_state: Option<DynamicValue>,
    #[prost(message, repeated, tag = "2")]
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// A state to be compared with reality.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct ReadRequest {
    #[prost(string, tag = "1")]
    pub(crate) type_name: String,
    #[prost(message, optional, tag = "2")]
    pub(crate) current_state: Option<DynamicValue>,
    #[prost(bytes = "bytes", tag = "3")]
    pub(crate) private: bytes::Bytes,
}

/// The answer to a [`ReadRequest`].
#[derive(Clone, PartialEq, Message)]
pub(crate) struct ReadResponse {
    #[prost(message, optional, tag = "1")]
    pub(crate) new_state: Option<DynamicValue>,
    #[prost(message, repeated, tag = "2")]
    pub(crate) diagnostics: Vec<Diagnostic>,
    #[prost(bytes = "bytes", tag = "3")]
    pub(crate) private: bytes::Bytes,
}

/// A change to be planned.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct PlanRequest {
    #[prost(string, tag = "1")]
    pub(crate) type_name: String,
    #[prost(message, optional, tag = "2")]
    pub(crate) prior_state: Option<DynamicValue>,
    #[prost(message, optional, tag = "3")]
    pub(crate) proposed_new_state: Option<DynamicValue>,
    #[prost(message, optional, tag = "4")]
    pub(crate) config: Option<DynamicValue>,
    #[prost(bytes = "bytes", tag = "5")]
    pub(crate) prior_private: bytes::Bytes,
}

/// The answer to a [`PlanRequest`].
#[derive(Clone, PartialEq, Message)]
pub(crate) struct PlanResponse {
    #[prost(message, optional, tag = "1")]
    pub(crate) planned_state: Option<DynamicValue>,
    #[prost(message, repeated, tag = "2")]
    pub(crate) requires_replace: Vec<AttributePath>,
    #[prost(bytes = "bytes", tag = "3")]
    pub(crate) planned_private: bytes::Bytes,
    #[prost(message, repeated, tag = "4")]
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// A planned change to be applied.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct ApplyRequest {
    #[prost(string, tag = "1")]
    pub(crate) type_name: String,
    #[prost(message, optional, tag = "2")]
    pub(crate) prior_state: Option<DynamicValue>,
    #[prost(message, optional, tag = "3")]
    pub(crate) planned_state: Option<DynamicValue>,
    #[prost(message, optional, tag = "4")]
    pub(crate) config: Option<DynamicValue>,
    #[prost(bytes = "bytes", tag = "5")]
    pub(crate) planned_private: bytes::Bytes,
}

/// The answer to an [`ApplyRequest`].
#[derive(Clone, PartialEq, Message)]
pub(crate) struct ApplyResponse {
    #[prost(message, optional, tag = "1")]
    pub(crate) new_state: Option<DynamicValue>,
    #[prost(bytes = "bytes", tag = "2")]
    pub(crate) private: bytes::Bytes,
    #[prost(message, repeated, tag = "3")]
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// The id of an object to be imported.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct ImportRequest {
    #[prost(string, tag = "1")]
    pub(crate) type_name: String,
    #[prost(string, tag = "2")]
    pub(crate) id: String,
}

/// The answer to an [`ImportRequest`].
#[derive(Clone, PartialEq, Message)]
pub(crate) struct ImportResponse {
    #[prost(message, repeated, tag = "1")]
    pub(crate) imported_resources: Vec<ImportedResource>,
    #[prost(message, repeated, tag = "2")]
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// An imported object.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct ImportedResource {
    #[prost(string, tag = "1")]
    pub(crate) type_name: String,
    #[prost(message, optional, tag = "2")]
    pub(crate) state: Option<DynamicValue>,
    #[prost(bytes = "bytes", tag = "3")]
    pub(crate) private: bytes::Bytes,
}

/// The answer to `ReadDataSource`.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct DataResponse {
    #[prost(message, optional, tag = "1")]
    pub(crate) state: Option<DynamicValue>,
    #[prost(message, repeated, tag = "2")]
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// The answer to `GetFunctions`.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct FunctionsResponse {
    #[prost(btree_map = "string, message", tag = "1")]
    pub(crate) functions: BTreeMap<String, Function>,
    #[prost(message, repeated, tag = "2")]
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// A call of a provider function.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct CallRequest {
    #[prost(string, tag = "1")]
    pub(crate) name: String,
    #[prost(message, repeated, tag = "2")]
    pub(crate) arguments: Vec<DynamicValue>,
}

/// The answer to a [`CallRequest`].
#[derive(Clone, PartialEq, Message)]
pub(crate) struct CallResponse {
    #[prost(message, optional, tag = "1")]
    pub(crate) result: Option<DynamicValue>,
    #[prost(message, optional, tag = "2")]
    pub(crate) error: Option<FunctionError>,
}

/// A message without fields, such as the answer to `StopProvider` that succeeds.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct Empty {}

/// The answer of the health service: 1 is SERVING.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct HealthResponse {
    #[prost(int32, tag = "1")]
    pub(crate) status: i32,
}
