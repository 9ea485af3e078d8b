//! Converts values to and from JSON text and `serde_json` values. Feature `json`.
//!
//! Reading without a type follows cty's *implied types*: a JSON array is a tuple, an object is an object, `null` is
//! a null of unknown type. With a type ([`from_slice_as`]) arrays become lists and sets, objects become maps.
//!
//! [`to_vec_as`] and [`to_writer_as`] write a value as text of a type. Unknown and marked values have no JSON.
//!
//! Reading is strict: the text is one value in valid UTF-8, and no object has a property twice. [`lenient`] reads
//! what cty reads.
//!
//! Numbers are exact: they are read from their digits and never become a floating-point number, whatever features
//! `serde_json` was built with.
//!
//! ```
//! use plantime::{json, Type, Value};
//!
//! let value = json::from_slice(br#"{"port": 5432, "share": 0.1}"#)?;
//! assert_eq!(value, Value::object([("port", Value::from(5432)), ("share", "0.1".parse::<plantime::Number>()?.into())])?);
//!
//! let ports = json::from_slice_as(b"[80, 443]", &Type::list(Type::Number)?)?;
//! assert_eq!(ports, Value::list([80, 443])?);
//! # Ok::<(), plantime::Error>(())
//! ```

pub(crate) mod bridge;
pub(crate) mod canonical;
pub(crate) mod implied;
pub mod lenient;
pub(crate) mod number;
mod prefix;
pub(crate) mod reader;
mod skip;
pub(crate) mod string;
#[cfg(test)]
mod tests;
mod typed;
mod writer;

use std::io;

use crate::constraint::TypeConstraint;
use crate::convert::convert;
use crate::error::{Error, Kind, Result};
use crate::types::Type;
use crate::value::Value;

pub(crate) use reader::Reader;
pub(crate) use {
    prefix::{read_prefix, string_prefix},
    writer::prefix::{KnownText, known_text, text},
};

/// Reads JSON text as a value of the type that the text implies.
///
/// | JSON | value |
/// |---|---|
/// | `null` | null of no type |
/// | `true`, number, string | bool, number (exact), string (in normal form C) |
/// | array | tuple |
/// | object | object |
///
/// ```
/// use plantime::{Value, json, value};
///
/// let server = json::from_slice(br#"{"name": "web", "ports": [80, 0.1], "zone": null}"#)?;
/// assert_eq!(server, value!({ "name": "web", "ports": [80, 0.1], "zone": null })?);
/// let error = json::from_slice(b"[1,]").unwrap_err();
/// assert!(error.is_syntax());
/// # Ok::<(), plantime::Error>(())
/// ```
///
/// # Errors
///
/// [`is_syntax`](crate::Error::is_syntax) when the text is not one JSON value in valid UTF-8, or an object names a
/// property twice; [`is_limit`](crate::Error::is_limit) above [`limits::DEPTH`](crate::limits::DEPTH) levels or for a
/// number above [`limits::DIGITS`](crate::limits::DIGITS), or when exponents make the numbers of the text take more than
/// 32 times its length (and 64 kB). The message ends with line and column, the error's path
/// leads to the place.
pub fn from_slice(text: &[u8]) -> Result<Value> {
    read_all(Reader::new(text)?, Reading::Strict)
}

/// How strictly a text is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reading {
    /// The text is one value, and no object has a property twice.
    Strict,
    /// The text is anything that cty accepts.
    Lenient,
}

/// Reads a whole text as a value or, for `P = Type`, as the type of the value only.
fn read_all<P: implied::ImpliedOutput>(mut reader: Reader<'_>, reading: Reading) -> Result<P> {
    let (value, _) = implied::Implied::new(reading).value(&mut reader)?;
    match reading {
        Reading::Strict => reader.end()?,
        Reading::Lenient => reader.end_or_bracket()?,
    }
    Ok(value)
}

/// Reads JSON text as a value of a type, as cty does.
///
/// | type | JSON |
/// |---|---|
/// | any | `null` is the null of the type |
/// | bool | `true`, `false`, or one of these (also `1`, `0`) as text |
/// | number | a number, or text that [`Number`](crate::Number) reads |
/// | string | text; of a number its digits as they stand, of a bool `true` or `false` |
/// | list, set | array |
/// | map | object |
/// | tuple | array of the same length |
/// | object | object without other properties; missing ones are null |
/// | dynamic | `{"type": …, "value": …}`, the type in the JSON form of [`Type::from_json_text`] |
/// | `list(dynamic)` and its like | elements of one type, which the list has then; `null` may be among them |
///
/// ```
/// use plantime::{json, Type, Value};
///
/// let ty: Type = "object({name = string, tags = map(string)})".parse()?;
/// let value = json::from_slice_as(br#"{"name": "web"}"#, &ty)?;
/// assert_eq!(value.ty(), ty);
/// assert!(json::from_slice_as(br#"{"name": ["web"]}"#, &ty).unwrap_err().is_type_mismatch());
/// # Ok::<(), plantime::Error>(())
/// ```
///
/// # Errors
///
/// As [`from_slice`], and [`is_type_mismatch`](crate::Error::is_type_mismatch) where the text does not fit the type;
/// [`is_limit`](crate::Error::is_limit) where objects of a type that the text names leave out more than four attributes
/// for each byte of the text (and 16,384), so that a small text does not become a large value.
pub fn from_slice_as(text: &[u8], ty: &Type) -> Result<Value> {
    typed::Typed::new(Reader::new(text)?, Reading::Strict).read(ty)
}

/// Reads JSON text as a value of the type that the text implies: [`from_slice`] of a string.
///
/// ```
/// use plantime::{json, value};
///
/// assert_eq!(json::from_str(r#"{"ports": [80]}"#)?, value!({ "ports": [80] })?);
/// # Ok::<(), plantime::Error>(())
/// ```
///
/// # Errors
///
/// As [`from_slice`].
pub fn from_str(text: &str) -> Result<Value> {
    from_slice(text.as_bytes())
}

/// Reads JSON text as a value of a type: [`from_slice_as`] of a string.
///
/// ```
/// use plantime::{Value, json};
///
/// let ports = json::from_str_as("[443, 80, 443]", &"set(number)".parse()?)?;
/// assert_eq!(ports, Value::set([80, 443])?);
/// let error = json::from_str_as(r#"["https"]"#, &"set(number)".parse()?).unwrap_err();
/// assert!(error.is_type_mismatch());
/// # Ok::<(), plantime::Error>(())
/// ```
///
/// # Errors
///
/// As [`from_slice_as`].
pub fn from_str_as(text: &str, ty: &Type) -> Result<Value> {
    from_slice_as(text.as_bytes(), ty)
}

/// Reads JSON text from a reader to its end, as a value of the type that the text implies. The text is held in memory as a
/// whole.
///
/// ```
/// use plantime::{json, value};
///
/// let file: &[u8] = b"[true]";
/// assert_eq!(json::from_reader(file)?, value!([true])?);
/// # Ok::<(), plantime::Error>(())
/// ```
///
/// # Errors
///
/// As [`from_slice`], and [`is_io`](crate::Error::is_io) when the reader fails.
pub fn from_reader(reader: impl io::Read) -> Result<Value> {
    from_slice(&text_of(reader)?)
}

/// Reads JSON text from a reader to its end, as a value of a type.
///
/// ```
/// use plantime::{Value, json};
///
/// let tags = json::from_reader_as(&br#"{"Name": "web"}"#[..], &"map(string)".parse()?)?;
/// assert_eq!(tags, Value::map([("Name", "web")])?);
/// # Ok::<(), plantime::Error>(())
/// ```
///
/// # Errors
///
/// As [`from_slice_as`], and [`is_io`](crate::Error::is_io) when the reader fails.
pub fn from_reader_as(reader: impl io::Read, ty: &Type) -> Result<Value> {
    from_slice_as(&text_of(reader)?, ty)
}

/// All bytes of a reader.
fn text_of(mut reader: impl io::Read) -> Result<Vec<u8>> {
    let mut text = Vec::new();
    match reader.read_to_end(&mut text) {
        Ok(_) => Ok(text),
        Err(error) => Err(Error::new(Kind::Io, error.to_string()).with_source(error)),
    }
}

/// Writes a value as JSON text, as cty writes it with the value's own type.
///
/// The text does not contain the type: read with [`from_slice_as`] and the value's type it is the same value; read
/// with [`from_slice`] its lists and sets are tuples, its maps are objects. If the reader does not know the type,
/// write the value as one of type dynamic ([`to_vec_as`]).
///
/// ```
/// use plantime::{json, Value};
///
/// let value = Value::object([("b", Value::set([10, 9])?), ("a", Value::from("<\u{e9}>"))])?;
/// assert_eq!(String::from_utf8_lossy(&json::to_vec(&value)?), r#"{"a":"\u003cé\u003e","b":[9,10]}"#);
/// # Ok::<(), plantime::Error>(())
/// ```
///
/// # Errors
///
/// As [`to_vec_as`].
pub fn to_vec(value: &Value) -> Result<Vec<u8>> {
    to_vec_as(value, &value.ty())
}

/// Writes a value as JSON text of a type, byte for byte as cty does. A value of another type is converted first.
///
/// | value | JSON |
/// |---|---|
/// | null | `null` |
/// | bool | `true`, `false` |
/// | number | plain digits, every one of them, without exponent |
/// | string | text; `<`, `>`, `&`, U+2028 and U+2029 are escaped |
/// | list, tuple | array |
/// | set | array in the order in which the set is iterated |
/// | map, object | object, sorted by the bytes of its keys, every attribute in it |
/// | anything where the type is dynamic | `{"value":…,"type":…}`; the untyped null is `null` |
///
/// ```
/// use plantime::{json, Type, Value};
///
/// let ty: Type = "list(any)".parse()?;
/// let text = json::to_vec_as(&Value::tuple([1, 2])?, &ty)?;
/// assert_eq!(text, br#"[{"value":1,"type":"number"},{"value":2,"type":"number"}]"#);
/// assert_eq!(json::from_slice_as(&text, &ty)?, Value::list([1, 2])?);
///
/// let unknown = Value::object([("id", Value::unknown(Type::String))])?;
/// assert_eq!(json::to_vec(&unknown).unwrap_err().to_string(), "id: value is not known");
/// # Ok::<(), plantime::Error>(())
/// ```
///
/// # Errors
///
/// With the path to the place: [`is_unknown`](crate::Error::is_unknown) and
/// [`is_marked`](crate::Error::is_marked) where something is unknown or marked,
/// [`is_argument`](crate::Error::is_argument) for an infinity, [`is_type_mismatch`](crate::Error::is_type_mismatch) for a
/// capsule. As [`convert`] where the value is not of the type.
pub fn to_vec_as(value: &Value, ty: &Type) -> Result<Vec<u8>> {
    to_string_as(value, ty).map(String::into_bytes)
}

/// Writes a value as JSON text: [`to_vec`] as a string.
///
/// ```
/// use plantime::{json, value};
///
/// assert_eq!(json::to_string(&value!({ "ports": [80] })?)?, r#"{"ports":[80]}"#);
/// # Ok::<(), plantime::Error>(())
/// ```
///
/// # Errors
///
/// As [`to_vec_as`].
pub fn to_string(value: &Value) -> Result<String> {
    to_string_as(value, &value.ty())
}

/// Writes a value as JSON text of a type: [`to_vec_as`] as a string.
///
/// ```
/// use plantime::{Type, json, value};
///
/// let server = value!({ "name": "web", "port": 80 })?;
/// assert_eq!(json::to_string_as(&server, &server.ty())?, r#"{"name":"web","port":80}"#);
/// // What the type leaves open is written with its own type.
/// assert_eq!(json::to_string_as(&80.into(), &Type::Dynamic)?, r#"{"value":80,"type":"number"}"#);
/// # Ok::<(), plantime::Error>(())
/// ```
///
/// # Errors
///
/// As [`to_vec_as`].
pub fn to_string_as(value: &Value, ty: &Type) -> Result<String> {
    let mut writer = writer::Writer::new();
    write(&mut writer, value, ty)?;
    writer.finish()
}

/// Writes a value like [`to_vec`], into a writer, in pieces. The writer is not flushed.
///
/// ```
/// use plantime::{json, value};
///
/// let mut text = Vec::new();
/// json::to_writer(&mut text, &value!({ "ports": [80, 443] })?)?;
/// assert_eq!(text, br#"{"ports":[80,443]}"#);
/// # Ok::<(), plantime::Error>(())
/// ```
///
/// # Errors
///
/// As [`to_writer_as`].
pub fn to_writer(mut writer: impl io::Write, value: &Value) -> Result<()> {
    to_writer_as(&mut writer, value, &value.ty())
}

/// Writes a value like [`to_vec_as`], into a writer, in pieces of about 64 kB. The writer is not flushed.
///
/// ```
/// use plantime::{json, Type, Value};
///
/// let mut file = Vec::new();
/// json::to_writer_as(&mut file, &Value::from(5), &Type::Dynamic)?;
/// assert_eq!(file, br#"{"value":5,"type":"number"}"#);
/// # Ok::<(), plantime::Error>(())
/// ```
///
/// # Errors
///
/// As [`to_vec_as`], and [`is_io`](crate::Error::is_io) when the writer fails; part of the text may be written by then.
pub fn to_writer_as(mut writer: impl io::Write, value: &Value, ty: &Type) -> Result<()> {
    let mut writer = writer::Writer::to(&mut writer);
    write(&mut writer, value, ty)?;
    writer.finish().map(drop)
}

/// Writes a value as text of the type, converted to it if it is of another type.
fn write(writer: &mut writer::Writer<'_>, value: &Value, ty: &Type) -> Result<()> {
    if value.has_type(ty) || ty.covers(&value.ty()) {
        return writer.write(value, ty);
    }
    writer.write(&convert(value, &TypeConstraint::from(ty))?, ty)
}

/// The type of the value that [`from_slice`] would read, without building the value. Equal object and tuple types
/// in the result share one allocation.
///
/// ```
/// use plantime::json;
///
/// let ty = json::implied_type(br#"{"ports": [80, "any"], "name": null}"#)?;
/// assert_eq!(ty.to_string(), "object({name = dynamic, ports = tuple([number, string])})");
/// # Ok::<(), plantime::Error>(())
/// ```
///
/// # Errors
///
/// As [`from_slice`].
pub fn implied_type(text: &[u8]) -> Result<Type> {
    read_all(Reader::new(text)?, Reading::Strict)
}
