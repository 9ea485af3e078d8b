//! What many values are converted to: what it asks of their parts is looked up once, not for each of them.

use crate::constraint::{AttributeConstraint, TypeConstraint};
use crate::error::Result;
use crate::path::Step;
use crate::types::{ListType, MapType, ObjectType, Type};
use crate::value::{
    Container, MapNode, ObjectNode, Value, build_list_of_parts, build_map_of_parts, object_of_parts,
};

use super::collection::element_of;
use super::{default, is_that, mismatch, run};

/// A constraint, and what its parts are to become as far as that has been asked for.
pub(super) struct Target {
    to: TypeConstraint,
    inside: Inside,
}

enum Inside {
    /// Not asked for yet.
    Unseen,
    Element(Box<Target>),
    Attributes(Box<Attributes>),
}

/// How objects of one type become others.
struct Attributes {
    from: ObjectType,
    attributes: Box<[Attribute]>,
}

struct Attribute {
    /// Where it stands in what is converted.
    place: Option<usize>,
    constraint: AttributeConstraint,
    target: Target,
}

impl Target {
    pub(super) fn new(to: TypeConstraint) -> Target {
        Target { to, inside: Inside::Unseen }
    }

    /// As [`run`], to which all goes that has no parts, is marked, or has a type yet to be decided.
    pub(super) fn convert(&mut self, value: &Value) -> Result<Value> {
        match value.container() {
            None if is_that(value, &self.to) => Ok(value.clone()),
            Some(container) if !value.is_marked() && !self.to.as_type().has_dynamic() => {
                if is_that(value, &self.to) {
                    return Ok(value.clone());
                }
                self.convert_container(value, container)
            }
            _ => run(value, &self.to),
        }
    }

    fn convert_container(&mut self, value: &Value, container: &Container) -> Result<Value> {
        let Target { to, inside } = self;
        match (container, to.as_type()) {
            (Container::Object(node), Type::Object(ty)) => {
                object(node, ty, inside.attributes(node, ty, to)?, to)
            }
            (Container::Object(node), Type::Map(ty)) => map_from_object(node, ty, inside.element(to)?),
            (Container::Map(node), Type::Map(ty)) => map(node, ty, inside.element(to)?),
            (Container::List(node), Type::List(ty)) => list(&node.items, ty, inside.element(to)?),
            _ => run(value, to),
        }
    }
}

impl Inside {
    fn element(&mut self, to: &TypeConstraint) -> Result<&mut Target> {
        if !matches!(self, Inside::Element(_)) {
            *self = Inside::Element(Box::new(Target::new(element_of(to)?)));
        }
        match self {
            Inside::Element(element) => Ok(element),
            _ => Err(mismatch(&Type::Dynamic, to)),
        }
    }

    fn attributes(
        &mut self,
        from: &ObjectNode,
        ty: &ObjectType,
        to: &TypeConstraint,
    ) -> Result<&mut [Attribute]> {
        if !matches!(self, Inside::Attributes(inside) if inside.from == from.ty) {
            *self = Inside::Attributes(Box::new(Attributes::new(&from.ty, ty, to)));
        }
        match self {
            Inside::Attributes(inside) => Ok(&mut inside.attributes),
            _ => Err(mismatch(&Type::Object(from.ty.clone()), to)),
        }
    }
}

// Loops: deep values come through here, and each frame counts in a debug build.

fn list(items: &[Value], ty: &ListType, element: &mut Target) -> Result<Value> {
    let mut parts = Vec::with_capacity(items.len());
    for (i, item) in items.iter().enumerate() {
        parts.push(element.convert(item).map_err(|error| error.under(Step::index(i)))?);
    }
    build_list_of_parts(ty, parts)
}

fn map(node: &MapNode, ty: &MapType, element: &mut Target) -> Result<Value> {
    let mut parts = Vec::with_capacity(node.entries.len());
    for (key, item) in &node.entries {
        let part = element.convert(item).map_err(|error| error.under(Step::index(key.as_str())))?;
        parts.push((key.clone(), part));
    }
    build_map_of_parts(ty, parts)
}

fn map_from_object(node: &ObjectNode, ty: &MapType, element: &mut Target) -> Result<Value> {
    let mut parts = Vec::with_capacity(node.slots.len());
    for (name, item) in node.ty.names().zip(&node.slots) {
        let part = element.convert(item).map_err(|error| error.under(Step::index(name.as_str())))?;
        parts.push((name.clone(), part));
    }
    build_map_of_parts(ty, parts)
}

fn object(
    node: &ObjectNode,
    ty: &ObjectType,
    attributes: &mut [Attribute],
    to: &TypeConstraint,
) -> Result<Value> {
    let mut slots = Vec::with_capacity(ty.len());
    for (attribute, name) in attributes.iter_mut().zip(ty.names()) {
        slots.push(match attribute.place.and_then(|place| node.slots.get(place)) {
            Some(given) => {
                attribute.convert(given).map_err(|error| error.under(Step::attr(name.as_str())))?
            }
            None if attribute.constraint.is_optional() => default::missing(&attribute.constraint),
            None => return Err(mismatch(&Type::Object(node.ty.clone()), to)),
        });
    }
    object_of_parts(ty, slots)
}

impl Attributes {
    #[inline(never)]
    fn new(from: &ObjectType, to: &ObjectType, constraint: &TypeConstraint) -> Attributes {
        let attribute = |(index, name): (usize, &str)| {
            let constraint = constraint.attribute_at(index)?.into_owned();
            let target = Target::new(constraint.constraint().clone());
            Some(Attribute { place: from.index_of(name), constraint, target })
        };
        let attributes = to.attribute_names().enumerate().filter_map(attribute).collect();
        Attributes { from: from.clone(), attributes }
    }
}

impl Attribute {
    fn convert(&mut self, given: &Value) -> Result<Value> {
        match self.constraint.default() {
            Some(default) if !default.is_null() => default::attribute(given, &self.constraint),
            _ => self.target.convert(given),
        }
    }
}
