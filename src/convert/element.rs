//! Conversion of the elements of one collection, also where they decide each other's type.

use crate::constraint::TypeConstraint;
use crate::error::{Error, Result};
use crate::refinement::{LengthRange, Nullness, Refinement};
use crate::types::Type;
use crate::value::{Container, Value, canonical, least_type};

use super::available::{Mode, available};
use super::common_element::{ChildFacts, covering_type};
use super::mismatch::mismatch;
use super::result_type;
use super::table::{ChildTypes, Conversion, with_element_type};
use super::target::Target;

/// Converts the children of one container to the elements of a collection, one after the other.
pub(super) struct ElementConverter<'a, 't> {
    target: &'t mut Target,
    /// Whether elements of undecided types decide the rest of the element type.
    open: bool,
    /// The last element without children, and the result: many unknowns of one large type cost as much as one.
    last: Option<(&'a Value, Value)>,
}

impl<'a> ElementConverter<'a, '_> {
    pub(super) fn new(target: &mut Target, open: bool) -> ElementConverter<'a, '_> {
        ElementConverter { target, open, last: None }
    }

    pub(super) fn convert(&mut self, value: &'a Value) -> Result<Value> {
        let is_cached = match value {
            Value::Partial(_) => false,
            Value::Known(_) => value.is_null(),
            _ => true,
        };
        if is_cached
            && let Some((last, converted)) = &self.last
            && *last == value
        {
            return Ok(converted.clone());
        }
        let converted = self.target.convert(value);
        if self.open || is_cached { self.corrected(value, converted, is_cached) } else { converted }
    }

    /// Corrects the conversion of an element alone for what the other elements may decide, and caches it.
    #[inline(never)]
    fn corrected(&mut self, value: &'a Value, alone: Result<Value>, is_cached: bool) -> Result<Value> {
        let converted = match alone {
            Ok(converted) if self.open => self.corrected_null(value, converted)?,
            Err(error) if self.open => self.decided_by_others(value, error)?,
            alone => alone?,
        };
        if is_cached {
            self.last = Some((value, converted.clone()));
        }
        Ok(converted)
    }

    /// The target's element type.
    fn element_type(&self) -> &Type {
        self.target.constraint().as_type()
    }

    /// An element that cannot convert alone may still convert to the common element type: a bool and a number become
    /// strings.
    #[cold]
    fn decided_by_others(&self, value: &Value, error: Error) -> Result<Value> {
        match possible_type(&value.ty(), self.element_type()) {
            Some(ty) => Ok(self.unknown_element(value, ty, value.range().is_not_null())),
            None => Err(error),
        }
    }

    /// Corrects an element of which only null converts alone: the other elements decide the type of that null. Where
    /// they decide none, the element does not take part in the common type.
    fn corrected_null(&self, value: &Value, converted: Value) -> Result<Value> {
        let (wanted, element) = (self.element_type(), self.target.constraint());
        if *wanted == Type::Dynamic || converted.range().nullness() != Nullness::Null {
            return Ok(converted);
        }
        let from = value.ty();
        if value.range().nullness() != Nullness::Null {
            let others = possible_type(&from, wanted).map(|ty| self.unknown_element(value, ty, false));
            return Ok(others.unwrap_or(converted));
        }
        let ty = if available(&from, element, Mode::Unsafe) {
            return Ok(converted);
        } else if available(&from, element, Mode::Open) {
            result_type::of_nulls(&from, element)
        } else {
            possible_type(&from, wanted).ok_or_else(|| mismatch(&from, element))?
        };
        let null = if value.is_null() { Value::null(ty) } else { canonical(ty, Refinement::null()) };
        Ok(null.with_marks(value.marks()))
    }

    /// The unknown element that a value becomes whose type the other elements decide.
    fn unknown_element(&self, value: &Value, ty: Type, is_not_null: bool) -> Value {
        let element = self.element_type();
        if ty != *element
            && let Ok(converted) = Target::new(&ty).convert(value)
            && (is_not_null || converted.range().nullness() != Nullness::Null)
        {
            return converted;
        }
        let refinement = converted_length(value, element).map_or_else(Refinement::any, Refinement::length);
        let refinement = if is_not_null { refinement.and_not_null() } else { refinement };
        canonical(element.clone(), refinement).with_marks(&value.unmark_deep().1)
    }
}

/// The length of the conversion's result, whatever the elements become: the same length; in a set members may merge.
fn converted_length(value: &Value, to: &Type) -> Option<LengthRange> {
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

/// The type that values of one type have as elements of another, as far as it is certain before other elements decide
/// its undecided parts; `None` where they cannot be elements.
fn possible_type(from: &Type, to: &Type) -> Option<Type> {
    if *to == Type::Dynamic {
        return Some(Type::Dynamic);
    }
    let element = match (Conversion::of(from, to), from.element_type(), to.element_type()) {
        (Conversion::ToCollection(children), _, Some(element)) => {
            possible_common_type(children, element, from)?
        }
        // Common types have undecided parts only inside collections.
        (_, Some(from), Some(to)) => possible_type(from, to)?,
        _ => return available(from, &to.into(), Mode::Open).then(|| to.clone()),
    };
    with_element_type(to, element)
}

fn possible_common_type(children: ChildTypes<'_>, element: &Type, structure: &Type) -> Option<Type> {
    if *element == Type::Dynamic {
        let types: Vec<Type> = children.chain([&Type::Dynamic]).cloned().collect();
        return covering_type(&types, ChildFacts::types_only(matches!(structure, Type::Object(_))));
    }
    let mut all: Option<Type> = None;
    for child in children {
        let child = possible_type(child, element)?;
        all = Some(all.map_or_else(|| child.clone(), |all| least_type(&all, &child)));
    }
    Some(all.unwrap_or_else(|| element.clone()))
}

/// The elements as independent values, where that makes a difference. In a collection of an undecided element type a
/// null or an empty collection takes the decided type with it; outside it may be of any type, and its conversion must
/// hold for each.
#[inline(never)]
pub(super) fn independent_children<'a>(
    items: impl Iterator<Item = &'a Value>,
    from: &Type,
    element: &TypeConstraint,
) -> Option<Vec<Value>> {
    let is_undecided = from.has_dynamic() && element.as_type().has_dynamic();
    is_undecided.then(|| items.map(|item| as_independent(item, element)).collect())
}

/// One element as an independent value.
pub(super) fn independent_child(item: &Value, element: &TypeConstraint) -> Value {
    let is_undecided = element.as_type().has_dynamic() && item.ty().has_dynamic();
    if is_undecided { as_independent(item, element) } else { item.clone() }
}

fn as_independent(item: &Value, to: &TypeConstraint) -> Value {
    let opened = match (item.container(), to.as_type()) {
        // `any` leaves the element unchanged.
        (_, Type::Dynamic) => None,
        (Some(Container::Tuple(node)), Type::Tuple(tuple)) if node.items.len() == tuple.len() => {
            let parts = node.items.iter().enumerate().map(|(i, part)| match to.element_at(i) {
                Some(element) => as_independent(part, &element),
                None => part.outside_collection(),
            });
            Value::tuple(parts).ok()
        }
        (Some(Container::Object(node)), Type::Object(_)) => {
            let parts =
                node.ty.attribute_names().zip(&node.slots).map(|(name, part)| match to.attribute(name) {
                    Some(attribute) => (name, as_independent(part, attribute.constraint())),
                    None => (name, part.outside_collection()),
                });
            Value::object(parts).ok()
        }
        (Some(Container::Tuple(_) | Container::Object(_)), ty) if ty.has_dynamic() => {
            Some(item.outside_collection())
        }
        (_, ty) if ty.has_dynamic() && is_empty_or_typed_null(item) => Some(item.outside_collection()),
        _ => None,
    };
    opened.map_or_else(|| item.clone(), |opened| opened.with_marks(item.marks()))
}

/// Whether the value is an empty collection, or a null with a type.
fn is_empty_or_typed_null(value: &Value) -> bool {
    value.is_null() && value.ty() != Type::Dynamic
        || value.container().is_some_and(|container| container.children().next().is_none())
}
