//! The deserializer that gives samples to a Rust type and records its requests.

use serde_core::de::{Deserializer, Visitor};

use crate::bridge::PLANNED;
use crate::error::{Error, Kind, Result};
use crate::serial::{NUMBER, VALUE, handover};
use crate::value::Value;

use super::super::depth::DepthLeft;
use super::access::{ElementSample, EntrySample, StructSample, TupleSample, VariantSample};
use super::node::{Node, Request, TEXT_SAMPLES};
use super::{Trace, cannot_tell};

/// A deserializer that gives a sample to one part of a Rust type and records what the part requests.
pub(super) struct Tracer<'a> {
    pub(super) node: &'a mut Node,
    pub(super) trace: &'a Trace,
    pub(super) depth: DepthLeft,
}

impl<'a> Tracer<'a> {
    /// Counts a request of the part, and records it if it is the first.
    fn record(&mut self, request: impl FnOnce() -> Request) -> Result<()> {
        let is_new = matches!(self.node.request, Request::New);
        self.trace.count_request(is_new)?;
        if is_new {
            self.node.request = request();
        }
        Ok(())
    }

    /// The depth left for the parts of this one.
    fn below(&self) -> Result<DepthLeft> {
        self.trace.check_depth(self.depth.below())
    }

    /// The tracer of the content of an option or newtype.
    fn wrapped(self) -> Result<Tracer<'a>> {
        let depth = self.trace.check_depth(self.depth.wrapped())?;
        Ok(Tracer { depth, ..self })
    }

    /// Ends the search, and returns its error, because the part requests something else than before.
    #[cold]
    fn changed(trace: &Trace) -> Error {
        trace.stop(cannot_tell())
    }

    /// Records that the part requests a number; returns whether the sample to give it is 1, as the first is, and not 0.
    fn number(&mut self) -> Result<bool> {
        self.record(|| Request::Number)?;
        Ok(self.node.sample == 0)
    }

    /// Records that the part requests a string; returns the sample to give it.
    fn text(&mut self) -> Result<&'static str> {
        self.record(|| Request::Text)?;
        Ok(TEXT_SAMPLES.get(self.node.sample).copied().unwrap_or_default())
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
            self.record(|| Request::List(Box::new(Node { request: Request::Number, ..Node::default() })))?;
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

    for_integers!(deserialize numbers);

    numbers! {
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
        self.record(|| Request::Bool)?;
        visitor.visit_bool(self.node.sample > 0)
    }

    fn deserialize_unit<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        self.record(|| Request::Any)?;
        visitor.visit_unit()
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        self.record(|| Request::Absent)?;
        visitor.visit_unit()
    }

    fn deserialize_option<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        self.record(|| Request::Option(Box::default()))?;
        let Tracer { node, trace, depth } = self.wrapped()?;
        if node.sample > 0 {
            return visitor.visit_none();
        }
        let Request::Option(inner) = &mut node.request else { return Err(Self::changed(trace)) };
        visitor.visit_some(Tracer { node: inner, trace, depth })
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        mut self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        match name {
            VALUE => {
                self.record(|| Request::Any)?;
                handover::offer(&Value::dynamic(), || visitor.visit_unit())
            }
            NUMBER => {
                let sample = Value::from(u8::from(self.number()?));
                handover::offer(&sample, || visitor.visit_unit())
            }
            PLANNED => {
                let content = self.wrapped()?;
                handover::offer(&Value::dynamic(), || visitor.visit_seq(ElementSample::only(content)))
            }
            _ => visitor.visit_newtype_struct(self.wrapped()?),
        }
    }

    fn deserialize_seq<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        self.record(|| Request::List(Box::default()))?;
        let depth = self.below()?;
        let Request::List(node) = &mut self.node.request else { return Err(Self::changed(self.trace)) };
        visitor.visit_seq(ElementSample::of_list(Tracer { node, trace: self.trace, depth }))
    }

    fn deserialize_tuple<V: Visitor<'de>>(mut self, length: usize, visitor: V) -> Result<V::Value> {
        self.record(|| Request::Tuple(Vec::new(), length))?;
        let depth = self.below()?;
        let Request::Tuple(nodes, length) = &mut self.node.request else {
            return Err(Self::changed(self.trace));
        };
        visitor.visit_seq(TupleSample { nodes, place: 0, length: *length, trace: self.trace, depth })
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
        self.record(|| Request::Map(Box::default()))?;
        let depth = self.below()?;
        let Request::Map(parts) = &mut self.node.request else { return Err(Self::changed(self.trace)) };
        let [key, element] = &mut **parts;
        visitor.visit_map(EntrySample { key, element, is_given: false, trace: self.trace, depth })
    }

    fn deserialize_struct<V: Visitor<'de>>(
        mut self,
        _: &'static str,
        names: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        self.record(|| Request::Object(names, names.iter().map(|_| Node::default()).collect()))?;
        let depth = self.below()?;
        let Request::Object(names, nodes) = &mut self.node.request else {
            return Err(Self::changed(self.trace));
        };
        let mut fields = StructSample { names, nodes, place: 0, current: None, trace: self.trace, depth };
        let read = visitor.visit_map(&mut fields);
        fields.mark_unread_absent();
        read
    }

    fn deserialize_enum<V: Visitor<'de>>(
        mut self,
        _: &'static str,
        names: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        self.record(|| Request::Enum(names, names.iter().map(|_| Node::default()).collect()))?;
        let depth = self.below()?;
        let Request::Enum(names, nodes) = &mut self.node.request else {
            return Err(Self::changed(self.trace));
        };
        visitor.visit_enum(VariantSample::of(names, nodes, self.trace, depth)?)
    }
}
