//! The table of what the rows cost.

use std::process::ExitCode;

use crate::{Row, counting};

/// Counts the rows whose name has this part at these times their size, as many rows at once as there are processors.
pub fn table(part: &str, times: &[usize]) -> ExitCode {
    if counting::valgrind().is_none() {
        println!("valgrind not found: nothing counted");
        return ExitCode::SUCCESS;
    }
    let rows: Vec<&Row> = crate::rows().filter(|row| row.name.contains(part)).collect();
    let columns: String = times.iter().map(|times| format!(" {times} N |")).collect();
    println!("| operation | N |{columns} exponent | at most |");
    println!("|---|---|{}---|---|", "---|".repeat(times.len()));
    let fit = counting::spread(&rows, |row| line(row, times));
    let failed: Vec<&str> = rows.iter().zip(fit).filter(|(_, fits)| !fits).map(|(row, _)| row.name).collect();
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
    let kind = row.growth.kind();
    println!("| {} | {} |{columns} {exponent:.3} | {most:.2}{kind} |", row.name, row.size);
    exponent <= most
}

fn cost(name: &str, size: usize) -> f64 {
    let size = size.to_string();
    let (all, setup) = (counting::whole(&[name, &size]), counting::whole(&[name, &size, "setup"]));
    all.saturating_sub(setup).max(1) as f64
}
