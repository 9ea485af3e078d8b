//! The parts of a collection on their way into another: as what each is converted, and one after the other.

use crate::constraint::TypeConstraint;
use crate::error::{Error, Result};
use crate::path::Step;
use crate::refinement::{LengthRange, Nullness, Refinement};
use crate::types::Type;
use crate::value::{Container, Value, canonical};

use super::agree::{Seen, covering};
use super::matrix::{Mode, available as is_available};
use super::run;

/// Parts of one collection, converted one after the other.
pub(super) struct Parts<'a> {
    element: &'a TypeConstraint,
    /// The last one without parts of its own, and what it became: many unknowns of one large type cost no more
    /// than one.
    last: Option<(&'a Value, Value)>,
    open: bool,
}

impl<'a> Parts<'a> {
    pub(super) fn to(element: &'a TypeConstraint) -> Parts<'a> {
        Parts { element, last: None, open: false }
    }

    /// Whether parts of a type that is yet to be decided decide the rest of the element type.
    pub(super) fn decided_by_each_other(self, open: bool) -> Parts<'a> {
        Parts { open, ..self }
    }

    pub(super) fn convert(&mut self, value: &'a Value, step: impl FnOnce() -> Step) -> Result<Value> {
        let has_parts = match value {
            Value::Partial(_) => true,
            Value::Known(_) => !value.is_null(),
            _ => false,
        };
        if !has_parts
            && let Some((last, converted)) = &self.last
            && *last == value
        {
            return Ok(converted.clone());
        }
        let converted = match run(value, self.element) {
            Ok(converted) if self.is_null_alone(value, &converted) => self.undecided(value, false),
            Ok(converted) => converted,
            Err(error) => self.decided_by_others(value, error).map_err(|error| error.under(step()))?,
        };
        if !has_parts {
            self.last = Some((value, converted.clone()));
        }
        Ok(converted)
    }
}

impl Parts<'_> {
    /// What fails by itself can become what the others decide: a bool and a number become texts.
    #[cold]
    #[inline(never)]
    fn decided_by_others(&self, value: &Value, error: Error) -> Result<Value> {
        if !self.open || !may_become_part(&value.ty(), self.element.as_type()) {
            return Err(error);
        }
        Ok(self.undecided(value, value.range().is_not_null()))
    }

    /// Whether all but null fails by itself, where the others can still make it something.
    fn is_null_alone(&self, value: &Value, converted: &Value) -> bool {
        self.open
            && converted.range().nullness() == Nullness::Null
            && value.range().nullness() != Nullness::Null
            && may_become_part(&value.ty(), self.element.as_type())
    }

    fn undecided(&self, value: &Value, is_not_null: bool) -> Value {
        let refinement =
            length_as(value, self.element.as_type()).map_or_else(Refinement::any, Refinement::length);
        let refinement = if is_not_null { refinement.and_not_null() } else { refinement };
        canonical(self.element.to_type(), refinement).with_marks(&value.unmark_deep().1)
    }
}

/// The length of what a value becomes, whatever its parts become: as many as they are, but that in a set some may be one.
fn length_as(value: &Value, to: &Type) -> Option<LengthRange> {
    let length = match value.ty() {
        Type::Tuple(tuple) => LengthRange::exactly(tuple.len() as u64),
        Type::Object(object) => LengthRange::exactly(object.len() as u64),
        _ => value.range().length_range()?,
    };
    match to {
        Type::List(_) | Type::Map(_) => Some(length),
        Type::Set(_) => LengthRange::new(length.lower().min(1), length.upper()).ok(),
        _ => None,
    }
}

/// Whether parts of the type may become elements of this type once others have decided what is undecided in it.
fn may_become_part(from: &Type, to: &Type) -> bool {
    let parts = |parts: Vec<&Type>, element: &Type, to_map: bool| match element {
        Type::Dynamic => {
            let types: Vec<Type> = parts.into_iter().chain([&Type::Dynamic]).cloned().collect();
            covering(&types, Seen::types_only(to_map)).is_some()
        }
        element => parts.iter().all(|part| may_become_part(part, element)),
    };
    match (from, to) {
        (_, Type::Dynamic) => true,
        (Type::Tuple(from), Type::List(_) | Type::Set(_)) => {
            to.element_type().is_some_and(|element| parts(from.iter().collect(), element, false))
        }
        (Type::Object(from), Type::Map(to)) => {
            parts(from.iter().map(|(_, ty)| ty).collect(), to.element(), true)
        }
        // What parts agree on has undecided parts in collections alone.
        (from, to) => match (from.element_type(), to.element_type()) {
            (Some(from), Some(to)) => may_become_part(from, to),
            _ => is_available(from, &to.into(), Mode::Open),
        },
    }
}

/// The elements as what each is by itself, where that makes a difference: in a structure what is null or empty of an
/// undecided type is of any type that this covers, and its conversion has to know.
#[inline(never)]
pub(super) fn opened<'a>(
    items: impl Iterator<Item = &'a Value>,
    from: &Type,
    element: &TypeConstraint,
) -> Option<Vec<Value>> {
    let is_undecided = from.has_dynamic() && element.as_type().has_dynamic();
    is_undecided.then(|| items.map(|item| opened_for(item, element)).collect())
}

/// The same of one element.
pub(super) fn opened_alone(item: &Value, element: &TypeConstraint) -> Value {
    let is_undecided = element.as_type().has_dynamic() && item.ty().has_dynamic();
    if is_undecided { opened_for(item, element) } else { item.clone() }
}

fn opened_for(item: &Value, to: &TypeConstraint) -> Value {
    let opened = match (item.container(), to.as_type()) {
        // Where any type will do, it stays what it is.
        (_, Type::Dynamic) => None,
        (Some(Container::Tuple(node)), Type::Tuple(tuple)) if node.items.len() == tuple.len() => {
            let parts = node.items.iter().enumerate().map(|(i, part)| match to.element_at(i) {
                Some(element) => opened_for(part, &element),
                None => part.opened(),
            });
            Value::tuple(parts).ok()
        }
        (Some(Container::Object(node)), Type::Object(_)) => {
            let parts =
                node.ty.attribute_names().zip(&node.slots).map(|(name, part)| match to.attribute(name) {
                    Some(attribute) => (name, opened_for(part, attribute.constraint())),
                    None => (name, part.opened()),
                });
            Value::object(parts).ok()
        }
        (Some(Container::Tuple(_) | Container::Object(_)), ty) if ty.has_dynamic() => Some(item.opened()),
        (_, ty) if ty.has_dynamic() && has_no_parts(item) => Some(item.opened()),
        _ => None,
    };
    opened.map_or_else(|| item.clone(), |opened| opened.with_marks(item.marks()))
}

/// Whether it is empty, or null of a type.
fn has_no_parts(value: &Value) -> bool {
    value.is_null() && value.ty() != Type::Dynamic
        || value.container().is_some_and(|container| container.children().next().is_none())
}
