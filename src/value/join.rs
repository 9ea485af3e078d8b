//! The join of values: the narrowest value that contains every outcome of each of them (a least upper bound).

use std::collections::HashSet;

use crate::refinement::{Nullness, Range, Refinement, StringLanguage};
use crate::text::{Text, common_prefix};
use crate::types::{ListType, MapType, SetType, Type};

use super::equality::{is_always_null, known_text};
use super::repr::{Container, ListNode, MapNode};
use super::{Value, build, order, range, refined, set};

mod elements;
mod marks;

pub(crate) use elements::elements_of_all;
pub(super) use elements::refinement_of_all;
pub use elements::refinement_of_outcomes;

/// The maximum number of strings that are joined one after the other; of more, the prefix that they have in common is known. Each
/// step builds an automaton.
const MAX_JOINED_STRINGS: usize = 16;

/// The maximum number of known strings in a join whose automaton is built in one step; of more, their common prefix is known.
const MAX_STRINGS_AT_ONCE: usize = 256;

/// The maximum number of states of a language to which a string is added.
const MAX_JOINED_STATES: usize = 64;

/// The join of values: the narrowest value that contains every outcome of each; `None` for no values. The join has the
/// marks of all values, at the top and at each child of containers of one shape; marks inside a container that the join
/// does not keep move to the nearest container that it keeps.
///
/// Linear in the size of all values together: the join of the values so far is an unknown, or has at most the size of
/// the next value.
pub fn join(values: &[&Value]) -> Option<Value> {
    join_keeping(values, KeptStrings::Each)
}

/// As [`join`], but of different strings only their common prefix is kept: for joins of many pairs, each of which would build
/// automata.
pub(crate) fn join_to_prefixes(values: &[&Value]) -> Option<Value> {
    join_keeping(values, KeptStrings::Prefix)
}

/// What a join keeps of different strings.
#[derive(Clone, Copy, PartialEq, Eq)]
enum KeptStrings {
    /// That the string is one of them, or in one of their languages.
    Each,
    /// Their common prefix.
    Prefix,
}

/// The join, which keeps of different strings what `kept` says.
fn join_keeping(values: &[&Value], kept: KeptStrings) -> Option<Value> {
    if values.len() < 2 || !values.iter().any(|value| value.contains_marks()) {
        return join_unmarked(values, kept);
    }
    let bare: Vec<Value> = values.iter().map(|value| value.unmark_deep().0).collect();
    let joined = join_unmarked(&bare.iter().collect::<Vec<_>>(), kept)?;
    Some(marks::with_marks_of_joined(&joined, values))
}

/// The join of values without marks. Known strings are joined in one step, since each step more builds an automaton.
fn join_unmarked(values: &[&Value], kept: KeptStrings) -> Option<Value> {
    let nulls = values.iter().filter(|value| value.is_null()).count();
    if nulls > 1 {
        // Each null more would go through all that is known of the attributes of an object.
        let mut types = HashSet::new();
        let mut is_new = |value: &Value| !value.is_null() || types.insert(value.ty());
        let distinct: Vec<&Value> = values.iter().copied().filter(|value| is_new(value)).collect();
        if distinct.len() < values.len() {
            return join_unmarked(&distinct, kept);
        }
    }
    let (first, rest) = values.split_first()?;
    if values.len() > 2
        && let Some(numbers) = values.iter().map(|value| value.number().cloned()).collect::<Option<Vec<_>>>()
    {
        // One list, sorted once.
        let numbers = Range::of_numbers(numbers).map(Refinement::of).unwrap_or_default();
        return Some(refined::canonical(Type::Number, numbers.and_not_null()));
    }
    let strings: Vec<&str> = values.iter().filter_map(|value| known_text(value)).collect();
    if strings.len() < 3 || kept == KeptStrings::Prefix {
        return Some(rest.iter().fold((*first).clone(), |joined, value| join_two(&joined, value, kept)));
    }
    let strings = if strings.len() > MAX_STRINGS_AT_ONCE {
        let common = strings.iter().copied().reduce(common_prefix).unwrap_or_default();
        Refinement::prefix(common)
    } else {
        Refinement::some_of(&strings)
    };
    let strings = refined::canonical(Type::String, strings.and_not_null());
    let others = values.iter().filter(|value| known_text(value).is_none());
    Some(others.fold(strings, |joined, value| join_two(&joined, value, kept)))
}

// Small functions with loops: a deep value recurses through here, and stack frames are large in a debug build.

/// The join of two values without marks.
fn join_two(a: &Value, b: &Value, kept: KeptStrings) -> Value {
    let joined = match (a.container(), b.container()) {
        (Some(x), Some(y)) if x.same(y) => Some(a.clone()),
        (Some(Container::Set(_)), _) | (_, Some(Container::Set(_))) if !order::content(a, b).is_eq() => {
            join_sets(a, b)
        }
        (Some(x), Some(y)) => join_containers(x, y, kept),
        _ => join_finite_sets(a, b),
    };
    match joined {
        Some(joined) => joined,
        None if order::content(a, b).is_eq() => a.clone(),
        None => join_ranges(a, b, kept),
    }
}

/// The join of two sets whose element type has few values, such as bool, if one of them is unknown and something is known of
/// its members; `None` for other values.
fn join_finite_sets(a: &Value, b: &Value) -> Option<Value> {
    let has_refined_members =
        |value: &Value| matches!(value.refinement().map(Refinement::range), Some(Range::Elements(_)));
    if !has_refined_members(a) && !has_refined_members(b) {
        return None;
    }
    match a.ty() {
        Type::Set(ty) if !order::content(a, b).is_eq() => set::finite::join(a, b, &ty),
        _ => None,
    }
}

/// The join of two containers of one shape, child by child; `None` if their shapes differ.
fn join_containers(a: &Container, b: &Container, kept: KeptStrings) -> Option<Value> {
    match (a, b) {
        (Container::Tuple(a), Container::Tuple(b)) if a.items.len() == b.items.len() => {
            build::tuple_of_parts(&a.ty, join_items(&a.items, &b.items, kept)).ok()
        }
        (Container::Object(a), Container::Object(b))
            if a.ty == b.ty || a.ty.attribute_names().eq(b.ty.attribute_names()) =>
        {
            build::object_of_parts(&a.ty, join_items(&a.slots, &b.slots, kept)).ok()
        }
        // Two empty collections of different types have no join that is a known collection: its element type is
        // unknown.
        (Container::List(x), Container::List(y)) if x.ty == y.ty || !x.items.is_empty() => {
            let Type::List(ty) = least_type(&a.ty(), &b.ty()) else { return None };
            join_lists(x, y, ty, kept)
        }
        (Container::Map(x), Container::Map(y)) if x.ty == y.ty || !x.entries.is_empty() => {
            let Type::Map(ty) = least_type(&a.ty(), &b.ty()) else { return None };
            join_maps(x, y, ty, kept)
        }
        _ => None,
    }
}

/// The join of two sets; `None` if a value is of another type, or if `set::join::join_sets` gives none.
fn join_sets(a: &Value, b: &Value) -> Option<Value> {
    match least_type(&a.ty(), &b.ty()) {
        Type::Set(ty) => set::join::join_sets(a, b, ty),
        _ => None,
    }
}

/// The joins of corresponding values.
fn join_items(a: &[Value], b: &[Value], kept: KeptStrings) -> Vec<Value> {
    let mut joined = Vec::with_capacity(a.len());
    for (a, b) in a.iter().zip(b) {
        joined.push(join_two(a, b, kept));
    }
    joined
}

/// The join of two lists as a list of type `ty`; `None` if the lengths differ.
fn join_lists(a: &ListNode, b: &ListNode, ty: ListType, kept: KeptStrings) -> Option<Value> {
    if a.items.len() != b.items.len() {
        return None;
    }
    let mut joined = Vec::with_capacity(a.items.len());
    for (a, b) in a.items.iter().zip(&b.items) {
        joined.push(join_elements(a, b, ty.element(), kept));
    }
    Some(build::list_node(ty, joined.into_boxed_slice()))
}

/// The join of two maps as a map of type `ty`; `None` if the keys differ.
fn join_maps(a: &MapNode, b: &MapNode, ty: MapType, kept: KeptStrings) -> Option<Value> {
    if !a.entries.iter().map(|(key, _)| key).eq(b.entries.iter().map(|(key, _)| key)) {
        return None;
    }
    let mut joined: Vec<(Text, Value)> = Vec::with_capacity(a.entries.len());
    for ((key, a), (_, b)) in a.entries.iter().zip(&b.entries) {
        joined.push((key.clone(), join_elements(a, b, ty.element(), kept)));
    }
    Some(build::map_node(ty, joined.into_boxed_slice()))
}

/// The join of two elements of collections, as an element of a collection with the element type `ty`: of exactly this
/// type. If `ty` contains `dynamic`, a null or an empty collection stands for one of any type, as in
/// [`Value::inside_collection`].
fn join_elements(a: &Value, b: &Value, ty: &Type, kept: KeptStrings) -> Value {
    if !ty.has_dynamic() {
        return join_two(a, b, kept);
    }
    let joined = match (a.container(), b.container()) {
        (Some(x), Some(y)) if x.same(y) && a.has_type(ty) => Some(a.clone()),
        (Some(Container::Set(_)), _) | (_, Some(Container::Set(_))) => join_dynamic_sets(a, b, ty),
        (Some(x), Some(y)) => join_dynamic_containers(x, y, ty, kept),
        _ => None,
    };
    joined.unwrap_or_else(|| join_dynamic_ranges(a, b, ty, kept))
}

/// The join of two containers as a container of type `ty`, which contains `dynamic`; `None` if their shapes differ.
fn join_dynamic_containers(a: &Container, b: &Container, ty: &Type, kept: KeptStrings) -> Option<Value> {
    match (a, b, ty) {
        (Container::Tuple(a), Container::Tuple(b), Type::Tuple(ty)) => {
            let mut joined = Vec::with_capacity(a.items.len());
            for ((a, b), ty) in a.items.iter().zip(&b.items).zip(ty) {
                joined.push(join_elements(a, b, ty, kept));
            }
            build::tuple_of_parts(ty, joined).ok()
        }
        (Container::Object(a), Container::Object(b), Type::Object(ty)) => {
            let mut joined = Vec::with_capacity(a.slots.len());
            for ((a, b), (_, ty)) in a.slots.iter().zip(&b.slots).zip(ty.iter()) {
                joined.push(join_elements(a, b, ty, kept));
            }
            build::object_of_parts(ty, joined).ok()
        }
        (Container::List(a), Container::List(b), Type::List(ty)) => join_lists(a, b, ty.clone(), kept),
        (Container::Map(a), Container::Map(b), Type::Map(ty)) => join_maps(a, b, ty.clone(), kept),
        _ => None,
    }
}

/// The join of two sets as a set of type `ty`, which contains `dynamic`; `None` if a value is not a known or partial
/// set, or if `set::join::join_sets` gives none.
fn join_dynamic_sets(a: &Value, b: &Value, ty: &Type) -> Option<Value> {
    if a.has_type(ty) && order::content(a, b).is_eq() {
        return Some(a.clone());
    }
    let Type::Set(ty) = ty else { return None };
    match (a.container()?, b.container()?) {
        // Their type becomes known with the element type of the enclosing collection.
        (Container::Set(a), Container::Set(b)) if a.member_count() == 0 && b.member_count() == 0 => {
            Some(set::build(ty.clone(), Vec::new()))
        }
        _ => set::join::join_sets(a, b, ty.clone()),
    }
}

/// The unknown of type `ty`, which contains `dynamic`, with the join of both ranges; a null if both are null.
fn join_dynamic_ranges(a: &Value, b: &Value, ty: &Type, kept: KeptStrings) -> Value {
    if is_always_null(a) && is_always_null(b) {
        return Value::null(ty.clone());
    }
    let joined = join_refinements(a, b, kept).fitted_to(ty);
    if *ty == Type::Dynamic || !joined.applies_to(ty) {
        return Value::unknown(ty.clone());
    }
    refined::canonical(ty.clone(), joined).inside_collection()
}

/// The unknown of the least common type, with the join of both ranges.
fn join_ranges(a: &Value, b: &Value, kept: KeptStrings) -> Value {
    let ty = least_type(&a.ty(), &b.ty());
    if ty == Type::Dynamic && is_always_null(a) && is_always_null(b) {
        return refined::canonical(ty, Refinement::null());
    }
    let joined = join_refinements(a, b, kept).fitted_to(&ty);
    if ty == Type::Dynamic || !joined.applies_to(&ty) {
        return Value::unknown(ty);
    }
    refined::canonical(ty, joined)
}

/// The smallest refinement of both values. Beside a known string or a language, a known string counts as that string
/// alone, where [`range::of`] gives a prefix. Beside a prefix, known strings and the joins of them count as their prefix,
/// as the join of two prefixes is one: else the order of joins would matter, and a wider operand could give the narrower
/// join (L3).
fn join_refinements(a: &Value, b: &Value, kept: KeptStrings) -> Refinement {
    if let Some(joined) =
        elements::join_collections(a, b, kept).or_else(|| elements::join_structures(a, b, kept))
    {
        return joined;
    }
    let (own, other) = (range::of(a), range::of(b));
    let (own, other) = (own.refinement(), other.refinement());
    if kept == KeptStrings::Prefix {
        return match (own.range(), other.range()) {
            (Range::Language(a), Range::Language(b)) if a == b => own.join(other),
            (Range::Language(_), Range::Language(_) | Range::Prefix(_))
            | (Range::Prefix(_), Range::Language(_)) => as_prefix(own).join(&as_prefix(other)),
            _ => own.join(other),
        };
    }
    match (known_text(a), known_text(b)) {
        (Some(a), Some(b)) => Refinement::some_of(&[a, b]).and_not_null(),
        (Some(text), None) => join_with_text(text, own, other),
        (None, Some(text)) => join_with_text(text, other, own),
        (None, None) => match (own.range(), other.range()) {
            (Range::Language(a), Range::Language(b)) if a != b && is_too_large_together(a, b) => {
                if a.language().is_subset(b.language()) || b.language().is_subset(a.language()) {
                    own.join(other)
                } else {
                    as_prefix(own).join(&as_prefix(other))
                }
            }
            (Range::Language(strings), Range::Prefix(_)) if strings.language().members().is_some() => {
                as_prefix(own).join(other)
            }
            (Range::Prefix(_), Range::Language(strings)) if strings.language().members().is_some() => {
                own.join(&as_prefix(other))
            }
            _ => own.join(other),
        },
    }
}

/// The number of strings of a language that has few.
fn member_count(strings: &StringLanguage) -> Option<usize> {
    strings.language().members().map(|members| members.len())
}

/// Whether the automaton of two languages together would take too long for one step of many.
fn is_too_large_together(a: &StringLanguage, b: &StringLanguage) -> bool {
    let states = a.language().states().saturating_add(b.language().states());
    let count = || member_count(a).zip(member_count(b)).map(|(a, b)| a.saturating_add(b));
    states > 2 * MAX_JOINED_STATES || count().is_some_and(|count| count > MAX_JOINED_STRINGS)
}

/// The prefix that a refinement of a string has, and its nullness.
fn as_prefix(strings: &Refinement) -> Refinement {
    let prefix = Refinement::prefix(strings.prefix_str().unwrap_or_default());
    if strings.allows_null() { prefix } else { prefix.and_not_null() }
}

/// The smallest refinement of a known string, of which `own` is the prefix, and of what `other` contains.
fn join_with_text(text: &str, own: &Refinement, other: &Refinement) -> Refinement {
    match other.range() {
        Range::Prefix(_) => own.join(other),
        // Most often the string adds nothing, and no automaton of it is needed.
        range if other.nullness() != Nullness::Null && range.contains_string(text) => other.clone(),
        Range::Language(strings)
            if strings.language().states() > MAX_JOINED_STATES
                || member_count(strings).is_some_and(|count| count >= MAX_JOINED_STRINGS) =>
        {
            own.join(&as_prefix(other))
        }
        _ => Refinement::some_of(&[text]).and_not_null().join(other),
    }
}

/// The join of two members of sets of type `ty`; see [`join_elements`].
pub(super) fn join_members(a: &Value, b: &Value, ty: &SetType) -> Value {
    join_elements(a, b, ty.element(), KeptStrings::Each)
}

/// The least type that covers both types: where they differ, it contains `dynamic`.
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
