//! What conditions see of a plan: entries of resources, changes, outputs, variables, module calls and providers.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fmt;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::module_name_pattern::ModuleNamePattern;
use super::parts::FactParts;
use super::relations::Relations;
use super::scope::LocalValue;
use super::{Condition, Locals};
use crate::plan::address::{AddressPattern, PatternIndex};
use crate::plan::checking::container_kinds::{SetDepths, array_depth, with_sets};
use crate::plan::knowledge::Planned;
use crate::plan::knowledge::configuration::{CopiedPlace, CopyChains};
use crate::plan::rules::rules_file::Subject;
use crate::plan::{Action, Mode, Plan, PlanMode, ResourceChange};
use plantime::function::Functions;
use plantime::unstable::text::nearest;
use plantime::{Path, Type, Value};
use plantime_hcl::unstable::{Dependency, Member, Members};

/// What conditions see of a plan. Entries and lists of them are built once, and shared.
pub(in crate::plan) struct PlanFacts {
    /// The resources and data sources that exist after the apply, in the order of the plan.
    pub(super) resources: Vec<Entry>,
    /// What the plan touches.
    pub(super) changes: Vec<Entry>,
    /// The positions in `resources` by address.
    by_address: HashMap<String, usize>,
    /// The positions in `changes`, by address and the key of a deposed object.
    changes_by_object: HashMap<ObjectName, usize>,
    /// The kind and position of each named entry, by address.
    named_by_address: HashMap<String, (Kind, usize)>,
    /// Outputs, variables, module calls and providers.
    pub(super) named: BTreeMap<Kind, Vec<NamedEntry>>,
    /// The plan itself: `plan`.
    pub(super) plan: Value,
    pub(super) workspace: Value,
    pub(super) parameters: BTreeMap<String, Value>,
    pub(super) locals: Arc<Locals>,
    /// Whether one of the locals asks for the order of an array or for its kind.
    pub(super) locals_ask_order: bool,
    pub(super) functions: Functions,
    /// Whether there is a configuration, in files or in plan JSON.
    pub(super) has_configuration: bool,
    /// The types of the resources that the configuration declares, by their mode.
    configured_types: Arc<BTreeSet<(Mode, String)>>,
    /// Whether there may be resources that the plan does not have: it is incomplete.
    is_open: bool,
    /// The chains of copies that begin at unknown values.
    copies: Arc<CopyChains>,
    /// Of what an unknown text is the JSON, by address and path.
    pub(super) json_sources: Arc<HashMap<String, BTreeMap<Path, Value>>>,
    pub(super) relations: Relations,
    /// The addresses of the resources that may have more attributes than are written.
    pub(super) unwritten: Arc<HashSet<String>>,
    lists: Mutex<Lists>,
    /// The values of the file's locals that were asked for.
    pub(super) file_locals: Mutex<HashMap<String, LocalValue>>,
    /// The declared types of resources.
    declared: Arc<HashMap<TypeName, Type>>,
    /// The facts with the arrays of undecided kind read as sets, at each choice of depths; none where nothing depends on it.
    readings: OnceLock<Vec<Arc<PlanFacts>>>,
    readings_of_all: OnceLock<Vec<Arc<PlanFacts>>>,
    /// At which depths these facts have read arrays as sets.
    depths: Option<SetDepths>,
}

impl fmt::Debug for PlanFacts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PlanFacts").field("resources", &self.resources.len()).finish_non_exhaustive()
    }
}

/// The address of a resource, and the key of a deposed object.
type ObjectName = (String, Option<Box<str>>);

/// The lists that were made, by what they are of and by their patterns.
type Lists = HashMap<(List, Vec<String>), Arc<Members>>;

/// The name of a resource type: its mode, provider and name.
pub(in crate::plan) type TypeName = (Mode, Box<str>, Box<str>);

/// A resource or data source with its change.
pub(in crate::plan) struct Entry {
    pub(super) change: Arc<ResourceChange>,
    /// The entry as conditions see it.
    pub(super) value: Value,
}

/// An output, variable, module call or provider.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::plan) struct NamedEntry {
    /// The names of the module calls that lead to its module.
    pub(super) modules: Vec<String>,
    pub(super) name: String,
    pub(super) address: String,
    /// The value that `self` is.
    pub(super) content: Value,
    /// The entry as conditions see it.
    pub(super) value: Value,
}

/// The kinds of named entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(in crate::plan) enum Kind {
    Output,
    Variable,
    Module,
    Provider,
}

/// The lists of resources.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum List {
    Resources,
    Changes,
    Named(Kind),
}

/// The object of these attributes.
pub(super) fn object<'n>(attributes: impl IntoIterator<Item = (&'n str, Value)>) -> Value {
    Value::object(attributes).unwrap_or_else(|_| Value::dynamic())
}

/// The text, or null.
pub(super) fn text_or_null(text: Option<&str>) -> Value {
    text.map_or_else(|| Value::null(plantime::Type::String), Value::from)
}

/// What is known of a resource that the plan lacks: the attributes that all entries have.
fn further_entry() -> Value {
    let text = || Value::unknown_not_null(Type::String);
    let texts = ["address", "name", "type", "mode", "module", "provider"].map(|name| (name, text()));
    let others = [
        "key",
        "module_call",
        "module_source",
        "actions",
        "before",
        "after",
        "values",
        "replaces",
        "drift",
        "deposed",
        "lifecycle",
        "provisioners",
        "written",
    ];
    object(texts.into_iter().chain(others.map(|name| (name, Value::dynamic()))))
}

/// A tuple of texts.
pub(super) fn texts<'t>(texts: impl IntoIterator<Item = &'t str>) -> Value {
    Value::tuple(texts.into_iter().map(Value::from)).unwrap_or_else(|_| Value::dynamic())
}

impl PlanFacts {
    /// The facts of a plan. `resources` has the planned values with all that is known of them.
    pub(in crate::plan) fn new(
        (plan, all): (&Plan, &[&Arc<ResourceChange>]),
        resources: &[Planned<'_>],
        parts: FactParts,
    ) -> PlanFacts {
        let planned: HashMap<*const ResourceChange, &Planned<'_>> =
            resources.iter().map(|resource| (std::ptr::from_ref(resource.change), resource)).collect();
        let drifted: HashMap<&str, &ResourceChange> =
            plan.resource_drift.iter().map(|change| (change.address.as_str(), &**change)).collect();
        let (mut existing, mut changes) = (Vec::new(), Vec::new());
        for change in all.iter().copied() {
            let resource = planned.get(&Arc::as_ptr(change)).copied();
            let drift = drifted.get(change.address.as_str()).copied();
            let value = parts.entry(change, resource, drift);
            let is_read = change.mode == Mode::Data;
            if change.deposed.is_none()
                && resource.is_some()
                && matches!(change.mode, Mode::Managed | Mode::Data)
            {
                existing.push(Entry { change: Arc::clone(change), value: value.clone() });
            }
            let touches = change.change.actions.iter().any(|action| *action != Action::NoOp);
            if touches && !is_read {
                changes.push(Entry { change: Arc::clone(change), value });
            }
        }
        let is_open = plan.complete == Some(false)
            || plan.errored == Some(true)
            || !plan.deferred_changes.is_empty()
            || !plan.options.targets.is_empty()
            || !plan.options.excluded.is_empty();
        let workspace = match &plan.options.backend {
            Some(backend) => Value::from(backend.workspace.as_str()),
            None => Value::unknown_not_null(plantime::Type::String),
        };
        let configured_types = Arc::new(parts.configured_types());
        PlanFacts {
            plan: plan_value(plan, is_open),
            workspace: parts.workspace.unwrap_or(workspace),
            parameters: parts.parameters,
            locals_ask_order: parts.locals.values().any(Condition::asks_order),
            locals: parts.locals,
            functions: parts.functions,
            is_open,
            has_configuration: parts.has_configuration,
            configured_types,
            copies: Arc::new(parts.copies),
            json_sources: Arc::new(parts.json_sources),
            unwritten: Arc::new(parts.unwritten),
            declared: Arc::new(parts.declared),
            ..PlanFacts::of_entries(existing, changes, parts.named, parts.references)
        }
    }

    /// The facts of these entries alone. Nothing is known of the plan.
    pub(super) fn of_entries(
        existing: Vec<Entry>,
        changes: Vec<Entry>,
        named: BTreeMap<Kind, Vec<NamedEntry>>,
        references: Arc<crate::plan::References>,
    ) -> PlanFacts {
        let addresses = existing.iter().enumerate();
        let by_address =
            addresses.map(|(at, entry): (usize, &Entry)| (entry.change.address.clone(), at)).collect();
        let objects = changes.iter().enumerate();
        let changes_by_object = objects
            .map(|(at, entry): (usize, &Entry)| {
                ((entry.change.address.clone(), entry.change.deposed.clone()), at)
            })
            .collect();
        let of_kinds = named.iter().flat_map(|(kind, entries)| {
            entries.iter().enumerate().map(|(at, entry)| (entry.address.clone(), (*kind, at)))
        });
        PlanFacts {
            by_address,
            changes_by_object,
            named_by_address: of_kinds.collect(),
            relations: Relations::new(references, &existing),
            resources: existing,
            changes,
            named,
            plan: Value::dynamic(),
            workspace: Value::unknown_not_null(Type::String),
            parameters: BTreeMap::new(),
            locals: Arc::default(),
            locals_ask_order: false,
            functions: Functions::default(),
            has_configuration: false,
            configured_types: Arc::default(),
            is_open: false,
            copies: Arc::default(),
            json_sources: Arc::default(),
            unwritten: Arc::default(),
            lists: Mutex::default(),
            file_locals: Mutex::default(),
            declared: Arc::default(),
            readings: OnceLock::new(),
            readings_of_all: OnceLock::new(),
            depths: None,
        }
    }

    /// Each object of the plan with whether it exists after the apply, and whether the plan changes it.
    pub(super) fn objects(&self) -> impl Iterator<Item = (&Entry, bool, bool)> {
        let is_touched = |entry: &Entry| {
            let change = &entry.change;
            let name = (change.address.clone(), change.deposed.clone());
            self.changes_by_object.contains_key(&name)
        };
        let existing = self.resources.iter().map(move |entry| (entry, true, is_touched(entry)));
        let exists = |entry: &Entry| {
            entry.change.deposed.is_none() && self.by_address.contains_key(&entry.change.address)
        };
        existing
            .chain(self.changes.iter().filter(move |entry| !exists(entry)).map(|entry| (entry, false, true)))
    }

    /// The entry of an object: that which exists after the apply, else that of its change; with `is_prior`, that of its change first.
    pub(in crate::plan) fn entry(
        &self,
        address: &str,
        deposed: Option<&str>,
        is_prior: bool,
    ) -> Option<&Value> {
        let existing = || self.existing(address);
        let name = (address.to_owned(), deposed.map(Into::into));
        let changed = || self.changes_by_object.get(&name).and_then(|at| self.changes.get(*at));
        let changed = || changed().map(|entry| &entry.value);
        match (deposed, is_prior) {
            (Some(_), _) => changed(),
            (None, true) => changed().or_else(existing),
            (None, false) => existing().or_else(changed),
        }
    }

    /// The entry of an object that exists after the apply.
    pub(in crate::plan) fn existing(&self, address: &str) -> Option<&Value> {
        self.by_address.get(address).and_then(|at| self.resources.get(*at)).map(|entry| &entry.value)
    }

    /// The chain of copies that begins at an unknown value; empty if it is no copy.
    pub(in crate::plan) fn copies_of(&self, address: &str, path: &Path) -> &[CopiedPlace] {
        self.copies.get(address).and_then(|of| of.get(path)).map_or(&[], |chain| chain)
    }

    /// The value of an object that exists after the apply, or of an output.
    pub(in crate::plan) fn value_at(&self, address: &str) -> Option<Value> {
        match self.existing(address) {
            Some(entry) => entry.get_attr("values").ok(),
            None => self.named_entry(address).map(|entry| entry.content.clone()),
        }
    }

    /// The changes of all objects.
    pub(in crate::plan) fn all_changes(&self) -> impl Iterator<Item = &ResourceChange> {
        self.resources.iter().chain(&self.changes).map(|entry| &*entry.change)
    }

    /// The entry of a variable, module call, provider or output, by its address.
    pub(in crate::plan) fn named_entry(&self, address: &str) -> Option<&NamedEntry> {
        let (kind, at) = self.named_by_address.get(address)?;
        self.named.get(kind)?.get(*at)
    }

    /// The subjects of a kind that patterns match: their addresses and values.
    pub(in crate::plan) fn subjects(
        &self,
        kind: Kind,
        patterns: &[ModuleNamePattern],
    ) -> Vec<(String, Value)> {
        self.matching(kind, patterns)
            .iter()
            .map(|entry| (entry.address.clone(), entry.content.clone()))
            .collect()
    }

    /// Whether only a configuration tells of a subject, and there is none.
    pub(in crate::plan) fn lacks_configuration(&self, subject: &Subject) -> bool {
        !self.has_configuration && matches!(subject, Subject::Module(_) | Subject::Provider(_))
    }

    /// The warning that nothing matches the subject of a rule, with the nearest name.
    pub(in crate::plan) fn nothing_matches(&self, subject: &Subject) -> String {
        let (kind, word, patterns) = match subject {
            Subject::Variable(patterns) => (Kind::Variable, "variable", patterns),
            Subject::Module(patterns) => (Kind::Module, "module call", patterns),
            Subject::Provider(patterns) => (Kind::Provider, "provider", patterns),
            _ => return "nothing matches this rule".to_owned(),
        };
        let known = self.named.get(&kind).into_iter().flatten().map(|entry| entry.name.as_str());
        let known: Vec<&str> = known.collect();
        let written = patterns.iter().map(|pattern| format!("`{pattern}`")).collect::<Vec<_>>().join(", ");
        let meant = patterns.iter().find_map(|pattern| nearest(pattern.as_str(), known.iter().copied()));
        let hint = meant.map_or_else(String::new, |name| format!("; the nearest is `{name}`"));
        format!("the plan has no {word} {written}{hint}")
    }

    /// The types of a mode of the resources that the configuration declares.
    pub(in crate::plan) fn configured_types(&self, mode: Mode) -> impl Iterator<Item = &str> {
        self.configured_types.iter().filter(move |(of, _)| *of == mode).map(|(_, name)| name.as_str())
    }

    /// The value of a parameter of the rules.
    pub(in crate::plan) fn parameter(&self, name: &str) -> Option<&Value> {
        self.parameters.get(name)
    }

    /// The position of a resource that exists after the apply.
    pub(super) fn position(&self, address: &str) -> Option<usize> {
        self.by_address.get(address).copied()
    }

    /// The entries of a kind that patterns match.
    pub(in crate::plan) fn matching(&self, kind: Kind, patterns: &[ModuleNamePattern]) -> Vec<&NamedEntry> {
        let entries = self.named.get(&kind).into_iter().flatten();
        entries.filter(|entry| entry.matches(kind, patterns)).collect()
    }

    /// The resources, or changes, that patterns match; each once, in the order of the plan.
    pub(super) fn positions(&self, list: List, patterns: &[String]) -> Result<Vec<usize>, String> {
        let entries = if list == List::Changes { &self.changes } else { &self.resources };
        let mut parsed: Vec<AddressPattern> = Vec::new();
        for text in patterns {
            parsed.push(text.parse().map_err(|error: plantime::Error| error.message().to_owned())?);
        }
        let index = PatternIndex::new(parsed.iter().enumerate());
        let is_listed = |change: &ResourceChange| {
            let candidates = index.candidates(change).into_iter();
            candidates.filter_map(|at| parsed.get(at)).any(|pattern| pattern.matches(change))
        };
        let found = entries.iter().enumerate().filter(|(_, entry)| is_listed(&entry.change));
        Ok(found.map(|(at, _)| at).collect())
    }

    /// The declared type of a resource.
    fn declared_type(&self, change: &ResourceChange) -> &Type {
        let key: TypeName = (change.mode, (*change.provider_name).into(), (*change.type_name).into());
        self.declared.get(&key).unwrap_or(&Type::Dynamic)
    }

    /// The facts with the arrays of undecided kind read as sets, at each choice of depths. Arrays with unknown parts matter: their
    /// members may turn out equal, so that a set has fewer. Others matter where the order or the kind is asked for.
    pub(super) fn readings(&self, asks_order: bool) -> &[Arc<PlanFacts>] {
        let readings = if asks_order { &self.readings_of_all } else { &self.readings };
        readings.get_or_init(|| {
            let depth = |entry: &Entry| {
                let values = entry.value.get_attr("values").unwrap_or_else(|_| Value::dynamic());
                match !asks_order && values.is_wholly_known() {
                    true => 0,
                    false => array_depth(&values, self.declared_type(&entry.change)),
                }
            };
            let levels = self.resources.iter().map(depth).max().unwrap_or_default();
            SetDepths::all_with_sets(levels).map(|depths| Arc::new(self.with_sets(depths))).collect()
        })
    }

    /// The value of a resource as these facts read it.
    pub(super) fn as_read(&self, address: &str, value: &Value) -> Value {
        let entry = self.position(address).and_then(|at| self.resources.get(at));
        match (self.depths, entry) {
            (Some(depths), Some(entry)) => with_sets(value, self.declared_type(&entry.change), depths),
            _ => value.clone(),
        }
    }

    /// These facts with the arrays of undecided kind at these depths read as sets.
    fn with_sets(&self, depths: SetDepths) -> PlanFacts {
        let read = |entry: &Entry| {
            let declared = self.declared_type(&entry.change);
            let value = entry.value.map_children(|step, part| match step.name() {
                Some("values" | "after" | "before") => with_sets(part, declared, depths),
                _ => part.clone(),
            });
            Entry { change: Arc::clone(&entry.change), value: value.unwrap_or_else(|| entry.value.clone()) }
        };
        let resources: Vec<Entry> = self.resources.iter().map(read).collect();
        PlanFacts {
            relations: self.relations.for_entries(&resources),
            resources,
            changes: self.changes.iter().map(read).collect(),
            by_address: self.by_address.clone(),
            changes_by_object: self.changes_by_object.clone(),
            named_by_address: self.named_by_address.clone(),
            named: self.named.clone(),
            plan: self.plan.clone(),
            workspace: self.workspace.clone(),
            parameters: self.parameters.clone(),
            locals: Arc::clone(&self.locals),
            locals_ask_order: self.locals_ask_order,
            functions: self.functions.clone(),
            has_configuration: self.has_configuration,
            configured_types: Arc::clone(&self.configured_types),
            is_open: self.is_open,
            copies: Arc::clone(&self.copies),
            json_sources: Arc::clone(&self.json_sources),
            unwritten: Arc::clone(&self.unwritten),
            lists: Mutex::default(),
            file_locals: Mutex::default(),
            declared: Arc::clone(&self.declared),
            readings: OnceLock::new(),
            readings_of_all: OnceLock::new(),
            depths: Some(depths),
        }
    }

    /// The members of a list: the entries that patterns match.
    pub(super) fn list(&self, list: List, patterns: &[String]) -> Result<Arc<Members>, String> {
        let key = (list, patterns.to_vec());
        if let Some(known) = self.lists.lock().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return Ok(Arc::clone(known));
        }
        let members = match list {
            List::Named(kind) => {
                let mut parsed = Vec::new();
                for text in patterns {
                    parsed
                        .push(text.parse::<ModuleNamePattern>().map_err(|error| error.message().to_owned())?);
                }
                let found = self.matching(kind, &parsed);
                let items = found.iter().map(|entry| Member {
                    value: entry.value.clone(),
                    is_certain: true,
                    origin: Some(Dependency { root: entry.address.as_str().into(), steps: Vec::new() }),
                });
                Members::new(items.collect())
            }
            List::Resources | List::Changes => {
                let positions = self.positions(list, patterns)?;
                let items = positions.iter().filter_map(|at| self.member(list, *at, true));
                self.with_open_end(Members::new(items.collect()))
            }
        };
        let members = Arc::new(members);
        self.lists.lock().unwrap_or_else(PoisonError::into_inner).insert(key, Arc::clone(&members));
        Ok(members)
    }

    /// The members with an open end, where the plan may lack resources.
    pub(super) fn with_open_end(&self, members: Members) -> Members {
        match self.is_open {
            true => members.with_open_end(further_entry()),
            false => members,
        }
    }

    /// A resource as a member of a list.
    pub(super) fn member(&self, list: List, at: usize, is_certain: bool) -> Option<Member> {
        let entries = if list == List::Changes { &self.changes } else { &self.resources };
        let entry = entries.get(at)?;
        // The key of an instance that is not known stands for any number of instances.
        let is_certain = is_certain && !entry.change.has_unknown_index;
        let origin = Dependency { root: entry.change.address.as_str().into(), steps: Vec::new() };
        Some(Member { value: entry.value.clone(), is_certain, origin: Some(origin) })
    }

    /// Whether lists of resources have an open end.
    pub(super) fn is_open(&self) -> bool {
        self.is_open
    }
}

impl NamedEntry {
    /// Whether one of these patterns matches. A provider is named alike in every module.
    fn matches(&self, kind: Kind, patterns: &[ModuleNamePattern]) -> bool {
        let modules: Vec<&str> = self.modules.iter().map(String::as_str).collect();
        patterns.iter().any(|pattern| {
            pattern.matches(&modules, &self.name)
                || kind == Kind::Provider && pattern.matches(&[], &self.name)
        })
    }

    /// The entry as conditions see it.
    pub(in crate::plan) fn value(&self) -> &Value {
        &self.value
    }

    /// The value that `self` is.
    pub(in crate::plan) fn content(&self) -> &Value {
        &self.content
    }
}

/// The plan as conditions see it.
fn plan_value(plan: &Plan, is_open: bool) -> Value {
    let text = |text: Option<&String>| match text {
        Some(text) => Value::from(text.as_str()),
        None => Value::unknown_not_null(plantime::Type::String),
    };
    let mode = match plan.options.mode {
        Some(PlanMode::Normal) => Value::from("normal"),
        Some(PlanMode::Destroy) => Value::from("destroy"),
        Some(PlanMode::RefreshOnly) => Value::from("refresh-only"),
        None => Value::unknown_not_null(plantime::Type::String),
    };
    let variables = plan.variables.iter().map(|(name, value)| (name.as_str(), value.clone()));
    object([
        ("terraform_version", text(plan.terraform_version.as_ref())),
        ("timestamp", text(plan.timestamp.as_ref())),
        ("variables", object(variables)),
        ("errored", Value::from(plan.errored == Some(true))),
        ("complete", Value::from(!is_open)),
        ("mode", mode),
    ])
}
