//! Shrinks types and constraints.

use crate::constraint::{AttributeConstraint, TypeConstraint};
use crate::types::Type;

/// The types that are simpler than a type: `bool`, a type inside it, or the type with one child removed or simpler.
pub(super) fn smaller(ty: &Type) -> Vec<Type> {
    let mut simpler: Vec<Type> = Vec::new();
    if !ty.is_primitive() {
        simpler.push(Type::Bool);
    }
    match ty {
        Type::List(list) => simplify_element(list.element(), Type::list, &mut simpler),
        Type::Set(set) => simplify_element(set.element(), Type::set, &mut simpler),
        Type::Map(map) => simplify_element(map.element(), Type::map, &mut simpler),
        Type::Tuple(tuple) => {
            simpler.extend(tuple.iter().cloned());
            for place in 0..tuple.len() {
                simpler.extend(Type::tuple(without(tuple.elements(), place)));
            }
            for (place, part) in tuple.iter().enumerate() {
                for part in smaller(part) {
                    simpler.extend(Type::tuple(with(tuple.elements(), place, part)));
                }
            }
        }
        Type::Object(object) => {
            let attributes: Vec<(&str, Type)> = object.iter().map(|(name, ty)| (name, ty.clone())).collect();
            simpler.extend(attributes.iter().map(|(_, ty)| ty.clone()));
            for place in 0..attributes.len() {
                simpler.extend(Type::object(without(&attributes, place)));
            }
            for renamed in shorter_names(&attributes) {
                simpler.extend(Type::object(renamed));
            }
            for (place, (name, part)) in attributes.iter().enumerate() {
                for part in smaller(part) {
                    simpler.extend(Type::object(with(&attributes, place, (*name, part))));
                }
            }
        }
        _ => {}
    }
    simpler
}

/// Adds the element type to `simpler`, and the collections, built with `of`, of each type simpler than it.
fn simplify_element(element: &Type, of: fn(Type) -> crate::Result<Type>, simpler: &mut Vec<Type>) {
    simpler.push(element.clone());
    simpler.extend(smaller(element).into_iter().filter_map(|element| of(element).ok()));
}

/// For each name of more than one byte, the attributes with this name replaced by a letter from `a` to `e` that is not in
/// use. No results if all five are in use.
fn shorter_names<'a, T: Clone>(attributes: &[(&'a str, T)]) -> Vec<Vec<(&'a str, T)>> {
    let is_free = |letter: &&str| attributes.iter().all(|(name, _)| name != letter);
    let Some(letter) = ["a", "b", "c", "d", "e"].into_iter().find(is_free) else { return Vec::new() };
    let long = attributes.iter().enumerate().filter(|(_, (name, _))| name.len() > 1);
    long.map(|(place, (_, part))| with(attributes, place, (letter, part.clone()))).collect()
}

/// All items except that at index `place`.
pub(super) fn without<T: Clone>(items: &[T], place: usize) -> Vec<T> {
    items.iter().enumerate().filter(|(i, _)| *i != place).map(|(_, item)| item.clone()).collect()
}

/// The items with that at index `place` replaced.
pub(super) fn with<T: Clone>(items: &[T], place: usize, item: T) -> Vec<T> {
    items.iter().enumerate().map(|(i, own)| if i == place { item.clone() } else { own.clone() }).collect()
}

/// The constraints that are simpler than a constraint: without optional attributes, a constraint inside it, or with
/// one child removed or simpler.
pub(super) fn smaller_constraints(constraint: &TypeConstraint) -> Vec<TypeConstraint> {
    if !constraint.has_optional() {
        return smaller(constraint.as_type()).into_iter().map(TypeConstraint::from).collect();
    }
    let mut simpler = vec![TypeConstraint::from(constraint.as_type())];
    match constraint.as_type() {
        Type::Object(object) => {
            let attributes: Vec<(&str, AttributeConstraint)> = object
                .iter()
                .filter_map(|(name, _)| Some((name, constraint.attribute(name)?.into_owned())))
                .collect();
            simpler.extend(attributes.iter().map(|(_, attribute)| attribute.constraint().clone()));
            for place in 0..attributes.len() {
                simpler.extend(TypeConstraint::object(without(&attributes, place)));
            }
            for renamed in shorter_names(&attributes) {
                simpler.extend(TypeConstraint::object(renamed));
            }
            for (place, (name, attribute)) in attributes.iter().enumerate() {
                for attribute in smaller_attributes(attribute) {
                    simpler.extend(TypeConstraint::object(with(&attributes, place, (*name, attribute))));
                }
            }
        }
        Type::Tuple(tuple) => {
            let parts: Vec<TypeConstraint> = (0..tuple.len())
                .filter_map(|place| constraint.element_at(place).map(std::borrow::Cow::into_owned))
                .collect();
            simpler.extend(parts.iter().cloned());
            for place in 0..parts.len() {
                simpler.extend(TypeConstraint::tuple(without(&parts, place)));
            }
            for (place, part) in parts.iter().enumerate() {
                for part in smaller_constraints(part) {
                    simpler.extend(TypeConstraint::tuple(with(&parts, place, part)));
                }
            }
        }
        ty => {
            let of = |element: TypeConstraint| match ty {
                Type::List(_) => TypeConstraint::list(element),
                Type::Set(_) => TypeConstraint::set(element),
                _ => TypeConstraint::map(element),
            };
            if let Some(element) = constraint.element() {
                simpler.push(element.clone().into_owned());
                simpler
                    .extend(smaller_constraints(&element).into_iter().filter_map(|element| of(element).ok()));
            }
        }
    }
    simpler
}

/// The attribute constraints that are simpler: without the default, required in place of optional, or of a simpler
/// type.
fn smaller_attributes(attribute: &AttributeConstraint) -> Vec<AttributeConstraint> {
    let inside = attribute.constraint();
    if attribute.default().is_some() {
        return vec![AttributeConstraint::optional(inside.clone())];
    }
    let again = |inside: TypeConstraint| {
        if attribute.is_optional() {
            AttributeConstraint::optional(inside)
        } else {
            AttributeConstraint::required(inside)
        }
    };
    let required = attribute.is_optional().then(|| AttributeConstraint::required(inside.clone()));
    required.into_iter().chain(smaller_constraints(inside).into_iter().map(again)).collect()
}
