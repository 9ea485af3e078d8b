//! What a schema refuses of a block: arguments and blocks that it lacks, has too often, or does not know.

use std::ops::Range;

use super::super::Engine;
use super::Written;
use crate::configuration::body::Argument;
use crate::configuration::validate::{missing_argument, unsupported_block};
use crate::expression::Diagnostic;
use crate::mark::Mark;
use crate::schema::{self, NestedBlock, Nesting};
use crate::source::Source;
use crate::types::Type;
use crate::value::Value;

impl Engine<'_> {
    /// Reports the arguments that are missing, and the blocks that the schema does not have.
    pub(super) fn check_body(&self, written: &Written<'_>, block: &schema::Block) {
        let missing = block.attributes.iter().filter(|(name, attribute)| {
            attribute.required
                && written.body.argument(name).is_none()
                // A list or set of objects may be written as blocks.
                && !written.body.blocks.iter().any(|nested| *nested.kind == ***name)
        });
        for (name, _) in missing {
            self.report(Diagnostic::new(
                written.source,
                written.brace.clone(),
                "Missing required argument",
                missing_argument(name),
            ));
        }
        for property in &written.body.properties {
            let name = property.name.as_str();
            let is_meta =
                written.is_resource && (super::META_ARGUMENTS.contains(&name) || super::is_meta_block(name));
            let is_known = block.attributes.contains_key(name) || block.block_types.contains_key(name);
            if !is_meta && !is_known && !matches!(name, "//" | "dynamic") {
                let detail = format!("No argument or block type is named {name:?}.");
                let summary = "Extraneous JSON object property";
                self.report(Diagnostic::new(written.source, property.span.clone(), summary, detail));
            }
        }
        for nested in &written.body.blocks {
            if &*nested.kind == "dynamic" && nested.labels.len() != 1 {
                let mut problems = Vec::new();
                crate::configuration::validate::check_labels(nested, &["type"], &mut problems);
                problems.into_iter().for_each(|problem| self.report(problem));
                continue;
            }
            let (kind, span) = match (&*nested.kind, nested.labels.first()) {
                ("dynamic", Some(label)) => (&**label, nested.label_span(0)),
                (kind, _) => (kind, nested.span.clone()),
            };
            let is_meta = written.is_resource && *nested.kind != *"dynamic" && super::is_meta_block(kind);
            if is_meta || block.block_types.contains_key(kind) || is_written_as_blocks(block, kind) {
                if let Some(declared) = block.block_types.get(kind)
                    && *nested.kind != *"dynamic"
                {
                    let labels: &[&str] = if declared.nesting == Nesting::Map { &["key"] } else { &[] };
                    let mut problems = Vec::new();
                    crate::configuration::validate::check_labels(nested, labels, &mut problems);
                    problems.into_iter().for_each(|problem| self.report(problem));
                }
                continue;
            }
            let kinds = block.block_types.keys().map(String::as_str);
            let detail = unsupported_block(kind, kinds, block.attributes.keys().map(String::as_str));
            self.report(Diagnostic::new(&nested.source, span, "Unsupported block type", detail));
        }
    }

    /// Reports too few or too many blocks of a kind.
    pub(super) fn check_count(
        &self,
        written: &Written<'_>,
        kind: &str,
        nested: &NestedBlock,
        places: &[(Source, Range<usize>)],
        is_unknown: bool,
    ) {
        let count = u64::try_from(places.len()).unwrap_or(u64::MAX);
        let (least, most) = match nested.nesting {
            Nesting::Single | Nesting::Group => (nested.min_items.min(1), 1),
            _ => (nested.min_items, nested.max_items),
        };
        if count < least && !is_unknown {
            let (summary, detail) = match nested.nesting {
                Nesting::Single | Nesting::Group => {
                    (format!("Missing {kind} block"), format!("A block of type {kind:?} is required here."))
                }
                _ => (
                    format!("Insufficient {kind} blocks"),
                    format!("At least {least} {kind:?} blocks are required."),
                ),
            };
            self.report(Diagnostic::new(written.source, written.brace.clone(), summary, detail));
        }
        let first_excess = usize::try_from(most).ok().filter(|most| *most > 0);
        let Some((source, place)) = first_excess.and_then(|most| places.get(most)) else { return };
        let (summary, detail) = match nested.nesting {
            Nesting::Single | Nesting::Group => {
                let before = places
                    .first()
                    .map(|(source, place)| crate::configuration::validate::place_text(source, place))
                    .unwrap_or_default();
                (
                    format!("Duplicate {kind} block"),
                    format!(
                        "Only one block of type {kind:?} is allowed. Previous definition was at {before}."
                    ),
                )
            }
            _ => (
                format!("Too many {kind} blocks"),
                format!("No more than {most} {kind:?} blocks are allowed"),
            ),
        };
        self.report(Diagnostic::new(source, place.clone(), summary, detail));
    }

    /// Reports an ephemeral value for an argument that is stored.
    pub(super) fn check_persistence(
        &self,
        argument: &Argument,
        attribute: &schema::Attribute,
        value: &Value,
    ) {
        if attribute.write_only || !value.unmark_deep().1.contains(&Mark::EPHEMERAL) {
            return;
        }
        let detail = format!(
            "Ephemeral values are not valid for {:?}, because it is not a write-only attribute and must be persisted to \
             state.",
            argument.name
        );
        let (source, span) = (argument.expression.source(), argument.expression.span());
        self.report(Diagnostic::new(source, span, "Invalid use of ephemeral value", detail));
    }
}

/// Whether an attribute of this name may be written as blocks: a list or set of objects.
fn is_written_as_blocks(block: &schema::Block, name: &str) -> bool {
    let Some(attribute) = block.attributes.get(name) else { return false };
    let schema::AttributeType::Plain(ty) = &attribute.ty else { return false };
    matches!(ty, Type::List(_) | Type::Set(_)) && matches!(ty.element_type(), Some(Type::Object(_)))
}
