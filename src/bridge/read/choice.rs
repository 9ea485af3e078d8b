//! Enums.

use serde_core::Deserializer;
use serde_core::de::value::BorrowedStrDeserializer;
use serde_core::de::{DeserializeSeed, EnumAccess, VariantAccess, Visitor};

use crate::error::{Error, Kind, Result};
use crate::path::Step;
use crate::value::Value;

use super::super::error::{needs, null, of_part};
use super::super::room::Room;
use super::content::{Content, EntriesOf};
use super::{Pairs, Reader};

/// The variant that a value says, and its content.
pub(super) struct Choice<'de> {
    variant: &'de str,
    /// The content, and the step that leads to it.
    content: Option<(&'de Value, Step)>,
    room: Room,
}

impl<'de> Choice<'de> {
    pub(super) fn of(reader: Reader<'de>) -> Result<Choice<'de>> {
        match Content::of(reader.value)? {
            Content::Text(variant) => Ok(Choice { variant, content: None, room: reader.room }),
            Content::Entries(entries) => one(entries, reader.room),
            Content::Null => Err(null()),
            _ => Err(needs("string or object of one attribute", reader.value)),
        }
    }
}

/// The only entry, or the only one that is not null.
fn one(entries: EntriesOf<'_>, room: Room) -> Result<Choice<'_>> {
    let mut pairs = Pairs::new(entries, room);
    let alone = pairs.len() == 1;
    let mut found = None;
    while let Some((variant, value)) = pairs.next() {
        if !alone && value.is_null() && !value.is_marked() {
            continue;
        }
        if found.is_some() {
            return Err(not_one());
        }
        found = Some(Choice { variant, content: Some((value, pairs.step(variant))), room });
    }
    found.ok_or_else(not_one)
}

#[cold]
fn not_one() -> Error {
    Error::new(Kind::TypeMismatch, "exactly one attribute that is not null is required")
}

impl<'de> EnumAccess<'de> for Choice<'de> {
    type Error = Error;
    type Variant = Choice<'de>;

    fn variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<(T::Value, Choice<'de>)> {
        let variant = seed.deserialize(BorrowedStrDeserializer::<Error>::new(self.variant))?;
        Ok((variant, self))
    }
}

impl<'de> Choice<'de> {
    /// Reads the content.
    fn read<R>(self, read: impl FnOnce(Reader<'de>) -> Result<R>) -> Result<R> {
        let Some((value, step)) = self.content else {
            return Err(Error::new(
                Kind::TypeMismatch,
                format!("variant {:?} has content: an object of that attribute is required", self.variant),
            ));
        };
        read(Reader { value, room: self.room }).map_err(|error| of_part(error, value, Some(step)))
    }
}

impl<'de> VariantAccess<'de> for Choice<'de> {
    type Error = Error;

    fn unit_variant(self) -> Result<()> {
        match self.content {
            None => Ok(()),
            Some(_) => self.read(|reader| match Content::of(reader.value)? {
                Content::Null => Ok(()),
                _ => Err(needs("null", reader.value)),
            }),
        }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value> {
        self.read(|reader| seed.deserialize(reader))
    }

    fn tuple_variant<V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value> {
        self.read(|reader| reader.deserialize_tuple(length, visitor))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        self.read(|reader| reader.deserialize_struct("", fields, visitor))
    }
}
