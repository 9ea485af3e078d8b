//! The most general of several types, to which all others convert.

use std::cmp::Ordering;

use crate::types::Type;

use super::available::{Query, is_available};

/// The maximum number of candidates that are compared with all other types. Most candidates are excluded by the first
/// comparison, which does not count.
const CANDIDATES: usize = 32;

/// The most general of the types: the one to which all others convert; `None` if there is none, or if it was not
/// found within the work that [`CANDIDATES`] allows.
pub(super) fn most_general(types: &[&Type], query: &Query) -> Option<Type> {
    let mut candidates = types.to_vec();
    candidates.sort_by(|a, b| order(a, b));
    let mut others = candidates.clone();
    let mut left = others.len().saturating_mul(CANDIDATES);
    for candidate in &candidates {
        let target = (*candidate).into();
        let Some(at) = others.iter().position(|ty| !is_available(ty, &target, query)) else {
            return Some((*candidate).clone());
        };
        // The type that ruled out this candidate is tried first on the next.
        others.get_mut(..=at)?.rotate_right(1);
        left = left.saturating_sub(at.saturating_add(1));
        if left == 0 {
            break;
        }
    }
    // Everything converts to it.
    types.contains(&&Type::Dynamic).then_some(Type::Dynamic)
}

/// Whether all types convert to the target.
pub(super) fn all_convert_to(target: &Type, types: &[&Type], query: &Query) -> bool {
    let target = target.into();
    types.iter().all(|ty| is_available(ty, &target, query))
}

/// The more general types first. cty leaves some types unordered; here an order of all types keeps to cty's where
/// there is one, so that the answer is the same however types are given.
fn order(a: &Type, b: &Type) -> Ordering {
    match (a, b) {
        (Type::List(a), Type::List(b)) => order(a.element(), b.element()),
        (Type::Set(a), Type::Set(b)) => order(a.element(), b.element()),
        (Type::Map(a), Type::Map(b)) => order(a.element(), b.element()),
        (Type::Tuple(a), Type::Tuple(b)) => {
            a.len().cmp(&b.len()).then_with(|| first_difference(a.iter().zip(b.iter())))
        }
        (Type::Object(a), Type::Object(b)) => a
            .len()
            .cmp(&b.len())
            .then_with(|| a.attribute_names().cmp(b.attribute_names()))
            .then_with(|| first_difference(a.iter().map(|(_, ty)| ty).zip(b.iter().map(|(_, ty)| ty)))),
        (Type::Capsule(a), Type::Capsule(b)) => a.cmp(b),
        (a, b) => rank(a).cmp(&rank(b)),
    }
}

/// The order of the first pair of different types.
fn first_difference<'a>(mut pairs: impl Iterator<Item = (&'a Type, &'a Type)>) -> Ordering {
    // Equal types are recognised by their nodes, without a walk.
    pairs.find(|(a, b)| a != b).map_or(Ordering::Equal, |(a, b)| order(a, b))
}

/// The rank of a kind of type, more general kinds first.
fn rank(ty: &Type) -> u8 {
    match ty {
        Type::Capsule(_) => 0,
        Type::String => 1,
        Type::Number => 2,
        Type::Bool => 3,
        Type::List(_) => 4,
        Type::Tuple(_) => 5,
        Type::Set(_) => 6,
        Type::Map(_) => 7,
        Type::Object(_) => 8,
        Type::Dynamic => 9,
    }
}
