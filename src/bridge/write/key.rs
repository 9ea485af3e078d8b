//! Keys of maps, which are text.

use serde_core::ser::Impossible;
use serde_core::{Serialize, Serializer};

use crate::error::{Error, Kind, Result};

/// Makes the text of a key.
pub(super) struct KeyWriter;

#[cold]
fn no_key() -> Error {
    Error::new(Kind::TypeMismatch, "the key of a map must be text, a whole number or a bool")
}

macro_rules! texts {
    ($($method:ident $scalar:ident)*) => {$(
        fn $method(self, scalar: $scalar) -> Result<String> {
            Ok(scalar.to_string())
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

    texts! {
        serialize_bool bool
        serialize_i8 i8
        serialize_i16 i16
        serialize_i32 i32
        serialize_i64 i64
        serialize_i128 i128
        serialize_u8 u8
        serialize_u16 u16
        serialize_u32 u32
        serialize_u64 u64
        serialize_u128 u128
        serialize_char char
    }

    fn serialize_f32(self, _: f32) -> Result<String> {
        Err(no_key())
    }

    fn serialize_f64(self, _: f64) -> Result<String> {
        Err(no_key())
    }

    fn serialize_str(self, text: &str) -> Result<String> {
        Ok(text.to_owned())
    }

    fn serialize_bytes(self, _: &[u8]) -> Result<String> {
        Err(no_key())
    }

    fn serialize_none(self) -> Result<String> {
        Err(no_key())
    }

    fn serialize_some<T: Serialize + ?Sized>(self, _: &T) -> Result<String> {
        Err(no_key())
    }

    fn serialize_unit(self) -> Result<String> {
        Err(no_key())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<String> {
        Err(no_key())
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
        Err(no_key())
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Self::SerializeSeq> {
        Err(no_key())
    }

    fn serialize_tuple(self, _: usize) -> Result<Self::SerializeTuple> {
        Err(no_key())
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Self::SerializeTupleStruct> {
        Err(no_key())
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant> {
        Err(no_key())
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Self::SerializeMap> {
        Err(no_key())
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Self::SerializeStruct> {
        Err(no_key())
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeStructVariant> {
        Err(no_key())
    }
}
