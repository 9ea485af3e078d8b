//! What obligations keep of a plan for their conditions: what a state does not say. `verify` evaluates the conditions on both.
//!
//! | the condition reads | taken from |
//! |---|---|
//! | the values of resources and outputs | the state |
//! | actions, values before, lifecycle, drift and what else an entry has | the plan |
//! | variables, module calls, providers, `plan`, parameters, references | the plan |
//!
//! Only what the conditions name is kept. What is behind a mark is not, and is unknown when the obligations are verified.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use super::facts::{Entry, Kind, NamedEntry, PlanFacts, object};
use super::{Condition, FUNCTIONS, Locals};
use crate::plan::address::parse_address;
use crate::plan::{Change, Mode, Plan, References, ResourceChange, Sensitivity, State, StateResource};
use plantime::source::Source;
use plantime::{Type, Value, View};
use serde_json::{Map, Value as Json, json};

/// The attributes of an entry that say which object it is.
const IDENTITY: [&str; 9] =
    ["address", "name", "type", "key", "mode", "module", "provider", "actions", "deposed"];

/// Those that a configuration says of all instances of a resource.
const OF_CONFIGURATION: [&str; 5] = ["module_call", "module_source", "lifecycle", "provisioners", "written"];

/// The other attributes of an entry, but for `values` and `after`, which the state has.
const OTHERS: [&str; 3] = ["before", "replaces", "drift"];

/// The maximum depth of a type that is kept; the JSON of a value nests a little deeper.
const DEPTH: usize = 64;

/// What conditions see of a plan, as far as a state does not say it.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::plan) struct RecordedFacts {
    plan: Value,
    /// When the plan was made, if conditions ask it.
    timestamp: Option<String>,
    workspace: Value,
    parameters: BTreeMap<String, Value>,
    /// The texts of the file's locals.
    locals: BTreeMap<String, String>,
    has_configuration: bool,
    resources: Vec<RecordedResource>,
    named: BTreeMap<Kind, Vec<NamedEntry>>,
    references: Option<Json>,
}

/// An object of the plan.
#[derive(Clone, Debug, PartialEq)]
struct RecordedResource {
    /// Its entry, without its values.
    entry: Value,
    /// Whether it exists after the apply.
    exists: bool,
    /// Whether the plan changes it.
    is_touched: bool,
}

/// The names and functions that conditions use.
#[derive(Default)]
pub(in crate::plan) struct UsedNames {
    names: BTreeSet<String>,
    functions: BTreeSet<String>,
}

impl UsedNames {
    /// Adds those of an expression.
    pub(in crate::plan) fn add(&mut self, condition: &Condition) {
        self.names.extend(condition.name_chains().into_iter().flatten());
        let functions = condition.expression.function_names().into_iter();
        self.functions.extend(functions.map(|(name, _)| name.to_owned()));
    }

    fn calls(&self, functions: &[&str]) -> bool {
        functions.iter().any(|name| self.functions.contains(*name))
    }
}

/// The part of a value that is written down: what is marked, or nests too deep, is unknown.
fn unmarked(value: &Value) -> Value {
    match value.view() {
        View::Object(object) if !value.is_marked() && value.ty().depth() <= DEPTH => {
            let parts = object.iter().map(|(name, part)| (name, unmarked(part)));
            Value::object(parts.collect::<Vec<_>>()).unwrap_or_else(|_| Value::dynamic())
        }
        _ if value.contains_marks() || value.ty().depth() > DEPTH => Value::dynamic(),
        _ => value.clone(),
    }
}

/// An attribute of an entry; null if it has none.
fn part(entry: &Value, name: &str) -> Value {
    entry.get_attr(name).unwrap_or_else(|_| Value::null(Type::Dynamic))
}

/// The text of an attribute of an entry.
fn text(entry: &Value, name: &str) -> Option<String> {
    part(entry, name).as_str().ok().map(str::to_owned)
}

impl PlanFacts {
    /// What obligations keep of these facts for conditions that use these names. `subjects` are the addresses that they are about.
    pub(in crate::plan) fn record(&self, used: &mut UsedNames, subjects: &BTreeSet<&str>) -> RecordedFacts {
        self.locals.values().for_each(|local| used.add(local));
        let reads_others = used.calls(&FUNCTIONS);
        let resources = self.objects().filter_map(|(entry, exists, is_touched)| {
            let is_kept = reads_others || subjects.contains(&*entry.change.address);
            is_kept.then(|| RecordedResource {
                entry: reduced(&entry.value, used, exists),
                exists,
                is_touched,
            })
        });
        let named = KINDS.into_iter().map(|(kind, function)| {
            let all = self.named.get(&kind).into_iter().flatten();
            let kept = all.filter(|entry| used.calls(&[function]) || subjects.contains(&*entry.address));
            let kept = kept.map(|entry| NamedEntry {
                content: unmarked(&entry.content),
                value: unmarked(&entry.value),
                ..entry.clone()
            });
            (kind, kept.collect::<Vec<_>>())
        });
        let parameters = self.parameters.iter().filter(|(name, _)| used.names.contains(*name));
        RecordedFacts {
            plan: match used.names.contains("plan") {
                true => unmarked(&self.plan),
                false => Value::dynamic(),
            },
            timestamp: text(&self.plan, "timestamp").filter(|_| used.calls(&["plantimestamp", "timestamp"])),
            workspace: unmarked(&self.workspace),
            parameters: parameters.map(|(name, value)| (name.clone(), unmarked(value))).collect(),
            locals: self.locals.iter().map(|(name, local)| (name.clone(), local.text().to_owned())).collect(),
            has_configuration: self.has_configuration,
            resources: resources.collect(),
            named: named.filter(|(_, all)| !all.is_empty()).collect(),
            references: used
                .calls(&["referrers", "referents"])
                .then(|| self.relations.references().to_json()),
        }
    }
}

/// The entry without its values, and without what conditions do not name.
fn reduced(entry: &Value, used: &UsedNames, exists: bool) -> Value {
    let bare = entry.clone().unmark().0;
    let View::Object(all) = bare.view() else { return Value::dynamic() };
    let is_kept = |name: &str| {
        IDENTITY.contains(&name)
            || (OF_CONFIGURATION.contains(&name) || OTHERS.contains(&name)) && used.names.contains(name)
            // The values of what is destroyed are those before.
            || name == "before" && !exists
    };
    let kept = all.iter().filter(|(name, _)| is_kept(name)).map(|(name, part)| (name, unmarked(part)));
    object(kept.collect::<Vec<_>>())
}

impl RecordedFacts {
    /// The addresses of the resources that the conditions may read.
    pub(in crate::plan) fn addresses(&self) -> impl Iterator<Item = String> {
        self.resources.iter().filter_map(|resource| text(&resource.entry, "address"))
    }

    /// The facts after an apply: these, with the values of a state. `hidden` marks what is sensitive in the value of an address.
    ///
    /// # Errors
    ///
    /// If a local is no expression.
    pub(in crate::plan) fn with_state(
        &self,
        state: &State,
        hidden: &dyn Fn(Value, &str) -> Value,
    ) -> Result<PlanFacts, String> {
        let stored = state.by_address();
        let value_of = |resource: &StateResource| hidden(state_value(resource), &resource.address);
        let (mut existing, mut changes, mut seen) = (Vec::new(), Vec::new(), BTreeSet::new());
        // What the configuration says of all instances, for those that the plan does not have: their number was not known.
        let mut of_place: HashMap<String, &Value> = HashMap::new();
        for recorded in &self.resources {
            let Some(address) = text(&recorded.entry, "address") else { continue };
            if let Some(place) = place(&address) {
                of_place.entry(place).or_insert(&recorded.entry);
            }
            let stored = stored.get(address.as_str()).copied().filter(|_| recorded.exists);
            let value = stored.map(value_of);
            let entry = Entry {
                change: Arc::new(change_of(&recorded.entry, value.clone())),
                value: completed(&recorded.entry, value),
            };
            if recorded.is_touched {
                changes.push(Entry { change: Arc::clone(&entry.change), value: entry.value.clone() });
            }
            if stored.is_some() {
                seen.insert(address);
                existing.push(entry);
            }
        }
        for resource in &state.resources {
            if resource.deposed.is_some() || self.resources.is_empty() || seen.contains(&resource.address) {
                continue;
            }
            let known = place(&resource.address).and_then(|place| of_place.get(&place).copied());
            let entry = unplanned(resource, known);
            existing.push(Entry {
                change: Arc::new(change_of(&entry, Some(value_of(resource)))),
                value: completed(&entry, Some(value_of(resource))),
            });
        }
        let mut named = self.named.clone();
        for output in named.get_mut(&Kind::Output).into_iter().flatten().filter(|one| one.modules.is_empty())
        {
            let value = state.outputs.get(&output.name);
            let value = value.map_or_else(Value::dynamic, |value| hidden(value.clone(), &output.address));
            output.value = with_attribute(&output.value, "value", &value);
            output.content = value;
        }
        let mut locals = Locals::new();
        for (name, written) in &self.locals {
            locals.insert(name.clone(), Condition::of_text(name, written)?);
        }
        let references = self.references.as_ref().map(References::from_json).unwrap_or_default();
        let plan = Plan { timestamp: self.timestamp.clone(), ..Plan::default() };
        // The state has all that exists: no list has an open end.
        let mut facts = PlanFacts::of_entries(existing, changes, named, Arc::new(references));
        (facts.plan, facts.workspace) = (self.plan.clone(), self.workspace.clone());
        facts.locals_ask_order = locals.values().any(Condition::asks_order);
        (facts.parameters, facts.locals) = (self.parameters.clone(), Arc::new(locals));
        (facts.functions, facts.has_configuration) = (super::functions(&plan), self.has_configuration);
        Ok(facts)
    }
}

impl Condition {
    /// The condition of this text; `name` is what messages call it.
    ///
    /// # Errors
    ///
    /// What is wrong with the text.
    pub(in crate::plan) fn of_text(name: &str, text: &str) -> Result<Condition, String> {
        let parsed = plantime_hcl::Expression::parse_source(Source::new(name, text));
        parsed.map(Condition::new).map_err(|problems| {
            let first = problems.first();
            format!("{}: {}", first.summary(), first.detail())
        })
    }
}

/// The address without the keys of instances.
fn place(address: &str) -> Option<String> {
    let address = parse_address(address)?;
    let modules: String = address.modules.iter().map(|module| format!("module.{}.", module.name)).collect();
    Some(format!("{modules}{}{}.{}", address.mode.prefix(), address.type_name, address.name))
}

/// The value of a resource in a state, unknown where the state has nothing.
fn state_value(resource: &StateResource) -> Value {
    let StateResource { value, absent, sensitivity, .. } = resource;
    let value = match value.view() {
        View::Object(object) if !absent.is_empty() => {
            let parts =
                object.iter().map(|(name, part)| match absent.iter().any(|absent| **absent == *name) {
                    true => (name, Value::unknown(part.ty())),
                    false => (name, part.clone()),
                });
            let parts = Value::object(parts.collect::<Vec<_>>());
            parts.unwrap_or_else(|_| Value::dynamic()).with_marks(value.marks())
        }
        _ => value.clone(),
    };
    match sensitivity {
        Sensitivity::Unstated => value.mark(plantime::Mark::new(crate::plan::checking::HIDDEN)),
        Sensitivity::Stated => value,
    }
}

/// The object with one attribute replaced.
fn with_attribute(value: &Value, name: &str, part: &Value) -> Value {
    let replaced = value.map_children(|step, old| match step.name() {
        Some(found) if found == name => part.clone(),
        _ => old.clone(),
    });
    replaced.unwrap_or_else(Value::dynamic)
}

/// The entry with its values after the apply; what is not recorded is unknown.
fn completed(recorded: &Value, value: Option<Value>) -> Value {
    let null = || Value::null(Type::Dynamic);
    let names = IDENTITY.into_iter().chain(OF_CONFIGURATION).chain(OTHERS);
    let recorded_part = |name: &str| recorded.get_attr(name).unwrap_or_else(|_| Value::dynamic());
    let parts = names.map(|name| (name, recorded_part(name)));
    let (after, values) = match value {
        Some(value) => (value.clone(), value),
        None => (null(), recorded_part("before")),
    };
    object(parts.chain([("after", after), ("values", values)]))
}

/// The entry of a resource that the plan does not have.
fn unplanned(resource: &StateResource, of_place: Option<&Value>) -> Value {
    let module = parse_address(&resource.address);
    let last = format!("{}{}.{}", resource.mode.prefix(), resource.type_name, resource.name);
    let prefix = resource.address.rfind(&format!(".{last}")).and_then(|at| resource.address.get(..at));
    let module = module.filter(|address| !address.modules.is_empty()).and(prefix).unwrap_or_default();
    let identity = [
        ("address", Value::from(resource.address.as_str())),
        ("name", Value::from(resource.name.as_str())),
        ("type", Value::from(resource.type_name.as_str())),
        ("key", resource.index.clone().unwrap_or_else(|| Value::null(Type::Dynamic))),
        ("mode", Value::from(if resource.mode == Mode::Data { "data" } else { "managed" })),
        ("module", Value::from(module)),
        ("provider", Value::from(resource.provider_name.as_str())),
        ("deposed", Value::null(Type::String)),
    ];
    let configured = OF_CONFIGURATION.into_iter().filter_map(|name| {
        let part = of_place?.get_attr(name).ok()?;
        Some((name, part))
    });
    object(identity.into_iter().chain(configured))
}

/// The change that an entry describes, as far as patterns and relations look at it.
fn change_of(entry: &Value, after: Option<Value>) -> ResourceChange {
    let some = |name: &str| text(entry, name).filter(|text| !text.is_empty()).map(String::into_boxed_str);
    let key = part(entry, "key");
    let of_name = |name: &str| text(entry, name).unwrap_or_default();
    ResourceChange {
        address: of_name("address"),
        previous_address: None,
        module_address: some("module"),
        mode: if text(entry, "mode").as_deref() == Some("data") { Mode::Data } else { Mode::Managed },
        type_name: of_name("type").into(),
        name: of_name("name").into(),
        index: (!key.is_null()).then_some(key),
        has_unknown_index: false,
        provider_name: of_name("provider").into(),
        deposed: some("deposed"),
        action_reason: None,
        change: Change { after, ..Change::default() },
    }
}

/// The kinds of named entries, with the functions that list them, which are their names in JSON too.
const KINDS: [(Kind, &str); 4] = [
    (Kind::Output, "outputs"),
    (Kind::Variable, "variables"),
    (Kind::Module, "modules"),
    (Kind::Provider, "providers"),
];

/// A value in its self-describing form.
fn form(value: &Value) -> Json {
    serde_json::to_value(value).unwrap_or(Json::Null)
}

impl RecordedFacts {
    /// The facts in JSON.
    pub(in crate::plan) fn to_json(&self) -> Json {
        let forms = |all: &BTreeMap<String, Value>| -> Map<String, Json> {
            all.iter().map(|(name, value)| (name.clone(), form(value))).collect()
        };
        let resource = |one: &RecordedResource| json!({ "entry": form(&one.entry), "exists": one.exists, "changes": one.is_touched });
        let named_entry = |one: &NamedEntry| {
            json!({
                "modules": one.modules, "name": one.name, "address": one.address,
                "content": form(&one.content), "entry": form(&one.value),
            })
        };
        let mut all = Map::new();
        let mut put = |name: &str, json: Json| drop(all.insert(name.to_owned(), json));
        put("plan", form(&self.plan));
        if let Some(timestamp) = &self.timestamp {
            put("timestamp", json!(timestamp));
        }
        put("workspace", form(&self.workspace));
        put("parameters", Json::Object(forms(&self.parameters)));
        put("locals", json!(self.locals));
        put("has_configuration", json!(self.has_configuration));
        put("resources", self.resources.iter().map(resource).collect());
        for (kind, name) in KINDS {
            if let Some(entries) = self.named.get(&kind) {
                put(name, entries.iter().map(named_entry).collect());
            }
        }
        if let Some(references) = &self.references {
            put("references", references.clone());
        }
        Json::Object(all)
    }

    /// Reads the facts in JSON.
    ///
    /// # Errors
    ///
    /// What is missing, or no value.
    pub(in crate::plan) fn from_json(json: &Json) -> Result<RecordedFacts, String> {
        let value = |json: &Json, name: &str| read_value(json.get(name), name);
        let list = |name: &str| json.get(name).and_then(Json::as_array).into_iter().flatten();
        let flag = |json: &Json, name: &str| json.get(name).and_then(Json::as_bool).unwrap_or_default();
        let word =
            |json: &Json, name: &str| json.get(name).and_then(Json::as_str).unwrap_or_default().to_owned();
        let entries = |name: &str| json.get(name).and_then(Json::as_object).into_iter().flatten();
        let resources = list("resources").map(|one| {
            let entry = value(one, "entry")?;
            Ok(RecordedResource { entry, exists: flag(one, "exists"), is_touched: flag(one, "changes") })
        });
        let named_entry = |one: &Json| {
            let modules = one.get("modules").and_then(Json::as_array).into_iter().flatten();
            Ok::<_, String>(NamedEntry {
                modules: modules.filter_map(Json::as_str).map(str::to_owned).collect(),
                name: word(one, "name"),
                address: word(one, "address"),
                content: value(one, "content")?,
                value: value(one, "entry")?,
            })
        };
        let mut named = BTreeMap::new();
        for (kind, name) in KINDS {
            let all = list(name).map(named_entry).collect::<Result<Vec<_>, String>>()?;
            if !all.is_empty() {
                named.insert(kind, all);
            }
        }
        let parameters =
            entries("parameters").map(|(name, json)| Ok((name.clone(), read_value(Some(json), name)?)));
        let locals = entries("locals")
            .map(|(name, text)| (name.clone(), text.as_str().unwrap_or_default().to_owned()));
        Ok(RecordedFacts {
            plan: value(json, "plan")?,
            timestamp: json.get("timestamp").and_then(Json::as_str).map(str::to_owned),
            workspace: value(json, "workspace")?,
            parameters: parameters.collect::<Result<_, String>>()?,
            locals: locals.collect(),
            has_configuration: flag(json, "has_configuration"),
            resources: resources.collect::<Result<_, String>>()?,
            named,
            references: json.get("references").cloned(),
        })
    }
}

/// Reads a value in its self-describing form.
fn read_value(json: Option<&Json>, name: &str) -> Result<Value, String> {
    let json = json.ok_or_else(|| format!("\"{name}\" is missing"))?;
    serde_json::from_value(json.clone()).map_err(|error| format!("\"{name}\": {error}"))
}
