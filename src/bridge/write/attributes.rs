//! Writes structs.

use serde_core::Serialize;
use serde_core::ser::{SerializeStruct, SerializeStructVariant};

use crate::error::{Error, Result};
use crate::path::Step;
use crate::value::Value;

use super::super::depth::DepthLeft;
use super::entries::check_key_count;
use super::{Writer, Written, build, number_of, tag_with_variant, write_child};

/// Writes a struct or a struct variant: the fields written so far.
pub(in super::super) struct StructWriter {
    writer: Writer,
    variant: Option<&'static str>,
    /// Whether this is a number of serde_json, which has one field with its digits.
    is_number: bool,
    attributes: Vec<(&'static str, Written)>,
}

impl StructWriter {
    /// A writer of a struct, or of the content of the variant.
    pub(super) fn new(writer: Writer, variant: Option<&'static str>) -> StructWriter {
        StructWriter { writer, variant, is_number: false, attributes: Vec::new() }
    }

    /// A writer of a number of serde_json.
    pub(super) fn number() -> StructWriter {
        StructWriter { is_number: true, ..StructWriter::new(Writer(DepthLeft::FULL), None) }
    }

    /// Writes a field.
    fn push<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<()> {
        let value =
            write_child(value, self.writer, || Step::attr(name)).map_err(|error| match self.variant {
                Some(variant) => error.under(Step::attr(variant)),
                None => error,
            })?;
        self.attributes.push((name, value));
        Ok(())
    }

    /// The value of all fields: an object, or a number.
    fn value(self) -> Result<Written> {
        if let (true, [(_, digits)]) = (self.is_number, self.attributes.as_slice()) {
            return number_of(&digits.value).map(Value::from).map(Written::new);
        }
        let given = self.attributes.len();
        let value = check_key_count(build::object(self.attributes)?, given)?;
        match self.variant {
            Some(name) => tag_with_variant(name, value),
            None => Ok(value),
        }
    }
}

/// Serde's two traits of structs differ only in their names.
macro_rules! write_fields {
    ($($interface:ident)*) => {$(
        impl $interface for StructWriter {
            type Ok = Written;
            type Error = Error;

            fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<()> {
                self.push(name, value)
            }

            fn end(self) -> Result<Written> {
                self.value()
            }
        }
    )*};
}

write_fields! { SerializeStruct SerializeStructVariant }
