//! Checks a block against its schema: reports arguments and nested blocks that are missing, too many, or not in the
//! schema.

use std::ops::Range;

use super::super::Engine;
use super::Written;
use crate::configuration::module::is_override;
use crate::configuration::validate::{check_labels, missing_argument, unsupported_block};
use plantime::source::Source;
use plantime::unstable::text::near_name;
use plantime::{Mark, Type, Value};
use plantime_hcl::Argument;
use plantime_hcl::Diagnostic;
use plantime_hcl::unstable::Problems;
use plantime_schema::unstable::count_problem;
use plantime_schema::{NestedBlock, Nesting};

impl Engine<'_> {
    /// Reports the arguments that are missing, and the blocks that the schema does not have.
    pub(super) fn check_body(&self, written: &Written<'_>, block: &plantime_schema::Block) {
        let is_block = |name: &str| written.body.blocks.iter().any(|nested| nested.produced_kind() == name);
        let missing = block.attributes.sorted().filter(|(name, attribute)| {
            attribute.required
                && written.body.argument(name).is_none()
                && !(is_written_as_blocks(block, name) && is_block(name))
        });
        for (name, _) in missing {
            self.report(Diagnostic::new(
                written.source,
                written.body_start.clone(),
                "Missing required argument",
                missing_argument(name),
            ));
        }
        for property in &written.body.properties {
            let name = property.name.as_str();
            let is_meta =
                (written.is_resource && super::META_ARGUMENTS.contains(&name)) || written.is_meta_block(name);
            let is_known = block.attributes.contains_key(name) || block.block_types.contains_key(name);
            if !is_meta && !is_known && !matches!(name, "//" | "dynamic") {
                let names = block.attributes.sorted().map(|(name, _)| name.as_str());
                let names = names.chain(block.block_types.sorted().map(|(name, _)| name.as_str()));
                self.report(extraneous_property(written.source, property.span.clone(), name, names));
            }
        }
        for nested in written.body.blocks.iter().filter(|nested| !is_override(nested.source.name())) {
            if &*nested.kind == "dynamic" && nested.labels.len() != 1 {
                let mut problems = Problems::default();
                check_labels(nested, &["type"], &mut problems);
                problems.into_iter().for_each(|problem| self.report(problem));
                continue;
            }
            let (kind, span) = match (&*nested.kind, nested.labels.first()) {
                ("dynamic", Some(label)) => (&**label, nested.label_span(0)),
                (kind, _) => (kind, nested.span.clone()),
            };
            let is_meta = *nested.kind != *"dynamic" && written.is_meta_block(kind);
            if is_meta || block.block_types.contains_key(kind) || is_written_as_blocks(block, kind) {
                if let Some(declared) = block.block_types.get(kind)
                    && *nested.kind != *"dynamic"
                {
                    let labels: &[&str] = if declared.nesting == Nesting::Map { &["key"] } else { &[] };
                    let mut problems = Problems::default();
                    check_labels(nested, labels, &mut problems);
                    problems.into_iter().for_each(|problem| self.report(problem));
                }
                continue;
            }
            let kinds = block.block_types.sorted().map(|(name, _)| name.as_str());
            // No argument is offered in place of a `dynamic` block.
            let is_dynamic = &*nested.kind == "dynamic";
            let names = block.attributes.sorted().map(|(name, _)| name.as_str()).filter(|_| !is_dynamic);
            let detail = unsupported_block(kind, kinds, names);
            self.report(Diagnostic::new(&nested.source, span, "Unsupported block type", detail));
        }
    }

    /// Reports a nested block type that has fewer blocks than `min_items` or more than `max_items`. `places` has the place of each
    /// block; `is_unknown` says that a `dynamic` block makes an unknown number of further ones.
    pub(super) fn check_block_count(
        &self,
        written: &Written<'_>,
        kind: &str,
        nested: &NestedBlock,
        places: &[(Source, Range<usize>)],
        is_unknown: bool,
    ) {
        let count = u64::try_from(places.len()).unwrap_or(u64::MAX);
        let is_single = matches!(nested.nesting, Nesting::Single | Nesting::Group);
        let allowed = usize::try_from(if is_single { 1 } else { nested.max_items }).unwrap_or(usize::MAX);
        let excess = places.get(allowed).filter(|_| allowed > 0);
        if let (true, Some((source, place)), Some((first_source, first))) =
            (is_single, excess, places.first())
        {
            let before = first_source.range_text(first.clone());
            let detail =
                format!("Only one block of type {kind:?} is allowed. Previous definition was at {before}.");
            let summary = format!("Duplicate {kind} block");
            return self.report(Diagnostic::new(source, place.clone(), summary, detail));
        }
        let most = (!is_unknown).then_some(count);
        let Some((summary, detail)) = count_problem(kind, nested, count, most) else { return };
        // Too many blocks are reported at the first one that is not allowed, too few at the block around them.
        let (source, place) =
            excess.map_or((written.source, &written.body_start), |(source, place)| (source, place));
        self.report(Diagnostic::new(source, place.clone(), summary, detail));
    }

    /// Reports an ephemeral value that is assigned to an attribute which is stored in the state.
    pub(super) fn check_ephemeral_value(
        &self,
        argument: &Argument,
        attribute: &plantime_schema::Attribute,
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

/// The problem of a property in JSON that is neither an argument nor a block; `names` are those that are.
pub(in crate::configuration::evaluate) fn extraneous_property<'n>(
    source: &Source,
    span: Range<usize>,
    name: &str,
    names: impl Iterator<Item = &'n str>,
) -> Diagnostic {
    let hint = near_name(name, names).map_or_else(String::new, |near| format!(" Did you mean {near:?}?"));
    let detail = format!("No argument or block type is named {name:?}.{hint}");
    Diagnostic::new(source, span, "Extraneous JSON object property", detail)
}

/// Whether an attribute of this name may be written as blocks: a list or set of objects.
fn is_written_as_blocks(block: &plantime_schema::Block, name: &str) -> bool {
    let Some(attribute) = block.attributes.get(name) else { return false };
    let plantime_schema::AttributeType::Plain(ty) = &attribute.ty else { return false };
    matches!(ty, Type::List(_) | Type::Set(_)) && matches!(ty.element_type(), Some(Type::Object(_)))
}
