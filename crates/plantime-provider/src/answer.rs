//! The calls of a host, by path: one server answers protocol 5 and protocol 6.

mod describing;
mod ephemeral;
mod functions;
mod identity;
mod resources;
#[cfg(test)]
mod tests;

use bytes::Bytes;
use hyper::body::Incoming;
use hyper::{Request, Response};
use plantime::{Type, Value};
use plantime_schema::Schema;
use prost::Message;
use tokio::sync::{Notify, watch};

use crate::call::Call;
use crate::diagnostic::{Diagnostic, Diagnostics, Outcome};
use crate::erased::guarded;
use crate::grpc::{self, ResponseBody, Status};
use crate::handshake::Protocol;
use crate::message;
use crate::message::calls;
use crate::provider::Provider;
use crate::wire;

/// SERVING, of the health service.
const SERVING: i32 = 1;

/// Answers the calls to a provider.
pub(crate) struct Server {
    provider: Provider,
    protocol: Protocol,
    /// Is notified when the host says that it needs the provider no more.
    pub(crate) end: std::sync::Arc<Notify>,
    /// Tells the calls that run when the user interrupts.
    stop: watch::Sender<bool>,
}

impl Server {
    /// A server of this provider.
    pub(crate) fn new(provider: Provider, protocol: Protocol) -> Server {
        let (stop, _) = watch::channel(false);
        Server { provider, protocol, end: std::sync::Arc::new(Notify::new()), stop }
    }

    /// The provider that is served.
    pub(crate) fn provider(&self) -> &Provider {
        &self.provider
    }

    /// What goes with a call that has this private state.
    fn new_call(&self, private: Bytes) -> Call {
        Call::new(private, self.stop.subscribe())
    }

    /// The response to a call.
    pub(crate) async fn answer(&self, request: Request<Incoming>) -> Response<ResponseBody> {
        let path = request.uri().path().to_owned();
        // These streams carry nothing from a provider, and hosts keep them open while it runs.
        if matches!(path.as_str(), "/plugin.GRPCStdio/StreamStdio" | "/plugin.GRPCBroker/StartStream") {
            return grpc::open_response();
        }
        let answer = match grpc::read_message(request.into_body()).await {
            Ok(message) => {
                let started = std::time::Instant::now();
                let answer = self.call(&path, &message).await;
                let took = started.elapsed().as_micros();
                tracing::debug!(
                    call = path,
                    request_bytes = message.len(),
                    microseconds = took as u64,
                    "answered"
                );
                answer
            }
            Err(status) => Err(status),
        };
        answer.and_then(|message| grpc::message_response(&message)).unwrap_or_else(|status| status.response())
    }

    /// The answer to the one message of a call.
    pub(crate) async fn call(&self, path: &str, message: &[u8]) -> Result<Vec<u8>, Status> {
        match path {
            "/grpc.health.v1.Health/Check" => {
                return Ok(calls::HealthResponse { status: SERVING }.encode_to_vec());
            }
            "/plugin.GRPCController/Shutdown" => {
                self.end.notify_one();
                return Ok(Vec::new());
            }
            _ => {}
        }
        let method =
            path.strip_prefix("/tfplugin6.Provider/").or_else(|| path.strip_prefix("/tfplugin5.Provider/"));
        match method.unwrap_or_default() {
            "GetMetadata" => Ok(self.metadata().encode_to_vec()),
            "GetProviderSchema" | "GetSchema" => self.provider_schema(),
            "GetFunctions" => Ok(self.functions().encode_to_vec()),
            "CallFunction" => Ok(self.call_function(read(message)?).await.encode_to_vec()),
            "ValidateProviderConfig" | "PrepareProviderConfig" => {
                Ok(self.validate_provider(read(message)?).await.encode_to_vec())
            }
            "ConfigureProvider" | "Configure" => Ok(self.configure(read(message)?).await.encode_to_vec()),
            "ValidateResourceConfig" | "ValidateResourceTypeConfig" => {
                Ok(self.validate_resource(read(message)?).await.encode_to_vec())
            }
            "ValidateDataResourceConfig" | "ValidateDataSourceConfig" => {
                Ok(self.validate_data_source(read(message)?).await.encode_to_vec())
            }
            "UpgradeResourceState" => Ok(self.upgrade(read(message)?).await.encode_to_vec()),
            "ReadResource" => Ok(self.read(read(message)?).await.encode_to_vec()),
            "PlanResourceChange" => Ok(self.plan(read(message)?).await.encode_to_vec()),
            "ApplyResourceChange" => Ok(self.apply(read(message)?).await.encode_to_vec()),
            "ImportResourceState" => Ok(self.import(read(message)?).await.encode_to_vec()),
            "ReadDataSource" => Ok(self.read_data_source(read(message)?).await.encode_to_vec()),
            "MoveResourceState" => Ok(self.take_over(read(message)?).await.encode_to_vec()),
            "GetResourceIdentitySchemas" => Ok(self.identity_schemas().encode_to_vec()),
            "UpgradeResourceIdentity" => Ok(self.upgrade_identity(read(message)?).encode_to_vec()),
            "ValidateEphemeralResourceConfig" => {
                Ok(self.validate_ephemeral(read(message)?).await.encode_to_vec())
            }
            "OpenEphemeralResource" => Ok(self.open_ephemeral(read(message)?).await.encode_to_vec()),
            "RenewEphemeralResource" => Ok(self.renew_ephemeral(read(message)?).await.encode_to_vec()),
            "CloseEphemeralResource" => Ok(self.close_ephemeral(read(message)?).await.encode_to_vec()),
            "StopProvider" | "Stop" => {
                self.stop.send_replace(true);
                Ok(calls::Empty {}.encode_to_vec())
            }
            _ => Err(Status::unimplemented(path)),
        }
    }

    /// Answers whether the configuration of the provider is valid. Protocol 5 wants it back.
    async fn validate_provider(
        &self,
        request: calls::ProviderConfigRequest,
    ) -> calls::ProviderConfigResponse {
        let validated = async {
            let Some(validate) = &self.provider.validate else { return Ok(Vec::new()) };
            let config = wire::decode(request.config.as_ref(), implied_type(&self.provider.schema)?)?;
            // Its beginning, which does not wait, may panic too.
            let validate = std::sync::Arc::clone(validate);
            guarded(async move { validate(config).await }).await
        };
        let diagnostics = validation(validated.await).diagnostics;
        let prepared_config = request.config.filter(|_| self.protocol == Protocol::V5);
        calls::ProviderConfigResponse { prepared_config, diagnostics }
    }

    /// Configures the provider.
    async fn configure(&self, request: calls::ConfigureRequest) -> calls::DiagnosticsResponse {
        let configured = async {
            let Some(configure) = &self.provider.configure else { return Ok(()) };
            let config = wire::decode(request.config.as_ref(), implied_type(&self.provider.schema)?)?;
            // Its beginning, which does not wait, may panic too.
            let configure = std::sync::Arc::clone(configure);
            guarded(async move { configure(config).await }).await
        };
        calls::DiagnosticsResponse { diagnostics: diagnostics(configured.await.err()) }
    }
}

/// Reads the message of a request.
fn read<M: Message + Default>(message: &[u8]) -> Result<M, Status> {
    M::decode(message).map_err(|_| Status::invalid("the request is not a message of this method"))
}

/// The type of values of a schema.
fn implied_type(schema: &Schema) -> Outcome<&Type> {
    Ok(schema.implied_type()?)
}

/// The problems of a failure as messages; none of a success.
fn diagnostics(failure: Option<Diagnostics>) -> Vec<message::Diagnostic> {
    failure.map(|failure| list(failure.list())).unwrap_or_default()
}

/// Diagnostics as messages.
fn list(list: &[Diagnostic]) -> Vec<message::Diagnostic> {
    list.iter().map(wire::diagnostic).collect()
}

/// A value as a message, and the problem where there is none.
fn encoded(value: Outcome<Value>, ty: &Type) -> (Option<message::DynamicValue>, Vec<message::Diagnostic>) {
    match value.and_then(|value| Ok(wire::encode(&value, ty)?)) {
        Ok(value) => (Some(value), Vec::new()),
        Err(failure) => (None, list(failure.list())),
    }
}

/// The answer to a validation.
fn validation(validated: Outcome<Vec<Diagnostic>>) -> calls::DiagnosticsResponse {
    let diagnostics = match validated {
        Ok(found) => list(&found),
        Err(failure) => diagnostics(Some(failure)),
    };
    calls::DiagnosticsResponse { diagnostics }
}

/// The message of an outcome, and its problems.
fn split<T>(outcome: Outcome<T>) -> (Option<T>, Vec<message::Diagnostic>) {
    match outcome {
        Ok(value) => (Some(value), Vec::new()),
        Err(failure) => (None, list(failure.list())),
    }
}
