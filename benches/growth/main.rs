//! How the cost of each operation grows, in instructions.
//!
//! ```text
//! cargo bench --bench growth -- table [PART OF A NAME]   counts each row at 1, 10 and 100 times its size
//! cargo bench --bench growth -- quick [PART OF A NAME]   counts each row at 1 and 10 times its size, less exactly
//! cargo bench --bench growth -- NAME N                   runs one row once
//! cargo bench --bench growth -- NAME N setup             makes its input and no more
//! cargo bench --bench growth -- sizes NAME K N M ...     makes the inputs of these sizes, and works on the first K
//! ```
//!
//! The table counts under valgrind, which need not be there for anything else. What a row costs at a size is what `sizes`
//! takes when it works on that size beyond what it takes when it does not; nothing is dropped in either. The exponent is
//! that of the power of N by which the cost grows from the first size to the last: 1 is linear, and what sorts may have a
//! logarithm above. The program fails where a row grows faster.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::ptr_arg,
    missing_docs,
    unreachable_pub,
    reason = "a program, not a library: it stops where its own input is wrong"
)]

mod checks;
mod configurations;
mod count;
#[path = "../guard/counting.rs"]
#[allow(dead_code, reason = "more is for the other program that counts")]
mod counting;
mod inputs;
#[allow(dead_code, reason = "more is for the other program that counts")]
mod limit;
mod plans;
mod rows;
mod schemas;

use std::process::ExitCode;

use limit::Growth;

/// One operation on inputs of any size.
struct Row {
    name: &'static str,
    growth: Growth,
    /// The smallest of the three sizes.
    size: usize,
    make: fn(usize) -> Work,
}

/// The operation on an input that has been made.
type Work = Box<dyn Fn() -> Box<dyn std::any::Any>>;

/// All rows.
fn rows() -> impl Iterator<Item = &'static Row> {
    rows::ROWS.iter().chain(checks::ROWS).chain(schemas::ROWS).chain(configurations::ROWS)
}

fn main() -> ExitCode {
    // cargo adds `--bench` to the arguments of its own.
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        // Without a row, as `cargo bench` runs it, there is nothing to do.
        [] => ExitCode::SUCCESS,
        ["table", rest @ ..] if rest.len() < 2 => count::table(rest.first().unwrap_or(&""), &[1, 10, 100]),
        ["quick", rest @ ..] if rest.len() < 2 => count::table(rest.first().unwrap_or(&""), &[1, 10]),
        ["sizes", name, worked_on, sizes @ ..] => run_sizes(name, worked_on, sizes),
        [name, size] => run(name, size, false),
        [name, size, "setup"] => run(name, size, true),
        _ => usage(),
    }
}

fn run(name: &str, size: &str, setup: bool) -> ExitCode {
    let (Some(row), Ok(size)) = (rows().find(|row| row.name == name), size.parse()) else {
        return usage();
    };
    let work = (row.make)(size);
    if !setup {
        let start = std::time::Instant::now();
        std::mem::forget(std::hint::black_box(work()));
        println!("{name} {size}: {:.3} ms", start.elapsed().as_secs_f64() * 1e3);
    }
    std::mem::forget(work);
    ExitCode::SUCCESS
}

/// Makes the inputs of these sizes, and does the work of the row on the first of them.
fn run_sizes(name: &str, worked_on: &str, sizes: &[&str]) -> ExitCode {
    let sizes: Result<Vec<usize>, _> = sizes.iter().map(|size| size.parse()).collect();
    let (Some(row), Ok(worked_on), Ok(sizes)) =
        (rows().find(|row| row.name == name), worked_on.parse(), sizes)
    else {
        return usage();
    };
    let works: Vec<Work> = sizes.iter().map(|size| (row.make)(*size)).collect();
    for work in works.iter().take(worked_on) {
        std::mem::forget(std::hint::black_box(work()));
    }
    std::mem::forget(works);
    ExitCode::SUCCESS
}

fn usage() -> ExitCode {
    eprintln!("usage: cargo bench --bench growth -- table|quick [PART OF A NAME] | NAME N [setup]");
    eprintln!("names: {}", rows().map(|row| row.name).collect::<Vec<_>>().join(" "));
    ExitCode::from(2)
}
