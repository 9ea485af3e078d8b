//! The table of instruction counts, and what has changed since it was written.

use std::fmt;

/// What it was counted with, and the instructions of each workload.
#[derive(Debug, Default, PartialEq)]
pub struct Table {
    pub setting: Vec<String>,
    pub rows: Vec<Row>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    pub name: String,
    pub n: usize,
    pub instructions: u64,
}

/// What became of a workload since the table was written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Change {
    /// Within five in a hundred.
    None,
    /// It takes more.
    Slower,
    /// It takes less: the table would hide as much of what it may get slower by.
    Faster,
    /// The table does not have it, or of another size.
    New,
}

impl Change {
    pub fn between(before: Option<u64>, now: u64) -> Change {
        let Some(before) = before else { return Change::New };
        let (before, now) = (u128::from(before), u128::from(now));
        if now * 100 > before * 105 {
            Change::Slower
        } else if now * 100 < before * 95 {
            Change::Faster
        } else {
            Change::None
        }
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Change::None => "",
            Change::Slower => "SLOWER",
            Change::Faster => "faster: bless",
            Change::New => "new: bless",
        })
    }
}

impl Table {
    /// Lines that begin with `#` are for readers; those that begin with `with` are the setting.
    pub fn read(text: &str) -> Option<Table> {
        let mut table = Table::default();
        for line in text.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
            match line.split_once(' ') {
                Some(("with", setting)) => table.setting.push(setting.to_owned()),
                Some((name, numbers)) => {
                    let (n, instructions) = numbers.trim().split_once(' ')?;
                    let (n, instructions) = (n.parse().ok()?, instructions.trim().parse().ok()?);
                    table.rows.push(Row { name: name.to_owned(), n, instructions });
                }
                None => return None,
            }
        }
        Some(table)
    }

    pub fn instructions(&self, name: &str, n: usize) -> Option<u64> {
        self.rows.iter().find(|row| row.name == name && row.n == n).map(|row| row.instructions)
    }

    /// Each row of what was counted now, with what this table says it took and what became of it.
    pub fn changes<'a>(&self, now: &'a [Row]) -> Vec<(&'a Row, Option<u64>, Change)> {
        let change = |row: &'a Row| {
            let before = self.instructions(&row.name, row.n);
            (row, before, Change::between(before, row.instructions))
        };
        now.iter().map(change).collect()
    }

    /// The names that are here and not among what was counted.
    pub fn gone(&self, now: &[Row]) -> Vec<&str> {
        let gone = self.rows.iter().filter(|row| now.iter().all(|other| other.name != row.name));
        gone.map(|row| row.name.as_str()).collect()
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        writeln!(
            f,
            "# Instructions of each workload: name, N, count. `cargo bench --bench guard` counts again and compares,"
        )?;
        writeln!(
            f,
            "# `PLANTIME_BLESS=1 cargo bench --bench guard` writes this file. BENCHMARKS.md tells more."
        )?;
        for setting in &self.setting {
            writeln!(f, "with {setting}")?;
        }
        for row in &self.rows {
            writeln!(f, "{:<20} {:>5} {:>10}", row.name, row.n, row.instructions)?;
        }
        Ok(())
    }
}
