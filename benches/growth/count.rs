//! Counting instructions under valgrind.

use std::process::{Command, ExitCode, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::{Growth, Row, rows};

/// Counts the rows whose name has this part, as many at a time as there are processors.
pub fn table(part: &str) -> ExitCode {
    if Command::new("valgrind").arg("--version").stdout(Stdio::null()).status().is_err() {
        println!("valgrind not found: nothing counted");
        return ExitCode::SUCCESS;
    }
    let rows: Vec<&Row> = rows::ROWS.iter().filter(|row| row.name.contains(part)).collect();
    println!("| operation | N | N | 10 N | 100 N | exponent | at most |");
    println!("|---|---|---|---|---|---|---|");
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let (next, failed) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some(row) = rows.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if !line(row) {
                        failed.lock().expect("no thread panics").push(row.name);
                    }
                }
            });
        }
    });
    let failed = failed.into_inner().expect("no thread panics");
    if failed.is_empty() {
        return ExitCode::SUCCESS;
    }
    println!("grows too fast: {}", failed.join(", "));
    ExitCode::FAILURE
}

/// Prints the line of a row, and says whether it grows no faster than it may.
fn line(row: &Row) -> bool {
    let [one, ten, hundred] = [1, 10, 100].map(|times| cost(row.name, row.size * times));
    let exponent = (hundred / one).log10() / 2.0;
    let most = row.growth.most(row.size);
    println!(
        "| {} | {} | {one:.0} | {ten:.0} | {hundred:.0} | {exponent:.3} | {most:.2}{} |",
        row.name,
        row.size,
        if row.growth == Growth::Sorting { " (n log n)" } else { "" },
    );
    exponent <= most
}

fn cost(name: &str, size: usize) -> f64 {
    let size = size.to_string();
    let (all, setup) = (instructions(&[name, &size]), instructions(&[name, &size, "setup"]));
    all.saturating_sub(setup).max(1) as f64
}

/// How many instructions a run of this very program takes.
fn instructions(arguments: &[&str]) -> u64 {
    let program = std::env::current_exe().expect("a program knows where it is");
    let output = Command::new("valgrind")
        .args(["--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"])
        .arg(program)
        .args(arguments)
        .output()
        .expect("valgrind starts");
    let text = String::from_utf8_lossy(&output.stderr);
    let count = text.lines().find_map(|line| line.split_once("refs:").map(|(_, count)| count));
    let digits: String = count.unwrap_or_default().chars().filter(char::is_ascii_digit).collect();
    match digits.parse() {
        Ok(count) if output.status.success() => count,
        _ => panic!("{arguments:?} failed under valgrind:\n{text}"),
    }
}
