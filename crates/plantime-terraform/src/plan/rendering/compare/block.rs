//! Compares blocks.

use std::sync::Arc;

use plantime::{Type, Value, View};
use plantime_schema::Nesting;

use super::elements::{elements, member, member_pairs};
use super::entries::by_name;
use super::{CompareOptions, Declared, Sides, compare, is_unknown, presence};
use crate::plan::rendering::diff_node::{Block, DiffAction, DiffKind, DiffNode, NestedBlock};
use crate::plan::rendering::relative_paths::RelativePaths;

/// Compares the two sides of a block: its attributes and nested blocks by the schema. Names that the schema does not
/// have are compared as attributes, as `undeclared` says.
pub(in crate::plan::rendering) fn compare_block(
    sides: &Sides<'_, '_>,
    schema: Option<&plantime_schema::Block>,
    undeclared: Undeclared,
    options: CompareOptions,
) -> DiffNode {
    let is_marked = |side: Option<&Value>| side.is_some_and(Value::is_marked);
    let mut action = presence(sides);
    if is_marked(sides.before) || is_marked(sides.after) {
        let action = if action == DiffAction::Unchanged { DiffAction::Update } else { action };
        return forced(DiffNode::new(action, DiffKind::SensitiveBlock), sides);
    }
    let own = action;
    let mut block = Block::default();
    for (name, (before, after)) in by_name(sides.before, sides.after) {
        if let Some(nested) = schema.and_then(|schema| schema.block_types.get(name)) {
            let part = sides.below_name(name, before, after);
            let (blocks, folded) = compare_nested(&part, nested, options);
            action = action.with_part(folded);
            // An empty list of blocks stays in the tree: with it, braces are written on two lines.
            let is_single = matches!(nested.nesting, Nesting::Single | Nesting::Group);
            if !blocks.is_empty() || !is_single {
                block.blocks.push((Arc::from(name), blocks));
            }
            continue;
        }
        let attribute = schema.and_then(|schema| schema.attributes.get(name));
        if attribute.is_some_and(|attribute| attribute.write_only) {
            block.attributes.push((Arc::from(name), DiffNode::new(own, DiffKind::WriteOnly)));
            continue;
        }
        let declared = match (attribute, undeclared) {
            (Some(attribute), _) => Declared::of_attribute(attribute),
            (None, Undeclared::Text) => Declared::Nothing,
            (None, Undeclared::Anything) => Declared::Type(&Type::Dynamic),
        };
        let is_text = match (declared, undeclared) {
            (Declared::Nothing, Undeclared::Text) => true,
            (declared, _) => matches!(declared, Declared::Type(Type::String)),
        };
        let mut part = sides.below_name(name, before, after).without_nulls(options);
        let is_nowhere = part.before.is_none() && part.after.is_none();
        let nothing = Value::null(Type::String);
        if is_text {
            part = without_empty_strings(part);
        } else if part.after.is_some_and(is_unknown) && part.before.is_some_and(is_empty_string) {
            // The legacy SDK does not distinguish an empty string from null.
            part.before = Some(&nothing);
        }
        if is_nowhere {
            continue;
        }
        let mut change = compare(&part, declared, options);
        // `compare` takes the value for part of one of dynamic type.
        if attribute.is_none() && undeclared == Undeclared::Text {
            change.forces_replacement = part.replace_paths.include_value();
        }
        action = action.with_part(change.action);
        block.attributes.push((Arc::from(name), change));
    }
    forced(DiffNode::new(action, DiffKind::Block(block)), sides)
}

/// How attributes without a schema are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::plan::rendering) enum Undeclared {
    /// As values of the legacy SDK: an empty string counts as absent.
    Text,
    /// As values of dynamic type.
    Anything,
}

/// Marks the change of a block as forcing a replacement if the plan says so.
fn forced(mut change: DiffNode, sides: &Sides<'_, '_>) -> DiffNode {
    change.forces_replacement = sides.replace_paths.include_value();
    change
}

/// The sides where an empty string counts as absent: the legacy SDK does not distinguish it from null.
fn without_empty_strings<'v, 'p>(mut sides: Sides<'v, 'p>) -> Sides<'v, 'p> {
    sides.before = sides.before.filter(|side| !is_empty_string(side));
    sides.after = sides.after.filter(|side| !is_empty_string(side));
    sides
}

/// Whether a value is an unmarked empty string.
fn is_empty_string(value: &Value) -> bool {
    matches!(value.view(), View::String(""))
}

/// Compares the nested blocks of one type, and returns the action that they contribute to the block around them.
pub(in crate::plan::rendering) fn compare_nested(
    sides: &Sides<'_, '_>,
    nested: &plantime_schema::NestedBlock,
    options: CompareOptions,
) -> (Vec<NestedBlock>, DiffAction) {
    let is_marked = |side: Option<&Value>| side.is_some_and(Value::is_marked);
    let inner = |part: &Sides<'_, '_>| {
        let mut change = compare_block(part, Some(&nested.block), Undeclared::Text, options);
        change.forces_replacement |= sides.replace_paths.include_value();
        change
    };
    let absent = |side: Option<&Value>| side.is_none_or(|value| value.is_null() && !value.is_marked());
    if absent(sides.before) && absent(sides.after) {
        return (Vec::new(), DiffAction::Unchanged);
    }
    if let Some(after) = sides.after.filter(|after| is_unknown(after) && !after.is_marked()) {
        // Terraform does not count it as a change of the block around it.
        let kind = DiffKind::Unknown { before: None, after: after.clone() };
        return (vec![(None, DiffNode::new(DiffAction::Create, kind))], DiffAction::Unchanged);
    }
    let is_single = matches!(nested.nesting, Nesting::Single | Nesting::Group);
    if is_single || is_marked(sides.before) || is_marked(sides.after) {
        if !is_single
            && elements(sides.before).is_empty()
            && elements(sides.after).is_empty()
            && !options.hides_marked_content
        {
            return (Vec::new(), DiffAction::Unchanged);
        }
        let change = inner(sides);
        let action = change.action;
        return (vec![(None, change)], action);
    }
    let mut changes = Vec::new();
    let (before, after) = (elements(sides.before), elements(sides.after));
    match nested.nesting {
        Nesting::Map => {
            for (name, (before, after)) in by_name(sides.before, sides.after) {
                changes.push((Some(Arc::from(name)), inner(&sides.below_name(name, before, after))));
            }
        }
        Nesting::Set => {
            for (i, j) in member_pairs(&before, &after, options) {
                let part = Sides {
                    before: member(&before, i),
                    after: member(&after, j),
                    replace_paths: RelativePaths::default(),
                    relevant_paths: RelativePaths::all(),
                };
                changes.push((None, inner(&part)));
            }
        }
        _ => {
            for at in 0..before.len().max(after.len()) {
                let part = sides.below_index(at, before.get(at).copied(), after.get(at).copied());
                changes.push((None, inner(&part)));
            }
        }
    }
    let folded = changes.iter().fold(None, |folded: Option<DiffAction>, (_, change)| match folded {
        None => Some(change.action),
        Some(action) if action == change.action => Some(action),
        Some(_) => Some(DiffAction::Update),
    });
    (changes, folded.unwrap_or(DiffAction::Unchanged))
}
