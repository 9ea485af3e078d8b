//! Stands between Terraform and a provider: see `plantime_provider::proxy`.

use std::process::ExitCode;

fn main() -> ExitCode {
    plantime_provider::proxy()
}
