//! Compares lists, tuples and sets.

use std::collections::HashMap;

use plantime::{Type, Value, View};
use plantime_schema::Nesting;

use super::identity::Numbering;
use super::{CompareOptions, Declared, Kind, Sides, compare, kind, presence};
use crate::plan::rendering::diff_node::{DiffKind, DiffNode, Elements};
use crate::plan::rendering::relative_paths::RelativePaths;
use crate::plan::rendering::subsequence::{are_replaced_in_place, common_subsequence};

/// The elements of a list, tuple or set in order; empty for other values.
pub(super) fn elements(value: Option<&Value>) -> Vec<&Value> {
    match value.map(Value::view_below_marks) {
        Some(View::List(list)) => list.iter().collect(),
        Some(View::Tuple(tuple)) => tuple.iter().collect(),
        Some(View::Set(set)) => set.iter().collect(),
        _ => Vec::new(),
    }
}

/// The element at an index; `None` without an index.
pub(super) fn member<'v>(list: &[&'v Value], at: Option<usize>) -> Option<&'v Value> {
    list.get(at?).copied()
}

/// Compares two lists or tuples.
pub(super) fn compare_sequences(
    sides: &Sides<'_, '_>,
    declared: Declared<'_>,
    options: CompareOptions,
) -> DiffNode {
    let (before, after) = (elements(sides.before), elements(sides.after));
    let is_nested = matches!(declared, Declared::Nested(nested) if nested.nesting == Nesting::List);
    let is_tuple = matches!(declared, Declared::Type(Type::Tuple(_)));
    let pairs = if is_nested || is_tuple || before.is_empty() || after.is_empty() {
        pairs_by_position(before.len(), after.len())
    } else {
        pairs_by_content(
            &before,
            &after,
            options,
            matches!(declared, Declared::Type(ty) if is_list_of_objects(ty)),
        )
    };
    let mut action = presence(sides);
    let mut changes = Vec::with_capacity(pairs.len());
    for (i, j) in pairs {
        let index = i.or(j).unwrap_or_default();
        let part = sides.below_index(index, member(&before, i), member(&after, j));
        let change = compare(&part, declared.element(index), options);
        action = action.with_part(change.action);
        changes.push(change);
    }
    let elements = Elements { has_context: !is_nested, elements_force: false, elements: changes };
    DiffNode::new(action, DiffKind::Elements(elements))
}

/// Whether all elements of a list type are objects.
fn is_list_of_objects(ty: &Type) -> bool {
    matches!(ty.element_type(), Some(Type::Object(_)))
}

/// Pairs the elements at equal positions.
fn pairs_by_position(before: usize, after: usize) -> Vec<(Option<usize>, Option<usize>)> {
    (0..before.max(after)).map(|at| ((at < before).then_some(at), (at < after).then_some(at))).collect()
}

/// Pairs equal elements in order. Elements between them are removed (no second index) or added (no first index); a removed
/// object and an added object in the same gap are paired as one object that changes. Two lists of the same length are paired
/// by position if an element is gone, where the options say so.
fn pairs_by_content(
    before: &[&Value],
    after: &[&Value],
    options: CompareOptions,
    are_objects: bool,
) -> Vec<(Option<usize>, Option<usize>)> {
    let mut numbering = Numbering::new(!options.hides_marked_content);
    let mut numbers =
        |list: &[&Value]| list.iter().map(|value| numbering.number(value)).collect::<Vec<u32>>();
    let (before_numbers, after_numbers) = (numbers(before), numbers(after));
    if options.by_position && are_replaced_in_place(&before_numbers, &after_numbers) {
        return pairs_by_position(before.len(), after.len());
    }
    let common = common_subsequence(&before_numbers, &after_numbers);
    let is_object = |list: &[&Value], at: usize| {
        are_objects || list.get(at).is_some_and(|value| kind(value, Declared::Nothing) == Kind::Object)
    };
    let (mut i, mut j, mut pairs) = (0usize, 0usize, Vec::new());
    for (next_i, next_j) in common.into_iter().chain([(before.len(), after.len())]) {
        while i < next_i {
            let changes_in_place = j < next_j && is_object(before, i) && is_object(after, j);
            pairs.push((Some(i), changes_in_place.then_some(j)));
            i = i.saturating_add(1);
            j = j.saturating_add(usize::from(changes_in_place));
        }
        pairs.extend((j..next_j).map(|j| (None, Some(j))));
        if next_i < before.len() {
            pairs.push((Some(next_i), Some(next_j)));
        }
        (i, j) = (next_i.saturating_add(1), next_j.saturating_add(1));
    }
    pairs
}

/// Pairs equal members of two sets: the old members in order, each with its equal if there is one, then the added members.
pub(super) fn member_pairs(
    before: &[&Value],
    after: &[&Value],
    options: CompareOptions,
) -> Vec<(Option<usize>, Option<usize>)> {
    let mut numbering = Numbering::new(!options.hides_marked_content);
    let mut places: HashMap<u32, Vec<usize>> = HashMap::new();
    for (j, value) in after.iter().enumerate().rev() {
        places.entry(numbering.number(value)).or_default().push(j);
    }
    let mut is_paired = vec![false; after.len()];
    let mut pairs = Vec::with_capacity(before.len());
    for (i, value) in before.iter().enumerate() {
        let j = places.get_mut(&numbering.number(value)).and_then(Vec::pop);
        if let Some(paired) = j.and_then(|j| is_paired.get_mut(j)) {
            *paired = true;
        }
        pairs.push((Some(i), j));
    }
    pairs.extend(is_paired.iter().enumerate().filter(|(_, paired)| !**paired).map(|(j, _)| (None, Some(j))));
    pairs
}

/// Compares two sets.
pub(super) fn compare_sets(
    sides: &Sides<'_, '_>,
    declared: Declared<'_>,
    options: CompareOptions,
) -> DiffNode {
    let (before, after) = (elements(sides.before), elements(sides.after));
    let mut action = presence(sides);
    let mut changes = Vec::with_capacity(before.len().max(after.len()));
    for (i, j) in member_pairs(&before, &after, options) {
        let part = Sides {
            before: member(&before, i),
            after: member(&after, j),
            replace_paths: RelativePaths::default(),
            relevant_paths: sides.relevant_paths.clone(),
            tells_empty: false,
        };
        let change = compare(&part, declared.element(0), options);
        action = action.with_part(change.action);
        changes.push(change);
    }
    let elements_force = matches!(declared, Declared::Nested(_));
    DiffNode::new(
        action,
        DiffKind::Elements(Elements { has_context: false, elements_force, elements: changes }),
    )
}
