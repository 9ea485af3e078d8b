//! Reads invocations of actions from plan JSON.

use crate::json::Tape;
use crate::plan::{ActionInvocation, ActionTrigger, Note};
use plantime::Result;
use plantime::unstable::json::{Reader, Token};
use plantime_schema::ProviderSchemas;
use plantime_schema::unstable::json::{object, read_count, read_text};

use super::fuse::Trees;
use super::tapes::fuse_with_schema;

/// Reads an invocation of an action.
pub(super) fn read_invocation(
    reader: &mut Reader<'_>,
    schemas: &ProviderSchemas,
    notes: &mut Vec<Note>,
) -> Result<ActionInvocation> {
    let mut invocation = ActionInvocation::default();
    let (mut known, mut unknown, mut sensitive) = (Tape::new(), Tape::new(), Tape::new());
    let (mut has_known, mut has_unknown, mut has_sensitive) = (false, false, false);
    object(reader, |key, reader| {
        let (tape, is_there) = match key {
            "config_values" => (&mut known, &mut has_known),
            "config_unknown" => (&mut unknown, &mut has_unknown),
            "config_sensitive" => (&mut sensitive, &mut has_sensitive),
            "lifecycle_action_trigger" => {
                invocation.trigger = read_lifecycle_trigger(reader)?;
                return Ok(());
            }
            "invoke_action_trigger" => {
                let (is_there, mut resource) = (reader.peek()? != Token::Null, None);
                object(reader, |key, reader| {
                    match key {
                        "calling_resource_address" => resource = read_text(reader)?,
                        _ => reader.skip_unique()?,
                    }
                    Ok(())
                })?;
                if is_there {
                    invocation.trigger = Some(ActionTrigger::Invoked { resource });
                }
                return Ok(());
            }
            "address" | "type" | "name" | "provider_name" => {
                let text = read_text(reader)?.unwrap_or_default();
                match key {
                    "address" => invocation.address = text,
                    "type" => invocation.type_name = text,
                    "name" => invocation.name = text,
                    _ => invocation.provider_name = text,
                }
                return Ok(());
            }
            _ => return reader.skip_unique(),
        };
        *is_there = true;
        tape.read(reader).map(|_| ()).map_err(|error| error.above_content(0))
    })?;
    let trees = Trees {
        known: has_known.then(|| known.root()),
        unknown: has_unknown.then(|| unknown.root()),
        sensitive: has_sensitive.then(|| sensitive.root()),
        ..Trees::default()
    };
    if trees.known.is_some_and(|known| !known.is_null()) {
        let schema = schemas.action(&invocation.provider_name, &invocation.type_name);
        invocation.config = Some(fuse_with_schema(trees, schema, &invocation.address, notes)?);
    }
    Ok(invocation)
}

/// Reads what invokes an action in the lifecycle of a resource; `None` for `null`.
fn read_lifecycle_trigger(reader: &mut Reader<'_>) -> Result<Option<ActionTrigger>> {
    if reader.peek()? == Token::Null {
        return reader.null().map(|()| None);
    }
    let (mut resource, mut event, mut block_index, mut action_index) = (String::new(), String::new(), 0, 0);
    let mut on_failure = None;
    object(reader, |key, reader| {
        match key {
            "triggering_resource_address" => resource = read_text(reader)?.unwrap_or_default(),
            "action_trigger_event" => event = event_name(&read_text(reader)?.unwrap_or_default()),
            "action_trigger_block_index" => block_index = read_count(reader)?,
            "actions_list_index" => action_index = read_count(reader)?,
            "on_failure" => on_failure = read_text(reader)?,
            _ => reader.skip_unique()?,
        }
        Ok(())
    })?;
    Ok(Some(ActionTrigger::Lifecycle { resource, event, block_index, action_index, on_failure }))
}

/// The name of an event in the form of the configuration: `before_create`, also for `BeforeCreate`.
fn event_name(text: &str) -> String {
    let mut name = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_ascii_uppercase() && !name.is_empty() {
            name.push('_');
        }
        name.push(c.to_ascii_lowercase());
    }
    name
}
