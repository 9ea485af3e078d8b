//! Reading the text form of types: `list(object({a = string, "odd name" = dynamic}))`.

use std::str::FromStr;

use crate::error::{Error, Kind, Result};
use crate::limits;
use crate::path::Step;
use crate::types::cursor::TypeTokens;
use crate::types::names::from_word;
use crate::types::node::too_deep;
use crate::types::{ObjectType, Type, did_you_mean};

/// Reads the text form.
///
/// | form | |
/// |---|---|
/// | `any`, `dynamic` | the same type |
/// | `bool`, `number`, `string` | |
/// | `list(T)`, `set(T)`, `map(T)` | |
/// | `tuple([T, …])` | |
/// | `object({name = T, …})` | a name is a word (letters, digits, `_`, `-`) or a JSON string |
///
/// White space is allowed between all tokens, and a comma after the last element. A capsule type belongs to the
/// program, not to the text, so `capsule("name")` is written but cannot be read. Only constraints have optional
/// attributes.
///
/// # Errors
///
/// [`is_syntax`](Error::is_syntax) with the column at which the text stops making sense, and with the path of the part
/// of the type, [`is_limit`](Error::is_limit) above [`limits::DEPTH`] levels.
impl FromStr for Type {
    type Err = Error;

    fn from_str(text: &str) -> Result<Type> {
        let mut cursor = TypeTokens::new(text);
        let ty = read_type(&mut cursor, limits::DEPTH)?;
        match cursor.peek() {
            None => Ok(ty),
            Some(_) => Err(cursor.expected("end of the type")),
        }
    }
}

/// Reads a type that nests at most `depth` levels.
fn read_type(cursor: &mut TypeTokens<'_>, depth: usize) -> Result<Type> {
    let place = cursor.place();
    let word = cursor.word();
    let ty = if word == "any" { Some(Type::Dynamic) } else { from_word(word) };
    if let Some(ty) = ty {
        return Ok(ty);
    }
    if !matches!(word, "list" | "set" | "map" | "tuple" | "object") {
        return Err(unknown_word(cursor, word, place));
    }
    cursor.expect('(')?;
    let below = depth.checked_sub(1).ok_or_else(too_deep)?;
    let ty = match word {
        "list" => Type::list(read_type(cursor, below)?)?,
        "set" => Type::set(read_type(cursor, below)?)?,
        "map" => Type::map(read_type(cursor, below)?)?,
        "tuple" => Type::tuple(read_elements(cursor, below)?)?,
        _ => Type::Object(ObjectType::new(read_attributes(cursor, below)?)?),
    };
    cursor.expect(')')?;
    Ok(ty)
}

/// Reads the element types of a tuple, each of at most `depth` levels, with the brackets around them.
fn read_elements(cursor: &mut TypeTokens<'_>, depth: usize) -> Result<Vec<Type>> {
    cursor.expect('[')?;
    let mut elements = Vec::new();
    loop {
        if cursor.take(']') {
            return Ok(elements);
        }
        let step = || Step::index(elements.len());
        let element = read_type(cursor, depth).map_err(|error| error.under(step()))?;
        elements.push(element);
        if !cursor.take_comma_or(']')? {
            return Ok(elements);
        }
    }
}

/// Reads the names and types of an object's attributes, each of at most `depth` levels, with the braces around them.
fn read_attributes(cursor: &mut TypeTokens<'_>, depth: usize) -> Result<Vec<(String, Type)>> {
    cursor.expect('{')?;
    let mut attributes = Vec::new();
    loop {
        if cursor.take('}') {
            return Ok(attributes);
        }
        let name = read_name(cursor)?;
        cursor.expect('=')?;
        let ty = read_type(cursor, depth).map_err(|error| error.under(Step::attr(&name)))?;
        attributes.push((name, ty));
        if !cursor.take_comma_or('}')? {
            return Ok(attributes);
        }
    }
}

/// Reads an attribute name: a word, or a JSON string.
fn read_name(cursor: &mut TypeTokens<'_>) -> Result<String> {
    if cursor.peek() == Some('"') {
        return cursor.string();
    }
    match cursor.word() {
        "" => Err(cursor.expected("an attribute name")),
        name => Ok(name.to_owned()),
    }
}

/// The error for a word, read at byte `place`, that is no type keyword, or is one that cannot be read here.
#[cold]
fn unknown_word(cursor: &mut TypeTokens<'_>, word: &str, place: usize) -> Error {
    match word {
        "" => cursor.expected("a type"),
        "capsule" => cursor.error_at(place, "a capsule type cannot be read from text, but there is one"),
        "optional" => cursor.error_at(place, "a type has no optional attributes, but there is one"),
        word => {
            let hint = did_you_mean(word);
            let error = cursor.error_at(place, &format!("unknown type keyword `{word}`"));
            Error::new(Kind::Syntax, format!("{}{hint}", error.message()))
        }
    }
}
