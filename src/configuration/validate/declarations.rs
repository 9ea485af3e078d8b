//! What a module declares: names, and that each is declared once.

use std::collections::HashMap;
use std::ops::Range;

use super::constants::{check_condition, check_constant, check_quoted_type, check_references_only};
use crate::configuration::body::{Block, Body};
use crate::configuration::module::{constant, flag};
use crate::expression::{Diagnostic, Expression, Reference, ReferenceKey};
use crate::source::{Source, range_text};
use crate::types::Type;

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
        problems: &mut Vec<Diagnostic>,
    ) {
        let mut file = File { declarations: self, is_root, overrides, problems };
        for block in body.blocks_of(source, "terraform", 0) {
            file.settings(&block);
            for required in block.body.blocks_of(source, "required_providers", 0) {
                file.required_providers(&required);
            }
        }
        for block in body.blocks_of(source, "provider", 1) {
            file.provider(&block);
        }
        for block in body.blocks_of(source, "variable", 1) {
            file.variable(&block);
        }
        for block in body.blocks_of(source, "locals", 0) {
            file.locals(&block);
        }
        for block in body.blocks_of(source, "output", 1) {
            file.output(&block);
        }
        for block in body.blocks_of(source, "module", 1) {
            file.module(&block);
        }
        for kind in ["resource", "data", "ephemeral"] {
            for block in body.blocks_of(source, kind, 2) {
                file.resource(kind, &block);
            }
        }
        for block in body.blocks_of(source, "check", 1) {
            file.check(&block);
        }
        for block in body.blocks_of(source, "import", 0) {
            file.import(&block);
        }
        for block in body.blocks_of(source, "moved", 0) {
            file.moved(&block);
        }
    }
}

/// A file whose declarations are being added.
struct File<'d, 'p> {
    declarations: &'d mut Declarations,
    is_root: bool,
    overrides: bool,
    problems: &'p mut Vec<Diagnostic>,
}

impl File<'_, '_> {
    /// Adds an error at a span of the source.
    fn report(&mut self, source: &Source, span: Range<usize>, summary: impl Into<String>, detail: String) {
        self.problems.push(Diagnostic::new(source, span, summary, detail));
    }

    /// Declares a name; where it was declared before, unless this file overrides others.
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
        let at = range_text(&block.source, &block.head());
        if let Some(before) = self.declare(kind, &block.labels.join("."), at) {
            self.report(&block.source, block.head(), summary, detail(name, &before));
        }
    }

    /// Reports a label that is not a valid name. `noun` is what the block declares.
    fn invalid_name(&mut self, block: &Block, label: usize, noun: &str) {
        let detail = "A name must start with a letter or underscore and may contain only letters, digits, underscores, and \
                      dashes.";
        let summary = format!("Invalid {noun} name");
        self.report(&block.source, block.label_span(label), summary, detail.to_owned());
    }

    /// The backend and the version that a `terraform` block asks for.
    fn settings(&mut self, block: &Block) {
        for (kind, labels) in [("backend", 1), ("cloud", 0)] {
            for backend in block.body.blocks_of(&block.source, kind, labels) {
                let at = range_text(&block.source, &backend.head());
                if let Some(before) = self.declare(kind, "", at) {
                    let detail = format!(
                        "A module may have only one {kind} configuration. The {kind} was previously configured at {before}."
                    );
                    let summary = format!("Duplicate {kind} configuration");
                    self.report(&block.source, backend.head(), summary, detail);
                }
            }
        }
        let Some(argument) = block.body.argument("required_version") else { return };
        let text = constant_text(&argument.expression);
        if text.is_some_and(|text| !is_version_constraint(&text)) {
            let detail = "This string does not use correct version constraint syntax.";
            let span = argument.expression.span();
            self.report(&block.source, span, "Invalid version constraint", detail.to_owned());
        }
    }

    /// Checks a `required_providers` block, of which a module may have one.
    fn required_providers(&mut self, block: &Block) {
        let at = range_text(&block.source, &block.head());
        if let Some(before) = self.declare("required_providers", "", at) {
            let detail = format!(
                "A module may have only one required providers configuration. The required providers were \
                 previously configured at {before}."
            );
            let summary = "Duplicate required providers configuration";
            self.report(&block.source, block.head(), summary, detail);
        }
        for argument in &block.body.arguments {
            let Ok(source) = constant(&argument.expression).get_attr("source") else { continue };
            let is_address = |text: &str| {
                let parts: Vec<&str> = text.split('/').collect();
                parts.len() <= 3 && parts.iter().all(|part| !part.is_empty())
            };
            if source.as_str().is_ok_and(|text| !is_address(text)) {
                let detail = "The \"source\" attribute must be in the format \"[hostname/][namespace/]name\"";
                let summary = "Invalid provider source string";
                self.report(&block.source, argument.expression.span(), summary, detail.to_owned());
            }
        }
    }

    /// Checks a provider configuration: reserved arguments, its alias, a second one without alias.
    fn provider(&mut self, block: &Block) {
        let Some(name) = block.labels.first() else { return };
        for reserved in ["count", "depends_on", "for_each", "source"] {
            let Some(argument) = block.body.argument(reserved) else { continue };
            let detail = format!(
                "The provider argument name {reserved:?} is reserved for use by Terraform in a future version."
            );
            let summary = "Reserved argument name in provider block";
            self.report(&block.source, argument.span.clone(), summary, detail);
        }
        // Whether an alias is a constant is checked with the configuration of the provider.
        let alias = block.body.argument("alias").and_then(|alias| constant_text(&alias.expression));
        let key = format!("{name}.{}", alias.as_deref().unwrap_or_default());
        let at = range_text(&block.source, &block.head());
        let Some(before) = self.declare("provider", &key, at) else { return };
        let detail = match alias {
            None => format!(
                "A default (non-aliased) provider configuration for {name:?} was already given at {before}. If \
                 multiple configurations are required, set the \"alias\" argument for alternative configurations."
            ),
            Some(alias) => format!(
                "A provider configuration for {name:?} with alias {alias:?} was already given at {before}. Each \
                 configuration for the same provider must have a distinct alias."
            ),
        };
        self.report(&block.source, block.head(), "Duplicate provider configuration", detail);
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
            let at = range_text(&block.source, &local.whole());
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
            self.invalid_name(block, 0, &format!("{noun} type"));
        }
        for reserved in block.body.blocks.iter().filter(|nested| &*nested.kind == "locals") {
            let detail =
                "The block type name \"locals\" is reserved for use by Terraform in a future version.";
            let summary = "Reserved block type name in resource block";
            self.report(&block.source, reserved.span.clone(), summary, detail.to_owned());
        }
        self.repetition(block);
        check_references_only(&block.body, self.problems);
        for single in ["lifecycle", "connection"] {
            let mut found = block.body.blocks.iter().filter(|inner| &*inner.kind == single);
            let Some(first) = found.next() else { continue };
            for second in found {
                let at = range_text(&block.source, &first.head());
                let detail = format!("This resource already has a {single} block at {at}.");
                self.report(&block.source, second.head(), format!("Duplicate {single} block"), detail);
            }
        }
        for lifecycle in block.body.blocks_of(&block.source, "lifecycle", 0) {
            self.conditions(&lifecycle.body, &block.source);
            for argument in &lifecycle.body.arguments {
                if kind == "data" {
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
            super::constants::check_replace_triggered_by(&lifecycle.body, self.problems);
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
        let summary = format!("Duplicate check {name:?} configuration");
        self.name("check", block, "check block", &summary, |name, at| {
            format!(
                "A check block named {name:?} was already declared at {at}. Check blocks must be unique within each \
                 module."
            )
        });
        let asserts = block.body.blocks_of(&block.source, "assert", 0);
        if asserts.is_empty() {
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
            let at = range_text(&block.source, &first.head());
            let detail = format!("This check block already has a data resource defined at {at}.");
            self.report(&block.source, second.head(), "Multiple data resource blocks", detail);
        }
        for data in &data {
            self.resource("data", data);
        }
    }

    /// Checks that a `moved` block moves a module to a module or a resource to a resource.
    fn moved(&mut self, block: &Block) {
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

    /// Checks an `import` block: it needs an `id` or an `identity`, and a resource to import to.
    fn import(&mut self, block: &Block) {
        let has_identity = ["id", "identity"].iter().any(|name| block.body.argument(name).is_some());
        if !has_identity && block.body.argument("to").is_some() {
            let detail = super::structure::missing_argument("id");
            self.report(&block.source, block.body_start.clone(), "Missing required argument", detail);
        }
        let Some(to) = block.body.argument("to") else { return };
        let is_bare = to.expression.as_reference().is_some_and(|reference| reference.steps().is_empty());
        if is_bare {
            let detail = "Resource specification must include a resource type and name.";
            self.report(&block.source, to.expression.span(), "Invalid address", detail.to_owned());
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

/// Whether a text is a name of the language.
fn is_identifier(name: &str) -> bool {
    let mut letters = name.chars();
    letters.next().is_some_and(|first| first.is_alphabetic() || first == '_')
        && letters.all(|c| c.is_alphanumeric() || c == '_' || c == '-')
}

/// The text of an expression that is a constant string.
fn constant_text(expression: &Expression) -> Option<String> {
    constant(expression).as_str().ok().map(str::to_owned)
}

/// Whether a text is a list of conditions on versions: `>= 1.2, < 2.0.0-beta1`.
fn is_version_constraint(text: &str) -> bool {
    text.split(',').all(|condition| {
        let condition = condition.trim();
        let operators = ["!=", ">=", "<=", "~>", "=", ">", "<"];
        let version =
            operators.iter().find_map(|operator| condition.strip_prefix(operator)).unwrap_or(condition);
        let version = version.trim_start().trim_start_matches('v');
        let (numbers, rest) = version.split_at(version.find(['-', '+']).unwrap_or(version.len()));
        let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        let is_tag = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '+' | '.' | '~');
        numbers.split('.').all(is_number) && rest.chars().all(is_tag)
    })
}
