//! Numbers: their text.

use std::fmt;

use serde_core::de::{Unexpected, Visitor};
use serde_core::{Deserialize, Deserializer, Serialize, Serializer};

use crate::number::Number;
use crate::value::Value;

use super::{NUMBER, handover};

/// As the text that `Display` writes: see [`serial`](crate::serial).
impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // A name, by which the bridge knows it; formats pass over it.
        serializer.serialize_newtype_struct(NUMBER, &Text(self))
    }
}

struct Text<'a>(&'a Number);

impl Serialize for Text<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if handover::lay_down(|| Value::from(self.0)) {
            return serializer.serialize_unit();
        }
        serializer.collect_str(self.0)
    }
}

/// From the text that `FromStr` reads, or from a whole number.
impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Number, D::Error> {
        deserializer.deserialize_newtype_struct(NUMBER, Form)
    }
}

struct Form;

macro_rules! integers {
    ($($method:ident $integer:ident)*) => {$(
        fn $method<E: serde_core::de::Error>(self, integer: $integer) -> Result<Number, E> {
            Ok(Number::from(integer))
        }
    )*};
}

impl<'de> Visitor<'de> for Form {
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

    /// What the bridge offers.
    fn visit_unit<E: serde_core::de::Error>(self) -> Result<Number, E> {
        let offered = handover::take_up().and_then(|value| value.as_number().ok().cloned());
        offered.ok_or_else(|| E::invalid_type(Unexpected::Unit, &self))
    }
}
