//! Three-valued equality of two values: equal, different, or unknown, from everything known about both.
//!
//! Two nulls are equal, whatever their types. A null differs from every other value. Values of different types differ.
//! This holds for containers too: `tuple([null of string])` and `tuple([null of number])` have different types, so they
//! differ.

use crate::refinement::{Nullness, Range};
use crate::text::Text;
use crate::types::Type;

use super::repr::{Container, KnownRepr};
use super::{Knownness, Value, includes, same, set};

/// Whether `a` equals `b`: `Some(true)` if in every outcome, `Some(false)` if in none, `None` if in some. Marks do not
/// matter.
pub fn equal(a: &Value, b: &Value) -> Option<bool> {
    if let (Value::Known(_), Value::Known(_)) = (a, b) {
        let both_null = a.is_null() && b.is_null();
        return Some(both_null || same::content(a, b));
    }
    if is_always_null(a) && is_always_null(b) {
        return Some(true);
    }
    if may_be_null(a) && may_be_null(b) || may_equal_not_null(a, b, false) { None } else { Some(false) }
}

/// Whether one of the values equals `wanted`: `Some(true)` if one certainly does, `Some(false)` if none can.
pub(crate) fn any_equal<'v>(values: impl IntoIterator<Item = &'v Value>, wanted: &Value) -> Option<bool> {
    let mut answer = Some(false);
    for value in values {
        match equal(value, wanted) {
            Some(true) => return Some(true),
            Some(false) => {}
            None => answer = None,
        }
    }
    answer
}

/// What is known about the types of two values from the containers around them.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum TypeRelation {
    /// Nothing.
    Unrelated,
    /// The values are inside collections of which an element type contains `dynamic`.
    InDynamic,
    /// The types are equal and contain no `dynamic`, so they need not be compared again for each pair of children.
    Equal,
}

/// Whether two members can become one member of a set, or two children corresponding children of equal containers. As
/// in [`equal`], but nulls of different types are different.
///
/// `in_dynamic` says that the values are inside collections of which an element type contains `dynamic`: all elements
/// get one type in the end, so a null or an empty collection there can become one of any type that its own type covers.
pub(crate) fn may_be_same(a: &Value, b: &Value, in_dynamic: bool) -> bool {
    may_be_same_child(a, b, if in_dynamic { TypeRelation::InDynamic } else { TypeRelation::Unrelated })
}

/// As [`may_be_same`], with the relation of the types.
pub(super) fn may_be_same_child(a: &Value, b: &Value, types: TypeRelation) -> bool {
    match (a, b, types) {
        (Value::Known(_), Value::Known(_), TypeRelation::Unrelated) => same::content(a, b),
        (Value::Known(_), Value::Known(_), TypeRelation::Equal) => same::content_of_one_type(a, b),
        _ => {
            may_be_null(a) && may_be_null(b) && types_may_agree(a, b, types)
                || not_null_may_equal(a, b, types)
        }
    }
}

/// Whether the types of two values can become equal. At least one value is unknown or null.
fn types_may_agree(a: &Value, b: &Value, types: TypeRelation) -> bool {
    let in_dynamic = types == TypeRelation::InDynamic;
    // Fast path: an unknown of a primitive type against a value of the same type.
    if let Some((ty, _)) = a.as_unknown().or_else(|| b.as_unknown())
        && ty.is_primitive()
        && a.has_type(ty)
        && b.has_type(ty)
    {
        return true;
    }
    match types {
        TypeRelation::Equal => true,
        _ if a.is_known() => may_be_of_type(a, &b.ty(), in_dynamic),
        _ => may_be_of_type(b, &a.ty(), in_dynamic),
    }
}

/// Whether the type of the value can become one that `ty` covers. `in_dynamic`: see [`may_be_same`].
pub(super) fn may_be_of_type(value: &Value, ty: &Type, in_dynamic: bool) -> bool {
    match (value, ty) {
        (Value::Known(_), ty) if !in_dynamic => ty.covers(&value.ty()),
        (Value::Partial(partial), ty) => match (partial.0.container(), ty) {
            (Container::Tuple(node), Type::Tuple(ty)) => {
                node.items.len() == ty.len()
                    && node.items.iter().zip(ty.iter()).all(|(item, ty)| may_be_of_type(item, ty, in_dynamic))
            }
            (Container::Object(node), Type::Object(ty)) => {
                node.slots.len() == ty.len()
                    && node.ty.iter().zip(ty.iter()).all(|((a, _), (b, _))| a == b)
                    && node
                        .slots
                        .iter()
                        .zip(ty.iter())
                        .all(|(slot, (_, ty))| may_be_of_type(slot, ty, in_dynamic))
            }
            _ => value.ty().compatible(ty),
        },
        _ => value.ty().compatible(ty),
    }
}

/// Whether some outcome of the value is null.
pub(crate) fn may_be_null(value: &Value) -> bool {
    match value {
        Value::Dynamic(_) | Value::Unknown(_) => true,
        Value::Refined(refined) => refined.0.refinement.nullness() != Nullness::NotNull,
        Value::Partial(_) => false,
        Value::Known(known) => known.0.is_null(),
    }
}

/// Whether every outcome of the value is null: also true for an unknown refined as null.
pub(crate) fn is_always_null(value: &Value) -> bool {
    match value {
        Value::Refined(refined) => refined.0.refinement.nullness() == Nullness::Null,
        value => value.is_null(),
    }
}

/// Whether `a` and `b` can become equal values that are not null. `in_dynamic`: see [`may_be_same`].
pub(super) fn may_equal_not_null(a: &Value, b: &Value, in_dynamic: bool) -> bool {
    not_null_may_equal(a, b, if in_dynamic { TypeRelation::InDynamic } else { TypeRelation::Unrelated })
}

/// As [`may_equal_not_null`], with the relation of the types.
fn not_null_may_equal(a: &Value, b: &Value, types: TypeRelation) -> bool {
    if is_always_null(a) || is_always_null(b) {
        return false;
    }
    match (a, b) {
        (Value::Dynamic(_), _) | (_, Value::Dynamic(_)) => true,
        (Value::Partial(_) | Value::Known(_), Value::Partial(_) | Value::Known(_)) => {
            match (a.container(), b.container()) {
                (Some(a), Some(b)) => containers_may_equal(a, b, types),
                (None, None) => same::content(a, b),
                _ => false,
            }
        }
        _ => types_may_agree(a, b, types) && ranges_overlap(a, b),
    }
}

/// Whether the ranges of two values overlap. At least one value is an unknown of known type, and the types are
/// compatible.
fn ranges_overlap(a: &Value, b: &Value) -> bool {
    // The range of a known string is only a prefix, which any continuation satisfies: compare the string itself.
    for (text, other) in [(a, b), (b, a)] {
        if let (Some(text), Value::Refined(refined)) = (known_text(text), other)
            && let range @ (Range::Prefix(_) | Range::Language(_)) = refined.0.refinement.range()
        {
            return range.contains_string(text);
        }
    }
    if a.knownness() == Knownness::Unknown || b.knownness() == Knownness::Unknown {
        return true;
    }
    for (container, other) in [(a, b), (b, a)] {
        if let (Some(_), Value::Refined(refined)) = (container.container(), other)
            && matches!(refined.0.refinement.range(), Range::Elements(_) | Range::Structure(_))
        {
            return includes::by_range(&includes::within_type(&other.range()), container).0;
        }
    }
    let (own, other) = (a.range(), b.range());
    match (own.refinement().range(), other.refinement().range()) {
        (Range::Any, _) | (_, Range::Any) => true,
        (a @ (Range::Prefix(_) | Range::Language(_)), b @ (Range::Prefix(_) | Range::Language(_))) => {
            a.overlaps(b)
        }
        (Range::Number(a), Range::Number(b)) => a.meet(b).is_some(),
        (
            a @ (Range::Number(_) | Range::Multiples(_) | Range::Numbers(_)),
            b @ (Range::Number(_) | Range::Multiples(_) | Range::Numbers(_)),
        ) => a.overlaps(b),
        (Range::Length(_) | Range::Elements(_), Range::Length(_) | Range::Elements(_)) => {
            includes::within_type(&own).overlaps(&includes::within_type(&other))
        }
        (a @ Range::Structure(_), b @ Range::Structure(_)) => includes::collections_overlap(a, b, own.ty()),
        _ => false,
    }
}

/// The known string below any marks.
pub(super) fn known_text(value: &Value) -> Option<&str> {
    match value {
        Value::Known(known) => match known.0.bare() {
            KnownRepr::String(text) => Some(text.as_str()),
            _ => None,
        },
        _ => None,
    }
}

/// Whether two containers can become equal.
fn containers_may_equal(a: &Container, b: &Container, types: TypeRelation) -> bool {
    match (a, b) {
        (Container::List(a), Container::List(b)) => {
            relation_of_elements(a.ty.element(), b.ty.element(), types)
                .is_some_and(|types| items_may_be_same(&a.items, &b.items, types))
        }
        (Container::Map(a), Container::Map(b)) => relation_of_elements(a.ty.element(), b.ty.element(), types)
            .is_some_and(|types| entries_may_be_same(&a.entries, &b.entries, types)),
        (Container::Tuple(a), Container::Tuple(b)) => {
            let one = types == TypeRelation::Equal || !a.ty.has_dynamic() && a.ty == b.ty;
            items_may_be_same(&a.items, &b.items, if one { TypeRelation::Equal } else { types })
        }
        (Container::Object(a), Container::Object(b)) => {
            let one = types == TypeRelation::Equal || !a.ty.has_dynamic() && a.ty == b.ty;
            (one || a.ty.attribute_names().eq(b.ty.attribute_names()))
                && items_may_be_same(&a.slots, &b.slots, if one { TypeRelation::Equal } else { types })
        }
        (Container::Set(a), Container::Set(b)) => {
            relation_of_elements(a.element_type(), b.element_type(), types)
                .is_some_and(|types| set::equality::may_equal(a, b, types))
        }
        _ => false,
    }
}

/// The relation of the elements' types in two collections; `None` if the element types can never be equal:
/// then not even empty collections are.
fn relation_of_elements(a: &Type, b: &Type, types: TypeRelation) -> Option<TypeRelation> {
    let has_dynamic = a.has_dynamic() || b.has_dynamic();
    let inside = match types {
        TypeRelation::Equal => return Some(TypeRelation::Equal),
        _ if has_dynamic => TypeRelation::InDynamic,
        _ if a == b => return Some(TypeRelation::Equal),
        _ => types,
    };
    (a == b || a.compatible(b)).then_some(inside)
}

// Loops: a deep value recurses through here, and stack frames are large in a debug build.

/// Whether two sequences of children can become equal.
fn items_may_be_same(a: &[Value], b: &[Value], types: TypeRelation) -> bool {
    if a.len() != b.len() {
        return false;
    }
    for (a, b) in a.iter().zip(b) {
        if !may_be_same_child(a, b, types) {
            return false;
        }
    }
    true
}

/// Whether the entries of two maps can become equal.
fn entries_may_be_same(a: &[(Text, Value)], b: &[(Text, Value)], types: TypeRelation) -> bool {
    if a.len() != b.len() {
        return false;
    }
    for ((a_key, a), (b_key, b)) in a.iter().zip(b) {
        if a_key != b_key || !may_be_same_child(a, b, types) {
            return false;
        }
    }
    true
}
