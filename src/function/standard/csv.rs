//! `csvdecode`.

mod quotes;
mod record;

use crate::error::{Error, Kind, Result};
use crate::function::{Arguments, Function, Parameter, work};
use crate::refinement::{LengthRange, Refinement};
use crate::text::{QuotedInMessage, Text};
use crate::types::{ObjectType, Type};
use crate::value::{Value, canonical};

use super::StandardFunction;
use super::collections::refined_elements;
use record::{Record, Records};

/// Adds `csvdecode`.
pub(super) fn register(functions: &mut Vec<StandardFunction>) {
    let decode = Function::new("csvdecode")
        .description(
            "The rows of comma-separated values as objects, whose attribute names are in the first line.",
        )
        .parameter(Parameter::new("str", Type::String))
        .returns_by(|arguments| {
            read_argument(arguments, |_| Ok(()))?
                .map_or_else(|| Type::list(Type::Dynamic), |types| Ok(types.list))
        })
        .not_null()
        .transformer(|arguments| {
            let mut rows = 0_u64;
            let count = |_: Row<'_>| {
                rows = rows.saturating_add(1);
                Ok(())
            };
            let Some(types) = read_argument(arguments, count)? else {
                return Ok(canonical(arguments.ty().clone(), Refinement::not_null()));
            };
            Ok(canonical(types.list, refined_elements(LengthRange::at_least(rows), Refinement::not_null())))
        })
        .body(|arguments| {
            let (mut rows, mut work) = (Vec::new(), work::Loop::default());
            let types = read_argument(arguments, |row| {
                let row = row.value()?;
                work.turn((row.size() as usize).saturating_mul(2))?;
                rows.push(row);
                Ok(())
            })?;
            Value::list_of(Type::Object(types.ok_or_else(missing_header)?.row), rows)
        });
    let note = "that the result is a list; once the header line is known, its type and a lower bound of the \
                number of rows";
    functions.push(StandardFunction::shared(decode, note));
}

/// The types that the header line of a table determines.
struct TableTypes {
    /// The type of a row.
    row: ObjectType,
    /// The type of the list of rows.
    list: Type,
}

/// A row of the table, not yet a value: its fields, and which attribute each belongs to.
struct Row<'a> {
    ty: &'a ObjectType,
    /// The index of the column of each attribute, in the order of the attribute names.
    columns: &'a [usize],
    /// The fields of the row, in the order of the columns.
    fields: &'a Record,
}

impl Row<'_> {
    /// The row as an object of strings.
    fn value(&self) -> Result<Value> {
        let field = |column: &usize| Value::from(self.fields.get(*column));
        Value::object_of(self.ty, self.columns.iter().map(field).collect())
    }
}

/// Reads the CSV table in the first argument, calls `each` for every row, and returns the types. Of an unknown string
/// it reads the complete records of the known prefix. `None` if these have no header line.
fn read_argument(
    arguments: &Arguments<'_>,
    each: impl FnMut(Row<'_>) -> Result<()>,
) -> Result<Option<TableTypes>> {
    if let Ok(text) = arguments.text(0) {
        return read_table(&normalized_lines(text), each).map(Some);
    }
    let range = arguments.at(0).range();
    let prefix = normalized_lines(range.prefix().unwrap_or_default());
    let complete = quotes::complete_records(&prefix).map_err(|(line, what)| parse_error(line, what))?;
    if complete.trim_matches('\n').is_empty() { Ok(None) } else { read_table(complete, each).map(Some) }
}

/// The string with `\r\n` replaced by `\n`, and without a `\r` at its end, as Go's CSV reader does.
fn normalized_lines(text: &str) -> String {
    let text = text.replace("\r\n", "\n");
    match text.strip_suffix('\r') {
        Some(text) => text.to_owned(),
        None => text,
    }
}

/// Reads a CSV table, calls `each` for every row after the header line, and returns the types.
fn read_table(text: &str, mut each: impl FnMut(Row<'_>) -> Result<()>) -> Result<TableTypes> {
    quotes::check(text).map_err(|(line, what)| parse_error(line, what))?;
    // The reader removes a byte order mark and Go does not, so the mark is doubled.
    let doubled = text.starts_with('\u{feff}').then(|| format!("\u{feff}{text}"));
    let mut records = Records::of(doubled.as_deref().unwrap_or(text));
    let mut fields = Record::default();
    if !records.read(&mut fields) {
        return Err(missing_header());
    }
    let names: Vec<Text> = fields.iter().map(Text::new).collect();
    let mut columns: Vec<(usize, &Text)> = names.iter().enumerate().collect();
    columns.sort_by_key(|(_, name)| *name);
    if let Some([(_, duplicate), _]) =
        columns.windows(2).find(|pair| matches!(pair, [(_, a), (_, b)] if a == b))
    {
        let message = format!("duplicate column name {}", QuotedInMessage(duplicate));
        return Err(Error::new(Kind::Argument, message));
    }
    let ty = ObjectType::new(columns.iter().map(|(_, name)| (&***name, Type::String)))?;
    let columns: Vec<usize> = columns.into_iter().map(|(column, _)| column).collect();
    let mut line = records.line();
    while records.read(&mut fields) {
        if fields.len() != columns.len() {
            return Err(parse_error(line, "wrong number of fields"));
        }
        line = records.line();
        each(Row { ty: &ty, columns: &columns, fields: &fields })?;
    }
    Ok(TableTypes { list: Type::list(Type::Object(ty.clone()))?, row: ty })
}

/// The error for a table without a header line.
#[cold]
fn missing_header() -> Error {
    Error::new(Kind::Syntax, "missing header line")
}

/// The error for a fault on this line of the CSV text.
#[cold]
fn parse_error(line: u64, what: &str) -> Error {
    Error::new(Kind::Syntax, format!("CSV parse error on line {line}: {what}"))
}
