//! The form of numbers: their text.

use std::fmt;

use serde_core::de::{Unexpected, Visitor};
use serde_core::{Deserialize, Deserializer, Serialize, Serializer};

use crate::number::Number;
use crate::value::Value;

use super::{NUMBER, handover};

/// Writes the text that `Display` writes: see [`serial`](crate::serial).
impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // The bridge recognises the number by the newtype's name; formats ignore it.
        serializer.serialize_newtype_struct(NUMBER, &NumberText(self))
    }
}

/// Serializes a number as its text, or hands it over to the bridge if that is waiting for a value.
struct NumberText<'a>(&'a Number);

impl Serialize for NumberText<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if handover::fulfil(|| Value::from(self.0)) {
            return serializer.serialize_unit();
        }
        serializer.collect_str(self.0)
    }
}

/// Reads the text that `FromStr` reads, or an integer.
impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Number, D::Error> {
        deserializer.deserialize_newtype_struct(NUMBER, NumberVisitor)
    }
}

/// Reads a number from its text, from an integer, or from the bridge.
struct NumberVisitor;

macro_rules! integers {
    ($($method:ident $integer:ident)*) => {$(
        fn $method<E: serde_core::de::Error>(self, integer: $integer) -> Result<Number, E> {
            Ok(Number::from(integer))
        }
    )*};
}

impl<'de> Visitor<'de> for NumberVisitor {
    type Value = Number;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the text of a number")
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<Number, D::Error> {
        deserializer.deserialize_str(self)
    }

    fn visit_str<E: serde_core::de::Error>(self, text: &str) -> Result<Number, E> {
        super::texts::number(text)
    }

    integers! {
        visit_i64 i64
        visit_i128 i128
        visit_u64 u64
        visit_u128 u128
    }

    /// Takes the number that the bridge offers.
    fn visit_unit<E: serde_core::de::Error>(self) -> Result<Number, E> {
        let offered = handover::take_offered().and_then(|value| value.as_number().ok().cloned());
        offered.ok_or_else(|| E::invalid_type(Unexpected::Unit, &self))
    }
}
