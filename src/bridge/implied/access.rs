//! Samples for types with parts: sequences, tuples, maps, structs and enums.

use serde_core::de::value::StrDeserializer;
use serde_core::de::{
    DeserializeSeed, Deserializer, EnumAccess, MapAccess, SeqAccess, VariantAccess, Visitor,
};

use crate::error::{Error, Kind, Result};
use crate::path::Step;
use crate::types::Type;
use crate::value::Value;

use super::super::depth::DepthLeft;
use super::node::{Node, Request};
use super::tracer::Tracer;
use super::{Trace, cannot_tell};

/// Lets a part of the Rust type read its sample, and adds `step` to an error. If the part itself refuses it, the
/// next repetition gives it another sample.
fn sample_child<R>(
    node: &mut Node,
    trace: &Trace,
    depth: DepthLeft,
    step: impl FnOnce() -> Step,
    read: impl FnOnce(Tracer<'_>) -> Result<R>,
) -> Result<R> {
    read(Tracer { node: &mut *node, trace, depth }).map_err(|error| {
        if !trace.stopped.get() && !trace.has_refused.get() && node.is_complete() {
            node.next_sample();
            trace.has_refused.set(true);
        }
        error.under(step())
    })
}

/// The step to any element of a list.
fn any_index() -> Step {
    Step::Index(Value::unknown(Type::Number))
}

/// The step to any element of a map.
fn any_key() -> Step {
    Step::Index(Value::unknown(Type::String))
}

/// A sample for a sequence: one element, or none if the element accepts no sample.
pub(super) struct ElementSample<'a> {
    next: Option<Tracer<'a>>,
    /// Whether it is an element of a list: then an error gets the step to it.
    in_list: bool,
}

impl<'a> ElementSample<'a> {
    /// The element of a list.
    pub(super) fn of_list(element: Tracer<'a>) -> ElementSample<'a> {
        ElementSample { next: (!element.node.is_exhausted).then_some(element), in_list: true }
    }

    /// The content of a `Planned`.
    pub(super) fn only(content: Tracer<'a>) -> ElementSample<'a> {
        ElementSample { next: Some(content), in_list: false }
    }
}

impl<'de> SeqAccess<'de> for ElementSample<'_> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        let Some(Tracer { node, trace, depth }) = self.next.take() else { return Ok(None) };
        if !self.in_list {
            return seed.deserialize(Tracer { node, trace, depth }).map(Some);
        }
        sample_child(node, trace, depth, any_index, |tracer| seed.deserialize(tracer)).map(Some)
    }
}

/// A sample for a tuple: one sample for each element.
pub(super) struct TupleSample<'a> {
    pub(super) nodes: &'a mut Vec<Node>,
    pub(super) place: usize,
    pub(super) length: usize,
    pub(super) trace: &'a Trace,
    pub(super) depth: DepthLeft,
}

impl<'de> SeqAccess<'de> for TupleSample<'_> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        let place = self.place;
        if place == self.length {
            return Ok(None);
        }
        if self.nodes.len() == place {
            self.nodes.push(Node::default());
        }
        self.place = place.saturating_add(1);
        let Some(node) = self.nodes.get_mut(place) else { return Ok(None) };
        if node.is_exhausted {
            let message = "serde cannot tell the type: what comes before takes none of the samples";
            return Err(self.trace.stop(Error::new(Kind::NeedsType, message).under(Step::index(self.place))));
        }
        sample_child(node, self.trace, self.depth, || Step::index(place), |tracer| seed.deserialize(tracer))
            .map(Some)
    }
}

/// A sample for a map: one entry, or none if the element accepts no sample.
pub(super) struct EntrySample<'a> {
    pub(super) key: &'a mut Node,
    pub(super) element: &'a mut Node,
    pub(super) is_given: bool,
    pub(super) trace: &'a Trace,
    pub(super) depth: DepthLeft,
}

impl<'de> MapAccess<'de> for EntrySample<'_> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        if self.is_given || self.element.is_exhausted {
            return Ok(None);
        }
        if self.key.is_exhausted {
            let message = "serde cannot tell the type: the keys take none of the samples";
            return Err(self.trace.stop(Error::new(Kind::NeedsType, message)));
        }
        self.is_given = true;
        sample_child(self.key, self.trace, self.depth, any_key, |tracer| seed.deserialize(tracer)).map(Some)
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value> {
        sample_child(self.element, self.trace, self.depth, any_key, |tracer| seed.deserialize(tracer))
    }
}

/// A sample for a struct: one sample for each field, without the fields that accept no sample.
pub(super) struct StructSample<'a> {
    pub(super) names: &'static [&'static str],
    pub(super) nodes: &'a mut [Node],
    pub(super) place: usize,
    /// The field whose name was read but not its value.
    pub(super) current: Option<usize>,
    pub(super) trace: &'a Trace,
    pub(super) depth: DepthLeft,
}

impl StructSample<'_> {
    /// Marks a field whose value was not read as absent: its name is an alias of a field that was read already.
    pub(super) fn mark_unread_absent(&mut self) {
        if let Some(node) = self.current.and_then(|place| self.nodes.get_mut(place))
            && matches!(node.request, Request::New)
        {
            *node = Node { request: Request::Absent, sample: 0, is_exhausted: true };
        }
    }
}

impl<'de> MapAccess<'de> for &mut StructSample<'_> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        while self.nodes.get(self.place).is_some_and(|node| node.is_exhausted) {
            self.place = self.place.saturating_add(1);
        }
        let Some(name) = self.names.get(self.place) else { return Ok(None) };
        self.current = Some(self.place);
        seed.deserialize(StrDeserializer::<Error>::new(name)).map(Some)
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value> {
        let place = self.place;
        self.current = None;
        self.place = place.saturating_add(1);
        let (Some(name), Some(node)) = (self.names.get(place), self.nodes.get_mut(place)) else {
            return Err(self.trace.stop(cannot_tell()));
        };
        sample_child(node, self.trace, self.depth, || Step::attr(name), |tracer| seed.deserialize(tracer))
    }
}

/// A sample of one variant of an enum.
pub(super) struct VariantSample<'a> {
    name: &'static str,
    node: &'a mut Node,
    trace: &'a Trace,
    depth: DepthLeft,
}

impl<'a> VariantSample<'a> {
    /// The first variant that is not complete, or any that accepts samples.
    pub(super) fn of(
        names: &'static [&'static str],
        nodes: &'a mut [Node],
        trace: &'a Trace,
        depth: DepthLeft,
    ) -> Result<VariantSample<'a>> {
        let incomplete = nodes.iter().position(|node| !node.is_complete());
        let place =
            incomplete.or_else(|| nodes.iter().position(|node| !node.is_exhausted)).unwrap_or_default();
        match (names.get(place), nodes.get_mut(place)) {
            (Some(name), Some(node)) => Ok(VariantSample { name, node, trace, depth }),
            _ => Err(trace.stop(Error::new(Kind::NeedsType, "an enum without variants has no values"))),
        }
    }

    /// Lets the content of the variant read its sample.
    fn content<R>(self, read: impl FnOnce(Tracer<'_>) -> Result<R>) -> Result<R> {
        sample_child(self.node, self.trace, self.depth, || Step::attr(self.name), read)
    }
}

impl<'de> EnumAccess<'de> for VariantSample<'_> {
    type Error = Error;
    type Variant = Self;

    fn variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<(T::Value, Self)> {
        let name = seed.deserialize(StrDeserializer::<Error>::new(self.name))?;
        Ok((name, self))
    }
}

impl<'de> VariantAccess<'de> for VariantSample<'_> {
    type Error = Error;

    fn unit_variant(self) -> Result<()> {
        let is_new = matches!(self.node.request, Request::New);
        self.trace.count_request(is_new)?;
        self.node.request = Request::Unit;
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value> {
        self.content(|tracer| seed.deserialize(tracer))
    }

    fn tuple_variant<V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value> {
        self.content(|tracer| tracer.deserialize_tuple(length, visitor))
    }

    fn struct_variant<V: Visitor<'de>>(self, names: &'static [&'static str], visitor: V) -> Result<V::Value> {
        self.content(|tracer| tracer.deserialize_struct("", names, visitor))
    }
}
