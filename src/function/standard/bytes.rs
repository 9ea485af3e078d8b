//! Bytes.

use crate::capsule::Capsule;
use crate::error::{Error, Kind, Result};
use crate::function::{Arguments, Function, Parameter};
use crate::number::Number;
use crate::refinement::{Bound, NumberRange, Refinement};
use crate::types::Type;
use crate::value::{Value, canonical};

use super::Standard;

/// Bytes as a value, as cty's capsule of this name.
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
    /// Takes the bytes as they are.
    pub fn new(bytes: impl Into<Box<[u8]>>) -> Bytes {
        Bytes(bytes.into())
    }

    /// The bytes as a slice.
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

/// What is kept of arguments that are not known.
pub(super) const KEEPS: super::Keeps = &[
    (&["byteslen"], "that it is a finite number from 0 on"),
    (&["bytesslice"], "that it is not null, and an error where the places can be none"),
];

pub(super) fn add_to(all: &mut Vec<Standard>) {
    let finite = NumberRange::new(Bound::Inclusive(Number::ZERO), Bound::Exclusive(Number::INFINITY));
    let length = Function::new("byteslen")
        .description("How many bytes there are.")
        .parameter(Parameter::new("buf", Type::capsule::<Bytes>()))
        .returns(Type::Number)
        .promising(Refinement::number(finite.unwrap_or_default()).and_not_null())
        .body(|arguments| Ok(Value::from(buffer(arguments)?.len())));
    all.push(Standard::cty(length));
    let slice = Function::new("bytesslice")
        .description("So many of the bytes, from a place on.")
        .parameter(Parameter::new("buf", Type::capsule::<Bytes>()))
        .parameter(Parameter::new("offset", Type::Number))
        .parameter(Parameter::new("length", Type::Number))
        .returns(Type::capsule::<Bytes>())
        .not_null()
        .transformer(|arguments| {
            for index in [1, 2] {
                if arguments.at(index).is_known() {
                    place(arguments, index)?;
                }
            }
            Ok(canonical(arguments.ty().clone(), Refinement::not_null()))
        })
        .body(slice);
    all.push(Standard::cty(slice));
}

fn buffer<'a>(arguments: &Arguments<'a>) -> Result<&'a [u8]> {
    let bytes = arguments.at(0).as_capsule::<Bytes>();
    bytes.map(Bytes::as_slice).map_err(|error| error.in_argument(0))
}

/// A place from the beginning.
fn place(arguments: &Arguments<'_>, index: usize) -> Result<usize> {
    let place = arguments.whole(index)?;
    usize::try_from(place)
        .map_err(|_| Error::new(Kind::Argument, "offset and length must be non-negative").in_argument(index))
}

fn slice(arguments: &Arguments<'_>) -> Result<Value> {
    let (bytes, offset, length) = (buffer(arguments)?, place(arguments, 1)?, place(arguments, 2)?);
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
