//! What has been asked for at one place.

use crate::constraint::{AttributeConstraint, TypeConstraint};
use crate::error::{Error, Kind, Result};
use crate::path::Step;
use crate::types::Type;
use crate::value::Value;

/// A place in a Rust type.
#[derive(Default)]
pub(super) struct Node {
    pub(super) form: Form,
    /// Which sample comes next.
    pub(super) attempt: usize,
    /// Whether no sample is taken.
    pub(super) is_stuck: bool,
}

/// What is asked for.
#[derive(Default)]
pub(super) enum Form {
    /// Nothing yet.
    #[default]
    New,
    /// Nothing, as it is another name of a place, or passed over.
    Absent,
    Any,
    Bool,
    Number,
    Text,
    Option(Box<Node>),
    List(Box<Node>),
    /// Key and element.
    Map(Box<[Node; 2]>),
    Tuple(Vec<Node>, usize),
    Object(&'static [&'static str], Vec<Node>),
    /// The variants, and what they hold.
    Enum(&'static [&'static str], Vec<Node>),
    /// Of a variant: no content.
    Unit,
}

/// Texts that types are read from.
pub(super) const TEXTS: [&str; 11] = [
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
    /// Whether all has been asked for.
    pub(super) fn is_complete(&self) -> bool {
        match &self.form {
            Form::New => false,
            Form::Absent | Form::Any | Form::Bool | Form::Number | Form::Text | Form::Unit => true,
            Form::Option(inner) | Form::List(inner) => inner.is_complete(),
            Form::Map(parts) => parts.iter().all(Node::is_complete),
            Form::Tuple(nodes, length) => nodes.len() == *length && nodes.iter().all(Node::is_complete),
            Form::Object(_, nodes) | Form::Enum(_, nodes) => nodes.iter().all(Node::is_complete),
        }
    }

    /// How many samples have been refused.
    pub(super) fn refusals(&self) -> usize {
        let own = self.attempt.saturating_add(usize::from(self.is_stuck));
        let inside: usize = match &self.form {
            Form::Option(inner) | Form::List(inner) => inner.refusals(),
            Form::Map(parts) => parts.iter().map(Node::refusals).sum(),
            Form::Tuple(nodes, _) | Form::Object(_, nodes) | Form::Enum(_, nodes) => {
                nodes.iter().map(Node::refusals).sum()
            }
            _ => 0,
        };
        own.saturating_add(inside)
    }

    /// The sample was refused: the next one.
    pub(super) fn refuse(&mut self) {
        let samples = match &mut self.form {
            Form::Option(inner) if self.attempt == 0 => {
                inner.refuse();
                // Nothing, where nothing else is taken.
                self.attempt = usize::from(inner.is_stuck);
                return;
            }
            Form::Text => TEXTS.len(),
            Form::Bool | Form::Number => 2,
            _ => 0,
        };
        if self.attempt.saturating_add(1) < samples {
            self.attempt = self.attempt.saturating_add(1);
        } else {
            self.is_stuck = true;
        }
    }

    /// The type that values read here have.
    pub(super) fn constraint(&self) -> Result<TypeConstraint> {
        match &self.form {
            Form::New | Form::Absent | Form::Any | Form::Unit => Ok(TypeConstraint::ANY),
            Form::Bool => Ok(Type::Bool.into()),
            Form::Number => Ok(Type::Number.into()),
            Form::Text => Ok(Type::String.into()),
            Form::Option(inner) => inner.constraint(),
            Form::List(element) => {
                let any = || Step::Index(Value::unknown(Type::Number));
                TypeConstraint::list(element.constraint().map_err(|error| error.under(any()))?)
            }
            Form::Map(parts) => {
                let [_, element] = &**parts;
                let any = || Step::Index(Value::unknown(Type::String));
                TypeConstraint::map(element.constraint().map_err(|error| error.under(any()))?)
            }
            Form::Tuple(nodes, _) => {
                let element = |(place, node): (usize, &Node)| {
                    node.constraint().map_err(|error| error.under(Step::index(place)))
                };
                TypeConstraint::tuple(nodes.iter().enumerate().map(element).collect::<Result<Vec<_>>>()?)
            }
            Form::Object(names, nodes) => object(names, nodes, false),
            Form::Enum(names, nodes) => choice(names, nodes),
        }
    }
}

fn object(names: &'static [&'static str], nodes: &[Node], is_choice: bool) -> Result<TypeConstraint> {
    let mut attributes = Vec::with_capacity(nodes.len());
    for (name, node) in names.iter().zip(nodes) {
        if matches!(node.form, Form::Absent) {
            continue;
        }
        let constraint = node.constraint().map_err(|error| error.under(Step::attr(name)))?;
        let attribute = if is_choice || matches!(node.form, Form::Option(_)) {
            AttributeConstraint::optional(constraint)
        } else {
            AttributeConstraint::required(constraint)
        };
        attributes.push((*name, attribute));
    }
    TypeConstraint::object(attributes)
}

fn choice(names: &'static [&'static str], nodes: &[Node]) -> Result<TypeConstraint> {
    let units = nodes.iter().filter(|node| matches!(node.form, Form::Unit)).count();
    if units == nodes.len() {
        return Ok(Type::String.into());
    }
    if units == 0 {
        return object(names, nodes, true);
    }
    Err(Error::new(
        Kind::NeedsType,
        "some variants have content and some have none, so they have no type in common",
    ))
}
