//! Reads enums.

use serde_core::Deserializer;
use serde_core::de::value::BorrowedStrDeserializer;
use serde_core::de::{DeserializeSeed, EnumAccess, VariantAccess, Visitor};

use crate::error::{Error, Kind, Result};
use crate::path::Step;
use crate::value::Value;

use super::super::depth::DepthLeft;
use super::super::error::{error_in_child, needs, null};
use super::content::{Content, EntriesOf};
use super::{EntryAccess, Reader};

/// Reads an enum: the name of the variant, and its content.
pub(super) struct EnumReader<'de> {
    variant: &'de str,
    /// The content with the step that leads to it; `None` if the value is only the name.
    content: Option<(&'de Value, Step)>,
    depth: DepthLeft,
}

impl<'de> EnumReader<'de> {
    /// The variant that the value denotes.
    pub(super) fn of(reader: Reader<'de>) -> Result<EnumReader<'de>> {
        match Content::of(reader.value)? {
            Content::Text(variant) => Ok(EnumReader { variant, content: None, depth: reader.depth }),
            Content::Entries(entries) => single_entry(entries, reader.depth),
            Content::Null => Err(null()),
            _ => Err(needs("string or object of one attribute", reader.value)),
        }
    }
}

/// The variant of the only entry, or of the only entry that is not null.
fn single_entry(entries: EntriesOf<'_>, depth: DepthLeft) -> Result<EnumReader<'_>> {
    let mut pairs = EntryAccess::new(entries, depth);
    let alone = pairs.len() == 1;
    let mut found = None;
    while let Some((variant, value)) = pairs.next() {
        if !alone && value.is_null() && !value.is_marked() {
            continue;
        }
        if found.is_some() {
            return Err(not_one_entry());
        }
        found = Some(EnumReader { variant, content: Some((value, pairs.step(variant))), depth });
    }
    found.ok_or_else(not_one_entry)
}

/// The error for a map or object that does not denote exactly one variant.
#[cold]
fn not_one_entry() -> Error {
    Error::new(Kind::TypeMismatch, "exactly one attribute that is not null is required")
}

impl<'de> EnumAccess<'de> for EnumReader<'de> {
    type Error = Error;
    type Variant = EnumReader<'de>;

    fn variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<(T::Value, EnumReader<'de>)> {
        let variant = seed.deserialize(BorrowedStrDeserializer::<Error>::new(self.variant))?;
        Ok((variant, self))
    }
}

impl<'de> EnumReader<'de> {
    /// Reads the content of the variant; an error if it has none.
    fn read<R>(self, read: impl FnOnce(Reader<'de>) -> Result<R>) -> Result<R> {
        let Some((value, step)) = self.content else {
            return Err(Error::new(
                Kind::TypeMismatch,
                format!("variant {:?} has content: an object of that attribute is required", self.variant),
            ));
        };
        read(Reader { value, depth: self.depth }).map_err(|error| error_in_child(error, value, Some(step)))
    }
}

impl<'de> VariantAccess<'de> for EnumReader<'de> {
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
