//! Reads documents of a known structure, such as plans: objects property by property, arrays, and scalars.

use std::borrow::Cow;

use plantime::unstable::error::Kind;
use plantime::unstable::json::{Reader, Token};
use plantime::{Result, Step, Type};

/// Reads a JSON object: calls `property` with each name, which must then read the value from the reader. A `null` is read as
/// an object without properties. A property that occurs twice is an error.
pub fn object<'a>(
    reader: &mut Reader<'a>,
    mut property: impl FnMut(&str, &mut Reader<'a>) -> Result<()>,
) -> Result<()> {
    match reader.peek()? {
        Token::Null => return reader.null(),
        Token::Object => reader.enter()?,
        _ => return Err(reader.mismatch("object")),
    }
    let mut names: Vec<Cow<'a, str>> = Vec::new();
    let mut ascending = true;
    while let Some(key) = reader.key(names.is_empty())? {
        let name = key.text();
        ascending = ascending && names.last().is_none_or(|last| **last < *name);
        property(&name, reader).map_err(|error| error.under(Step::attr(&name)))?;
        names.push(name);
    }
    if !ascending {
        names.sort_unstable();
        if let Some([twice, ..]) = names.windows(2).find(|pair| matches!(pair, [a, b] if a == b)) {
            return Err(reader.error(&format!("duplicate {twice:?} property in a JSON object that ends")));
        }
    }
    Ok(())
}

/// Reads an array: calls `element` for each element, which must read it. A `null` has no elements.
pub fn array<'a>(
    reader: &mut Reader<'a>,
    mut element: impl FnMut(&mut Reader<'a>) -> Result<()>,
) -> Result<()> {
    match reader.peek()? {
        Token::Null => return reader.null(),
        Token::Array => reader.enter()?,
        _ => return Err(reader.mismatch("array")),
    }
    let mut index = 0_u32;
    while reader.element(index == 0)? {
        element(reader).map_err(|error| error.under(Step::index(index)))?;
        index = index.saturating_add(1);
    }
    Ok(())
}

/// Reads a string; `None` for `null`.
pub fn read_text(reader: &mut Reader<'_>) -> Result<Option<String>> {
    match reader.peek()? {
        Token::Null => reader.null().map(|()| None),
        Token::String => reader.string().map(|text| Some(text.text().into_owned())),
        _ => Err(reader.mismatch("string")),
    }
}

/// Reads a bool; `null` is false.
pub fn read_flag(reader: &mut Reader<'_>) -> Result<bool> {
    match reader.peek()? {
        Token::Null => reader.null().map(|()| false),
        Token::Bool => reader.bool(),
        _ => Err(reader.mismatch("bool")),
    }
}

/// Reads a non-negative integer; `null` is 0.
pub fn read_count(reader: &mut Reader<'_>) -> Result<u64> {
    match reader.peek()? {
        Token::Null => reader.null().map(|()| 0),
        Token::Number => {
            let digits = reader.number()?;
            digits.parse().map_err(|_| reader.error("a whole number is required").of_kind(Kind::TypeMismatch))
        }
        _ => Err(reader.mismatch("number")),
    }
}

/// Reads a type in its JSON form.
pub fn ty(reader: &mut Reader<'_>) -> Result<Type> {
    reader.peek()?;
    let start = *reader;
    reader.skip()?;
    Type::from_json_text(start.text_until(reader)).map_err(|error| start.locate(error))
}
