//! The arguments, and running a program of this folder again in another way.

use std::process::{Command, ExitCode};

/// cargo adds `--bench` to the arguments of its own.
pub fn arguments() -> Vec<String> {
    std::env::args().skip(1).filter(|argument| argument != "--bench").collect()
}

/// `cargo bench` of a program here, with all that it needs.
pub fn bench(program: &str, arguments: &[String]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    let features = "functions,hcl,msgpack";
    command.args(["bench", "--quiet", "--features", features, "--bench", program, "--"]).args(arguments);
    command
}

/// Without a workload, as `cargo bench` runs it, there is nothing to do.
#[allow(dead_code, reason = "only where a feature is missing")]
pub fn with_features(program: &str) -> ExitCode {
    let arguments = arguments();
    if arguments.is_empty() {
        return ExitCode::SUCCESS;
    }
    match bench(program, &arguments).status() {
        Ok(status) if status.success() => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}
