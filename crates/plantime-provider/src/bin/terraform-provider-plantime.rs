//! The provider `plantime`: assumptions, conversion and rules as provider functions.

use std::process::ExitCode;

fn main() -> ExitCode {
    plantime_provider::serve(plantime_provider::functions_provider())
}
