//! Structs.

use serde_core::Serialize;
use serde_core::ser::{SerializeStruct, SerializeStructVariant};

use crate::error::{Error, Result};
use crate::path::Step;
use crate::value::Value;

use super::super::room::Room;
use super::entries::once;
use super::{Made, Writer, number_of, part, settle, variant};

/// The attributes written so far.
pub(in super::super) struct Attributes {
    writer: Writer,
    variant: Option<&'static str>,
    /// Whether it is a number of serde_json, which has one field with its digits.
    is_number: bool,
    attributes: Vec<(&'static str, Made)>,
}

impl Attributes {
    pub(super) fn new(writer: Writer, variant: Option<&'static str>) -> Attributes {
        Attributes { writer, variant, is_number: false, attributes: Vec::new() }
    }

    pub(super) fn number() -> Attributes {
        Attributes { is_number: true, ..Attributes::new(Writer(Room::TOP), None) }
    }

    fn push<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<()> {
        let value = part(value, self.writer, || Step::attr(name)).map_err(|error| match self.variant {
            Some(variant) => error.under(Step::attr(variant)),
            None => error,
        })?;
        self.attributes.push((name, value));
        Ok(())
    }

    fn value(self) -> Result<Made> {
        if let (true, [(_, digits)]) = (self.is_number, self.attributes.as_slice()) {
            return number_of(&digits.value).map(Value::from).map(Made::new);
        }
        let given = self.attributes.len();
        let value = once(settle::object(self.attributes)?, given)?;
        match self.variant {
            Some(name) => variant(name, value),
            None => Ok(value),
        }
    }
}

impl SerializeStruct for Attributes {
    type Ok = Made;
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<()> {
        self.push(name, value)
    }

    fn end(self) -> Result<Made> {
        self.value()
    }
}

impl SerializeStructVariant for Attributes {
    type Ok = Made;
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<()> {
        self.push(name, value)
    }

    fn end(self) -> Result<Made> {
        self.value()
    }
}
