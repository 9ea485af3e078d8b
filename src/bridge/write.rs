//! The serializer that writes Rust values as values.

use serde_core::{Serialize, Serializer};

use crate::error::{Error, Result};
use crate::number::Number;
use crate::path::Step;
use crate::serial::handover;
use crate::types::Type;
use crate::value::Value;

use super::JSON_NUMBER;
use super::depth::DepthLeft;
use super::number::from_float;

mod attributes;
mod build;
mod entries;
mod items;
mod key;
mod written;

use attributes::StructWriter;
use entries::MapWriter;
use items::SequenceWriter;
pub(super) use written::Written;

/// Writes a Rust value as a [`Value`].
#[derive(Clone, Copy)]
pub(super) struct Writer(pub(super) DepthLeft);

impl Writer {
    /// The writer of the children of a container.
    fn below(self) -> Result<Writer> {
        self.0.below().map(Writer)
    }
}

/// Writes a child of a container; an error gets the step to it.
fn write_child<T: Serialize + ?Sized>(
    part: &T,
    writer: Writer,
    step: impl FnOnce() -> Step,
) -> Result<Written> {
    part.serialize(writer).map_err(|error| error.under(step()))
}

/// The value of an enum variant with content: an object of one attribute, the name of the variant.
fn tag_with_variant(name: &str, content: Written) -> Result<Written> {
    Ok(Written { value: Value::object([(name, content.value)])?, has_fixed_type: content.has_fixed_type })
}

macro_rules! numbers {
    ($($method:ident $integer:ident)*) => {$(
        fn $method(self, integer: $integer) -> Result<Written> {
            Ok(Written::new(Value::from(integer)))
        }
    )*};
}

impl Serializer for Writer {
    type Ok = Written;
    type Error = Error;
    type SerializeSeq = SequenceWriter;
    type SerializeTuple = SequenceWriter;
    type SerializeTupleStruct = SequenceWriter;
    type SerializeTupleVariant = SequenceWriter;
    type SerializeMap = MapWriter;
    type SerializeStruct = StructWriter;
    type SerializeStructVariant = StructWriter;

    for_integers!(serialize numbers);

    fn serialize_bool(self, truth: bool) -> Result<Written> {
        Ok(Written::new(Value::from(truth)))
    }

    fn serialize_f32(self, float: f32) -> Result<Written> {
        from_float(&float, float.is_nan()).map(Value::from).map(Written::new)
    }

    fn serialize_f64(self, float: f64) -> Result<Written> {
        from_float(&float, float.is_nan()).map(Value::from).map(Written::new)
    }

    fn serialize_char(self, letter: char) -> Result<Written> {
        Ok(Written::new(Value::from(&*letter.encode_utf8(&mut [0; 4]))))
    }

    fn serialize_str(self, text: &str) -> Result<Written> {
        Ok(Written::new(Value::from(text)))
    }

    fn serialize_bytes(self, bytes: &[u8]) -> Result<Written> {
        self.below()?;
        Value::list_of(Type::Number, bytes.iter().map(|byte| Value::from(*byte))).map(Written::new)
    }

    fn serialize_none(self) -> Result<Written> {
        self.serialize_unit()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<Written> {
        value.serialize(Writer(self.0.wrapped()?))
    }

    fn serialize_unit(self) -> Result<Written> {
        Ok(Written::new(Value::null(Type::Dynamic)))
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<Written> {
        self.serialize_unit()
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<Written> {
        Ok(Written::new(Value::from(variant)))
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<Written> {
        let inner = Writer(self.0.wrapped()?);
        if !super::NAMES.contains(&name) {
            return value.serialize(inner);
        }
        match handover::receive(|| value.serialize(inner)) {
            (_, Some(value)) => Ok(Written::from_value(value)),
            (written, None) => written,
        }
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        name: &'static str,
        value: &T,
    ) -> Result<Written> {
        tag_with_variant(name, write_child(value, self.below()?, || Step::attr(name))?)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<SequenceWriter> {
        Ok(SequenceWriter::sequence(self.below()?))
    }

    fn serialize_tuple(self, _: usize) -> Result<SequenceWriter> {
        Ok(SequenceWriter::tuple(self.below()?, None))
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<SequenceWriter> {
        Ok(SequenceWriter::tuple(self.below()?, None))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<SequenceWriter> {
        Ok(SequenceWriter::tuple(self.below()?.below()?, Some(variant)))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<MapWriter> {
        Ok(MapWriter::new(self.below()?))
    }

    fn serialize_struct(self, name: &'static str, _: usize) -> Result<StructWriter> {
        Ok(if name == JSON_NUMBER { StructWriter::number() } else { StructWriter::new(self.below()?, None) })
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<StructWriter> {
        Ok(StructWriter::new(self.below()?.below()?, Some(variant)))
    }
}

/// The number that a value is, or that its string contains.
fn number_of(value: &Value) -> Result<Number> {
    match value.as_str() {
        Ok(text) => text.parse(),
        Err(_) => value.as_number().cloned(),
    }
}
