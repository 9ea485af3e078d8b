//! The common type of several types: the type to which all of them convert.

use std::collections::HashSet;

use crate::types::{ObjectType, TupleType, Type};

use super::available::{Mode, Query, Safety};
use super::most_general::{all_convert_to, most_general};

/// The common type that values of all these types convert to, by cty's rules; `None` if there is no such type.
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
/// The order in which the types are given does not matter, nor how often each is. Every one of them converts to the
/// common type ([`conversion`](super::conversion)), safely where that is asked for. Types with a safe common type
/// have an unsafe one too, unless the safe one has `dynamic` in it: `tuple([dynamic])`, `tuple([bool])` and
/// `list(number)` are safely a `list(dynamic)`; unsafely what is dynamic is taken for a bool, and lists of bools and
/// of numbers have nothing in common.
///
/// Where the types differ in kind, as with a set and a tuple, the common type is one of them: the most general one
/// that all others convert to. A string is more general than a number or bool, a list than a tuple or set, a tuple
/// than a set, a map than an object, and everything is more general than dynamic; below that parts decide. Of
/// `set(object({a = string, b = bool}))` and `set(object({a = bool, b = string}))` neither is: there the first part
/// that differs decides. Nothing becomes a capsule: a capsule and what it converts to have the latter in common.
///
/// The work is in proportion to the size of the types, times the logarithm of their number. Where none of very many
/// types takes all others but most take nearly all, not every one is tried, and there may be no answer.
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

/// Whether the types can have a common type once each `dynamic` in them is known.
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

/// The common type that [`unify`] finds, with the conversions that the mode makes available; `None` if there is none.
pub(super) fn unify_in(types: &[Type], mode: Mode) -> Option<Type> {
    common_type(types, Query::new(mode).of_common())
}

// The kinds of types, as bits.
/// The bit of list types in a mask of kinds of types.
const LIST: u8 = 1;
/// The bit of set types.
const SET: u8 = 2;
/// The bit of map types.
const MAP: u8 = 4;
/// The bit of tuple types.
const TUPLE: u8 = 8;
/// The bit of object types.
const OBJECT: u8 = 16;
/// The bit of types without types inside: primitive and capsule types.
const WITHOUT_PARTS: u8 = 32;
/// The bit of the type `dynamic`.
const DYNAMIC: u8 = 64;

/// The bits of lists and tuples: their common type is a list, if all convert to one.
const LIST_AND_TUPLE: u8 = LIST | TUPLE;
/// The bits of maps and objects: their common type is a map, if all convert to one.
const MAP_AND_OBJECT: u8 = MAP | OBJECT;

/// The kind of a type, as a bit.
fn kind_bit(ty: &Type) -> u8 {
    match ty {
        Type::Dynamic => DYNAMIC,
        Type::Bool | Type::Number | Type::String | Type::Capsule(_) => WITHOUT_PARTS,
        Type::List(_) => LIST,
        Type::Set(_) => SET,
        Type::Map(_) => MAP,
        Type::Tuple(_) => TUPLE,
        Type::Object(_) => OBJECT,
    }
}

/// The common type of the types. All nested types share the cache of one query.
pub(super) fn common_type(types: &[Type], query: &Query) -> Option<Type> {
    let types = distinct(types);
    let (first, rest) = types.split_first()?;
    if rest.is_empty() {
        return Some((*first).clone());
    }
    let kinds = types.iter().fold(0, |kinds, ty| kinds | kind_bit(ty));
    let is_dynamic = kinds & DYNAMIC != 0;
    match kinds & !DYNAMIC {
        kinds if kinds & TUPLE != 0 && kinds & OBJECT != 0 => None,
        LIST | SET | MAP | TUPLE | OBJECT if is_dynamic => Some(Type::Dynamic),
        LIST => Type::list(common_element(&types, query)?).ok(),
        SET => Type::set(common_element(&types, query)?).ok(),
        MAP => Type::map(common_element(&types, query)?).ok(),
        TUPLE => common_tuple(&types, query),
        OBJECT => common_object(&types, query),
        // Whether what is dynamic may become the collection is a question of safety.
        LIST_AND_TUPLE | MAP_AND_OBJECT if !is_dynamic => {
            common_collection_type(&types, query).or_else(|| most_general(&types, query))
        }
        _ => most_general(&types, query),
    }
}

/// The types without duplicates.
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

/// The common element type of collections of one kind.
fn common_element(types: &[&Type], query: &Query) -> Option<Type> {
    let elements: Vec<Type> = types.iter().filter_map(|ty| ty.element_type().cloned()).collect();
    common_type(&elements, query)
}

/// The common type of tuple types.
fn common_tuple(types: &[&Type], query: &Query) -> Option<Type> {
    let as_tuple = |ty: &&Type| match ty {
        Type::Tuple(tuple) => Some(tuple.clone()),
        _ => None,
    };
    let tuples: Vec<TupleType> = types.iter().filter_map(as_tuple).collect();
    let length = tuples.first()?.len();
    if tuples.iter().any(|tuple| tuple.len() != length) {
        let all: Vec<Type> = tuples.iter().flat_map(|tuple| tuple.iter().cloned()).collect();
        let list = Type::list(common_type(&all, query)?).ok()?;
        return if_all_convert(list, types, query);
    }
    let mut unified = Vec::with_capacity(length);
    for index in 0..length {
        let column: Vec<Type> = tuples.iter().filter_map(|tuple| tuple.get(index).cloned()).collect();
        unified.push(common_type(&column, query)?);
    }
    Type::tuple(unified).ok()
}

/// The common type of object types.
fn common_object(types: &[&Type], query: &Query) -> Option<Type> {
    let as_object = |ty: &&Type| match ty {
        Type::Object(object) => Some(object.clone()),
        _ => None,
    };
    let objects: Vec<ObjectType> = types.iter().filter_map(as_object).collect();
    let first = objects.first()?;
    if objects.iter().any(|object| !object.attribute_names().eq(first.attribute_names())) {
        let all: Vec<Type> =
            objects.iter().flat_map(|object| object.iter().map(|(_, ty)| ty.clone())).collect();
        let map = Type::map(common_type(&all, query)?).ok()?;
        return if_all_convert(map, types, query);
    }
    let mut unified = Vec::with_capacity(first.len());
    for (index, name) in first.attribute_names().enumerate() {
        let column: Vec<Type> = objects.iter().filter_map(|object| object.type_at(index).cloned()).collect();
        unified.push((name, common_type(&column, query)?));
    }
    Type::object(unified).ok()
}

/// The collection type if all types convert to it; certain where nothing in it is undecided.
fn if_all_convert(collection: Type, types: &[&Type], query: &Query) -> Option<Type> {
    let is_decided = !collection.has_dynamic();
    (is_decided || all_convert_to(&collection, types, query)).then_some(collection)
}

/// The common type of collections and structures, where tuples and objects are converted to collections.
fn common_collection_type(types: &[&Type], query: &Query) -> Option<Type> {
    let (mut elements, mut parts, mut is_map) = (Vec::new(), Vec::new(), false);
    for ty in types {
        match ty {
            Type::Object(object) => parts.extend(object.iter().map(|(_, ty)| ty.clone())),
            Type::Tuple(tuple) => parts.extend(tuple.iter().cloned()),
            ty => {
                is_map |= matches!(ty, Type::Map(_));
                elements.extend(ty.element_type().cloned());
            }
        }
    }
    if !parts.is_empty() {
        elements.push(common_type(&parts, query)?);
    }
    let element = common_type(&elements, query)?;
    let collection = if is_map { Type::map(element) } else { Type::list(element) }.ok()?;
    // Conversion is not transitive: bool to string and string to number exist, bool to number does not.
    all_convert_to(&collection, types, query).then_some(collection)
}
