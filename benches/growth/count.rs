//! Counting instructions under valgrind.

use std::process::{Command, ExitCode, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::{Growth, Row, rows};

/// Counts the rows whose name has this part at these times their size, as many rows at once as there are processors.
pub fn table(part: &str, times: &[usize]) -> ExitCode {
    if Command::new("valgrind").arg("--version").stdout(Stdio::null()).status().is_err() {
        println!("valgrind not found: nothing counted");
        return ExitCode::SUCCESS;
    }
    let rows: Vec<&Row> = rows::ROWS.iter().filter(|row| row.name.contains(part)).collect();
    let columns: String = times.iter().map(|times| format!(" {times} N |")).collect();
    println!("| operation | N |{columns} exponent | at most |");
    println!("|---|---|{}---|---|", "---|".repeat(times.len()));
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let (next, failed) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some(row) = rows.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if !line(row, times) {
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
fn line(row: &Row, times: &[usize]) -> bool {
    let costs: Vec<f64> = times.iter().map(|times| cost(row.name, row.size * times)).collect();
    let (Some(first), Some(last), Some(times)) = (costs.first(), costs.last(), times.last()) else {
        return true;
    };
    let exponent = (last / first).log10() / (*times as f64).log10();
    let most = row.growth.most(row.size, *times);
    let columns: String = costs.iter().map(|cost| format!(" {cost:.0} |")).collect();
    let kind = if row.growth == Growth::Sorting { " (n log n)" } else { "" };
    println!("| {} | {} |{columns} {exponent:.3} | {most:.2}{kind} |", row.name, row.size);
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
