//! Checks the steps of static references against the schema of a block.

use std::ops::Range;

use plantime::Value;
use plantime::unstable::text::near_name;
use plantime_hcl::{ReferenceKey, ReferenceStep};
use plantime_schema::Nesting;

/// A problem of a traversal: its place, summary and detail.
pub(super) type TraversalProblem = (Range<usize>, &'static str, String);

/// A step into the value of a resource.
pub(super) struct TraversalStep<'r> {
    pub(super) key: TraversalKey<'r>,
    pub(super) span: Range<usize>,
}

/// The key of a step of a static traversal: an attribute name or an index.
pub(super) enum TraversalKey<'r> {
    Attribute(&'r str),
    Index(&'r Value),
}

impl<'r> TraversalStep<'r> {
    /// The step of a reference.
    pub(super) fn of(step: &'r ReferenceStep) -> TraversalStep<'r> {
        let key = match step.key() {
            ReferenceKey::Attribute(name) => TraversalKey::Attribute(name),
            ReferenceKey::Index(key) => TraversalKey::Index(key),
        };
        TraversalStep { key, span: step.span() }
    }
}

/// Checks the steps of a reference into a value of a schema.
pub(super) fn check_reference_steps(
    block: &plantime_schema::Block,
    steps: &[ReferenceStep],
) -> Option<TraversalProblem> {
    let steps: Vec<TraversalStep<'_>> = steps.iter().map(TraversalStep::of).collect();
    check_traversal(block, &steps)
}

/// Checks steps into the value of a block against its schema; returns the first problem. Steps into the value of an attribute are
/// left to evaluation, which knows its type.
pub(super) fn check_traversal(
    block: &plantime_schema::Block,
    steps: &[TraversalStep<'_>],
) -> Option<TraversalProblem> {
    let (first, rest) = steps.split_first()?;
    let name = match &first.key {
        TraversalKey::Attribute(name) => *name,
        TraversalKey::Index(key) => {
            let detail = match key.as_str() {
                Ok(name) => format!(
                    "Only attribute access is allowed here. Did you mean to access attribute {name:?} using the dot \
                     operator?"
                ),
                Err(_) => "Only attribute access is allowed here, using the dot operator.".to_owned(),
            };
            return Some((first.span.clone(), "Invalid index operation", detail));
        }
    };
    if block.attributes.contains_key(name) {
        return None;
    }
    let Some(nested) = block.block_types.get(name) else {
        let names = block.attributes.sorted().map(|(name, _)| name.as_str());
        let names = names.chain(block.block_types.sorted().map(|(name, _)| name.as_str()));
        let hint = near_name(name, names).map_or_else(String::new, |near| format!(" Did you mean {near:?}?"));
        let detail =
            format!("This object has no argument, nested block, or exported attribute named {name:?}.{hint}");
        return Some((first.span.clone(), "Unsupported attribute", detail));
    };
    let below = |count: usize| check_traversal(&nested.block, rest.get(count..).unwrap_or_default());
    match (nested.nesting, rest.first()) {
        (_, None) => None,
        (Nesting::Single | Nesting::Group, _) => below(0),
        (Nesting::Map, _) => below(1),
        (Nesting::List, Some(TraversalStep { key: TraversalKey::Index(_), .. })) => below(1),
        (Nesting::List, Some(next)) => {
            let detail = format!(
                "Block type {name:?} is represented by a list of objects, so it must be indexed using a numeric key, like \
                 .{name}[0]."
            );
            Some((next.span.clone(), "Invalid operation", detail))
        }
        (Nesting::Set, Some(next)) => {
            let detail = format!(
                "Block type {name:?} is represented by a set of objects, and set elements do not have addressable keys. To \
                 find elements matching specific criteria, use a \"for\" expression with an \"if\" clause."
            );
            Some((next.span.clone(), "Cannot index a set value", detail))
        }
    }
}
