//! The deserializer that reads Rust values from values.

use serde_core::de::{Deserializer, Visitor};

use crate::error::{Error, Result};
use crate::number::Number;
use crate::number::primitive::{double, integer, single};
use crate::serial::{NUMBER, VALUE, handover};
use crate::types::Type;
use crate::value::Value;

use super::PLANNED;
use super::depth::DepthLeft;
use super::error::{needs, null};

mod bytes;
mod content;
mod elements;
mod enums;
mod key;
mod pairs;
mod planned;
mod undecided;

use content::Content;
use elements::ElementAccess;
use pairs::EntryAccess;

/// Reads a Rust value from a [`Value`].
#[derive(Clone, Copy)]
pub(super) struct Reader<'de> {
    pub(super) value: &'de Value,
    pub(super) depth: DepthLeft,
}

impl<'de> Reader<'de> {
    /// The reader of the content of an option or newtype.
    fn wrapped(self) -> Result<Reader<'de>> {
        Ok(Reader { depth: self.depth.wrapped()?, ..self })
    }

    /// The number that the value must be.
    fn number(self) -> Result<&'de Number> {
        match Content::of(self.value)? {
            Content::Number(number) => Ok(number),
            content => Err(content.is_not(&Type::Number, self.value)),
        }
    }

    /// The string that the value must be.
    fn text(self) -> Result<&'de str> {
        match Content::of(self.value)? {
            Content::Text(text) => Ok(text),
            content => Err(content.is_not(&Type::String, self.value)),
        }
    }

    /// The elements of the list, set or tuple that the value must be.
    fn elements(self) -> Result<ElementAccess<'de>> {
        match Content::of(self.value)? {
            Content::Elements(elements) => Ok(ElementAccess::new(elements, self.depth)),
            Content::Null => Err(null()),
            _ => Err(needs("list, set or tuple", self.value)),
        }
    }

    /// The elements, which must be as many as the Rust type has.
    fn elements_of_length(self, length: usize) -> Result<ElementAccess<'de>> {
        let elements = self.elements()?;
        if elements.len() == length {
            return Ok(elements);
        }
        Err(elements::wrong_length(length, is_tuple(self.value)))
    }
}

macro_rules! integers {
    ($($method:ident $visit:ident)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            visitor.$visit(integer(self.number()?)?)
        }
    )*};
}

impl<'de> Deserializer<'de> for Reader<'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if !self.value.is_known() && !self.value.is_marked() {
            return undecided::visit(self.value, visitor);
        }
        match Content::of(self.value)? {
            Content::Null => visitor.visit_unit(),
            Content::Bool(truth) => visitor.visit_bool(truth),
            Content::Number(number) => super::number::visit(number, visitor),
            Content::Text(text) => visitor.visit_borrowed_str(text),
            Content::Elements(elements) => ElementAccess::new(elements, self.depth).visit(visitor),
            Content::Entries(entries) => EntryAccess::new(entries, self.depth).visit(visitor),
            Content::Capsule => Err(needs("a value with a form", self.value)),
        }
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match Content::of(self.value)? {
            Content::Bool(truth) => visitor.visit_bool(truth),
            content => Err(content.is_not(&Type::Bool, self.value)),
        }
    }

    for_integers!(deserialize integers);

    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_f32(single(self.number()?)?)
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_f64(double(self.number()?)?)
    }

    fn deserialize_char<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_borrowed_str(self.text()?)
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_borrowed_str(self.text()?)
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_borrowed_str(self.text()?)
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        bytes::visit(self, visitor)
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        bytes::visit(self, visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if self.value.is_null() && !self.value.is_marked() {
            return visitor.visit_none();
        }
        visitor.visit_some(self.wrapped()?)
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match Content::of(self.value)? {
            Content::Null => visitor.visit_unit(),
            _ => Err(needs("null", self.value)),
        }
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value> {
        match name {
            VALUE => handover::offer(self.value, || visitor.visit_unit()),
            NUMBER => {
                self.number()?;
                handover::offer(self.value, || visitor.visit_unit())
            }
            PLANNED => planned::visit(self.wrapped()?, visitor),
            _ => visitor.visit_newtype_struct(self.wrapped()?),
        }
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.elements()?.visit(visitor)
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value> {
        self.elements_of_length(length)?.visit(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        length: usize,
        visitor: V,
    ) -> Result<V::Value> {
        self.elements_of_length(length)?.visit(visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match Content::of(self.value)? {
            Content::Entries(entries) => EntryAccess::new(entries, self.depth).visit(visitor),
            Content::Null => Err(null()),
            _ => Err(needs("map or object", self.value)),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        match Content::of(self.value)? {
            Content::Entries(entries) => EntryAccess::new(entries, self.depth).visit(visitor),
            Content::Elements(_) if is_tuple(self.value) => {
                self.elements_of_length(fields.len())?.visit(visitor)
            }
            Content::Null => Err(null()),
            _ => Err(needs("object, map or tuple", self.value)),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        visitor.visit_enum(enums::EnumReader::of(self)?)
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_str(visitor)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_unit()
    }
}

/// Whether the value is of a tuple type.
fn is_tuple(value: &Value) -> bool {
    matches!(value.ty(), Type::Tuple(_))
}
