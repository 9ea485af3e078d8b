//! What a denied change changes: the attributes that differ, and their values on both sides.

use std::collections::BTreeSet;

use crate::plan::report::render::short_statement;
use plantime::{Path, Value, View};

/// The number of attributes whose values a failure shows.
const SHOWN: usize = 10;

/// The attributes whose values differ between both sides of a change, by name. Attributes with something marked are left out: whether
/// they differ is behind the mark (L5).
fn changed<'v>(before: &'v Value, after: &'v Value) -> Vec<(&'v str, Value, Value)> {
    let (View::Object(old), View::Object(_)) = (before.view(), after.view()) else { return Vec::new() };
    let mut found = Vec::new();
    for (name, old) in old.iter() {
        let path = Path::new().attr(name);
        let Ok(new) = after.get(&path) else { continue };
        if !old.contains_marks() && !new.contains_marks() && *old != new {
            found.push((name, old.clone(), new));
        }
    }
    found
}

/// The names of the attributes that differ.
pub(super) fn changed_names<'v>(before: Option<&'v Value>, after: Option<&'v Value>) -> BTreeSet<&'v str> {
    let sides = before.zip(after);
    sides.map_or_else(BTreeSet::new, |(before, after)| {
        changed(before, after).into_iter().map(|(name, ..)| name).collect()
    })
}

/// What differs, as statements on each attribute.
pub(super) fn change_statements(before: Option<&Value>, after: Option<&Value>) -> Vec<(Path, String)> {
    let Some((before, after)) = before.zip(after) else { return Vec::new() };
    let statement = |(name, old, new): (&str, Value, Value)| {
        let (old, new) = (short_statement(&old), short_statement(&new));
        (Path::new().attr(name), format!("{old} now, and then {new}"))
    };
    changed(before, after).into_iter().take(SHOWN).map(statement).collect()
}
