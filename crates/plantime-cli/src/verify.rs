//! `plantime verify`.

use std::process::ExitCode;

use plantime_schema::ProviderSchemas;
use plantime_schema::planning::TypeSystem;
use plantime_terraform::plan::{
    InputError, Obligations, Plan, Promises, State, Verification, printable_json,
};

use crate::args::{Format, Verify};
use crate::files;
use crate::input::{self, Input};
use crate::output::{self, Sink};

/// Runs `plantime verify`: checks a state against the obligations, writes the answers, and returns the exit status.
pub(crate) fn verify(arguments: &Verify) -> ExitCode {
    let (answer, mut errors) = match verification(arguments) {
        Ok(answer) => (Some(answer), Vec::new()),
        Err(errors) => (None, errors),
    };
    if let Some((verification, promises)) = &answer {
        let text = match arguments.format {
            Format::Text => {
                let promises = promises.as_ref().map(|promises| format!("\n{}", promises.text()));
                format!(
                    "{}{}",
                    verification.text(output::colour(&arguments.output)),
                    promises.unwrap_or_default()
                )
            }
            Format::Json => {
                let mut json = verification.to_json();
                if let (Some(promises), Some(object)) = (promises, json.as_object_mut()) {
                    object.insert("promises".to_owned(), promises.to_json());
                }
                printable_json(&json) + "\n"
            }
        };
        let mut sink = Sink::of(&arguments.output);
        errors.extend(sink.write(text.as_bytes()).and_then(|()| sink.finish()).err());
    }
    output::errors(&errors);
    let broken_promises =
        answer.as_ref().and_then(|(_, promises)| promises.as_ref()).is_some_and(|all| !all.broken.is_empty());
    let totals = answer.map(|(verification, _)| verification.totals()).unwrap_or_default();
    ExitCode::from(match () {
        () if !errors.is_empty() => 2,
        () if totals.broken > 0 || broken_promises => 1,
        () if totals.not_verifiable > 0 => 3,
        () => 0,
    })
}

/// The obligations compared with the state, and the promises of the providers where there is a plan with schemas.
type Answer = (Verification, Option<Promises>);

/// Reads all inputs and checks the state against the obligations; on failure returns everything that is wrong.
fn verification(arguments: &Verify) -> Result<Answer, Vec<InputError>> {
    let limit = arguments.max_input_size;
    let mut inputs = vec![Input::of(&arguments.obligations), Input::of(&arguments.state)];
    inputs.extend(arguments.schemas.iter().chain(&arguments.plan).map(|path| Input::of(path)));
    let mut errors = Vec::from_iter(input::standard_input_twice(&inputs));
    errors.extend(files::overwriting(&inputs, &[("--output", arguments.output.output.as_deref())]));
    if !errors.is_empty() {
        return Err(errors);
    }
    let file = Input::of(&arguments.obligations);
    let obligations = file.read(limit).and_then(|bytes| {
        Obligations::read(&bytes).map_err(|error| InputError::input(file.name(), error.to_string()))
    });
    let schemas = input::schemas(&arguments.schemas, limit, &mut errors);
    let plan = match &obligations {
        Ok(obligations) => plan_of(arguments, obligations, &schemas).unwrap_or_else(|error| {
            errors.push(error);
            None
        }),
        Err(_) => None,
    };
    // A plan of OpenTofu has its schemas inside.
    let schemas = match &plan {
        Some(plan) if !plan.schemas.providers.is_empty() => plan.schemas_with(&schemas),
        _ => schemas,
    };
    let state = read_state(arguments, &schemas);
    match (obligations, state) {
        (Ok(obligations), Ok(state)) if errors.is_empty() => {
            let system = match arguments.legacy_type_system {
                true => TypeSystem::Legacy,
                false => TypeSystem::Strict,
            };
            let plan = plan.filter(|_| !schemas.providers.is_empty());
            let promises = plan.map(|plan| plan.promises(&state, &schemas, system));
            Ok((obligations.verify(&state), promises))
        }
        (obligations, state) => {
            errors.extend(obligations.err());
            errors.extend(state.err());
            Err(errors)
        }
    }
}

/// Reads the state file, with types from the schemas.
fn read_state(arguments: &Verify, schemas: &ProviderSchemas) -> Result<State, InputError> {
    let input = Input::of(&arguments.state);
    let bytes = input.read(arguments.max_input_size)?;
    State::read(&bytes, schemas).map_err(|error| InputError::input(input.name(), error.to_string()))
}

/// The plan, if one is given and there are schemas for it, or may be some inside it.
///
/// # Errors
///
/// If the obligations were made from another plan, or it cannot be read.
fn plan_of(
    arguments: &Verify,
    obligations: &Obligations,
    schemas: &ProviderSchemas,
) -> Result<Option<Plan>, InputError> {
    let Some(path) = arguments.plan.as_deref() else { return Ok(None) };
    let plan = Input::of(path);
    let bytes = plan.read(arguments.max_input_size)?;
    if !obligations.are_of(&bytes) {
        let message =
            format!("the obligations were made from another plan, of sha256 {}", obligations.sha256);
        return Err(InputError::input(plan.name(), message));
    }
    if arguments.schemas.is_empty() && !Plan::is_binary(&bytes) {
        return Ok(None);
    }
    input::parse_plan(&plan, &bytes, schemas).map(Some)
}
