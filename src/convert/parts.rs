//! The parts of a collection on their way into another: as what each is converted, and one after the other.

use crate::constraint::TypeConstraint;
use crate::error::{Error, Result};
use crate::path::Step;
use crate::refinement::{LengthRange, Nullness, Refinement};
use crate::types::Type;
use crate::value::{Container, Value, canonical, least_type};

use super::agree::{Seen, covering};
use super::matrix::{Mode, available as is_available};
use super::table::{ChildTypes, Conversion, with_element_type};
use super::target::Target;
use super::{mismatch, run, types};

/// Parts of one collection, converted one after the other.
pub(super) struct Parts<'a> {
    element: &'a TypeConstraint,
    target: Target,
    /// The last one without parts of its own, and what it became: many unknowns of one large type cost no more
    /// than one.
    last: Option<(&'a Value, Value)>,
    open: bool,
}

impl<'a> Parts<'a> {
    pub(super) fn to(element: &'a TypeConstraint) -> Parts<'a> {
        Parts { element, target: Target::new(element.clone()), last: None, open: false }
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
        let converted = match self.target.convert(value) {
            Ok(converted) => self.null_alone(value, converted),
            Err(error) => self.decided_by_others(value, error),
        };
        let converted = converted.map_err(|error| error.under(step()))?;
        if !has_parts {
            self.last = Some((value, converted.clone()));
        }
        Ok(converted)
    }
}

impl Parts<'_> {
    /// An element that cannot convert alone may still convert to the common element type: a bool and a number become strings.
    #[cold]
    #[inline(never)]
    fn decided_by_others(&self, value: &Value, error: Error) -> Result<Value> {
        match self.open.then(|| as_part(&value.ty(), self.element.as_type())).flatten() {
            Some(ty) => Ok(self.undecided(value, ty, value.range().is_not_null())),
            None => Err(error),
        }
    }

    /// Converts an element of which only null converts by itself: the other elements decide the type of that null. Where
    /// they decide none, the element does not count as a part.
    fn null_alone(&self, value: &Value, converted: Value) -> Result<Value> {
        let wanted = self.element.as_type();
        if !self.open || *wanted == Type::Dynamic || converted.range().nullness() != Nullness::Null {
            return Ok(converted);
        }
        let from = value.ty();
        if value.range().nullness() != Nullness::Null {
            let others = as_part(&from, wanted).map(|ty| self.undecided(value, ty, false));
            return Ok(others.unwrap_or(converted));
        }
        let ty = if is_available(&from, self.element, Mode::Unsafe) {
            return Ok(converted);
        } else if is_available(&from, self.element, Mode::Open) {
            types::of_nulls(&from, self.element)
        } else {
            as_part(&from, wanted).ok_or_else(|| mismatch(&from, self.element))?
        };
        let null = if value.is_null() { Value::null(ty) } else { canonical(ty, Refinement::null()) };
        Ok(null.with_marks(value.marks()))
    }

    fn undecided(&self, value: &Value, ty: Type, is_not_null: bool) -> Value {
        if ty != *self.element.as_type()
            && let Ok(converted) = run(value, &TypeConstraint::from(&ty))
            && (is_not_null || converted.range().nullness() != Nullness::Null)
        {
            return converted;
        }
        let refinement =
            length_as(value, self.element.as_type()).map_or_else(Refinement::any, Refinement::length);
        let refinement = if is_not_null { refinement.and_not_null() } else { refinement };
        canonical(self.element.to_type(), refinement).with_marks(&value.unmark_deep().1)
    }
}

/// The length of the conversion's result, whatever the elements become: the same length; in a set members may merge.
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

/// What values of the type become as elements of this type, as far as it is certain before others decide what is
/// undecided in it; none where they never can be elements.
fn as_part(from: &Type, to: &Type) -> Option<Type> {
    if *to == Type::Dynamic {
        return Some(Type::Dynamic);
    }
    let element = match (Conversion::of(from, to), from.element_type(), to.element_type()) {
        (Conversion::ToCollection(children), _, Some(element)) => as_parts(children, element, from)?,
        // What parts agree on has undecided parts in collections alone.
        (_, Some(from), Some(to)) => as_part(from, to)?,
        _ => return is_available(from, &to.into(), Mode::Open).then(|| to.clone()),
    };
    with_element_type(to, element)
}

fn as_parts(children: ChildTypes<'_>, element: &Type, structure: &Type) -> Option<Type> {
    if *element == Type::Dynamic {
        let types: Vec<Type> = children.chain([&Type::Dynamic]).cloned().collect();
        return covering(&types, Seen::types_only(matches!(structure, Type::Object(_))));
    }
    let mut all: Option<Type> = None;
    for child in children {
        let child = as_part(child, element)?;
        all = Some(all.map_or_else(|| child.clone(), |all| least_type(&all, &child)));
    }
    Some(all.unwrap_or_else(|| element.clone()))
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
