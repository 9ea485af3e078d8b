//! Calls about ephemeral resources.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::{Server, diagnostics, implied_type, list, validation};
use crate::call::Details;
use crate::erased::guarded;
use crate::message::{Timestamp, calls};
use crate::wire;

impl Server {
    /// Validates the configuration of an ephemeral resource.
    pub(super) async fn validate_ephemeral(
        &self,
        request: calls::ConfigRequest,
    ) -> calls::DiagnosticsResponse {
        let validated = async {
            let served = self.provider.find_ephemeral(&request.type_name)?;
            let config = wire::decode(request.config.as_ref(), implied_type(&served.schema)?)?;
            guarded(served.item.validate(config)).await
        };
        validation(validated.await)
    }

    /// Opens an ephemeral resource.
    pub(super) async fn open_ephemeral(&self, request: calls::ConfigRequest) -> calls::OpenResponse {
        let opened = async {
            let served = self.provider.find_ephemeral(&request.type_name)?;
            let ty = implied_type(&served.schema)?;
            let config = wire::decode(request.config.as_ref(), ty)?;
            let details = Details { config: Some(config.clone()), ..Details::of(&served.schema) };
            let call = self.new_call(bytes::Bytes::new()).with(details);
            let opened = guarded(served.item.open(config, call.clone())).await?;
            Ok((wire::encode(&opened.result, ty)?, opened.renew_in, call.to_private()))
        };
        match opened.await {
            Ok((result, renew_in, private)) => calls::OpenResponse {
                diagnostics: Vec::new(),
                renew_at: renew_in.and_then(timestamp),
                result: Some(result),
                private: Some(private),
            },
            Err(failure) => {
                let diagnostics = diagnostics(Some(failure));
                calls::OpenResponse { diagnostics, ..calls::OpenResponse::default() }
            }
        }
    }

    /// Keeps an ephemeral resource for longer.
    pub(super) async fn renew_ephemeral(&self, request: calls::OpenedRequest) -> calls::RenewResponse {
        let call = self.new_call(request.private.clone().unwrap_or_default());
        let renewed = async {
            let served = self.provider.find_ephemeral(&request.type_name)?;
            guarded(served.item.renew(call.clone())).await
        };
        let (renew_in, diagnostics) = match renewed.await {
            Ok(renew_in) => (renew_in, Vec::new()),
            Err(failure) => (None, list(failure.list())),
        };
        let private = Some(call.to_private());
        calls::RenewResponse { diagnostics, renew_at: renew_in.and_then(timestamp), private }
    }

    /// Closes an ephemeral resource.
    pub(super) async fn close_ephemeral(&self, request: calls::OpenedRequest) -> calls::DiagnosticsResponse {
        let call = self.new_call(request.private.unwrap_or_default());
        let closed = async {
            let served = self.provider.find_ephemeral(&request.type_name)?;
            guarded(served.item.close(call)).await
        };
        calls::DiagnosticsResponse { diagnostics: diagnostics(closed.await.err()) }
    }
}

/// The time after this one; `None` for one that no host will live to see.
fn timestamp(after: Duration) -> Option<Timestamp> {
    let time = SystemTime::now().checked_add(after)?.duration_since(UNIX_EPOCH).ok()?;
    let nanos = i32::try_from(time.subsec_nanos()).ok()?;
    Some(Timestamp { seconds: i64::try_from(time.as_secs()).ok()?, nanos })
}
