//! The element type of a collection of parts of different types, where any one type will do.

use crate::types::Type;

use super::matrix::Query;
use super::unify::{common, may_unify};

/// The type that parts of these types become. In a map, untyped nulls take the type of the others where those have one
/// type; else all or none of the parts are untyped.
pub(super) fn agreed(types: &[Type], to_map: bool, query: &Query) -> Option<Type> {
    let found = common(types, query.of_common())?;
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

/// What is known of the parts beside their types.
#[derive(Clone, Copy)]
pub(super) struct Seen {
    pub(super) to_map: bool,
    /// There are untyped nulls, which are not among the types.
    pub(super) nulls: bool,
    /// Each part of a decided type is there, and is not null.
    pub(super) there: bool,
}

impl Seen {
    pub(super) fn types_only(to_map: bool) -> Seen {
        Seen { to_map, nulls: false, there: false }
    }
}

/// The least type that holds each that the parts may agree on, where `dynamic` is a type that is yet to be decided;
/// none where they cannot agree.
///
/// | decided parts | beside what is undecided |
/// |---|---|
/// | string, or number and bool | string |
/// | number; bool | undecided: the others may be strings |
/// | list or map of one type | the same of what its elements may become: of string nothing but string |
/// | lists and tuples; sets; maps | a list; set; map of what their elements may become, where none is undecided itself |
/// | lists, sets or tuples, and maps or objects | none |
/// | others | undecided |
pub(super) fn covering(types: &[Type], seen: Seen) -> Option<Type> {
    let is_single = |ty: &&Type| ty.is_primitive() || matches!(ty, Type::Capsule(_));
    let has = |wanted: &Type| types.contains(wanted);
    let undecided = has(&Type::Dynamic);
    let mut decided = types.iter().filter(|ty| **ty != Type::Dynamic);
    let capsules = types.iter().any(|ty| matches!(ty, Type::Capsule(_)));
    if types.iter().any(|ty| ty.is_primitive()) && !capsules {
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
    if !capsules && types.iter().any(|ty| is_keyed(&ty)) && types.iter().any(|ty| is_listed(&ty)) {
        return None;
    }
    if let Some(first) = decided.next()
        && decided.all(|ty| ty == first)
    {
        if seen.nulls && !undecided && !capsules {
            // The nulls take the type of the others, or there is no common one.
            return seen.to_map.then(|| first.clone());
        }
        if matches!(first, Type::List(_) | Type::Map(_))
            && (is_reversible(first) || seen.there && is_undecided_collection(first))
        {
            // Beside an untyped null the type is that of a part.
            return Some(if seen.nulls { first.clone() } else { least_beside_undecided(first) });
        }
    }
    if !undecided
        && !capsules
        && !seen.nulls
        && let Some(found) = of_one_kind(types)
    {
        return found;
    }
    let with_null = [types, &[Type::Dynamic]].concat();
    may_unify(if seen.nulls { &with_null } else { types }).then_some(Type::Dynamic)
}

/// Of collections of one kind, or of lists and tuples: whatever is decided, they become a collection of that kind.
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
    let element = covering(&parts.cloned().collect::<Vec<_>>(), Seen::types_only(false));
    Some(element.map(|element| kind(element).unwrap_or(Type::Dynamic)))
}

fn is_undecided_collection(ty: &Type) -> bool {
    ty.element_type().is_some_and(|element| *element == Type::Dynamic)
}

/// Whether each type that the type converts to converts back, so that a list or map of it is never left for a set or
/// an object: an object can lose attributes, and a tuple become a list.
fn is_reversible(ty: &Type) -> bool {
    ty.is_primitive() || ty.element_type().is_some_and(is_reversible)
}

/// What a type becomes beside one that may be any.
fn least_beside_undecided(ty: &Type) -> Type {
    match ty {
        Type::String => Type::String,
        Type::List(list) => Type::list(least_beside_undecided(list.element())).unwrap_or(Type::Dynamic),
        Type::Map(map) => Type::map(least_beside_undecided(map.element())).unwrap_or(Type::Dynamic),
        _ => Type::Dynamic,
    }
}
