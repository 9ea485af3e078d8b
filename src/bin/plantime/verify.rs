//! `plantime verify`.

use std::process::ExitCode;

use plantime::plan::{Obligations, State, Unusable, Verification};
use plantime::schema::ProviderSchemas;

use crate::args::{Format, Verify};
use crate::input::{self, Input};
use crate::output;

pub(crate) fn verify(arguments: &Verify) -> ExitCode {
    let (answer, mut errors) = match verification(arguments) {
        Ok(verification) => (Some(verification), Vec::new()),
        Err(errors) => (None, errors),
    };
    let text = answer.as_ref().map_or_else(String::new, |verification| match arguments.format {
        Format::Text => verification.text(output::colour()),
        Format::Json => format!("{:#}\n", verification.to_json()),
    });
    errors.extend(output::write(&text).err());
    output::errors(&errors);
    let totals = answer.map(|verification| verification.totals()).unwrap_or_default();
    ExitCode::from(match () {
        () if !errors.is_empty() => 2,
        () if totals.broken > 0 => 1,
        () if totals.not_verifiable > 0 => 3,
        () => 0,
    })
}

/// Reads everything; tells everything that is wrong.
fn verification(arguments: &Verify) -> Result<Verification, Vec<Unusable>> {
    let limit = arguments.max_input_size;
    let mut errors = Vec::new();
    let file = Input::File(arguments.obligations.clone());
    let obligations = file.read(limit).and_then(|bytes| {
        Obligations::read(&bytes).map_err(|error| Unusable::input(file.name(), error.to_string()))
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

fn read_state(arguments: &Verify, schemas: &ProviderSchemas) -> Result<State, Unusable> {
    let input = match arguments.state.to_str() {
        Some("-") => Input::Standard,
        _ => Input::File(arguments.state.clone()),
    };
    let bytes = input.read(arguments.max_input_size)?;
    State::read(&bytes, schemas).map_err(|error| Unusable::input(input.name(), error.to_string()))
}

/// What is wrong with the plan, if one is given.
fn of_another_plan(arguments: &Verify, obligations: &Obligations) -> Option<Unusable> {
    let plan = Input::File(arguments.plan.clone()?);
    match plan.read(arguments.max_input_size) {
        Err(error) => Some(error),
        Ok(bytes) if obligations.are_of(&bytes) => None,
        Ok(_) => {
            let message =
                format!("the obligations were made from another plan, of sha256 {}", obligations.sha256);
            Some(Unusable::input(plan.name(), message))
        }
    }
}
