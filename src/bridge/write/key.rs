//! Writes the keys of maps, which become strings.

use serde_core::ser::Impossible;
use serde_core::{Serialize, Serializer};

use crate::error::{Error, Kind, Result};

/// Writes a Rust value as the string of a key.
pub(super) struct KeyWriter;

/// The error for a key that is not a string, integer, bool or unit variant.
#[cold]
fn invalid_key() -> Error {
    Error::new(Kind::TypeMismatch, "the key of a map must be text, a whole number or a bool")
}

macro_rules! texts {
    ($($method:ident $scalar:ident)*) => {$(
        fn $method(self, scalar: $scalar) -> Result<String> {
            Ok(scalar.to_string())
        }
    )*};
}

/// Methods for what cannot be a key.
macro_rules! invalid {
    ($($method:ident($($argument:ty),*) -> $written:ty)*) => {$(
        fn $method(self, $(_: $argument),*) -> Result<$written> {
            Err(invalid_key())
        }
    )*};
}

impl Serializer for KeyWriter {
    type Ok = String;
    type Error = Error;
    type SerializeSeq = Impossible<String, Error>;
    type SerializeTuple = Impossible<String, Error>;
    type SerializeTupleStruct = Impossible<String, Error>;
    type SerializeTupleVariant = Impossible<String, Error>;
    type SerializeMap = Impossible<String, Error>;
    type SerializeStruct = Impossible<String, Error>;
    type SerializeStructVariant = Impossible<String, Error>;

    for_integers!(serialize texts);

    texts! {
        serialize_bool bool
        serialize_char char
    }

    invalid! {
        serialize_f32(f32) -> String
        serialize_f64(f64) -> String
        serialize_bytes(&[u8]) -> String
        serialize_none() -> String
        serialize_unit() -> String
        serialize_unit_struct(&'static str) -> String
        serialize_seq(Option<usize>) -> Self::SerializeSeq
        serialize_tuple(usize) -> Self::SerializeTuple
        serialize_tuple_struct(&'static str, usize) -> Self::SerializeTupleStruct
        serialize_tuple_variant(&'static str, u32, &'static str, usize) -> Self::SerializeTupleVariant
        serialize_map(Option<usize>) -> Self::SerializeMap
        serialize_struct(&'static str, usize) -> Self::SerializeStruct
        serialize_struct_variant(&'static str, u32, &'static str, usize) -> Self::SerializeStructVariant
    }

    fn serialize_str(self, text: &str) -> Result<String> {
        Ok(text.to_owned())
    }

    fn serialize_some<T: Serialize + ?Sized>(self, _: &T) -> Result<String> {
        Err(invalid_key())
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<String> {
        Ok(variant.to_owned())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, key: &T) -> Result<String> {
        key.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<String> {
        Err(invalid_key())
    }
}
