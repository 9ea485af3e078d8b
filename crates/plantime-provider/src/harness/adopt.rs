//! Objects that exist already: stored states, and imports.

use plantime::{Path, Value};

use super::change;
use super::client::{Client, received};
use super::differences::differences;
use super::life::Object;
use super::report::Findings;
use crate::message::{RawState, calls};

/// Reads the state back as it is stored, with the schema that has stored it: hosts do so before every run.
pub(super) async fn read_back(client: &Client, found: &mut Findings, object: &Object) {
    const CALL: &str = "UpgradeResourceState (same version)";
    let version = i64::try_from(object.schema.version()).unwrap_or(i64::MAX);
    let raw_state = change::stored(&object.state, &object.ty);
    let Some(state) = upgraded(client, found, object, version, raw_state, CALL).await else { return };
    for path in differences(&object.state, &state) {
        found.add_at(CALL, path, "is read as another value than the one that was stored");
    }
}

/// Reads a state that an earlier schema version stored, and goes on with it.
pub(super) async fn upgrade(
    client: &Client,
    found: &mut Findings,
    object: &mut Object,
    version: i64,
    stored: &serde_json::Value,
) {
    let call = format!("UpgradeResourceState (version {version})");
    let raw_state = Some(RawState { json: stored.to_string().into(), ..RawState::default() });
    let Some(state) = upgraded(client, found, object, version, raw_state, &call).await else { return };
    if state.is_null() {
        return found.add(&call, "the state is lost");
    }
    for (name, value) in stored.as_object().into_iter().flatten() {
        let is_lost = !value.is_null() && state.get_attr(name).is_ok_and(|value| value.is_null());
        if is_lost {
            found.add_at(&call, Path::new().attr(name), "was stored, and is null after the upgrade");
        }
    }
    object.state = state;
}

/// The state that the provider makes of a stored one.
async fn upgraded(
    client: &Client,
    found: &mut Findings,
    object: &Object,
    version: i64,
    raw_state: Option<RawState>,
    call: &str,
) -> Option<Value> {
    let request = calls::UpgradeRequest { type_name: object.type_name.clone(), version, raw_state };
    let answer = client.call::<calls::UpgradeResponse>(found, "UpgradeResourceState", &request).await?;
    if found.add_diagnostics(call, &answer.diagnostics) {
        return None;
    }
    received(found, call, answer.upgraded_state.as_ref(), &object.ty)
}

/// Imports the object with an id, reads it, and compares it with what is known of it.
pub(super) async fn import(
    client: &Client,
    found: &mut Findings,
    object: &mut Object,
    id: String,
    except: &[String],
) {
    const CALL: &str = "ImportResourceState";
    let request = calls::ImportRequest { type_name: object.type_name.clone(), id, identity: None };
    let Some(answer) = client.call::<calls::ImportResponse>(found, CALL, &request).await else { return };
    if found.add_diagnostics(CALL, &answer.diagnostics) {
        return;
    }
    let imported = match answer.imported_resources.as_slice() {
        [imported] => imported,
        list => return found.add(CALL, format!("{} objects were imported, not one", list.len())),
    };
    if imported.type_name != object.type_name {
        return found.add(CALL, format!("the object is one of {}", imported.type_name));
    }
    let Some(state) = received(found, CALL, imported.state.as_ref(), &object.ty) else { return };
    if state.is_null() {
        return found.add(CALL, "the imported object is null");
    }
    if state.get_attr("id").is_ok_and(|id| id.is_null()) {
        found.add_at(CALL, Path::new().attr("id"), "is null: nothing tells which object was imported");
    }
    let known = std::mem::replace(&mut object.state, state);
    let private = std::mem::replace(&mut object.private, imported.private.clone());
    let state = change::read(client, found, object).await;
    match &state {
        None => {}
        Some(state) if state.is_null() => {
            found.add("ReadResource", "the object that was imported does not exist")
        }
        Some(state) if !known.is_null() => {
            for path in differences(&known, state) {
                let first = path.steps().first().map(|step| Path::new().under(step.clone()).to_string());
                if !first.is_some_and(|name| except.contains(&name)) {
                    found.add_at(CALL, path, "is another value than the one that was applied");
                }
            }
        }
        Some(_) => {}
    }
    (object.state, object.private) = match state {
        // The object that was there is there still.
        _ if !known.is_null() => (known, private),
        Some(state) => (state, object.private.clone()),
        None => (known, private),
    };
}
