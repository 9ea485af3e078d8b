//! Sorts resources by address, as Terraform's text does: binary plans have them in another order.

use std::sync::Arc;

use crate::plan::address::{Key, Segment, parse_modules};
use crate::plan::{Mode, ResourceChange};
use plantime::{Number, Value, View};

/// An instance key. Without a key comes first, then numbers, then strings.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum InstanceKey {
    None,
    Number(Number),
    Text(String),
}

/// The parts of an address, in the order in which they are compared.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct SortKey<'r> {
    /// The number of modules around the resource; a resource of an outer module comes first.
    depth: usize,
    modules: Vec<(String, InstanceKey)>,
    is_managed: bool,
    type_name: &'r str,
    name: &'r str,
    key: InstanceKey,
    deposed: Option<&'r str>,
}

/// Sorts resources by address: those of outer modules first, and data sources before managed resources.
pub(super) fn in_order(resources: &[Arc<ResourceChange>]) -> Vec<&ResourceChange> {
    let mut sorted: Vec<&ResourceChange> = resources.iter().map(|resource| &**resource).collect();
    sorted.sort_by_cached_key(|resource| sort_key(resource));
    sorted
}

/// The key by which a resource is sorted.
fn sort_key(resource: &ResourceChange) -> SortKey<'_> {
    let modules = resource.module_address.as_deref().and_then(parse_modules).unwrap_or_default();
    let modules: Vec<_> = modules.into_iter().map(|Segment { name, key }| (name, module_key(key))).collect();
    SortKey {
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
