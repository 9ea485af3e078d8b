//! What else the number of instructions depends on.

use std::path::Path;
use std::process::{Command, ExitCode};

/// As `.ci/run` has it, for the library that the tests were run with to be used again. What is built incrementally
/// inlines less, and what has information for debuggers otherwise. In several codegen units, what is compiled together
/// and so inlined depends on names all over the crate: a change elsewhere moved a count by up to 9 %, in one by less
/// than 1 %.
const BUILT: [(&str, &str); 4] = [
    ("CARGO_INCREMENTAL", "0"),
    ("CARGO_PROFILE_DEV_DEBUG", "0"),
    ("CARGO_PROFILE_TEST_DEBUG", "0"),
    ("CARGO_PROFILE_TEST_CODEGEN_UNITS", "1"),
];

/// Whether this program was built, as far as it can tell, as in `.ci/run`.
pub fn is_right() -> bool {
    let built = BUILT.iter().all(|(name, wanted)| std::env::var(name).is_ok_and(|value| value == *wanted));
    cfg!(debug_assertions) && built && std::env::vars().all(|(name, _)| !changes_the_build(&name))
}

fn changes_the_build(name: &str) -> bool {
    matches!(name, "RUSTFLAGS" | "CARGO_ENCODED_RUSTFLAGS" | "CARGO_BUILD_RUSTFLAGS")
        || (name.starts_with("CARGO_PROFILE_") && BUILT.iter().all(|(built, _)| *built != name))
}

/// This program again, built as it is to be.
pub fn again(arguments: &[String]) -> ExitCode {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    for (name, _) in std::env::vars().filter(|(name, _)| changes_the_build(name)) {
        command.env_remove(name);
    }
    // Beside what was built before, also where the folder was named on the command line.
    if let Some(target) = Path::new(env!("CARGO_TARGET_TMPDIR")).parent() {
        command.env("CARGO_TARGET_DIR", target);
    }
    // In the root: the features of all default members count.
    command.current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    command.envs(BUILT);
    command.args([
        "bench",
        "--quiet",
        "--locked",
        "--all-features",
        "--profile",
        "test",
        "--bench",
        "guard",
        "--",
    ]);
    match command.args(arguments).status() {
        Ok(status) if status.success() => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

/// What the figures of the table were counted with: a line for each thing.
pub fn describe(valgrind: &str) -> Vec<String> {
    let version = said("rustc", &["-vV"]);
    let line =
        |start: &str| version.lines().find(|line| line.starts_with(start)).unwrap_or("unknown").to_owned();
    #[cfg(target_arch = "x86_64")]
    let vectors = if std::is_x86_feature_detected!("avx2") { "avx2" } else { "no avx2" };
    #[cfg(not(target_arch = "x86_64"))]
    let vectors = "its own";
    vec![
        line("rustc "),
        line("host: "),
        format!("vectors: {vectors}"),
        format!(
            "profile: test, all features, {}",
            BUILT.map(|(name, value)| format!("{name}={value}")).join(" ")
        ),
        format!("C library: {}", said("getconf", &["GNU_LIBC_VERSION"]).trim()),
        valgrind.to_owned(),
    ]
}

fn said(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output();
    output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default()
}
