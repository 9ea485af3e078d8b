//! Keys of maps and names of attributes.

use serde_core::de::value::BorrowedStrDeserializer;
use serde_core::de::{Deserializer, Visitor};
use serde_core::forward_to_deserialize_any;

use crate::error::{Error, Kind, Result};
use crate::number::Number;

use super::super::number::integer;
use super::super::room::Room;

/// Reads the text of a key.
#[derive(Clone, Copy)]
pub(super) struct KeyReader<'de> {
    pub(super) key: &'de str,
    pub(super) room: Room,
}

impl<'de> KeyReader<'de> {
    fn wrapped(self) -> Result<KeyReader<'de>> {
        Ok(KeyReader { room: self.room.wrapped()?, ..self })
    }

    /// The number that the key is, written as numbers are.
    fn number(self) -> Result<Number> {
        let number = self.key.parse::<Number>().ok().filter(|number| number.to_string() == self.key);
        number.ok_or_else(|| {
            Error::new(
                Kind::TypeMismatch,
                format!("a key that is a number is required, but have {:?}", self.key),
            )
        })
    }
}

macro_rules! integers {
    ($($method:ident $visit:ident)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            visitor.$visit(integer(&self.number()?)?)
        }
    )*};
}

impl<'de> Deserializer<'de> for KeyReader<'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_borrowed_str(self.key)
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.key {
            "true" => visitor.visit_bool(true),
            "false" => visitor.visit_bool(false),
            key => Err(Error::new(
                Kind::TypeMismatch,
                format!("a key that is a bool is required, but have {key:?}"),
            )),
        }
    }

    integers! {
        deserialize_i8 visit_i8
        deserialize_i16 visit_i16
        deserialize_i32 visit_i32
        deserialize_i64 visit_i64
        deserialize_i128 visit_i128
        deserialize_u8 visit_u8
        deserialize_u16 visit_u16
        deserialize_u32 visit_u32
        deserialize_u64 visit_u64
        deserialize_u128 visit_u128
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_some(self.wrapped()?)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value> {
        visitor.visit_newtype_struct(self.wrapped()?)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        BorrowedStrDeserializer::new(self.key).deserialize_enum(name, variants, visitor)
    }

    forward_to_deserialize_any! {
        f32 f64 char str string bytes byte_buf unit unit_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}
