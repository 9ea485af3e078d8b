//! Compares blocks by their schema.

use std::sync::Arc;

use crate::schema::{self, Nesting};
use crate::types::Type;
use crate::value::{Value, View};

use super::elements::{elements, member, member_pairs};
use super::entries::by_name;
use super::{Declared, Manner, Sides, compare, is_unknown, presence};
use crate::plan::picture::change_node::{Act, Block, ChangeNode, NestedBlock, Shape};
use crate::plan::picture::places::Places;

/// The change of a block: the attributes and nested blocks that the schema has. Without a schema, everything is an
/// attribute, of which `undeclared` says what is declared.
pub(in crate::plan::picture) fn compare_block(
    sides: &Sides<'_, '_>,
    schema: Option<&schema::Block>,
    undeclared: Undeclared,
    manner: Manner,
) -> ChangeNode {
    let is_marked = |side: Option<&Value>| side.is_some_and(Value::is_marked);
    let mut act = presence(sides);
    if is_marked(sides.before) || is_marked(sides.after) {
        let act = if act == Act::Same { Act::Update } else { act };
        return forced(ChangeNode::new(act, Shape::SensitiveBlock), sides);
    }
    let own = act;
    let mut block = Block::default();
    for (name, (before, after)) in by_name(sides.before, sides.after) {
        if let Some(nested) = schema.and_then(|schema| schema.block_types.get(name)) {
            let part = sides.below_name(name, before, after);
            let (blocks, folded) = compare_nested(&part, nested, manner);
            act = act.with_part(folded);
            // A block with a list of no blocks is drawn in two lines.
            let is_single = matches!(nested.nesting, Nesting::Single | Nesting::Group);
            if !blocks.is_empty() || !is_single {
                block.blocks.push((Arc::from(name), blocks));
            }
            continue;
        }
        let attribute = schema.and_then(|schema| schema.attributes.get(name));
        if attribute.is_some_and(|attribute| attribute.write_only) {
            block.attributes.push((Arc::from(name), ChangeNode::new(own, Shape::WriteOnly)));
            continue;
        }
        let declared = attribute.map_or(Declared::Nothing, Declared::of_attribute);
        let is_text = match (declared, undeclared) {
            (Declared::Nothing, Undeclared::Text) => true,
            (declared, _) => matches!(declared, Declared::Type(Type::String)),
        };
        let mut part = sides.below_name(name, before, after).without_nulls(manner);
        let is_nowhere = part.before.is_none() && part.after.is_none();
        let nothing = Value::null(Type::String);
        if is_text {
            part = without_empty_strings(part);
        } else if part.after.is_some_and(is_unknown) && part.before.is_some_and(is_empty_string) {
            // An empty string may have been null, as the legacy SDK does not tell them apart.
            part.before = Some(&nothing);
        }
        if is_nowhere {
            continue;
        }
        let mut change = compare(&part, declared, manner);
        // Without a schema the attribute may have any type, but for those of the built-in provider.
        if attribute.is_none() && undeclared == Undeclared::Text {
            change.forces_replacement = part.forcing.is_here();
        }
        act = act.with_part(change.act);
        block.attributes.push((Arc::from(name), change));
    }
    forced(ChangeNode::new(act, Shape::Block(block)), sides)
}

/// What attributes without a schema are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::plan::picture) enum Undeclared {
    /// Strings, where they are strings: an empty one is one that is not set.
    Text,
    /// Values of any type.
    Anything,
}

/// The change, which forces a replacement where the block is a place that does.
fn forced(mut change: ChangeNode, sides: &Sides<'_, '_>) -> ChangeNode {
    change.forces_replacement = sides.forcing.is_here();
    change
}

/// The sides without empty strings: the legacy SDK does not tell them from null.
fn without_empty_strings<'v, 'p>(mut sides: Sides<'v, 'p>) -> Sides<'v, 'p> {
    sides.before = sides.before.filter(|side| !is_empty_string(side));
    sides.after = sides.after.filter(|side| !is_empty_string(side));
    sides
}

/// Whether a value is the empty string, and not marked.
fn is_empty_string(value: &Value) -> bool {
    matches!(value.view(), View::String(""))
}

/// The changes of the nested blocks of one type, and what they make of the block that contains them.
fn compare_nested(
    sides: &Sides<'_, '_>,
    nested: &schema::NestedBlock,
    manner: Manner,
) -> (Vec<NestedBlock>, Act) {
    let is_marked = |side: Option<&Value>| side.is_some_and(Value::is_marked);
    let inner = |part: &Sides<'_, '_>| {
        let mut change = compare_block(part, Some(&nested.block), Undeclared::Text, manner);
        change.forces_replacement |= sides.forcing.is_here();
        change
    };
    let absent = |side: Option<&Value>| side.is_none_or(|value| value.is_null() && !value.is_marked());
    if absent(sides.before) && absent(sides.after) {
        return (Vec::new(), Act::Same);
    }
    if let Some(after) = sides.after.filter(|after| is_unknown(after) && !after.is_marked()) {
        // It does not make the block that contains it one that changes.
        let shape = Shape::Unknown { before: None, after: after.clone() };
        return (vec![(None, ChangeNode::new(Act::Create, shape))], Act::Same);
    }
    let is_single = matches!(nested.nesting, Nesting::Single | Nesting::Group);
    if is_single || is_marked(sides.before) || is_marked(sides.after) {
        if !is_single
            && elements(sides.before).is_empty()
            && elements(sides.after).is_empty()
            && !manner.is_discreet
        {
            return (Vec::new(), Act::Same);
        }
        let change = inner(sides);
        let act = change.act;
        return (vec![(None, change)], act);
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
            for (i, j) in member_pairs(&before, &after, manner) {
                let part = Sides {
                    before: member(&before, i),
                    after: member(&after, j),
                    forcing: Places::default(),
                    relevant: Places::all(),
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
    let folded = changes.iter().fold(None, |folded: Option<Act>, (_, change)| match folded {
        None => Some(change.act),
        Some(act) if act == change.act => Some(act),
        Some(_) => Some(Act::Update),
    });
    (changes, folded.unwrap_or(Act::Same))
}
