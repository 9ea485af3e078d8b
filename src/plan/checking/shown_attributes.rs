//! The attributes of a resource that a report draws.

use std::collections::BTreeSet;

use crate::path::Path;
use crate::plan::Change;
use crate::plan::knowledge::Planned;
use crate::plan::knowledge::configuration::NarrowedOutput;
use crate::plan::knowledge::side_marks::sides_with_common_marks;
use crate::plan::report::title::output_title;
use crate::plan::report::{CheckedResource, CheckedSubject, ShownAttribute};
use crate::types::Type;
use crate::value::{Value, View};

/// The attributes with these names of a resource that has a planned value, as the report shows them; and the number
/// of its other attributes.
pub(super) fn planned_attributes(
    resource: &Planned<'_>,
    names: &BTreeSet<&str>,
) -> (Vec<ShownAttribute>, usize) {
    let (after, marks) = resource.after.clone().unmark();
    let before = resource.before.as_ref();
    let mut shown = Vec::new();
    let mut hidden: usize = 0;
    if let View::Object(object) = after.view() {
        for (name, value) in object.iter() {
            if !names.contains(name) {
                hidden = hidden.saturating_add(1);
                continue;
            }
            let path = Path::new().attr(name);
            let inside = resource.origins.iter().find(|(place, _)| place.starts_with(&path));
            let origin = inside.map(|(_, origin)| Box::new(origin.clone()));
            let change = &resource.change.change;
            shown.push(ShownAttribute {
                name: name.to_owned(),
                before: before.and_then(|before| before.get(&path).ok()),
                after: value.clone().with_marks(&marks),
                origin,
                forces_replacement: change.replace_paths.iter().any(|place| place.starts_with(&path)),
            });
        }
    }
    shown.shrink_to_fit();
    (shown, hidden)
}

/// The attributes with these names of a resource that is destroyed, with null as the planned value; and the number of
/// its other attributes.
pub(super) fn prior_attributes(
    prior: Option<&Value>,
    names: &BTreeSet<&str>,
) -> (Vec<ShownAttribute>, usize) {
    let Some((prior, marks)) = prior.map(|prior| prior.clone().unmark()) else { return (Vec::new(), 0) };
    let View::Object(object) = prior.view() else { return (Vec::new(), 0) };
    let of_names = object.iter().filter(|(name, _)| names.contains(name));
    let shown: Vec<ShownAttribute> = of_names
        .map(|(name, value)| ShownAttribute {
            name: name.to_owned(),
            before: Some(value.clone().with_marks(&marks)),
            after: Value::null(Type::Dynamic),
            origin: None,
            forces_replacement: false,
        })
        .collect();
    let hidden = object.len().saturating_sub(shown.len());
    (shown, hidden)
}

/// The report entry of an output, without answers yet.
pub(super) fn checked_output(
    name: &str,
    change: &Change,
    narrowed: Option<&NarrowedOutput>,
) -> CheckedResource {
    let (before, after) = sides_with_common_marks(change);
    let shown = after.map(|after| ShownAttribute {
        name: name.to_owned(),
        before: before.clone(),
        after,
        origin: narrowed.map(|narrowed| Box::new(narrowed.origin.clone())),
        forces_replacement: false,
    });
    CheckedResource {
        subject: CheckedSubject::Output(Box::new((
            format!("output.{name}"),
            output_title(name, change),
            change.actions.clone(),
        ))),
        declared: None,
        before: before.filter(|before| !before.is_null()),
        shown: shown.into_iter().collect(),
        hidden: 0,
        replacement: None,
        answers: Vec::new(),
        contradicted: Box::default(),
        facts: narrowed.map_or_else(Box::default, |narrowed| narrowed.facts.as_slice().into()),
        unasked: Box::default(),
    }
}
