//! Calls about resources and data sources.

use plantime::{Type, Value};

use super::{Server, diagnostics, encoded, implied_type, list};
use crate::diagnostic::{Diagnostic, Diagnostics, Outcome};
use crate::erased::guarded;
use crate::message::{DynamicValue, calls};
use crate::plan::{Change, Plan};
use crate::wire;

impl Server {
    /// Validates the configuration of a resource.
    pub(super) async fn validate_resource(
        &self,
        request: calls::ConfigRequest,
    ) -> calls::DiagnosticsResponse {
        let validated = async {
            let served = self.provider.find_resource(&request.type_name)?;
            let config = wire::decode(request.config.as_ref(), implied_type(&served.schema)?)?;
            guarded(served.item.validate(config)).await
        };
        validation(validated.await)
    }

    /// Validates the configuration of a data source.
    pub(super) async fn validate_data_source(
        &self,
        request: calls::ConfigRequest,
    ) -> calls::DiagnosticsResponse {
        let validated = async {
            let served = self.provider.find_data_source(&request.type_name)?;
            let config = wire::decode(request.config.as_ref(), implied_type(&served.schema)?)?;
            guarded(served.item.validate(config)).await
        };
        validation(validated.await)
    }

    /// Reads a data source.
    pub(super) async fn read_data_source(&self, request: calls::ConfigRequest) -> calls::DataResponse {
        let read = async {
            let served = self.provider.find_data_source(&request.type_name)?;
            let ty = implied_type(&served.schema)?;
            let config = wire::decode(request.config.as_ref(), ty)?;
            Ok(wire::encode(&guarded(served.item.read(config)).await?, ty)?)
        };
        let (state, diagnostics) = split(read.await);
        calls::DataResponse { state, diagnostics }
    }

    /// Reads a stored state with the current schema.
    pub(super) async fn upgrade(&self, request: calls::UpgradeRequest) -> calls::UpgradeResponse {
        let upgraded = async {
            let served = self.provider.find_resource(&request.type_name)?;
            let ty = implied_type(&served.schema)?;
            let stored = request.raw_state.as_ref().map(|raw| &raw.json).filter(|json| !json.is_empty());
            let Some(stored) = stored else {
                return Err("The state is of a version before Terraform 0.12, which is not supported".into());
            };
            let mut state: serde_json::Value = serde_json::from_slice(stored)
                .map_err(|_| Diagnostics::from("The stored state is not JSON"))?;
            if i64::try_from(served.schema.version()) != Ok(request.version) {
                state = guarded(served.item.upgrade(request.version, state)).await?;
            }
            Ok(wire::encode(&wire::fit_state(state, ty)?, ty)?)
        };
        let (upgraded_state, diagnostics) = split(upgraded.await);
        calls::UpgradeResponse { upgraded_state, diagnostics }
    }

    /// Compares a state with reality.
    pub(super) async fn read(&self, request: calls::ReadRequest) -> calls::ReadResponse {
        let read = async {
            let served = self.provider.find_resource(&request.type_name)?;
            let ty = implied_type(&served.schema)?;
            let state = wire::decode(request.current_state.as_ref(), ty)?;
            let state = guarded(served.item.read(state)).await?.unwrap_or_else(|| Value::null(ty.clone()));
            Ok(wire::encode(&state, ty)?)
        };
        let (new_state, diagnostics) = split(read.await);
        // A state that could not be read stays as it was.
        let new_state = new_state.or(request.current_state);
        calls::ReadResponse { new_state, diagnostics, private: request.private }
    }

    /// Plans a change.
    pub(super) async fn plan(&self, request: calls::PlanRequest) -> calls::PlanResponse {
        let private = request.prior_private.clone();
        match self.planned(request).await {
            Ok((planned, plan)) => calls::PlanResponse {
                planned_state: Some(planned),
                requires_replace: plan.requires_replace.iter().filter_map(wire::path).collect(),
                planned_private: private,
                diagnostics: Vec::new(),
            },
            Err(failure) => calls::PlanResponse {
                planned_state: None,
                requires_replace: Vec::new(),
                planned_private: private,
                diagnostics: list(failure.list()),
            },
        }
    }

    /// The plan of a change, and its planned state as a message.
    async fn planned(&self, request: calls::PlanRequest) -> Outcome<(DynamicValue, Plan)> {
        let served = self.provider.find_resource(&request.type_name)?;
        let ty = implied_type(&served.schema)?;
        let change = Change {
            prior: wire::decode(request.prior_state.as_ref(), ty)?,
            proposed: wire::decode(request.proposed_new_state.as_ref(), ty)?,
            config: wire::decode(request.config.as_ref(), ty)?,
        };
        let plan = change.default_plan(&served.schema, &served.item.facts(), &served.item.replaced_by())?;
        let plan = guarded(served.item.plan(change, plan)).await?;
        Ok((wire::encode(&plan.planned, ty)?, plan))
    }

    /// Applies a planned change.
    pub(super) async fn apply(&self, request: calls::ApplyRequest) -> calls::ApplyResponse {
        let private = request.planned_private.clone();
        let prior_state = request.prior_state.clone();
        let (new_state, diagnostics) = self.applied(request).await;
        calls::ApplyResponse { new_state: new_state.or(prior_state), private, diagnostics }
    }

    /// The state after an apply, `None` for the prior one, and the problems.
    async fn applied(
        &self,
        request: calls::ApplyRequest,
    ) -> (Option<DynamicValue>, Vec<crate::message::Diagnostic>) {
        let decoded = || -> Outcome<_> {
            let served = self.provider.find_resource(&request.type_name)?;
            let ty = implied_type(&served.schema)?.clone();
            let prior = wire::decode(request.prior_state.as_ref(), &ty)?;
            let planned = wire::decode(request.planned_state.as_ref(), &ty)?;
            Ok((served, ty, prior, planned))
        };
        let (served, ty, prior, planned) = match decoded() {
            Ok(decoded) => decoded,
            Err(failure) => return (None, list(failure.list())),
        };
        let item = served.item;
        let outcome = if planned.is_null() {
            guarded(item.delete(prior)).await.map(|()| Value::null(ty.clone()))
        } else if prior.is_null() {
            guarded(item.create(planned.clone())).await
        } else {
            guarded(item.update(prior, planned.clone())).await
        };
        match outcome {
            Ok(state) if planned.is_null() || planned.may_become(&state) => encoded(Ok(state), &ty),
            Ok(state) => failed_state(list(&[broken_plan(&planned, &state)]), &state, &ty),
            Err(failure) => match failure.into_parts() {
                (problems, Some(state)) => failed_state(list(&problems), &state, &ty),
                (problems, None) => (None, list(&problems)),
            },
        }
    }

    /// Imports an object.
    pub(super) async fn import(&self, request: calls::ImportRequest) -> calls::ImportResponse {
        let imported = async {
            let served = self.provider.find_resource(&request.type_name)?;
            let ty = implied_type(&served.schema)?;
            Ok(wire::encode(&guarded(served.item.import(request.id)).await?, ty)?)
        };
        let (state, diagnostics) = split(imported.await);
        let resource = |state| calls::ImportedResource {
            type_name: request.type_name.clone(),
            state: Some(state),
            private: bytes::Bytes::new(),
        };
        calls::ImportResponse { imported_resources: state.map(resource).into_iter().collect(), diagnostics }
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
fn split<T>(outcome: Outcome<T>) -> (Option<T>, Vec<crate::message::Diagnostic>) {
    match outcome {
        Ok(value) => (Some(value), Vec::new()),
        Err(failure) => (None, list(failure.list())),
    }
}

/// The state that a failed apply leaves behind: what is unknown in it is stored as null.
fn failed_state(
    mut problems: Vec<crate::message::Diagnostic>,
    state: &Value,
    ty: &Type,
) -> (Option<DynamicValue>, Vec<crate::message::Diagnostic>) {
    let state = wire::nulls_for_unknowns(state).map_err(Diagnostics::from);
    let (state, more) = encoded(state, ty);
    problems.extend(more);
    (state, problems)
}

/// The error for a state that its plan excluded, with the first place where they differ. It shows no values, since these
/// may be sensitive.
fn broken_plan(planned: &Value, state: &Value) -> Diagnostic {
    let mut place = plantime::Path::new();
    planned.walk(|path, part| {
        let deviates = state.get(path).is_ok_and(|actual| !part.may_become(&actual));
        if deviates && path.len() >= place.len() {
            place = path.clone();
        }
        deviates
    });
    Diagnostic::error("The provider did not keep its plan")
        .detail("The value after the apply is none that the planned value may become. This is a bug of the provider.")
        .at(place)
}
