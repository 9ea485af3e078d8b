//! The command `plantime-ytt`.

use std::io::Write;
use std::process::{Command, Stdio};

/// Runs the command with a package on standard input.
fn ytt(flags: &[&str], package: &str) -> Run {
    let mut command = Command::new(env!("CARGO_BIN_EXE_plantime-ytt"));
    command.args(flags).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the command runs");
    // It may end without reading.
    let _ = child.stdin.take().expect("it has an input").write_all(package.as_bytes());
    let output = child.wait_with_output().expect("it ends");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("it writes text");
    Run {
        out: text(output.stdout),
        err: text(output.stderr),
        status: output.status.code().expect("it exits"),
    }
}

/// What a run wrote, and its exit status.
struct Run {
    out: String,
    err: String,
    status: i32,
}

const PACKAGE: &str = "#@data/values-schema\n---\n#@schema/validation min=1\nreplicas: 2\nhost: ''\n";

#[test]
fn a_package_has_the_output_and_the_messages_of_ytt() {
    let run = ytt(&["-f", "-", "--data-values-inspect", "-v", "host=a"], PACKAGE);
    assert_eq!((run.out.as_str(), run.err.as_str(), run.status), ("replicas: 2\nhost: a\n", "", 0));
    let run = ytt(&["-f", "-", "--data-value-yaml=replicas=0"], PACKAGE);
    assert_eq!((run.out.as_str(), run.status), ("", 1));
    assert!(run.err.contains("- must be: a value >= 1 (by: stdin.yml:3)"), "{}", run.err);
    let run = ytt(&["--zz"], "");
    assert_eq!((run.err.as_str(), run.status), ("ytt: Error: unknown flag: --zz\n", 1));
}

#[test]
fn an_unknown_data_value_leaves_a_rule_undetermined() {
    let run = ytt(&["-f", "-", "--data-values-inspect", "--data-value-yaml", "replicas=!unknown"], PACKAGE);
    assert_eq!((run.out.as_str(), run.status), ("replicas: (known after apply)\nhost: \"\"\n", 0));
    assert_eq!(
        run.err,
        "undetermined: replicas must be: a value >= 1 (by: stdin.yml:3), which reads replicas\n"
    );
}

#[test]
fn the_help_names_flags_and_the_version_is_that_of_the_package() {
    let run = ytt(&["--help"], "");
    assert!(
        run.out.contains("\n      --implicit-map-key-overrides   a repeated key replaces the earlier one\n"),
        "{}",
        run.out
    );
    assert_eq!(run.status, 0);
    let run = ytt(&["--version"], "");
    assert_eq!((run.out, run.status), (format!("plantime-ytt {}\n", env!("CARGO_PKG_VERSION")), 0));
}
