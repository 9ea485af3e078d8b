//! The order of resources in a picture: that of their addresses, which binary plans do not have.

use std::sync::Arc;

use crate::number::Number;
use crate::plan::address::{Key, Segment, parse_modules};
use crate::plan::{Mode, ResourceChange};
use crate::value::{Value, View};

/// An instance key: none, then numbers, then strings.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum InstanceKey {
    None,
    Number(Number),
    Text(String),
}

/// What resources are sorted by.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Place<'r> {
    /// The number of modules on the way, then each of them.
    depth: usize,
    modules: Vec<(String, InstanceKey)>,
    is_managed: bool,
    type_name: &'r str,
    name: &'r str,
    key: InstanceKey,
    deposed: Option<&'r str>,
}

/// The resources in the order of their addresses: data sources before resources, modules last.
pub(super) fn in_order(resources: &[Arc<ResourceChange>]) -> Vec<&ResourceChange> {
    let mut sorted: Vec<&ResourceChange> = resources.iter().map(|resource| &**resource).collect();
    sorted.sort_by_cached_key(|resource| place(resource));
    sorted
}

/// What a resource is sorted by.
fn place(resource: &ResourceChange) -> Place<'_> {
    let modules = resource.module_address.as_deref().and_then(parse_modules).unwrap_or_default();
    let modules: Vec<_> = modules.into_iter().map(|Segment { name, key }| (name, module_key(key))).collect();
    Place {
        depth: modules.len(),
        modules,
        is_managed: resource.mode == Mode::Managed,
        type_name: &resource.type_name,
        name: &resource.name,
        key: resource.index.as_ref().map_or(InstanceKey::None, instance_key),
        deposed: resource.deposed.as_deref(),
    }
}

/// The instance key of a module.
fn module_key(key: Option<Key>) -> InstanceKey {
    match key {
        None | Some(Key::Any) => InstanceKey::None,
        Some(Key::Index(index)) => InstanceKey::Number(Number::from(index)),
        Some(Key::Text(text)) => InstanceKey::Text(text),
    }
}

/// The instance key of a resource.
fn instance_key(index: &Value) -> InstanceKey {
    match index.view() {
        View::Number(number) => InstanceKey::Number(number.clone()),
        View::String(text) => InstanceKey::Text(text.to_owned()),
        _ => InstanceKey::None,
    }
}
