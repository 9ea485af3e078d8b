//! The type that values of several types have in common.

use std::collections::HashSet;

use crate::types::Type;

use super::matrix::{Mode, Safety, available};

/// The type that values of all these types convert to, by cty's rules; none when there is none.
///
/// Equal types are looked at once, so that many of a few types cost no more than reading them. Where several types
/// would do, as with `map(object({}))` and `object({})`, the order in which they are given can decide which one it is.
///
/// | types | common type |
/// |---|---|
/// | all equal | that type |
/// | string with bool or number | string |
/// | bool with number | none |
/// | lists; sets; maps | the same of the common element type |
/// | list with set or tuple | list |
/// | set with tuple | set |
/// | map with object | map |
/// | objects of the same attribute names | object of the common types, attribute by attribute |
/// | other objects | map of the common type of all attributes |
/// | tuples of the same length | tuple of the common types, element by element |
/// | other tuples | list of the common type of all elements |
/// | dynamic with others | safely dynamic; unsafely the others' type, but dynamic with collections or structures of one kind |
///
/// ```
/// use plantime::{Safety, Type, unify};
///
/// assert_eq!(unify(&[Type::Number, Type::String], Safety::Safe), Some(Type::String));
/// assert_eq!(unify(&[Type::Number, Type::Bool], Safety::Safe), None);
/// assert_eq!(unify(&[Type::Dynamic, Type::Number], Safety::Safe), Some(Type::Dynamic));
/// assert_eq!(unify(&[Type::Dynamic, Type::Number], Safety::Unsafe), Some(Type::Number));
/// ```
pub fn unify(types: &[Type], safety: Safety) -> Option<Type> {
    unify_in(types, if safety == Safety::Safe { Mode::Safe } else { Mode::Unsafe })
}

/// Whether types can have a common one once what is dynamic is decided.
pub(super) fn may_unify(types: &[Type]) -> bool {
    if unify_in(types, Mode::Unsafe).is_some() {
        return true;
    }
    if types.iter().any(|ty| ty.has_dynamic() && *ty != Type::Dynamic) {
        return true;
    }
    let mut decided: Vec<Type> = types.iter().filter(|ty| **ty != Type::Dynamic).cloned().collect();
    if decided.len() == types.len() {
        return false;
    }
    decided.push(Type::String);
    unify_in(&decided, Mode::Unsafe).is_some()
}

pub(super) fn unify_in(types: &[Type], mode: Mode) -> Option<Type> {
    let distinct = distinct(types);
    let (first, rest) = distinct.split_first()?;
    if rest.is_empty() {
        return Some((*first).clone());
    }
    let dynamic = distinct.contains(&&Type::Dynamic);
    let kinds = Kinds::of(&distinct);
    let others: Vec<&Type> = distinct.iter().copied().filter(|ty| **ty != Type::Dynamic).collect();
    if kinds.object && kinds.tuple {
        return None;
    }
    let found = match kinds {
        Kinds { map: true, object: true, list: false, set: false, tuple: false, single: false } => {
            map_and_objects(&others, dynamic, mode)
        }
        Kinds { list: true, tuple: true, map: false, object: false, set: false, single: false } => {
            list_and_tuples(&others, dynamic, mode)
        }
        _ if kinds.count() == 1 && !kinds.single => return of_one_kind(&others, dynamic, mode),
        _ => None,
    };
    found.or_else(|| most_general(&distinct, mode))
}

/// Each type once, in the order in which they come.
fn distinct(types: &[Type]) -> Vec<&Type> {
    let mut seen: HashSet<&Type> = HashSet::new();
    let mut last = None;
    types
        .iter()
        .filter(|ty| {
            let again = last == Some(*ty);
            last = Some(*ty);
            !again && seen.insert(ty)
        })
        .collect()
}

#[derive(Clone, Copy, Default)]
struct Kinds {
    /// Of no parts: primitive types and capsules.
    single: bool,
    list: bool,
    set: bool,
    map: bool,
    tuple: bool,
    object: bool,
}

impl Kinds {
    fn of(types: &[&Type]) -> Kinds {
        let mut kinds = Kinds::default();
        for ty in types {
            match ty {
                Type::Dynamic => {}
                Type::Bool | Type::Number | Type::String | Type::Capsule(_) => kinds.single = true,
                Type::List(_) => kinds.list = true,
                Type::Set(_) => kinds.set = true,
                Type::Map(_) => kinds.map = true,
                Type::Tuple(_) => kinds.tuple = true,
                Type::Object(_) => kinds.object = true,
            }
        }
        kinds
    }

    fn count(self) -> usize {
        let Kinds { single, list, set, map, tuple, object } = self;
        [single, list, set, map, tuple, object].into_iter().filter(|kind| *kind).count()
    }
}

/// Of collections or structures of one kind.
fn of_one_kind(types: &[&Type], dynamic: bool, mode: Mode) -> Option<Type> {
    if dynamic {
        return Some(Type::Dynamic);
    }
    match types.first()? {
        Type::List(_) => Type::list(elements(types, mode)?).ok(),
        Type::Set(_) => Type::set(elements(types, mode)?).ok(),
        Type::Map(_) => Type::map(elements(types, mode)?).ok(),
        Type::Tuple(_) => tuples(types, mode),
        _ => objects(types, mode),
    }
}

fn elements(types: &[&Type], mode: Mode) -> Option<Type> {
    let elements: Vec<Type> = types.iter().filter_map(|ty| ty.element_type().cloned()).collect();
    unify_in(&elements, mode)
}

fn tuples(types: &[&Type], mode: Mode) -> Option<Type> {
    let tuples: Vec<_> = types
        .iter()
        .filter_map(|ty| match ty {
            Type::Tuple(tuple) => Some(tuple),
            _ => None,
        })
        .collect();
    let length = tuples.first()?.len();
    if tuples.iter().any(|tuple| tuple.len() != length) {
        let all: Vec<Type> = tuples.iter().flat_map(|tuple| tuple.iter().cloned()).collect();
        return Type::list(unify_in(&all, mode)?).ok();
    }
    let mut unified = Vec::with_capacity(length);
    for index in 0..length {
        let column: Vec<Type> = tuples.iter().filter_map(|tuple| tuple.get(index).cloned()).collect();
        unified.push(unify_in(&column, mode)?);
    }
    Type::tuple(unified).ok()
}

fn objects(types: &[&Type], mode: Mode) -> Option<Type> {
    let objects: Vec<_> = types
        .iter()
        .filter_map(|ty| match ty {
            Type::Object(object) => Some(object),
            _ => None,
        })
        .collect();
    let first = objects.first()?;
    if objects.iter().any(|object| !object.attribute_names().eq(first.attribute_names())) {
        let all: Vec<Type> =
            objects.iter().flat_map(|object| object.iter().map(|(_, ty)| ty.clone())).collect();
        return Type::map(unify_in(&all, mode)?).ok();
    }
    let mut unified = Vec::with_capacity(first.len());
    for (index, name) in first.attribute_names().enumerate() {
        let column: Vec<Type> = objects.iter().filter_map(|object| object.type_at(index).cloned()).collect();
        unified.push((name, unify_in(&column, mode)?));
    }
    Type::object(unified).ok()
}

fn map_and_objects(types: &[&Type], dynamic: bool, mode: Mode) -> Option<Type> {
    if dynamic {
        // Whether what is dynamic may become the collection is a question of safety.
        return None;
    }
    let (mut elements, mut attributes) = (Vec::new(), Vec::new());
    for ty in types {
        match ty {
            Type::Map(map) => elements.push(map.element().clone()),
            Type::Object(object) => attributes.extend(object.iter().map(|(_, ty)| ty.clone())),
            _ => {}
        }
    }
    if !attributes.is_empty() {
        elements.push(unify_in(&attributes, mode)?);
    }
    Type::map(unify_in(&elements, mode)?).ok()
}

fn list_and_tuples(types: &[&Type], dynamic: bool, mode: Mode) -> Option<Type> {
    if dynamic {
        // Whether what is dynamic may become the collection is a question of safety.
        return None;
    }
    let (mut elements, mut parts) = (Vec::new(), Vec::new());
    for ty in types {
        match ty {
            Type::List(list) => elements.push(list.element().clone()),
            Type::Tuple(tuple) => parts.extend(tuple.iter().cloned()),
            _ => {}
        }
    }
    if !parts.is_empty() {
        elements.push(unify_in(&parts, mode)?);
    }
    Type::list(unify_in(&elements, mode)?).ok()
}

/// How many types are tried one by one where none is above all others: failing stays linear.
const TRIED: usize = 8;

/// The first of the types, the most general ones first, that all others convert to.
fn most_general(types: &[&Type], mode: Mode) -> Option<Type> {
    let takes_all = |candidate: &Type| {
        let target = candidate.into();
        types.iter().all(|ty| available(ty, &target, mode))
    };
    let (first, rest) = types.split_first()?;
    let top = rest.iter().fold(*first, |top, ty| if is_above(ty, top) { ty } else { top });
    if takes_all(top) {
        return Some(top.clone());
    }
    let not_dynamic = types.iter().copied().filter(|ty| **ty != Type::Dynamic).take(TRIED);
    let dynamic = types.iter().copied().filter(|ty| **ty == Type::Dynamic);
    not_dynamic.chain(dynamic).find(|candidate| takes_all(candidate)).cloned()
}

/// Whether a type is more general than another, in cty's order.
fn is_above(a: &Type, b: &Type) -> bool {
    match (a, b) {
        (Type::Dynamic, _) => false,
        (_, Type::Dynamic)
        | (Type::String, Type::Bool | Type::Number)
        | (Type::List(_), Type::Tuple(_))
        | (Type::List(_) | Type::Tuple(_), Type::Set(_))
        | (Type::Map(_), Type::Object(_)) => true,
        (Type::List(a), Type::List(b)) => is_above(a.element(), b.element()),
        (Type::Set(a), Type::Set(b)) => is_above(a.element(), b.element()),
        (Type::Map(a), Type::Map(b)) => is_above(a.element(), b.element()),
        (Type::Tuple(a), Type::Tuple(b)) => {
            a.len() == b.len() && a != b && a.iter().zip(b).all(|(a, b)| a == b || is_above(a, b))
        }
        (Type::Object(a), Type::Object(b)) => {
            a != b
                && a.attribute_names().eq(b.attribute_names())
                && a.iter().zip(b.iter()).all(|((_, a), (_, b))| a == b || is_above(a, b))
        }
        _ => false,
    }
}
