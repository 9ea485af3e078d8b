//! The attributes of a resource that a report draws.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::declared_types::{TypeKey, type_key};
use crate::plan::Change;
use crate::plan::knowledge::configuration::NarrowedOutput;
use crate::plan::knowledge::side_marks::sides_with_common_marks;
use crate::plan::knowledge::{Planned, schema_of};
use crate::plan::report::title::output_title;
use crate::plan::report::{CheckedResource, CheckedSubject, ShownAttribute};
use plantime::{Path, Type, Value, View};
use plantime_schema::{Block, ProviderSchemas};

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

/// Gives each resource the declarations of the attributes that are shown of its type, where a schema has them. They say which
/// attributes are nested blocks.
pub(super) fn add_declarations(checked: &mut [CheckedResource], schemas: &ProviderSchemas) {
    let mut names: BTreeMap<TypeKey<'_>, BTreeSet<&str>> = BTreeMap::new();
    for resource in checked.iter() {
        let Some(change) = resource.change() else { continue };
        names.entry(type_key(change)).or_default().extend(resource.shown.iter().map(|shown| &*shown.name));
    }
    let mut blocks: BTreeMap<TypeKey<'_>, Arc<Block>> = BTreeMap::new();
    for change in checked.iter().filter_map(CheckedResource::change) {
        let key = type_key(change);
        if blocks.contains_key(&key) {
            continue;
        }
        let (Some(schema), Some(names)) = (schema_of(schemas, change), names.get(&key)) else { continue };
        // Only these: a block of all arguments of a large type is as large as many resources.
        let mut block = Block::default();
        for name in names {
            let declared = schema.block();
            if let Some(attribute) = declared.attributes.get(name) {
                block.attributes.insert((*name).to_owned(), attribute.clone());
            }
            if let Some(nested) = declared.block_types.get(name) {
                block.block_types.insert((*name).to_owned(), nested.clone());
            }
        }
        blocks.insert(key, Arc::new(block));
    }
    let blocks: Vec<Option<Arc<Block>>> = checked
        .iter()
        .map(|resource| resource.change().and_then(|change| blocks.get(&type_key(change)).cloned()))
        .collect();
    for (resource, block) in checked.iter_mut().zip(blocks) {
        resource.block = block;
    }
}

/// The report entry of an output, without answers yet.
/// The entry of the report for a variable, module call or provider, or for the plan itself.
pub(super) fn checked_named(address: &str, value: &Value) -> CheckedResource {
    let shown = ShownAttribute {
        name: address.to_owned(),
        before: None,
        after: value.clone(),
        origin: None,
        forces_replacement: false,
    };
    CheckedResource {
        subject: CheckedSubject::Output(Box::new((address.to_owned(), address.to_owned(), Vec::new()))),
        declared: None,
        before: None,
        shown: if value.is_null() { Vec::new() } else { vec![shown] },
        hidden: 0,
        block: None,
        replacement: None,
        answers: Vec::new(),
        contradicted: Box::default(),
        facts: Box::default(),
        unasked: Box::default(),
        is_drifted: false,
    }
}

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
        is_drifted: false,
        subject: CheckedSubject::Output(Box::new((
            format!("output.{name}"),
            output_title(name, change),
            change.actions.clone(),
        ))),
        declared: None,
        before: before.filter(|before| !before.is_null()),
        shown: shown.into_iter().collect(),
        hidden: 0,
        block: None,
        replacement: None,
        answers: Vec::new(),
        contradicted: Box::default(),
        facts: narrowed.map_or_else(Box::default, |narrowed| narrowed.facts.as_slice().into()),
        unasked: Box::default(),
    }
}
