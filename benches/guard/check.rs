//! Counting the workloads, and comparing.

use std::path::Path;
use std::process::ExitCode;

use crate::table::{Change, Row, Table};
use crate::workloads::all::list::{self, WORKLOADS, Workload};
use crate::{counting, scaling, setting, watch};

/// Small, so that all of them take less than a minute.
fn size(workload: &Workload) -> usize {
    (workload.size / 500).clamp(20, 2000)
}

pub fn run(name: &str, n: &str) -> ExitCode {
    let (Some(workload), Ok(n)) = (list::named(name), n.parse()) else { return ExitCode::from(2) };
    watch::twice(&mut (workload.make)(n).ours);
    ExitCode::SUCCESS
}

/// Counts the workloads whose name has this part and compares, or writes the table anew.
pub fn all(part: &str) -> ExitCode {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("guard/instructions.txt");
    let bless = std::env::var_os("PLANTIME_BLESS").is_some();
    let Some(valgrind) = counting::valgrind() else {
        println!("guard skipped: there is no valgrind to count with");
        return if bless { ExitCode::FAILURE } else { ExitCode::SUCCESS };
    };
    let setting = setting::describe(&valgrind);
    let text = std::fs::read_to_string(&file).unwrap_or_default();
    let Some(before) = Table::read(&text) else {
        println!("{} cannot be read: write it anew with PLANTIME_BLESS=1", file.display());
        return ExitCode::FAILURE;
    };
    if let (false, Some(other)) = (bless, before.setting.iter().find(|line| !setting.contains(line))) {
        println!(
            "guard skipped: its table was written with `{other}`, here it is `{}`",
            setting.join("`, `")
        );
        return ExitCode::SUCCESS;
    }
    let workloads: Vec<&Workload> =
        WORKLOADS.iter().filter(|workload| workload.name.contains(part)).collect();
    let rows = counting::spread(&workloads, |workload| counted(workload));
    print(&before, &rows);
    if bless {
        let rows = if part.is_empty() { rows } else { replaced(before.rows, rows) };
        std::fs::write(&file, Table { setting, rows }.to_string()).expect("the table can be written");
        println!("wrote {}", file.display());
        return ExitCode::SUCCESS;
    }
    let costly = scaling::above_max_ratio(part);
    if !costly.is_empty() {
        println!("more than they may take beside another program: {}", costly.join(", "));
        return ExitCode::FAILURE;
    }
    let changes = before.changes(&rows);
    let named = |wanted: Change| -> Vec<&str> {
        let these = changes.iter().filter(|(_, _, change)| *change == wanted);
        these.map(|(row, _, _)| row.name.as_str()).collect()
    };
    let gone = if part.is_empty() { before.gone(&rows) } else { Vec::new() };
    let (slower, stale) = (named(Change::Slower), [named(Change::Faster), named(Change::New), gone].concat());
    if !slower.is_empty() {
        println!("more than 5 % more instructions: {}", slower.join(", "));
    }
    if !stale.is_empty() {
        println!(
            "the table no longer says what these take, and hides what they may get slower by: {}",
            stale.join(", ")
        );
    }
    if slower.is_empty() && stale.is_empty() {
        return ExitCode::SUCCESS;
    }
    println!("where that is meant, write the table anew: PLANTIME_BLESS=1 cargo bench --bench guard");
    ExitCode::FAILURE
}

fn counted(workload: &Workload) -> Row {
    let n = size(workload);
    let instructions = counting::between(&["run", workload.name, &n.to_string()]);
    Row { name: workload.name.to_owned(), n, instructions }
}

fn print(before: &Table, now: &[Row]) {
    println!("{:<20} {:>5} {:>11} {:>11} {:>8}", "workload", "N", "table", "now", "");
    for (row, before, change) in before.changes(now) {
        let table = before.map(|before| before.to_string()).unwrap_or_default();
        let more = before.map(|before| (row.instructions as f64 / before as f64 - 1.0) * 100.0);
        let more = more.map(|more| format!("{more:+.2} %")).unwrap_or_default();
        println!("{:<20} {:>5} {table:>11} {:>11} {more:>8} {change}", row.name, row.n, row.instructions);
    }
}

/// The rows of before with those that were counted now in their places.
fn replaced(before: Vec<Row>, now: Vec<Row>) -> Vec<Row> {
    let mut rows = before;
    for row in now {
        match rows.iter_mut().find(|other| other.name == row.name) {
            Some(other) => *other = row,
            None => rows.push(row),
        }
    }
    rows
}
