//! The precision ledger of the functions.

use toml::Value as Toml;

const ROWS: usize = 25;

/// What a row says: the function, kinds of operands, and why.
pub(crate) struct Row {
    pub(crate) function: String,
    pub(crate) operands: Vec<String>,
    pub(crate) reason: String,
}

fn table(name: &str) -> Vec<Toml> {
    let table: Toml = toml::from_str(include_str!("precision.toml")).unwrap();
    table.get(name).and_then(Toml::as_array).cloned().unwrap_or_default()
}

/// The share of calls of a function, in percent, whose answer may be less precise than possible. None if every answer
/// must be optimal.
pub(crate) fn loss(function: &str) -> Option<f64> {
    let number = |share: &Toml| share.as_float().or(share.as_integer().map(|share| share as f64)).unwrap();
    table("loss").iter().find_map(|row| row["functions"].get(function).map(number))
}

pub(crate) fn rows() -> Vec<Row> {
    let rows = table("row");
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
    let (rows, losses) = (rows(), table("loss"));
    assert!(rows.len() + losses.len() <= ROWS, "{} rows", rows.len() + losses.len());
    let is_function = |name: &str| {
        let tables = [plantime::function::Functions::cty(), plantime::function::Functions::rules()];
        tables.iter().any(|functions| functions.get(name).is_some())
    };
    for row in rows {
        let name = &row.function;
        assert!(
            is_function(name) && !row.reason.is_empty(),
            "precision.toml: {name} is no function, or has no reason"
        );
    }
    for row in losses {
        assert!(!row["reason"].as_str().unwrap().is_empty());
        for (name, _) in row["functions"].as_table().unwrap() {
            assert!(is_function(name), "precision.toml: there is no function {name}");
        }
    }
}
