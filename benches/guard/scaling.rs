//! How the instructions of the workloads grow, and those of what is measured beside them.

use std::process::ExitCode;

use crate::workloads::all::scaling::{self, Cost, Costs, ROWS, Scaled};
use crate::{counting, watch};

pub fn run(name: &str, n: &str, beside: bool) -> ExitCode {
    let (Some(scaled), Ok(n)) = (scaling::named(name), n.parse()) else { return ExitCode::from(2) };
    let mut work = (scaled.make)(n);
    match (beside, &mut work.beside) {
        (true, Some((_, theirs))) => watch::twice(theirs),
        (true, None) => return ExitCode::from(2),
        (false, _) => watch::twice(&mut work.ours),
    }
    ExitCode::SUCCESS
}

/// Counts the workloads whose name has this part, at three sizes; fails where one grows faster than it may.
pub fn all(part: &str) -> ExitCode {
    if counting::valgrind().is_none() {
        println!("nothing counted: there is no valgrind to count with");
        return ExitCode::SUCCESS;
    }
    let rows: Vec<&Scaled> = ROWS.iter().filter(|row| row.name.contains(part)).collect();
    let mut counted = counting::spread(&rows, |row| counted(row)).into_iter();
    let fast = scaling::print(part, |_| counted.next().expect("as many as there are rows"));
    if fast.is_empty() {
        return ExitCode::SUCCESS;
    }
    println!("grows too fast: {}", fast.join(", "));
    ExitCode::FAILURE
}

/// Counts the workloads whose name has this part beside another program, where there is a bound; returns the names of those that take
/// more.
pub fn above_max_ratio(part: &str) -> Vec<&'static str> {
    let mut costly = Vec::new();
    for row in ROWS.iter().filter(|row| row.name.contains(part)) {
        let Some(most) = row.max_ratio else { continue };
        let [n, ..] = row.sizes().map(|n| n.to_string());
        let ours = counting::between(&["scaled", row.name, &n]) as f64;
        let theirs = counting::between(&["scaled", row.name, &n, "beside"]) as f64;
        let times = ours / theirs;
        println!("{}: {times:.2} times the instructions of what is beside it, at most {most}", row.name);
        if times > most {
            costly.push(row.name);
        }
    }
    costly
}

fn counted(row: &Scaled) -> Costs {
    let sizes = row.sizes();
    let found = sizes.map(|n| {
        let work = (row.make)(n);
        let size = n.to_string();
        let other = work.beside.as_ref().map(|(other, _)| *other);
        let theirs = |other| (other, counting::between(&["scaled", row.name, &size, "beside"]) as f64);
        let ours = counting::between(&["scaled", row.name, &size]) as f64;
        Cost { operations: work.operations, ours, beside: other.map(theirs) }
    });
    Costs::new(sizes, found)
}
