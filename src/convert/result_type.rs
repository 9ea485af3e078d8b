//! The type of a conversion's result.

use crate::constraint::TypeConstraint;
use crate::types::Type;
use crate::value::least_type;

use super::available::{Mode, Query};
use super::common_element::{ChildFacts, agreed_type, covering_type};
use super::table::{ChildTypes, Conversion, with_element_type};
use super::unify::unify_in;

/// The type of the null that a null of this type converts to: `any` in the target is replaced by the type found there.
pub(super) fn of_null(from: &Type, to: &TypeConstraint) -> Type {
    result_type(from, to, SourceValues::Null)
}

/// The least type that covers the types of the converted nulls of this type, for every type that its `dynamic` may
/// become.
pub(super) fn of_nulls(from: &Type, to: &TypeConstraint) -> Type {
    result_type(from, to, SourceValues::Nulls)
}

/// The least type that covers the types of all converted values of this type that are not null. Their children may be
/// null, and a collection empty.
pub(super) fn of_any(from: &Type, to: &TypeConstraint) -> Type {
    result_type(from, to, SourceValues::NotNull)
}

/// The values of a type whose conversion is considered.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SourceValues {
    Null,
    /// The nulls of all types that the type covers.
    Nulls,
    /// The values that are not null themselves, though their children may be.
    NotNull,
    /// All values, null included: a null object has no attributes that could take defaults.
    Any,
}

impl SourceValues {
    /// Whether all these values are nulls.
    fn is_null(self) -> bool {
        matches!(self, SourceValues::Null | SourceValues::Nulls)
    }

    /// Which values the children of these values may be.
    fn of_parts(self) -> SourceValues {
        if self == SourceValues::NotNull { SourceValues::Any } else { self }
    }
}

/// The least type that covers the results of converting these values of a type.
fn result_type(from: &Type, to: &TypeConstraint, which: SourceValues) -> Type {
    let ty = to.as_type();
    if !ty.has_dynamic() {
        return ty.clone();
    }
    let replaced = match Conversion::of(from, ty) {
        Conversion::Unchanged => return from.clone(),
        Conversion::Elements { from, .. } => {
            with_element_type(ty, result_type(from, &to.element_or_any(), which.of_parts()))
        }
        Conversion::ToCollection(children) => with_element_type(ty, element_type(children, to, which)),
        Conversion::TupleToTuple(from, tuple) if from.len() == tuple.len() => {
            let elements = from.iter().enumerate().filter_map(|(index, from)| {
                to.element_at(index).map(|element| result_type(from, &element, which.of_parts()))
            });
            Type::tuple(elements).ok()
        }
        Conversion::ObjectToObject(_, object) | Conversion::MapToObject(_, object) => {
            let names = object.attribute_names().enumerate();
            Type::object(names.map(|(index, name)| (name, attribute_type(from, to, (index, name), which))))
                .ok()
        }
        _ => None,
    };
    replaced.unwrap_or_else(|| ty.clone())
}

/// The least type that covers the converted values of the target attribute with this index and name.
fn attribute_type(
    from: &Type,
    to: &TypeConstraint,
    (index, name): (usize, &str),
    which: SourceValues,
) -> Type {
    let Some(attribute) = to.attribute_at(index) else { return Type::Dynamic };
    let constraint = attribute.constraint();
    let present = match from {
        Type::Object(from) => from.get(name),
        Type::Map(map) => Some(map.element()),
        _ => None,
    };
    let default = attribute.default().filter(|default| !default.is_null());
    let missing = || match attribute.default() {
        Some(default) => default.ty(),
        None => constraint.to_type(),
    };
    match present {
        None if which.is_null() => constraint.to_type(),
        // The object may be null, and then the constraint determines the type of the attribute, not the default.
        None if which == SourceValues::Any => least_type(&constraint.to_type(), &missing()),
        None => missing(),
        Some(present) => {
            // In an object that is not null, an attribute with a default is not null.
            let is_filled = which == SourceValues::NotNull && default.is_some();
            let part = if is_filled { SourceValues::NotNull } else { which.of_parts() };
            let present = result_type(present, constraint, part);
            let may_miss = matches!(from, Type::Map(_)) && attribute.is_optional();
            if !which.is_null() && (may_miss || default.is_some()) {
                least_type(&present, &missing())
            } else {
                present
            }
        }
    }
}

/// The element type of the collection that a tuple or object with children of these types becomes.
fn element_type(children: ChildTypes<'_>, to: &TypeConstraint, which: SourceValues) -> Type {
    let element = to.element_or_any();
    // A loop: an iterator's frames would count in a debug build.
    let mut replaced_parts = Vec::new();
    for from in children {
        replaced_parts.push(result_type(from, &element, which.of_parts()));
    }
    if replaced_parts.is_empty() {
        return element.to_type();
    }
    common_type_of_children(&replaced_parts, to, which)
}

/// The common element type of children of these types.
#[inline(never)]
fn common_type_of_children(parts: &[Type], to: &TypeConstraint, which: SourceValues) -> Type {
    let element = to.element_or_any();
    let ty = element.as_type();
    let (is_any, to_map) = (*ty == Type::Dynamic, matches!(to.as_type(), Type::Map(_)));
    if which == SourceValues::Null || !parts.iter().any(Type::has_dynamic) {
        let found = if is_any {
            agreed_type(parts, to_map, &Query::new(Mode::Unsafe))
        } else {
            unify_in(parts, Mode::Unsafe)
        };
        return found.unwrap_or_else(|| ty.clone());
    }
    if !is_any && parts.len() > 1 {
        // Elements without a common type are possible where there are no values in the end: then the type stays
        // dynamic.
        return ty.clone();
    }
    let covering = if is_any { covering_type(parts, ChildFacts::types_only(to_map)) } else { None };
    match (covering.filter(|ty| *ty != Type::Dynamic), parts.split_first()) {
        (Some(covering), _) => covering,
        (None, Some((first, rest))) => rest.iter().fold(first.clone(), |all, ty| least_type(&all, ty)),
        (None, None) => ty.clone(),
    }
}
