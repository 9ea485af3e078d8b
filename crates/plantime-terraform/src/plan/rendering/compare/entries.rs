//! Compares maps and objects.

use std::collections::BTreeMap;
use std::sync::Arc;

use plantime::{Type, Value, View};

use super::{CompareOptions, Declared, Sides, compare, presence, unchanged_sensitive};
use crate::plan::rendering::diff_node::{DiffAction, DiffKind, DiffNode, Entries};

/// The old and the new value of each entry, sorted by name.
type ByName<'v> = BTreeMap<&'v str, (Option<&'v Value>, Option<&'v Value>)>;

/// The old and the new value of each map entry or object attribute.
pub(super) fn by_name<'v>(before: Option<&'v Value>, after: Option<&'v Value>) -> ByName<'v> {
    let mut all = ByName::new();
    each_entry(before, |name, value| all.entry(name).or_default().0 = Some(value));
    each_entry(after, |name, value| all.entry(name).or_default().1 = Some(value));
    all
}

/// Calls a function with each map entry or object attribute.
fn each_entry<'v>(value: Option<&'v Value>, mut add: impl FnMut(&'v str, &'v Value)) {
    match value.map(Value::view_below_marks) {
        Some(View::Map(map)) => map.iter().for_each(|(name, value)| add(name, value)),
        Some(View::Object(object)) => object.iter().for_each(|(name, value)| add(name, value)),
        _ => {}
    }
}

/// Compares two maps.
pub(super) fn compare_maps(
    sides: &Sides<'_, '_>,
    declared: Declared<'_>,
    options: CompareOptions,
) -> DiffNode {
    let element = declared.element(0);
    let mut action = presence(sides);
    let mut entries = Vec::new();
    for (name, (before, after)) in by_name(sides.before, sides.after) {
        let change = compare(&sides.below_name(name, before, after), element, options);
        action = action.with_part(change.action);
        entries.push((Arc::from(name), change));
    }
    let is_nested = matches!(declared, Declared::Nested(_));
    let has_commas = is_nested || matches!(element, Declared::Type(Type::Object(_)));
    DiffNode::new(
        action,
        DiffKind::Entries(Entries {
            is_map: true,
            has_commas,
            is_aligned: !is_nested,
            shows_null: !is_nested,
            entries,
        }),
    )
}

/// Compares two objects.
pub(super) fn compare_objects(
    sides: &Sides<'_, '_>,
    declared: Declared<'_>,
    options: CompareOptions,
) -> DiffNode {
    let is_typed = matches!(declared, Declared::Type(Type::Object(_)) | Declared::NestedObject(_));
    let mut action = presence(sides);
    let mut entries = Vec::new();
    for (name, (before, after)) in by_name(sides.before, sides.after) {
        if declared.is_write_only(name) {
            let own = if action == DiffAction::Update { DiffAction::Unchanged } else { action };
            entries.push((Arc::from(name), DiffNode::new(own, DiffKind::WriteOnly)));
            continue;
        }
        let mut part = sides.below_name(name, before, after);
        if is_typed {
            if part.are_marked_and_empty(options) {
                entries.push((Arc::from(name), unchanged_sensitive()));
                continue;
            }
            part = part.without_nulls(options);
            if part.before.is_none() && part.after.is_none() {
                continue;
            }
            let is_text = matches!(declared.attribute(name), Declared::Type(Type::String));
            if is_text && part.take_empty_for_null(options) {
                part = part.without_empty_text(options);
            }
        }
        let change = compare(&part, declared.attribute(name), options);
        action = action.with_part(change.action);
        entries.push((Arc::from(name), change));
    }
    DiffNode::new(
        action,
        DiffKind::Entries(Entries {
            is_map: false,
            has_commas: false,
            is_aligned: true,
            shows_null: matches!(declared, Declared::NestedObject(_)),
            entries,
        }),
    )
}
