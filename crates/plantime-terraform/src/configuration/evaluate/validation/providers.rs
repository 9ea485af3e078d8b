//! Provider configurations: that those exist which resources use, and what module calls pass to other modules.

use std::collections::HashMap;

use super::super::Engine;
use super::super::cycles::alias_of;
use crate::configuration::module::{Call, Module, Resource, configuration_name};
use crate::configuration::validate::local_name_problem;
use plantime_hcl::Block;
use plantime_hcl::{Diagnostic, Expression};

impl<'a> Engine<'a> {
    /// Whether a resource uses a provider configuration: Terraform does not look at one that none uses.
    pub(super) fn is_provider_used(&self, module: usize, block: &Block) -> bool {
        if module != 0 {
            let Some(instance) = self.instance(module) else { return false };
            let declared = &instance.tree.module;
            let named = |resource: &Resource| {
                declared.provider_reference(resource).is_some_and(|(local, alias)| {
                    block.labels.first().is_some_and(|label| **label == *local) && alias_of(block) == alias
                })
            };
            return declared.resources.values().any(named);
        }
        let root = &self.configuration.root.module;
        let own = root.configured_providers.iter().position(|known| std::ptr::eq(known, block));
        let Some(own) = own else { return false };
        let count = self.state.borrow().modules.len();
        let mut modules = (0..count).filter_map(|module| Some((module, self.instance(module)?)));
        modules.any(|(module, instance)| {
            let mut resources = instance.tree.module.resources.values();
            resources.any(|resource| self.root_provider_index(module, resource) == Some(own))
        })
    }

    /// Reports a resource that uses a provider configuration that does not exist.
    pub(super) fn check_provider_exists(
        &self,
        position: usize,
        module: &Module,
        address: &str,
        resource: &Resource,
    ) {
        let Some((local, Some(alias))) = module.provider_reference(resource) else { return };
        let is_configured = |block: &Block| {
            block.labels.first().is_some_and(|label| **label == *local)
                && alias_of(block).as_deref() == Some(&*alias)
        };
        let is_passed = position != 0
            && module.provider_aliases.iter().any(|(name, passed)| *name == local && *passed == alias);
        if is_passed || module.configured_providers.iter().any(is_configured) {
            return;
        }
        let path = self.module_path(position);
        let address = format!("{path}{address}");
        let provider = format!("{path}provider[{:?}].{alias}", module.provider_address(&local));
        let detail = format!(
            "To work with {address} its original provider configuration at {provider} is required, but it has been removed. \
             This occurs when a provider configuration is removed while objects created by that provider still exist in the \
             state. Re-add the provider configuration to destroy {address}, after which you can remove the provider \
             configuration again."
        );
        let block = &resource.block;
        let problem =
            Diagnostic::new(&block.source, block.head(), "Provider configuration not present", detail);
        self.report(problem.as_global());
    }

    /// Checks the provider configurations that a call passes to its module, and that the module needs.
    pub(super) fn check_passed_providers(
        &self,
        caller: usize,
        calling: &Module,
        call: &Call,
        called: &Module,
    ) {
        let block = &call.block;
        let name = block.labels.first().map(|label| &**label).unwrap_or_default();
        let path = format!("{}module.{name}", self.module_path(caller));
        let parent = match caller {
            0 => "the root module".to_owned(),
            _ => self.module_path(caller).trim_end_matches('.').to_owned(),
        };
        let mut passed: HashMap<String, String> = HashMap::new();
        let argument = block.body.argument("providers");
        let entries = argument.map(|argument| argument.expression.entries());
        if let (Some(None), Some(argument)) = (&entries, argument) {
            let (source, span) = (argument.expression.source(), argument.expression.span());
            let detail = "A static map expression is required.";
            self.report(Diagnostic::new(source, span, "Invalid expression", detail));
        }
        let entries = entries.flatten().unwrap_or_default();
        for (key, value) in entries {
            let (source, key_span) = (key.source(), key.span());
            let (Some(child), Some(given)) = (configuration_name(&key), configuration_name(&value)) else {
                let wrong = if configuration_name(&key).is_none() { &key } else { &value };
                let detail = "The providers argument requires a provider type name, optionally followed by a period and then a \
                              configuration alias.";
                let summary = "Invalid provider configuration reference";
                self.report(Diagnostic::new(wrong.source(), wrong.span(), summary, detail));
                continue;
            };
            let wrong_name = [(&key, &child.0), (&value, &given.0)]
                .into_iter()
                .find_map(|(place, name)| local_name_problem(name).map(|detail| (place, detail)));
            if let Some((place, detail)) = wrong_name {
                let (source, span) = (place.source(), place.start_span());
                self.report(Diagnostic::new(source, span, "Invalid provider local name", detail));
                continue;
            }
            let (child_text, given_text) = (written(&child), written(&given));
            let at = source.range_text(key_span.start..value.span().end);
            if let Some(before) = passed.get(&child_text) {
                let detail = format!(
                    "A provider configuration was already passed to {child_text} at {before}. Each child provider configuration \
                     can be assigned only once."
                );
                self.report(Diagnostic::new(source, value.span(), "Duplicate provider address", detail));
                continue;
            }
            passed.insert(child_text.clone(), at);
            let is_own = |block: &Block| {
                has_content(block)
                    && block.labels.first().is_some_and(|label| **label == *child.0)
                    && alias_of(block) == child.1
            };
            if called.configured_providers.iter().any(is_own) {
                let detail = format!(
                    "The configuration of {path} has its own local configuration for {child_text}, and so it cannot accept an \
                     overridden configuration provided by {parent}."
                );
                let summary = "Cannot override provider configuration";
                self.report(Diagnostic::new(source, key_span, summary, detail));
                continue;
            }
            let addresses = [(calling, &given.0), (called, &child.0)].map(|(module, local)| {
                let declared = module.providers.get(local).cloned();
                shown(&declared.unwrap_or_else(|| format!("registry.terraform.io/hashicorp/{local}")))
            });
            let [given_address, child_address] = addresses;
            if given_address != child_address {
                let detail = format!(
                    "The local name {given_text:?} in {parent} represents provider {given_address:?}, but {child_text:?} in \
                     {path} represents {child_address:?}.\n\nEach provider has its own distinct configuration schema and provider \
                     types, so this module's {child_text:?} can be assigned only a configuration for {child_address}, which is \
                     not required by {path}."
                );
                self.report(Diagnostic::new(source, value.start_span(), "Provider type mismatch", detail));
            }
        }
        for (local, alias) in &called.provider_aliases {
            let wanted = format!("{local}.{alias}");
            if passed.contains_key(&wanted) {
                continue;
            }
            let detail = format!(
                "The child module requires an additional configuration for provider {}, with the local name {wanted:?}.\n\nRefer \
                 to the module's documentation to understand the intended purpose of this additional provider configuration, and \
                 then add an entry for {wanted} in the \"providers\" meta-argument in the module block to choose which provider \
                 configuration the module should use for that purpose.",
                shown(&called.provider_address(local))
            );
            let summary = "Missing required provider configuration";
            self.report(Diagnostic::new(&block.source, block.head(), summary, detail));
        }
    }

    /// Reports a module that configures providers itself although it, or one that it is in, is called with arguments that such a
    /// module may not be called with.
    pub(super) fn check_legacy_module(&self, position: usize) {
        let Some(instance) = self.instance(position) else { return };
        if !instance.tree.module.configured_providers.iter().any(has_content) {
            return;
        }
        let path = self.module_path(position);
        let mut at = instance;
        let mut source = None;
        while let Some((caller, call, _)) = &at.caller {
            let Some(calling) = self.instance(*caller) else { return };
            let Some((_, call)) = calling.tree.module.calls.get_index(*call) else { return };
            // The message names the source of the module itself.
            let source = source.get_or_insert_with(|| call.source.clone().unwrap_or_default());
            let found = ["count", "for_each", "depends_on"].into_iter().find_map(|name| {
                let expression = &call.block.body.argument(name)?.expression;
                let first = expression.items().and_then(|items| items.first().map(Expression::span));
                Some((
                    expression.source().clone(),
                    if name == "depends_on" { first? } else { expression.span() },
                ))
            });
            if let Some((file, span)) = found {
                let detail = format!(
                    "The module at {} is a legacy module which contains its own local provider configurations, and so calls to it \
                     may not use the count, for_each, or depends_on arguments.\n\nIf you also control the module {source:?}, \
                     consider updating this module to instead expect provider configurations to be passed by its caller.",
                    path.trim_end_matches('.')
                );
                let summary = "Module is incompatible with count, for_each, and depends_on";
                self.report(Diagnostic::new(&file, span, summary, detail));
                return;
            }
            at = calling;
        }
    }
}

/// A reference to a provider configuration as it is written.
fn written((local, alias): &(String, Option<String>)) -> String {
    alias.as_ref().map_or_else(|| local.clone(), |alias| format!("{local}.{alias}"))
}

/// The address of a provider as messages show it: without the registry of Terraform.
fn shown(address: &str) -> String {
    address.strip_prefix("registry.terraform.io/").unwrap_or(address).to_owned()
}

/// Whether a provider block configures anything. An empty one only says that a module needs the provider.
fn has_content(block: &Block) -> bool {
    let body = &block.body;
    let is_alias = |name: &str| matches!(name, "alias" | "version");
    body.arguments.iter().any(|argument| !is_alias(&argument.name))
        || !body.blocks.is_empty()
        || body.properties.iter().any(|property| !is_alias(&property.name))
}
