//! What a format for people has shown already, to be read as a Rust type after all.

use std::marker::PhantomData;

use serde_core::de::value::{MapAccessDeserializer, SeqAccessDeserializer, StringDeserializer};
use serde_core::de::{Deserialize, DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_core::forward_to_deserialize_any;

use crate::number::Number;
use crate::serial::{VALUE, handover};
use crate::value::Value;

/// Something that is not null: an option of it is some, a newtype of it is one.
macro_rules! present {
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

/// A scalar.
pub(super) struct Found<D>(pub(super) D);

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Found<D> {
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

    present!();
}

/// The number for a type that takes it.
pub(super) fn number<'de, T: Deserialize<'de>, E: Error>(number: &Number) -> Result<T, E> {
    T::deserialize(Digits(number, PhantomData))
}

/// A number with all its digits.
struct Digits<'a, E>(&'a Number, PhantomData<E>);

impl<'de, E: Error> Deserializer<'de> for Digits<'_, E> {
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

/// A sequence.
pub(super) struct FoundSeq<A>(pub(super) A);

impl<'de, A: SeqAccess<'de>> Deserializer<'de> for FoundSeq<A> {
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

    present!();
}

/// A map of which the first key has been read.
pub(super) struct FoundMap<A> {
    first: Option<String>,
    rest: A,
}

impl<A> FoundMap<A> {
    pub(super) fn new(first: Option<String>, rest: A) -> FoundMap<A> {
        FoundMap { first, rest }
    }
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for FoundMap<A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, A::Error> {
        match self.first.take() {
            Some(key) => seed.deserialize(Key(key, PhantomData)).map(Some),
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

impl<'de, A: MapAccess<'de>> Deserializer<'de> for FoundMap<A> {
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

    present!();
}

/// The first key: numbers and bools are read from its text, as formats for people read them.
struct Key<E>(String, PhantomData<E>);

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

impl<'de, E: Error> Deserializer<'de> for Key<E> {
    type Error = E;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        visitor.visit_string(self.0)
    }

    parsed! {
        deserialize_bool visit_bool
        deserialize_i8 visit_i8
        deserialize_i16 visit_i16
        deserialize_i32 visit_i32
        deserialize_i64 visit_i64
        deserialize_i128 visit_i128
        deserialize_u8 visit_u8
        deserialize_u16 visit_u16
        deserialize_u32 visit_u32
        deserialize_u64 visit_u64
        deserialize_u128 visit_u128
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

/// A value that was read as one, for a type that is or holds one.
pub(super) struct Handed<E>(Value, PhantomData<E>);

impl<E> Handed<E> {
    pub(super) fn new(value: Value) -> Handed<E> {
        Handed(value, PhantomData)
    }
}

impl<'de, E: Error> Deserializer<'de> for Handed<E> {
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
