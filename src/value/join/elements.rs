//! The join of what is known of the elements and keys of collections.

use crate::limits;
use crate::refinement::{LengthRange, Nullness, PartName, Range, Refinement};
use crate::text::{Text, common_prefix};
use crate::types::Type;

use super::{KeptStrings, MAX_STRINGS_AT_ONCE, join_two, join_unmarked};
use crate::value::equality::{is_always_null, known_text, may_be_null};
use crate::value::includes::within_type;
use crate::value::repr::{Container, MapNode};
use crate::value::set::finite::{combinations, member_refinement};
use crate::value::{Value, ValueRange, range, refined, set, within_capacity};

// Small functions: a deep value recurses through here, and stack frames are large in a debug build.

/// The smallest refinement of both lists, sets or maps, with what is known of their elements and keys; `None` if a value
/// is no such collection.
pub(super) fn join_collections(a: &Value, b: &Value, kept: KeptStrings) -> Option<Refinement> {
    if is_always_null(a) && is_always_null(b) {
        return Some(Refinement::null());
    }
    for (null, value) in [(a, b), (b, a)] {
        if is_always_null(null) && value.ty().element_type().is_some() {
            return Some(Refinement::of(of_outcomes(value, kept).range().clone()));
        }
    }
    let (own, other) = (range::of(a), range::of(b));
    let lengths = length_of(&own)?.join(length_of(&other)?);
    let (own, other) = (own.refinement(), other.refinement());
    let element = joined_element(a, b, kept)?;
    let keys = joined_keys(a, b, kept);
    let range = Range::of_elements(lengths, element, keys)?;
    let is_nullable = own.allows_null() || other.allows_null();
    let joined = Refinement::of(range);
    Some(if is_nullable { joined } else { joined.and_not_null() })
}

/// The range of the length of a collection; `None` for other values.
fn length_of(range: &ValueRange) -> Option<LengthRange> {
    match range.refinement().range() {
        Range::Any if range.ty().element_type().is_none() => None,
        Range::Any | Range::Length(_) | Range::Elements(_) => {
            let length = range.length_range().unwrap_or_default();
            Some(within_capacity(range.ty(), range.refinement().element(), length))
        }
        _ => None,
    }
}

/// The join of the refinements of two objects with the same attributes, or of two tuples of the same length. `None` for other
/// values, and if one of the two is an unknown without refined parts.
pub(super) fn join_structures(a: &Value, b: &Value, kept: KeptStrings) -> Option<Refinement> {
    let ty = a.ty();
    let are_alike = match (&ty, &b.ty()) {
        (Type::Object(a), Type::Object(b)) => a == b || a.attribute_names().eq(b.attribute_names()),
        (Type::Tuple(a), Type::Tuple(b)) => a.len() == b.len(),
        _ => false,
    };
    if !are_alike {
        return None;
    }
    for (null, value) in [(a, b), (b, a)] {
        if is_always_null(null) {
            return Some(Refinement::of(of_outcomes(value, kept).range().clone()));
        }
    }
    let mut joined = Vec::new();
    let (mut left, mut left_of_others) = (limits::STRUCTURE_SIZE, limits::STRUCTURE_SIZE);
    for name in shared_parts(a, b)? {
        let parts = (part_named(a, &name, &mut left), part_named(b, &name, &mut left_of_others));
        let (Some(own), Some(others)) = parts else { continue };
        joined.push((name, of_outcomes(&join_two(&own, &others, kept), kept)));
    }
    let joined = Refinement::of(Range::of_structure(joined));
    Some(if may_be_null(a) || may_be_null(b) { joined } else { joined.and_not_null() })
}

/// The names of the parts that both objects or tuples refine. A known or partial one refines all its parts. `None` if one of the
/// two is an unknown without refined parts.
fn shared_parts(a: &Value, b: &Value) -> Option<Vec<PartName>> {
    let of_unknown = |value: &Value| match value.refinement().map(Refinement::range) {
        Some(Range::Structure(structure)) => Some(structure.clone()),
        _ => None,
    };
    match (a.container(), b.container()) {
        (Some(_), Some(container)) => Some(part_names(&b.ty(), container.child_count())),
        (Some(_), None) => Some(of_unknown(b)?.parts().iter().map(|(name, _)| name.clone()).collect()),
        (None, Some(_)) => Some(of_unknown(a)?.parts().iter().map(|(name, _)| name.clone()).collect()),
        (None, None) => {
            let (own, others) = (of_unknown(a)?, of_unknown(b)?);
            let (few, many) =
                if own.parts().len() <= others.parts().len() { (&own, &others) } else { (&others, &own) };
            let shared = few.parts().iter().filter(|(name, _)| !many.part(name).is_trivial());
            Some(shared.map(|(name, _)| name.clone()).collect())
        }
    }
}

/// The part of an object or tuple, known or unknown. `left` is the budget of values that it may build; the number of those is
/// subtracted.
fn part_named(value: &Value, name: &PartName, left: &mut usize) -> Option<Value> {
    match (value.container(), name) {
        (Some(Container::Object(node)), PartName::Attribute(name)) => {
            node.slots.get(node.ty.index_of(name.as_str())?).cloned()
        }
        (Some(Container::Tuple(node)), PartName::Element(index)) => node.items.get(*index).cloned(),
        (Some(_), _) => None,
        (None, name) => {
            let (ty, refinement) = value.as_unknown()?;
            match (ty, name) {
                (Type::Object(ty), PartName::Attribute(name)) => {
                    let known = refinement.of_attribute(name.as_str()).clone();
                    Some(refined::canonical_within(ty.get(name.as_str())?.clone(), known, left))
                }
                (Type::Tuple(ty), PartName::Element(index)) => {
                    let known = refinement.of_tuple_element(*index).clone();
                    Some(refined::canonical_within(ty.get(*index)?.clone(), known, left))
                }
                _ => None,
            }
        }
    }
}

/// The names of all attributes of an object type, or the indices of the first `count` elements of a tuple.
fn part_names(ty: &Type, count: usize) -> Vec<PartName> {
    match ty {
        Type::Object(ty) => ty.attribute_names().map(|name| PartName::Attribute(Text::from(name))).collect(),
        _ => (0..count).map(PartName::Element).collect(),
    }
}

/// The range of the objects or tuples of a type whose parts, in order, satisfy these refinements.
fn structure_range(ty: &Type, parts: Vec<Refinement>) -> Range {
    let names = part_names(ty, parts.len());
    Range::of_structure(names.into_iter().zip(parts).collect())
}

/// What is known of every element of both collections; nothing if neither has elements. `None` if the values are no
/// collections.
fn joined_element(a: &Value, b: &Value, kept: KeptStrings) -> Option<Refinement> {
    let (of_a, of_b) = (a.ty(), b.ty());
    let (of_a, of_b) = (of_a.element_type()?, of_b.element_type()?);
    if of_a != of_b || !has_ranges(of_a) {
        let both = [nullness_of_elements(a), nullness_of_elements(b)];
        return Some(both.into_iter().flatten().reduce(|a, b| a.join(&b)).unwrap_or_default());
    }
    let elements: Vec<Value> =
        [a, b].into_iter().filter_map(|value| joined_children(value, of_a, kept)).collect();
    let joined = join_unmarked(&elements.iter().collect::<Vec<_>>(), kept);
    Some(joined.map_or_else(Refinement::any, |joined| of_outcomes(&joined, kept)))
}

/// Whether more than nullness can be known of an element of this type.
fn has_ranges(ty: &Type) -> bool {
    match ty {
        Type::Dynamic | Type::Bool | Type::Capsule(_) => false,
        Type::String | Type::Number | Type::List(_) | Type::Set(_) | Type::Map(_) => true,
        Type::Object(ty) => !ty.is_empty(),
        Type::Tuple(ty) => !ty.is_empty(),
    }
}

/// The join of all elements of a collection with this element type; `None` if it has none.
fn joined_children(value: &Value, ty: &Type, kept: KeptStrings) -> Option<Value> {
    match value.container() {
        Some(container) => {
            set::only_member(value).or_else(|| join_unmarked(&container.children().collect::<Vec<_>>(), kept))
        }
        None => {
            let range = range::of(value);
            let is_empty = range.length_range().is_some_and(|length| length.upper() == Some(0));
            (!is_empty).then(|| range.unknown_element(ty))
        }
    }
}

/// Whether elements can be null, as a refinement; `None` if there are no elements.
fn nullness_of_elements(value: &Value) -> Option<Refinement> {
    match value.container() {
        Some(container) => nullness_of_finite_set(container)
            .or_else(|| set::only_member(value).map(|only| nullness_of_value(&only)))
            .or_else(|| nullness_of(container.children())),
        None => {
            let range = range::of(value);
            let is_empty = range.length_range().is_some_and(|length| length.upper() == Some(0));
            let element = range.refinement().element();
            (!is_empty).then(|| match element.nullness() {
                Nullness::Nullable => Refinement::any(),
                Nullness::NotNull => Refinement::not_null(),
                Nullness::Null => Refinement::null(),
            })
        }
    }
}

/// Whether the values can be null, as a refinement; `None` if there are no values.
fn nullness_of<'a>(values: impl Iterator<Item = &'a Value>) -> Option<Refinement> {
    values.map(nullness_of_value).reduce(|a, b| a.join(&b))
}

/// Whether the value can be null, as a refinement.
fn nullness_of_value(value: &Value) -> Refinement {
    match (may_be_null(value), is_always_null(value)) {
        (_, true) => Refinement::null(),
        (true, false) => Refinement::any(),
        (false, false) => Refinement::not_null(),
    }
}

/// Whether the members of a set of a finite element type can be null, by all sets that it may become; `None` for other
/// containers.
fn nullness_of_finite_set(container: &Container) -> Option<Refinement> {
    let Container::Set(node) = container else { return None };
    let mask = combinations(&node.ty, &node.known, &node.not_wholly_known, node.length)?;
    member_refinement(&node.ty, mask)
}

/// What is known of every element of all these lists, sets or maps of one element type. Content behind marks counts like
/// any other: whoever uses it marks what comes of it.
pub(crate) fn elements_of_all<'a>(collections: impl IntoIterator<Item = &'a Value>) -> Refinement {
    let (mut elements, mut nullness) = (Vec::new(), None);
    for value in collections {
        let ty = value.ty();
        let Some(element) = ty.element_type() else { return Refinement::any() };
        let unmarked = value.contains_marks().then(|| value.unmark_deep().0);
        let value = unmarked.as_ref().unwrap_or(value);
        if has_ranges(element) {
            elements.extend(joined_children(value, element, KeptStrings::Each));
        } else if let Some(of_value) = nullness_of_elements(value) {
            nullness = Some(nullness.map_or(of_value.clone(), |before: Refinement| before.join(&of_value)));
        }
    }
    match (join_unmarked(&elements.iter().collect::<Vec<_>>(), KeptStrings::Each), nullness) {
        (Some(joined), None) => of_outcomes(&joined, KeptStrings::Each),
        (None, Some(nullness)) => nullness,
        _ => Refinement::any(),
    }
}

/// What is known of all these values of one type, as a refinement; `None` if there are none.
pub(in crate::value) fn refinement_of_all(values: &[&Value], ty: &Type) -> Option<Refinement> {
    if !has_ranges(ty) {
        return nullness_of(values.iter().copied());
    }
    join_unmarked(values, KeptStrings::Prefix).map(|joined| of_outcomes(&joined, KeptStrings::Prefix))
}

/// The smallest refinement of all outcomes of a value, with what is known of the elements and keys of a collection.
pub fn refinement_of_outcomes(value: &Value) -> Refinement {
    of_outcomes(&value.unmark_deep().0, KeptStrings::Each)
}

/// The smallest refinement of all outcomes of a value without marks, with what is known of the elements and keys of a collection.
fn of_outcomes(value: &Value, kept: KeptStrings) -> Refinement {
    if let Some(text) = known_text(value) {
        return Refinement::some_of(&[text]).and_not_null();
    }
    let range = range::of(value);
    if let (Some(container), Type::Object(_) | Type::Tuple(_)) = (value.container(), range.ty()) {
        let mut parts = Vec::new();
        for part in container.children() {
            parts.push(of_outcomes(part, kept));
        }
        return Refinement::of(structure_range(range.ty(), parts)).and_not_null();
    }
    let with_elements = value.container().and_then(|_| {
        let element = joined_child(value, value.ty().element_type()?, kept);
        let keys = keys_of(value, kept).map_or(Range::Any, |keys| of_outcomes(&keys, kept).range().clone());
        let length = range.length_range().unwrap_or_default();
        Range::of_elements(length, element.unwrap_or_default(), keys)
    });
    match with_elements {
        Some(range) => Refinement::of(range).and_not_null(),
        None if range.nullness() == Nullness::Null => Refinement::null(),
        None => range.refinement().clone().and_range(within_type(&range)),
    }
}

/// What is known of every element of a known or partial collection.
fn joined_child(value: &Value, ty: &Type, kept: KeptStrings) -> Option<Refinement> {
    if !has_ranges(ty) {
        return nullness_of_elements(value);
    }
    joined_children(value, ty, kept).map(|joined| of_outcomes(&joined, kept))
}

/// What is known of every key of both maps; `Any` for other collections.
fn joined_keys(a: &Value, b: &Value, kept: KeptStrings) -> Range {
    let keys: Vec<Value> = [a, b].into_iter().filter_map(|value| keys_of(value, kept)).collect();
    match keys.as_slice() {
        [a, b] => of_outcomes(&join_two(a, b, kept), kept).range().clone(),
        [only] => of_outcomes(only, kept).range().clone(),
        _ => Range::Any,
    }
}

/// The join of the keys of a map, as a string; `None` if it has no keys, and for other collections.
fn keys_of(value: &Value, kept: KeptStrings) -> Option<Value> {
    match value.container() {
        Some(Container::Map(map)) => known_keys(map, kept),
        Some(_) => None,
        None => {
            let range = range::of(value);
            let is_empty = range.length_range().is_some_and(|length| length.upper() == Some(0));
            (matches!(range.ty(), Type::Map(_)) && !is_empty).then(|| range.unknown_key())
        }
    }
}

/// The join of the keys of a known or partial map, as a string.
fn known_keys(map: &MapNode, kept: KeptStrings) -> Option<Value> {
    let keys: Vec<&str> = map.entries.iter().map(|(key, _)| key.as_str()).collect();
    let common = keys.iter().copied().reduce(common_prefix)?;
    let are_few = keys.len() <= MAX_STRINGS_AT_ONCE && kept == KeptStrings::Each || keys.len() == 1;
    let strings = if are_few { Refinement::some_of(&keys) } else { Refinement::prefix(common) };
    Some(refined::canonical(Type::String, strings.and_not_null()))
}
