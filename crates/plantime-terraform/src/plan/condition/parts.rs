//! What the facts of a plan are made of: what the plan and its configuration say of resources, variables, calls and providers.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use super::Locals;
use super::facts::{Kind, NamedEntry, TypeName, object, text_or_null, texts};
use crate::configuration::{DeclaredFacts, DeclaredName, DeclaredResource};
use crate::plan::address::parse_address;
use crate::plan::checking::HIDDEN;
use crate::plan::knowledge::Planned;
use crate::plan::knowledge::configuration::CopyChains;
use crate::plan::knowledge::side_marks::sides_with_common_marks;
use crate::plan::without_plan::{ReadNames, with_places};
use crate::plan::{Action, Change, Mode, Plan, ResourceChange};
use plantime::function::Functions;
use plantime::{Mark, Path, Type, Value};

/// What the facts of a plan are made of, beside the plan.
#[derive(Default)]
pub(in crate::plan) struct FactParts {
    pub(in crate::plan) parameters: BTreeMap<String, Value>,
    pub(in crate::plan) locals: Arc<Locals>,
    pub(in crate::plan) functions: Functions,
    pub(in crate::plan) workspace: Option<Value>,
    pub(in crate::plan) copies: CopyChains,
    /// Of what an unknown text is the JSON, by address and path.
    pub(in crate::plan) json_sources: HashMap<String, BTreeMap<Path, Value>>,
    pub(in crate::plan) references: Arc<crate::plan::References>,
    pub(in crate::plan) named: BTreeMap<Kind, Vec<NamedEntry>>,
    /// What the configuration says of resources, by the addresses of their instances.
    pub(in crate::plan) configured: HashMap<String, DeclaredResource>,
    /// Whether there is a configuration: what it does not say is not written.
    pub(in crate::plan) has_configuration: bool,
    /// The declared types of resources.
    pub(in crate::plan) declared: HashMap<TypeName, Type>,
    /// The addresses of the resources that may have more attributes than are written: there is no plan, and no schema of them.
    pub(in crate::plan) unwritten: HashSet<String>,
    /// The names that conditions read: what a provider block does not say may come from its environment.
    pub(in crate::plan) read: ReadNames,
    /// Whether values of which nothing says that they are not sensitive are shown.
    pub(in crate::plan) show_values: bool,
    /// The addresses of the resources of which neither the plan nor a schema says what is sensitive, unless their values are shown.
    pub(in crate::plan) hidden: HashSet<String>,
}

impl NamedEntry {
    /// The entry of what a configuration declares.
    fn declared(kind: Kind, declared: DeclaredName) -> NamedEntry {
        let DeclaredName { modules, name, address, module, content, attributes } = declared;
        let value = if matches!(kind, Kind::Module | Kind::Provider) { "values" } else { "value" };
        let common = [
            ("address", Value::from(address.as_str())),
            ("name", Value::from(name.as_str())),
            ("module", Value::from(module.as_str())),
            (value, content.clone()),
        ];
        NamedEntry { value: object(common.into_iter().chain(attributes)), modules, name, address, content }
    }
}

impl FactParts {
    /// Adds what a configuration says.
    pub(in crate::plan) fn add_declared(&mut self, facts: DeclaredFacts) {
        let DeclaredFacts { variables, outputs, calls, providers, resources } = facts;
        let lists = [
            (Kind::Variable, variables),
            (Kind::Output, outputs),
            (Kind::Module, calls),
            (Kind::Provider, providers),
        ];
        for (kind, all) in lists {
            // Nothing says which arguments of calls and providers are sensitive.
            let is_hidden = !self.show_values && matches!(kind, Kind::Module | Kind::Provider);
            let hidden = |one: DeclaredName| match is_hidden {
                true => DeclaredName { content: one.content.clone().mark(Mark::new(HIDDEN)), ..one },
                false => one,
            };
            let completed = |one: DeclaredName| match kind {
                Kind::Provider => DeclaredName { content: with_places(&one.content, &self.read), ..one },
                _ => one,
            };
            let entries = all.into_iter().map(|one| NamedEntry::declared(kind, hidden(completed(one))));
            self.named.insert(kind, entries.collect());
        }
        (self.configured, self.has_configuration) = (resources, true);
    }

    /// The types of the resources that the configuration declares, by their mode.
    pub(super) fn configured_types(&self) -> BTreeSet<(Mode, String)> {
        let addresses = self.configured.keys().filter_map(|address| parse_address(address));
        addresses.map(|address| (address.mode, address.type_name)).collect()
    }

    /// The provisioners with their arguments hidden: nothing says which of them are sensitive.
    fn with_hidden_values(&self, provisioners: &Value) -> Value {
        let hide = |value: &Value| match self.show_values {
            true => value.clone(),
            false => value.clone().mark(Mark::new(HIDDEN)),
        };
        let one = |provisioner: &Value| {
            let hidden = provisioner.map_children(|step, part| match step.name() {
                Some("values") => hide(part),
                _ => part.clone(),
            });
            hidden.unwrap_or_else(|| hide(provisioner))
        };
        provisioners.map_children(|_, provisioner| one(provisioner)).unwrap_or_else(|| hide(provisioners))
    }

    /// Adds what a plan says of its variables and outputs, where there is no configuration.
    pub(in crate::plan) fn add_of_plan(&mut self, plan: &Plan) {
        let named = |kind: Kind, name: &str, address: String, content: Value, unknown: &[&'static str]| {
            let attributes = unknown.iter().map(|name| (*name, Value::dynamic())).collect();
            let (name, module) = (name.to_owned(), String::new());
            NamedEntry::declared(
                kind,
                DeclaredName { modules: Vec::new(), name, address, module, content, attributes },
            )
        };
        let variables = plan.variables.iter().map(|(name, value)| {
            let unknown = ["description", "type", "default", "nullable", "sensitive"];
            named(Kind::Variable, name, format!("var.{name}"), value.clone(), &unknown)
        });
        let outputs = plan.output_changes.iter().filter_map(|(name, change)| {
            let value = change.after.clone()?;
            Some(named(Kind::Output, name, format!("output.{name}"), value, &["description", "sensitive"]))
        });
        let (variables, outputs) = (variables.collect(), outputs.collect());
        self.named.insert(Kind::Variable, variables);
        self.named.insert(Kind::Output, outputs);
    }

    /// The entry of a change.
    pub(super) fn entry(
        &self,
        change: &ResourceChange,
        planned: Option<&Planned<'_>>,
        drift: Option<&ResourceChange>,
    ) -> Value {
        let null = || Value::null(plantime::Type::Dynamic);
        let side = |value: Option<Value>| value.unwrap_or_else(null);
        let hidden = |value: Value| match self.hidden.contains(&change.address) {
            true => value.mark(Mark::new(HIDDEN)),
            false => value,
        };
        // Nothing is planned: the marks of the prior value alone.
        let prior = || sides_with_common_marks(&change.change).0.map(hidden);
        let before = planned.map_or_else(prior, |planned| planned.before.clone());
        let after = planned.map(|planned| planned.after.clone());
        let values = side(after.clone().or_else(|| before.clone()));
        let address = parse_address(&change.address);
        let place = address.as_ref().map(|address| {
            let modules: String =
                address.modules.iter().map(|module| format!("module.{}.", module.name)).collect();
            format!("{modules}{}{}.{}", address.mode.prefix(), address.type_name, address.name)
        });
        let of_instance = self.configured.get(&change.address);
        let configured = of_instance.or_else(|| self.configured.get(place.as_ref()?));
        // What is not in the configuration any more is written nowhere.
        let of_configuration = |value: Option<Value>| match (value, self.has_configuration) {
            (Some(value), _) => value,
            (None, true) => null(),
            (None, false) => Value::dynamic(),
        };
        let call = address.as_ref().map(|address| {
            let calls = address.modules.iter().map(|module| format!("module.{}", module.name));
            calls.collect::<Vec<_>>().join(".")
        });
        let call = call.filter(|call| !call.is_empty());
        let drift = drift.map_or_else(null, |drift| {
            // What is marked on one side of the drift, or now, is hidden on both.
            let (before, after) = sides_with_common_marks(&drift.change);
            let as_now = |value: Option<Value>| {
                let with_now =
                    Change { before: value, after: change.change.after.clone(), ..Change::default() };
                side(sides_with_common_marks(&with_now).0.map(hidden))
            };
            object([("before", as_now(before)), ("after", as_now(after))])
        });
        let actions = change.change.actions.iter().map(Action::as_str);
        object([
            ("address", Value::from(change.address.as_str())),
            ("name", Value::from(&*change.name)),
            ("type", Value::from(&*change.type_name)),
            ("key", change.index.clone().unwrap_or_else(null)),
            ("mode", Value::from(if change.mode == Mode::Data { "data" } else { "managed" })),
            ("module", Value::from(change.module_address.as_deref().unwrap_or_default())),
            ("module_call", text_or_null(call.as_deref())),
            (
                "module_source",
                match (&call, configured) {
                    (None, _) => text_or_null(None),
                    (Some(_), configured) => {
                        of_configuration(configured.map(|configured| configured.module_source.clone()))
                    }
                },
            ),
            ("provider", Value::from(&*change.provider_name)),
            ("actions", texts(actions)),
            ("before", side(before)),
            ("after", side(after)),
            ("values", values),
            ("replaces", Value::from(is_replaced(change))),
            ("drift", drift),
            ("deposed", text_or_null(change.deposed.as_deref())),
            ("lifecycle", of_configuration(configured.map(|configured| configured.lifecycle.clone()))),
            (
                "provisioners",
                of_configuration(
                    configured.map(|configured| self.with_hidden_values(&configured.provisioners)),
                ),
            ),
            (
                "written",
                of_configuration(
                    configured.map(|configured| texts(configured.written.iter().map(String::as_str))),
                ),
            ),
        ])
    }
}

/// Whether the plan replaces an object.
fn is_replaced(change: &ResourceChange) -> bool {
    let actions = &change.change.actions;
    actions.contains(&Action::Create) && actions.contains(&Action::Delete)
}
