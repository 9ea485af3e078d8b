//! Comma-separated values.

mod quotes;

use csv::{ErrorKind, ReaderBuilder, StringRecord, Terminator};

use crate::error::{Error, Kind, Result};
use crate::function::{Arguments, Function, Parameter};
use crate::refinement::{LengthRange, Refinement};
use crate::text::{QuotedInMessage, Text};
use crate::types::{ObjectType, Type};
use crate::value::{Value, canonical};

use super::Standard;

/// What is kept of arguments that are not known.
pub(super) const KEEPS: super::Keeps = &[(
    &["csvdecode"],
    "that it is a list; once the header line is known, the type; and at least as many rows as are there already",
)];

pub(super) fn add_to(all: &mut Vec<Standard>) {
    let decode = Function::new("csvdecode")
        .description(
            "The rows of a text of comma-separated values as objects, with the names of its first line.",
        )
        .parameter(Parameter::new("str", Type::String))
        .returns_by(|arguments| {
            table(arguments, |_| Ok(()))?.map_or_else(|| Type::list(Type::Dynamic), |table| Ok(table.ty))
        })
        .not_null()
        .transformer(|arguments| {
            let mut rows = 0_u64;
            let count = |_: Row<'_>| {
                rows = rows.saturating_add(1);
                Ok(())
            };
            let Some(table) = table(arguments, count)? else {
                return Ok(canonical(arguments.ty().clone(), Refinement::not_null()));
            };
            Ok(canonical(table.ty, Refinement::length(LengthRange::at_least(rows)).and_not_null()))
        })
        .body(|arguments| {
            let mut rows = Vec::new();
            let table = table(arguments, |row| {
                rows.push(row.value()?);
                Ok(())
            })?;
            Value::list_of(Type::Object(table.ok_or_else(no_header)?.row), rows)
        });
    all.push(Standard::both(decode));
}

/// What has been read: the type of a row, and of all together.
struct Table {
    row: ObjectType,
    ty: Type,
}

/// A row of as many fields as there are names.
struct Row<'a> {
    ty: &'a ObjectType,
    /// The column of each attribute.
    columns: &'a [usize],
    fields: &'a StringRecord,
}

impl Row<'_> {
    fn value(&self) -> Result<Value> {
        let field = |column: &usize| Value::from(self.fields.get(*column).unwrap_or_default());
        Value::object_of(self.ty, self.columns.iter().map(field).collect())
    }
}

/// The table of a known text, or what is there of it for certain of an unknown one, if that has a header line.
fn table(arguments: &Arguments<'_>, row: impl FnMut(Row<'_>) -> Result<()>) -> Result<Option<Table>> {
    if let Ok(text) = arguments.text(0) {
        return read(&lines(text), row).map(Some);
    }
    let range = arguments.at(0).range();
    let prefix = lines(range.prefix().unwrap_or_default());
    let whole = quotes::complete(&prefix).map_err(|(line, what)| failed(line, what))?;
    if whole.trim_matches('\n').is_empty() { Ok(None) } else { read(whole, row).map(Some) }
}

/// As Go reads lines: without the carriage return before a line feed, and at the end of the text.
fn lines(text: &str) -> String {
    let text = text.replace("\r\n", "\n");
    match text.strip_suffix('\r') {
        Some(text) => text.to_owned(),
        None => text,
    }
}

fn read(text: &str, mut each: impl FnMut(Row<'_>) -> Result<()>) -> Result<Table> {
    quotes::check(text).map_err(|(line, what)| failed(line, what))?;
    // The reader takes one mark of byte order off, Go none.
    let marked = text.starts_with('\u{feff}').then(|| format!("\u{feff}{text}"));
    let bytes = marked.as_deref().unwrap_or(text).as_bytes();
    let mut reader =
        ReaderBuilder::new().has_headers(false).terminator(Terminator::Any(b'\n')).from_reader(bytes);
    let mut fields = StringRecord::new();
    if !reader.read_record(&mut fields).map_err(|error| unread(&error))? {
        return Err(no_header());
    }
    let names: Vec<Text> = fields.iter().map(Text::new).collect();
    let mut columns: Vec<(usize, &Text)> = names.iter().enumerate().collect();
    columns.sort_by_key(|(_, name)| *name);
    if let Some([(_, twice), _]) = columns.windows(2).find(|pair| matches!(pair, [(_, a), (_, b)] if a == b))
    {
        let message = format!("duplicate column name {}", QuotedInMessage(twice));
        return Err(Error::new(Kind::Argument, message));
    }
    let ty = ObjectType::new(columns.iter().map(|(_, name)| (&***name, Type::String)))?;
    let columns: Vec<usize> = columns.into_iter().map(|(column, _)| column).collect();
    while reader.read_record(&mut fields).map_err(|error| unread(&error))? {
        each(Row { ty: &ty, columns: &columns, fields: &fields })?;
    }
    Ok(Table { ty: Type::list(Type::Object(ty.clone()))?, row: ty })
}

#[cold]
fn no_header() -> Error {
    Error::new(Kind::Syntax, "missing header line")
}

#[cold]
fn failed(line: u64, what: &str) -> Error {
    Error::new(Kind::Syntax, format!("CSV parse error on line {line}: {what}"))
}

#[cold]
fn unread(error: &csv::Error) -> Error {
    let line = error.position().map_or(0, csv::Position::line);
    match error.kind() {
        ErrorKind::UnequalLengths { .. } => failed(line, "wrong number of fields"),
        _ => failed(line, "the text cannot be read"),
    }
}
