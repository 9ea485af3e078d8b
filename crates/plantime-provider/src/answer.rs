//! The calls of a host, by path: one server answers protocol 5 and protocol 6.

mod describing;
mod ephemeral;
mod functions;
mod identity;
mod resources;
mod returned;
#[cfg(test)]
mod tests;

use std::sync::{Mutex, PoisonError};

use bytes::Bytes;
use hyper::body::Incoming;
use hyper::{Request, Response};
use plantime::rule::Validators;
use plantime::{Type, Value};
use plantime_schema::Schema;
use prost::Message;
use tokio::sync::{Notify, watch};

use crate::call::{Call, Data, Details};
use crate::diagnostic::{Diagnostic, Diagnostics, Outcome, Severity};
use crate::erased::guarded;
use crate::grpc::{self, ResponseBody, Status};
use crate::handshake::Protocol;
use crate::message;
use crate::message::calls;
use crate::plan::{diagnostic, errors, hidden, problems};
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
    /// What the configuration of the provider left for its resources.
    data: Mutex<Option<Data>>,
}

impl Server {
    /// A server of this provider.
    pub(crate) fn new(provider: Provider, protocol: Protocol) -> Server {
        let (stop, _) = watch::channel(false);
        Server { provider, protocol, end: std::sync::Arc::new(Notify::new()), stop, data: Mutex::default() }
    }

    /// The provider that is served.
    pub(crate) fn provider(&self) -> &Provider {
        &self.provider
    }

    /// What goes with a call that has this private state.
    fn new_call(&self, private: Bytes) -> Call {
        let data = self.data.lock().unwrap_or_else(PoisonError::into_inner).clone();
        Call::of_host(private, self.stop.subscribe(), data)
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
                tracing::debug!(call = path, microseconds = took as u64, "answered");
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
            let schema = &self.provider.schema;
            let config = wire::decode(request.config.as_ref(), implied_type(schema)?)?;
            let found = problems_before(schema, self.provider.validators.as_ref(), &config)?;
            let Some(validate) = &self.provider.validate else { return Ok(found) };
            // Its beginning, which does not wait, may panic too.
            let validate = std::sync::Arc::clone(validate);
            Ok(and_own(found, "validated", || async move { validate(config).await }).await)
        };
        let diagnostics = validation(validated.await).diagnostics;
        let prepared_config = request.config.filter(|_| self.protocol == Protocol::V5);
        calls::ProviderConfigResponse { prepared_config, diagnostics }
    }

    /// Configures the provider.
    async fn configure(&self, request: calls::ConfigureRequest) -> calls::DiagnosticsResponse {
        let call = self.new_call(Bytes::new());
        let configured = async {
            let schema = &self.provider.schema;
            let config = wire::decode(request.config.as_ref(), implied_type(schema)?)?;
            errors(schema, None, &config)?;
            let Some(configure) = &self.provider.configure else { return Ok(None) };
            // Its beginning, which does not wait, may panic too.
            let configure = std::sync::Arc::clone(configure);
            let call = call.with(Details { config: Some(config.clone()), ..Details::of(schema) });
            guarded("configured", async move { configure(config, call).await }).await.map(Some)
        };
        let configured = configured.await;
        let diagnostics = with_warnings(list(&call.warnings()), configured.as_ref().err());
        if let Ok(Some(data)) = configured {
            *self.data.lock().unwrap_or_else(PoisonError::into_inner) = Some(data);
        }
        calls::DiagnosticsResponse { diagnostics }
    }
}

/// What the schema, and rules on the whole, find in a configuration before any code of the author sees it.
fn problems_before(
    schema: &Schema,
    validators: Option<&Validators>,
    config: &Value,
) -> Outcome<Vec<Diagnostic>> {
    let mut found = problems(schema, None, config)?;
    if let Some(validators) = validators {
        let validated = validators.check(&hidden(schema, config)?, None);
        let validated = validated.map_err(|misuse| Diagnostics::from(misuse.message().to_owned()))?;
        found.extend(validated.diagnostics.iter().map(diagnostic));
    }
    Ok(found)
}

/// What was found, and where it allows the configuration, what the author's code finds.
async fn and_own<F>(mut found: Vec<Diagnostic>, method: &str, own: impl FnOnce() -> F) -> Vec<Diagnostic>
where
    F: Future<Output = Outcome<Vec<Diagnostic>>> + Send + 'static,
{
    if found.iter().all(|one| one.severity != Severity::Error) {
        match guarded(method, own()).await {
            Ok(more) => found.extend(more),
            Err(failure) => found.extend(failure.into_parts().0),
        }
    }
    found
}

/// The warnings of a call and the problems of its failure.
fn with_warnings(
    mut warnings: Vec<message::Diagnostic>,
    failure: Option<&Diagnostics>,
) -> Vec<message::Diagnostic> {
    warnings.extend(failure.into_iter().flat_map(|failure| list(failure.list())));
    warnings
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
