//! Compares blocks.

use std::sync::Arc;

use plantime::{Type, Value};
use plantime_schema::{Attribute, AttributeType, Nesting};

use super::elements::{elements, member, member_pairs};
use super::entries::by_name;
use super::{
    CompareOptions, Declared, Sides, compare, is_empty_string, is_unknown, presence, unchanged_sensitive,
};
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
    let is_told = sides.tells_empty || schema.is_some_and(tells_empty_strings);
    let sides = &Sides { tells_empty: options.empty_by_schema && is_told, ..sides.clone() };
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
        let part = sides.below_name(name, before, after);
        if part.are_marked_and_empty(options) {
            block.attributes.push((Arc::from(name), unchanged_sensitive()));
            continue;
        }
        let mut part = part.without_nulls(options);
        let is_nowhere = part.before.is_none() && part.after.is_none();
        if is_text && !part.tells_empty {
            part = part.without_empty_text(options);
        }
        if is_nowhere {
            continue;
        }
        let mut change = match part.after.filter(|after| is_unknown(after)) {
            // The legacy SDK does not distinguish an empty string from null.
            Some(after) if !is_text && part.before.is_some_and(is_empty_string) => unknown_after_null(after),
            _ => compare(&part, declared, options),
        };
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

/// The difference of a null that becomes unknown.
fn unknown_after_null(after: &Value) -> DiffNode {
    let null = DiffKind::Scalar { before: Some(Value::null(Type::String)), after: None };
    let before = Some(Box::new(DiffNode::new(DiffAction::Delete, null)));
    DiffNode::new(DiffAction::Update, DiffKind::Unknown { before, after: after.clone() })
}

/// Whether a schema can be none of the legacy SDK, which does not distinguish an empty string from null: then Terraform does, in
/// all parts of the block but elements of lists and sets.
fn tells_empty_strings(schema: &plantime_schema::Block) -> bool {
    let is_recent = |attribute: &Attribute| match &attribute.ty {
        AttributeType::Nested(_) => true,
        AttributeType::Plain(ty) => matches!(ty, Type::Object(_) | Type::Tuple(_)) || ty.has_dynamic(),
    };
    let is_recent_block =
        |block: &plantime_schema::NestedBlock| matches!(block.nesting, Nesting::Map | Nesting::Group);
    schema.attributes.values().any(is_recent) || schema.block_types.values().any(is_recent_block)
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
        let kind = DiffKind::Unknown { before: None, after: after.clone() };
        let is_new = absent(sides.before);
        let action = if is_new { DiffAction::Create } else { DiffAction::Update };
        let mut blocks = vec![(None, DiffNode::new(action, kind))];
        let gone = Sides { after: None, ..sides.clone() };
        if !is_new && !options.hides_marked_content {
            blocks.extend(compare_nested(&gone, nested, options).0);
        }
        // Terraform does not count it as a change of the block around it.
        return (blocks, DiffAction::Unchanged);
    }
    let is_single = matches!(nested.nesting, Nesting::Single | Nesting::Group);
    let is_hidden = is_marked(sides.before) || is_marked(sides.after);
    // Terraform shows which of the blocks change.
    if is_single || is_hidden && options.hides_marked_content {
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
                    tells_empty: false,
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
    if is_hidden {
        changes.iter_mut().for_each(|(_, change)| change.kind = DiffKind::SensitiveBlock);
    }
    let folded = changes.iter().fold(None, |folded: Option<DiffAction>, (_, change)| match folded {
        None => Some(change.action),
        Some(action) if action == change.action => Some(action),
        Some(_) => Some(DiffAction::Update),
    });
    (changes, folded.unwrap_or(DiffAction::Unchanged))
}
