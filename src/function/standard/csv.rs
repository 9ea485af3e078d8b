//! Comma-separated values.
//!
//! | function | what is kept of an unknown |
//! |---|---|
//! | `csvdecode` | once the header line is known, the type; and at least as many rows as are there already |

mod quotes;

use csv::{ErrorKind, ReaderBuilder, StringRecord, Terminator};

use crate::error::{Error, Kind, Result};
use crate::function::{Arguments, Function, Parameter};
use crate::refinement::{LengthRange, Refinement};
use crate::text::{Quoted, Text};
use crate::types::Type;
use crate::value::{Value, canonical};

use super::Standard;

pub(super) fn add_to(all: &mut Vec<Standard>) {
    let decode = Function::new("csvdecode")
        .description(
            "The rows of a text of comma-separated values as objects, with the names of its first line.",
        )
        .parameter(Parameter::new("str", Type::String))
        .returns_by(|arguments| Ok(table(arguments)?.map_or(Type::Dynamic, |table| table.ty)))
        .not_null()
        .transformer(|arguments| {
            let Some(table) = table(arguments)? else { return Ok(Value::dynamic()) };
            let rows = LengthRange::at_least(table.rows.len() as u64);
            Ok(canonical(table.ty, Refinement::length(rows).and_not_null()))
        })
        .body(|arguments| match table(arguments)? {
            Some(table) => table.value(),
            None => Err(no_header()),
        });
    all.push(Standard::both(decode));
}

/// What has been read: names, and rows of just as many fields.
struct Table {
    names: Vec<Text>,
    rows: Vec<StringRecord>,
    ty: Type,
}

/// The table of a known text, or what is there of it for certain of an unknown one, if that has a header line.
fn table(arguments: &Arguments<'_>) -> Result<Option<Table>> {
    if let Ok(text) = arguments.text(0) {
        return read(&lines(text)).map(Some);
    }
    let range = arguments.at(0).range();
    let prefix = lines(range.prefix().unwrap_or_default());
    let whole = quotes::complete(&prefix).map_err(|(line, what)| failed(line, what))?;
    if whole.trim_matches('\n').is_empty() { Ok(None) } else { read(whole).map(Some) }
}

/// As Go reads lines: without the carriage return before a line feed, and at the end of the text.
fn lines(text: &str) -> String {
    let text = text.replace("\r\n", "\n");
    match text.strip_suffix('\r') {
        Some(text) => text.to_owned(),
        None => text,
    }
}

fn read(text: &str) -> Result<Table> {
    quotes::check(text).map_err(|(line, what)| failed(line, what))?;
    // The reader takes one mark of byte order off, Go none.
    let marked = text.starts_with('\u{feff}').then(|| format!("\u{feff}{text}"));
    let bytes = marked.as_deref().unwrap_or(text).as_bytes();
    let mut reader =
        ReaderBuilder::new().has_headers(false).terminator(Terminator::Any(b'\n')).from_reader(bytes);
    let mut records = reader.records();
    let header = match records.next() {
        Some(header) => header.map_err(|error| unread(&error))?,
        None => return Err(no_header()),
    };
    let names: Vec<Text> = header.iter().map(Text::new).collect();
    let mut sorted: Vec<&Text> = names.iter().collect();
    sorted.sort_unstable();
    if let Some([twice, _]) = sorted.windows(2).find(|pair| matches!(pair, [a, b] if a == b)) {
        let message = format!("duplicate column name {}", Quoted(twice));
        return Err(Error::new(Kind::Argument, message));
    }
    let rows = records.collect::<Result<Vec<_>, _>>().map_err(|error| unread(&error))?;
    let row = Type::object(names.iter().map(|name| (&**name, Type::String)))?;
    Ok(Table { names, rows, ty: Type::list(row)? })
}

impl Table {
    fn value(self) -> Result<Value> {
        let Some(row) = self.ty.element_type().cloned() else { return Err(no_header()) };
        let rows = self.rows.iter().map(|row| Value::object(self.names.iter().map(|name| &**name).zip(row)));
        Value::list_of(row, rows.collect::<Result<Vec<_>>>()?)
    }
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
