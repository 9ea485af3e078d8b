//! The command, run as a person runs it.
#![expect(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test helper that fails is a test that fails"
)]

mod around;
mod bad_input;
mod baseline;
mod binary_plan;
mod bundle;
mod config;
mod decision;
mod eval;
mod facts;
mod fmt;
mod formats;
mod fronts;
mod input;
mod json;
mod leaks;
mod many;
mod not_asked;
mod obligations;
mod outputs;
mod packs;
#[cfg(unix)]
mod proxy;
mod questions;
mod reading;
mod replacement;
mod report;
mod rule_tests;
mod rules;
mod rules_file;
mod schema;
mod several_rules_files;
mod show;
mod terminal;
mod validate;
mod why;
mod without_plan;

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/network");
/// The example as a binary plan.
const TFPLAN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/network.tfplan");

/// What a run wrote, and its status.
struct Run {
    out: String,
    err: String,
    status: i32,
}

impl From<Output> for Run {
    fn from(output: Output) -> Run {
        Run {
            out: String::from_utf8(output.stdout).expect("the output is UTF-8"),
            err: String::from_utf8(output.stderr).expect("the errors are UTF-8"),
            status: output.status.code().expect("the command ends by itself"),
        }
    }
}

/// Runs `plantime` with these arguments.
fn run(arguments: &[&str]) -> Run {
    let mut command = Command::new(env!("CARGO_BIN_EXE_plantime"));
    command.args(arguments).env_remove("GITHUB_STEP_SUMMARY").output().expect("the command runs").into()
}

/// `plantime check` with these arguments.
#[track_caller]
fn check(arguments: &[&str]) -> Run {
    schema::of_the_schema(arguments, command(arguments).output().expect("the command runs").into())
}

fn check_standard_input(arguments: &[&str], input: &[u8]) -> Run {
    let mut child = command(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(input).expect("the command reads");
    drop(stdin);
    child.wait_with_output().expect("the command ends").into()
}

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_plantime"));
    // Tests that run in a workflow write no summary.
    command.arg("check").args(arguments).env_remove("GITHUB_STEP_SUMMARY");
    command
}

/// Writes a file for one test; `name` is the test's own.
fn file(name: &str, content: impl AsRef<[u8]>) -> String {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cli").join(name);
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("the folder for tests can be written");
    // Written aside and put in its place at once: another test may be reading the same file.
    static WRITTEN: AtomicUsize = AtomicUsize::new(0);
    let aside = path.with_extension(format!("{}.new", WRITTEN.fetch_add(1, Ordering::Relaxed)));
    std::fs::write(&aside, content).expect("the folder for tests can be written");
    std::fs::rename(&aside, &path).expect("the folder for tests can be written");
    path.display().to_string()
}

/// Checks the example plan with rules of its own.
fn network(name: &str, rules: &str, more: &[&str]) -> Run {
    let rules = file(name, rules);
    let (plan, schemas) = (format!("{DATA}/plan.json"), format!("{DATA}/provider-schemas.json"));
    check(&[&[&*plan, "--schemas", &schemas, "--rules", &rules], more].concat())
}

/// The report of one resource, from its title to the next.
#[track_caller]
fn resource<'o>(output: &'o str, address: &str) -> &'o str {
    let title = format!("\n  # {address} ");
    let Some(start) = output.find(&title) else { panic!("no {address} in\n{output}") };
    let rest = &output[start + 1..];
    let end = ["\n  # ", "\nFailures:\n", "\nChecks: "].iter().find_map(|next| rest.find(next));
    &rest[..end.unwrap_or(rest.len())]
}

#[track_caller]
fn has(text: &str, expected: &str) {
    assert!(text.contains(expected), "no `{expected}` in\n{text}");
}

#[track_caller]
fn has_not(text: &str, unexpected: &str) {
    assert!(!text.contains(unexpected), "`{unexpected}` is in\n{text}");
}
