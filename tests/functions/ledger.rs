//! The precision ledger of the functions.

use toml::Value as Toml;

const ROWS: usize = 25;

/// What a row says: the function, kinds of operands, and why.
pub(crate) struct Row {
    pub(crate) function: String,
    pub(crate) operands: Vec<String>,
    pub(crate) reason: String,
}

pub(crate) fn rows() -> Vec<Row> {
    let table: Toml = toml::from_str(include_str!("precision.toml")).unwrap();
    let rows = table.get("row").and_then(Toml::as_array).cloned().unwrap_or_default();
    let text = |text: &Toml| text.as_str().unwrap().to_owned();
    let row = |row: &Toml| Row {
        function: text(&row["function"]),
        operands: row["operands"].as_array().unwrap().iter().map(text).collect(),
        reason: text(&row["reason"]),
    };
    rows.iter().map(row).collect()
}

#[test]
fn the_ledger_is_short_and_gives_reasons() {
    let rows = rows();
    assert!(rows.len() <= ROWS, "{} rows", rows.len());
    for row in rows {
        let known = plantime::function::Functions::cty().get(&row.function).is_some()
            || plantime::function::Functions::standard().get(&row.function).is_some();
        assert!(known && !row.reason.is_empty(), "{}", row.function);
    }
}
