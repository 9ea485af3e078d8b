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
    let costs = costs(row, times);
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

/// What the row costs at each of these times its size.
///
/// Each run makes the inputs of all sizes and then works on one more of them: starting a run takes longer than the work of
/// most rows, and one run for each size and one more are the fewest that tell the costs apart. Every run works first on one
/// more input of the smallest size, so that what is made once for a process (a compiled pattern, the catalogue) is no cost
/// of a size.
fn costs(row: &Row, times: &[usize]) -> Vec<f64> {
    let smallest = times.first().copied();
    let sizes: Vec<String> =
        smallest.iter().chain(times).map(|times| (row.size * times).to_string()).collect();
    let sizes: Vec<&str> = sizes.iter().map(String::as_str).collect();
    let count = |worked_on: usize| {
        let worked_on = worked_on.to_string();
        counting::whole(&[&["sizes", row.name, worked_on.as_str()], sizes.as_slice()].concat())
    };
    let counts: Vec<u64> = (1..=sizes.len()).map(count).collect();
    counts.windows(2).map(|pair| pair[1].saturating_sub(pair[0]).max(1) as f64).collect()
}
