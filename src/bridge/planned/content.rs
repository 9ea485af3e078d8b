//! Deserializers for content that a human-readable format has already passed to the visitor of a
//! [`Planned`](super::Planned).

use std::marker::PhantomData;

use serde_core::de::value::{MapAccessDeserializer, SeqAccessDeserializer, StringDeserializer};
use serde_core::de::{Deserialize, DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_core::forward_to_deserialize_any;

use crate::number::Number;
use crate::serial::{VALUE, handover};
use crate::value::Value;

/// Generates methods of a `Deserializer` for content that is not null: `deserialize_option` reads `Some` of the
/// content, `deserialize_newtype_struct` a newtype around it, and all others (but `deserialize_enum`, which is not
/// generated) call `deserialize_any`.
macro_rules! forward_non_null {
    () => {
        fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
            visitor.visit_some(self)
        }

        fn deserialize_newtype_struct<V: Visitor<'de>>(
            self,
            _: &'static str,
            visitor: V,
        ) -> Result<V::Value, Self::Error> {
            visitor.visit_newtype_struct(self)
        }

        forward_to_deserialize_any! {
            bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct
            seq tuple tuple_struct map struct identifier ignored_any
        }
    };
}

/// Deserializes a scalar that the format has read already.
pub(super) struct ScalarContent<D>(pub(super) D);

impl<'de, D: Deserializer<'de>> Deserializer<'de> for ScalarContent<D> {
    type Error = D::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.0.deserialize_any(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        self.0.deserialize_enum(name, variants, visitor)
    }

    forward_non_null!();
}

/// Reads a number into a type.
pub(super) fn read_number<'de, T: Deserialize<'de>, E: Error>(number: &Number) -> Result<T, E> {
    T::deserialize(NumberContent(number, PhantomData))
}

/// Deserializes a number with all its digits.
struct NumberContent<'a, E>(&'a Number, PhantomData<E>);

impl<'de, E: Error> Deserializer<'de> for NumberContent<'_, E> {
    type Error = E;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        match (self.0.to_u64(), self.0.to_i128(), self.0.to_u128()) {
            (Some(integer), ..) => visitor.visit_u64(integer),
            (_, Some(integer), _) => match i64::try_from(integer) {
                Ok(integer) => visitor.visit_i64(integer),
                Err(_) => visitor.visit_i128(integer),
            },
            (.., Some(integer)) => visitor.visit_u128(integer),
            _ => visitor.visit_f64(self.0.to_f64()),
        }
    }

    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        visitor.visit_f32(self.0.to_f32())
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        visitor.visit_f64(self.0.to_f64())
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, E> {
        visitor.visit_newtype_struct(self)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 char str string bytes byte_buf unit unit_struct seq tuple tuple_struct
        map struct enum identifier ignored_any
    }
}

/// Deserializes a sequence that the format has started to read.
pub(super) struct SeqContent<A>(pub(super) A);

impl<'de, A: SeqAccess<'de>> Deserializer<'de> for SeqContent<A> {
    type Error = A::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, A::Error> {
        visitor.visit_seq(self.0)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, A::Error> {
        SeqAccessDeserializer::new(self.0).deserialize_enum(name, variants, visitor)
    }

    forward_non_null!();
}

/// Deserializes a map whose first key was read already.
pub(super) struct MapContent<A> {
    first: Option<String>,
    rest: A,
}

impl<A> MapContent<A> {
    /// The map with its first key, if it has one, and the rest of it.
    pub(super) fn new(first: Option<String>, rest: A) -> MapContent<A> {
        MapContent { first, rest }
    }
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for MapContent<A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, A::Error> {
        match self.first.take() {
            Some(key) => seed.deserialize(KeyContent(key, PhantomData)).map(Some),
            None => self.rest.next_key_seed(seed),
        }
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, A::Error> {
        self.rest.next_value_seed(seed)
    }

    fn size_hint(&self) -> Option<usize> {
        let rest = self.rest.size_hint()?;
        Some(rest.saturating_add(self.first.iter().len()))
    }
}

impl<'de, A: MapAccess<'de>> Deserializer<'de> for MapContent<A> {
    type Error = A::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, A::Error> {
        visitor.visit_map(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, A::Error> {
        MapAccessDeserializer::new(self).deserialize_enum(name, variants, visitor)
    }

    forward_non_null!();
}

/// Deserializes the first key: numbers and bools are parsed from its string, as human-readable formats do.
struct KeyContent<E>(String, PhantomData<E>);

macro_rules! parsed {
    ($($method:ident $visit:ident)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
            match self.0.parse() {
                Ok(scalar) => visitor.$visit(scalar),
                Err(_) => self.deserialize_any(visitor),
            }
        }
    )*};
}

impl<'de, E: Error> Deserializer<'de> for KeyContent<E> {
    type Error = E;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        visitor.visit_string(self.0)
    }

    for_integers!(deserialize parsed);

    parsed! {
        deserialize_bool visit_bool
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, E> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, E> {
        StringDeserializer::new(self.0).deserialize_enum(name, variants, visitor)
    }

    forward_to_deserialize_any! {
        f32 f64 char str string bytes byte_buf unit unit_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}

/// Deserializes a value of this crate, for a type that is or contains one.
pub(super) struct ValueContent<E>(Value, PhantomData<E>);

impl<E> ValueContent<E> {
    /// The content that is this value.
    pub(super) fn new(value: Value) -> ValueContent<E> {
        ValueContent(value, PhantomData)
    }
}

impl<'de, E: Error> Deserializer<'de> for ValueContent<E> {
    type Error = E;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, E> {
        Err(E::custom("a value of this crate is written here"))
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, E> {
        if name == VALUE {
            return handover::offer(&self.0, || visitor.visit_unit());
        }
        self.deserialize_any(visitor)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        seq tuple tuple_struct map struct enum identifier ignored_any
    }
}
