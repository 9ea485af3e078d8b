//! `import` blocks: their place, their identifier, and the resource that they name.

use super::super::scope::ModuleScope;
use super::super::{Engine, Repetition, order};
use crate::configuration::module::Resource;
use plantime::{Type, Value};
use plantime_hcl::{Block, Body};
use plantime_hcl::{Diagnostic, Expression, Reference, ReferenceKey, ReferenceStep};

impl<'a> Engine<'a> {
    /// Checks an `import` block: its place, what it names, and its identifier.
    pub(super) fn check_import(&self, position: usize, import: &Block) {
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
        let target = body.argument("to").and_then(|argument| argument.expression.unquoted().ok());
        let Some(target) = target else { return };
        let report_at = |expression: &Expression, summary: &str, detail: &str| {
            self.report(Diagnostic::new(expression.source(), expression.span(), summary, detail));
        };
        let scope = self.import_scope(position, body);
        let named = target.calculated_key();
        let reference = named.as_ref().map(|(name, _)| *name).or_else(|| target.as_reference());
        let resource = reference.and_then(|reference| self.imported(reference));
        if let Some(detail) = self.undeclared_import(&target) {
            report_at(&target, "Configuration for import target does not exist", &detail);
        } else if let Some(resource) = resource {
            let key = match (&named, reference.and_then(|reference| reference.steps().last())) {
                (Some((_, key)), _) => Some(self.import_key(key, &scope).unwrap_or_else(Value::dynamic)),
                (None, Some(step)) => match step.key() {
                    ReferenceKey::Index(key) => Some(key.clone()),
                    ReferenceKey::Attribute(_) => None,
                },
                (None, None) => None,
            };
            if let Some(detail) = unfit_key(resource, key.as_ref()) {
                report_at(&target, "Invalid import 'to' expression", detail);
            }
        }
        let is_of_module = reference.is_some_and(|reference| reference.root() == "module");
        if let Some(provider) = body.argument("provider").filter(|_| is_of_module || resource.is_some()) {
            let instead = match is_of_module {
                true => {
                    "Use the providers argument within the module block to configure providers for all resources within a \
                     module, including imported resources."
                }
                false => {
                    "Use the provider argument in the target resource block to configure the provider for a resource with \
                     explicit provider configuration."
                }
            };
            let detail = format!(
                "The provider argument can only be specified in import blocks that will generate configuration.\n\n{instead}"
            );
            let summary = "Invalid import provider argument";
            self.report(Diagnostic::new(source, provider.span.clone(), summary, detail));
        }
        let Some(id) = body.argument("id") else { return };
        let own = reference.and_then(resource_name);
        let references = id.expression.references();
        if let Some(own) = references.iter().find(|other| own.is_some() && resource_name(other) == own) {
            let detail = "The import ID cannot reference the resource being imported.";
            let (source, span) = (id.expression.source(), own.span());
            return self.report(Diagnostic::new(source, span, "Invalid import id argument", detail));
        }
        let value = self.evaluate_or_report(&id.expression, &scope);
        let report = |summary: &str, detail: &str| report_at(&id.expression, summary, detail);
        let plain = value.unmark_deep().0;
        if plain.is_null() {
            report("Invalid import id argument", "The import ID cannot be null.");
        } else if let Err(error) = plantime::convert(&plain, &Type::String.into()) {
            report("Incorrect value type", &format!("Invalid expression value: {}.", error.message()));
        } else if plain.as_str().is_ok_and(str::is_empty) {
            let detail =
                "The import ID value evaluates to an empty string, please provide a non-empty value.";
            report("Invalid import id argument", detail);
        }
    }

    /// The scope in an import block: with `for_each`, one element stands for all, whose key is that of the collection.
    fn import_scope(&self, position: usize, body: &Body) -> ModuleScope<'_, 'a> {
        let Some(each) = body.argument("for_each") else { return ModuleScope::of(self, position) };
        let expression = &each.expression;
        let value = self.evaluate_or_report(expression, &ModuleScope::of(self, position)).unmark_deep().0;
        let ty = value.ty();
        let is_collection = !matches!(ty, Type::Bool | Type::Number | Type::String);
        if value.is_known() && !value.is_null() && !is_collection {
            let (source, span) = (expression.source(), expression.span());
            let detail = "The \"for_each\" expression must be a collection.";
            self.report(Diagnostic::new(source, span, "Invalid for_each argument", detail));
        }
        let key = match ty {
            Type::Map(_) | Type::Object(_) => Type::String,
            Type::List(_) | Type::Tuple(_) => Type::Number,
            Type::Set(set) => set.element().clone(),
            _ => Type::Dynamic,
        };
        // Of an empty collection there is no key.
        let is_empty = value.length().is_ok_and(|length| length == Value::from(0));
        let is_open = is_empty || key == Type::Dynamic;
        let key = if is_open { Value::dynamic() } else { Value::unknown_not_null(key) };
        ModuleScope::repeated(self, position, Repetition::Each(key, Value::dynamic()))
    }

    /// The calculated key of the resource that is imported; `None` if it cannot be calculated.
    fn import_key(&self, key: &Expression, scope: &ModuleScope<'_, 'a>) -> Option<Value> {
        let others = key.references().into_iter().filter(|reference| reference.root() != "each");
        let mut is_each = true;
        for other in others {
            is_each = false;
            // The words are those of Terraform.
            let detail = format!(
                "There is no variable named {:?}.Only \"each.key\" and \"each.value\" can be used in import address index \
                 expressions.",
                other.root()
            );
            self.report(Diagnostic::new(key.source(), other.span_of(0), "Unknown variable", detail));
        }
        is_each.then(|| self.evaluate_or_report(key, scope).unmark_deep().0)
    }

    /// The resource of the root module that an import names.
    fn imported(&self, to: &Reference) -> Option<&'a Resource> {
        let (ty, name) = resource_name(to)?;
        self.configuration.root.module.resources.get(&format!("{ty}.{name}"))
    }

    /// What is wrong with the target of an import that is not declared, in another module or with a key.
    fn undeclared_import(&self, to: &Expression) -> Option<String> {
        let key = to.calculated_key();
        let reference = key.as_ref().map(|(name, _)| *name).or_else(|| to.as_reference())?;
        if reference.root() != "module" {
            let (ty, name) = resource_name(reference)?;
            let is_key = |step: &ReferenceStep| matches!(step.key(), ReferenceKey::Index(_));
            let is_instance = key.is_some() || reference.steps().last().is_some_and(is_key);
            let is_declared = self.configuration.root.module.resources.contains_key(&format!("{ty}.{name}"));
            return (is_instance && !is_declared).then(|| {
                "The given import block is not compatible with config generation. The -generate-config-out option cannot be used \
                 with import blocks which use for_each, or resources which use for_each or count."
                    .to_owned()
            });
        }
        let names: Vec<&str> = reference.steps().iter().filter_map(order::attribute).collect();
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
}

/// The type and the name of the resource of the root module that a reference names.
fn resource_name(reference: &Reference) -> Option<(&str, &str)> {
    let name = |step: usize| reference.steps().get(step).and_then(order::attribute);
    match reference.root() {
        "module" | "data" | "ephemeral" => None,
        "resource" => Some((name(0)?, name(1)?)),
        ty => Some((ty, name(0)?)),
    }
}

/// Why a resource has no instance with this key, or none without a key.
fn unfit_key(resource: &Resource, key: Option<&Value>) -> Option<&'static str> {
    let has = |name: &str| resource.block.body.argument(name).is_some();
    match key.map(Value::ty) {
        Some(Type::Number) if !has("count") => Some("The target resource does not use count."),
        Some(Type::String) if !has("for_each") => Some("The target resource does not use for_each."),
        None if has("count") => Some("The target resource is using count."),
        None if has("for_each") => Some("The target resource is using for_each."),
        _ => None,
    }
}
