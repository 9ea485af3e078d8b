//! Schemas, data sources, ephemeral resources and functions.

use plantime::{Path, Type, Value, View};
use plantime_schema::Schema;
use plantime_schema::planning::{TypeSystem, assert_plan_valid};
use prost::Message;

use super::client::{Client, SchemaKind, received, sent};
use super::differences::unknowns;
use super::report::Findings;
use super::secrets;
use crate::message::calls::{self, Empty};
use crate::{message, raw};

/// Checks all schemas, and configures the provider. Returns whether it can be used.
pub(super) async fn prepare(client: &Client, found: &mut Findings, config: Option<&Value>) -> bool {
    const CALL: &str = "GetProviderSchema";
    let Some(answer) = client.call_bytes(found, CALL, &Empty {}).await else { return false };
    // Where there are errors in the place of schemas, a host goes no further.
    let diagnostics = raw::fields(&answer).unwrap_or_default().into_iter().filter(|field| field.number == 4);
    let diagnostics = diagnostics.filter_map(|field| message::Diagnostic::decode(field.content?).ok());
    if found.add_diagnostics(CALL, &diagnostics.collect::<Vec<_>>()) {
        return false;
    }
    for kind in [SchemaKind::Provider, SchemaKind::Resource, SchemaKind::DataSource, SchemaKind::Ephemeral] {
        for (name, schema) in client.schemas(found, &answer, kind) {
            let of = if name.is_empty() { "the provider" } else { &name };
            for error in schema.check() {
                found.add(CALL, format!("{of}: {error}"));
            }
        }
    }
    let mut provider = client.schemas(found, &answer, SchemaKind::Provider);
    let Some((_, schema)) = provider.pop() else { return true };
    let empty = Value::null(Type::Dynamic);
    let coerced = match config {
        Some(config) => schema.block().coerce(config),
        None => schema.block().empty_value().or_else(|_| schema.block().coerce(&empty)),
    };
    let (config, ty) = match (coerced, schema.implied_type()) {
        (Ok(config), Ok(ty)) => (config, ty.clone()),
        (Err(error), _) => {
            found.add_error("the provider's configuration", &error);
            return false;
        }
        // Said above.
        (_, Err(_)) => return false,
    };
    secrets::remember(found, &schema, &config);
    let request = calls::ProviderConfigRequest { config: sent(&config, &ty) };
    const VALIDATE: &str = "ValidateProviderConfig";
    let validated = client.call::<calls::ProviderConfigResponse>(found, VALIDATE, &request).await;
    let request =
        calls::ConfigureRequest { terraform_version: "1.11.4".to_owned(), config: sent(&config, &ty) };
    const CONFIGURE: &str = "ConfigureProvider";
    let configured = client.call::<calls::DiagnosticsResponse>(found, CONFIGURE, &request).await;
    validated.is_some_and(|answer| !found.add_diagnostics(VALIDATE, &answer.diagnostics))
        && configured.is_some_and(|answer| !found.add_diagnostics(CONFIGURE, &answer.diagnostics))
}

/// Reads a data source, and checks the result.
pub(super) async fn data_source(client: &Client, found: &mut Findings, type_name: &str, config: &Value) {
    let Some((schema, ty)) = client.schema(found, SchemaKind::DataSource, type_name).await else { return };
    let Some(config) = coerced_configuration(found, &schema, config) else { return };
    let request = calls::ConfigRequest { type_name: type_name.to_owned(), config: sent(&config, &ty) };
    const VALIDATE: &str = "ValidateDataResourceConfig";
    let Some(answer) = client.call::<calls::DiagnosticsResponse>(found, VALIDATE, &request).await else {
        return;
    };
    if found.add_diagnostics(VALIDATE, &answer.diagnostics) {
        return;
    }
    let request =
        calls::ReadDataRequest { type_name: request.type_name, config: request.config, provider_meta: None };
    const READ: &str = "ReadDataSource";
    let Some(answer) = client.call::<calls::DataResponse>(found, READ, &request).await else { return };
    if !found.add_diagnostics(READ, &answer.diagnostics)
        && let Some(result) = received(found, READ, answer.state.as_ref(), &ty)
    {
        check_result(found, READ, &schema, &config, &result);
    }
}

/// Opens an ephemeral resource, renews and closes it, and checks the result.
pub(super) async fn ephemeral(client: &Client, found: &mut Findings, type_name: &str, config: &Value) {
    let Some((schema, ty)) = client.schema(found, SchemaKind::Ephemeral, type_name).await else { return };
    let Some(config) = coerced_configuration(found, &schema, config) else { return };
    let request = calls::ConfigRequest { type_name: type_name.to_owned(), config: sent(&config, &ty) };
    const VALIDATE: &str = "ValidateEphemeralResourceConfig";
    let Some(answer) = client.call::<calls::DiagnosticsResponse>(found, VALIDATE, &request).await else {
        return;
    };
    if found.add_diagnostics(VALIDATE, &answer.diagnostics) {
        return;
    }
    const OPEN: &str = "OpenEphemeralResource";
    let Some(answer) = client.call::<calls::OpenResponse>(found, OPEN, &request).await else { return };
    if found.add_diagnostics(OPEN, &answer.diagnostics) {
        return;
    }
    if let Some(result) = received(found, OPEN, answer.result.as_ref(), &ty) {
        check_result(found, OPEN, &schema, &config, &result);
    }
    let mut private = answer.private;
    if answer.renew_at.is_some() {
        const RENEW: &str = "RenewEphemeralResource";
        let request = calls::OpenedRequest { type_name: type_name.to_owned(), private: private.clone() };
        if let Some(answer) = client.call::<calls::RenewResponse>(found, RENEW, &request).await {
            found.add_diagnostics(RENEW, &answer.diagnostics);
            let is_empty = |bytes: &Option<bytes::Bytes>| bytes.as_ref().is_none_or(bytes::Bytes::is_empty);
            if !is_empty(&private) && is_empty(&answer.private) {
                found.add(RENEW, "the private state is lost");
            }
            private = answer.private;
        }
    }
    const CLOSE: &str = "CloseEphemeralResource";
    let request = calls::OpenedRequest { type_name: type_name.to_owned(), private };
    if let Some(answer) = client.call::<calls::DiagnosticsResponse>(found, CLOSE, &request).await {
        found.add_diagnostics(CLOSE, &answer.diagnostics);
    }
}

/// The configuration coerced to the schema. Remembers its sensitive values; an error becomes a finding.
fn coerced_configuration(found: &mut Findings, schema: &Schema, config: &Value) -> Option<Value> {
    match schema.block().coerce(config) {
        Ok(config) => {
            secrets::remember(found, schema, &config);
            Some(config)
        }
        Err(error) => {
            found.add_error("the configuration", &error);
            None
        }
    }
}

/// Checks what a data source or an ephemeral resource gives.
fn check_result(found: &mut Findings, call: &str, schema: &Schema, config: &Value, result: &Value) {
    if result.is_null() {
        return found.add(call, "the result is null");
    }
    for path in unknowns(result) {
        found.add_at(call, path, "is unknown in the result");
    }
    let nothing = Value::null(Type::Dynamic);
    let nothing = schema.implied_type().map_or(nothing, |ty| Value::null(ty.clone()));
    match assert_plan_valid(schema.block(), &nothing, config, result, TypeSystem::Strict) {
        Ok(verdict) => {
            // What the texts call planned is the result here.
            for violation in &verdict.violations {
                let text = violation.message().replace("planned value", "result");
                found.add_at(call, violation.path().clone(), text);
            }
        }
        Err(error) => found.add_error(call, &error),
    }
    secrets::check(found, call, schema, config, result);
}

/// Calls a function: twice with the arguments, and once for each parameter that takes unknown values with that argument unknown.
pub(super) async fn function(client: &Client, found: &mut Findings, name: &str, arguments: &[Value]) {
    let Some(function) = client.provider().functions.get(name) else {
        return found.add("GetFunctions", "the provider has no function of this name");
    };
    let signature = function.signature();
    let parameter = |index: usize| signature.parameters.get(index).or(signature.variadic.as_ref());
    let types: Vec<Type> = (0..arguments.len())
        .map(|index| parameter(index).map_or(Type::Dynamic, |one| one.ty.clone()))
        .collect();
    let ty = &signature.result;
    const CALL: &str = "CallFunction";
    let Some(result) = call(client, found, name, arguments, &types, ty, CALL).await else { return };
    for path in unknowns(&result) {
        found.add_at(CALL, path, "is unknown in the result for known arguments");
    }
    let again = call(client, found, name, arguments, &types, ty, CALL).await;
    if again.is_some_and(|again| again != result) {
        found.add(CALL, "a second call with the same arguments gives another result");
    }
    for index in 0..arguments.len() {
        if !parameter(index).is_some_and(|parameter| parameter.unknown) {
            continue;
        }
        let place = Path::new().index(i64::try_from(index).unwrap_or(i64::MAX));
        let with_unknown: Vec<Value> = arguments
            .iter()
            .enumerate()
            .map(|(of, value)| if of == index { Value::unknown(value.ty()) } else { value.clone() })
            .collect();
        let text = format!("{CALL} (argument {index} unknown)");
        let Some(early) = call(client, found, name, &with_unknown, &types, ty, &text).await else { continue };
        let is_dynamic = matches!(early.view(), View::Dynamic);
        if !is_dynamic && result.is_wholly_known() && !early.may_become(&result) {
            found.add(&text, format!("the result cannot become the one for the known argument {place}"));
        }
    }
}

/// The result of a function; `None` for an error, which is reported.
async fn call(
    client: &Client,
    found: &mut Findings,
    name: &str,
    arguments: &[Value],
    types: &[Type],
    result: &Type,
    text: &str,
) -> Option<Value> {
    let arguments = arguments.iter().zip(types).filter_map(|(argument, ty)| sent(argument, ty)).collect();
    let request = calls::CallRequest { name: name.to_owned(), arguments };
    let answer = client.call::<calls::CallResponse>(found, "CallFunction", &request).await?;
    if let Some(error) = answer.error {
        found.add(text, format!("error: {}", error.text));
        return None;
    }
    received(found, text, answer.result.as_ref(), result)
}
