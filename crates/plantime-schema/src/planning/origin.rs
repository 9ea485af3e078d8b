//! Whether a member of a prior set may have come from a member of the configured set.

use plantime::unstable::ops::three_valued;
use plantime::unstable::value::equal;
use plantime::{Value, View};

use super::layout::{Entry, Layout, Nest, is_unknown, null};

/// Whether the provider can have made the prior object from the configured one, by filling in what is computed:
/// `None` if that depends on what is not known yet.
///
/// | part | may have come from the configuration |
/// |---|---|
/// | equal | yes |
/// | an attribute that differs | only if it is computed, and null in the configuration |
/// | a single object, a list, a map | if all that the prior one has may have come from its counterpart |
/// | a set that differs | no |
pub(super) fn may_come_from(layout: &Layout<'_>, prior: &Value, config: &Value) -> Option<bool> {
    let (old, new) = match (prior.view_below_marks(), config.view_below_marks()) {
        (View::Object(old), View::Object(new)) => (old, new),
        // Nothing inside the prior value disagrees.
        (View::Null(_), _) => return Some(true),
        (View::Dynamic | View::Unknown(_), _) | (_, View::Dynamic | View::Unknown(_)) => return None,
        _ => return Some(false),
    };
    let each = layout.entries().map(|(name, entry)| match (old.get(name), new.get(name)) {
        (Some(old), Some(new)) => part(entry, old, new),
        _ => Some(false),
    });
    three_valued::all(each)
}

/// As [`may_come_from`], for the values of one attribute or nested block type.
fn part(entry: &Entry<'_>, prior: &Value, config: &Value) -> Option<bool> {
    if equal(prior, config) == Some(true) {
        return Some(true);
    }
    match entry {
        Entry::Attribute { attribute, nested: None, .. } => {
            let filled_in = if attribute.computed { null(config) } else { Some(false) };
            three_valued::or(equal(prior, config), filled_in)
        }
        Entry::Attribute { nested: Some(nest), .. } | Entry::Blocks(nest) => objects(nest, prior, config),
    }
}

/// As [`may_come_from`], for the nested objects of one attribute or block type.
fn objects(nest: &Nest<'_>, prior: &Value, config: &Value) -> Option<bool> {
    if is_unknown(prior) || is_unknown(config) {
        return None;
    }
    match (prior.view_below_marks(), config.view_below_marks()) {
        (View::Set(_), _) => equal(prior, config),
        (View::Null(_), _) => Some(true),
        (View::Object(_), View::Object(_)) if !nest.is_collection() => {
            may_come_from(&nest.item, prior, config)
        }
        _ => three_valued::all(prior.elements().map(|(step, old)| match config.part(&step) {
            Some(new) => may_come_from(&nest.item, old, new),
            None => Some(false),
        })),
    }
}
