//! Resource blocks: their type, their conditions, and what `ignore_changes` and read-only attributes name.

use super::super::scope::ModuleScope;
use super::super::{Engine, Node, NodeKind};
use super::BUILTIN;
use super::traversal::{TraversalKey, TraversalStep, check_traversal};
use crate::configuration::module::{Module, Resource, ResourceMode, constant};
use crate::configuration::validate::ListedReference;
use plantime::Value;
use plantime::unstable::text::near_name;
use plantime_hcl::Diagnostic;
use plantime_hcl::{Argument, Block};
use plantime_schema::Schema;

impl<'a> Engine<'a> {
    /// Reports a type of resource that its provider does not have.
    pub(in crate::configuration::evaluate) fn check_type(
        &self,
        provider: &str,
        resource: &Resource,
        schema: Option<&Schema>,
    ) {
        if schema.is_some() {
            return;
        }
        let Some(schemas) = self.provider_schema(provider) else { return };
        let ty = &*resource.ty;
        let shown = provider.strip_prefix("registry.terraform.io/").unwrap_or(provider);
        let is_resource = schemas.resource_types().any(|known| known == ty);
        let is_data = schemas.data_source_types().any(|known| known == ty);
        let (summary, noun, hint) = match resource.mode {
            ResourceMode::Managed => (
                "Invalid resource type",
                "resource type",
                match is_data {
                    true => format!(
                        "\n\nDid you intend to use the data source {ty:?}? If so, declare this using a \"data\" block \
                         instead of a \"resource\" block."
                    ),
                    false => near_name(ty, schemas.resource_types())
                        .map_or_else(String::new, |near| format!(" Did you mean {near:?}?")),
                },
            ),
            ResourceMode::Data => (
                "Invalid data source",
                "data source",
                match is_resource {
                    true => format!(
                        "\n\nDid you intend to use the managed resource type {ty:?}? If so, declare this using a \
                         \"resource\" block instead of a \"data\" block."
                    ),
                    false => near_name(ty, schemas.data_source_types())
                        .map_or_else(String::new, |near| format!(" Did you mean {near:?}?")),
                },
            ),
            ResourceMode::Ephemeral => ("Invalid ephemeral resource", "ephemeral resource", String::new()),
        };
        let detail = format!("The provider {shown} does not support {noun} {ty:?}.{hint}");
        let block = &resource.block;
        self.report(Diagnostic::new(&block.source, block.label_span(0), summary, detail));
    }

    /// Checks a resource block: its dependencies, its arguments and nested blocks against the schema, its
    /// conditions and provisioners.
    pub(super) fn check_resource(
        &self,
        module: &Module,
        address: &str,
        resource: &Resource,
        position: usize,
    ) {
        let body = &resource.block.body;
        let scope = self.repeated_scope(position, body);
        self.check_dependencies(body, &ModuleScope::of(self, position));
        let schema = self.resource_schema(module, resource);
        if module.provider(resource) == BUILTIN && resource.mode == ResourceMode::Managed {
            self.check_read_only(&resource.block, &scope);
        }
        let mut own = scope.nested();
        let is_typed = !self.inputs.is_terraform_validation();
        let own_value = if is_typed { self.unknown_value(schema) } else { Value::dynamic() };
        own.iterators.push(("self".to_owned(), own_value));
        own.self_schema = schema;
        let has_instances = module.resources.get_index_of(address).is_none_or(|index| {
            let node = Node { module: position, kind: NodeKind::Resource, position: index };
            !self.state.borrow().without_instances.contains(&node)
        });
        for lifecycle in body.blocks_of(&resource.block.source, "lifecycle", 0) {
            let source = &lifecycle.source;
            if has_instances {
                self.check_conditions(&lifecycle.body, source, (&["precondition"], true), &scope);
                self.check_conditions(&lifecycle.body, source, (&["postcondition"], true), &own);
            }
            if let (Some(argument), Some(schema)) = (lifecycle.body.argument("ignore_changes"), schema) {
                self.check_ignore_changes(argument, &resource.block, schema.block());
            }
        }
        if has_instances {
            self.check_provisioners(&resource.block, &own);
        }
    }

    /// Reports the attributes of `terraform_data` that only its provider sets. It says so without a place; of other providers the
    /// words are not known, and core leaves the check to them.
    fn check_read_only(&self, block: &Block, scope: &ModuleScope<'_, 'a>) {
        for name in ["id", "output"] {
            let Some(argument) = block.body.argument(name) else { continue };
            // The provider is not asked about a block with errors.
            let arguments = block.body.arguments.iter();
            if arguments.clone().any(|argument| self.evaluate(&argument.expression, scope).is_err()) {
                return;
            }
            if !constant(&argument.expression).is_null() {
                let summary = format!("{name:?} attribute is read-only");
                self.report(Diagnostic::new(&block.source, argument.span.clone(), summary, "").as_global());
            }
        }
    }

    /// Reports what `ignore_changes` names and the schema does not have.
    fn check_ignore_changes(&self, argument: &Argument, resource: &Block, block: &plantime_schema::Block) {
        let is_all = argument.expression.as_reference().is_some_and(|reference| reference.root() == "all");
        if argument.expression.items().is_none() && !is_all {
            let is_keyword = constant(&argument.expression).as_str().is_ok_and(|text| text == "all");
            if is_keyword && argument.expression.is_json() {
                return;
            }
            let detail = "A static list expression is required.";
            let (source, span) = (argument.expression.source(), argument.expression.start_span());
            self.report(Diagnostic::new(source, span, "Invalid expression", detail));
        }
        for item in argument.expression.items().unwrap_or_default() {
            let Some(listed) = ListedReference::of(&item) else { continue };
            let Some(reference) = listed.expression.as_reference() else { continue };
            let root =
                TraversalStep { key: TraversalKey::Attribute(reference.root()), span: reference.span_of(0) };
            let steps: Vec<TraversalStep<'_>> =
                std::iter::once(root).chain(reference.steps().iter().map(TraversalStep::of)).collect();
            if let Some((span, summary, detail)) = check_traversal(block, &steps) {
                self.report(Diagnostic::new(item.source(), listed.place(span), summary, detail));
                continue;
            }
            // Reported at the resource, not at the attribute.
            let chosen =
                reference.steps().is_empty().then(|| block.attributes.get(reference.root())).flatten();
            if chosen.is_some_and(|attribute| attribute.computed && !attribute.optional) {
                let detail = format!(
                    "Adding an attribute name to ignore_changes tells Terraform to ignore future changes to the argument in \
                     configuration after the object has been created, retaining the value originally configured.\n\nThe \
                     attribute {} is decided by the provider alone and therefore there can be no configured value to compare \
                     with. Including this attribute in ignore_changes has no effect. Remove the attribute from ignore_changes \
                     to quiet this warning.",
                    reference.root()
                );
                let (source, span) = (&resource.source, resource.label_span(0));
                let warning = Diagnostic::new(source, span, "Redundant ignore_changes element", detail);
                self.report(warning.as_warning());
            }
        }
    }
}
