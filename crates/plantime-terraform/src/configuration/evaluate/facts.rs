//! What an evaluated configuration says beside the values of resources: variables, outputs, module calls, providers, and the
//! blocks that no plan has.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::scope::{ModuleScope, Repetition};
use super::{Engine, Node, NodeKind};
use crate::configuration::module::Module;
use plantime::{Mark, Type, Value};
use plantime_hcl::{Argument, Body, Expression};

/// A variable, output, module call or provider of a configuration.
#[derive(Clone, Debug)]
pub(crate) struct DeclaredName {
    /// The names of the module calls that lead to its module.
    pub(crate) modules: Vec<String>,
    pub(crate) name: String,
    /// The address, with the keys of module instances.
    pub(crate) address: String,
    /// The address of its module instance; empty for the root module.
    pub(crate) module: String,
    /// Its value; of a module call and a provider the object of its arguments.
    pub(crate) content: Value,
    /// What else is said of it.
    pub(crate) attributes: Vec<(&'static str, Value)>,
}

/// What the block of a resource says beside its arguments.
#[derive(Clone, Debug)]
pub(crate) struct DeclaredResource {
    pub(crate) lifecycle: Value,
    pub(crate) provisioners: Value,
    /// The names of the arguments and blocks that are written.
    pub(crate) written: Vec<String>,
    /// The source of the call of its module; null in the root module.
    pub(crate) module_source: Value,
}

/// What an evaluated configuration says beside the values of resources.
#[derive(Clone, Debug, Default)]
pub(crate) struct DeclaredFacts {
    pub(crate) variables: Vec<DeclaredName>,
    pub(crate) outputs: Vec<DeclaredName>,
    pub(crate) calls: Vec<DeclaredName>,
    pub(crate) providers: Vec<DeclaredName>,
    /// By the address of the instance.
    pub(crate) resources: HashMap<String, DeclaredResource>,
}

/// The arguments and blocks of a resource that are not the provider's.
const META: [&str; 7] =
    ["count", "for_each", "depends_on", "provider", "lifecycle", "provisioner", "connection"];

/// The arguments of a module call that are not variables of the module.
const META_OF_CALL: [&str; 7] =
    ["source", "version", "count", "for_each", "providers", "depends_on", "lifecycle"];

/// A value that is not written.
fn null() -> Value {
    Value::null(Type::Dynamic)
}

/// The object of these attributes.
fn object<N: AsRef<str>>(attributes: impl IntoIterator<Item = (N, Value)>) -> Value {
    let attributes: Vec<(String, Value)> =
        attributes.into_iter().map(|(name, value)| (name.as_ref().to_owned(), value)).collect();
    Value::object(attributes).unwrap_or_else(|_| Value::dynamic())
}

/// A tuple of these values.
fn tuple(values: impl IntoIterator<Item = Value>) -> Value {
    Value::tuple(values.into_iter().collect::<Vec<_>>()).unwrap_or_else(|_| Value::dynamic())
}

impl<'a> Engine<'a> {
    /// What the configuration says beside the values of resources.
    pub(in crate::configuration) fn declared_facts(&self) -> DeclaredFacts {
        let mut facts = DeclaredFacts::default();
        let modules = self.state.borrow().modules.clone();
        for (module, instance) in modules.iter().enumerate() {
            let names = self.names_of_calls(module);
            let place = instance.prefix.trim_end_matches('.').to_owned();
            let declared = &*instance.tree.module;
            let named = |name: &str, address: String, content: Value, attributes| DeclaredName {
                modules: names.clone(),
                name: name.to_owned(),
                address,
                module: place.clone(),
                content,
                attributes,
            };
            let scope = ModuleScope::of(self, module);
            let constant = |argument: Option<&Argument>| {
                argument.map_or_else(null, |argument| self.value_or_unknown(&argument.expression, &scope))
            };
            for (position, (name, variable)) in declared.variables.iter().enumerate() {
                let value = self.value(Node { module, kind: NodeKind::Variable, position });
                let body = &variable.block.body;
                let ty = body.argument("type").map(|argument| text_of(&argument.expression));
                let attributes = vec![
                    ("description", constant(body.argument("description"))),
                    ("type", ty.map_or_else(null, |text| Value::from(text.as_str()))),
                    ("default", {
                        let default = variable.default.clone().unwrap_or_else(null);
                        if variable.sensitive { default.mark(Mark::SENSITIVE) } else { default }
                    }),
                    ("nullable", Value::from(variable.nullable)),
                    ("sensitive", Value::from(variable.sensitive)),
                ];
                let value = value.unwrap_or_else(Value::dynamic);
                facts.variables.push(named(
                    name,
                    format!("{}var.{name}", instance.prefix),
                    value,
                    attributes,
                ));
            }
            for (position, (name, output)) in declared.outputs.iter().enumerate() {
                let value = self.value(Node { module, kind: NodeKind::Output, position });
                let attributes = vec![
                    ("description", constant(output.block.body.argument("description"))),
                    ("sensitive", Value::from(output.sensitive)),
                ];
                let value = value.unwrap_or_else(Value::dynamic);
                facts.outputs.push(named(
                    name,
                    format!("{}output.{name}", instance.prefix),
                    value,
                    attributes,
                ));
            }
            for (name, call) in &declared.calls {
                let body = &call.block.body;
                let repeated = body.argument("count").is_some() || body.argument("for_each").is_some();
                let repetition = if repeated { Repetition::Either } else { Repetition::None };
                let inside = ModuleScope::repeated(self, module, repetition).within(body);
                let values = self.values_of(body, &inside, &META_OF_CALL);
                let attributes = vec![
                    ("source", constant(body.argument("source"))),
                    ("version_constraint", constant(body.argument("version"))),
                ];
                facts.calls.push(named(
                    name,
                    format!("{}module.{name}", instance.prefix),
                    values,
                    attributes,
                ));
            }
            let providers = self.declared_providers(declared, &scope);
            for ((name, alias), (content, mut attributes)) in providers {
                let address = match &alias {
                    Some(alias) => format!("{}provider.{name}.{alias}", instance.prefix),
                    None => format!("{}provider.{name}", instance.prefix),
                };
                attributes.push(("alias", alias.map_or_else(null, |alias| Value::from(alias.as_str()))));
                facts.providers.push(named(&name, address, content, attributes));
            }
        }
        self.add_resources(&mut facts);
        facts
    }

    /// The names of the module calls that lead to a module instance.
    fn names_of_calls(&self, module: usize) -> Vec<String> {
        let (mut names, mut here) = (Vec::new(), module);
        while let Some(instance) = self.instance(here) {
            let Some((caller, call, _)) = &instance.caller else { break };
            let calling = self.instance(*caller);
            let name = calling.as_ref().and_then(|calling| calling.tree.module.calls.get_index(*call));
            names.push(name.map(|(name, _)| name.to_string()).unwrap_or_default());
            here = *caller;
        }
        names.reverse();
        names
    }

    /// The value of an expression; unknown where it cannot be evaluated.
    fn value_or_unknown(&self, expression: &Expression, scope: &ModuleScope<'_, 'a>) -> Value {
        self.evaluate(expression, scope).unwrap_or_else(|_| Value::dynamic())
    }

    /// The values of the arguments of a body as an object; nested blocks of one type are a list of such objects. The names in `without` are
    /// left out.
    fn values_of(&self, body: &Body, scope: &ModuleScope<'_, 'a>, without: &[&str]) -> Value {
        let mut values: BTreeMap<String, Value> = BTreeMap::new();
        for argument in body.arguments.iter().filter(|argument| !without.contains(&&*argument.name)) {
            values.insert(argument.name.to_string(), self.value_or_unknown(&argument.expression, scope));
        }
        let mut blocks: BTreeMap<String, Option<Vec<Value>>> = BTreeMap::new();
        for block in body.blocks.iter().filter(|block| !without.contains(&block.produced_kind())) {
            let all = blocks.entry(block.produced_kind().to_owned()).or_insert_with(|| Some(Vec::new()));
            match (&*block.kind, &mut *all) {
                ("dynamic", _) => *all = None,
                (_, Some(known)) => known.push(self.values_of(&block.body, scope, &[])),
                (_, None) => {}
            }
        }
        let blocks = blocks.into_iter().map(|(kind, all)| (kind, all.map_or_else(Value::dynamic, tuple)));
        values.extend(blocks);
        object(values)
    }

    /// The providers that a module configures, requires or uses: by name and alias, with arguments and what else is said.
    #[allow(clippy::type_complexity)]
    fn declared_providers(
        &self,
        declared: &Module,
        scope: &ModuleScope<'_, 'a>,
    ) -> BTreeMap<(String, Option<String>), (Value, Vec<(&'static str, Value)>)> {
        let mut found = BTreeMap::new();
        let version = |name: &str| match declared.provider_versions.get(name) {
            Some(version) => Value::from(version.as_str()),
            None => null(),
        };
        let source = |name: &str| Value::from(declared.provider_address(name));
        for block in &declared.configured_providers {
            let Some(name) = block.labels.first() else { continue };
            let alias =
                block.body.argument("alias").map(|alias| self.value_or_unknown(&alias.expression, scope));
            let alias = alias.and_then(|alias| alias.as_str().ok().map(str::to_owned));
            let own = block.body.argument("version").map(|own| self.value_or_unknown(&own.expression, scope));
            let attributes = vec![
                ("source", source(name)),
                ("version_constraint", own.unwrap_or_else(|| version(name))),
                ("configured", Value::from(true)),
            ];
            let values = self.values_of(&block.body, scope, &["alias", "version"]);
            found.insert((name.to_string(), alias), (values, attributes));
        }
        let used = declared.resources.values().filter_map(|resource| declared.provider_reference(resource));
        let required = declared.providers.keys().chain(declared.provider_versions.keys());
        let names: BTreeSet<String> =
            required.cloned().chain(used.map(|(name, _)| name)).filter(|name| name != "terraform").collect();
        for name in names {
            if found.keys().any(|(known, _)| *known == name) {
                continue;
            }
            let attributes = vec![
                ("source", source(&name)),
                ("version_constraint", version(&name)),
                ("configured", Value::from(false)),
            ];
            found.insert((name, None), (Value::dynamic(), attributes));
        }
        found
    }

    /// Adds what the blocks of resources say beside their arguments.
    fn add_resources(&self, facts: &mut DeclaredFacts) {
        for address in self.addresses() {
            let found = self.with_resource(&address, |resource| {
                (resource.module.clone(), resource.position, resource.node, resource.repetition.clone())
            });
            let Some((module, position, node, repetition)) = found else { continue };
            let Some((_, resource)) = module.resources.get_index(position) else { continue };
            let body = &resource.block.body;
            let scope = ModuleScope::repeated(self, node.module, repetition);
            let written: BTreeSet<String> = body
                .arguments
                .iter()
                .map(|argument| &*argument.name)
                .chain(body.blocks.iter().map(|block| block.produced_kind()))
                .filter(|name| !META.contains(name))
                .map(str::to_owned)
                .collect();
            let mut provisioners = Vec::new();
            for block in body.blocks.iter().filter(|block| &*block.kind == "provisioner") {
                let word = |name: &str| {
                    let argument = block.body.argument(name);
                    argument.map_or_else(null, |argument| Value::from(text_of(&argument.expression)))
                };
                provisioners.push(object([
                    ("type", block.labels.first().map_or_else(null, |label| Value::from(&**label))),
                    ("when", word("when")),
                    ("on_failure", word("on_failure")),
                    ("values", self.values_of(&block.body, &scope, &["when", "on_failure", "connection"])),
                ]));
            }
            let caller = self.instance(node.module).and_then(|instance| {
                let (caller, call, _) = instance.caller.as_ref()?;
                Some((*caller, self.instance(*caller)?.tree.module.calls.get_index(*call)?.1.block.clone()))
            });
            let module_source = caller.map_or_else(null, |(caller, block)| {
                let source = block.body.argument("source");
                source.map_or_else(null, |source| {
                    self.value_or_unknown(&source.expression, &ModuleScope::of(self, caller))
                })
            });
            facts.resources.insert(
                address,
                DeclaredResource {
                    lifecycle: self.lifecycle(body, &scope),
                    provisioners: tuple(provisioners),
                    written: written.into_iter().collect(),
                    module_source,
                },
            );
        }
    }

    /// The block `lifecycle` of a resource: what is not written is null.
    fn lifecycle(&self, body: &Body, scope: &ModuleScope<'_, 'a>) -> Value {
        let block = body.blocks.iter().find(|block| &*block.kind == "lifecycle");
        let argument = |name: &str| block.and_then(|block| block.body.argument(name));
        let value = |name: &str| {
            argument(name).map_or_else(null, |argument| self.value_or_unknown(&argument.expression, scope))
        };
        let names = |name: &str| {
            argument(name).map_or_else(null, |argument| match argument.expression.items() {
                Some(items) => tuple(items.iter().map(|item| Value::from(text_of(item)))),
                None => tuple([Value::from(text_of(&argument.expression))]),
            })
        };
        object([
            ("prevent_destroy", value("prevent_destroy")),
            ("create_before_destroy", value("create_before_destroy")),
            ("ignore_changes", names("ignore_changes")),
            ("replace_triggered_by", names("replace_triggered_by")),
        ])
    }
}

/// The text of an expression as it is written.
fn text_of(expression: &Expression) -> String {
    let text = expression.source().text().get(expression.span()).unwrap_or_default();
    text.trim_matches('"').split_whitespace().collect::<Vec<_>>().join(" ")
}
