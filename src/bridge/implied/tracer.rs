//! Gives samples to a Rust type, and writes down what it asks for.

use serde_core::de::{Deserializer, Visitor};

use crate::bridge::PLANNED;
use crate::error::{Error, Kind, Result};
use crate::serial::{NUMBER, VALUE, handover};
use crate::value::Value;

use super::super::room::Room;
use super::access::{Choice, Element, Fields, Items, Pair};
use super::node::{Form, Node, TEXTS};
use super::{Trace, cannot_tell};

/// What is at one place.
pub(super) struct Tracer<'a> {
    pub(super) node: &'a mut Node,
    pub(super) trace: &'a Trace,
    pub(super) room: Room,
}

impl<'a> Tracer<'a> {
    /// Writes down what is asked for, the first time.
    fn asked(&mut self, form: impl FnOnce() -> Form) -> Result<()> {
        let is_new = matches!(self.node.form, Form::New);
        self.trace.ask(is_new)?;
        if is_new {
            self.node.form = form();
        }
        Ok(())
    }

    fn below(&self) -> Result<Room> {
        self.trace.room(self.room.below())
    }

    fn wrapped(self) -> Result<Tracer<'a>> {
        let room = self.trace.room(self.room.wrapped())?;
        Ok(Tracer { room, ..self })
    }

    /// Something else than before is asked for.
    #[cold]
    fn changed(trace: &Trace) -> Error {
        trace.stop(cannot_tell())
    }

    /// Whether the sample is 1; else it is 0.
    fn number(&mut self) -> Result<bool> {
        self.asked(|| Form::Number)?;
        Ok(self.node.attempt == 0)
    }

    fn text(&mut self) -> Result<&'static str> {
        self.asked(|| Form::Text)?;
        Ok(TEXTS.get(self.node.attempt).copied().unwrap_or_default())
    }
}

macro_rules! numbers {
    ($($method:ident $visit:ident)*) => {$(
        fn $method<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
            visitor.$visit(self.number()?.into())
        }
    )*};
}

macro_rules! texts {
    ($($method:ident)*) => {$(
        fn $method<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
            visitor.visit_str(self.text()?)
        }
    )*};
}

macro_rules! bytes {
    ($($method:ident)*) => {$(
        fn $method<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
            self.asked(|| Form::List(Box::new(Node { form: Form::Number, ..Node::default() })))?;
            visitor.visit_bytes(&[])
        }
    )*};
}

impl<'de> Deserializer<'de> for Tracer<'_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value> {
        let message = "serde cannot tell the type: what is read here asks for anything";
        Err(self.trace.stop(Error::new(Kind::NeedsType, message)))
    }

    numbers! {
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
        deserialize_f32 visit_f32
        deserialize_f64 visit_f64
    }

    texts! {
        deserialize_char
        deserialize_str
        deserialize_string
        deserialize_identifier
    }

    bytes! {
        deserialize_bytes
        deserialize_byte_buf
    }

    fn deserialize_bool<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        self.asked(|| Form::Bool)?;
        visitor.visit_bool(self.node.attempt > 0)
    }

    fn deserialize_unit<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        self.asked(|| Form::Any)?;
        visitor.visit_unit()
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        self.asked(|| Form::Absent)?;
        visitor.visit_unit()
    }

    fn deserialize_option<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        self.asked(|| Form::Option(Box::default()))?;
        let Tracer { node, trace, room } = self.wrapped()?;
        if node.attempt > 0 {
            return visitor.visit_none();
        }
        let Form::Option(inner) = &mut node.form else { return Err(Self::changed(trace)) };
        visitor.visit_some(Tracer { node: inner, trace, room })
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        mut self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        match name {
            VALUE => {
                self.asked(|| Form::Any)?;
                handover::offer(&Value::dynamic(), || visitor.visit_unit())
            }
            NUMBER => {
                let sample = Value::from(u8::from(self.number()?));
                handover::offer(&sample, || visitor.visit_unit())
            }
            PLANNED => {
                let content = self.wrapped()?;
                handover::offer(&Value::dynamic(), || visitor.visit_seq(Element::only(content)))
            }
            _ => visitor.visit_newtype_struct(self.wrapped()?),
        }
    }

    fn deserialize_seq<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        self.asked(|| Form::List(Box::default()))?;
        let room = self.below()?;
        let Form::List(node) = &mut self.node.form else { return Err(Self::changed(self.trace)) };
        visitor.visit_seq(Element::of_list(Tracer { node, trace: self.trace, room }))
    }

    fn deserialize_tuple<V: Visitor<'de>>(mut self, length: usize, visitor: V) -> Result<V::Value> {
        self.asked(|| Form::Tuple(Vec::new(), length))?;
        let room = self.below()?;
        let Form::Tuple(nodes, length) = &mut self.node.form else { return Err(Self::changed(self.trace)) };
        visitor.visit_seq(Items { nodes, place: 0, length: *length, trace: self.trace, room })
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        length: usize,
        visitor: V,
    ) -> Result<V::Value> {
        self.deserialize_tuple(length, visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        self.asked(|| Form::Map(Box::default()))?;
        let room = self.below()?;
        let Form::Map(parts) = &mut self.node.form else { return Err(Self::changed(self.trace)) };
        let [key, element] = &mut **parts;
        visitor.visit_map(Pair { key, element, is_given: false, trace: self.trace, room })
    }

    fn deserialize_struct<V: Visitor<'de>>(
        mut self,
        _: &'static str,
        names: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        self.asked(|| Form::Object(names, names.iter().map(|_| Node::default()).collect()))?;
        let room = self.below()?;
        let Form::Object(names, nodes) = &mut self.node.form else { return Err(Self::changed(self.trace)) };
        let mut fields = Fields { names, nodes, place: 0, open: None, trace: self.trace, room };
        let read = visitor.visit_map(&mut fields);
        fields.pass_over_what_was_not_asked_for();
        read
    }

    fn deserialize_enum<V: Visitor<'de>>(
        mut self,
        _: &'static str,
        names: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        self.asked(|| Form::Enum(names, names.iter().map(|_| Node::default()).collect()))?;
        let room = self.below()?;
        let Form::Enum(names, nodes) = &mut self.node.form else { return Err(Self::changed(self.trace)) };
        visitor.visit_enum(Choice::of(names, nodes, self.trace, room)?)
    }
}
