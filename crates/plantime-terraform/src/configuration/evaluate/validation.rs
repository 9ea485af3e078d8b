//! What validation checks beside the values of expressions: arguments of module calls, conditions, values that may not leave
//! a module. References, resources, imports, providers and provisioners have files of their own.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::OnceLock;

use super::arguments::{Written, extraneous_property, with_escaped_arguments, without_arguments};
use super::expansion::Expansion;
use super::scope::ModuleScope;
use super::{Engine, Repetition};
use crate::configuration::module::{Call, Module, Output, Resource, ResourceMode, Variable, is_override};
use crate::configuration::validate::{missing_argument, unsupported_argument};
use plantime::source::Source;
use plantime::{Mark, Marks, Type, Value};
use plantime_hcl::{Argument, Block, Body, Diagnostic, Scope};
use plantime_schema::{ProviderSchema, ProviderSchemas, Schema};

mod imports;
mod providers;
mod provisioners;
mod references;
mod remote_state;
mod resources;
mod traversal;

/// The arguments of a module call that are not variables of the module.
const CALL_ARGUMENTS: [&str; 7] =
    ["source", "version", "providers", "count", "for_each", "depends_on", "enabled"];

/// The summary of the problem of a reference that names nothing of the language.
const UNREADABLE: &str = "Invalid reference";

/// The summaries of the problems of references that Terraform finds before it looks for values.
const STATIC: [&str; 7] = [
    UNREADABLE,
    "Reference to undeclared resource",
    "Reference to undeclared module",
    "Invalid \"self\" reference",
    "Missing resource instance key",
    "Unexpected resource instance key",
    "Unsupported attribute",
];

/// The address of the provider that is part of Terraform.
pub(in crate::configuration) const BUILTIN: &str = "terraform.io/builtin/terraform";

/// The schemas of the provider that is part of Terraform, for callers that give none for it.
fn builtin() -> &'static ProviderSchemas {
    static SCHEMAS: OnceLock<ProviderSchemas> = OnceLock::new();
    SCHEMAS.get_or_init(|| {
        let text = include_bytes!("validation/builtin.json");
        ProviderSchemas::from_json(text).unwrap_or_default()
    })
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

    /// The schema of a resource: its provider's, or that of a resource that Terraform itself has.
    fn resource_schema(&self, module: &Module, resource: &Resource) -> Option<&'a Schema> {
        let provider = module.provider(resource);
        self.schema(&provider, resource).or_else(|| Self::builtin_schema(&provider, resource))
    }

    /// The scope inside a block whose instances are not known yet.
    fn repeated_scope(&self, position: usize, body: &Body) -> ModuleScope<'_, 'a> {
        let repetition = match Expansion::symbolic(body) {
            Expansion::Symbolic(repetition) => repetition,
            _ => Repetition::None,
        };
        ModuleScope::repeated(self, position, repetition)
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
            // Terraform does not see what is in a file of overrides and has no variable.
            if is_override(argument.expression.source().name()) {
                continue;
            }
            if !CALL_ARGUMENTS.contains(&name) && !called.variables.contains_key(name) {
                // The message does not suggest an argument that the call already has.
                let names = called.variables.keys().map(|name| &**name);
                let place = argument.span.clone();
                if argument.expression.is_json() {
                    self.report(extraneous_property(&block.source, place, name, names));
                    continue;
                }
                let names = names.filter(|name| block.body.argument(name).is_none());
                let detail = unsupported_argument(name, names, std::iter::empty());
                self.report(Diagnostic::new(&block.source, place, "Unsupported argument", detail));
            }
        }
    }

    /// Reports an output whose value is ephemeral although the output is not declared so, an output of the root module whose
    /// value is sensitive in this way, and an output of another module that is declared ephemeral although its value is not.
    pub(super) fn check_output(&self, output: &Output, value: &Value, is_root: bool) {
        let marks = value.unmark_deep().1;
        let block = &output.block;
        self.check_ephemeral_output(output, &marks);
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
    }

    /// Reports an ephemeral value for an output that is not declared so.
    fn check_ephemeral_output(&self, output: &Output, marks: &Marks) {
        if marks.contains(&Mark::EPHEMERAL)
            && !output.ephemeral
            && let Some(argument) = output.block.body.argument("value")
        {
            let detail = "This output value is not declared as returning an ephemeral value, so it cannot be set to a result \
                          derived from an ephemeral value.";
            let span = argument.expression.span();
            self.report(Diagnostic::new(&output.block.source, span, "Ephemeral value not allowed", detail));
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
            self.check_resource(module, address, resource, position);
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
                if *block.kind != *"validation"
                    && !(&*block.kind == "assert" && &*argument.name == "condition")
                {
                    // Both arguments of a precondition of an output are evaluated with the same variables.
                    let is_shared = &*block.kind == "precondition" && !of_resource;
                    let shared =
                        if is_shared { &*block.body.arguments } else { std::slice::from_ref(argument) };
                    self.report_unknown_variables(argument, shared, scope);
                }
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
                let ty = ty.into();
                let detail = match plantime::convert(&value, &ty) {
                    _ if !value.is_known()
                        && (&*argument.name != "error_message"
                            || plantime::conversion(&value.ty(), &ty).is_some()) =>
                    {
                        continue;
                    }
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

    /// Reports the variables that a condition or its message uses and that Terraform does not have there: none after a reference to what
    /// is not declared, and not those of references that it cannot read. `shared` are the arguments whose references it checks together.
    fn report_unknown_variables(
        &self,
        argument: &Argument,
        shared: &[Argument],
        scope: &ModuleScope<'_, 'a>,
    ) {
        let wrong = |argument: &Argument| {
            let problems = self.check_references(&argument.expression, scope).err();
            let problems = problems.iter().flat_map(|problems| problems.iter());
            problems.filter(|problem| STATIC.contains(&problem.summary())).cloned().collect::<Vec<_>>()
        };
        if shared.iter().any(|argument| wrong(argument).iter().any(|problem| problem.summary() != UNREADABLE))
        {
            let none = BTreeMap::new();
            let empty = Scope::new(&none).with_functions(&self.functions);
            if let Err(problems) = argument.expression.evaluate(&empty.within(&self.total)) {
                self.report(problems);
            }
            return;
        }
        let wrong = wrong(argument);
        for reference in argument.expression.references() {
            let span = reference.span_of(0);
            if wrong.iter().any(|problem| problem.span().start == span.start) {
                let detail = format!("There is no variable named {:?}.", reference.root());
                self.report(Diagnostic::new(argument.expression.source(), span, "Unknown variable", detail));
            }
        }
    }

    /// Checks the configuration of a provider against its schema.
    fn check_provider(&self, module: &Module, block: &Block, scope: &ModuleScope<'_, 'a>) {
        let Some(name) = block.labels.first() else { return };
        let provider = module.provider_address(name);
        let is_language = |name: &str| matches!(name, "alias" | "version" | "_");
        let body = with_escaped_arguments(block, is_language);
        let body = body.unwrap_or_else(|| without_arguments(&block.body, is_language));
        let written = Written { body: &body, ..Written::of(block) };
        let scope = &scope.nested().of_what_is_not_stored();
        let schema = self.provider_schema(&provider).and_then(|found| found.provider.as_ref());
        match schema.and_then(|schema| Some((schema, schema.implied_type().ok()?))) {
            Some((schema, ty)) => drop(self.object(&written, schema.block(), ty, scope)),
            None => drop(self.untyped_object(&written, scope)),
        }
    }
}
