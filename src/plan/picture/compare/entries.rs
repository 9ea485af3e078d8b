//! Compares maps and objects.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::types::Type;
use crate::value::{Value, View};

use super::{Declared, Manner, Sides, compare, presence};
use crate::plan::picture::change_node::{Act, ChangeNode, Entries, Shape};

/// Both sides of each entry, sorted by name.
type ByName<'v> = BTreeMap<&'v str, (Option<&'v Value>, Option<&'v Value>)>;

/// Both sides of each entry of a map or attribute of an object.
pub(super) fn by_name<'v>(before: Option<&'v Value>, after: Option<&'v Value>) -> ByName<'v> {
    let mut all = ByName::new();
    each_entry(before, |name, value| all.entry(name).or_default().0 = Some(value));
    each_entry(after, |name, value| all.entry(name).or_default().1 = Some(value));
    all
}

/// Calls a function with each entry of a map or attribute of an object.
fn each_entry<'v>(value: Option<&'v Value>, mut add: impl FnMut(&'v str, &'v Value)) {
    match value.map(crate::value::view_below_marks) {
        Some(View::Map(map)) => map.iter().for_each(|(name, value)| add(name, value)),
        Some(View::Object(object)) => object.iter().for_each(|(name, value)| add(name, value)),
        _ => {}
    }
}

/// The change of a map.
pub(super) fn compare_maps(sides: &Sides<'_, '_>, declared: Declared<'_>, manner: Manner) -> ChangeNode {
    let element = declared.element(0);
    let mut act = presence(sides);
    let mut entries = Vec::new();
    for (name, (before, after)) in by_name(sides.before, sides.after) {
        let change = compare(&sides.below_name(name, before, after), element, manner);
        act = act.with_part(change.act);
        entries.push((Arc::from(name), change));
    }
    let is_nested = matches!(declared, Declared::Nested(_));
    let has_commas = is_nested || matches!(element, Declared::Type(Type::Object(_)));
    ChangeNode::new(
        act,
        Shape::Entries(Entries { is_map: true, has_commas, is_aligned: !is_nested, entries }),
    )
}

/// The change of an object.
pub(super) fn compare_objects(sides: &Sides<'_, '_>, declared: Declared<'_>, manner: Manner) -> ChangeNode {
    let is_typed = matches!(declared, Declared::Type(Type::Object(_)) | Declared::NestedObject(_));
    let mut act = presence(sides);
    let mut entries = Vec::new();
    for (name, (before, after)) in by_name(sides.before, sides.after) {
        if declared.is_write_only(name) {
            let own = if act == Act::Update { Act::Same } else { act };
            entries.push((Arc::from(name), ChangeNode::new(own, Shape::WriteOnly)));
            continue;
        }
        let mut part = sides.below_name(name, before, after);
        if is_typed {
            part = part.without_nulls(manner);
            if part.before.is_none() && part.after.is_none() {
                continue;
            }
        }
        let change = compare(&part, declared.attribute(name), manner);
        act = act.with_part(change.act);
        entries.push((Arc::from(name), change));
    }
    ChangeNode::new(
        act,
        Shape::Entries(Entries { is_map: false, has_commas: false, is_aligned: true, entries }),
    )
}
