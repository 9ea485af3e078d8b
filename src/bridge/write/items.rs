//! Sequences and tuples.

use serde_core::Serialize;
use serde_core::ser::{SerializeSeq, SerializeTuple, SerializeTupleStruct, SerializeTupleVariant};

use crate::error::{Error, Result};
use crate::path::Step;

use super::{Made, Writer, part, settle, variant};

/// The items written so far.
pub(in super::super) struct Items {
    writer: Writer,
    is_tuple: bool,
    variant: Option<&'static str>,
    items: Vec<Made>,
}

impl Items {
    pub(super) fn sequence(writer: Writer) -> Items {
        Items { writer, is_tuple: false, variant: None, items: Vec::new() }
    }

    pub(super) fn tuple(writer: Writer, variant: Option<&'static str>) -> Items {
        Items { writer, is_tuple: true, variant, items: Vec::new() }
    }

    fn push<T: Serialize + ?Sized>(&mut self, item: &T) -> Result<()> {
        let place = self.items.len();
        let item =
            part(item, self.writer, || Step::index(place)).map_err(|error| self.under_variant(error))?;
        self.items.push(item);
        Ok(())
    }

    #[cold]
    fn under_variant(&self, error: Error) -> Error {
        match self.variant {
            Some(variant) => error.under(Step::attr(variant)),
            None => error,
        }
    }

    fn value(self) -> Result<Made> {
        let value = if self.is_tuple { settle::tuple(self.items) } else { settle::list(self.items) }?;
        match self.variant {
            Some(name) => variant(name, value),
            None => Ok(value),
        }
    }
}

impl SerializeSeq for Items {
    type Ok = Made;
    type Error = Error;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, item: &T) -> Result<()> {
        self.push(item)
    }

    fn end(self) -> Result<Made> {
        self.value()
    }
}

impl SerializeTuple for Items {
    type Ok = Made;
    type Error = Error;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, item: &T) -> Result<()> {
        self.push(item)
    }

    fn end(self) -> Result<Made> {
        self.value()
    }
}

impl SerializeTupleStruct for Items {
    type Ok = Made;
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, item: &T) -> Result<()> {
        self.push(item)
    }

    fn end(self) -> Result<Made> {
        self.value()
    }
}

impl SerializeTupleVariant for Items {
    type Ok = Made;
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, item: &T) -> Result<()> {
        self.push(item)
    }

    fn end(self) -> Result<Made> {
        self.value()
    }
}
