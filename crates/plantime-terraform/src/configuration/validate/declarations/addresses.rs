//! Checks the blocks that name resources or modules by their addresses: `moved`, `removed`, `import`.

use std::ops::Range;

use super::File;
use crate::configuration::validate::constants::{check_constant, is_keyword};
use crate::configuration::validate::provisioners::{ProvisionedBlock, check_provisioners};
use crate::configuration::validate::structure::missing_argument;
use plantime::Type;
use plantime_hcl::Block;
use plantime_hcl::{Expression, Reference, ReferenceKey, ReferenceStep};

impl File<'_, '_> {
    /// Checks a `removed` block: it names a whole resource or module, and its provisioners run at destroy.
    pub(super) fn removed(&mut self, block: &Block) {
        check_provisioners(block, ProvisionedBlock::Removed, self.problems);
        for lifecycle in block.body.blocks_of(&block.source, "lifecycle", 0) {
            check_constant(&lifecycle.body, "destroy", &Type::Bool, self.problems);
        }
        let Some(from) = block.body.argument("from") else { return };
        let Some(named) = self.unquoted(&from.expression) else { return };
        let target = match named.as_reference() {
            Some(reference) => address_error(reference, Purpose::Removed),
            None => {
                self.address(&named, false);
                Some(Target::Other)
            }
        };
        match target {
            None => return,
            Some(Target::Wrong(span, summary, detail)) => {
                self.report(&block.source, span, summary, detail);
            }
            Some(Target::Module | Target::Other) => {}
        }
        for (kind, labels, what) in [
            ("provisioner", 1, "Provisioners are"),
            ("connection", 0, "Provisioner connection configuration is"),
        ] {
            for nested in block.body.blocks_of(&block.source, kind, labels) {
                let detail = format!("{what} valid only when a removed block targets a managed resource.");
                let summary = format!("Invalid {kind} block");
                self.report(&block.source, nested.head(), summary, detail);
            }
        }
    }

    /// Checks that a `moved` block moves a module to a module or a resource to a resource.
    pub(super) fn moved(&mut self, block: &Block) {
        if self.overrides {
            let detail = "Records of moved objects can appear only in normal files, not in override files.";
            self.report(&block.source, block.head(), "Cannot override 'moved' blocks", detail.to_owned());
        }
        let [from, to] = ["from", "to"].map(|name| {
            let named = self.unquoted(&block.body.argument(name)?.expression)?;
            self.address(&named, false);
            Some(named)
        });
        // `module.a` and `module.a["k"].module.b` are modules, `module.a.aws_vpc.b` and `aws_vpc.b` are resources.
        let is_module = |named: &Option<Expression>| {
            let reference = named.as_ref()?.as_reference()?;
            let mut names = vec![reference.root()];
            names.extend(reference.steps().iter().filter_map(|step| match step.key() {
                ReferenceKey::Attribute(name) => Some(&**name),
                ReferenceKey::Index(_) => None,
            }));
            let count = names.chunks(2).take_while(|pair| pair.first() == Some(&"module")).count();
            Some(count.saturating_mul(2) >= names.len())
        };
        if let (Some(from), Some(to)) = (is_module(&from), is_module(&to))
            && from != to
        {
            let detail = "The \"from\" and \"to\" addresses must either both refer to resources or both refer to modules.";
            self.report(&block.source, block.head(), "Invalid \"moved\" addresses", detail.to_owned());
        }
    }

    /// The address that an argument is: in JSON it is a text. Reports what is wrong with the text.
    fn unquoted(&mut self, expression: &Expression) -> Option<Expression> {
        expression.unquoted().map_err(|wrong| self.problems.extend(wrong.iter().cloned())).ok()
    }

    /// Checks the address of a resource or module: a type and a name, whose instance key may be calculated.
    fn address(&mut self, expression: &Expression, may_calculate: bool) {
        if is_keyword(expression) {
            let detail = "Resource specification must include a resource type and name.";
            self.report(expression.source(), expression.span(), "Invalid address", detail.to_owned());
            return;
        }
        let Some(reference) = expression.as_reference() else {
            if expression.calculated_key().is_none() || !may_calculate {
                let detail = "A single static variable reference is required: only attribute access and indexing with constant \
                              keys. No calculations, function calls, template expressions, etc are allowed here.";
                self.report(expression.source(), expression.span(), "Invalid expression", detail.to_owned());
            }
            return;
        };
        if RESERVED.contains(&reference.root()) {
            let detail = reserved(reference.root());
            self.report(expression.source(), reference.span_of(0), "Invalid address", detail);
        } else if reference.steps().is_empty() {
            let detail = "Resource specification must include a resource type and name.";
            self.report(expression.source(), expression.span(), "Invalid address", detail.to_owned());
        } else if let Some(lone) = lone_type(reference) {
            let detail = "Resource specification must include a resource type and name.";
            self.report(expression.source(), lone.span(), "Invalid address", detail.to_owned());
        } else if let Some(extra) = steps_behind_address(reference) {
            let detail = "Unexpected extra operators after address.";
            self.report(expression.source(), extra.span(), "Invalid address", detail.to_owned());
        }
    }

    /// Reports that what is to be imported is no resource.
    fn only_managed(&mut self, block: &Block, span: Range<usize>) {
        let detail = "Only managed resources can be imported.";
        self.report(&block.source, span, "Invalid import address", detail.to_owned());
    }

    /// Checks an `import` block: it needs an `id` or an `identity`, and a resource to import to.
    pub(super) fn import(&mut self, block: &Block) {
        if self.overrides {
            let detail = "Import blocks can appear only in normal files, not in override files.";
            self.report(&block.source, block.head(), "Cannot override 'import' blocks", detail.to_owned());
        }
        let has_identity = ["id", "identity"].iter().any(|name| block.body.argument(name).is_some());
        if !has_identity && block.body.argument("to").is_some() {
            let detail = missing_argument("id");
            self.report(&block.source, block.body_start.clone(), "Missing required argument", detail);
        }
        if let Some(provider) = block.body.argument("provider") {
            self.provider_reference(&provider.expression);
        }
        let Some(to) = block.body.argument("to") else { return };
        let before = self.problems.added_count();
        let Some(target) = self.unquoted(&to.expression) else { return };
        match target.as_reference() {
            Some(reference) => {
                if let Some(Target::Wrong(span, summary, detail)) = address_error(reference, Purpose::Import)
                {
                    if !detail.is_empty() {
                        self.report(&block.source, span, summary, detail);
                    }
                    self.only_managed(block, to.span.clone());
                }
            }
            None => {
                // The key may be calculated from the element of `for_each`.
                self.address(&target, block.body.argument("for_each").is_some());
                if target.calculated_key().is_none() {
                    self.only_managed(block, to.span.clone());
                }
            }
        }
        if self.problems.added_count() > before || !has_identity {
            return;
        }
        let Some(target) = target.as_reference().map(ToString::to_string) else { return };
        let at = block.source.range_text(block.head());
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

/// The type of a resource in a module whose name is missing: `.aws_vpc` in `module.m.aws_vpc`.
fn lone_type(reference: &Reference) -> Option<&ReferenceStep> {
    let is_name = |step: &&ReferenceStep| matches!(step.key(), ReferenceKey::Attribute(_));
    let mut root = reference.root();
    let mut names = reference.steps().iter().filter(is_name);
    let mut last = None;
    while root == "module" {
        names.next()?;
        last = names.next();
        root = match last?.key() {
            ReferenceKey::Attribute(name) => name,
            ReferenceKey::Index(_) => return None,
        };
    }
    last.filter(|_| names.next().is_none())
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

/// What an address is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Purpose {
    /// A module or a resource, without instance keys. Any name is a type of resources there, also `var`.
    Removed,
    /// An instance of a resource.
    Import,
}

/// What an address names other than a managed resource.
enum Target {
    Module,
    /// No address.
    Other,
    /// The place, the summary and the detail of the error; no detail where the address is one of a data source to import.
    Wrong(Range<usize>, &'static str, String),
}

/// What is wrong with the address of a `removed` or `import` block; `None` for a managed resource.
fn address_error(reference: &Reference, purpose: Purpose) -> Option<Target> {
    let is_import = purpose == Purpose::Import;
    let steps = reference.steps();
    let name = |at: usize| match steps.get(at)?.key() {
        ReferenceKey::Attribute(name) => Some(&**name),
        ReferenceKey::Index(_) => None,
    };
    let place = |part: usize| match part.checked_sub(1) {
        None => reference.span_of(0),
        Some(step) => steps.get(step).map_or_else(|| reference.span(), ReferenceStep::span),
    };
    let wrong = |span: Range<usize>, summary: &'static str, detail: &str| {
        Some(Target::Wrong(span, summary, detail.to_owned()))
    };
    // Part 0 is the root, part n + 1 is step n.
    let part = |at: usize| if at == 0 { Some(reference.root()) } else { name(at.saturating_sub(1)) };
    let count = steps.len().saturating_add(1);
    let mut at = 0_usize;
    while part(at) == Some("module") {
        let mut next = at.saturating_add(2);
        if part(at.saturating_add(1)).is_none() {
            let detail = "Prefix \"module.\" must be followed by a module name.";
            return wrong(place(at), "Invalid address operator", detail);
        }
        if next < count && part(next).is_none() {
            if !is_import {
                let detail = "Module address must be a module (e.g. \"module.foo\"), not a module instance (e.g. \
                              \"module.foo[1]\").";
                return wrong(place(next), "Module instance keys not allowed", detail);
            }
            next = next.saturating_add(1);
        }
        if next >= count {
            if !is_import {
                return Some(Target::Module);
            }
            let detail = "A resource instance address is required here. The module path must be followed by a resource instance \
                          specification.";
            return wrong(reference.span(), "Invalid address", detail);
        }
        at = next;
    }
    if let Some(keyword) = part(at).filter(|name| is_import && RESERVED.contains(name)) {
        return wrong(place(at), "Invalid address", &reserved(keyword));
    }
    let is_data = part(at) == Some("data");
    // The prefix `resource.` may stand before any type.
    let is_prefixed = is_data || is_import && part(at) == Some("resource");
    let first = at.saturating_add(usize::from(is_prefixed));
    let (Some(_), Some(_)) = (part(first), part(first.saturating_add(1))) else {
        let detail = "Resource specification must include a resource type and name.";
        return wrong(place(first.min(count.saturating_sub(1))), "Invalid address", detail);
    };
    let extra = first.saturating_add(2);
    if extra < count && !is_import {
        let detail = "Resource address must be a resource (e.g. \"test_instance.foo\"), not a resource instance (e.g. \
                      \"test_instance.foo[1]\").";
        return wrong(place(extra), "Resource instance keys not allowed", detail);
    }
    let behind = extra.saturating_add(1);
    if behind < count {
        return wrong(place(behind), "Invalid address", "Unexpected extra operators after address.");
    }
    if extra < count && part(extra).is_some() {
        return wrong(
            place(extra),
            "Invalid address",
            "Resource instance key must be given in square brackets.",
        );
    }
    if let Some(ReferenceKey::Index(key)) =
        extra.checked_sub(1).and_then(|step| steps.get(step)).map(ReferenceStep::key)
        && !matches!(key.ty(), Type::String | Type::Number)
    {
        let detail = "Invalid resource instance key: either a string or an integer is required.";
        return wrong(place(extra), "Invalid address", detail);
    }
    match (is_data, is_import) {
        (false, _) => None,
        (true, true) => wrong(reference.span(), "", ""),
        (true, false) => {
            let detail = "Data sources are never destroyed, so they are not valid targets of removed blocks. To remove the data \
                          source from state, remove the data source block from configuration.";
            wrong(reference.span(), "Data source address not allowed", detail)
        }
    }
}

/// The names that begin no address of a resource.
const RESERVED: [&str; 8] = ["each", "count", "self", "var", "local", "path", "terraform", "ephemeral"];

fn reserved(keyword: &str) -> String {
    format!(
        "The keyword {keyword:?} is reserved and cannot be used to target a resource address. If you are targeting a resource type \
         that uses a reserved keyword, please prefix your address with \"resource.\"."
    )
}
