//! Conversion targets: a constraint with cached targets for the children of the values that are converted to it.

use crate::constraint::{AttributeConstraint, TypeConstraint};
use crate::error::{Error, Result};
use crate::limits;
use crate::path::Path;
use crate::types::{ObjectType, Type};
use crate::value::{Container, Value, View, view_below_marks};

use super::mismatch::mismatch;
use super::table::Conversion;
use super::{capsule, collection, primitive, result_type, set, structure, unknown};

/// A constraint to which values are converted.
///
/// The targets of the children are computed for the first value and reused for all others; otherwise the conversion of
/// each of many objects of one type would look up every attribute again.
pub(super) struct Target {
    constraint: TypeConstraint,
    element: Option<Box<Target>>,
    attributes: Option<Box<AttributeTargets>>,
    /// What a value of unknown type converts to, if an attribute may have a default; computed once.
    of_dynamic: Option<Box<Value>>,
}

impl Target {
    /// A target for this constraint, with nothing cached yet.
    pub(super) fn new(constraint: impl Into<TypeConstraint>) -> Target {
        Target { constraint: constraint.into(), element: None, attributes: None, of_dynamic: None }
    }

    /// The constraint that values are converted to.
    pub(super) fn constraint(&self) -> &TypeConstraint {
        &self.constraint
    }

    /// Converts a value to the constraint. Its type must have been checked with `available`.
    pub(super) fn convert(&mut self, value: &Value) -> Result<Value> {
        if *self.constraint.as_type() == Type::Dynamic || conforms(value, &self.constraint) {
            return Ok(value.clone());
        }
        let converted = match (value.container(), self.constraint.as_type()) {
            (_, Type::Capsule(capsule)) => capsule::from_value(value, *capsule, self),
            (Some(container), _) => self.convert_container(container),
            (None, _) => self.convert_leaf(value),
        };
        match converted {
            converted if !value.is_marked() => converted,
            Ok(converted) => Ok(converted.with_marks(value.marks())),
            Err(error) => Err(error_below_mark(error, value, &self.constraint)),
        }
    }

    // Small functions and loops: a deep value recurses through here, and stack frames are large in a debug build.

    /// Converts a container, child by child.
    fn convert_container(&mut self, container: &Container) -> Result<Value> {
        let from = container.ty();
        let Target { constraint: to, element, attributes, .. } = self;
        match (Conversion::of(&from, to.as_type()), container) {
            (Conversion::Elements { .. } | Conversion::ToCollection(_), container) => {
                let element =
                    element.get_or_insert_with(|| Box::new(Target::new(to.element_or_any().into_owned())));
                match container {
                    Container::Set(node) => set::convert(node, to, element),
                    _ => collection::convert(container, &from, to, element),
                }
            }
            (Conversion::ObjectToObject(from, object), Container::Object(node)) => {
                structure::object(node, object, AttributeTargets::get(attributes, Some(from), to), to)
            }
            (Conversion::MapToObject(_, object), Container::Map(node)) => {
                structure::object_from_map(node, object, AttributeTargets::get(attributes, None, to))
            }
            (Conversion::TupleToTuple(..), Container::Tuple(node)) => {
                structure::tuple(&node.items, &from, to)
            }
            _ => Err(mismatch(&from, to)),
        }
    }

    /// Converts a value without children.
    fn convert_leaf(&mut self, value: &Value) -> Result<Value> {
        let to = &self.constraint;
        match view_below_marks(value) {
            View::Dynamic => self.convert_dynamic(),
            View::Null(ty) => Ok(Value::null(result_type::of_null(&ty, to))),
            View::Unknown(range) => unknown::convert(&range, self),
            View::Bool(bool) => primitive::convert_bool(bool, to),
            View::Number(number) => primitive::convert_number(number, to),
            View::String(text) => primitive::convert_string(text, to),
            View::Capsule(content) => capsule::to_value(&content, self),
            _ => Err(mismatch(&value.ty(), to)),
        }
    }

    /// Converts a value of unknown type. Not inlined: few values are of one.
    #[inline(never)]
    fn convert_dynamic(&mut self) -> Result<Value> {
        let ty = self.constraint.to_type();
        if !self.constraint.has_optional() || ty.size() > limits::STRUCTURE_SIZE {
            return Ok(Value::unknown(ty));
        }
        if self.of_dynamic.is_none() {
            self.of_dynamic = Some(Box::new(unknown::of_any_type_or_null(self)?));
        }
        Ok(self.of_dynamic.as_deref().cloned().unwrap_or_else(Value::dynamic))
    }

    /// The targets of the attributes, in the order of the target's object type. Their `position` is `None`.
    pub(super) fn attributes(&mut self) -> &mut [AttributeTarget] {
        AttributeTargets::get(&mut self.attributes, None, &self.constraint)
    }
}

/// Whether the value needs no conversion: it has the target's type. A refined value whose type contains `dynamic` does
/// need one: conversion can give it a known type, as for an unknown list that is empty.
pub(super) fn conforms(value: &Value, to: &TypeConstraint) -> bool {
    let ty = to.as_type();
    !to.has_optional() && value.has_type(ty) && !(matches!(value, Value::Refined(_)) && ty.has_dynamic())
}

/// The error of a child of a marked value without marked content (L5). Map keys, set members and the number of elements
/// are content; tuple positions and the attribute names of the target are not.
#[cold]
fn error_below_mark(error: Error, value: &Value, to: &TypeConstraint) -> Error {
    // The name of a missing or wrong attribute would show which keys the map has.
    if matches!((value.container(), to.as_type()), (Some(Container::Map(_)), Type::Object(_))) {
        return error.behind_mark();
    }
    let error = error.concealed();
    let is_of_type = matches!(
        (value.container(), to.as_type()),
        (Some(Container::Tuple(_)), _) | (Some(Container::Object(_)), Type::Object(_))
    );
    let shown: Path = error.path().steps().iter().take(usize::from(is_of_type)).cloned().collect();
    error.at(shown)
}

/// The targets of the attributes of an object.
struct AttributeTargets {
    /// The object type that the positions belong to; `None` if a map is converted.
    from: Option<ObjectType>,
    attributes: Box<[AttributeTarget]>,
}

/// The target of an attribute.
pub(super) struct AttributeTarget {
    /// The position of the attribute in the objects that are converted; `None` if they lack it.
    pub(super) position: Option<usize>,
    pub(super) constraint: AttributeConstraint,
    pub(super) target: Target,
}

impl AttributeTargets {
    /// The cached targets, computed anew if they are not for objects of the type `from`.
    fn get<'a>(
        cached: &'a mut Option<Box<AttributeTargets>>,
        from: Option<&ObjectType>,
        to: &TypeConstraint,
    ) -> &'a mut [AttributeTarget] {
        if cached.as_ref().is_some_and(|cached| cached.from.as_ref() != from) {
            *cached = None;
        }
        &mut cached.get_or_insert_with(|| AttributeTargets::new(from, to)).attributes
    }

    /// Computes the target of each attribute of `to`, with its position in objects of the type `from`; `None` for
    /// `from` says that maps are converted.
    #[inline(never)]
    fn new(from: Option<&ObjectType>, to: &TypeConstraint) -> Box<AttributeTargets> {
        let names = match to.as_type() {
            Type::Object(object) => Some(object.attribute_names()),
            _ => None,
        };
        let attribute = |(index, name): (usize, &str)| {
            let constraint = to.attribute_at(index)?.into_owned();
            let target = Target::new(constraint.constraint().clone());
            Some(AttributeTarget { position: from.and_then(|from| from.index_of(name)), constraint, target })
        };
        let attributes = names.into_iter().flatten().enumerate().filter_map(attribute).collect();
        Box::new(AttributeTargets { from: from.cloned(), attributes })
    }
}
