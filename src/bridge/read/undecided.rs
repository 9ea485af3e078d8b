//! Reads unknown values into types that give serde no hint of what they need.
//!
//! Most of these types cannot hold an unknown value. But serde's own buffer can, from which flattened structs and
//! untagged enums are read, and there may be a [`Planned`](super::super::Planned) or a value at its other end: it
//! accepts a newtype. So the unknown value is offered as a newtype around its self-describing form.

use std::cell::Cell;

use serde_core::de::value::{MapDeserializer, SeqDeserializer};
use serde_core::de::{Deserializer, IntoDeserializer, Visitor};
use serde_core::forward_to_deserialize_any;

use crate::error::{Error, Result};
use crate::serial;
use crate::value::{Value, View};

use super::super::error::unknown;

/// Offers an unknown value to the visitor in its self-describing form; an error if the visitor does not read it.
pub(super) fn visit<'de, V: Visitor<'de>>(value: &Value, visitor: V) -> Result<V::Value> {
    let was_read = Cell::new(false);
    let read = visitor.visit_newtype_struct(UnknownForm { value, was_read: &was_read });
    if was_read.get() { read } else { Err(unknown()) }
}

/// Deserializes the self-describing form of an unknown value; records whether it was read.
struct UnknownForm<'a> {
    value: &'a Value,
    was_read: &'a Cell<bool>,
}

/// The strings that describe an unknown value in the self-describing form: its kind, type and refinement. An error
/// for a type that contains a capsule.
fn node_words(value: &Value) -> Result<Vec<String>> {
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

impl<'de> Deserializer<'de> for UnknownForm<'_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let words = node_words(self.value)?;
        self.was_read.set(true);
        let [version, value] = serial::FIELDS;
        let fields = [(version, FormField::Version), (value, FormField::Node(words))];
        visitor.visit_map(MapDeserializer::new(fields.into_iter()))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

/// A field of the self-describing form.
enum FormField {
    Version,
    Node(Vec<String>),
}

impl<'de> IntoDeserializer<'de, Error> for FormField {
    type Deserializer = FormField;

    fn into_deserializer(self) -> FormField {
        self
    }
}

impl<'de> Deserializer<'de> for FormField {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self {
            FormField::Version => visitor.visit_u32(serial::VERSION),
            FormField::Node(words) => visitor.visit_seq(SeqDeserializer::new(words.into_iter())),
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}
