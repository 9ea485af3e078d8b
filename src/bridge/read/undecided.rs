//! Unknown values where anything is asked for.
//!
//! What asks for anything mostly has no place for an unknown value. But serde's own buffer does, from which flattened
//! structs and untagged enums are read, and there may be a [`Planned`](super::super::Planned) or a value at its other end:
//! it takes a newtype. So the unknown is offered as a newtype around its self-describing form.

use std::cell::Cell;

use serde_core::de::value::{MapDeserializer, SeqDeserializer};
use serde_core::de::{Deserializer, IntoDeserializer, Visitor};
use serde_core::forward_to_deserialize_any;

use crate::error::{Error, Result};
use crate::serial;
use crate::value::{Value, View};

use super::super::error::unknown;

pub(super) fn visit<'de, V: Visitor<'de>>(value: &Value, visitor: V) -> Result<V::Value> {
    let taken = Cell::new(false);
    let read = visitor.visit_newtype_struct(Form { value, taken: &taken });
    if taken.get() { read } else { Err(unknown()) }
}

/// The form of an unknown value.
struct Form<'a> {
    value: &'a Value,
    taken: &'a Cell<bool>,
}

/// The words of the node.
fn node(value: &Value) -> Result<Vec<String>> {
    if value.ty().has_capsule() {
        return Err(unknown());
    }
    Ok(match value.view() {
        View::Unknown(range) if range.refinement().is_trivial() => {
            vec!["unknown".to_owned(), range.ty().to_string()]
        }
        View::Unknown(range) => {
            vec!["refined".to_owned(), range.ty().to_string(), range.refinement().to_string()]
        }
        _ => vec!["dynamic".to_owned()],
    })
}

impl<'de> Deserializer<'de> for Form<'_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let words = node(self.value)?;
        self.taken.set(true);
        let [version, value] = serial::FIELDS;
        let fields = [(version, Field::Version), (value, Field::Node(words))];
        visitor.visit_map(MapDeserializer::new(fields.into_iter()))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

enum Field {
    Version,
    Node(Vec<String>),
}

impl<'de> IntoDeserializer<'de, Error> for Field {
    type Deserializer = Field;

    fn into_deserializer(self) -> Field {
        self
    }
}

impl<'de> Deserializer<'de> for Field {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self {
            Field::Version => visitor.visit_u32(serial::VERSION),
            Field::Node(words) => visitor.visit_seq(SeqDeserializer::new(words.into_iter())),
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}
