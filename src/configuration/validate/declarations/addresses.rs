//! Checks the blocks that name resources or modules by their addresses: `moved`, `removed`, `import`.

use super::File;
use crate::configuration::body::Block;
use crate::configuration::validate::constants::check_constant;
use crate::configuration::validate::provisioners::{ProvisionedBlock, check_provisioners};
use crate::configuration::validate::structure::missing_argument;
use crate::expression::{Expression, Reference, ReferenceKey, ReferenceStep};
use crate::source::range_text;
use crate::types::Type;

impl File<'_, '_> {
    /// Checks a `removed` block: it names a whole resource or module, and its provisioners run at destroy.
    pub(super) fn removed(&mut self, block: &Block) {
        check_provisioners(block, ProvisionedBlock::Removed, self.problems);
        for lifecycle in block.body.blocks_of(&block.source, "lifecycle", 0) {
            check_constant(&lifecycle.body, "destroy", &Type::Bool, self.problems);
        }
        let Some(from) = block.body.argument("from") else { return };
        self.address(&from.expression, false);
        let Some(from) = from.expression.as_reference() else { return };
        if from.root() == "data" {
            let detail = "Data sources are never destroyed, so they are not valid targets of removed blocks. To remove the data \
                          source from state, remove the data source block from configuration.";
            let summary = "Data source address not allowed";
            self.report(&block.source, from.span(), summary, detail.to_owned());
        }
        if from.root() == "module" && from.steps().len() == 1 {
            for provisioner in block.body.blocks_of(&block.source, "provisioner", 1) {
                let detail = "Provisioners are valid only when a removed block targets a managed resource.";
                let summary = "Invalid provisioner block";
                self.report(&block.source, provisioner.head(), summary, detail.to_owned());
            }
        }
        let Some(key) = from.steps().iter().find(|step| matches!(step.key(), ReferenceKey::Index(_))) else {
            return;
        };
        if from.root() != "module" {
            let detail = "Resource address must be a resource (e.g. \"test_instance.foo\"), not a resource instance (e.g. \
                          \"test_instance.foo[1]\").";
            let summary = "Resource instance keys not allowed";
            self.report(&block.source, key.span(), summary, detail.to_owned());
        }
    }

    /// Checks that a `moved` block moves a module to a module or a resource to a resource.
    pub(super) fn moved(&mut self, block: &Block) {
        for name in ["from", "to"] {
            if let Some(argument) = block.body.argument(name) {
                self.address(&argument.expression, false);
            }
        }
        // `module.a` and `module.a["k"].module.b` are modules, `module.a.aws_vpc.b` and `aws_vpc.b` are resources.
        let is_module = |name: &str| {
            let reference = block.body.argument(name)?.expression.as_reference()?;
            let mut names = vec![reference.root()];
            names.extend(reference.steps().iter().filter_map(|step| match step.key() {
                ReferenceKey::Attribute(name) => Some(&**name),
                ReferenceKey::Index(_) => None,
            }));
            let count = names.chunks(2).take_while(|pair| pair.first() == Some(&"module")).count();
            Some(count.saturating_mul(2) >= names.len())
        };
        if let (Some(from), Some(to)) = (is_module("from"), is_module("to"))
            && from != to
        {
            let detail = "The \"from\" and \"to\" addresses must either both refer to resources or both refer to modules.";
            self.report(&block.source, block.head(), "Invalid \"moved\" addresses", detail.to_owned());
        }
    }

    /// Checks the address of a resource or module: a type and a name, whose instance key may be calculated.
    fn address(&mut self, expression: &Expression, may_calculate: bool) {
        if expression.source().name().ends_with(".json") {
            return;
        }
        let Some(reference) = expression.as_reference() else {
            // The key of an instance may be calculated where a resource is imported.
            let is_literal = expression.references().is_empty() || !expression.outermost_calls().is_empty();
            if is_literal || !may_calculate {
                let detail = "A single static variable reference is required: only attribute access and indexing with constant \
                              keys. No calculations, function calls, template expressions, etc are allowed here.";
                self.report(expression.source(), expression.span(), "Invalid expression", detail.to_owned());
            }
            return;
        };
        let reserved = ["each", "count", "self", "var", "local", "path", "terraform", "ephemeral"];
        if reserved.contains(&reference.root()) {
            let detail = format!(
                "The keyword {:?} is reserved and cannot be used to target a resource address. If you are targeting a resource \
                 type that uses a reserved keyword, please prefix your address with \"resource.\".",
                reference.root()
            );
            self.report(expression.source(), reference.span_of(0), "Invalid address", detail);
        } else if reference.steps().is_empty() {
            let detail = "Resource specification must include a resource type and name.";
            self.report(expression.source(), expression.span(), "Invalid address", detail.to_owned());
        } else if let Some(extra) = steps_behind_address(reference) {
            let detail = "Unexpected extra operators after address.";
            self.report(expression.source(), extra.span(), "Invalid address", detail.to_owned());
        }
    }

    /// Checks an `import` block: it needs an `id` or an `identity`, and a resource to import to.
    pub(super) fn import(&mut self, block: &Block) {
        let has_identity = ["id", "identity"].iter().any(|name| block.body.argument(name).is_some());
        if !has_identity && block.body.argument("to").is_some() {
            let detail = missing_argument("id");
            self.report(&block.source, block.body_start.clone(), "Missing required argument", detail);
        }
        let Some(to) = block.body.argument("to") else { return };
        let before = self.problems.len();
        self.address(&to.expression, true);
        let reference = to.expression.as_reference();
        let root = reference.map(Reference::root);
        let is_module =
            root == Some("module") && reference.is_some_and(|reference| reference.steps().len() == 1);
        if is_module {
            let detail = "A resource instance address is required here. The module path must be followed by a resource instance \
                          specification.";
            self.report(&block.source, to.expression.span(), "Invalid address", detail.to_owned());
        }
        let is_literal = reference.is_none()
            && to.expression.references().is_empty()
            && !to.expression.source().name().ends_with(".json");
        if is_module || root == Some("data") || is_literal {
            let detail = "Only managed resources can be imported.";
            self.report(&block.source, to.span.clone(), "Invalid import address", detail.to_owned());
        }
        if self.problems.len() > before {
            return;
        }
        let Some(target) = to.expression.as_reference().map(ToString::to_string) else { return };
        let at = range_text(&block.source, &block.head());
        if let Some(before) = self.declare("import", &target, at) {
            let detail = format!(
                "An import block for the resource {target:?} was already declared at {before}. A resource can have only \
                 one import block."
            );
            let summary = format!("Duplicate import configuration for {target:?}");
            self.report(&block.source, to.expression.span(), summary, detail);
        }
    }
}

/// The first step of a reference that is behind the address of a resource or module: `.id` in `aws_vpc.a["k"].id`.
fn steps_behind_address(reference: &Reference) -> Option<&ReferenceStep> {
    let steps = reference.steps();
    let name = |at: usize| match steps.get(at)?.key() {
        ReferenceKey::Attribute(name) => Some(&**name),
        ReferenceKey::Index(_) => None,
    };
    let is_key = |at: usize| steps.get(at).is_some_and(|step| matches!(step.key(), ReferenceKey::Index(_)));
    // The name that the next part of the address begins with, and the position of the step behind it.
    let (mut root, mut next) = (reference.root(), 0_usize);
    while root == "module" {
        name(next)?;
        next = next.saturating_add(1);
        next = next.saturating_add(usize::from(is_key(next)));
        root = name(next)?;
        next = next.saturating_add(1);
    }
    next = next.saturating_add(usize::from(matches!(root, "data" | "resource")));
    name(next)?;
    next = next.saturating_add(1);
    next = next.saturating_add(usize::from(is_key(next)));
    steps.get(next)
}
