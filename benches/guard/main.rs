//! Whether the workloads still take the instructions that they took, within five in a hundred.
//!
//! ```text
//! cargo bench --bench guard                             counts all workloads and compares with `instructions.txt`
//! cargo bench --bench guard -- PART OF A NAME           those with this in their name
//! PLANTIME_BLESS=1 cargo bench --bench guard            writes `instructions.txt` anew
//! cargo bench --bench guard -- scaling [PART OF A NAME] counts at 1, 10 and 100 times a size, beside other programs
//! cargo bench --bench guard -- run NAME N               runs a workload, twice
//! ```
//!
//! Counts under valgrind, which need not be there for anything else. Only the work counts: what lies between start and
//! stop of its watch, the second time that it is done. Counts of one compiler and one build alone can be compared, so the
//! program builds itself as `.ci/run` does where it was not, and is skipped where something else differs.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    missing_docs,
    unreachable_pub,
    reason = "a program, not a library: it stops where its own input is wrong"
)]

mod check;
#[allow(dead_code, reason = "what is not needed is for the other program that counts")]
mod counting;
mod scaling;
mod setting;
mod table;
mod watch;
#[path = "../workloads"]
#[allow(dead_code, reason = "what is not needed is for other programs")]
mod workloads {
    pub mod again;
    pub mod all;
}

use std::process::ExitCode;

use workloads::again;

fn main() -> ExitCode {
    let arguments = again::arguments();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["run", name, n] => check::run(name, n),
        ["scaled", name, n] => scaling::run(name, n, false),
        ["scaled", name, n, "beside"] => scaling::run(name, n, true),
        _ if !setting::is_right() => setting::again(&arguments),
        [] => check::all(""),
        ["scaling"] => scaling::all(""),
        ["scaling", part] => scaling::all(part),
        [part] => check::all(part),
        _ => {
            eprintln!(
                "usage: cargo bench --bench guard -- [PART OF A NAME] | scaling [PART OF A NAME] | run NAME N"
            );
            ExitCode::from(2)
        }
    }
}
