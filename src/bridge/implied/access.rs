//! Samples of what has parts.

use serde_core::de::value::StrDeserializer;
use serde_core::de::{
    DeserializeSeed, Deserializer, EnumAccess, MapAccess, SeqAccess, VariantAccess, Visitor,
};

use crate::error::{Error, Kind, Result};
use crate::path::Step;
use crate::types::Type;
use crate::value::Value;

use super::super::room::Room;
use super::node::{Form, Node};
use super::tracer::Tracer;
use super::{Trace, cannot_tell};

/// Has a part ask for what it needs. Where the part is what refuses the sample, it gets another one next time.
fn part<R>(
    node: &mut Node,
    trace: &Trace,
    room: Room,
    step: impl FnOnce() -> Step,
    read: impl FnOnce(Tracer<'_>) -> Result<R>,
) -> Result<R> {
    read(Tracer { node: &mut *node, trace, room }).map_err(|error| {
        if !trace.stopped.get() && !trace.blamed.get() && node.is_complete() {
            node.refuse();
            trace.blamed.set(true);
        }
        error.under(step())
    })
}

fn any_index() -> Step {
    Step::Index(Value::unknown(Type::Number))
}

fn any_key() -> Step {
    Step::Index(Value::unknown(Type::String))
}

/// One element, or none where it takes no sample.
pub(super) struct Element<'a> {
    next: Option<Tracer<'a>>,
    in_list: bool,
}

impl<'a> Element<'a> {
    pub(super) fn of_list(element: Tracer<'a>) -> Element<'a> {
        Element { next: (!element.node.is_stuck).then_some(element), in_list: true }
    }

    pub(super) fn only(content: Tracer<'a>) -> Element<'a> {
        Element { next: Some(content), in_list: false }
    }
}

impl<'de> SeqAccess<'de> for Element<'_> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        let Some(Tracer { node, trace, room }) = self.next.take() else { return Ok(None) };
        if !self.in_list {
            return seed.deserialize(Tracer { node, trace, room }).map(Some);
        }
        part(node, trace, room, any_index, |tracer| seed.deserialize(tracer)).map(Some)
    }
}

/// The elements of a tuple.
pub(super) struct Items<'a> {
    pub(super) nodes: &'a mut Vec<Node>,
    pub(super) place: usize,
    pub(super) length: usize,
    pub(super) trace: &'a Trace,
    pub(super) room: Room,
}

impl<'de> SeqAccess<'de> for Items<'_> {
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
        if node.is_stuck {
            let message = "serde cannot tell the type: what comes before takes none of the samples";
            return Err(self.trace.stop(Error::new(Kind::NeedsType, message).under(Step::index(self.place))));
        }
        part(node, self.trace, self.room, || Step::index(place), |tracer| seed.deserialize(tracer)).map(Some)
    }
}

/// One entry of a map.
pub(super) struct Pair<'a> {
    pub(super) key: &'a mut Node,
    pub(super) element: &'a mut Node,
    pub(super) is_given: bool,
    pub(super) trace: &'a Trace,
    pub(super) room: Room,
}

impl<'de> MapAccess<'de> for Pair<'_> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        if self.is_given || self.element.is_stuck {
            return Ok(None);
        }
        if self.key.is_stuck {
            let message = "serde cannot tell the type: the keys take none of the samples";
            return Err(self.trace.stop(Error::new(Kind::NeedsType, message)));
        }
        self.is_given = true;
        part(self.key, self.trace, self.room, any_key, |tracer| seed.deserialize(tracer)).map(Some)
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value> {
        part(self.element, self.trace, self.room, any_key, |tracer| seed.deserialize(tracer))
    }
}

/// The fields of a struct, without those that take no sample.
pub(super) struct Fields<'a> {
    pub(super) names: &'static [&'static str],
    pub(super) nodes: &'a mut [Node],
    pub(super) place: usize,
    /// The field of which only the name has been asked for.
    pub(super) open: Option<usize>,
    pub(super) trace: &'a Trace,
    pub(super) room: Room,
}

impl Fields<'_> {
    /// What is another name of a field is not asked for, as the field is there already.
    pub(super) fn pass_over_what_was_not_asked_for(&mut self) {
        if let Some(node) = self.open.and_then(|place| self.nodes.get_mut(place))
            && matches!(node.form, Form::New)
        {
            *node = Node { form: Form::Absent, attempt: 0, is_stuck: true };
        }
    }
}

impl<'de> MapAccess<'de> for &mut Fields<'_> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        while self.nodes.get(self.place).is_some_and(|node| node.is_stuck) {
            self.place = self.place.saturating_add(1);
        }
        let Some(name) = self.names.get(self.place) else { return Ok(None) };
        self.open = Some(self.place);
        seed.deserialize(StrDeserializer::<Error>::new(name)).map(Some)
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value> {
        let place = self.place;
        self.open = None;
        self.place = place.saturating_add(1);
        let (Some(name), Some(node)) = (self.names.get(place), self.nodes.get_mut(place)) else {
            return Err(self.trace.stop(cannot_tell()));
        };
        part(node, self.trace, self.room, || Step::attr(name), |tracer| seed.deserialize(tracer))
    }
}

/// The variant whose turn it is.
pub(super) struct Choice<'a> {
    name: &'static str,
    node: &'a mut Node,
    trace: &'a Trace,
    room: Room,
}

impl<'a> Choice<'a> {
    pub(super) fn of(
        names: &'static [&'static str],
        nodes: &'a mut [Node],
        trace: &'a Trace,
        room: Room,
    ) -> Result<Choice<'a>> {
        let open = nodes.iter().position(|node| !node.is_complete());
        let place = open.or_else(|| nodes.iter().position(|node| !node.is_stuck)).unwrap_or_default();
        match (names.get(place), nodes.get_mut(place)) {
            (Some(name), Some(node)) => Ok(Choice { name, node, trace, room }),
            _ => Err(trace.stop(Error::new(Kind::NeedsType, "an enum without variants has no values"))),
        }
    }

    fn content<R>(self, read: impl FnOnce(Tracer<'_>) -> Result<R>) -> Result<R> {
        part(self.node, self.trace, self.room, || Step::attr(self.name), read)
    }
}

impl<'de> EnumAccess<'de> for Choice<'_> {
    type Error = Error;
    type Variant = Self;

    fn variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<(T::Value, Self)> {
        let name = seed.deserialize(StrDeserializer::<Error>::new(self.name))?;
        Ok((name, self))
    }
}

impl<'de> VariantAccess<'de> for Choice<'_> {
    type Error = Error;

    fn unit_variant(self) -> Result<()> {
        let is_new = matches!(self.node.form, Form::New);
        self.trace.ask(is_new)?;
        self.node.form = Form::Unit;
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
