//! Calls about resources and data sources.

use std::sync::Arc;

use bytes::Bytes;
use plantime::{Path, Type, Value};
use tokio::time::Instant;

use super::identity::{self, identity_of};
use super::{Server, encoded, implied_type, list, split, validation};
use crate::call::{Call, Details};
use crate::diagnostic::{Diagnostic, Diagnostics, Outcome};
use crate::erased::{AnyResource, guarded, guarded_now};
use crate::message::{Deferred, DynamicValue, IdentityData, RawState, calls};
use crate::plan::{Change, problems, write_only};
use crate::provider::Served;
use crate::resource::MoveSource;
use crate::timeouts::{self, Operation};
use crate::wire;

impl Server {
    /// Validates the configuration of a resource.
    pub(super) async fn validate_resource(
        &self,
        request: calls::ResourceConfigRequest,
    ) -> calls::DiagnosticsResponse {
        let validated = async {
            let served = self.provider.find_resource(&request.type_name)?;
            let config = wire::decode(request.config.as_ref(), implied_type(&served.schema)?)?;
            let mut found = timeouts::check(&config);
            if !request.client_capabilities.is_some_and(|host| host.write_only_attributes_allowed) {
                found.extend(write_only(&served.schema, &config)?.into_iter().map(not_offered));
            }
            let (item, schema, own) = (Arc::clone(&served.item), Arc::clone(&served.schema), config.clone());
            let of_rules = async move {
                let behaviours = item.behaviours();
                behaviours.map_or(Ok(Vec::new()), |behaviours| problems(&schema, &behaviours, &own))
            };
            found.extend(guarded(of_rules).await?);
            found.extend(guarded(served.item.validate(config)).await?);
            Ok(found)
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
            let mut found = timeouts::check(&config);
            found.extend(guarded(served.item.validate(config)).await?);
            Ok(found)
        };
        validation(validated.await)
    }

    /// Reads a data source.
    pub(super) async fn read_data_source(&self, request: calls::ConfigRequest) -> calls::DataResponse {
        let read = async {
            let served = self.provider.find_data_source(&request.type_name)?;
            let ty = implied_type(&served.schema)?;
            let config = wire::decode(request.config.as_ref(), ty)?;
            let time = match timeouts::configured_timeout(&config, Operation::Read) {
                Some(time) => time,
                None => guarded_now(|| served.item.timeout())?,
            };
            let call = self.new_call(Bytes::new()).with(Details {
                deadline: Instant::now().checked_add(time),
                config: Some(config.clone()),
                ..Details::of(&served.schema)
            });
            Ok(wire::encode(&guarded(served.item.read(config, call)).await?, ty)?)
        };
        let (state, diagnostics) = split(read.await);
        calls::DataResponse { state, diagnostics }
    }

    /// Reads a stored state with the current schema.
    pub(super) async fn upgrade(&self, request: calls::UpgradeRequest) -> calls::UpgradeResponse {
        let upgraded = async {
            let served = self.provider.find_resource(&request.type_name)?;
            let ty = implied_type(&served.schema)?;
            let mut state = stored_json(request.raw_state.as_ref())?;
            if i64::try_from(served.schema.version()) != Ok(request.version) {
                let item = Arc::clone(&served.item);
                state = guarded(async move { item.upgrade(request.version, state) }).await?;
            }
            Ok(wire::encode(&wire::fit_state(state, ty)?, ty)?)
        };
        let (upgraded_state, diagnostics) = split(upgraded.await);
        calls::UpgradeResponse { upgraded_state, diagnostics }
    }

    /// Compares a state with reality.
    pub(super) async fn read(&self, request: calls::ReadRequest) -> calls::ReadResponse {
        let call = self.new_call(request.private.clone());
        let read = async {
            let served = self.provider.find_resource(&request.type_name)?;
            let ty = implied_type(&served.schema)?;
            let state = wire::decode(request.current_state.as_ref(), ty)?;
            let details = details(&served, &state, Operation::Read, None)?;
            let call = call.with(details);
            let state = guarded(Arc::clone(&served.item).read(state, call.clone())).await?;
            let state = state.unwrap_or_else(|| Value::null(ty.clone()));
            let identity = identity_of(&served, &state)?;
            Outcome::Ok((wire::encode(&state, ty)?, identity, call.to_private()))
        };
        match read.await {
            Ok((state, identity, private)) => calls::ReadResponse {
                new_state: Some(state),
                diagnostics: Vec::new(),
                private,
                new_identity: identity.or(request.current_identity),
            },
            // A state that could not be read stays as it was.
            Err(failure) => calls::ReadResponse {
                new_state: request.current_state,
                diagnostics: list(failure.list()),
                private: request.private,
                new_identity: request.current_identity,
            },
        }
    }

    /// Plans a change.
    pub(super) async fn plan(&self, request: calls::PlanRequest) -> calls::PlanResponse {
        let private = request.prior_private.clone();
        match self.plan_response(request).await {
            Ok(response) => response,
            Err(failure) => calls::PlanResponse {
                planned_private: private,
                diagnostics: list(failure.list()),
                ..calls::PlanResponse::default()
            },
        }
    }

    /// Plans a change, and builds the response from the plan.
    async fn plan_response(&self, request: calls::PlanRequest) -> Outcome<calls::PlanResponse> {
        let served = self.provider.find_resource(&request.type_name)?;
        let ty = implied_type(&served.schema)?;
        let change = Change {
            prior: wire::decode(request.prior_state.as_ref(), ty)?,
            proposed: wire::decode(request.proposed_new_state.as_ref(), ty)?,
            config: wire::decode(request.config.as_ref(), ty)?,
        };
        let may_defer = request.client_capabilities.is_some_and(|host| host.deferral_allowed);
        let call = self.new_call(request.prior_private).with(Details {
            config: Some(change.config.clone()),
            may_defer,
            ..Details::of(&served.schema)
        });
        let (asked, item, schema) = (change.clone(), Arc::clone(&served.item), Arc::clone(&served.schema));
        let plan = guarded(async move { asked.first_plan(&schema, &*item) }).await?;
        let plan = guarded(Arc::clone(&served.item).plan(change, plan, call.clone())).await?;
        let deferred = plan.deferred.map(|deferral| Deferred { reason: deferral.number() });
        if deferred.is_some() && !may_defer {
            return Err(Diagnostic::error("The change cannot be planned yet")
                .detail("The provider wants to defer it, which this version of the host does not offer. Apply first what it depends on.")
                .into());
        }
        let planned_identity = identity_of(&served, &plan.planned)?.or(request.prior_identity);
        Ok(calls::PlanResponse {
            planned_state: Some(wire::encode(&plan.planned, ty)?),
            requires_replace: plan.requires_replace.iter().filter_map(wire::path).collect(),
            planned_private: call.to_private(),
            diagnostics: Vec::new(),
            deferred,
            planned_identity,
        })
    }

    /// Applies a planned change.
    pub(super) async fn apply(&self, request: calls::ApplyRequest) -> calls::ApplyResponse {
        let (prior_state, planned_identity) = (request.prior_state.clone(), request.planned_identity.clone());
        let call = self.new_call(request.planned_private.clone());
        let applied = self.applied(request, call).await;
        calls::ApplyResponse {
            new_state: applied.state.or(prior_state),
            private: applied.private,
            diagnostics: applied.problems,
            new_identity: applied.identity.or(planned_identity),
        }
    }

    /// What an apply leaves behind.
    async fn applied(&self, request: calls::ApplyRequest, call: Call) -> Applied {
        let decoded = || -> Outcome<_> {
            let served = self.provider.find_resource(&request.type_name)?;
            let ty = implied_type(&served.schema)?.clone();
            let prior = wire::decode(request.prior_state.as_ref(), &ty)?;
            let planned = wire::decode(request.planned_state.as_ref(), &ty)?;
            let config = wire::decode(request.config.as_ref(), &ty)?;
            Ok((served, ty, prior, planned, config))
        };
        let (served, ty, prior, planned, config) = match decoded() {
            Ok(decoded) => decoded,
            Err(failure) => return Applied::failed(&failure, &call),
        };
        let item = Arc::clone(&served.item);
        let (operation, object) = match (planned.is_null(), prior.is_null()) {
            (true, _) => (Operation::Delete, &prior),
            (false, true) => (Operation::Create, &planned),
            (false, false) => (Operation::Update, &planned),
        };
        let call = match details(&served, object, operation, Some(config)) {
            Ok(details) => call.with(details),
            Err(failure) => return Applied::failed(&failure, &call),
        };
        let outcome = match operation {
            Operation::Delete => {
                guarded(item.delete(prior, call.clone())).await.map(|()| Value::null(ty.clone()))
            }
            Operation::Create => guarded(item.create(planned.clone(), call.clone())).await,
            _ => guarded(item.update(prior, planned.clone(), call.clone())).await,
        };
        let (value, (state, mut problems)) = match outcome {
            Ok(state) if planned.is_null() || !self.provider.checks_applies || planned.may_become(&state) => {
                let encoded = encoded(Ok(state.clone()), &ty);
                (Some(state), encoded)
            }
            Ok(state) => {
                let broken = list(&[broken_plan(&planned, &state)]);
                let stored = failed_state(broken, &state, &ty);
                (Some(state), stored)
            }
            Err(failure) => match failure.into_parts() {
                (problems, Some(state)) => {
                    let stored = failed_state(list(&problems), &state, &ty);
                    (Some(state), stored)
                }
                (problems, None) => (None, (None, list(&problems))),
            },
        };
        // What was created must not be lost because its value is not one of the schema.
        let state = match (state, &value) {
            (None, Some(value)) if operation == Operation::Create => salvaged(value, &planned, &ty),
            (state, _) => state,
        };
        // Nor because of its identity.
        let identity = match value.as_ref().map(|value| identity_of(&served, value)).transpose() {
            Ok(identity) => identity.flatten(),
            Err(error) => {
                let warning = Diagnostic::warning("The object has no identity").detail(error.to_string());
                problems.extend(list(&[warning]));
                None
            }
        };
        Applied { state, private: call.to_private(), identity, problems }
    }

    /// Imports an object.
    pub(super) async fn import(&self, request: calls::ImportRequest) -> calls::ImportResponse {
        let call = self.new_call(Bytes::new());
        let imported = async {
            let served = self.provider.find_resource(&request.type_name)?;
            let ty = implied_type(&served.schema)?;
            let call = call.with(Details::of(&served.schema));
            let given = request.identity.as_ref().and_then(|identity| identity.identity_data.as_ref());
            let state = match given {
                Some(identity) => {
                    let identity = wire::decode(Some(identity), &identity::value_type(&served)?)?;
                    guarded(Arc::clone(&served.item).import_by_identity(identity, call.clone())).await?
                }
                None => guarded(Arc::clone(&served.item).import(request.id, call.clone())).await?,
            };
            let identity = identity_of(&served, &state)?.or(request.identity);
            Ok((wire::encode(&state, ty)?, identity, call.to_private()))
        };
        let (imported, diagnostics) = split(imported.await);
        let resource = |(state, identity, private)| calls::ImportedResource {
            type_name: request.type_name.clone(),
            state: Some(state),
            private,
            identity,
        };
        calls::ImportResponse {
            imported_resources: imported.map(resource).into_iter().collect(),
            diagnostics,
        }
    }

    /// Takes an object of another resource type over.
    pub(super) async fn take_over(&self, request: calls::MoveRequest) -> calls::MoveResponse {
        let moved = async {
            let served = self.provider.find_resource(&request.target_type_name)?;
            let ty = implied_type(&served.schema)?;
            let source = MoveSource {
                provider: request.source_provider_address.clone(),
                type_name: request.source_type_name.clone(),
                version: request.source_schema_version,
                state: stored_json(request.source_state.as_ref())?,
            };
            let item = Arc::clone(&served.item);
            let state = guarded(async move { item.take_over(source) }).await?;
            let state = wire::fit_state(state, ty)?;
            let identity = identity_of(&served, &state)?;
            Ok((wire::encode(&state, ty)?, identity))
        };
        let (moved, diagnostics) = split(moved.await);
        let (target_state, target_identity) = moved.unzip();
        calls::MoveResponse {
            target_state,
            diagnostics,
            // Private state is in the form of the other type.
            target_private: Bytes::new(),
            target_identity: target_identity.flatten(),
        }
    }
}

/// The error for a write-only attribute that is set where the host would store it.
fn not_offered(place: Path) -> Diagnostic {
    Diagnostic::error("Write-only attributes are not offered by this version of the host")
        .detail("Its value would be stored in plan and state. Terraform has them from 1.11 on.")
        .at(place)
}

/// What an apply leaves behind: the state, `None` for the prior one, and the problems.
struct Applied {
    state: Option<DynamicValue>,
    private: Bytes,
    identity: Option<IdentityData>,
    problems: Vec<crate::message::Diagnostic>,
}

impl Applied {
    /// An apply that did not begin.
    fn failed(failure: &Diagnostics, call: &Call) -> Applied {
        let problems = list(failure.list());
        Applied { state: None, private: call.to_private(), identity: None, problems }
    }
}

/// What a call about an object brings along: its deadline is the one of the block `timeouts`, or that of the type.
fn details<'a>(
    served: &'a Served<dyn AnyResource>,
    object: &Value,
    operation: Operation,
    config: Option<Value>,
) -> Outcome<Details<'a>> {
    let time = match timeouts::configured_timeout(object, operation) {
        Some(time) => time,
        None => guarded_now(|| served.item.timeout(operation))?,
    };
    Ok(Details { deadline: Instant::now().checked_add(time), config, ..Details::of(&served.schema) })
}

/// A stored state.
fn stored_json(raw: Option<&RawState>) -> Outcome<serde_json::Value> {
    let json = raw.map(|raw| &raw.json).filter(|json| !json.is_empty());
    let json = json.ok_or("The state is of a version before Terraform 0.12, which is not supported")?;
    serde_json::from_slice(json).map_err(|_| Diagnostics::from("The stored state is not JSON"))
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

/// What is stored of a created object whose value is none of the schema: each attribute that fits it, and of the others what was
/// planned. What is unknown is stored as null.
fn salvaged(value: &Value, planned: &Value, ty: &Type) -> Option<DynamicValue> {
    let Type::Object(object) = ty else { return None };
    let attributes = object.iter().map(|(name, ty)| {
        let own = value.get_attr(name).and_then(|own| wire::nulls_for_unknowns(&own));
        let own = own.ok().filter(|own| own.ty() == *ty && wire::encode(own, ty).is_ok());
        let part = match own {
            Some(own) => own,
            None => wire::nulls_for_unknowns(&planned.get_attr(name)?)?,
        };
        Ok((name, part))
    });
    let whole = Value::object(attributes.collect::<plantime::Result<Vec<_>>>().ok()?).ok()?;
    wire::encode(&whole, ty).ok()
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
