//! The command `plantime-ytt`: evaluates a package of ytt, whose data values may be unknown.

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

use plantime::source::printable;
use plantime_ytt::command::{Surroundings, run};

const HELP: &str = "\
Evaluate a package of ytt: its schema, its data values, which may be unknown, and its templates

Flags, output and messages are those of ytt. A data value with the tag !unknown is not known yet: rules that depend on it
are listed as undetermined. Nothing is written to files.

Usage: plantime-ytt [FLAGS]

Flags:
  -f, --file PATH                    a file or folder with schemas, data values and templates; - is standard input
  -v, --data-value KEY=VALUE         a data value as a string; --data-value-yaml as YAML, --data-value-file from a file
      --data-values-file PATH        a file or folder of plain data values
      --data-values-env PREFIX       variables of the environment as strings; --data-values-env-yaml as YAML
      --data-values-inspect          print the final data values
      --data-values-schema-inspect   print the schema; with -o openapi-v3
      --dangerous-data-values-disable-validation
                                     evaluate no rule
      --implicit-map-key-overrides   a repeated key replaces the earlier one
      --proposal                     rules of the proposal that ytt does not have: starts_with=, matches=, format= …
      --data-value-schema-disable-validation, --output-disable-validation
                                     with --proposal: evaluate no rule of data values, or of the output
  -s, --strict                       refuse plain scalars whose type is not plain to see
  -o, --output FORMAT                yaml, json
  -h, --help                         alone: print this text
      --version                      alone: print the version

Exit status:
  0  it is evaluated
  1  an error, or data values that violate a rule
";

/// Evaluates the package that the command line names, and returns the exit status of ytt.
fn main() -> ExitCode {
    let arguments: Result<Vec<String>, _> = std::env::args_os().skip(1).map(OsString::into_string).collect();
    let Ok(arguments) = arguments else {
        let _ = io::stderr().write_all(b"ytt: Error: an argument is not UTF-8\n");
        return ExitCode::FAILURE;
    };
    match arguments.as_slice() {
        [alone] if alone == "-h" || alone == "--help" => return print(HELP),
        [alone] if alone == "--version" => {
            return print(concat!("plantime-ytt ", env!("CARGO_PKG_VERSION"), "\n"));
        }
        _ => {}
    }
    let mut input = || io::read_to_string(io::stdin());
    // A variable that is not text cannot be a data value.
    let variables = std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)));
    let mut surroundings = Surroundings { variables: variables.collect(), input: &mut input };
    let outcome = run(arguments, &mut surroundings);
    // Messages have texts of the package in them. A reader that closed its end wants no more.
    let _ = io::stderr().write_all(printable(&outcome.errors).as_bytes());
    let _ = io::stdout().write_all(outcome.output.as_bytes());
    ExitCode::from(outcome.status)
}

/// Prints a text, and returns the status of success.
fn print(text: &str) -> ExitCode {
    // A reader that closed its end wants no more.
    let _ = io::stdout().write_all(text.as_bytes());
    ExitCode::SUCCESS
}
