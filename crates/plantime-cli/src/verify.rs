//! `plantime verify`.

use std::process::ExitCode;

use plantime::plan::{InputError, Obligations, State, Verification};
use plantime::schema::ProviderSchemas;

use crate::args::{Format, Verify};
use crate::files;
use crate::input::{self, Input};
use crate::output::{self, Sink};

/// Runs `plantime verify`: checks a state against the obligations, writes the answers, and returns the exit status.
pub(crate) fn verify(arguments: &Verify) -> ExitCode {
    let (answer, mut errors) = match verification(arguments) {
        Ok(verification) => (Some(verification), Vec::new()),
        Err(errors) => (None, errors),
    };
    if let Some(verification) = &answer {
        let text = match arguments.format {
            Format::Text => verification.text(output::colour(&arguments.output)),
            Format::Json => format!("{:#}\n", verification.to_json()),
        };
        let mut sink = Sink::of(&arguments.output);
        errors.extend(sink.write(text.as_bytes()).and_then(|()| sink.finish()).err());
    }
    output::errors(&errors);
    let totals = answer.map(|verification| verification.totals()).unwrap_or_default();
    ExitCode::from(match () {
        () if !errors.is_empty() => 2,
        () if totals.broken > 0 => 1,
        () if totals.not_verifiable > 0 => 3,
        () => 0,
    })
}

/// Reads all inputs and checks the state against the obligations; on failure returns everything that is wrong.
fn verification(arguments: &Verify) -> Result<Verification, Vec<InputError>> {
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
    let state = read_state(arguments, &schemas);
    match (obligations, state) {
        (Ok(obligations), Ok(state)) => {
            errors.extend(of_another_plan(arguments, &obligations));
            if errors.is_empty() { Ok(obligations.verify(&state)) } else { Err(errors) }
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

/// The error that the obligations were made from another plan than the one given, or that it cannot be read. `None`
/// if it is the same, or none is given.
fn of_another_plan(arguments: &Verify, obligations: &Obligations) -> Option<InputError> {
    let plan = Input::of(arguments.plan.as_deref()?);
    match plan.read(arguments.max_input_size) {
        Err(error) => Some(error),
        Ok(bytes) if obligations.are_of(&bytes) => None,
        Ok(_) => {
            let message =
                format!("the obligations were made from another plan, of sha256 {}", obligations.sha256);
            Some(InputError::input(plan.name(), message))
        }
    }
}
