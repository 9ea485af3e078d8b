//! The requests of a Rust type, as a tree.

use crate::constraint::{AttributeConstraint, TypeConstraint};
use crate::error::{Error, Kind, Result};
use crate::path::Step;
use crate::types::Type;
use crate::value::Value;

/// A part of a Rust type (a field, an element, a variant): what it requests from serde, and the sample that it gets.
#[derive(Default)]
pub(super) struct Node {
    pub(super) request: Request,
    /// The index of the sample to give.
    pub(super) sample: usize,
    /// Whether the part has refused all samples.
    pub(super) is_exhausted: bool,
}

/// What a part requests from serde.
#[derive(Default)]
pub(super) enum Request {
    /// The part has requested nothing yet.
    #[default]
    New,
    /// The part is not read: it is an alias of a field, or ignored.
    Absent,
    Any,
    Bool,
    Number,
    Text,
    Option(Box<Node>),
    List(Box<Node>),
    /// A map: key and element.
    Map(Box<[Node; 2]>),
    Tuple(Vec<Node>, usize),
    Object(&'static [&'static str], Vec<Node>),
    /// An enum: the variants and their contents.
    Enum(&'static [&'static str], Vec<Node>),
    /// A variant without content.
    Unit,
}

/// The strings given as samples: the common formats of types that are read from a string.
pub(super) const TEXT_SAMPLES: [&str; 11] = [
    "",
    "a",
    "1",
    "127.0.0.1",
    "::1",
    "127.0.0.1:80",
    "[::1]:80",
    "2000-01-01",
    "2000-01-01T00:00:00Z",
    "00000000-0000-0000-0000-000000000000",
    "bool",
];

impl Node {
    /// Whether this part and all parts inside it have requested something from serde, so that their types are known.
    pub(super) fn is_complete(&self) -> bool {
        match &self.request {
            Request::New => false,
            Request::Absent
            | Request::Any
            | Request::Bool
            | Request::Number
            | Request::Text
            | Request::Unit => true,
            Request::Option(inner) | Request::List(inner) => inner.is_complete(),
            Request::Map(parts) => parts.iter().all(Node::is_complete),
            Request::Tuple(nodes, length) => nodes.len() == *length && nodes.iter().all(Node::is_complete),
            Request::Object(_, nodes) | Request::Enum(_, nodes) => nodes.iter().all(Node::is_complete),
        }
    }

    /// The number of samples that this part and the parts inside it have refused.
    pub(super) fn refusals(&self) -> usize {
        let own = self.sample.saturating_add(usize::from(self.is_exhausted));
        let inside: usize = match &self.request {
            Request::Option(inner) | Request::List(inner) => inner.refusals(),
            Request::Map(parts) => parts.iter().map(Node::refusals).sum(),
            Request::Tuple(nodes, _) | Request::Object(_, nodes) | Request::Enum(_, nodes) => {
                nodes.iter().map(Node::refusals).sum()
            }
            _ => 0,
        };
        own.saturating_add(inside)
    }

    /// Selects the next sample, as the part has refused this one; marks the part as exhausted if there is no other.
    pub(super) fn next_sample(&mut self) {
        let samples = match &mut self.request {
            Request::Option(inner) if self.sample == 0 => {
                inner.next_sample();
                // If the content accepts no sample, try `None`.
                self.sample = usize::from(inner.is_exhausted);
                return;
            }
            Request::Text => TEXT_SAMPLES.len(),
            Request::Bool | Request::Number => 2,
            _ => 0,
        };
        if self.sample.saturating_add(1) < samples {
            self.sample = self.sample.saturating_add(1);
        } else {
            self.is_exhausted = true;
        }
    }

    /// The type of the values that this part reads.
    pub(super) fn constraint(&self) -> Result<TypeConstraint> {
        match &self.request {
            Request::New | Request::Absent | Request::Any | Request::Unit => Ok(TypeConstraint::ANY),
            Request::Bool => Ok(Type::Bool.into()),
            Request::Number => Ok(Type::Number.into()),
            Request::Text => Ok(Type::String.into()),
            Request::Option(inner) => inner.constraint(),
            Request::List(element) => {
                let any = || Step::Index(Value::unknown(Type::Number));
                TypeConstraint::list(element.constraint().map_err(|error| error.under(any()))?)
            }
            Request::Map(parts) => {
                let [_, element] = &**parts;
                let any = || Step::Index(Value::unknown(Type::String));
                TypeConstraint::map(element.constraint().map_err(|error| error.under(any()))?)
            }
            Request::Tuple(nodes, _) => {
                let element = |(place, node): (usize, &Node)| {
                    node.constraint().map_err(|error| error.under(Step::index(place)))
                };
                TypeConstraint::tuple(nodes.iter().enumerate().map(element).collect::<Result<Vec<_>>>()?)
            }
            Request::Object(names, nodes) => object_constraint(names, nodes, false),
            Request::Enum(names, nodes) => enum_constraint(names, nodes),
        }
    }
}

/// The object type of a struct, or of an enum in which each variant has content.
fn object_constraint(
    names: &'static [&'static str],
    nodes: &[Node],
    is_enum: bool,
) -> Result<TypeConstraint> {
    let mut attributes = Vec::with_capacity(nodes.len());
    for (name, node) in names.iter().zip(nodes) {
        if matches!(node.request, Request::Absent) {
            continue;
        }
        let constraint = node.constraint().map_err(|error| error.under(Step::attr(name)))?;
        let attribute = if is_enum || matches!(node.request, Request::Option(_)) {
            AttributeConstraint::optional(constraint)
        } else {
            AttributeConstraint::required(constraint)
        };
        attributes.push((*name, attribute));
    }
    TypeConstraint::object(attributes)
}

/// The type of an enum: a string if no variant has content, an object if all have.
fn enum_constraint(names: &'static [&'static str], nodes: &[Node]) -> Result<TypeConstraint> {
    let units = nodes.iter().filter(|node| matches!(node.request, Request::Unit)).count();
    if units == nodes.len() {
        return Ok(Type::String.into());
    }
    if units == 0 {
        return object_constraint(names, nodes, true);
    }
    Err(Error::new(
        Kind::NeedsType,
        "some variants have content and some have none, so they have no type in common",
    ))
}
