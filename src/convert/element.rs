//! Conversion of children to elements of a collection, whose common type may depend on all of them.

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

/// Converts the children of one container to elements of a collection, one after the other.
pub(super) struct ElementConverter<'a, 't> {
    target: &'t mut Target,
    /// Whether the element type still depends on children whose type contains `dynamic`.
    depends_on_dynamic: bool,
    /// The last child without children of its own, and its result: many unknowns of one large type cost as much as one.
    last: Option<(&'a Value, Value)>,
}

impl<'a> ElementConverter<'a, '_> {
    /// A converter to the elements that `target` describes.
    pub(super) fn new(target: &mut Target, depends_on_dynamic: bool) -> ElementConverter<'a, '_> {
        ElementConverter { target, depends_on_dynamic, last: None }
    }

    /// Converts one child.
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
        if self.depends_on_dynamic || is_cached {
            self.corrected_result(value, converted, is_cached)
        } else {
            converted
        }
    }

    /// Corrects the result of converting a child alone, where the element type still depends on other children, and
    /// caches it.
    #[inline(never)]
    fn corrected_result(&mut self, value: &'a Value, alone: Result<Value>, is_cached: bool) -> Result<Value> {
        let converted = match alone {
            Ok(converted) if self.depends_on_dynamic => self.corrected_null(value, converted)?,
            Err(error) if self.depends_on_dynamic => self.convert_to_common_type(value, error)?,
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

    /// The result for a child that cannot convert alone: it may still convert to the common element type, as a bool
    /// and a number convert to strings.
    #[cold]
    fn convert_to_common_type(&self, value: &Value, error: Error) -> Result<Value> {
        match possible_type(&value.ty(), self.element_type()) {
            Some(ty) => Ok(self.unknown_element(value, ty, value.range().is_not_null())),
            None => Err(error),
        }
    }

    /// Corrects a child of which only null converts alone: the other children determine the type of that null. If they
    /// determine none, the child takes no part in the common type.
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

    /// The unknown element for a value whose element type the other children determine.
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

/// The length range of a converted collection, whatever its element type: the same length, but in a set members may
/// merge. `None` if the target is no collection, or nothing is known of the length.
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

/// The least type that covers the converted values of type `from`, whatever types other elements determine for
/// `dynamic` in `to`; `None` if no value converts.
fn possible_type(from: &Type, to: &Type) -> Option<Type> {
    if *to == Type::Dynamic {
        return Some(Type::Dynamic);
    }
    let element = match (Conversion::of(from, to), from.element_type(), to.element_type()) {
        (Conversion::ToCollection(children), _, Some(element)) => {
            possible_common_type(children, element, from)?
        }
        // A common type contains `dynamic` only inside collections.
        (_, Some(from), Some(to)) => possible_type(from, to)?,
        _ => return available(from, &to.into(), Mode::Open).then(|| to.clone()),
    };
    with_element_type(to, element)
}

/// The least type that covers the common element type of the children of a tuple or object of type `structure`, in a
/// target with the element type `element`; `None` if a child does not convert.
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

/// The elements of a collection as values outside it; `None` if that changes nothing. In a collection whose element
/// type contains `dynamic`, a null or an empty collection stands for one of any type, so its conversion must be right
/// for each type (see [`Value::outside_collection`]).
#[inline(never)]
pub(super) fn independent_children<'a>(
    items: impl Iterator<Item = &'a Value>,
    from: &Type,
    element: &TypeConstraint,
) -> Option<Vec<Value>> {
    let is_undecided = from.has_dynamic() && element.as_type().has_dynamic();
    is_undecided.then(|| items.map(|item| as_independent(item, element)).collect())
}

/// One element of a collection as a value outside it; see `independent_children`.
pub(super) fn independent_child(item: &Value, element: &TypeConstraint) -> Value {
    let is_undecided = element.as_type().has_dynamic() && item.ty().has_dynamic();
    if is_undecided { as_independent(item, element) } else { item.clone() }
}

/// Resolves the types of an element apart from those of its neighbours, where the target type contains `dynamic`: outside
/// the collection nothing ties them together. Unchanged elsewhere.
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
