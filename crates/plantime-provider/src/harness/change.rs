//! A change: validated, planned, applied, read again, and planned again.

use bytes::Bytes;
use plantime::{Path, Value, View};
use plantime_schema::planning::{
    TypeSystem, assert_object_compatible, assert_plan_valid, assert_refines, proposed_new,
};

use super::client::{Client, received, sent};
use super::differences::{differences, unknowns};
use super::life::Object;
use super::report::Findings;
use super::{adopt, secrets};
use crate::message::{ClientCapabilities, RawState, calls};
use crate::wire;

/// What a provider planned.
struct Planned {
    state: Value,
    private: Bytes,
    /// Whether the object has to be replaced.
    replaces: bool,
}

/// Applies a configuration as core does, and checks that nothing is left to do after it.
pub(super) async fn apply(client: &Client, found: &mut Findings, object: &mut Object, config: &Value) {
    secrets::remember(found, &object.schema, config);
    let later = unknown_leaves(config);
    if !validate(client, found, object, &later, "ValidateResourceConfig (unknown values)").await
        || !validate(client, found, object, config, "ValidateResourceConfig").await
    {
        return;
    }
    // As in a run where other resources have to be created first.
    let before = plan(client, found, object, &later, "PlanResourceChange (unknown values)").await;
    let mut change = if object.state.is_null() { "create" } else { "update" };
    let call = format!("PlanResourceChange ({change})");
    let Some(mut planned) = plan(client, found, object, config, &call).await else { return };
    if let Some(before) = before.filter(|before| !before.replaces) {
        keeps_earlier_plan(found, object, &before.state, &planned.state);
    }
    if planned.replaces {
        let call = "PlanResourceChange (replacement)";
        let old = (object.state.clone(), std::mem::replace(&mut object.private, planned.private));
        object.state = Value::null(object.ty.clone());
        let new = plan(client, found, object, config, call).await;
        (object.state, object.private) = old;
        let Some(new) = new else { return };
        planned = new;
        delete(client, found, object).await;
        change = "replacement";
    }
    if write(client, found, object, config, planned, change).await {
        adopt::read_back(client, found, object).await;
        refresh(client, found, object).await;
        expect_no_change(client, found, object, config).await;
    }
}

/// Checks that a configuration is refused.
pub(super) async fn refuse(client: &Client, found: &mut Findings, object: &Object, config: &Value) {
    secrets::remember(found, &object.schema, config);
    // What the provider refuses is no violation here.
    let mut refused = Findings::new("");
    refused.secrets.clone_from(&found.secrets);
    let accepted = validate(client, &mut refused, object, config, "").await
        && plan(client, &mut refused, object, config, "").await.is_some();
    found.calls = found.calls.saturating_add(refused.calls);
    if accepted {
        found.add("PlanResourceChange", "a configuration that is to be refused is accepted");
    }
}

/// Validates a configuration. Returns whether the provider accepts it.
async fn validate(
    client: &Client,
    found: &mut Findings,
    object: &Object,
    config: &Value,
    call: &str,
) -> bool {
    let (type_name, config) = (object.type_name.clone(), sent(config, &object.ty));
    let host = ClientCapabilities { write_only_attributes_allowed: true, ..ClientCapabilities::default() };
    let request = calls::ResourceConfigRequest { type_name, config, client_capabilities: Some(host) };
    let answer = client.call::<calls::DiagnosticsResponse>(found, "ValidateResourceConfig", &request).await;
    answer.is_some_and(|answer| !found.add_diagnostics(call, &answer.diagnostics))
}

/// Plans a configuration for the object; null deletes it. `None` if there is no plan to go on with.
async fn plan(
    client: &Client,
    found: &mut Findings,
    object: &Object,
    config: &Value,
    call: &str,
) -> Option<Planned> {
    let (block, ty) = (object.schema.block(), &object.ty);
    let proposed =
        if config.is_null() { config.clone() } else { proposed_new(block, &object.state, config).ok()? };
    let request = calls::PlanRequest {
        type_name: object.type_name.clone(),
        prior_state: sent(&object.state, ty),
        proposed_new_state: sent(&proposed, ty),
        config: sent(config, ty),
        prior_private: object.private.clone(),
        ..calls::PlanRequest::default()
    };
    let answer = client.call::<calls::PlanResponse>(found, "PlanResourceChange", &request).await?;
    if found.add_diagnostics(call, &answer.diagnostics) {
        return None;
    }
    let state = received(found, call, answer.planned_state.as_ref(), ty)?;
    if config.is_null() {
        if !state.is_null() {
            found.add(call, "the plan of a deletion is not null");
        }
    } else {
        match assert_plan_valid(block, &object.state, config, &state, system(answer.legacy_type_system)) {
            Ok(verdict) => found.add_all(call, &verdict.violations),
            Err(error) => found.add_error(call, &error),
        }
        secrets::check(found, call, &object.schema, config, &state);
        check_private(found, call, &object.private, &answer.planned_private);
    }
    let mut replaces = false;
    for path in answer.requires_replace.iter().map(wire::read_path) {
        // Of an object that is created, paths do not count.
        if object.state.is_null() || config.is_null() {
            continue;
        }
        match (object.state.get(&path), state.get(&path)) {
            (Err(_), Err(_)) => {
                found.add_at(call, path, "requires replacement, but there is no such attribute")
            }
            (Ok(before), Ok(after)) => replaces |= before != after,
            _ => replaces = true,
        }
    }
    Some(Planned { state, private: answer.planned_private, replaces })
}

/// Applies a plan, and checks what it leaves. Returns whether the object is there as planned.
async fn write(
    client: &Client,
    found: &mut Findings,
    object: &mut Object,
    config: &Value,
    planned: Planned,
    change: &str,
) -> bool {
    let (block, ty) = (object.schema.block(), object.ty.clone());
    let call = format!("ApplyResourceChange ({change})");
    let request = calls::ApplyRequest {
        type_name: object.type_name.clone(),
        prior_state: sent(&object.state, &ty),
        planned_state: sent(&planned.state, &ty),
        config: sent(config, &ty),
        planned_private: planned.private.clone(),
        ..calls::ApplyRequest::default()
    };
    let Some(answer) = client.call::<calls::ApplyResponse>(found, "ApplyResourceChange", &request).await
    else {
        return false;
    };
    let failed = found.add_diagnostics(&call, &answer.diagnostics);
    let Some(state) = received(found, &call, answer.new_state.as_ref(), &ty) else { return false };
    let left = unknowns(&state);
    for path in &left {
        found.add_at(&call, path.clone(), "is still unknown after the apply");
    }
    if failed && state == object.state {
        return false;
    }
    if planned.state.is_null() {
        if !state.is_null() {
            found.add(&call, "the deletion leaves a state");
        }
    } else {
        match assert_object_compatible(block, &planned.state, &state, system(answer.legacy_type_system)) {
            Ok(verdict) => found.add_all(&call, &verdict.violations),
            Err(error) => found.add_error(&call, &error),
        }
        secrets::check(found, &call, &object.schema, config, &state);
        check_private(found, &call, &planned.private, &answer.private);
    }
    object.state = wire::nulls_for_unknowns(&state).unwrap_or(state);
    object.private = answer.private;
    !failed && !object.state.is_null()
}

/// Deletes the object.
pub(super) async fn delete(client: &Client, found: &mut Findings, object: &mut Object) {
    let nothing = Value::null(object.ty.clone());
    if let Some(planned) = plan(client, found, object, &nothing, "PlanResourceChange (delete)").await {
        let state = nothing.clone();
        let planned = Planned { state, ..planned };
        write(client, found, object, &nothing, planned, "delete").await;
    }
    object.state = nothing;
    object.private = Bytes::new();
}

/// Reads the object right after it was applied: nothing may have changed.
async fn refresh(client: &Client, found: &mut Findings, object: &mut Object) {
    const CALL: &str = "ReadResource";
    let Some(state) = read(client, found, object).await else { return };
    if state.is_null() {
        return found.add(CALL, "the object is gone right after it was applied");
    }
    for path in differences(&object.state, &state) {
        found.add_at(CALL, path, "is another value than the one that was just applied");
    }
    object.state = state;
}

/// The state of the object as the provider reads it.
pub(super) async fn read(client: &Client, found: &mut Findings, object: &mut Object) -> Option<Value> {
    const CALL: &str = "ReadResource";
    let request = calls::ReadRequest {
        type_name: object.type_name.clone(),
        current_state: sent(&object.state, &object.ty),
        private: object.private.clone(),
        ..calls::ReadRequest::default()
    };
    let answer = client.call::<calls::ReadResponse>(found, CALL, &request).await?;
    if found.add_diagnostics(CALL, &answer.diagnostics) {
        return None;
    }
    let state = received(found, CALL, answer.new_state.as_ref(), &object.ty)?;
    for path in unknowns(&state) {
        found.add_at(CALL, path, "is unknown in what exists");
    }
    check_private(found, CALL, &object.private, &answer.private);
    object.private = answer.private;
    Some(state)
}

/// Plans the same configuration again: nothing may be left to do.
async fn expect_no_change(client: &Client, found: &mut Findings, object: &Object, config: &Value) {
    const CALL: &str = "PlanResourceChange (nothing changed)";
    let Some(planned) = plan(client, found, object, config, CALL).await else { return };
    for path in differences(&object.state, &planned.state) {
        found.add_at(CALL, path, "is planned to change although nothing changed: the difference never ends");
    }
}

/// Checks that the plan for known values keeps the one that was made while they were unknown.
fn keeps_earlier_plan(found: &mut Findings, object: &Object, before: &Value, now: &Value) {
    const CALL: &str = "PlanResourceChange (values known later)";
    match assert_object_compatible(object.schema.block(), before, now, TypeSystem::Strict) {
        Ok(verdict) if !verdict.violations.is_empty() => found.add_all(CALL, &verdict.violations),
        // What core lets pass by its looser comparison of sets.
        Ok(_) if secrets::is_public(&object.schema, before) => {
            found.add_all(CALL, &assert_refines(before, now))
        }
        Ok(_) => {}
        Err(error) => found.add_error(CALL, &error),
    }
}

/// The type system that an answer declares.
fn system(is_legacy: bool) -> TypeSystem {
    if is_legacy { TypeSystem::Legacy } else { TypeSystem::Strict }
}

/// Checks that private state that was there is there still.
fn check_private(found: &mut Findings, call: &str, before: &Bytes, after: &Bytes) {
    if !before.is_empty() && after.is_empty() {
        found.add(call, "the private state is lost");
    }
}

/// The configuration in which every string, number and bool that is set is not known yet.
fn unknown_leaves(config: &Value) -> Value {
    let unknown = |_: &Path, part: Value| {
        Ok(match part.view() {
            View::String(_) | View::Number(_) | View::Bool(_) => Value::unknown(part.ty()),
            _ => part,
        })
    };
    config.transform(unknown).unwrap_or_else(|_| config.clone())
}

/// The state as the host stores it.
pub(super) fn stored(state: &Value, ty: &plantime::Type) -> Option<RawState> {
    let json = plantime::json::to_vec_as(state, ty).ok()?.into();
    Some(RawState { json, flatmap: std::collections::BTreeMap::new() })
}
