//! The precision ledger.

pub(crate) use plantime::testing::ledger::Ledger;
use plantime::testing::ledger::Row;
use toml::Value as Toml;

const ROWS: usize = 10;

/// Each row with the operation that it is about.
fn rows() -> Vec<(String, Row)> {
    let table: Toml = toml::from_str(include_str!("precision.toml")).unwrap();
    let rows = table.get("row").and_then(Toml::as_array).cloned().unwrap_or_default();
    let text = |text: &Toml| text.as_str().unwrap().to_owned();
    rows.iter()
        .map(|row| {
            let operands = row["operands"].as_array().unwrap().iter().map(text).collect();
            (text(&row["operation"]), Row { operands, reason: text(&row["reason"]) })
        })
        .collect()
}

/// The ledger of one operation.
pub(crate) fn of(operation: &str) -> Ledger {
    Ledger::new(rows().into_iter().filter(|(of, _)| of == operation).map(|(_, row)| row).collect())
}

#[test]
fn the_ledger_is_short_and_names_operations_that_exist() {
    let rows = rows();
    assert!(rows.len() <= ROWS, "{} rows", rows.len());
    for (operation, row) in rows {
        assert!(
            super::laws::OPERATIONS.contains(&operation.as_str())
                || super::set_algebra::SETS.contains(&operation.as_str()),
            "{operation}"
        );
        assert!(!row.reason.is_empty());
    }
}
