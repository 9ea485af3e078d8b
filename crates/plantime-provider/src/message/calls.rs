//! Requests and responses of the calls.

use std::collections::BTreeMap;

use prost::Message;

use super::schema::{Function, IdentitySchema};
use super::{
    AttributePath, ClientCapabilities, Deferred, Diagnostic, DynamicValue, FunctionError, IdentityData,
    RawState, ServerCapabilities, Timestamp,
};

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

/// A configuration of a data source or an ephemeral resource, to be validated or used.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct ConfigRequest {
    #[prost(string, tag = "1")]
    pub(crate) type_name: String,
    #[prost(message, optional, tag = "2")]
    pub(crate) config: Option<DynamicValue>,
}

/// A configuration of a data source to be read.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct ReadDataRequest {
    #[prost(string, tag = "1")]
    pub(crate) type_name: String,
    #[prost(message, optional, tag = "2")]
    pub(crate) config: Option<DynamicValue>,
    #[prost(message, optional, tag = "3")]
    pub(crate) provider_meta: Option<DynamicValue>,
}

/// A configuration of a resource to be validated.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct ResourceConfigRequest {
    #[prost(string, tag = "1")]
    pub(crate) type_name: String,
    #[prost(message, optional, tag = "2")]
    pub(crate) config: Option<DynamicValue>,
    #[prost(message, optional, tag = "3")]
    pub(crate) client_capabilities: Option<ClientCapabilities>,
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
    #[prost(message, optional, tag = "4")]
    pub(crate) provider_meta: Option<DynamicValue>,
    #[prost(message, optional, tag = "6")]
    pub(crate) current_identity: Option<IdentityData>,
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
    #[prost(message, optional, tag = "5")]
    pub(crate) new_identity: Option<IdentityData>,
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
    #[prost(message, optional, tag = "6")]
    pub(crate) provider_meta: Option<DynamicValue>,
    #[prost(message, optional, tag = "7")]
    pub(crate) client_capabilities: Option<ClientCapabilities>,
    #[prost(message, optional, tag = "8")]
    pub(crate) prior_identity: Option<IdentityData>,
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
    #[prost(bool, tag = "5")]
    pub(crate) legacy_type_system: bool,
    #[prost(message, optional, tag = "6")]
    pub(crate) deferred: Option<Deferred>,
    #[prost(message, optional, tag = "7")]
    pub(crate) planned_identity: Option<IdentityData>,
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
    #[prost(message, optional, tag = "6")]
    pub(crate) provider_meta: Option<DynamicValue>,
    #[prost(message, optional, tag = "7")]
    pub(crate) planned_identity: Option<IdentityData>,
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
    #[prost(bool, tag = "4")]
    pub(crate) legacy_type_system: bool,
    #[prost(message, optional, tag = "5")]
    pub(crate) new_identity: Option<IdentityData>,
}

/// The id of an object to be imported.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct ImportRequest {
    #[prost(string, tag = "1")]
    pub(crate) type_name: String,
    #[prost(string, tag = "2")]
    pub(crate) id: String,
    #[prost(message, optional, tag = "4")]
    pub(crate) identity: Option<IdentityData>,
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
    #[prost(message, optional, tag = "4")]
    pub(crate) identity: Option<IdentityData>,
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

/// The state of an object of another resource type, to be taken over.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct MoveRequest {
    #[prost(string, tag = "1")]
    pub(crate) source_provider_address: String,
    #[prost(string, tag = "2")]
    pub(crate) source_type_name: String,
    #[prost(int64, tag = "3")]
    pub(crate) source_schema_version: i64,
    #[prost(message, optional, tag = "4")]
    pub(crate) source_state: Option<RawState>,
    #[prost(string, tag = "5")]
    pub(crate) target_type_name: String,
    #[prost(bytes = "bytes", tag = "6")]
    pub(crate) source_private: bytes::Bytes,
}

/// The answer to a [`MoveRequest`].
#[derive(Clone, PartialEq, Message)]
pub(crate) struct MoveResponse {
    #[prost(message, optional, tag = "1")]
    pub(crate) target_state: Option<DynamicValue>,
    #[prost(message, repeated, tag = "2")]
    pub(crate) diagnostics: Vec<Diagnostic>,
    #[prost(bytes = "bytes", tag = "3")]
    pub(crate) target_private: bytes::Bytes,
    #[prost(message, optional, tag = "4")]
    pub(crate) target_identity: Option<IdentityData>,
}

/// The answer to `GetResourceIdentitySchemas`.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct IdentitySchemasResponse {
    #[prost(btree_map = "string, message", tag = "1")]
    pub(crate) identity_schemas: BTreeMap<String, IdentitySchema>,
    #[prost(message, repeated, tag = "2")]
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// A stored identity, to be read with the current schema.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct UpgradeIdentityRequest {
    #[prost(string, tag = "1")]
    pub(crate) type_name: String,
    #[prost(int64, tag = "2")]
    pub(crate) version: i64,
    #[prost(message, optional, tag = "3")]
    pub(crate) raw_identity: Option<RawState>,
}

/// The answer to an [`UpgradeIdentityRequest`].
#[derive(Clone, PartialEq, Message)]
pub(crate) struct UpgradeIdentityResponse {
    #[prost(message, optional, tag = "1")]
    pub(crate) upgraded_identity: Option<IdentityData>,
    #[prost(message, repeated, tag = "2")]
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// The answer to `OpenEphemeralResource`.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct OpenResponse {
    #[prost(message, repeated, tag = "1")]
    pub(crate) diagnostics: Vec<Diagnostic>,
    #[prost(message, optional, tag = "2")]
    pub(crate) renew_at: Option<Timestamp>,
    #[prost(message, optional, tag = "3")]
    pub(crate) result: Option<DynamicValue>,
    #[prost(bytes = "bytes", optional, tag = "4")]
    pub(crate) private: Option<bytes::Bytes>,
}

/// An ephemeral resource to be renewed or closed.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct OpenedRequest {
    #[prost(string, tag = "1")]
    pub(crate) type_name: String,
    #[prost(bytes = "bytes", optional, tag = "2")]
    pub(crate) private: Option<bytes::Bytes>,
}

/// The answer to `RenewEphemeralResource`.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct RenewResponse {
    #[prost(message, repeated, tag = "1")]
    pub(crate) diagnostics: Vec<Diagnostic>,
    #[prost(message, optional, tag = "2")]
    pub(crate) renew_at: Option<Timestamp>,
    #[prost(bytes = "bytes", optional, tag = "3")]
    pub(crate) private: Option<bytes::Bytes>,
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
