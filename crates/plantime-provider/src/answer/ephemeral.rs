//! Calls about ephemeral resources.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::returned::{self, Returned};
use super::{Server, and_own, implied_type, list, problems_before, validation, with_warnings};
use crate::call::Details;
use crate::erased::{guarded, guarded_now};
use crate::message::{Timestamp, calls};
use crate::plan::errors;
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
            let validators = guarded_now(|| served.item.validators())?;
            let found = problems_before(&served.schema, validators.as_ref(), &config)?;
            Ok(and_own(found, "validate", || served.item.validate(config)).await)
        };
        validation(validated.await)
    }

    /// Opens an ephemeral resource.
    pub(super) async fn open_ephemeral(&self, request: calls::ConfigRequest) -> calls::OpenResponse {
        let call = self.new_call(bytes::Bytes::new());
        let opened = async {
            let served = self.provider.find_ephemeral(&request.type_name)?;
            let ty = implied_type(&served.schema)?;
            let config = wire::decode(request.config.as_ref(), ty)?;
            errors(&served.schema, None, &config)?;
            let details = Details { config: Some(config.clone()), ..Details::of(&served.schema) };
            let call = call.with(details);
            let opened = guarded("open", served.item.open(config, call.clone())).await?;
            returned::known(
                &self.provider,
                &request.type_name,
                &served.schema,
                &opened.result,
                Returned::Opened,
            )?;
            Ok((wire::encode(&opened.result, ty)?, opened.renew_in, call.to_private()))
        };
        let opened = opened.await;
        let warnings = list(&call.warnings());
        match opened {
            Ok((result, renew_in, private)) => calls::OpenResponse {
                diagnostics: warnings,
                renew_at: renew_in.and_then(timestamp),
                result: Some(result),
                private: Some(private),
            },
            Err(failure) => {
                let diagnostics = with_warnings(warnings, Some(&failure));
                calls::OpenResponse { diagnostics, ..calls::OpenResponse::default() }
            }
        }
    }

    /// Keeps an ephemeral resource for longer.
    pub(super) async fn renew_ephemeral(&self, request: calls::OpenedRequest) -> calls::RenewResponse {
        let call = self.new_call(request.private.clone().unwrap_or_default());
        let renewed = async {
            let served = self.provider.find_ephemeral(&request.type_name)?;
            guarded("renew", served.item.renew(call.clone())).await
        };
        let renewed = renewed.await;
        let diagnostics = with_warnings(list(&call.warnings()), renewed.as_ref().err());
        let renew_in = renewed.ok().flatten();
        let private = Some(call.to_private());
        calls::RenewResponse { diagnostics, renew_at: renew_in.and_then(timestamp), private }
    }

    /// Closes an ephemeral resource.
    pub(super) async fn close_ephemeral(&self, request: calls::OpenedRequest) -> calls::DiagnosticsResponse {
        let call = self.new_call(request.private.unwrap_or_default());
        let closed = async {
            let served = self.provider.find_ephemeral(&request.type_name)?;
            guarded("close", served.item.close(call.clone())).await
        };
        let closed = closed.await;
        let diagnostics = with_warnings(list(&call.warnings()), closed.as_ref().err());
        calls::DiagnosticsResponse { diagnostics }
    }
}

/// The time after this one; `None` for one that no host will live to see.
fn timestamp(after: Duration) -> Option<Timestamp> {
    let time = SystemTime::now().checked_add(after)?.duration_since(UNIX_EPOCH).ok()?;
    let nanos = i32::try_from(time.subsec_nanos()).ok()?;
    Some(Timestamp { seconds: i64::try_from(time.as_secs()).ok()?, nanos })
}
