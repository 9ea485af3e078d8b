//! The messages of the provider protocol, versions 5 and 6: field numbers as published, no code generated at build.
//!
//! One definition serves both versions, since they have the same fields nearly everywhere: [`schema`] holds the one
//! message that differs. Fields that are not defined here are skipped when a message is read.

pub(crate) mod calls;
pub(crate) mod schema;
#[cfg(test)]
mod tests;

use prost::{Enumeration, Message, Oneof};

/// A value, whose type the schema tells.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct DynamicValue {
    #[prost(bytes = "bytes", tag = "1")]
    pub(crate) msgpack: bytes::Bytes,
    #[prost(bytes = "bytes", tag = "2")]
    pub(crate) json: bytes::Bytes,
}

/// A problem that the host shows to the user.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct Diagnostic {
    #[prost(enumeration = "Severity", tag = "1")]
    pub(crate) severity: i32,
    #[prost(string, tag = "2")]
    pub(crate) summary: String,
    #[prost(string, tag = "3")]
    pub(crate) detail: String,
    #[prost(message, optional, tag = "4")]
    pub(crate) attribute: Option<AttributePath>,
}

/// Whether a diagnostic stops the operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Enumeration)]
#[repr(i32)]
pub(crate) enum Severity {
    Invalid = 0,
    Error = 1,
    Warning = 2,
}

/// A place inside a value.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct AttributePath {
    #[prost(message, repeated, tag = "1")]
    pub(crate) steps: Vec<PathStep>,
}

/// A step of an [`AttributePath`].
#[derive(Clone, PartialEq, Message)]
pub(crate) struct PathStep {
    #[prost(oneof = "Selector", tags = "1, 2, 3")]
    pub(crate) selector: Option<Selector>,
}

/// The attribute or element that a [`PathStep`] leads to.
#[derive(Clone, PartialEq, Oneof)]
pub(crate) enum Selector {
    #[prost(string, tag = "1")]
    AttributeName(String),
    #[prost(string, tag = "2")]
    ElementKeyString(String),
    #[prost(int64, tag = "3")]
    ElementKeyInt(i64),
}

/// A stored state, in the form in which it was written.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct RawState {
    #[prost(bytes = "bytes", tag = "1")]
    pub(crate) json: bytes::Bytes,
    #[prost(btree_map = "string, string", tag = "2")]
    pub(crate) flatmap: std::collections::BTreeMap<String, String>,
}

/// An error of a provider function.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct FunctionError {
    #[prost(string, tag = "1")]
    pub(crate) text: String,
    #[prost(int64, optional, tag = "2")]
    pub(crate) function_argument: Option<i64>,
}

/// The capabilities of a provider.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct ServerCapabilities {
    #[prost(bool, tag = "1")]
    pub(crate) plan_destroy: bool,
    #[prost(bool, tag = "2")]
    pub(crate) get_provider_schema_optional: bool,
    #[prost(bool, tag = "3")]
    pub(crate) move_resource_state: bool,
    #[prost(bool, tag = "4")]
    pub(crate) generate_resource_config: bool,
}

/// What the host can do.
#[derive(Clone, Copy, PartialEq, Message)]
pub(crate) struct ClientCapabilities {
    #[prost(bool, tag = "1")]
    pub(crate) deferral_allowed: bool,
    #[prost(bool, tag = "2")]
    pub(crate) write_only_attributes_allowed: bool,
}

/// Why a change is not planned yet.
#[derive(Clone, Copy, PartialEq, Message)]
pub(crate) struct Deferred {
    #[prost(int32, tag = "1")]
    pub(crate) reason: i32,
}

/// The identity of an object.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct IdentityData {
    #[prost(message, optional, tag = "1")]
    pub(crate) identity_data: Option<DynamicValue>,
}

/// A time, as protocol buffers have it.
#[derive(Clone, Copy, PartialEq, Message)]
pub(crate) struct Timestamp {
    #[prost(int64, tag = "1")]
    pub(crate) seconds: i64,
    #[prost(int32, tag = "2")]
    pub(crate) nanos: i32,
}
