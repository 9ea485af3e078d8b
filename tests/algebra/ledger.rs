//! The precision ledger.

use std::collections::BTreeMap;

use toml::Value as Toml;

use super::gamma::Abs;

const ROWS: usize = 10;
/// The most operand tuples of an operation that one row may cover: 0.5 %.
const SHARE: f64 = 0.005;

pub(crate) struct Row {
    pub(crate) operation: String,
    pub(crate) operands: Vec<String>,
    pub(crate) reason: String,
}

pub(crate) fn rows() -> Vec<Row> {
    let text = include_str!("precision.toml");
    let table: Toml = toml::from_str(text).unwrap();
    let rows = table.get("row").and_then(Toml::as_array).cloned().unwrap_or_default();
    rows.iter()
        .map(|row| Row {
            operation: row["operation"].as_str().unwrap().to_owned(),
            operands: row["operands"]
                .as_array()
                .unwrap()
                .iter()
                .map(|o| o.as_str().unwrap().to_owned())
                .collect(),
            reason: row["reason"].as_str().unwrap().to_owned(),
        })
        .collect()
}

/// The rows of one operation, and how many operand tuples each covered.
pub(crate) struct Ledger {
    rows: Vec<Row>,
    used: BTreeMap<usize, usize>,
}

impl Ledger {
    pub(crate) fn of(operation: &str) -> Ledger {
        let rows = rows().into_iter().filter(|row| row.operation == operation).collect();
        Ledger { rows, used: BTreeMap::new() }
    }

    /// Whether some row covers the operands.
    pub(crate) fn excuses(&mut self, operands: &[&Abs]) -> bool {
        if self.rows.is_empty() {
            return false;
        }
        let kinds: Vec<String> = operands.iter().map(|operand| operand.kind()).collect();
        let covering = self.rows.iter().position(|row| {
            row.operands.len() == kinds.len()
                && row.operands.iter().zip(&kinds).all(|(o, kind)| o == "*" || o == kind)
        });
        covering.is_some_and(|row| {
            *self.used.entry(row).or_default() += 1;
            true
        })
    }

    /// Every row is used, and none covers more than its share.
    pub(crate) fn close(&self, tuples: usize) -> Vec<String> {
        let mut wrong = Vec::new();
        for (i, row) in self.rows.iter().enumerate() {
            let covered = self.used.get(&i).copied().unwrap_or(0);
            let name = format!("{} {:?} ({})", row.operation, row.operands, row.reason);
            if covered == 0 {
                wrong.push(format!("ledger: row without use: {name}"));
            }
            if covered as f64 > SHARE * tuples as f64 {
                wrong.push(format!("ledger: {covered} of {tuples} tuples: {name}"));
            }
        }
        wrong
    }
}

#[test]
fn the_ledger_is_short_and_names_operations_that_exist() {
    let rows = rows();
    assert!(rows.len() <= ROWS, "{} rows", rows.len());
    for row in rows {
        assert!(super::laws::OPERATIONS.contains(&row.operation.as_str()), "{}", row.operation);
        assert!(!row.reason.is_empty());
    }
}
