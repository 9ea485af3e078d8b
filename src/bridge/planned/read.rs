//! Reads a [`Planned`]: from the bridge, from human-readable formats, and from others.

use std::fmt;
use std::marker::PhantomData;

use serde_core::de::{
    Deserialize, Deserializer, EnumAccess, Error as _, IntoDeserializer, MapAccess, SeqAccess, Unexpected,
    VariantAccess, Visitor,
};

use crate::bridge::{JSON_NUMBER, PLANNED};
use crate::number::Number;
use crate::serial::{self, FIELDS, handover};
use crate::value::Value;

use super::content::{MapContent, ScalarContent, SeqContent, ValueContent};
use super::write::VARIANTS;
use super::{Planned, UnknownValue};

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Planned<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Planned<T>, D::Error> {
        deserializer.deserialize_newtype_struct(PLANNED, PlannedVisitor(PhantomData))
    }
}

/// Reads a value that must not be wholly known.
impl<'de> Deserialize<'de> for UnknownValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<UnknownValue, D::Error> {
        let value = Value::deserialize(deserializer)?;
        UnknownValue::new(value)
            .ok_or_else(|| D::Error::custom("a value that is not wholly known is required"))
    }
}

/// Reads a `Planned<T>` from whatever the format contains.
struct PlannedVisitor<T>(PhantomData<T>);

/// `Null` or `Unknown` for a value that was not read as a `T`; `None` if the value is wholly known and not null.
fn null_or_unknown<T>(value: Value) -> Option<Planned<T>> {
    if value.is_null() {
        return Some(Planned::Null);
    }
    UnknownValue::new(value).map(Planned::Unknown)
}

/// Reads a `T` from a scalar.
fn read_scalar<'de, T: Deserialize<'de>, E: serde_core::de::Error>(
    scalar: impl IntoDeserializer<'de, E>,
) -> Result<Planned<T>, E> {
    T::deserialize(ScalarContent(scalar.into_deserializer())).map(Planned::Known)
}

macro_rules! scalars {
    ($($method:ident $scalar:ty)*) => {$(
        fn $method<E: serde_core::de::Error>(self, found: $scalar) -> Result<Planned<T>, E> {
            read_scalar(found)
        }
    )*};
}

impl<'de, T: Deserialize<'de>> Visitor<'de> for PlannedVisitor<T> {
    type Value = Planned<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value that may not be known yet")
    }

    scalars! {
        visit_bool bool
        visit_i64 i64
        visit_i128 i128
        visit_u64 u64
        visit_u128 u128
        visit_f64 f64
        visit_char char
        visit_str &str
        visit_string String
        visit_bytes &[u8]
    }

    fn visit_borrowed_str<E: serde_core::de::Error>(self, text: &'de str) -> Result<Planned<T>, E> {
        read_scalar(serde_core::de::value::BorrowedStrDeserializer::new(text))
    }

    fn visit_borrowed_bytes<E: serde_core::de::Error>(self, bytes: &'de [u8]) -> Result<Planned<T>, E> {
        read_scalar(serde_core::de::value::BorrowedBytesDeserializer::new(bytes))
    }

    fn visit_none<E: serde_core::de::Error>(self) -> Result<Planned<T>, E> {
        Ok(Planned::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Planned<T>, D::Error> {
        deserializer.deserialize_any(self)
    }

    /// Reads null, or the unknown value that the bridge offers.
    fn visit_unit<E: serde_core::de::Error>(self) -> Result<Planned<T>, E> {
        let Some(value) = handover::take_offered() else { return Ok(Planned::Null) };
        null_or_unknown(value).ok_or_else(|| E::invalid_type(Unexpected::Unit, &self))
    }

    /// Reads the value that the bridge offers, with the `T` as the only element of the sequence; any other sequence
    /// is the `T` itself.
    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<Planned<T>, A::Error> {
        let Some(value) = handover::take_offered() else {
            return T::deserialize(SeqContent(sequence)).map(Planned::Known);
        };
        match sequence.next_element()? {
            Some(known) => Ok(Planned::Known(known)),
            None => null_or_unknown(value).ok_or_else(|| A::Error::invalid_type(Unexpected::Seq, &self)),
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Planned<T>, A::Error> {
        let Some(first) = map.next_key::<String>()? else {
            return T::deserialize(MapContent::new(None, map)).map(Planned::Known);
        };
        if first == JSON_NUMBER {
            let number = map.next_value::<String>()?.parse::<Number>().map_err(A::Error::custom)?;
            return super::content::read_number(&number).map(Planned::Known);
        }
        let [version, _] = FIELDS;
        let is_form = first == version;
        let map = MapContent::new(Some(first), map);
        if !is_form {
            return T::deserialize(map).map(Planned::Known);
        }
        let value = serial::read_fields(map)?;
        if value.is_known()
            && let Ok(known) = T::deserialize(ValueContent::<A::Error>::new(value.clone()))
        {
            return Ok(Planned::Known(known));
        }
        null_or_unknown(value).ok_or_else(|| A::Error::invalid_type(Unexpected::Map, &self))
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<Planned<T>, D::Error> {
        if deserializer.is_human_readable() {
            return deserializer.deserialize_any(self);
        }
        deserializer.deserialize_enum("Planned", &VARIANTS, self)
    }

    fn visit_enum<A: EnumAccess<'de>>(self, access: A) -> Result<Planned<T>, A::Error> {
        match access.variant()? {
            (PlannedVariant::Known, content) => content.newtype_variant().map(Planned::Known),
            (PlannedVariant::Null, content) => content.unit_variant().map(|()| Planned::Null),
            (PlannedVariant::Unknown, content) => content.newtype_variant().map(Planned::Unknown),
        }
    }
}

/// The variants of a `Planned` in a format that has enums.
enum PlannedVariant {
    Known,
    Null,
    Unknown,
}

impl<'de> Deserialize<'de> for PlannedVariant {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<PlannedVariant, D::Error> {
        /// Reads the name or the index of a variant.
        struct VariantName;

        impl Visitor<'_> for VariantName {
            type Value = PlannedVariant;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("known, null or unknown")
            }

            fn visit_u64<E: serde_core::de::Error>(self, place: u64) -> Result<PlannedVariant, E> {
                match place {
                    0 => Ok(PlannedVariant::Known),
                    1 => Ok(PlannedVariant::Null),
                    2 => Ok(PlannedVariant::Unknown),
                    _ => Err(E::invalid_value(Unexpected::Unsigned(place), &self)),
                }
            }

            fn visit_str<E: serde_core::de::Error>(self, name: &str) -> Result<PlannedVariant, E> {
                match name {
                    "known" => Ok(PlannedVariant::Known),
                    "null" => Ok(PlannedVariant::Null),
                    "unknown" => Ok(PlannedVariant::Unknown),
                    _ => Err(E::unknown_variant(name, &VARIANTS)),
                }
            }

            fn visit_bytes<E: serde_core::de::Error>(self, name: &[u8]) -> Result<PlannedVariant, E> {
                self.visit_str(&String::from_utf8_lossy(name))
            }
        }

        deserializer.deserialize_identifier(VariantName)
    }
}
