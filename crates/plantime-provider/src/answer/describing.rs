//! What a provider offers: metadata, schemas, signatures.

use std::collections::BTreeMap;

use plantime::{Error, Result};
use plantime_schema::Schema;
use prost::Message;

use super::Server;
use crate::diagnostic::Diagnostics;
use crate::erased::catch_panic_now;
use crate::grpc::Status;
use crate::handshake::Protocol;
use crate::message::ServerCapabilities;
use crate::message::calls;
use crate::message::schema::{self, v5, v6};
use crate::provider::Provider;
use crate::wire;

impl Server {
    /// The names of everything.
    pub(super) fn metadata(&self) -> calls::MetadataResponse {
        let provider = &self.provider;
        calls::MetadataResponse {
            server_capabilities: Some(capabilities()),
            diagnostics: Vec::new(),
            data_sources: type_names(provider.data_sources.keys()),
            resources: type_names(provider.resources.keys()),
            functions: type_names(provider.functions.keys()),
            ephemeral_resources: type_names(provider.ephemeral_resources.keys()),
        }
    }

    /// All schemas and signatures, in the messages of the protocol; what is wrong with a provider in their place.
    pub(super) fn provider_schema(&self) -> std::result::Result<Vec<u8>, Status> {
        // A host that reads these uses nothing of the provider, and shows them.
        if let Err(wrong) = self.provider.check() {
            let diagnostics = super::list(wrong.list());
            return Ok(match self.protocol {
                Protocol::V5 => v5::ProviderSchema { diagnostics, ..Default::default() }.encode_to_vec(),
                Protocol::V6 => v6::ProviderSchema { diagnostics, ..Default::default() }.encode_to_vec(),
            });
        }
        let message = match self.protocol {
            Protocol::V5 => schema5(&self.provider).map(|schema| schema.encode_to_vec()),
            Protocol::V6 => schema6(&self.provider).map(|schema| schema.encode_to_vec()),
        };
        message.map_err(|error| Status::internal(format!("a schema is not valid: {error}")))
    }

    /// All signatures.
    pub(super) fn functions(&self) -> calls::FunctionsResponse {
        match signatures(&self.provider) {
            Ok(functions) => calls::FunctionsResponse { functions, diagnostics: Vec::new() },
            Err(error) => calls::FunctionsResponse {
                functions: BTreeMap::new(),
                diagnostics: super::diagnostics(Some(Diagnostics::from(error))),
            },
        }
    }
}

/// The capabilities of every provider of this kit: a deletion is planned too, schemas are
/// asked for when needed, and objects may move between resource types.
fn capabilities() -> ServerCapabilities {
    ServerCapabilities {
        plan_destroy: true,
        get_provider_schema_optional: true,
        move_resource_state: true,
        generate_resource_config: false,
    }
}

/// Names as messages.
fn type_names<'a>(names: impl Iterator<Item = &'a String>) -> Vec<calls::TypeName> {
    names.map(|name| calls::TypeName { name: name.clone() }).collect()
}

/// The signatures of all functions.
fn signatures(provider: &Provider) -> Result<BTreeMap<String, schema::Function>> {
    let signature = |(name, function): (&String, &std::sync::Arc<dyn crate::erased::AnyFunction>)| {
        let signature = catch_panic_now(|| function.signature()).map_err(Error::custom)?;
        Ok((name.clone(), wire::schema::function(&signature)?))
    };
    provider.functions.iter().map(signature).collect()
}

/// Converts schemas by name; an error names the schema.
fn schemas<'a, M>(
    schemas: impl Iterator<Item = (&'a String, &'a Schema)>,
    convert: impl Fn(&Schema) -> Result<M>,
) -> Result<BTreeMap<String, M>> {
    let one = |(name, schema): (&'a String, &'a Schema)| match convert(schema) {
        Ok(message) => Ok((name.clone(), message)),
        Err(error) => Err(Error::custom(format!("{name}: {error}"))),
    };
    schemas.map(one).collect()
}

/// Writes the answer to `GetProviderSchema` for one protocol.
macro_rules! provider_schema {
    ($name:ident, $protocol:ident, $convert:path) => {
        /// All schemas as messages of this protocol.
        fn $name(provider: &Provider) -> Result<$protocol::ProviderSchema> {
            let resources = provider.resources.iter().map(|(name, served)| (name, &*served.schema));
            let data_sources = provider.data_sources.iter().map(|(name, served)| (name, &*served.schema));
            let ephemeral = provider.ephemeral_resources.iter().map(|(name, served)| (name, &*served.schema));
            Ok($protocol::ProviderSchema {
                provider: Some($convert(&provider.schema)?),
                resource_schemas: schemas(resources, $convert)?,
                data_source_schemas: schemas(data_sources, $convert)?,
                diagnostics: Vec::new(),
                provider_meta: provider.meta.as_deref().map($convert).transpose()?,
                server_capabilities: Some(capabilities()),
                functions: signatures(provider)?,
                ephemeral_resource_schemas: schemas(ephemeral, $convert)?,
            })
        }
    };
}

provider_schema!(schema5, v5, wire::schema::schema5);
provider_schema!(schema6, v6, wire::schema::schema6);
