//! Rust values as values: a serializer.

use serde_core::{Serialize, Serializer};

use crate::error::{Error, Result};
use crate::number::Number;
use crate::path::Step;
use crate::serial::handover;
use crate::types::Type;
use crate::value::Value;

use super::number::from_float;
use super::room::Room;

mod attributes;
mod entries;
mod items;
mod key;
mod made;
mod settle;

use attributes::Attributes;
use entries::Entries;
use items::Items;
pub(super) use made::Made;

/// serde_json's numbers, where it keeps all their digits.
const JSON_NUMBER: &str = "$serde_json::private::Number";

/// Makes a value of what is written to it.
#[derive(Clone, Copy)]
pub(super) struct Writer(pub(super) Room);

impl Writer {
    /// What writes the parts of a container here.
    fn below(self) -> Result<Writer> {
        self.0.below().map(Writer)
    }
}

/// Writes a part of a container.
fn part<T: Serialize + ?Sized>(part: &T, writer: Writer, step: impl FnOnce() -> Step) -> Result<Made> {
    part.serialize(writer).map_err(|error| error.under(step()))
}

/// What an enum is: its variant, and the content.
fn variant(name: &str, content: Made) -> Result<Made> {
    Ok(Made { value: Value::object([(name, content.value)])?, is_fixed: content.is_fixed })
}

macro_rules! numbers {
    ($($method:ident $integer:ident)*) => {$(
        fn $method(self, integer: $integer) -> Result<Made> {
            Ok(Made::new(Value::from(integer)))
        }
    )*};
}

impl Serializer for Writer {
    type Ok = Made;
    type Error = Error;
    type SerializeSeq = Items;
    type SerializeTuple = Items;
    type SerializeTupleStruct = Items;
    type SerializeTupleVariant = Items;
    type SerializeMap = Entries;
    type SerializeStruct = Attributes;
    type SerializeStructVariant = Attributes;

    numbers! {
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
    }

    fn serialize_bool(self, truth: bool) -> Result<Made> {
        Ok(Made::new(Value::from(truth)))
    }

    fn serialize_f32(self, float: f32) -> Result<Made> {
        from_float(&float, float.is_nan()).map(Value::from).map(Made::new)
    }

    fn serialize_f64(self, float: f64) -> Result<Made> {
        from_float(&float, float.is_nan()).map(Value::from).map(Made::new)
    }

    fn serialize_char(self, letter: char) -> Result<Made> {
        Ok(Made::new(Value::from(&*letter.encode_utf8(&mut [0; 4]))))
    }

    fn serialize_str(self, text: &str) -> Result<Made> {
        Ok(Made::new(Value::from(text)))
    }

    fn serialize_bytes(self, bytes: &[u8]) -> Result<Made> {
        self.below()?;
        Value::list_of(Type::Number, bytes.iter().map(|byte| Value::from(*byte))).map(Made::new)
    }

    fn serialize_none(self) -> Result<Made> {
        self.serialize_unit()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<Made> {
        value.serialize(Writer(self.0.wrapped()?))
    }

    fn serialize_unit(self) -> Result<Made> {
        Ok(Made::new(Value::null(Type::Dynamic)))
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<Made> {
        self.serialize_unit()
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<Made> {
        Ok(Made::new(Value::from(variant)))
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, name: &'static str, value: &T) -> Result<Made> {
        let inner = Writer(self.0.wrapped()?);
        if !super::NAMES.contains(&name) {
            return value.serialize(inner);
        }
        match handover::receive(|| value.serialize(inner)) {
            (_, Some(value)) => Ok(Made::passed(value)),
            (written, None) => written,
        }
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        name: &'static str,
        value: &T,
    ) -> Result<Made> {
        variant(name, part(value, self.below()?, || Step::attr(name))?)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Items> {
        Ok(Items::sequence(self.below()?))
    }

    fn serialize_tuple(self, _: usize) -> Result<Items> {
        Ok(Items::tuple(self.below()?, None))
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Items> {
        Ok(Items::tuple(self.below()?, None))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Items> {
        Ok(Items::tuple(self.below()?.below()?, Some(variant)))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Entries> {
        Ok(Entries::new(self.below()?))
    }

    fn serialize_struct(self, name: &'static str, _: usize) -> Result<Attributes> {
        Ok(if name == JSON_NUMBER { Attributes::number() } else { Attributes::new(self.below()?, None) })
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Attributes> {
        Ok(Attributes::new(self.below()?.below()?, Some(variant)))
    }
}

/// The number that a value is or says.
fn number_of(value: &Value) -> Result<Number> {
    match value.as_str() {
        Ok(text) => text.parse(),
        Err(_) => value.as_number().cloned(),
    }
}
