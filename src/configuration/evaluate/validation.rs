//! What validation checks beside the values of expressions: references against declarations and schemas, arguments of module
//! calls, conditions, what may not leave a module.

use std::ops::Range;
use std::sync::OnceLock;

use super::arguments::Written;
use super::expansion::Expansion;
use super::scope::ModuleScope;
use super::{Engine, Repetition};
use crate::configuration::body::{Argument, Block, Body};
use crate::configuration::module::{Call, Module, Output, Resource, ResourceMode, Variable, constant};
use crate::configuration::validate::{ListedReference, missing_argument, unsupported_argument};
use crate::expression::{
    Diagnostic, Diagnostics, Expression, Reference, ReferenceKey, ReferenceStep, Resolved, Scope, Unresolved,
    Variables,
};
use crate::mark::Mark;
use crate::schema::{self, ProviderSchema, ProviderSchemas, Schema};
use crate::source::Source;
use crate::text::near_name;
use crate::types::Type;
use crate::value::Value;

mod providers;
mod provisioners;
mod traversal;

use traversal::{TraversalKey, TraversalStep, check_reference_steps, check_traversal};

/// The arguments of a module call that are not variables of the module.
const CALL_ARGUMENTS: [&str; 7] =
    ["source", "version", "providers", "count", "for_each", "depends_on", "enabled"];

/// The address of the provider that is part of Terraform.
const BUILTIN: &str = "terraform.io/builtin/terraform";

/// The schemas of the provider that is part of Terraform, for callers that give none for it.
fn builtin() -> &'static ProviderSchemas {
    static SCHEMAS: OnceLock<ProviderSchemas> = OnceLock::new();
    SCHEMAS.get_or_init(|| {
        let text = include_bytes!("validation/builtin.json");
        ProviderSchemas::from_json(text).unwrap_or_default()
    })
}

/// A scope in which each reference leads to one value.
struct OneValue(Resolved);

impl Variables for OneValue {
    fn resolve(&self, _reference: &Reference) -> Result<Resolved, Unresolved> {
        Ok(self.0.clone())
    }
}

impl<'a> Engine<'a> {
    /// The schemas of a provider, where any are known.
    fn provider_schema(&self, provider: &str) -> Option<&'a ProviderSchema> {
        let given = self.inputs.schemas.and_then(|schemas| schemas.provider(provider));
        given.or_else(|| (provider == BUILTIN).then(|| builtin().provider(BUILTIN)).flatten())
    }

    /// The schema of a resource of the provider that is part of Terraform.
    pub(super) fn builtin_schema(provider: &str, resource: &Resource) -> Option<&'static Schema> {
        match resource.mode {
            _ if provider != BUILTIN => None,
            ResourceMode::Managed => builtin().resource(provider, &resource.ty),
            ResourceMode::Data => builtin().data_source(provider, &resource.ty),
            ResourceMode::Ephemeral => None,
        }
    }

    /// Checks the references of an expression: names that are not declared, instances without their key, attributes
    /// that a schema does not have.
    pub(super) fn check_references(
        &self,
        expression: &Expression,
        scope: &ModuleScope<'_, 'a>,
    ) -> Result<(), Diagnostics> {
        let references = expression.references();
        let problems = references.into_iter().filter_map(|reference| {
            let source = expression.source();
            match scope.resolve(reference) {
                Err(wrong) => {
                    Some(Diagnostic::new(source, reference.span_of(wrong.steps), wrong.summary, wrong.detail))
                }
                Ok(_) => self.check_resource_reference(reference, source, scope),
            }
        });
        let calls = expression.function_names().into_iter();
        let calls = calls.filter_map(|(name, span)| {
            let detail = self.check_provider_function(name, scope)?;
            Some(Diagnostic::new(expression.source(), span, "Unknown provider function", detail))
        });
        Diagnostics::of(problems.chain(calls).collect()).map_or(Ok(()), Err)
    }

    /// Checks the name of a provider function; returns the sentence of the problem.
    fn check_provider_function(&self, name: &str, scope: &ModuleScope<'_, 'a>) -> Option<String> {
        let (namespace, rest) = name.split_once("::")?;
        if namespace == "core" && self.functions.get(rest).is_some() {
            return None;
        }
        let Some(rest) = name.strip_prefix("provider::") else {
            return Some(format!(
                "The function namespace {namespace:?} is not valid. Provider function calls must use the \"provider::\" \
                 namespace prefix."
            ));
        };
        let (local, function) = rest.split_once("::")?;
        let instance = self.instance(scope.module)?;
        let address = instance.tree.module.providers.get(local);
        let schema = address.and_then(|address| self.provider_schema(address));
        let is_there = self.functions.get(name).is_some()
            || address.is_some() && schema.is_none_or(|schema| schema.functions.contains_key(function))
            || address.is_none() && local == "terraform";
        (!is_there).then(|| {
            format!(
                "There is no function named {name:?}. Ensure that provider name {local:?} is declared in this module's \
                 required_providers block, and that this provider offers a function named {function:?}."
            )
        })
    }

    /// Checks a reference to a declared resource: its instance key, and the attributes and blocks that it names.
    fn check_resource_reference(
        &self,
        reference: &Reference,
        source: &Source,
        scope: &ModuleScope<'_, 'a>,
    ) -> Option<Diagnostic> {
        let of = |(span, summary, detail)| Diagnostic::new(source, span, summary, detail);
        let check_steps =
            |steps: &'_ [ReferenceStep]| check_reference_steps(scope.self_schema?.block(), steps);
        if reference.root() == "self" {
            return check_steps(reference.steps()).map(of);
        }
        if scope.iterators.iter().any(|(name, _)| name == reference.root()) {
            return None;
        }
        let instance = self.instance(scope.module)?;
        let module = &instance.tree.module;
        let steps = reference.steps();
        let name = |step: usize| steps.get(step).and_then(super::order::attribute);
        let (address, used) = match reference.root() {
            "resource" => (format!("{}.{}", name(0)?, name(1)?), 2),
            root @ ("data" | "ephemeral") => (format!("{root}.{}.{}", name(0)?, name(1)?), 2),
            root => (format!("{root}.{}", name(0)?), 1),
        };
        let resource = module.resources.get(&address)?;
        let body = &resource.block.body;
        let repeated = ["count", "for_each"].into_iter().find(|name| body.argument(name).is_some());
        let next = steps.get(used);
        let rest = match (repeated, next.map(ReferenceStep::key)) {
            (Some(argument), Some(ReferenceKey::Attribute(_))) => {
                let key = if argument == "count" { "count.index" } else { "each.key" };
                let detail = format!(
                    "Because {address} has {argument:?} set, its attributes must be accessed on specific \
                     instances.\n\nFor example, to correlate with indices of a referring resource, use:\n    \
                     {address}[{key}]"
                );
                let summary = "Missing resource instance key";
                return Some(Diagnostic::new(source, reference.span_of(used), summary, detail));
            }
            (None, Some(ReferenceKey::Index(_))) => {
                let detail = format!(
                    "Because {address} does not have \"count\" or \"for_each\" set, references to it must not include \
                     an index key. Remove the bracketed index to refer to the single instance of this resource."
                );
                let summary = "Unexpected resource instance key";
                let span = reference.span_of(used.saturating_add(1));
                return Some(Diagnostic::new(source, span, summary, detail));
            }
            (Some(_), _) => used.saturating_add(1),
            (None, _) => used,
        };
        let schema = self.resource_schema(module, resource)?;
        let below = steps.get(rest..).unwrap_or_default();
        check_reference_steps(schema.block(), below).map(of).or_else(|| {
            // The type of the attribute decides about the steps behind it.
            let value = OneValue(Resolved { value: self.unknown_value(Some(schema)), steps: rest });
            let followed = Expression::of_reference(source, reference).evaluate(&Scope::new(&value));
            followed.err().filter(|_| below.len() > 1).map(|problems| problems.first().clone())
        })
    }

    /// The schema of a resource: its provider's, or that of a resource that Terraform itself has.
    fn resource_schema(&self, module: &Module, resource: &Resource) -> Option<&'a Schema> {
        let provider = module.provider(resource);
        self.schema(&provider, resource).or_else(|| Self::builtin_schema(&provider, resource))
    }

    /// Reports a type of resource that its provider does not have.
    pub(super) fn check_type(&self, provider: &str, resource: &Resource, schema: Option<&Schema>) {
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

    /// The value of a resource of which nothing is known but its schema.
    pub(super) fn unknown_value(&self, schema: Option<&Schema>) -> Value {
        let Some(schema) = schema else { return Value::dynamic() };
        let Ok(Type::Object(ty)) = schema.implied_type() else { return Value::dynamic() };
        let attributes = ty.iter().map(|(name, ty)| {
            // Which parts are sensitive is told by the value that the provider plans, not by the schema alone.
            match schema.block().block_types.contains_key(name) {
                true => (name, Value::unknown_not_null(ty.clone())),
                false => (name, Value::unknown(ty.clone())),
            }
        });
        Value::object(attributes).unwrap_or_else(|_| Value::dynamic())
    }

    /// Reports an ephemeral value for a variable that may be stored.
    pub(super) fn check_variable(
        &self,
        value: &Value,
        variable: &Variable,
        (source, span): (&Source, &Range<usize>),
    ) {
        if !variable.ephemeral && value.unmark_deep().1.contains(&Mark::EPHEMERAL) {
            let detail = "This input variable is not declared as accepting a ephemeral values, so it cannot be set to a \
                          result derived from an ephemeral value.";
            self.report(Diagnostic::new(source, span.clone(), "Ephemeral value not allowed", detail));
        }
    }

    /// Reports the arguments of a module call that are missing, or that the module has no variable for.
    pub(super) fn check_call(&self, call: &Call, called: &Module) {
        let block = &call.block;
        for (name, variable) in &called.variables {
            if variable.block.body.argument("default").is_none() && block.body.argument(name).is_none() {
                let place = block.body_start.clone();
                let detail = missing_argument(name);
                self.report(Diagnostic::new(&block.source, place, "Missing required argument", detail));
            }
        }
        for argument in &block.body.arguments {
            let name = &*argument.name;
            if !CALL_ARGUMENTS.contains(&name) && !called.variables.contains_key(name) {
                // A name that is set already is not offered.
                let names = called.variables.keys().map(|name| &**name);
                let names = names.filter(|name| block.body.argument(name).is_none());
                let detail = unsupported_argument(name, names, std::iter::empty());
                let place = argument.span.clone();
                self.report(Diagnostic::new(&block.source, place, "Unsupported argument", detail));
            }
        }
    }

    /// Reports an output of the root module that would show what is sensitive, or keep what is ephemeral, and one of another
    /// module that is not ephemeral as it says.
    pub(super) fn check_output(&self, output: &Output, value: &Value, is_root: bool) {
        let marks = value.unmark_deep().1;
        let block = &output.block;
        if !is_root {
            let argument = block.body.argument("value");
            if let Some(argument) = argument.filter(|_| output.ephemeral && !marks.contains(&Mark::EPHEMERAL))
            {
                let detail = "This output value is declared as returning an ephemeral value, so it can only be set to an \
                              ephemeral value.";
                let (source, span) = (argument.expression.source(), argument.expression.span());
                let summary = "Value not allowed in ephemeral output";
                self.report(Diagnostic::new(source, span, summary, detail));
            }
            return;
        }
        if marks.contains(&Mark::SENSITIVE) && !output.sensitive {
            let detail = "To reduce the risk of accidentally exporting sensitive data that was intended to be only internal, \
                          Terraform requires that any root module output containing sensitive data be explicitly marked as \
                          sensitive, to confirm your intent.\n\nIf you do intend to export this data, annotate the output \
                          value as sensitive by adding the following argument:\n    sensitive = true";
            let summary = "Output refers to sensitive values";
            self.report(Diagnostic::new(&block.source, block.head(), summary, detail));
        }
        if marks.contains(&Mark::EPHEMERAL)
            && !output.ephemeral
            && let Some(argument) = block.body.argument("value")
        {
            let detail = "This output value is not declared as returning an ephemeral value, so it cannot be set to a result \
                          derived from an ephemeral value.";
            let span = argument.expression.span();
            self.report(Diagnostic::new(&block.source, span, "Ephemeral value not allowed", detail));
        }
    }

    /// Checks what is evaluated after all values of a module: conditions, arguments of the language, providers.
    pub(super) fn validate_module(&self, position: usize) {
        let Some(instance) = self.instance(position) else { return };
        let module = &instance.tree.module;
        let scope = ModuleScope::of(self, position);
        for (_, variable) in &module.variables {
            self.check_conditions(
                &variable.block.body,
                &variable.block.source,
                (&["validation"], false),
                &scope,
            );
        }
        for (_, output) in &module.outputs {
            self.check_dependencies(&output.block.body, &scope);
            self.check_conditions(
                &output.block.body,
                &output.block.source,
                (&["precondition"], false),
                &scope,
            );
        }
        for ((_, call), called) in module.calls.iter().zip(&instance.tree.calls) {
            self.check_dependencies(&call.block.body, &scope);
            if let Some(called) = called {
                self.check_passed_providers(position, module, call, &called.module);
            }
        }
        self.check_legacy_module(position);
        for (address, resource) in &module.resources {
            self.check_provider_exists(position, module, address, resource);
            self.check_resource(module, resource, position);
        }
        for check in &module.checks {
            self.check_conditions(&check.body, &check.source, (&["assert"], false), &scope);
        }
        for import in &module.imports {
            self.check_import(position, import);
        }
        for configured in &module.configured_providers {
            if self.is_provider_used(position, configured) {
                self.check_provider(module, configured, &scope);
            }
        }
    }

    /// Checks an `import` block: its place, its identifier, and that a resource in another module exists.
    fn check_import(&self, position: usize, import: &Block) {
        let (source, body) = (&import.source, &import.body);
        if position != 0 {
            let path = self.module_path(position);
            let detail = format!(
                "An import block was detected in {:?}. Import blocks are only allowed in the root module.",
                path.trim_end_matches('.')
            );
            self.report(Diagnostic::new(source, import.head(), "Invalid import configuration", detail));
            return;
        }
        let repetition = match Expansion::symbolic(body) {
            Expansion::Symbolic(repetition) => repetition,
            _ => Repetition::None,
        };
        let scope = ModuleScope::repeated(self, position, repetition);
        if let Some(to) = body.argument("to")
            && let Some(detail) = self.undeclared_import(&to.expression)
        {
            let (source, span) = (to.expression.source(), to.expression.span());
            let summary = "Configuration for import target does not exist";
            self.report(Diagnostic::new(source, span, summary, detail));
        }
        let Some(id) = body.argument("id") else { return };
        let value = self.evaluate_or_report(&id.expression, &scope);
        let report = |summary: &str, detail: &str| {
            self.report(Diagnostic::new(id.expression.source(), id.expression.span(), summary, detail));
        };
        let plain = value.unmark_deep().0;
        if plain.is_null() {
            report("Invalid import id argument", "The import ID cannot be null.");
        } else if let Err(error) = crate::convert(&plain, &Type::String.into()) {
            report("Incorrect value type", &format!("Invalid expression value: {}.", error.message()));
        } else if plain.as_str().is_ok_and(str::is_empty) {
            let detail =
                "The import ID value evaluates to an empty string, please provide a non-empty value.";
            report("Invalid import id argument", detail);
        }
    }

    /// What is wrong with the target of an import in another module: the module or the resource is not declared.
    fn undeclared_import(&self, to: &Expression) -> Option<String> {
        let reference = to.as_reference().filter(|reference| reference.root() == "module")?;
        let names: Vec<&str> = reference.steps().iter().filter_map(super::order::attribute).collect();
        let mut tree = Some(&self.configuration.root);
        let mut rest = names.as_slice();
        let mut address = String::new();
        loop {
            let (name, behind) = rest.split_first()?;
            address.push_str(&format!("module.{name}."));
            if let Some(parent) = tree {
                match parent.module.calls.get_index_of(*name) {
                    // A module that is not installed is an error of its own.
                    Some(position) => tree = Some(parent.calls.get(position)?.as_ref()?),
                    None => tree = None,
                }
            }
            match behind {
                ["module", behind @ ..] => rest = behind,
                [ty, name] if *ty != "data" => {
                    let resource = format!("{ty}.{name}");
                    return match tree {
                        Some(tree) if tree.module.resources.contains_key(&resource) => None,
                        Some(_) => Some(format!(
                            "Resource {address}{resource} not found. Only resources within the root module are eligible for \
                             config generation."
                        )),
                        None => Some(format!(
                            "The configuration for the given import target {address}{resource} does not exist. All target instances \
                             must have an associated configuration to be imported."
                        )),
                    };
                }
                _ => return None,
            }
        }
    }

    /// Checks a resource block: its dependencies, its arguments and nested blocks against the schema, its
    /// conditions and provisioners.
    fn check_resource(&self, module: &Module, resource: &Resource, position: usize) {
        let body = &resource.block.body;
        let repetition = match Expansion::symbolic(body) {
            Expansion::Symbolic(repetition) => repetition,
            _ => Repetition::None,
        };
        let scope = ModuleScope::repeated(self, position, repetition);
        self.check_dependencies(body, &ModuleScope::of(self, position));
        let schema = self.resource_schema(module, resource);
        if module.provider(resource) == BUILTIN && resource.mode == ResourceMode::Managed {
            self.check_read_only(&resource.block);
        }
        let mut own = scope.nested();
        own.iterators.push(("self".to_owned(), self.unknown_value(schema)));
        own.self_schema = schema;
        for lifecycle in body.blocks_of(&resource.block.source, "lifecycle", 0) {
            let source = &lifecycle.source;
            self.check_conditions(&lifecycle.body, source, (&["precondition"], true), &scope);
            self.check_conditions(&lifecycle.body, source, (&["postcondition"], true), &own);
            if let (Some(argument), Some(schema)) = (lifecycle.body.argument("ignore_changes"), schema) {
                self.check_ignore_changes(argument, &resource.block, schema.block());
            }
        }
        self.check_provisioners(&resource.block, &own);
    }

    /// Reports the attributes of `terraform_data` that only its provider sets. It says so without a place; of other providers the
    /// words are not known, and core leaves the check to them.
    fn check_read_only(&self, block: &Block) {
        for name in ["id", "output"] {
            let Some(argument) = block.body.argument(name) else { continue };
            if !constant(&argument.expression).is_null() {
                let summary = format!("{name:?} attribute is read-only");
                self.report(Diagnostic::new(&block.source, argument.span.clone(), summary, "").as_global());
            }
        }
    }

    /// Evaluates conditions and their messages for their problems. Terraform looks at the results of those of variables, outputs
    /// and checks only, as far as these are known.
    fn check_conditions(
        &self,
        body: &Body,
        source: &Source,
        (kinds, of_resource): (&[&str], bool),
        scope: &ModuleScope<'_, 'a>,
    ) {
        for block in kinds.iter().flat_map(|kind| body.blocks_of(source, kind, 0)) {
            for argument in &block.body.arguments {
                let value = self.evaluate_or_report(&argument.expression, scope).unmark_deep().0;
                let is_of_resource = of_resource;
                let (ty, summary, what, null) = match (&*argument.name, &*block.kind) {
                    ("error_message", "assert") | ("error_message", "precondition") if !is_of_resource => (
                        Type::String,
                        "Invalid error message",
                        "Unsuitable value for error message: ",
                        "must not be null",
                    ),
                    ("condition", "validation") => (
                        Type::Bool,
                        "Invalid variable validation result",
                        "Invalid validation condition result value: ",
                        "",
                    ),
                    ("condition", "precondition") if !is_of_resource => {
                        (Type::Bool, "Invalid condition result", "Invalid condition result value: ", "")
                    }
                    _ => continue,
                };
                let detail = match crate::convert(&value, &ty.into()) {
                    _ if !value.is_known() => continue,
                    Ok(_) if value.is_null() && &*block.kind == "validation" => {
                        "Validation condition expression must return either true or false, not null."
                            .to_owned()
                    }
                    Ok(_) if value.is_null() && !null.is_empty() => format!("{what}{null}."),
                    Ok(_) => continue,
                    Err(error) => format!("{what}{}.", error.message()),
                };
                let (source, span) = (argument.expression.source(), argument.expression.span());
                self.report(Diagnostic::new(source, span, summary, detail));
            }
        }
    }

    /// Reports each name in `depends_on` that is not declared.
    fn check_dependencies(&self, body: &Body, scope: &ModuleScope<'_, 'a>) {
        let Some(argument) = body.argument("depends_on") else { return };
        for item in argument.expression.items().unwrap_or_default() {
            let Some(listed) = ListedReference::of(&item) else { continue };
            let Some(reference) = listed.expression.as_reference() else { continue };
            let steps = reference.steps();
            let is_key = |step: &ReferenceStep| matches!(step.key(), ReferenceKey::Index(_));
            let whole = |used: usize| used.saturating_add(usize::from(steps.get(used).is_some_and(is_key)));
            let (used, undeclared) = match scope.resolve(reference) {
                // The output of a module stands for the module.
                Ok(_) if reference.root() == "module" => continue,
                Ok(resolved) => (whole(resolved.steps), None),
                Err(wrong) => (whole(wrong.steps), Some(wrong)),
            };
            // Terraform reads the reference before it looks for what it names.
            let is_part = steps.len() > used && reference.root() != "module";
            match undeclared {
                Some(wrong) if !is_part || !wrong.summary.starts_with("Reference to undeclared") => {
                    let span = listed.place(reference.span_of(wrong.steps));
                    self.report(Diagnostic::new(item.source(), span, wrong.summary, wrong.detail));
                }
                _ if is_part => {
                    let detail = "References in depends_on must be to a whole object (resource, etc), not to an attribute of \
                                  an object.";
                    let span = listed.place(reference.span_of(used).end..reference.span().end);
                    self.report(Diagnostic::new(item.source(), span, "Invalid depends_on reference", detail));
                }
                _ => {}
            }
        }
    }

    /// Reports what `ignore_changes` names and the schema does not have.
    fn check_ignore_changes(&self, argument: &Argument, resource: &Block, block: &schema::Block) {
        let is_all = argument.expression.as_reference().is_some_and(|reference| reference.root() == "all");
        if argument.expression.items().is_none() && !is_all {
            let detail = "A static list expression is required.";
            let (source, span) = (argument.expression.source(), argument.expression.span());
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

    /// Checks the configuration of a provider against its schema.
    fn check_provider(&self, module: &Module, block: &Block, scope: &ModuleScope<'_, 'a>) {
        let Some(name) = block.labels.first() else { return };
        let provider = module.provider_address(name);
        let mut body = block.body.clone();
        body.arguments.retain(|argument| !matches!(&*argument.name, "alias" | "version"));
        body.properties.retain(|property| !matches!(property.name.as_str(), "alias" | "version"));
        let written = Written { body: &body, ..Written::of(block) };
        let schema = self.provider_schema(&provider).and_then(|found| found.provider.as_ref());
        match schema.and_then(|schema| Some((schema, schema.implied_type().ok()?))) {
            Some((schema, ty)) => drop(self.object(&written, schema.block(), ty, scope)),
            None => drop(self.untyped_object(&written, scope)),
        }
    }
}
