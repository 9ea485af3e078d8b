//! The types that values of resources are declared with.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::plan::knowledge::schema_of;
use crate::plan::{Mode, ResourceChange};
use plantime::{Type, Value, View};
use plantime_schema::ProviderSchemas;

/// The key of a resource type: its mode, provider and name.
pub(super) type TypeKey<'p> = (Mode, &'p str, &'p str);

/// The key of the resource type of a change.
pub(super) fn type_key(change: &ResourceChange) -> TypeKey<'_> {
    (change.mode, &change.provider_name, &change.type_name)
}

/// The declared type of each resource type in the plan, as its schema implies it. Without a schema, an object type with
/// every attribute that some resource of the type has, each `dynamic`: a plan writes all attributes of a resource, so the
/// type does not have any other.
pub(super) fn declared_types<'p>(
    changes: &[&'p Arc<ResourceChange>],
    schemas: &ProviderSchemas,
) -> BTreeMap<TypeKey<'p>, Type> {
    let mut declared: BTreeMap<TypeKey<'p>, Type> = BTreeMap::new();
    let mut names: BTreeMap<TypeKey<'p>, Option<BTreeSet<&'p str>>> = BTreeMap::new();
    for change in changes {
        let key = type_key(change);
        if declared.contains_key(&key) {
            continue;
        }
        if let Some(ty) = schema_of(schemas, change).and_then(|schema| schema.implied_type().ok()) {
            declared.insert(key, ty.clone());
            continue;
        }
        let names = names.entry(key).or_insert_with(|| Some(BTreeSet::new()));
        for value in [&change.change.before, &change.change.after].into_iter().flatten() {
            add_attribute_names(value, names);
        }
    }
    let object = |names: BTreeSet<&str>| Type::object(names.into_iter().map(|name| (name, Type::Dynamic)));
    declared.extend(names.into_iter().map(|(key, names)| {
        let ty = names.filter(|names| !names.is_empty()).and_then(|names| object(names).ok());
        (key, ty.unwrap_or(Type::Dynamic))
    }));
    declared
}

/// Adds the attribute names of an object to `names`. Sets `names` to `None`, which means that the type cannot be
/// derived, if the value is no object or its attributes are marked.
fn add_attribute_names<'v>(value: &'v Value, names: &mut Option<BTreeSet<&'v str>>) {
    match (value.view(), &mut *names) {
        (View::Null(_), _) => {}
        (View::Object(object), Some(known)) if !value.is_marked() => {
            let of_type: Vec<&'v str> = object.iter().map(|(name, _)| name).collect();
            known.extend(of_type);
        }
        _ => *names = None,
    }
}
