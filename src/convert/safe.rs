//! Conversions that never fail.

use std::borrow::Cow;

use crate::constraint::TypeConstraint;
use crate::types::{ObjectType, TupleType, Type};
use crate::value::least_type;

use super::available::{Mode, Query, is_available};
use super::table::{ChildTypes, Conversion, with_element_type};
use super::unify::{common_type, unify_in};

/// The type that every value of a type converts to.
pub(super) struct SafeTarget {
    ty: Type,
    /// Whether every result has exactly that type: a default may be of another type than the null that it replaces.
    one_type: bool,
}

impl SafeTarget {
    /// The target of a conversion whose results all have exactly this type.
    fn of(ty: Type) -> SafeTarget {
        SafeTarget { ty, one_type: true }
    }
}

/// The type that all values of a type convert to; `None` if some do not convert. The query is one for safe conversions.
///
/// Used where the target has `any` in it: there the type of the result decides whether elements end up with one type.
pub(super) fn safe_target(from: &Type, to: &TypeConstraint, query: &Query) -> Option<SafeTarget> {
    let ty = to.as_type();
    if !ty.has_dynamic() {
        return is_available(from, to, query).then(|| SafeTarget::of(ty.clone()));
    }
    if from == ty && !to.has_optional() {
        return Some(SafeTarget::of(from.clone()));
    }
    match Conversion::of(from, ty) {
        Conversion::Unchanged => Some(SafeTarget::of(from.clone())),
        Conversion::Elements { from, is_list_to_set: false } => {
            let element = safe_target(from, &to.element_or_any(), query)?;
            if element.one_type { collection_target(to, element.ty) } else { None }
        }
        Conversion::ToCollection(children) => structure_target(from, &children, to, query),
        Conversion::ObjectToObject(from, object) => object_target(from, object, to, query),
        Conversion::TupleToTuple(from, _) => tuple_target(from, to, query),
        // Each of these conversions fails for some values, or loses the order of a list.
        Conversion::FromAny
        | Conversion::Capsule
        | Conversion::ToString
        | Conversion::FromString
        | Conversion::Elements { .. }
        | Conversion::MapToObject(..)
        | Conversion::Impossible => None,
    }
}

/// The target of a conversion to the collection kind of `to`, with this element type.
fn collection_target(to: &TypeConstraint, element: Type) -> Option<SafeTarget> {
    with_element_type(to.as_type(), element).map(SafeTarget::of)
}

/// The type that all tuples or objects of type `from` convert to, where `to` is a collection; `None` if some do not convert.
fn structure_target(
    from: &Type,
    children: &ChildTypes<'_>,
    to: &TypeConstraint,
    query: &Query,
) -> Option<SafeTarget> {
    let types: Vec<Type> = children.clone().cloned().collect();
    let mut element = to.element_or_any();
    if types.is_empty() {
        return Some(SafeTarget::of(to.to_type()));
    }
    if *element.as_type() == Type::Dynamic {
        element = Cow::Owned(query.agreed_type(from, || types.clone())?.into());
    }
    let mut found = Vec::with_capacity(types.len());
    for ty in &types {
        let part = safe_target(ty, &element, query).filter(|part| part.one_type)?;
        found.push(part.ty);
    }
    found.dedup();
    if let [ty] = found.as_slice() {
        return collection_target(to, ty.clone());
    }
    let becomes_one = match (to.as_type(), element.as_type()) {
        (Type::Set(_), _) => false,
        (Type::Map(_), ty) => ty.is_collection() || matches!(ty, Type::Object(_)),
        _ => true,
    };
    if !becomes_one {
        return None;
    }
    let ty = common_type(&found, query).filter(|ty| !ty.has_dynamic());
    let ty = ty.or_else(|| common_type_beside_empty(&types, &found, query))?;
    collection_target(to, ty)
}

/// The common element type if some children become empty collections of `dynamic`; `types` are the types of the
/// children, `found` those to which they convert. `None` if there is no type
/// without `dynamic` to which all convert safely.
fn common_type_beside_empty(types: &[Type], found: &[Type], query: &Query) -> Option<Type> {
    let ty = unify_in(found, Mode::Unsafe).filter(|ty| !ty.has_dynamic())?;
    let safely = TypeConstraint::from(&ty);
    let mut decided = found.iter().filter(|ty| !ty.has_dynamic());
    let fine = !types.iter().any(Type::has_dynamic) && decided.all(|ty| is_available(ty, &safely, query));
    fine.then_some(ty)
}

/// The type that all objects of type `from` convert to, where `to` is an object type; `None` if some do not convert.
fn object_target(
    from: &ObjectType,
    object: &ObjectType,
    to: &TypeConstraint,
    query: &Query,
) -> Option<SafeTarget> {
    let mut one_type = true;
    let mut attributes = Vec::with_capacity(object.len());
    for (index, name) in object.attribute_names().enumerate() {
        let attribute = to.attribute_at(index)?;
        let default = attribute.default().filter(|default| !default.is_null()).map(|default| default.ty());
        let ty = match from.get(name) {
            Some(from) => {
                let part = safe_target(from, attribute.constraint(), query)?;
                let ty = default.map_or_else(|| part.ty.clone(), |default| least_type(&part.ty, &default));
                one_type &= part.one_type && ty == part.ty;
                ty
            }
            None if attribute.is_optional() => {
                // A null of the object has the attribute's own type.
                let own = attribute.constraint().to_type();
                let ty = default.unwrap_or_else(|| own.clone());
                one_type &= ty == own;
                ty
            }
            None => return None,
        };
        attributes.push((name, ty));
    }
    Some(SafeTarget { ty: Type::object(attributes).ok()?, one_type })
}

/// The type that all tuples of type `from` convert to, where `to` is a tuple type; `None` if some do not convert.
fn tuple_target(from: &TupleType, to: &TypeConstraint, query: &Query) -> Option<SafeTarget> {
    let mut one_type = true;
    let mut elements = Vec::with_capacity(from.len());
    for (index, from) in from.iter().enumerate() {
        let part = safe_target(from, &*to.element_at(index)?, query)?;
        one_type &= part.one_type;
        elements.push(part.ty);
    }
    let same_length = to.element_at(elements.len()).is_none();
    let ty = Type::tuple(elements).ok().filter(|_| same_length)?;
    Some(SafeTarget { ty, one_type })
}
