//! The element type of a collection of children of different types, where the target's element type is `any`.

use crate::types::Type;

use super::available::{Mode, Query};
use super::table::with_element_type;
use super::unify::{common_type, may_unify, unify_in};

/// The common element type of children of known types. In a map, untyped nulls take the type of the other children if
/// these are of one type; in other cases all children are untyped, or there is no common type.
pub(super) fn agreed_type(types: &[Type], to_map: bool, query: &Query) -> Option<Type> {
    let found = common_type(types, query.of_common())?;
    if found != Type::Dynamic {
        return Some(found);
    }
    let mut typed = types.iter().filter(|ty| **ty != Type::Dynamic);
    match typed.next() {
        None => Some(Type::Dynamic),
        Some(first) if to_map && !query.is_safe() && typed.all(|ty| ty == first) => Some(first.clone()),
        Some(_) => None,
    }
}

/// Facts about the children of a tuple or object other than their types.
#[derive(Debug, Clone, Copy)]
pub(super) struct ChildFacts {
    /// Whether they become the elements of a map.
    pub(super) to_map: bool,
    /// Whether there are untyped nulls, which are not among the types.
    pub(super) has_untyped_nulls: bool,
    /// Whether all lists of an undecided type are wholly known, and all maps of one are empty: these become no object
    /// with attributes.
    pub(super) empty_collections_stay: bool,
}

impl ChildFacts {
    /// No facts besides the types.
    pub(super) const fn types_only(to_map: bool) -> ChildFacts {
        ChildFacts { to_map, has_untyped_nulls: false, empty_collections_stay: false }
    }
}

/// The least type that covers every common element type that is still possible, where `dynamic` among the types is a
/// type that is not known yet; `None` if no common type is possible.
///
/// A type that is too narrow contradicts the conversion of the known values later (L1); one that is too wide loses what
/// is known (L2).
///
/// | known types | covering type together with unknown types |
/// |---|---|
/// | string, or number and bool | string |
/// | number; bool | `dynamic`: the others may be strings |
/// | list or map of one type, and one part besides | a list or map: of string where it is of string, else undecided |
/// | lists and tuples; sets; maps | a list; set; map of what their elements may become, where none is undecided itself |
/// | nothing but lists, sets, maps, tuples or objects, and untyped nulls | in a map their one type; else none |
/// | lists, sets or tuples, and maps or objects | none |
/// | others | undecided |
pub(super) fn covering_type(types: &[Type], facts: ChildFacts) -> Option<Type> {
    let is_single = |ty: &&Type| ty.is_primitive() || matches!(ty, Type::Capsule(_));
    let has = |wanted: &Type| types.contains(wanted);
    let undecided = has(&Type::Dynamic);
    let mut decided = types.iter().filter(|ty| **ty != Type::Dynamic);
    if types.iter().any(|ty| ty.is_primitive()) {
        return if !decided.all(|ty| is_single(&ty)) {
            None
        } else if has(&Type::String) {
            Some(Type::String)
        } else if has(&Type::Bool) && has(&Type::Number) {
            // One of the others is a string.
            undecided.then_some(Type::String)
        } else {
            Some(Type::Dynamic)
        };
    }
    let is_keyed = |ty: &&Type| matches!(ty, Type::Map(_) | Type::Object(_));
    let is_listed = |ty: &&Type| matches!(ty, Type::List(_) | Type::Set(_) | Type::Tuple(_));
    if types.iter().any(|ty| is_keyed(&ty)) && types.iter().any(|ty| is_listed(&ty)) {
        return None;
    }
    if facts.has_untyped_nulls && !undecided && are_of_one_kind(types) {
        // Where all are one type, the nulls take it; else there is no common one.
        let all = types.iter().try_fold(Type::Dynamic, |all, ty| meet_of_types(&all, ty));
        return all.filter(|_| facts.to_map);
    }
    let with_null = [types, &[Type::Dynamic]].concat();
    if !may_unify(if facts.has_untyped_nulls { &with_null } else { types }) {
        return None;
    }
    if !undecided
        && !facts.has_untyped_nulls
        && let Some(found) = of_one_kind(types)
    {
        return found;
    }
    Some(type_beside_one_other(types, facts).unwrap_or(Type::Dynamic))
}

/// The type of a list or map among `types` that remains a list or map whatever the type of the single other child is;
/// `None` if there is none. With two others it may not remain one: a list of bools and one of lists both convert to
/// `set(dynamic)`, and maps without common keys to `object({})`.
fn type_beside_one_other(types: &[Type], facts: ChildFacts) -> Option<Type> {
    let stays_collection = |ty: &&Type| {
        matches!(ty, Type::List(_) | Type::Map(_))
            && (is_reversible(ty) || facts.empty_collections_stay && is_undecided(ty))
            && types.iter().filter(|other| other != ty).count() <= 1
    };
    let kept = types.iter().find(stays_collection)?;
    // Beside an untyped null the common type is the type of a child.
    Some(if facts.has_untyped_nulls { kept.clone() } else { least_beside_undecided(kept) })
}

/// The covering type of collections of one kind, or of lists and tuples: they become a collection of that kind,
/// whatever is decided. The outer `None` is for other types, the inner one if the elements have no common type.
fn of_one_kind(types: &[Type]) -> Option<Option<Type>> {
    let all = |is: fn(&Type) -> bool| types.iter().all(is);
    let kind = if all(|ty| matches!(ty, Type::Set(_))) {
        Type::set
    } else if all(|ty| matches!(ty, Type::Map(_))) {
        Type::map
    } else if all(|ty| matches!(ty, Type::List(_) | Type::Tuple(_)))
        && types.iter().any(|ty| matches!(ty, Type::List(_)))
    {
        Type::list
    } else {
        return None;
    };
    let parts = types.iter().flat_map(|ty| match ty {
        Type::Tuple(tuple) => tuple.elements(),
        ty => ty.element_type().map(std::slice::from_ref).unwrap_or_default(),
    });
    let element = covering_elements(&parts.cloned().collect::<Vec<_>>());
    Some(element.map(|element| kind(element).unwrap_or(Type::Dynamic)))
}

/// As [`covering_type`], for the elements of collections: `dynamic` as the common type is enough for them.
fn covering_elements(types: &[Type]) -> Option<Type> {
    if !types.iter().any(Type::has_dynamic) {
        return unify_in(types, Mode::Unsafe);
    }
    let undecided = types.iter().filter(|ty| **ty == Type::Dynamic).count();
    if undecided > 0 {
        let decided: Vec<Type> = types.iter().filter(|ty| **ty != Type::Dynamic).cloned().collect();
        let is_single = |ty: &Type| ty.is_primitive() || matches!(ty, Type::Capsule(_));
        // With two unknown types, one may stay `dynamic` while the other is no string.
        let is_text = undecided == 1
            && decided.iter().all(is_single)
            && unify_in(&decided, Mode::Unsafe) == Some(Type::String);
        return Some(if is_text { Type::String } else { Type::Dynamic });
    }
    covering_type(types, ChildFacts::types_only(false))
}

/// Whether the type is a collection of `dynamic`.
fn is_undecided(ty: &Type) -> bool {
    ty.element_type() == Some(&Type::Dynamic)
}

/// Whether all types are lists, all sets, all maps, all tuples or all objects.
fn are_of_one_kind(types: &[Type]) -> bool {
    let all = |is: fn(&Type) -> bool| types.iter().all(is);
    all(|ty| matches!(ty, Type::List(_)))
        || all(|ty| matches!(ty, Type::Set(_)))
        || all(|ty| matches!(ty, Type::Map(_)))
        || all(|ty| matches!(ty, Type::Tuple(_)))
        || all(|ty| matches!(ty, Type::Object(_)))
}

/// Whether each type to which the type converts also converts back. Only then a list or map of it never gives way to
/// a set or an object as the common type: an object can lose attributes, and a tuple become a list.
fn is_reversible(ty: &Type) -> bool {
    ty.is_primitive() || ty.element_type().is_some_and(is_reversible)
}

/// The type that covers a list or map converted to a common type with a child of any type: elements other than strings
/// become `dynamic`, as beside a tuple of an untyped null.
fn least_beside_undecided(ty: &Type) -> Type {
    let is_text = ty.element_type() == Some(&Type::String);
    let element = if is_text { Type::String } else { Type::Dynamic };
    with_element_type(ty, element).unwrap_or(Type::Dynamic)
}

/// The type with each `dynamic` of one type replaced by the type in the same place of the other; `None` if they differ
/// elsewhere.
fn meet_of_types(one: &Type, other: &Type) -> Option<Type> {
    match (one, other) {
        (Type::Dynamic, ty) | (ty, Type::Dynamic) => Some(ty.clone()),
        (Type::List(_), Type::List(_)) | (Type::Set(_), Type::Set(_)) | (Type::Map(_), Type::Map(_)) => {
            let elements = one.element_type().zip(other.element_type());
            with_element_type(one, elements.and_then(|(one, other)| meet_of_types(one, other))?)
        }
        (Type::Tuple(one), Type::Tuple(other)) if one.len() == other.len() => {
            let elements = one.iter().zip(other.iter()).map(|(one, other)| meet_of_types(one, other));
            Type::tuple(elements.collect::<Option<Vec<_>>>()?).ok()
        }
        (Type::Object(one), Type::Object(other)) if one.attribute_names().eq(other.attribute_names()) => {
            let both = one.iter().zip(other.iter());
            let attributes = both.map(|((name, one), (_, other))| Some((name, meet_of_types(one, other)?)));
            Type::object(attributes.collect::<Option<Vec<_>>>()?).ok()
        }
        (one, other) => (one == other).then(|| one.clone()),
    }
}

#[cfg(test)]
mod tests;
