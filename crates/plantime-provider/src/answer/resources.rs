//! Calls about resources and data sources.

use std::sync::Arc;

use bytes::Bytes;
use plantime::{Path, Type, Value};
use plantime_schema::Schema;
use plantime_schema::planning::TypeSystem;
use tokio::time::Instant;

use super::identity::{self, identity_of};
use super::returned::{self, Returned};
use super::{Server, and_own, implied_type, list, problems_before, split, validation, with_warnings};
use crate::call::{Call, Details};
use crate::diagnostic::{Diagnostic, Diagnostics, Outcome};
use crate::erased::{AnyResource, guarded, guarded_now};
use crate::message::{Deferred, DynamicValue, IdentityData, RawState, calls};
use crate::plan::{Change, errors, keep_same_meaning, problems, write_only};
use crate::provider::Served;
use crate::resource::{MoveSource, SameMeaning};
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
            let of_rules = async move { problems(&schema, item.behaviours().as_ref(), &own) };
            found.extend(guarded("behaviours", of_rules).await?);
            Ok(and_own(found, "validate", || served.item.validate(config)).await)
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
            let validators = guarded_now(|| served.item.validators())?;
            found.extend(problems_before(&served.schema, validators.as_ref(), &config)?);
            Ok(and_own(found, "validate", || served.item.validate(config)).await)
        };
        validation(validated.await)
    }

    /// Reads a data source.
    pub(super) async fn read_data_source(&self, request: calls::ReadDataRequest) -> calls::DataResponse {
        let call = self.new_call(Bytes::new());
        let read = async {
            let served = self.provider.find_data_source(&request.type_name)?;
            let ty = implied_type(&served.schema)?;
            let config = wire::decode(request.config.as_ref(), ty)?;
            errors(&served.schema, None, &config)?;
            let time = match timeouts::configured_timeout(&config, Operation::Read) {
                Some(time) => time,
                None => guarded_now(|| served.item.timeout())?,
            };
            let call = call.with(Details {
                deadline: Instant::now().checked_add(time),
                config: Some(config.clone()),
                meta: self.meta(request.provider_meta.as_ref())?,
                ..Details::of(&served.schema)
            });
            let result = guarded("read", served.item.read(config, call)).await?;
            let of = format!("data.{}", request.type_name);
            returned::known(&self.provider, &of, &served.schema, &result, Returned::OfData)?;
            Ok(wire::encode(&result, ty)?)
        };
        let read = read.await;
        let diagnostics = with_warnings(list(&call.warnings()), read.as_ref().err());
        calls::DataResponse { state: read.ok(), diagnostics }
    }

    /// The block `provider_meta` of a request; `None` where the provider has no schema of it.
    fn meta(&self, meta: Option<&DynamicValue>) -> Outcome<Option<Value>> {
        let Some(schema) = &self.provider.meta else { return Ok(None) };
        Ok(Some(wire::decode(meta, implied_type(schema)?)?))
    }

    /// Reads a stored state with the current schema.
    pub(super) async fn upgrade(&self, request: calls::UpgradeRequest) -> calls::UpgradeResponse {
        let upgraded = async {
            let served = self.provider.find_resource(&request.type_name)?;
            let ty = implied_type(&served.schema)?;
            let mut state = stored_json(request.raw_state.as_ref())?;
            if i64::try_from(served.schema.version()) != Ok(request.version) {
                let item = Arc::clone(&served.item);
                state = guarded("upgrade", async move { item.upgrade(request.version, state) }).await?;
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
            let current = wire::decode(request.current_state.as_ref(), ty)?;
            let meta = self.meta(request.provider_meta.as_ref())?;
            let details = Details { meta, ..details(&served, &current, Operation::Read, None)? };
            let call = call.with(details);
            let state = guarded("read", Arc::clone(&served.item).read(current.clone(), call.clone())).await?;
            let state = state.unwrap_or_else(|| Value::null(ty.clone()));
            returned::known(&self.provider, &request.type_name, &served.schema, &state, Returned::Read)?;
            let equalities = guarded_now(|| served.item.semantic_equality())?;
            let state = keep_same_meaning(state, &current, &equalities)?;
            let identity = identity_of(&served, &state)?;
            Outcome::Ok((wire::encode(&state, ty)?, identity, call.to_private()))
        };
        let read = read.await;
        let diagnostics = with_warnings(list(&call.warnings()), read.as_ref().err());
        match read {
            Ok((state, identity, private)) => calls::ReadResponse {
                new_state: Some(state),
                diagnostics,
                private,
                new_identity: identity.or(request.current_identity),
            },
            // A state that could not be read stays as it was.
            Err(_) => calls::ReadResponse {
                new_state: request.current_state,
                diagnostics,
                private: request.private,
                new_identity: request.current_identity,
            },
        }
    }

    /// Plans a change.
    pub(super) async fn plan(&self, request: calls::PlanRequest) -> calls::PlanResponse {
        let private = request.prior_private.clone();
        let call = self.new_call(private.clone());
        let planned = self.plan_response(request, &call).await;
        let diagnostics = with_warnings(list(&call.warnings()), planned.as_ref().err());
        match planned {
            Ok(response) => calls::PlanResponse { diagnostics, ..response },
            Err(_) => calls::PlanResponse {
                planned_private: private,
                diagnostics,
                ..calls::PlanResponse::default()
            },
        }
    }

    /// Plans a change, and builds the response from the plan.
    async fn plan_response(&self, request: calls::PlanRequest, call: &Call) -> Outcome<calls::PlanResponse> {
        let served = self.provider.find_resource(&request.type_name)?;
        let ty = implied_type(&served.schema)?;
        let change = Change {
            prior: wire::decode(request.prior_state.as_ref(), ty)?,
            proposed: wire::decode(request.proposed_new_state.as_ref(), ty)?,
            config: wire::decode(request.config.as_ref(), ty)?,
        };
        let may_defer = request.client_capabilities.is_some_and(|host| host.deferral_allowed);
        let call = call.with(Details {
            config: Some(change.config.clone()),
            meta: self.meta(request.provider_meta.as_ref())?,
            may_defer,
            ..Details::of(&served.schema)
        });
        let (asked, item, schema) = (change.clone(), Arc::clone(&served.item), Arc::clone(&served.schema));
        let first = async move { asked.first_plan(&schema, &*item) };
        let (plan, system) = guarded("behaviours", first).await?;
        let prior = change.prior.clone();
        let mut plan = guarded("plan", Arc::clone(&served.item).plan(change, plan, call.clone())).await?;
        let deferred = plan.deferred.map(|deferral| Deferred { reason: deferral.number() });
        if deferred.is_some() && !may_defer {
            return Err(Diagnostic::error("The change cannot be planned yet")
                .detail("The provider wants to defer it, which this version of the host does not offer. Apply first what it depends on.")
                .into());
        }
        returned::typed(
            &self.provider,
            &request.type_name,
            &served.schema,
            &plan.planned,
            Returned::Planned,
        )?;
        let equalities = guarded_now(|| served.item.semantic_equality())?;
        plan.planned = keep_same_meaning(plan.planned, &prior, &equalities)?;
        // What means the same replaces nothing.
        let is_kept = |path: &Path| match (prior.get(path), plan.planned.get(path)) {
            (Ok(before), Ok(now)) => before == now && before.is_wholly_known(),
            _ => false,
        };
        if !equalities.is_empty() {
            plan.requires_replace.retain(|path| !is_kept(path));
        }
        let planned_identity = identity_of(&served, &plan.planned)?.or(request.prior_identity);
        Ok(calls::PlanResponse {
            planned_state: Some(wire::encode(&plan.planned, ty)?),
            requires_replace: plan.requires_replace.iter().filter_map(wire::path).collect(),
            planned_private: call.to_private(),
            diagnostics: Vec::new(),
            legacy_type_system: system == TypeSystem::Legacy,
            deferred,
            planned_identity,
        })
    }

    /// Applies a planned change.
    pub(super) async fn apply(&self, request: calls::ApplyRequest) -> calls::ApplyResponse {
        let (prior_state, planned_identity) = (request.prior_state.clone(), request.planned_identity.clone());
        let call = self.new_call(request.planned_private.clone());
        let mut applied = self.run_apply(request, &call).await;
        applied.problems.extend(list(&call.warnings()));
        calls::ApplyResponse {
            new_state: applied.state.or(prior_state),
            private: applied.private,
            diagnostics: applied.problems,
            legacy_type_system: applied.system == TypeSystem::Legacy,
            new_identity: applied.identity.or(planned_identity),
        }
    }

    /// Runs the resource's create, update or delete, and returns what that leaves behind.
    async fn run_apply(&self, request: calls::ApplyRequest, call: &Call) -> Applied {
        let decoded = || -> Outcome<_> {
            let served = self.provider.find_resource(&request.type_name)?;
            let ty = implied_type(&served.schema)?.clone();
            let prior = wire::decode(request.prior_state.as_ref(), &ty)?;
            let planned = wire::decode(request.planned_state.as_ref(), &ty)?;
            let config = wire::decode(request.config.as_ref(), &ty)?;
            let behaviours = guarded_now(|| served.item.behaviours())?;
            // What was unknown in the plan may have become what the schema does not allow.
            errors(&served.schema, behaviours.as_ref(), &config)?;
            let system = behaviours.map_or(TypeSystem::Strict, |behaviours| behaviours.type_system());
            let equalities = guarded_now(|| served.item.semantic_equality())?;
            Ok((served, ty, prior, planned, config, system, equalities))
        };
        let (served, ty, prior, planned, config, system, equalities) = match decoded() {
            Ok(decoded) => decoded,
            Err(failure) => return Applied::failed(&failure, call),
        };
        let item = Arc::clone(&served.item);
        let (operation, object) = match (planned.is_null(), prior.is_null()) {
            (true, _) => (Operation::Delete, &prior),
            (false, true) => (Operation::Create, &planned),
            (false, false) => (Operation::Update, &planned),
        };
        let described = details(&served, object, operation, Some(config))
            .and_then(|details| Ok(Details { meta: self.meta(request.provider_meta.as_ref())?, ..details }));
        let call = match described {
            Ok(details) => call.with(details),
            Err(failure) => return Applied::failed(&failure, call),
        };
        let outcome = match operation {
            Operation::Delete => {
                let deleted = guarded("delete", item.delete(prior, call.clone())).await;
                deleted.map(|()| Value::null(ty.clone()))
            }
            Operation::Create => guarded("create", item.create(planned.clone(), call.clone())).await,
            _ => guarded("update", item.update(prior, planned.clone(), call.clone())).await,
        };
        let of = &request.type_name;
        let (value, mut problems) = match outcome {
            Ok(state) if planned.is_null() => (Some(state), Vec::new()),
            Ok(state) => self.held_against_plan(of, &served.schema, &planned, state, &equalities, system),
            Err(failure) => {
                let (problems, state) = failure.into_parts();
                match state {
                    // The object is there: what is wrong with it is said too.
                    Some(state) => {
                        let wrong =
                            returned::typed(&self.provider, of, &served.schema, &state, Returned::Applied);
                        let wrong = wrong.err().map(|failure| failure.into_parts().0).unwrap_or_default();
                        (Some(state), problems.into_iter().chain(wrong).collect())
                    }
                    None => (None, problems),
                }
            }
        };
        let stored = value.as_ref().map(|value| {
            let kept = if problems.is_empty() { Ok(value.clone()) } else { wire::nulls_for_unknowns(value) };
            let kept = kept.and_then(|kept| returned::without_write_only(&served.schema, kept));
            kept.and_then(|kept| wire::encode(&kept, &ty))
        });
        // What was created must not be lost because its value is not one of the schema.
        let state = match (stored, &value) {
            (Some(Ok(stored)), _) => Some(stored),
            (Some(Err(error)), Some(value)) => {
                if problems.is_empty() {
                    problems.extend(Diagnostics::from(error).list().iter().cloned());
                }
                (operation == Operation::Create).then(|| salvaged(value, &planned, &ty)).flatten()
            }
            _ => None,
        };
        // Nor because of its identity.
        let identity = match value.as_ref().map(|value| identity_of(&served, value)).transpose() {
            Ok(identity) => identity.flatten(),
            Err(error) => {
                problems.push(Diagnostic::warning("The object has no identity").detail(error.to_string()));
                None
            }
        };
        Applied { state, private: call.to_private(), identity, problems: list(&problems), system }
    }

    /// The state that a create or an update returned, as it is stored, and what is wrong with it.
    fn held_against_plan(
        &self,
        of: &str,
        schema: &Schema,
        planned: &Value,
        state: Value,
        equalities: &[(&'static str, SameMeaning)],
        system: TypeSystem,
    ) -> (Option<Value>, Vec<Diagnostic>) {
        let held = || -> Outcome<_> {
            returned::typed(&self.provider, of, schema, &state, Returned::Applied)?;
            let state = returned::normalized(state.clone(), implied_type(schema)?)?;
            let state = keep_same_meaning(state, planned, equalities)?;
            let wrong = match self.provider.checks_applies {
                true => returned::broken(&self.provider, of, schema, planned, &state, system)?,
                false => Vec::new(),
            };
            Ok((state, wrong))
        };
        match held() {
            Ok((held, wrong)) => (Some(held), wrong),
            Err(failure) => (Some(state), failure.into_parts().0),
        }
    }

    /// Imports an object.
    pub(super) async fn import(&self, request: calls::ImportRequest) -> calls::ImportResponse {
        let call = self.new_call(Bytes::new());
        let imported = async {
            let served = self.provider.find_resource(&request.type_name)?;
            let ty = implied_type(&served.schema)?;
            let call = call.with(Details::of(&served.schema));
            let item = Arc::clone(&served.item);
            let given = request.identity.as_ref().and_then(|identity| identity.identity_data.as_ref());
            let state = match given {
                Some(identity) => {
                    let identity = wire::decode(Some(identity), &identity::value_type(&served)?)?;
                    guarded("import_by_identity", item.import_by_identity(identity, call.clone())).await?
                }
                None => guarded("import", item.import(request.id, call.clone())).await?,
            };
            returned::known(&self.provider, &request.type_name, &served.schema, &state, Returned::Imported)?;
            let identity = identity_of(&served, &state)?.or(request.identity);
            Ok((wire::encode(&state, ty)?, identity, call.to_private()))
        };
        let imported = imported.await;
        let diagnostics = with_warnings(list(&call.warnings()), imported.as_ref().err());
        let imported = imported.ok();
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
        let call = self.new_call(Bytes::new());
        let moved = async {
            let served = self.provider.find_resource(&request.target_type_name)?;
            let ty = implied_type(&served.schema)?;
            let source = MoveSource {
                provider: request.source_provider_address.clone(),
                type_name: request.source_type_name.clone(),
                version: request.source_schema_version,
                state: stored_json(request.source_state.as_ref())?,
                call: call.clone(),
            };
            let item = Arc::clone(&served.item);
            let state = guarded("take_over", async move { item.take_over(source) }).await?;
            let state = wire::fit_state(state, ty)?;
            let identity = identity_of(&served, &state)?;
            Ok((wire::encode(&state, ty)?, identity))
        };
        let moved = moved.await;
        let diagnostics = with_warnings(list(&call.warnings()), moved.as_ref().err());
        let moved = moved.ok();
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
    system: TypeSystem,
}

impl Applied {
    /// An apply that did not begin.
    fn failed(failure: &Diagnostics, call: &Call) -> Applied {
        let problems = list(failure.list());
        let private = call.to_private();
        Applied { state: None, private, identity: None, problems, system: TypeSystem::Strict }
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
