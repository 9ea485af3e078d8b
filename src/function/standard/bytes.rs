//! [`Bytes`], a capsule of bytes, and the functions of it: `byteslen` and `bytesslice`.

use crate::capsule::Capsule;
use crate::error::{Error, Kind, Result};
use crate::function::{Arguments, Function, Parameter};
use crate::number::Number;
use crate::refinement::{Bound, NumberRange, Refinement};
use crate::types::Type;
use crate::value::{Value, canonical};

use super::StandardFunction;

/// A string of bytes that a value can hold: the capsule `bytes` of cty.
///
/// ```
/// use plantime::function::{Bytes, Functions};
/// use plantime::Value;
///
/// let bytes = Value::capsule(Bytes::from(b"hello"));
/// let part = Functions::cty().call("bytesslice", &[bytes, 1.into(), 3.into()])?;
/// assert_eq!(part.as_capsule::<Bytes>()?.as_slice(), b"ell");
/// # Ok::<(), plantime::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bytes(Box<[u8]>);

impl Bytes {
    /// Creates the capsule content from these bytes.
    ///
    /// [Example](Bytes)
    pub fn new(bytes: impl Into<Box<[u8]>>) -> Bytes {
        Bytes(bytes.into())
    }

    /// The bytes as a slice.
    ///
    /// [Example](Bytes)
    pub fn as_slice(&self) -> &[u8] {
        &self.0
    }
}

impl<const N: usize> From<&[u8; N]> for Bytes {
    fn from(bytes: &[u8; N]) -> Bytes {
        Bytes::new(bytes.as_slice())
    }
}

impl Capsule for Bytes {
    const NAME: &'static str = "bytes";
}

/// Adds `byteslen` and `bytesslice`.
pub(super) fn register(functions: &mut Vec<StandardFunction>) {
    let finite = NumberRange::new(Bound::Inclusive(Number::ZERO), Bound::Exclusive(Number::INFINITY));
    let length = Function::new("byteslen")
        .description("The number of bytes.")
        .parameter(Parameter::new("buf", Type::capsule::<Bytes>()))
        .returns(Type::Number)
        .refine_result(Refinement::integer_in(&finite.unwrap_or_default()).and_not_null())
        .body(|arguments| Ok(Value::from(buffer(arguments)?.len())));
    functions.push(StandardFunction::cty_only(length, "that the result is a finite number, at least 0"));
    let slice = Function::new("bytesslice")
        .description("A number of bytes from an offset on.")
        .parameter(Parameter::new("buf", Type::capsule::<Bytes>()))
        .parameter(Parameter::new("offset", Type::Number))
        .parameter(Parameter::new("length", Type::Number))
        .returns(Type::capsule::<Bytes>())
        .not_null()
        .transformer(|arguments| {
            for index in [1, 2] {
                if arguments.at(index).is_known() {
                    non_negative(arguments, index)?;
                }
            }
            Ok(canonical(arguments.ty().clone(), Refinement::not_null()))
        })
        .body(bytesslice);
    let note = "that the result is not null; an error if a known offset or length is invalid";
    functions.push(StandardFunction::cty_only(slice, note));
}

/// The bytes in the first argument, which is a known capsule.
fn buffer<'a>(arguments: &Arguments<'a>) -> Result<&'a [u8]> {
    let bytes = arguments.at(0).as_capsule::<Bytes>();
    bytes.map(Bytes::as_slice).map_err(|error| error.in_argument(0))
}

/// The argument at this index, a known offset or length in bytes; an error if it is negative or not an integer.
fn non_negative(arguments: &Arguments<'_>, index: usize) -> Result<usize> {
    let number = arguments.integer(index)?;
    usize::try_from(number)
        .map_err(|_| Error::new(Kind::Argument, "offset and length must be non-negative").in_argument(index))
}

/// Computes `bytesslice`: `length` bytes from `offset` on. An error if the buffer has fewer.
fn bytesslice(arguments: &Arguments<'_>) -> Result<Value> {
    let (bytes, offset, length) =
        (buffer(arguments)?, non_negative(arguments, 1)?, non_negative(arguments, 2)?);
    let total = bytes.len();
    let message = match bytes.get(offset..).map(|rest| rest.get(..length)) {
        Some(Some(part)) => return Ok(Value::capsule(Bytes::new(part))),
        Some(None) => {
            format!("offset {offset} + length {length} is greater than total buffer length {total}")
        }
        None => format!("offset {offset} is greater than total buffer length {total}"),
    };
    Err(Error::new(Kind::Argument, message))
}
