//! A small `ytt`: the command with ytt's flags, messages and exit status.

use std::io::{self, Write};
use std::process::ExitCode;

use plantime_ytt::command::{Surroundings, run};

fn main() -> ExitCode {
    let mut input = || io::read_to_string(io::stdin());
    let mut surroundings = Surroundings { variables: std::env::vars().collect(), input: &mut input };
    let outcome = run(std::env::args().skip(1), &mut surroundings);
    eprint!("{}", outcome.errors);
    // A reader that closed its end wants no more.
    let _ = io::stdout().write_all(outcome.output.as_bytes());
    ExitCode::from(outcome.status)
}
