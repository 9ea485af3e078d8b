//! `plantime proxy` and `plantime record`: the program `plantime-proxy`, which has what it takes to speak with providers.

use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

/// The name of the program.
const PROGRAM: &str = "plantime-proxy";

/// Runs `plantime proxy`, and returns the exit status of the program.
pub(crate) fn proxy() -> ExitCode {
    run(arguments())
}

/// Runs `plantime record FILE -- PROVIDER`, and returns the exit status of the program.
pub(crate) fn record() -> ExitCode {
    let mut given = arguments();
    if given.len() < 3 {
        return fail(
            "plantime record takes a file, --, and the provider: plantime record FILE -- PROVIDER [ARGUMENTS]",
        );
    }
    let mut all = vec!["--no-catalogue".into(), "--record".into()];
    all.append(&mut given);
    run(all)
}

/// What stands after the subcommand, as it was typed: the parser would leave `--` out.
fn arguments() -> Vec<OsString> {
    std::env::args_os().skip(2).collect()
}

/// The program beside this one; else the one on the `PATH`.
fn program() -> PathBuf {
    let name = format!("{PROGRAM}{}", std::env::consts::EXE_SUFFIX);
    let beside = std::env::current_exe().ok().map(|own| own.with_file_name(&name));
    beside.filter(|path| path.is_file()).unwrap_or_else(|| name.into())
}

/// Becomes the program where the system can do that: the host that started this one is its parent then.
#[cfg(unix)]
fn run(arguments: Vec<OsString>) -> ExitCode {
    use std::os::unix::process::CommandExt;

    missing(&Command::new(program()).args(arguments).exec())
}

/// Runs the program.
#[cfg(not(unix))]
fn run(arguments: Vec<OsString>) -> ExitCode {
    match Command::new(program()).args(arguments).status() {
        Ok(status) => ExitCode::from(u8::try_from(status.code().unwrap_or(1)).unwrap_or(1)),
        Err(error) => missing(&error),
    }
}

/// Says what is wrong, to the user and to a host that waits for the first line of a provider.
fn fail(text: &str) -> ExitCode {
    // Nothing can be done about a reader that is gone.
    let _ = writeln!(std::io::stderr().lock(), "error: {text}");
    let _ = writeln!(std::io::stdout().lock(), "error: {text}");
    ExitCode::from(2)
}

/// Says that the program could not be started.
fn missing(error: &std::io::Error) -> ExitCode {
    fail(&format!(
        "{PROGRAM} could not be started: {error}; `cargo install --path crates/plantime-provider` installs it"
    ))
}
