//! Writes sequences and tuples.

use serde_core::Serialize;
use serde_core::ser::{SerializeSeq, SerializeTuple, SerializeTupleStruct, SerializeTupleVariant};

use crate::error::{Error, Result};
use crate::path::Step;

use super::{Writer, Written, build, tag_with_variant, write_child};

/// Writes a sequence, tuple or tuple variant: the items written so far.
pub(in super::super) struct SequenceWriter {
    writer: Writer,
    is_tuple: bool,
    variant: Option<&'static str>,
    items: Vec<Written>,
}

impl SequenceWriter {
    /// A writer of a sequence.
    pub(super) fn sequence(writer: Writer) -> SequenceWriter {
        SequenceWriter { writer, is_tuple: false, variant: None, items: Vec::new() }
    }

    /// A writer of a tuple, or of the content of the variant.
    pub(super) fn tuple(writer: Writer, variant: Option<&'static str>) -> SequenceWriter {
        SequenceWriter { writer, is_tuple: true, variant, items: Vec::new() }
    }

    /// Writes an item.
    fn push<T: Serialize + ?Sized>(&mut self, item: &T) -> Result<()> {
        let place = self.items.len();
        let item = write_child(item, self.writer, || Step::index(place))
            .map_err(|error| self.under_variant(error))?;
        self.items.push(item);
        Ok(())
    }

    /// The error with the step to the content of the variant, if there is one.
    #[cold]
    fn under_variant(&self, error: Error) -> Error {
        match self.variant {
            Some(variant) => error.under(Step::attr(variant)),
            None => error,
        }
    }

    /// The value of all items: a list or tuple.
    fn value(self) -> Result<Written> {
        let value = if self.is_tuple { build::tuple(self.items) } else { build::list(self.items) }?;
        match self.variant {
            Some(name) => tag_with_variant(name, value),
            None => Ok(value),
        }
    }
}

/// Serde's four traits of sequences differ only in the name of the method that writes an item.
macro_rules! write_items {
    ($($interface:ident $method:ident)*) => {$(
        impl $interface for SequenceWriter {
            type Ok = Written;
            type Error = Error;

            fn $method<T: Serialize + ?Sized>(&mut self, item: &T) -> Result<()> {
                self.push(item)
            }

            fn end(self) -> Result<Written> {
                self.value()
            }
        }
    )*};
}

write_items! {
    SerializeSeq serialize_element
    SerializeTuple serialize_element
    SerializeTupleStruct serialize_field
    SerializeTupleVariant serialize_field
}
