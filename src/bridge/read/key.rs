//! Reads the keys of maps and the names of attributes.

use serde_core::de::value::BorrowedStrDeserializer;
use serde_core::de::{Deserializer, Visitor};
use serde_core::forward_to_deserialize_any;

use crate::error::{Error, Kind, Result};
use crate::number::Number;
use crate::number::primitive::integer;

use super::super::depth::DepthLeft;

/// Reads a Rust value from a key.
#[derive(Clone, Copy)]
pub(super) struct KeyReader<'de> {
    pub(super) key: &'de str,
    pub(super) depth: DepthLeft,
}

impl<'de> KeyReader<'de> {
    /// The reader of the content of an option or newtype.
    fn wrapped(self) -> Result<KeyReader<'de>> {
        Ok(KeyReader { depth: self.depth.wrapped()?, ..self })
    }

    /// The number that the key must be, in the form in which numbers are written.
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

    for_integers!(deserialize integers);

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
