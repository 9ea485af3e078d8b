//! Measures plantime beside its peers, both sides in one process and by turns:
//!
//! * rules from JSON Schema on known values beside the crate `jsonschema`. Only the check is timed: the schema is
//!   compiled and the values are read beforehand.
//! * a plan with ten rules beside the same rules in Rego with the crate `regorus`. The whole job is timed: reading the
//!   rules and the plan, checking, and writing the answers.
//!
//! Usage: `cargo run --release --manifest-path benches/peers/Cargo.toml -- [schemas] [plans] [large]`. Without arguments
//! both are measured, the plan at 10 MB; `large` adds 100 MB. `profile NAME ROUNDS` repeats plantime's side of one row, for
//! a profiler.

mod measure;
mod plans;
mod schemas;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    if let ["profile", name, rounds] = arguments.as_slice() {
        return profile(name, rounds.parse().expect("a number of rounds"));
    }
    let is_asked = |part| arguments.is_empty() || arguments.contains(&part);
    if is_asked("schemas") {
        schemas::measure();
    }
    if is_asked("plans") {
        plans::measure(10);
    }
    if arguments.contains(&"large") {
        plans::measure(100);
    }
}

/// Repeats one side of one comparison, for a profiler.
fn profile(name: &str, rounds: usize) {
    match name {
        "plan" => plans::profile(rounds),
        name => schemas::profile(name, rounds),
    }
}
