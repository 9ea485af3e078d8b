//! The types that values of resources are declared with.

use std::collections::{BTreeMap, BTreeSet};

use crate::plan::knowledge::schema;
use crate::plan::{Mode, Plan, ResourceChange};
use crate::schema::ProviderSchemas;
use crate::types::Type;
use crate::value::{Value, View};

/// Resources of one type share it: mode, provider, type name.
pub(super) type TypeKey<'p> = (Mode, &'p str, &'p str);

pub(super) fn key(change: &ResourceChange) -> TypeKey<'_> {
    (change.mode, &change.provider_name, &change.type_name)
}

/// The declared type of each resource type of the plan: what the schema implies. Without a schema it is an object with
/// every attribute that some resource of the type has, none of whose types is decided: a plan writes all attributes of a
/// resource, so an attribute that none has is one that the type does not have.
pub(super) fn types<'p>(plan: &'p Plan, schemas: &ProviderSchemas) -> BTreeMap<TypeKey<'p>, Type> {
    let mut declared: BTreeMap<TypeKey<'p>, Type> = BTreeMap::new();
    let mut names: BTreeMap<TypeKey<'p>, Option<BTreeSet<&'p str>>> = BTreeMap::new();
    for change in &plan.resource_changes {
        let key = key(change);
        if declared.contains_key(&key) {
            continue;
        }
        if let Some(ty) = schema(schemas, change).and_then(|schema| schema.implied_type().ok()) {
            declared.insert(key, ty.clone());
            continue;
        }
        let names = names.entry(key).or_insert_with(|| Some(BTreeSet::new()));
        for value in [&change.change.before, &change.change.after].into_iter().flatten() {
            add_names(value, names);
        }
    }
    let object = |names: BTreeSet<&str>| Type::object(names.into_iter().map(|name| (name, Type::Dynamic)));
    declared.extend(names.into_iter().map(|(key, names)| {
        let ty = names.filter(|names| !names.is_empty()).and_then(|names| object(names).ok());
        (key, ty.unwrap_or(Type::Dynamic))
    }));
    declared
}

/// Nothing is said of a type with a value whose attributes are marked, or which is no object.
fn add_names<'v>(value: &'v Value, names: &mut Option<BTreeSet<&'v str>>) {
    match (value.view(), &mut *names) {
        (View::Null(_), _) => {}
        (View::Object(object), Some(known)) if !value.is_marked() => {
            let of_type: Vec<&'v str> = object.iter().map(|(name, _)| name).collect();
            known.extend(of_type);
        }
        _ => *names = None,
    }
}
