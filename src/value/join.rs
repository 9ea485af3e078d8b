//! The best common upper bound: the least value that contains everything some values may become.

use crate::refinement::Refinement;
use crate::text::Text;
use crate::types::{ListType, MapType, SetType, Type};

use super::equality::is_always_null;
use super::repr::{Container, ListNode, MapNode};
use super::{Value, build, order, range, refined, set};

mod marks;

/// The least value that contains every outcome of all the values; `None` for no values. Marks are united at
/// the top, and inside containers of one shape at their place; those inside what is no container any more go up.
///
/// Linear in the size of all values together: what is joined so far is never larger than the value that comes next,
/// or no container.
pub(crate) fn join(values: &[&Value]) -> Option<Value> {
    if values.len() < 2 || !values.iter().any(|value| value.contains_marks()) {
        return contents(values);
    }
    let bare: Vec<Value> = values.iter().map(|value| value.unmark_deep().0).collect();
    let joined = contents(&bare.iter().collect::<Vec<_>>())?;
    Some(marks::of_all(&joined, values))
}

fn contents(values: &[&Value]) -> Option<Value> {
    let (first, rest) = values.split_first()?;
    Some(rest.iter().fold((*first).clone(), |joined, value| two(&joined, value)))
}

// Of values without marks. Small functions with loops: deep values come through here, and each frame counts in a debug
// build.

fn two(a: &Value, b: &Value) -> Value {
    let joined = match (a.container(), b.container()) {
        (Some(x), Some(y)) if x.same(y) => Some(a.clone()),
        (Some(Container::Set(_)), _) | (_, Some(Container::Set(_))) if !order::content(a, b).is_eq() => {
            sets(a, b)
        }
        (Some(x), Some(y)) => same_shape(x, y),
        _ => None,
    };
    match joined {
        Some(joined) => joined,
        None if order::content(a, b).is_eq() => a.clone(),
        None => by_range(a, b),
    }
}

/// Containers of one shape, joined part by part.
fn same_shape(a: &Container, b: &Container) -> Option<Value> {
    match (a, b) {
        (Container::Tuple(a), Container::Tuple(b)) if a.items.len() == b.items.len() => {
            build::tuple_of_parts(&a.ty, pairs(&a.items, &b.items)).ok()
        }
        (Container::Object(a), Container::Object(b))
            if a.ty == b.ty || a.ty.attribute_names().eq(b.ty.attribute_names()) =>
        {
            build::object_of_parts(&a.ty, pairs(&a.slots, &b.slots)).ok()
        }
        // Two empty collections of different types are no one value: of which type the collection is, is not decided.
        (Container::List(x), Container::List(y)) if x.ty == y.ty || !x.items.is_empty() => {
            let Type::List(ty) = least_type(&a.ty(), &b.ty()) else { return None };
            lists(x, y, ty)
        }
        (Container::Map(x), Container::Map(y)) if x.ty == y.ty || !x.entries.is_empty() => {
            let Type::Map(ty) = least_type(&a.ty(), &b.ty()) else { return None };
            maps(x, y, ty)
        }
        _ => None,
    }
}

fn sets(a: &Value, b: &Value) -> Option<Value> {
    match least_type(&a.ty(), &b.ty()) {
        Type::Set(ty) => set::join::sets(a, b, ty),
        _ => None,
    }
}

fn pairs(a: &[Value], b: &[Value]) -> Vec<Value> {
    let mut joined = Vec::with_capacity(a.len());
    for (a, b) in a.iter().zip(b) {
        joined.push(two(a, b));
    }
    joined
}

/// `None` where the lengths differ.
fn lists(a: &ListNode, b: &ListNode, ty: ListType) -> Option<Value> {
    if a.items.len() != b.items.len() {
        return None;
    }
    let mut joined = Vec::with_capacity(a.items.len());
    for (a, b) in a.items.iter().zip(&b.items) {
        joined.push(of_type(a, b, ty.element()));
    }
    Some(build::list_node(ty, joined.into_boxed_slice()))
}

/// `None` where the keys differ.
fn maps(a: &MapNode, b: &MapNode, ty: MapType) -> Option<Value> {
    if !a.entries.iter().map(|(key, _)| key).eq(b.entries.iter().map(|(key, _)| key)) {
        return None;
    }
    let mut joined: Vec<(Text, Value)> = Vec::with_capacity(a.entries.len());
    for ((key, a), (_, b)) in a.entries.iter().zip(&b.entries) {
        joined.push((key.clone(), of_type(a, b, ty.element())));
    }
    Some(build::map_node(ty, joined.into_boxed_slice()))
}

/// Two parts of collections, as a part of a collection of the least type: of just this type. Where that is not
/// decided, a null or an empty collection in it is one of any type (see [`Value::closed`]).
fn of_type(a: &Value, b: &Value, ty: &Type) -> Value {
    if !ty.has_dynamic() {
        return two(a, b);
    }
    let joined = match (a.container(), b.container()) {
        (Some(x), Some(y)) if x.same(y) && a.has_type(ty) => Some(a.clone()),
        (Some(Container::Set(_)), _) | (_, Some(Container::Set(_))) => open_sets(a, b, ty),
        (Some(x), Some(y)) => open_shape(x, y, ty),
        _ => None,
    };
    joined.unwrap_or_else(|| open_range(a, b, ty))
}

fn open_shape(a: &Container, b: &Container, ty: &Type) -> Option<Value> {
    match (a, b, ty) {
        (Container::Tuple(a), Container::Tuple(b), Type::Tuple(ty)) => {
            let mut joined = Vec::with_capacity(a.items.len());
            for ((a, b), ty) in a.items.iter().zip(&b.items).zip(ty) {
                joined.push(of_type(a, b, ty));
            }
            build::tuple_of_parts(ty, joined).ok()
        }
        (Container::Object(a), Container::Object(b), Type::Object(ty)) => {
            let mut joined = Vec::with_capacity(a.slots.len());
            for ((a, b), (_, ty)) in a.slots.iter().zip(&b.slots).zip(ty.iter()) {
                joined.push(of_type(a, b, ty));
            }
            build::object_of_parts(ty, joined).ok()
        }
        (Container::List(a), Container::List(b), Type::List(ty)) => lists(a, b, ty.clone()),
        (Container::Map(a), Container::Map(b), Type::Map(ty)) => maps(a, b, ty.clone()),
        _ => None,
    }
}

fn open_sets(a: &Value, b: &Value, ty: &Type) -> Option<Value> {
    if a.has_type(ty) && order::content(a, b).is_eq() {
        return Some(a.clone());
    }
    let Type::Set(ty) = ty else { return None };
    match (a.container()?, b.container()?) {
        // Of which type they are is decided further out.
        (Container::Set(a), Container::Set(b)) if a.member_count() == 0 && b.member_count() == 0 => {
            Some(set::build(ty.clone(), Vec::new()))
        }
        _ => set::join::sets(a, b, ty.clone()),
    }
}

fn open_range(a: &Value, b: &Value, ty: &Type) -> Value {
    if is_always_null(a) && is_always_null(b) {
        return Value::null(ty.clone());
    }
    let joined: Refinement = range::of(a).refinement().join(range::of(b).refinement());
    if *ty == Type::Dynamic || !joined.applies_to(ty) {
        return Value::unknown(ty.clone());
    }
    refined::canonical(ty.clone(), joined).closed()
}

/// An unknown of the least type that covers both, with what both ranges have in common.
fn by_range(a: &Value, b: &Value) -> Value {
    let ty = least_type(&a.ty(), &b.ty());
    let joined: Refinement = range::of(a).refinement().join(range::of(b).refinement());
    if ty == Type::Dynamic || !joined.applies_to(&ty) {
        return Value::unknown(ty);
    }
    refined::canonical(ty, joined)
}

/// Two members of sets, as [`of_type`] has it.
pub(super) fn members(a: &Value, b: &Value, ty: &SetType) -> Value {
    of_type(a, b, ty.element())
}

/// The least type that covers both: equal parts stay, parts that differ become dynamic.
pub(crate) fn least_type(a: &Type, b: &Type) -> Type {
    if a == b {
        return a.clone();
    }
    let joined = match (a, b) {
        (Type::List(a), Type::List(b)) => Type::list(least_type(a.element(), b.element())),
        (Type::Set(a), Type::Set(b)) => Type::set(least_type(a.element(), b.element())),
        (Type::Map(a), Type::Map(b)) => Type::map(least_type(a.element(), b.element())),
        (Type::Tuple(a), Type::Tuple(b)) if a.len() == b.len() => {
            Type::tuple(a.iter().zip(b.iter()).map(|(a, b)| least_type(a, b)))
        }
        (Type::Object(a), Type::Object(b))
            if a.iter().map(|(name, _)| name).eq(b.iter().map(|(name, _)| name)) =>
        {
            Type::object(a.iter().zip(b.iter()).map(|((name, a), (_, b))| (name, least_type(a, b))))
        }
        _ => return Type::Dynamic,
    };
    joined.unwrap_or(Type::Dynamic)
}
