//! The type that a conversion gives.

use crate::constraint::TypeConstraint;
use crate::types::Type;
use crate::value::least_type;

use super::available::{Mode, Query};
use super::common_element::{ChildFacts, agreed_type, covering_type};
use super::table::{ChildTypes, Conversion, with_element_type};
use super::unify::unify_in;

/// The type of the null that a null of this type converts to: `any` in the target is replaced by the type found there.
pub(super) fn of_null(from: &Type, to: &TypeConstraint) -> Type {
    result_type(from, to, Which::Null)
}

/// The least type that covers the types of the converted nulls of this type, for every decision of its undecided parts.
pub(super) fn of_nulls(from: &Type, to: &TypeConstraint) -> Type {
    result_type(from, to, Which::Nulls)
}

/// The least type that covers the types of all converted values of this type that are not null. Their children may be
/// null, and a collection empty.
pub(super) fn of_any(from: &Type, to: &TypeConstraint) -> Type {
    result_type(from, to, Which::NotNull)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Which {
    Null,
    /// As null, of any type that the type covers.
    Nulls,
    /// What is not null itself, though its parts may be.
    NotNull,
    /// Any, null included: what is null or not there takes no default.
    Any,
}

impl Which {
    fn is_null(self) -> bool {
        matches!(self, Which::Null | Which::Nulls)
    }

    /// What the parts of such values are.
    fn of_parts(self) -> Which {
        if self == Which::NotNull { Which::Any } else { self }
    }
}

fn result_type(from: &Type, to: &TypeConstraint, which: Which) -> Type {
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
            Type::object(names.map(|(index, name)| (name, attribute(from, to, (index, name), which)))).ok()
        }
        _ => None,
    };
    replaced.unwrap_or_else(|| ty.clone())
}

fn attribute(from: &Type, to: &TypeConstraint, (index, name): (usize, &str), which: Which) -> Type {
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
        // In the type of a null object no default says what the attribute is.
        None if which == Which::Any => least_type(&constraint.to_type(), &missing()),
        None => missing(),
        Some(present) => {
            // With a default the attribute of an object that is there is not null.
            let is_filled = which == Which::NotNull && default.is_some();
            let part = if is_filled { Which::NotNull } else { which.of_parts() };
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
fn element_type(children: ChildTypes<'_>, to: &TypeConstraint, which: Which) -> Type {
    let element = to.element_or_any();
    // A loop: an iterator's frames would count in a debug build.
    let mut replaced_parts = Vec::new();
    for from in children {
        replaced_parts.push(result_type(from, &element, which.of_parts()));
    }
    if replaced_parts.is_empty() {
        return element.to_type();
    }
    common_of(&replaced_parts, to, which)
}

/// The common element type of children of these types.
#[inline(never)]
fn common_of(parts: &[Type], to: &TypeConstraint, which: Which) -> Type {
    let element = to.element_or_any();
    let ty = element.as_type();
    let (is_any, to_map) = (*ty == Type::Dynamic, matches!(to.as_type(), Type::Map(_)));
    if which == Which::Null || !parts.iter().any(Type::has_dynamic) {
        let found = if is_any {
            agreed_type(parts, to_map, &Query::new(Mode::Unsafe))
        } else {
            unify_in(parts, Mode::Unsafe)
        };
        return found.unwrap_or_else(|| ty.clone());
    }
    if !is_any && parts.len() > 1 {
        // Of what has no parts in the end, these may have nothing in common once they are decided: then it stays open.
        return ty.clone();
    }
    let covering = if is_any { covering_type(parts, ChildFacts::types_only(to_map)) } else { None };
    match (covering.filter(|ty| *ty != Type::Dynamic), parts.split_first()) {
        (Some(covering), _) => covering,
        (None, Some((first, rest))) => rest.iter().fold(first.clone(), |all, ty| least_type(&all, ty)),
        (None, None) => ty.clone(),
    }
}
