//! Three-valued equality of two values, from everything that is known of both.
//!
//! Two nulls are equal, whatever their types; a null and a value are not; values of different types are not.
//! Inside containers the types of the two containers decide first: `tuple([null of string])` and
//! `tuple([null of number])` are of different types, so they differ.

use crate::refinement::{Nullness, Range};
use crate::text::Text;
use crate::types::Type;

use super::repr::{Container, KnownRepr};
use super::{Knownness, Value, same, set};

/// Whether `a` equals `b` in every outcome, in none, or (`None`) that depends. Marks do not matter.
pub(crate) fn equal(a: &Value, b: &Value) -> Option<bool> {
    if let (Value::Known(_), Value::Known(_)) = (a, b) {
        let both_null = a.is_null() && b.is_null();
        return Some(both_null || same::content(a, b));
    }
    if is_always_null(a) && is_always_null(b) {
        return Some(true);
    }
    if may_be_null(a) && may_be_null(b) || may_equal_not_null(a, b, false) { None } else { Some(false) }
}

/// How the types of two values relate.
#[derive(Clone, Copy, PartialEq)]
enum Types {
    /// Nothing.
    Apart,
    /// An element type above them is undecided.
    Open,
    /// They are one, and nothing in it is undecided: there is no need to compare them again for each pair of parts.
    One,
}

/// Whether the two can become one member of a set, or one part at the same place of equal containers: as
/// [`equal`], but two nulls must be of one type.
///
/// `open` says that an element type above them is undecided: the types of what is known inside are then decided
/// with it, so that a null or an empty collection there is one of any type that its own covers.
pub(crate) fn may_be_same(a: &Value, b: &Value, open: bool) -> bool {
    parts_may_be_same(a, b, if open { Types::Open } else { Types::Apart })
}

fn parts_may_be_same(a: &Value, b: &Value, types: Types) -> bool {
    match (a, b, types) {
        (Value::Known(_), Value::Known(_), Types::Apart) => same::content(a, b),
        (Value::Known(_), Value::Known(_), Types::One) => same::content_of_one_type(a, b),
        _ => {
            may_be_null(a) && may_be_null(b) && types_may_agree(a, b, types)
                || not_null_may_equal(a, b, types)
        }
    }
}

/// Whether the types of the two can become one. At least one is unknown or null.
fn types_may_agree(a: &Value, b: &Value, types: Types) -> bool {
    let open = types == Types::Open;
    // Fast path: an unknown of a primitive type against a value of the same type.
    if let Some((ty, _)) = a.as_unknown().or_else(|| b.as_unknown())
        && ty.is_primitive()
        && a.has_type(ty)
        && b.has_type(ty)
    {
        return true;
    }
    match types {
        Types::One => true,
        _ if a.is_known() => may_be_of_type(a, &b.ty(), open),
        _ => may_be_of_type(b, &a.ty(), open),
    }
}

/// Whether the type of the value can become one that `ty` covers. `open`: see [`may_be_same`].
pub(super) fn may_be_of_type(value: &Value, ty: &Type, open: bool) -> bool {
    match (value, ty) {
        (Value::Known(_), ty) if !open => ty.covers(&value.ty()),
        (Value::Partial(partial), ty) => match (partial.0.container(), ty) {
            (Container::Tuple(node), Type::Tuple(ty)) => {
                node.items.len() == ty.len()
                    && node.items.iter().zip(ty.iter()).all(|(item, ty)| may_be_of_type(item, ty, open))
            }
            (Container::Object(node), Type::Object(ty)) => {
                node.slots.len() == ty.len()
                    && node.ty.iter().zip(ty.iter()).all(|((a, _), (b, _))| a == b)
                    && node.slots.iter().zip(ty.iter()).all(|(slot, (_, ty))| may_be_of_type(slot, ty, open))
            }
            _ => value.ty().compatible(ty),
        },
        _ => value.ty().compatible(ty),
    }
}

pub(crate) fn may_be_null(value: &Value) -> bool {
    match value {
        Value::Dynamic(_) | Value::Unknown(_) => true,
        Value::Refined(refined) => refined.0.refinement.nullness() != Nullness::NotNull,
        Value::Partial(_) => false,
        Value::Known(known) => known.0.is_null(),
    }
}

pub(crate) fn is_always_null(value: &Value) -> bool {
    match value {
        Value::Refined(refined) => refined.0.refinement.nullness() == Nullness::Null,
        value => value.is_null(),
    }
}

/// Whether some non-null outcome of `a` is also one of `b`.
pub(super) fn may_equal_not_null(a: &Value, b: &Value, open: bool) -> bool {
    not_null_may_equal(a, b, if open { Types::Open } else { Types::Apart })
}

fn not_null_may_equal(a: &Value, b: &Value, types: Types) -> bool {
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
        _ => types_may_agree(a, b, types) && ranges_meet(a, b),
    }
}

/// At least one is an unknown of known type; the types are compatible.
fn ranges_meet(a: &Value, b: &Value) -> bool {
    // The range of a known text has no end, so a longer prefix must be looked at in the text itself.
    for (text, other) in [(a, b), (b, a)] {
        if let (Some(text), Value::Refined(refined)) = (known_text(text), other)
            && let Some(prefix) = refined.0.refinement.prefix_str()
        {
            return text.starts_with(prefix);
        }
    }
    if a.knownness() == Knownness::Unknown || b.knownness() == Knownness::Unknown {
        return true;
    }
    let (a, b) = (a.range(), b.range());
    match (a.refinement().range(), b.refinement().range()) {
        (Range::Any, _) | (_, Range::Any) => true,
        (Range::Prefix(a), Range::Prefix(b)) => {
            a.as_str().starts_with(b.as_str()) || b.as_str().starts_with(a.as_str())
        }
        (Range::Number(a), Range::Number(b)) => a.meet(b).is_some(),
        (Range::Length(a), Range::Length(b)) => a.meet(*b).is_some(),
        _ => false,
    }
}

fn known_text(value: &Value) -> Option<&str> {
    match value {
        Value::Known(known) => match known.0.bare() {
            KnownRepr::String(text) => Some(text.as_str()),
            _ => None,
        },
        _ => None,
    }
}

fn containers_may_equal(a: &Container, b: &Container, types: Types) -> bool {
    match (a, b) {
        (Container::List(a), Container::List(b)) => element_types(a.ty.element(), b.ty.element(), types)
            .is_some_and(|types| all_may_be_same(&a.items, &b.items, types)),
        (Container::Map(a), Container::Map(b)) => element_types(a.ty.element(), b.ty.element(), types)
            .is_some_and(|types| entries_may_be_same(&a.entries, &b.entries, types)),
        (Container::Tuple(a), Container::Tuple(b)) => {
            let one = types == Types::One || !a.ty.has_dynamic() && a.ty == b.ty;
            all_may_be_same(&a.items, &b.items, if one { Types::One } else { types })
        }
        (Container::Object(a), Container::Object(b)) => {
            let one = types == Types::One || !a.ty.has_dynamic() && a.ty == b.ty;
            (one || a.ty.attribute_names().eq(b.ty.attribute_names()))
                && all_may_be_same(&a.slots, &b.slots, if one { Types::One } else { types })
        }
        (Container::Set(a), Container::Set(b)) => element_types(a.element_type(), b.element_type(), types)
            .is_some_and(|types| set::equality::may_equal(a, b, types == Types::Open)),
        _ => false,
    }
}

/// How the element types of two collections relate; `None` where they can never be the same.
fn element_types(a: &Type, b: &Type, types: Types) -> Option<Types> {
    let undecided = a.has_dynamic() || b.has_dynamic();
    // A collection that is known and of an undecided type is empty, and one that is not is not.
    let inside = match types {
        Types::One => return Some(Types::One),
        _ if undecided => Types::Open,
        _ if a == b => return Some(Types::One),
        _ => types,
    };
    (a == b || a.compatible(b)).then_some(inside)
}

// Loops: deep values come through here, and each frame counts in a debug build.

fn all_may_be_same(a: &[Value], b: &[Value], types: Types) -> bool {
    if a.len() != b.len() {
        return false;
    }
    for (a, b) in a.iter().zip(b) {
        if !parts_may_be_same(a, b, types) {
            return false;
        }
    }
    true
}

fn entries_may_be_same(a: &[(Text, Value)], b: &[(Text, Value)], types: Types) -> bool {
    if a.len() != b.len() {
        return false;
    }
    for ((a_key, a), (b_key, b)) in a.iter().zip(b) {
        if a_key != b_key || !parts_may_be_same(a, b, types) {
            return false;
        }
    }
    true
}
