//! Reads binary plans: the zip archive that `terraform plan -out=FILE` and `tofu plan -out=FILE` write.
//!
//! | file | reads |
//! |---|---|
//! | this one | the message `Plan`: its lists, and what Terraform leaves out of them |
//! | `archive` | the files in the archive, with bounds on their size |
//! | `directory` | the archive's list of files, which no other reader may read as another list |
//! | `budget` | how much of what they have is kept in memory |
//! | `protobuf` | messages, field by field |
//! | `change` | the change of a resource or an output: actions, values, marks, paths |
//! | `actions` | deferred changes, invocations of actions, the backend |
//! | `checks` | the results of the configuration's own conditions |
//! | `address` | the parts of a resource address |
//! | `json_stream` | JSON documents, piece by piece |
//! | `schemas` | the schemas in plans of OpenTofu |
//! | `stored_state` | the states before and after the refresh |
//! | `variables` | which root variables the embedded configuration declares sensitive |
//!
//! Field numbers and names are those of Terraform's and OpenTofu's `planfile.proto`; unknown fields are skipped. So are the
//! private data of providers, which are opaque and may be secret, and the execution graph of OpenTofu, which is for itself.

mod actions;
pub(in crate::plan) mod address;
mod archive;
mod budget;
mod change;
mod checks;
mod directory;
mod json_stream;
mod protobuf;
mod schemas;
mod stored_state;
mod variables;

use std::io::BufRead;
use std::sync::Arc;

use crate::plan::{Plan, PlanMode, PlanStates};
use plantime::unstable::error::Kind;
use plantime::{Error, Mark, Result, Step, Type, msgpack};
use plantime_schema::ProviderSchemas;

use super::{BOOKMARK, ENCRYPTED};
use archive::Archive;
use budget::Budget;
use protobuf::Field;

/// The version of the message that this module reads. Terraform and OpenTofu have written no other since 0.12.
const VERSION: u64 = 3;

/// The mode of a plan that only compares the state with what exists.
const REFRESH_ONLY: u64 = 2;

/// The first byte of a message `FunctionCallHash`, with which no name begins.
const FUNCTION_CALL: u8 = 0x0a;

/// Whether bytes begin as a binary plan does, or as the bookmark of a plan that is stored elsewhere.
pub(in crate::plan) fn is_binary_plan(bytes: &[u8]) -> bool {
    archive::is_archive(bytes)
}

/// Reads a binary plan into values with the types of these schemas.
pub(in crate::plan) fn read_binary_plan(bytes: &[u8], schemas: &ProviderSchemas) -> Result<Plan> {
    if !archive::is_archive(bytes) {
        return Err(not_an_archive(bytes));
    }
    let mut archive = Archive::open(bytes)?;
    let mut plan = Plan { configuration_files: archive.configuration()?, ..Plan::default() };
    let of_tofu = archive.has("tfschemas")
        || plan.configuration_files.values().any(|text| text.contains(TOFU_REGISTRY));
    plan.schemas = archive.stream("tfschemas", schemas::read_schemas)?.unwrap_or_default();
    let merged;
    let schemas = if plan.schemas.providers.is_empty() {
        schemas
    } else {
        merged = plan.schemas_with(schemas);
        &merged
    };
    let read =
        |source: &mut dyn BufRead, budget: &Budget| read_message(source, budget, schemas, of_tofu, &mut plan);
    let read = archive.stream("tfplan", read)?;
    if read.is_none() {
        let message = "not a plan: it is a zip archive without the file `tfplan`";
        return Err(Error::new(Kind::Syntax, message));
    }
    let notes = &mut plan.notes;
    let read = |source: &mut dyn BufRead, budget: &Budget| {
        stored_state::read_data_sources(source, budget, schemas, notes)
    };
    plan.data_sources = archive.stream("tfstate", read)?.unwrap_or_default();
    Ok(plan)
}

/// Reads the states inside a binary plan into values with the types of these schemas.
pub(in crate::plan) fn read_binary_states(bytes: &[u8], schemas: &ProviderSchemas) -> Result<PlanStates> {
    if !archive::is_archive(bytes) {
        return Err(not_an_archive(bytes));
    }
    let mut archive = Archive::open(bytes)?;
    let embedded = archive.stream("tfschemas", schemas::read_schemas)?.unwrap_or_default();
    let plan = Plan { schemas: embedded, ..Plan::default() };
    let schemas = plan.schemas_with(schemas);
    let mut read = |name: &str| {
        archive.stream(name, |source, budget| stored_state::read_state(source, budget, &schemas))
    };
    Ok(PlanStates { previous: read("tfstate-prev")?, prior: read("tfstate")? })
}

/// The host of OpenTofu's registry, which the lock file of an OpenTofu configuration names.
const TOFU_REGISTRY: &str = "registry.opentofu.org";

/// What the bytes are, if not an archive.
fn not_an_archive(bytes: &[u8]) -> Error {
    let begins_as_json = bytes.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'{');
    let has = |text: &str| bytes.windows(text.len()).take(4096).any(|window| window == text.as_bytes());
    let what = if begins_as_json && has("\"remote_plan_format\"") {
        BOOKMARK
    } else if begins_as_json && has("\"encrypted_data\"") {
        ENCRYPTED
    } else {
        "neither JSON nor a zip archive"
    };
    Error::new(Kind::Syntax, format!("not a plan: {what}"))
}

/// Fails for another version of the message.
fn check_version(version: u64) -> Result<()> {
    if version == VERSION {
        return Ok(());
    }
    let message = format!("binary plans of version {version} are not supported, expected {VERSION}");
    Err(Error::new(Kind::Argument, message))
}

/// Whether a field of the message `Plan` is read whose content has a length.
fn is_read(number: u32) -> bool {
    matches!(number, 2..=6 | 13..=16 | 18 | 19 | 21 | 22 | 27..=32)
}

/// The fields of the message `Plan` that occur at most once.
const SINGLE: &[u32] = &[1, 13, 14, 17, 20, 21, 25, 26, 29];

/// Reads the message `Plan`, piece by piece: an archive may unpack to far more than the plan that is in it.
fn read_message(
    source: &mut dyn BufRead,
    budget: &Budget,
    schemas: &ProviderSchemas,
    of_tofu: bool,
    plan: &mut Plan,
) -> Result<()> {
    let (mut version, mut mode, mut complete, mut applyable) = (0, 0, false, false);
    let mut outputs = Vec::new();
    let mut variables = Vec::new();
    protobuf::for_each_field(source, budget, SINGLE, is_read, |number, field| {
        match number {
            // It is the first field: what other versions mean by those behind it is not known.
            1 => {
                version = field.varint()?;
                check_version(version)?;
            }
            2 => {
                let (name, value) = map_entry(field)?;
                // Which variables are sensitive is known later.
                let value = msgpack::from_slice(value, &Type::Dynamic).map_err(|error| {
                    error.above_content(0).under(Step::attr(name)).under(Step::attr("variables"))
                })?;
                variables.push((name.to_owned(), value));
            }
            17 => mode = field.varint()?,
            3 => {
                let change = change::read_resource(field.message()?, schemas, &mut plan.notes)?;
                plan.resource_changes.push(Arc::new(change));
            }
            18 => {
                let change = change::read_resource(field.message()?, schemas, &mut plan.notes)?;
                plan.resource_drift.push(Arc::new(change));
            }
            4 => outputs.push(change::read_output(field.message()?)?),
            14 => plan.terraform_version = field.set_text()?,
            15 => plan.relevant_attributes.extend(change::read_relevant_attribute(field.message()?)?),
            19 => plan.checks.push(checks::read_check(field.message()?)?),
            20 => plan.errored = Some(field.flag()?),
            21 => plan.timestamp = field.set_text()?,
            // A function of a provider that Terraform called, or a variable of OpenTofu.
            22 => match field.bytes()? {
                [FUNCTION_CALL, ..] => {
                    plan.function_calls.push(actions::read_function_call(field.message()?)?);
                }
                _ => plan.options.apply_time_variables.push(field.text()?.to_owned()),
            },
            28 => plan.options.apply_time_variables.push(field.text()?.to_owned()),
            25 => applyable = field.flag()?,
            26 => complete = field.flag()?,
            27 => {
                let change = actions::read_deferred_change(field.message()?, schemas, &mut plan.notes)?;
                plan.deferred_changes.push(change);
            }
            30 => {
                let invocation = actions::read_invocation(field.message()?, schemas, &mut plan.notes)?;
                plan.action_invocations.push(invocation);
            }
            31 => {
                let message = field.message()?;
                let invocation = actions::read_deferred_invocation(message, schemas, &mut plan.notes)?;
                plan.action_invocations.push(invocation);
            }
            5 => plan.options.targets.push(field.text()?.to_owned()),
            6 => plan.options.excluded.push(field.text()?.to_owned()),
            16 => plan.options.replace.push(field.text()?.to_owned()),
            32 => plan.options.invoked_actions.push(field.text()?.to_owned()),
            13 | 29 => plan.options.backend = Some(actions::read_backend(field.message()?)?),
            _ => {}
        }
        Ok(())
    })?;
    check_version(version)?;
    // As in JSON: what only moved is among the changes, and drift if the plan has nothing else to say.
    plan.resource_drift.retain(|change| !change.change.is_no_op() || mode == REFRESH_ONLY);
    plan.format_version = format!("binary {version}");
    plan.errored = plan.errored.or(Some(false));
    plan.options.mode = match mode {
        0 => Some(PlanMode::Normal),
        1 => Some(PlanMode::Destroy),
        REFRESH_ONLY => Some(PlanMode::RefreshOnly),
        _ => None,
    };
    // A field that is false is not written, and neither OpenTofu nor Terraform before 1.8 has these two.
    if complete || applyable || !of_tofu && has_completeness(plan.terraform_version.as_deref()) {
        (plan.complete, plan.applyable) = (Some(complete), Some(applyable));
    }
    let by_address = |a: &Arc<crate::plan::ResourceChange>, b: &Arc<crate::plan::ResourceChange>| {
        (&a.address, &a.deposed).cmp(&(&b.address, &b.deposed))
    };
    plan.resource_changes.sort_by(by_address);
    plan.resource_drift.sort_by(by_address);
    for (name, ty, change) in outputs {
        if let Some(ty) = ty {
            plan.output_types.insert(name.clone(), ty);
        }
        plan.output_changes.insert(name, change);
    }
    // Without variables, declarations say nothing.
    let public = match variables.is_empty() {
        true => None,
        false => variables::public_variables(&plan.configuration_files),
    };
    for (name, value) in variables {
        let is_public = public.as_ref().is_some_and(|public| public.contains(&name));
        plan.variables.insert(name, if is_public { value } else { value.mark(Mark::SENSITIVE) });
    }
    Ok(())
}

/// Whether plans of a version of Terraform say whether they are complete and can be applied.
fn has_completeness(version: Option<&str>) -> bool {
    let mut numbers = version.unwrap_or_default().split('.').map(|part| part.parse::<u64>().unwrap_or(0));
    (numbers.next(), numbers.next()) >= (Some(1), Some(8))
}

/// Reads an entry of a map from names to dynamic values: the name, and the value in MessagePack.
fn map_entry(field: Field<'_>) -> Result<(&str, &[u8])> {
    let (mut name, mut value) = ("", &[][..]);
    field.message()?.for_each(&[1, 2], |number, field| {
        match number {
            1 => name = field.text()?,
            2 => value = dynamic_value(field)?,
            _ => {}
        }
        Ok(())
    })?;
    Ok((name, value))
}

/// The MessagePack of a message `DynamicValue`.
fn dynamic_value(field: Field<'_>) -> Result<&[u8]> {
    let mut bytes = &[][..];
    field.message()?.for_each(&[1], |number, field| {
        if number == 1 {
            bytes = field.value()?;
        }
        Ok(())
    })?;
    Ok(bytes)
}
