//! Calls that no stock host of the tests makes: deferred plans, identities, what is not implemented.

mod enforced;
mod faults;

use plantime::{Type, Value};
use plantime_schema::Schema;
use prost::Message;

use super::*;
use crate::message::{ClientCapabilities, Deferred, IdentityData, RawState};
use crate::{Call, Change, Deferral, Plan, Resource, schema, with_attributes};

/// A resource type that waits until its name is known.
struct Patient;

impl Resource for Patient {
    fn schema(&self) -> Schema {
        schema().required("name", Type::String).computed("id", Type::String).build()
    }

    fn identity(&self) -> Vec<&'static str> {
        vec!["id"]
    }

    async fn plan(&self, change: Change, mut plan: Plan, call: Call) -> Outcome<Plan> {
        if !change.config.get_attr("name")?.is_wholly_known() && (call.may_defer() || change.is_create()) {
            plan.deferred = Some(Deferral::ResourceConfigUnknown);
        }
        Ok(plan)
    }

    async fn create(&self, planned: Value, _: Call) -> Outcome<Value> {
        Ok(with_attributes(&planned, [("id", Value::from("p-1"))])?)
    }
}

/// A resource type with a value that is never stored.
struct Secret;

impl Resource for Secret {
    fn schema(&self) -> Schema {
        schema()
            .optional("password", Type::String)
            .write_only("password")
            .computed("id", Type::String)
            .build()
    }

    async fn create(&self, planned: Value, _: Call) -> Outcome<Value> {
        Ok(planned)
    }
}

/// The answer to a call of the provider that has these resource types.
fn call<A: Message + Default>(method: &str, request: &impl Message) -> Result<A, String> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.map_err(|error| error.to_string())?.block_on(answered(method, request))
}

/// Like [`call`], inside a runtime.
async fn answered<A: Message + Default>(method: &str, request: &impl Message) -> Result<A, String> {
    let region = schema().optional("region", Type::String).build();
    let provider =
        Provider::new("demo").configured(region, |_| async { Ok(()) }).validated(|config| async move {
            let empty = config.get_attr("region")? == Value::from("");
            Ok(empty.then(|| Diagnostic::error("The region is empty")).into_iter().collect())
        });
    let provider = provider.resource("demo_patient", Patient).resource("demo_secret", Secret);
    let server = Server::new(provider, Protocol::V6);
    let answer = server.call(&format!("/tfplugin6.Provider/{method}"), &request.encode_to_vec()).await;
    let answer = answer.map_err(|status| status.text().to_owned())?;
    A::decode(answer.as_slice()).map_err(|error| error.to_string())
}

/// A state with this name and id.
fn state(name: Value, id: Value) -> Option<message::DynamicValue> {
    let value = Value::object([("name", name), ("id", id)]).ok()?;
    wire::encode(&value, &value.ty()).ok()
}

/// The summaries of the diagnostics of an answer.
fn summaries(diagnostics: Vec<message::Diagnostic>) -> Vec<String> {
    diagnostics.into_iter().map(|one| one.summary).collect()
}

#[test]
fn a_write_only_value_is_refused_where_the_host_would_store_it() {
    let validated = |password: Value, write_only_attributes_allowed| {
        let value = Value::object([("password", password), ("id", Value::null(Type::String))]).ok();
        let config = value.and_then(|value| wire::encode(&value, &value.ty()).ok());
        let host = ClientCapabilities { write_only_attributes_allowed, ..ClientCapabilities::default() };
        let type_name = "demo_secret".to_owned();
        let request = calls::ResourceConfigRequest { type_name, config, client_capabilities: Some(host) };
        let answer = call::<calls::DiagnosticsResponse>("ValidateResourceConfig", &request);
        answer.map(|answer| summaries(answer.diagnostics))
    };
    assert_eq!(validated(Value::from("hunter2"), true), Ok(Vec::new()));
    assert_eq!(validated(Value::null(Type::String), false), Ok(Vec::new()));
    let text = "Write-only attributes are not offered by this version of the host";
    assert_eq!(validated(Value::from("hunter2"), false), Ok(vec![text.to_owned()]));
}

#[test]
fn the_configuration_of_the_provider_is_checked() {
    let validated = |region: &str| {
        let value = Value::object([("region", Value::from(region))]).ok();
        let config = value.and_then(|value| wire::encode(&value, &value.ty()).ok());
        let request = calls::ProviderConfigRequest { config };
        let answer = call::<calls::ProviderConfigResponse>("ValidateProviderConfig", &request);
        answer.map(|answer| summaries(answer.diagnostics))
    };
    assert_eq!(
        (validated("eu"), validated("")),
        (Ok(Vec::new()), Ok(vec!["The region is empty".to_owned()]))
    );
}

#[test]
fn a_plan_is_deferred_only_where_the_host_offers_it() {
    let null = || Value::null(Type::String);
    let request = |deferral_allowed| calls::PlanRequest {
        type_name: "demo_patient".to_owned(),
        proposed_new_state: state(Value::unknown(Type::String), null()),
        config: state(Value::unknown(Type::String), null()),
        client_capabilities: Some(ClientCapabilities { deferral_allowed, ..ClientCapabilities::default() }),
        ..calls::PlanRequest::default()
    };
    let allowed = call::<calls::PlanResponse>("PlanResourceChange", &request(true));
    let deferred = allowed.as_ref().map(|answer| (answer.deferred, answer.diagnostics.len()));
    assert_eq!(deferred, Ok((Some(Deferred { reason: 1 }), 0)));
    let refused = call::<calls::PlanResponse>("PlanResourceChange", &request(false));
    let refused = refused.map(|answer| {
        (answer.deferred, answer.diagnostics.iter().map(|one| one.summary.clone()).collect::<Vec<_>>())
    });
    assert_eq!(refused, Ok((None, vec!["The change cannot be planned yet".to_owned()])));
}

#[test]
fn an_identity_goes_with_its_object() {
    let identity = |id: &str| {
        let value = Value::object([("id", Value::from(id))]).ok()?;
        Some(IdentityData { identity_data: wire::encode(&value, &value.ty()).ok() })
    };
    let schemas = call::<calls::IdentitySchemasResponse>("GetResourceIdentitySchemas", &calls::Empty {});
    let attributes = schemas.map(|schemas| {
        let schema = schemas.identity_schemas.get("demo_patient").cloned().unwrap_or_default();
        schema
            .identity_attributes
            .into_iter()
            .map(|one| (one.name, one.required_for_import))
            .collect::<Vec<_>>()
    });
    assert_eq!(attributes, Ok(vec![("id".to_owned(), true)]));

    let apply = calls::ApplyRequest {
        type_name: "demo_patient".to_owned(),
        planned_state: state(Value::from("n"), Value::unknown(Type::String)),
        config: state(Value::from("n"), Value::null(Type::String)),
        ..calls::ApplyRequest::default()
    };
    let applied = call::<calls::ApplyResponse>("ApplyResourceChange", &apply);
    assert_eq!(applied.map(|answer| answer.new_identity), Ok(identity("p-1")));

    let import = calls::ImportRequest {
        type_name: "demo_patient".to_owned(),
        identity: identity("p-7"),
        ..Default::default()
    };
    let imported = call::<calls::ImportResponse>("ImportResourceState", &import);
    let imported = imported
        .map(|answer| answer.imported_resources.into_iter().next().map(|one| (one.state, one.identity)));
    assert_eq!(imported, Ok(Some((state(Value::null(Type::String), Value::from("p-7")), identity("p-7")))));

    let raw_identity =
        Some(RawState { json: Bytes::from_static(b"{\"id\":\"p-8\",\"old\":1}"), ..RawState::default() });
    let upgrade =
        calls::UpgradeIdentityRequest { type_name: "demo_patient".to_owned(), version: 0, raw_identity };
    let upgraded = call::<calls::UpgradeIdentityResponse>("UpgradeResourceIdentity", &upgrade);
    assert_eq!(upgraded.map(|answer| answer.upgraded_identity), Ok(identity("p-8")));
}

#[test]
fn a_state_of_before_json_is_refused() {
    let flatmap = [("id".to_owned(), "p-1".to_owned())].into();
    let raw_state = Some(RawState { json: Bytes::new(), flatmap });
    let upgrade = calls::UpgradeRequest { type_name: "demo_patient".to_owned(), version: 0, raw_state };
    let refused = call::<calls::UpgradeResponse>("UpgradeResourceState", &upgrade);
    let refused =
        refused.map(|answer| answer.diagnostics.iter().map(|one| one.summary.clone()).collect::<Vec<_>>());
    let text = "The state is of a version before Terraform 0.12, which is not supported";
    assert_eq!(refused, Ok(vec![text.to_owned()]));
}

#[test]
fn what_is_not_implemented_is_said_by_name() {
    for method in [
        "ListResource",
        "ValidateListResourceConfig",
        "PlanAction",
        "InvokeAction",
        "ValidateActionConfig",
        "ValidateStateStoreConfig",
        "ConfigureStateStore",
        "ReadStateBytes",
        "WriteStateBytes",
        "LockState",
        "UnlockState",
        "GetStates",
        "DeleteState",
        "GenerateResourceConfig",
    ] {
        let refused = call::<calls::Empty>(method, &calls::Empty {});
        assert_eq!(refused, Err(format!("the provider does not implement /tfplugin6.Provider/{method}")));
    }
}
