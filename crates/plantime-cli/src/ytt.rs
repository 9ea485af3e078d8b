//! `plantime ytt`.

use std::io::{self, Write};
use std::process::ExitCode;

use plantime_ytt::command::{Surroundings, run};

use crate::args::Ytt;

/// Runs `plantime ytt`, and returns the exit status of ytt.
pub(crate) fn ytt(arguments: Ytt) -> ExitCode {
    let mut input = || io::read_to_string(io::stdin());
    // A variable that is no text cannot be a data value.
    let variables = std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)));
    let mut surroundings = Surroundings { variables: variables.collect(), input: &mut input };
    let outcome = run(arguments.flags, &mut surroundings);
    // A reader that closed its end wants no more.
    let _ = io::stderr().write_all(outcome.errors.as_bytes());
    let _ = io::stdout().write_all(outcome.output.as_bytes());
    ExitCode::from(outcome.status)
}
