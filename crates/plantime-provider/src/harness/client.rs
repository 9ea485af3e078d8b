//! Calls of the provider in process.

use std::sync::Arc;

use bytes::Bytes;
use plantime::{Type, Value};
use plantime_schema::Schema;
use prost::Message;

use super::Harness;
use super::report::Findings;
use crate::answer::Server;
use crate::handshake::Protocol;
use crate::message::DynamicValue;
use crate::message::calls::Empty;
use crate::raw;
use crate::wire::{self, read_schema};

/// Changes the answer of a method: for faults that the kit does not let happen.
#[cfg(test)]
pub(super) type Tamper = fn(&str, Vec<u8>) -> Vec<u8>;

/// Calls a provider with the messages of one protocol.
pub(super) struct Client {
    server: Server,
    protocol: Protocol,
    #[cfg(test)]
    tamper: Option<Tamper>,
}

/// Where the answer to `GetProviderSchema` has the schemas of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SchemaKind {
    Provider,
    Resource,
    DataSource,
    Ephemeral,
}

impl Client {
    /// A client of the provider of a harness.
    pub(super) fn new(harness: &Harness) -> Client {
        Client {
            server: Server::new(harness.provider.clone(), harness.protocol),
            protocol: harness.protocol,
            #[cfg(test)]
            tamper: harness.tamper,
        }
    }

    /// The provider that is called.
    pub(super) fn provider(&self) -> &crate::Provider {
        self.server.provider()
    }

    /// The answer to a call; `None` for one that failed, which is reported.
    pub(super) async fn call<A: Message + Default>(
        &self,
        found: &mut Findings,
        method: &str,
        request: &impl Message,
    ) -> Option<A> {
        let read = A::decode(self.call_bytes(found, method, request).await?);
        if read.is_err() {
            found.add(method, "the answer is not a message of this method");
        }
        read.ok()
    }

    /// The answer to a call as bytes.
    pub(super) async fn call_bytes(
        &self,
        found: &mut Findings,
        method: &str,
        request: &impl Message,
    ) -> Option<Bytes> {
        found.calls = found.calls.saturating_add(1);
        let path = format!("/tfplugin{}.Provider/{}", self.protocol.number(), self.spelled(method));
        let answer = match self.server.call(&path, &request.encode_to_vec()).await {
            Ok(answer) => answer,
            Err(status) => {
                found.add(method, format!("no answer: {}", status.text()));
                return None;
            }
        };
        #[cfg(test)]
        let answer = match self.tamper {
            Some(tamper) => tamper(method, answer),
            None => answer,
        };
        Some(Bytes::from(answer))
    }

    /// The name of a method in the protocol: some have another one in protocol 5.
    fn spelled<'a>(&self, method: &'a str) -> &'a str {
        match (self.protocol, method) {
            (Protocol::V5, "GetProviderSchema") => "GetSchema",
            (Protocol::V5, "ValidateProviderConfig") => "PrepareProviderConfig",
            (Protocol::V5, "ConfigureProvider") => "Configure",
            (Protocol::V5, "ValidateResourceConfig") => "ValidateResourceTypeConfig",
            (Protocol::V5, "ValidateDataResourceConfig") => "ValidateDataSourceConfig",
            _ => method,
        }
    }

    /// The schemas of a kind, by name, from the answer to `GetProviderSchema`; reports those that cannot be read.
    pub(super) fn schemas(
        &self,
        found: &mut Findings,
        answer: &Bytes,
        kind: SchemaKind,
    ) -> Vec<(String, Schema)> {
        let number = match kind {
            SchemaKind::Provider => {
                let schema = raw::content(answer, 1)
                    .and_then(|message| read_schema::schema(message, self.protocol).ok());
                return schema.map(|schema| (String::new(), schema)).into_iter().collect();
            }
            SchemaKind::Resource => 2,
            SchemaKind::DataSource => 3,
            SchemaKind::Ephemeral => 8,
        };
        let entries =
            raw::fields(answer).unwrap_or_default().into_iter().filter(|field| field.number == number);
        let mut schemas = Vec::new();
        for entry in entries.filter_map(|field| field.content) {
            let name = raw::text(&entry, 1);
            let schema = raw::content(&entry, 2).map(|message| read_schema::schema(message, self.protocol));
            match schema {
                Some(Ok(schema)) => schemas.push((name, schema)),
                Some(Err(error)) => found.add("GetProviderSchema", format!("{name}: {error}")),
                None => found.add("GetProviderSchema", format!("{name} has no schema")),
            }
        }
        schemas
    }

    /// The schema of one name, and its type.
    pub(super) async fn schema(
        &self,
        found: &mut Findings,
        kind: SchemaKind,
        name: &str,
    ) -> Option<(Arc<Schema>, Type)> {
        let answer = self.call_bytes(found, "GetProviderSchema", &Empty {}).await?;
        let schemas = self.schemas(found, &answer, kind);
        let Some((_, schema)) = schemas.into_iter().find(|(of, _)| of == name) else {
            found.add("GetProviderSchema", "the provider has no schema of this name");
            return None;
        };
        let ty = schema.implied_type().ok()?.clone();
        Some((Arc::new(schema), ty))
    }
}

/// A value as a message.
pub(super) fn sent(value: &Value, ty: &Type) -> Option<DynamicValue> {
    wire::encode(value, ty).ok()
}

/// The value in an answer; reports one that does not have its type.
pub(super) fn received(
    found: &mut Findings,
    call: &str,
    value: Option<&DynamicValue>,
    ty: &Type,
) -> Option<Value> {
    match wire::decode(value, ty) {
        Ok(value) => Some(value),
        Err(error) => {
            found.add_error(call, &error);
            None
        }
    }
}
