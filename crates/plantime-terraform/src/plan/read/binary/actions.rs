//! Reads deferred changes, invocations of actions, and the backend.

use std::sync::Arc;

use super::address::{InstanceAddress, provider_name};
use super::change::{read_path, read_resource, typed_value, with_sensitive_paths};
use super::dynamic_value;
use super::protobuf::{Field, Message, malformed};
use crate::plan::{
    ActionInvocation, ActionTrigger, Backend, DeferredChange, FunctionCall, Note, StateStoreProvider,
};
use plantime::{Mark, Result, Value};
use plantime_schema::ProviderSchemas;

/// Reads a message `DeferredResourceInstanceChange`.
pub(super) fn read_deferred_change(
    message: Message<'_>,
    schemas: &ProviderSchemas,
    notes: &mut Vec<Note>,
) -> Result<DeferredChange> {
    let mut deferred = DeferredChange::default();
    message.for_each(&[1, 2], |number, field| {
        match number {
            1 => deferred.reason = read_reason(field.message()?)?,
            2 => deferred.change = Some(Arc::new(read_resource(field.message()?, schemas, notes)?)),
            _ => {}
        }
        Ok(())
    })?;
    Ok(deferred)
}

/// Reads a message `DeferredActionInvocation`.
pub(super) fn read_deferred_invocation(
    message: Message<'_>,
    schemas: &ProviderSchemas,
    notes: &mut Vec<Note>,
) -> Result<ActionInvocation> {
    let (mut reason, mut invocation) = (None, None);
    message.for_each(&[1, 2], |number, field| {
        match number {
            1 => reason = read_reason(field.message()?)?,
            2 => invocation = Some(read_invocation(field.message()?, schemas, notes)?),
            _ => {}
        }
        Ok(())
    })?;
    let invocation = invocation.ok_or_else(malformed)?;
    Ok(ActionInvocation { deferred: Some(reason.unwrap_or_else(|| "unknown".into())), ..invocation })
}

/// Reads a message `Deferred`: Terraform's constant for the reason.
fn read_reason(message: Message<'_>) -> Result<Option<Box<str>>> {
    let mut reason = None;
    message.for_each(&[1], |number, field| {
        if number == 1 {
            reason = Some(match field.varint()? {
                1 => "instance_count_unknown",
                2 => "resource_config_unknown",
                3 => "provider_config_unknown",
                4 => "absent_prereq",
                5 => "deferred_prereq",
                _ => "unknown",
            });
        }
        Ok(())
    })?;
    Ok(reason.map(Box::from))
}

/// Reads a message `ActionInvocationInstance`.
pub(super) fn read_invocation(
    message: Message<'_>,
    schemas: &ProviderSchemas,
    notes: &mut Vec<Note>,
) -> Result<ActionInvocation> {
    let (mut address, mut provider, mut config) = (String::new(), String::new(), &[][..]);
    let (mut sensitive, mut trigger) = (Vec::new(), None);
    message.for_each(&[1, 2, 4, 6, 7], |number, field| {
        match number {
            1 => field.text()?.clone_into(&mut address),
            2 => provider_name(field.text()?).clone_into(&mut provider),
            4 => config = dynamic_value(field)?,
            5 => sensitive.push(read_path(field.message()?)?),
            6 => trigger = Some(read_lifecycle_trigger(field.message()?)?),
            7 => trigger = Some(read_invoke_trigger(field.message()?)?),
            _ => {}
        }
        Ok(())
    })?;
    let parts = InstanceAddress::parse_action(&address)?;
    let config = match config {
        [] => None,
        bytes => {
            let schema = schemas.action(&provider, &parts.type_name);
            let value = typed_value(bytes, schema, &address, notes)?;
            Some(value).filter(|value| !value.is_null()).map(|value| with_sensitive_paths(value, &sensitive))
        }
    };
    let (type_name, name) = (parts.type_name, parts.name);
    Ok(ActionInvocation {
        address,
        type_name,
        name,
        provider_name: provider,
        config,
        trigger,
        deferred: None,
    })
}

/// Reads a message `ResourceActionTrigger`.
fn read_lifecycle_trigger(message: Message<'_>) -> Result<ActionTrigger> {
    let (mut resource, mut event, mut block_index, mut action_index) = (String::new(), 0, 0, 0);
    let mut on_failure = 0;
    message.for_each(&[1, 2, 3, 4, 5], |number, field| {
        match number {
            1 => field.text()?.clone_into(&mut resource),
            2 => event = field.varint()?,
            3 => block_index = field.varint()?,
            4 => action_index = field.varint()?,
            5 => on_failure = field.varint()?,
            _ => {}
        }
        Ok(())
    })?;
    let event = match event {
        1 => "before_create",
        2 => "after_create",
        3 => "before_update",
        4 => "after_update",
        5 => "before_destroy",
        6 => "after_destroy",
        7 => "invoke",
        _ => "unknown",
    };
    // Also what the field does not say: the first of an enumeration is not written.
    let on_failure = match on_failure {
        0 => "halt",
        1 => "taint",
        2 => "continue",
        _ => "unknown",
    };
    let (event, on_failure) = (event.to_owned(), Some(on_failure.to_owned()));
    Ok(ActionTrigger::Lifecycle { resource, event, block_index, action_index, on_failure })
}

/// Reads a message `InvokeActionTrigger`.
fn read_invoke_trigger(message: Message<'_>) -> Result<ActionTrigger> {
    let mut resource = None;
    message.for_each(&[1], |number, field| {
        if number == 1 {
            resource = field.set_text()?;
        }
        Ok(())
    })?;
    Ok(ActionTrigger::Invoked { resource })
}

/// Reads a message `Backend` or `StateStore`.
pub(super) fn read_backend(message: Message<'_>) -> Result<Backend> {
    let mut backend =
        Backend { type_name: String::new(), workspace: String::new(), config: None, provider: None };
    message.for_each(&[1, 2, 3, 4], |number, field| {
        match number {
            1 => field.text()?.clone_into(&mut backend.type_name),
            2 => backend.config = read_secret_config(field)?,
            3 => field.text()?.clone_into(&mut backend.workspace),
            4 => backend.provider = Some(read_state_store_provider(field.message()?)?),
            _ => {}
        }
        Ok(())
    })?;
    Ok(backend)
}

/// Reads a message `Provider`: the provider of a state store.
fn read_state_store_provider(message: Message<'_>) -> Result<StateStoreProvider> {
    let mut provider = StateStoreProvider::default();
    message.for_each(&[1, 2, 3], |number, field| {
        match number {
            1 => field.text()?.clone_into(&mut provider.source),
            2 => field.text()?.clone_into(&mut provider.version),
            3 => provider.config = read_secret_config(field)?,
            _ => {}
        }
        Ok(())
    })?;
    Ok(provider)
}

/// Reads a configuration that may have credentials; `None` if there is none.
fn read_secret_config(field: Field<'_>) -> Result<Option<Value>> {
    match dynamic_value(field)? {
        [] => Ok(None),
        bytes => plantime::unstable::msgpack::from_slice_untyped(bytes)
            .map(|config| Some(config.mark(Mark::SENSITIVE)))
            .map_err(|error| error.above_content(0)),
    }
}

/// Reads a message `FunctionCallHash`.
pub(super) fn read_function_call(message: Message<'_>) -> Result<FunctionCall> {
    let mut call = FunctionCall::default();
    message.for_each(&[1, 2], |number, field| {
        match number {
            1 => call.key = field.bytes()?.into(),
            2 => call.result = field.bytes()?.into(),
            _ => {}
        }
        Ok(())
    })?;
    Ok(call)
}
