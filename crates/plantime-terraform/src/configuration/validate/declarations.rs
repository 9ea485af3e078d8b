//! What a module declares: names, and that each is declared once.

mod addresses;
mod settings;

use std::collections::HashMap;
use std::ops::Range;

use super::constants::{
    check_condition, check_constant, check_ignore_changes, check_quoted_reference, check_quoted_type,
    check_references_only, check_replace_triggered_by,
};
use super::module_source::check_module_source;
use super::provisioners::{ProvisionedBlock, check_provisioners};
use super::quoted::{ListedReference, quoted_text};
use super::required_providers::local_name_problem;
use super::structure::check_labels;
use crate::configuration::module::flag;
use plantime::Type;
use plantime::source::Source;
use plantime_hcl::unstable::Problems;
use plantime_hcl::{Block, Body};
use plantime_hcl::{Diagnostic, Expression, Reference, ReferenceKey};

/// The sentence of messages that says what a valid name is.
const NAME: &str = "A name must start with a letter or underscore and may contain only letters, digits, underscores, and dashes.";

/// The arguments of `lifecycle` that only managed resources have.
const LIFECYCLE_ARGUMENTS: [&str; 4] =
    ["create_before_destroy", "prevent_destroy", "ignore_changes", "replace_triggered_by"];

/// The declarations of a module so far: the place of each, by its kind and name.
#[derive(Default)]
pub(super) struct Declarations {
    places: HashMap<(&'static str, String), String>,
}

impl Declarations {
    /// Records the declarations of a file, and adds the problems of those that are wrong or declared a second time.
    pub(super) fn add_file(
        &mut self,
        source: &Source,
        body: &Body,
        is_root: bool,
        overrides: bool,
        problems: &mut Problems,
    ) {
        let mut file = File { declarations: self, is_root, overrides, problems };
        for block in body.blocks_of(source, "terraform", 0) {
            file.settings(&block);
            for required in block.body.blocks_of(source, "required_providers", 0) {
                file.required_providers(&required);
            }
        }
        for (kind, labels, declare) in KINDS {
            // One with other labels declares nothing.
            for block in body.blocks_of(source, kind, *labels) {
                if block.labels.len() == *labels {
                    declare(&mut file, &block);
                }
            }
        }
    }
}

/// Declares what a block declares.
type Declare = fn(&mut File<'_, '_>, &Block);

/// The blocks that declare something, in the order in which problems are reported: kind, number of labels, what they declare.
const KINDS: &[(&str, usize, Declare)] = &[
    ("provider", 1, |file, block| file.provider(block)),
    ("variable", 1, |file, block| file.variable(block)),
    ("locals", 0, |file, block| file.locals(block)),
    ("output", 1, |file, block| file.output(block)),
    ("module", 1, |file, block| file.module(block)),
    ("resource", 2, |file, block| file.resource("resource", block)),
    ("data", 2, |file, block| file.resource("data", block)),
    ("ephemeral", 2, |file, block| file.resource("ephemeral", block)),
    ("check", 1, |file, block| file.check(block)),
    ("import", 0, |file, block| file.import(block)),
    ("moved", 0, |file, block| file.moved(block)),
    ("removed", 0, |file, block| file.removed(block)),
];

/// A file whose declarations are being added.
struct File<'d, 'p> {
    declarations: &'d mut Declarations,
    is_root: bool,
    overrides: bool,
    problems: &'p mut Problems,
}

impl File<'_, '_> {
    /// Adds an error at a span of the source.
    fn report(&mut self, source: &Source, span: Range<usize>, summary: impl Into<String>, detail: String) {
        self.problems.push(Diagnostic::new(source, span, summary, detail));
    }

    /// Declares a name. Returns where it was declared before, if it was and this is not a file that overrides others.
    fn declare(&mut self, kind: &'static str, name: &str, place: String) -> Option<String> {
        let known = self.declarations.places.entry((kind, name.to_owned()));
        match known {
            std::collections::hash_map::Entry::Occupied(before) if !self.overrides => {
                Some(before.get().clone())
            }
            entry => {
                entry.or_insert(place);
                None
            }
        }
    }

    /// The name of a block, which is its last label: valid and not declared before.
    fn name(
        &mut self,
        kind: &'static str,
        block: &Block,
        noun: &str,
        summary: &str,
        detail: impl Fn(&str, &str) -> String,
    ) {
        let Some(name) = block.labels.last() else { return };
        if !is_identifier(name) {
            self.invalid_name(block, block.labels.len().saturating_sub(1), noun);
        }
        let key = block.labels.join(".");
        if let Some((summary, detail)) = self.missing_base(kind, &key, &block.labels) {
            self.report(&block.source, block.head(), summary, detail);
        }
        let at = block.source.range_text(block.head());
        if let Some(before) = self.declare(kind, &key, at) {
            self.report(&block.source, block.head(), summary, detail(name, &before));
        }
    }

    /// What is wrong with a declaration in a file of overrides: nothing is declared there that it could override.
    fn missing_base(
        &self,
        kind: &'static str,
        key: &str,
        labels: &[Box<str>],
    ) -> Option<(&'static str, String)> {
        if !self.overrides || self.declarations.places.contains_key(&(kind, key.to_owned())) {
            return None;
        }
        let name = labels.last().map(|label| &**label).unwrap_or(key);
        let ty = labels.first().map(|label| &**label).unwrap_or_default();
        let (summary, base, may) = match kind {
            "variable" => (
                "Missing base variable declaration to override",
                format!("variable named {name:?}"),
                "a variable that was already declared",
            ),
            "local" => (
                "Missing base local value definition to override",
                format!("local value named {name:?}"),
                "a local value that was already defined",
            ),
            "output" => (
                "Missing base output definition to override",
                format!("output named {name:?}"),
                "an output that was already defined",
            ),
            "module" => (
                "Missing module call to override",
                format!("module call named {name:?}"),
                "a module call that was defined",
            ),
            "resource" => (
                "Missing resource to override",
                format!("{ty} resource named {name:?}"),
                "a resource block defined",
            ),
            "data" => (
                "Missing data resource to override",
                format!("{ty} data resource named {name:?}"),
                "a data block defined",
            ),
            _ => return None,
        };
        let detail = format!(
            "There is no {base}. An override file can only override {may} in a primary configuration file."
        );
        Some((summary, detail))
    }

    /// Reports a label that is not a valid name. `noun` is what the block declares.
    fn invalid_name(&mut self, block: &Block, label: usize, noun: &str) {
        let detail = NAME;
        let summary = format!("Invalid {noun} name");
        self.report(&block.source, block.label_span(label), summary, detail.to_owned());
    }

    /// Checks the declaration of an input variable.
    fn variable(&mut self, block: &Block) {
        self.name("variable", block, "variable", "Duplicate variable declaration", |name, at| {
            format!(
                "A variable named {name:?} was already declared at {at}. Variable names must be unique within a \
                 module."
            )
        });
        let reserved =
            ["source", "version", "providers", "count", "for_each", "lifecycle", "depends_on", "locals"];
        if let Some(name) = block.labels.first().filter(|name| reserved.contains(&&***name)) {
            let detail = format!(
                "The variable name {name:?} is reserved due to its special meaning inside module blocks."
            );
            self.report(&block.source, block.label_span(0), "Invalid variable name", detail);
        }
        for flag in ["sensitive", "nullable", "ephemeral"] {
            check_constant(&block.body, flag, &Type::Bool, self.problems);
        }
        check_constant(&block.body, "description", &Type::String, self.problems);
        check_quoted_type(&block.body, self.problems);
        for validation in block.body.blocks_of(&block.source, "validation", 0) {
            let Some(condition) = validation.body.argument("condition") else { continue };
            check_condition("validation", condition, self.problems);
            let Some(name) = block.labels.first() else { continue };
            let mut references = condition.expression.references().into_iter();
            let is_own = |reference: &Reference| {
                reference.root() == "var"
                    && matches!(reference.steps().first().map(|step| step.key()),
                        Some(ReferenceKey::Attribute(found)) if found == name)
            };
            if !references.any(is_own) {
                let detail = format!(
                    "The condition for variable {name:?} must refer to var.{name} in order to test incoming values."
                );
                let span = condition.expression.span();
                self.report(&block.source, span, "Invalid variable validation condition", detail);
            }
        }
    }

    /// Checks the local values of a `locals` block.
    fn locals(&mut self, block: &Block) {
        for local in &block.body.arguments {
            if let Some((summary, detail)) = self.missing_base("local", &local.name, &[]) {
                self.report(&block.source, local.whole(), summary, detail);
            }
            let at = block.source.range_text(local.whole());
            if let Some(before) = self.declare("local", &local.name, at) {
                let detail = format!(
                    "A local value named {:?} was already defined at {before}. Local value names must be unique \
                     within a module.",
                    local.name
                );
                self.report(&block.source, local.whole(), "Duplicate local value definition", detail);
            }
        }
        for inner in &block.body.blocks {
            let summary = format!("Unexpected {:?} block", inner.kind);
            self.report(
                &block.source,
                inner.span.clone(),
                summary,
                "Blocks are not allowed here.".to_owned(),
            );
        }
    }

    /// Checks the declaration of an output.
    fn output(&mut self, block: &Block) {
        self.name("output", block, "output", "Duplicate output definition", |name, at| {
            format!(
                "An output named {name:?} was already defined at {at}. Output names must be unique within a module."
            )
        });
        for flag in ["sensitive", "ephemeral"] {
            check_constant(&block.body, flag, &Type::Bool, self.problems);
        }
        check_constant(&block.body, "description", &Type::String, self.problems);
        if flag(block, "ephemeral", false) && self.is_root {
            let detail = "Ephemeral outputs are not allowed in context of a root module";
            self.report(&block.source, block.head(), "Ephemeral output not allowed", detail.to_owned());
        }
        self.conditions(&block.body, &block.source);
        for condition in block.body.blocks_of(&block.source, "postcondition", 0) {
            let detail = "Output values can only have preconditions, not postconditions.";
            let summary = "Postconditions are not allowed";
            self.report(&block.source, condition.span.clone(), summary, detail.to_owned());
        }
        check_references_only(&block.body, self.problems);
    }

    /// Checks a module call.
    fn module(&mut self, block: &Block) {
        self.name("module", block, "module instance", "Duplicate module call", |name, at| {
            format!(
                "A module call named {name:?} was already defined at {at}. Module calls must have unique names \
                 within a module."
            )
        });
        for inner in &block.body.blocks {
            let kind = &*inner.kind;
            if matches!(kind, "lifecycle" | "locals") && !inner.labels.is_empty() {
                check_labels(inner, &[], self.problems);
                continue;
            }
            let (summary, detail) = match kind {
                "lifecycle" | "locals" => (
                    "Reserved block type name in module block",
                    format!(
                        "The block type name {kind:?} is reserved for use by Terraform in a future version."
                    ),
                ),
                _ => ("Unsupported block type", format!("Blocks of type {kind:?} are not expected here.")),
            };
            self.report(&block.source, inner.span.clone(), summary, detail);
        }
        check_module_source(block, self.problems);
        self.repetition(block);
        check_references_only(&block.body, self.problems);
    }

    /// Checks the declaration of a resource; `kind` is its block type: `resource`, `data` or `ephemeral`.
    fn resource(&mut self, kind: &'static str, block: &Block) {
        let Some(ty) = block.labels.first() else { return };
        let (noun, described) = match kind {
            "data" => ("data resource", format!("{ty} data resource")),
            "ephemeral" => ("ephemeral resource", format!("{ty} ephemeral resource")),
            _ => ("resource", format!("{ty} resource")),
        };
        let summary = format!("Duplicate {kind} {ty:?} configuration");
        self.name(kind, block, noun, &summary, |name, at| {
            format!(
                "A {described} named {name:?} was already declared at {at}. Resource names must be unique per type \
                 in each module."
            )
        });
        if !is_identifier(ty) {
            let is_data = kind == "data";
            self.invalid_name(
                block,
                0,
                &if is_data { "data source".to_owned() } else { format!("{noun} type") },
            );
        }
        self.single_escape(block, "resource-type", kind);
        for reserved in block.body.blocks.iter().filter(|nested| &*nested.kind == "locals") {
            let detail =
                "The block type name \"locals\" is reserved for use by Terraform in a future version.";
            let summary = format!("Reserved block type name in {kind} block");
            self.report(&block.source, reserved.span.clone(), summary, detail.to_owned());
        }
        self.repetition(block);
        check_references_only(&block.body, self.problems);
        if let Some(provider) = block.body.argument("provider") {
            self.provider_reference(&provider.expression);
        }
        if kind == "resource" {
            check_provisioners(block, ProvisionedBlock::Resource, self.problems);
        }
        for single in ["lifecycle", "connection"] {
            if single == "connection" && kind != "resource" {
                continue;
            }
            let mut found = block.body.blocks.iter().filter(|inner| &*inner.kind == single);
            let Some(first) = found.next() else { continue };
            for second in found {
                let at = block.source.range_text(first.head());
                let detail = format!("This resource already has a {single} block at {at}.");
                self.report(&block.source, second.head(), format!("Duplicate {single} block"), detail);
            }
        }
        for lifecycle in block.body.blocks_of(&block.source, "lifecycle", 0) {
            self.conditions(&lifecycle.body, &block.source);
            for argument in &lifecycle.body.arguments {
                if kind == "data" && LIFECYCLE_ARGUMENTS.contains(&&*argument.name) {
                    let detail = format!(
                        "The lifecycle argument {:?} is defined only for managed resources (\"resource\" blocks), and \
                         is not valid for data resources.",
                        argument.name
                    );
                    let summary = "Invalid data resource lifecycle argument";
                    self.report(&block.source, argument.span.clone(), summary, detail);
                }
            }
            for flag in ["create_before_destroy", "prevent_destroy"] {
                check_constant(&lifecycle.body, flag, &Type::Bool, self.problems);
            }
            check_replace_triggered_by(&lifecycle.body, self.problems);
            check_ignore_changes(&lifecycle.body, self.problems);
            self.check_self_references(block, &lifecycle, kind);
        }
    }

    /// Reports a second block `_`. `owner` names what its arguments belong to, and `kind` the block that it is in.
    fn single_escape(&mut self, block: &Block, owner: &str, kind: &str) {
        let escapes = block.body.blocks_of(&block.source, "_", 0);
        let [first, others @ ..] = escapes.as_slice() else { return };
        let at = block.source.range_text(first.head());
        for second in others {
            let detail = format!(
                "The special block type \"_\" can be used to force particular arguments to be interpreted as {owner}-specific rather \
                 than as meta-arguments, but each {kind} block can have only one such block. The first escaping block was at {at}."
            );
            self.report(&block.source, second.head(), "Duplicate escaping block", detail);
        }
    }

    /// Checks a reference to a provider configuration: a local name, and an alias behind it.
    fn provider_reference(&mut self, expression: &Expression) {
        let is_quoted = quoted_text(expression).is_some();
        if expression.as_reference().is_none() && is_quoted && !expression.is_json() {
            check_quoted_reference(expression, self.problems);
        } else if ListedReference::of(expression).is_none() {
            let detail = "The provider argument requires a provider type name, optionally followed by a period and then a \
                          configuration alias.";
            let summary = "Invalid provider configuration reference";
            self.report(expression.source(), expression.span(), summary, detail.to_owned());
            return;
        }
        let Some(listed) = ListedReference::of(expression) else { return };
        let Some(reference) = listed.expression.as_reference() else { return };
        let (span, detail) = match reference.steps() {
            [first, ..] if !matches!(first.key(), ReferenceKey::Attribute(_)) => (
                first.span(),
                "Provider name must either stand alone or be followed by a period and then a configuration alias.",
            ),
            [_, _, ..] => (
                reference.span_of(0),
                "The provider argument requires a provider type name, optionally followed by a period and then a configuration \
                 alias.",
            ),
            _ => {
                if let Some(detail) = local_name_problem(reference.root()) {
                    let span = listed.place(reference.span_of(0));
                    self.report(expression.source(), span, "Invalid provider local name", detail);
                }
                return;
            }
        };
        let summary = "Invalid provider configuration reference";
        self.report(expression.source(), listed.place(span), summary, detail.to_owned());
    }

    /// Reports references by which the conditions of a resource name the resource itself: only `self` may be used there.
    fn check_self_references(&mut self, block: &Block, lifecycle: &Block, kind: &str) {
        let [ty, name] = block.labels.as_slice() else { return };
        let prefix = if kind == "resource" { String::new() } else { format!("{kind}.") };
        let is_own = |reference: &Reference| {
            let mut names = vec![reference.root()];
            names.extend(reference.steps().iter().map_while(|step| match step.key() {
                ReferenceKey::Attribute(name) => Some(&**name),
                ReferenceKey::Index(_) => None,
            }));
            let names = if kind != "resource" || names.first() == Some(&"resource") {
                let is_of_kind = names.first() == Some(&kind);
                names.get(usize::from(is_of_kind)..).filter(|_| is_of_kind)
            } else {
                Some(names.as_slice())
            };
            names.is_some_and(|names| names.starts_with(&[&**ty, &**name]))
        };
        for condition in ["precondition", "postcondition"] {
            for stated in lifecycle.body.blocks_of(&lifecycle.source, condition, 0) {
                for argument in &stated.body.arguments {
                    if argument.expression.references().into_iter().any(is_own) {
                        let detail =
                            format!("Configuration for {prefix}{ty}.{name} may not refer to itself.");
                        let summary = format!("Invalid reference in {condition}");
                        self.report(
                            argument.expression.source(),
                            argument.expression.span(),
                            summary,
                            detail,
                        );
                    }
                }
            }
        }
    }

    /// `count` and `for_each` exclude each other.
    fn repetition(&mut self, block: &Block) {
        let (Some(_), Some(each)) = (block.body.argument("count"), block.body.argument("for_each")) else {
            return;
        };
        let detail = "The \"count\" and \"for_each\" meta-arguments are mutually-exclusive, only one should be used to be \
                      explicit about the number of resources to be created.";
        let summary = "Invalid combination of \"count\" and \"for_each\"";
        self.report(&block.source, each.span.clone(), summary, detail.to_owned());
    }

    /// Checks the preconditions and postconditions of a body.
    fn conditions(&mut self, body: &Body, source: &Source) {
        for kind in ["precondition", "postcondition"] {
            for block in body.blocks_of(source, kind, 0) {
                if let Some(condition) = block.body.argument("condition") {
                    check_condition(kind, condition, self.problems);
                }
            }
        }
    }

    /// Checks a `check` block.
    fn check(&mut self, block: &Block) {
        let Some(name) = block.labels.first() else { return };
        if self.overrides {
            let detail = "Override files cannot override check blocks.";
            self.report(&block.source, block.head(), "Can't override check blocks", detail.to_owned());
        }
        let summary = format!("Duplicate check {name:?} configuration");
        self.name("check", block, "check block", &summary, |name, at| {
            format!(
                "A check block named {name:?} was already declared at {at}. Check blocks must be unique within each \
                 module."
            )
        });
        let asserts = block.body.blocks_of(&block.source, "assert", 0);
        // One that is refused does not count.
        let is_assert = |assert: &Block| {
            let condition = assert.body.argument("condition");
            condition.is_some_and(|condition| !condition.expression.references().is_empty())
                && assert.body.argument("error_message").is_some()
        };
        if !asserts.iter().any(|assert| is_assert(assert)) {
            let detail = "Check blocks must have at least one assert block.";
            self.report(&block.source, block.head(), "Zero assert blocks", detail.to_owned());
        }
        for assert in asserts {
            if let Some(condition) = assert.body.argument("condition") {
                check_condition("assert", condition, self.problems);
            }
        }
        let data = block.body.blocks_of(&block.source, "data", 2);
        if let [first, second, ..] = data.as_slice() {
            let at = block.source.range_text(first.head());
            let detail = format!("This check block already has a data resource defined at {at}.");
            self.report(&block.source, second.head(), "Multiple data resource blocks", detail);
        }
        for data in &data {
            for name in ["count", "for_each"] {
                if let Some(argument) = data.body.argument(name) {
                    let detail = "The \"count\" and \"for_each\" meta-arguments are not supported within nested data blocks.";
                    let summary = format!("Invalid {name:?} attribute");
                    self.report(&block.source, argument.span.clone(), summary, detail.to_owned());
                }
            }
            for lifecycle in data.body.blocks_of(&block.source, "lifecycle", 0) {
                let detail = "Nested data blocks do not support \"lifecycle\" blocks as the lifecycle is managed by the \
                              containing block.";
                self.report(
                    &block.source,
                    lifecycle.span.clone(),
                    "Invalid lifecycle block",
                    detail.to_owned(),
                );
            }
            self.resource("data", data);
        }
    }
}

/// Whether a text is a name of the language.
fn is_identifier(name: &str) -> bool {
    let mut letters = name.chars();
    letters.next().is_some_and(|first| first.is_alphabetic() || first == '_')
        && letters.all(|c| c.is_alphanumeric() || c == '_' || c == '-')
}
