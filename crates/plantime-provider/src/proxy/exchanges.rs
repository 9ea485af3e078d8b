//! What the proxy does with calls: it reads those about facts and those to be recorded.

#[cfg(test)]
mod tests;

use std::sync::Arc;

use bytes::Bytes;
use tokio::sync::Notify;
use tracing::Level;

use super::amend;
use super::log::log;
use super::record::Recorder;
use super::relay::{Exchange, Interest, Observer};
use super::resources::Resources;
use crate::diagnostic::Severity;
use crate::grpc;

/// The methods that take one message and give one. The messages of all others pass as they come: some are streams, and of a method
/// that is not known it cannot be told.
const UNARY: [&str; 38] = [
    "ApplyResourceChange",
    "CallFunction",
    "CloseEphemeralResource",
    "Configure",
    "ConfigureProvider",
    "ConfigureStateStore",
    "DeleteState",
    "GenerateResourceConfig",
    "GetFunctions",
    "GetMetadata",
    "GetProviderSchema",
    "GetResourceIdentitySchemas",
    "GetSchema",
    "GetStates",
    "ImportResourceState",
    "LockState",
    "MoveResourceState",
    "OpenEphemeralResource",
    "PlanAction",
    "PlanResourceChange",
    "PrepareProviderConfig",
    "ReadDataSource",
    "ReadResource",
    "RenewEphemeralResource",
    "Stop",
    "StopProvider",
    "UnlockState",
    "UpgradeResourceIdentity",
    "UpgradeResourceState",
    "ValidateActionConfig",
    "ValidateDataResourceConfig",
    "ValidateDataSourceConfig",
    "ValidateEphemeralResourceConfig",
    "ValidateListResourceConfig",
    "ValidateProviderConfig",
    "ValidateResourceConfig",
    "ValidateResourceTypeConfig",
    "ValidateStateStoreConfig",
];

/// Decides about calls, and what becomes of their answers.
pub(super) struct Exchanges {
    resources: Resources,
    on_broken: Severity,
    recorder: Option<Recorder>,
    /// Is notified when the host has said goodbye.
    pub(super) end: Notify,
}

impl Exchanges {
    pub(super) fn new(resources: Resources, on_broken: Severity, recorder: Option<Recorder>) -> Exchanges {
        Exchanges { resources, on_broken, recorder, end: Notify::new() }
    }

    /// The answer for the host, and whether it is another one than the provider's.
    pub(super) async fn finish(self: Arc<Self>, exchange: Exchange) -> (Bytes, bool) {
        let Exchange { path, request, answer, .. } = exchange;
        let (asked, answered) = (grpc::unframe(request).ok(), grpc::unframe(answer.clone()).ok());
        if let Some(recorder) = &self.recorder {
            recorder.exchange(&self.resources, &path, asked.as_ref(), answered.as_ref()).await;
        }
        let (Some(request), Some(message)) = (&asked, &answered) else { return (answer, false) };
        let amended = match method(&path) {
            "PlanResourceChange" => amend::plan(&self.resources, request, message).await,
            "ApplyResourceChange" => amend::apply(&self.resources, self.on_broken, request, message).await,
            _ => None,
        };
        fitting(amended, answer)
    }
}

/// The answer for the host: the amended message, or the answer as it was where there is none or it is longer than hosts take.
fn fitting(amended: Option<Bytes>, answer: Bytes) -> (Bytes, bool) {
    let Some(message) = amended else { return (answer, false) };
    if message.len() <= grpc::MESSAGE_BYTES
        && let Ok(frame) = grpc::frame(&message)
    {
        return (frame, true);
    }
    log(Level::WARN, || "an answer passes as it was: with what was to be added, it is too long".to_owned());
    (answer, false)
}

impl Observer for Arc<Exchanges> {
    fn interest(&self, path: &str) -> Interest {
        let method = method(path);
        if let Some(recorder) = self.recorder.as_ref().filter(|_| !method.is_empty()) {
            if UNARY.contains(&method) {
                return Interest::Everything;
            }
            recorder.call(path);
        }
        if self.resources.has_knowledge() && matches!(method, "PlanResourceChange" | "ApplyResourceChange") {
            return Interest::OfType;
        }
        Interest::Nothing
    }

    fn is_of_interest(&self, type_name: &str) -> bool {
        !self.resources.facts(type_name).is_empty()
    }

    fn unanswered(&self, text: &str) {
        // Of this status hosts show that the plugin did not respond, and not its text.
        log(Level::ERROR, || text.to_owned());
    }
}

/// The name of a provider's method; empty for other calls.
fn method(path: &str) -> &str {
    let of = |prefix| path.strip_prefix(prefix);
    of("/tfplugin6.Provider/").or_else(|| of("/tfplugin5.Provider/")).unwrap_or_default()
}
