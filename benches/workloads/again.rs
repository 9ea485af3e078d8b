//! The arguments, and running a program of this folder again in another way.

use std::process::Command;

/// cargo adds `--bench` to the arguments of its own.
pub fn arguments() -> Vec<String> {
    std::env::args().skip(1).filter(|argument| argument != "--bench").collect()
}

/// `cargo bench` of a program here.
pub fn bench(program: &str, arguments: &[String]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    command.args(["bench", "--quiet", "--bench", program, "--"]).args(arguments);
    command
}
