//! The names and functions of a condition.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, PoisonError};

use super::facts::{Kind, List, PlanFacts};
use super::{Condition, Locals};
use plantime::{Path, Step, Type, Value, View};
use plantime_hcl::unstable::{ConditionAnswer, Dependency, Evaluation, MemberFunctions, Members, Origins};
use plantime_hcl::{Diagnostics, Reference, ReferenceKey, Resolved, Scope, Unresolved, Variables};

/// What a rule is asked about, and what was found while its conditions were evaluated.
pub(in crate::plan) struct Surroundings {
    pub(in crate::plan) facts: Arc<PlanFacts>,
    /// The address of the subject; none of the plan itself.
    pub(in crate::plan) address: Option<String>,
    /// The entry of the subject; null for the plan.
    pub(in crate::plan) entry: Value,
    /// The element of `for_each`.
    pub(in crate::plan) each: RefCell<Option<(Value, Value)>>,
    /// What the evaluation found beside its answer.
    pub(in crate::plan) found: RefCell<Found>,
}

impl Surroundings {
    /// The entry of the subject as other facts read it.
    pub(super) fn entry_in(&self, facts: &PlanFacts) -> Value {
        let address = self.address.as_deref().unwrap_or_default();
        let deposed = self.entry.clone().unmark().0.get_attr("deposed").ok();
        let deposed = deposed.and_then(|deposed| deposed.as_str().ok().map(str::to_owned));
        facts.entry(address, deposed.as_deref(), false).unwrap_or(&self.entry).clone()
    }
}

/// What made a condition false or an error.
#[derive(Clone, Debug)]
pub(in crate::plan) struct Decided {
    /// The part that decided, with the values of its references.
    pub(in crate::plan) text: String,
    /// The address and path of a value that it reads.
    pub(in crate::plan) place: Option<(String, Path)>,
}

/// What the evaluation of conditions found beside their answers.
#[derive(Debug, Default)]
pub(in crate::plan) struct Found {
    /// The values of other subjects that undetermined answers depend on.
    pub(in crate::plan) waits_for: Vec<String>,
    /// What made the last condition false or an error, a line each, with the place that it names.
    pub(in crate::plan) decided: Vec<Decided>,
    /// Limits that were exceeded.
    pub(in crate::plan) problems: Vec<String>,
    /// The places whose values were taken for one, since both are copies of one value.
    pub(in crate::plan) taken_for_one: BTreeSet<[(String, Path); 2]>,
}

/// The names that a condition uses, with their values.
pub(in crate::plan) struct RuleScope<'s> {
    surroundings: &'s Surroundings,
    /// `self`, `before`.
    value: &'s Value,
    before: Option<&'s Value>,
    locals: &'s Locals,
    evaluated: RefCell<BTreeMap<String, LocalValue>>,
    /// How many locals are being evaluated inside each other.
    depth: Cell<usize>,
}

/// The value of a local, with its members where it is a list of which some may not be there.
#[derive(Clone)]
pub(super) struct LocalValue {
    result: Result<Value, Unresolved>,
    members: Option<Arc<Members>>,
    may_fail: bool,
    waits_for: Vec<Dependency>,
}

impl<'s> RuleScope<'s> {
    pub(in crate::plan) fn new(
        surroundings: &'s Surroundings,
        value: &'s Value,
        before: Option<&'s Value>,
        locals: &'s Locals,
    ) -> RuleScope<'s> {
        RuleScope { surroundings, value, before, locals, evaluated: RefCell::default(), depth: Cell::new(0) }
    }

    /// Evaluates a condition, or another expression of a rule.
    pub(in crate::plan) fn evaluate(&self, condition: &Condition) -> ConditionAnswer {
        condition.expression.evaluate_condition(&self.scope())
    }

    /// Evaluates another expression of a rule than a condition.
    ///
    /// # Errors
    ///
    /// What is wrong with it.
    pub(in crate::plan) fn value_of(&self, expression: &Condition) -> Result<Evaluation, Diagnostics> {
        expression.expression.evaluate_for_rules(&self.scope())
    }

    /// The scope of expressions.
    fn scope(&self) -> Scope<'_> {
        Scope::new(self)
            .with_functions(&self.surroundings.facts.functions)
            .with_member_functions(self)
            .with_origins(self)
            .for_rules(true)
    }

    /// The subject, with the value that the rule is evaluated on.
    fn subject(&self) -> Value {
        let (bare, marks) = self.surroundings.entry.clone().unmark();
        let View::Object(object) = bare.view() else { return self.surroundings.entry.clone() };
        let attributes = object.iter().map(|(name, part)| match name {
            "values" => (name, self.value.clone()),
            _ => (name, part.clone()),
        });
        Value::object(attributes.collect::<Vec<_>>())
            .map_or_else(|_| Value::dynamic(), |entry| entry.with_marks(&marks))
    }

    /// An attribute of the entry of the subject.
    fn of_entry(&self, name: &str) -> Value {
        let bare = self.surroundings.entry.clone().unmark().0;
        bare.get_attr(name).unwrap_or_else(|_| Value::null(Type::Dynamic))
    }
}

/// The first name after the root of a reference.
fn first_name(reference: &Reference) -> Option<&str> {
    match reference.steps().first()?.key() {
        ReferenceKey::Attribute(name) => Some(name),
        ReferenceKey::Index(_) => None,
    }
}

/// The problem that there is no value of a name.
fn undeclared(reference: &Reference, detail: String) -> Unresolved {
    Unresolved {
        summary: "Reference to undeclared name".to_owned(),
        detail,
        steps: reference.steps().len().min(1),
    }
}

impl Variables for RuleScope<'_> {
    fn resolve(&self, reference: &Reference) -> Result<Resolved, Unresolved> {
        let facts = &self.surroundings.facts;
        let whole = |value: Value| Ok(Resolved { value, steps: 0 });
        match (reference.root(), first_name(reference)) {
            ("self", _) => whole(self.value.clone()),
            ("subject", _) => whole(self.subject()),
            ("before", _) => whole(self.before.map_or_else(|| self.of_entry("before"), Value::clone)),
            ("after", _) => whole(self.of_entry("after")),
            ("plan", _) => whole(facts.plan.clone()),
            ("terraform", Some("workspace")) => Ok(Resolved { value: facts.workspace.clone(), steps: 1 }),
            ("each", Some(name @ ("key" | "value"))) => match &*self.surroundings.each.borrow() {
                Some((key, value)) => {
                    let value = if name == "key" { key } else { value };
                    Ok(Resolved { value: value.clone(), steps: 1 })
                }
                None => Err(undeclared(reference, "The rule has no `for_each`.".to_owned())),
            },
            ("var", Some(name)) => match facts.parameters.get(name) {
                Some(value) => Ok(Resolved { value: value.clone(), steps: 1 }),
                None => Err(undeclared(reference, format!("There is no variable named \"{name}\"."))),
            },
            ("local", Some(name)) => {
                self.local(name, reference)?.result.map(|value| Resolved { value, steps: 1 })
            }
            _ => Err(Unresolved::unknown_variable(
                reference,
                ["self", "subject", "before", "after", "plan", "var", "local", "each", "terraform"],
            )),
        }
    }

    fn members(&self, reference: &Reference) -> Option<Result<Arc<Members>, Unresolved>> {
        let name =
            first_name(reference).filter(|_| reference.root() == "local" && reference.steps().len() == 1)?;
        match self.local(name, reference) {
            Ok(local) => local.members.map(Ok),
            Err(problem) => Some(Err(problem)),
        }
    }

    fn is_constant(&self, reference: &Reference) -> bool {
        match (reference.root(), first_name(reference)) {
            ("var" | "plan" | "terraform", _) => true,
            ("local", Some(name)) => !self.locals.contains_key(name),
            _ => false,
        }
    }

    fn json_source(&self, name: &Dependency) -> Option<Value> {
        let (address, path) = place_of(name, self)?;
        self.surroundings.facts.json_sources.get(&address)?.get(&path).cloned()
    }

    fn may_fail(&self, reference: &Reference) -> bool {
        let name = first_name(reference).filter(|_| reference.root() == "local");
        name.is_some_and(|name| self.local(name, reference).is_ok_and(|local| local.may_fail))
    }
}

/// The maximum number of locals that are evaluated inside each other.
const LOCALS: usize = 64;

impl RuleScope<'_> {
    /// The value of a local, evaluated once.
    fn local(&self, name: &str, reference: &Reference) -> Result<LocalValue, Unresolved> {
        if let Some(known) = self.evaluated.borrow().get(name) {
            return Ok(known.clone());
        }
        let facts = &self.surroundings.facts;
        let (file, is_of_file) = (&facts.locals, !self.locals.contains_key(name));
        let of_file = || facts.file_locals.lock().unwrap_or_else(PoisonError::into_inner);
        if is_of_file && let Some(known) = of_file().get(name) {
            return Ok(known.clone());
        }
        let Some(condition) = self.locals.get(name).or_else(|| file.get(name)) else {
            return Err(undeclared(reference, format!("There is no local named \"{name}\".")));
        };
        if self.depth.get() >= LOCALS {
            return Err(undeclared(reference, "Too many locals refer to each other.".to_owned()));
        }
        self.depth.set(self.depth.get().saturating_add(1));
        let found = condition.expression.evaluate_for_rules(&self.scope());
        self.depth.set(self.depth.get().saturating_sub(1));
        let problem = |problems: plantime_hcl::Diagnostics| {
            let first = problems.first();
            undeclared(
                reference,
                format!("The local \"{name}\" cannot be evaluated: {}: {}", first.summary(), first.detail()),
            )
        };
        let local = match found {
            Ok(found) => {
                let (waits_for, may_fail) = (found.waits_for, found.may_fail);
                LocalValue { result: Ok(found.value), members: found.members, may_fail, waits_for }
            }
            Err(problems) => LocalValue {
                result: Err(problem(problems)),
                members: None,
                may_fail: false,
                waits_for: Vec::new(),
            },
        };
        if is_of_file {
            of_file().insert(name.to_owned(), local.clone());
        }
        self.evaluated.borrow_mut().insert(name.to_owned(), local.clone());
        Ok(local)
    }
}

impl MemberFunctions for RuleScope<'_> {
    fn names(&self) -> &[&str] {
        &super::FUNCTIONS
    }

    fn call(&self, name: &str, arguments: &[Value]) -> Option<Result<Arc<Members>, String>> {
        let facts = &self.surroundings.facts;
        Some(match (name, arguments) {
            ("resources", [patterns]) => {
                patterns_of(patterns).and_then(|patterns| facts.list(List::Resources, &patterns))
            }
            ("changes", [patterns]) => {
                patterns_of(patterns).and_then(|patterns| facts.list(List::Changes, &patterns))
            }
            ("outputs" | "variables" | "modules" | "providers", [] | [_]) => {
                let kind = match name {
                    "outputs" => Kind::Output,
                    "variables" => Kind::Variable,
                    "modules" => Kind::Module,
                    _ => Kind::Provider,
                };
                let patterns = match arguments {
                    [patterns] => patterns_of(patterns),
                    _ => Ok(vec!["**".to_owned()]),
                };
                patterns.and_then(|patterns| facts.list(List::Named(kind), &patterns))
            }
            ("referrers" | "referents", [entry, patterns, rest @ ..]) if rest.len() < 2 => {
                let path = match rest.first().map(|path| path.clone().unmark().0) {
                    Some(path) if path.is_certainly_null() => Ok(None),
                    Some(path) => path
                        .as_str()
                        .map(|path| Some(path.to_owned()))
                        .map_err(|_| "the path is no known text".to_owned()),
                    None => Ok(None),
                };
                path.and_then(|path| {
                    let patterns = patterns_of(patterns)?;
                    match name {
                        "referrers" => facts.referrers(entry, &patterns, path.as_deref()),
                        _ => facts.referents(entry, &patterns, path.as_deref()),
                    }
                })
            }
            ("resources" | "changes", _) => Err("it takes a pattern, or a list of patterns".to_owned()),
            ("outputs" | "variables" | "modules" | "providers", _) => {
                Err("it takes a pattern, a list of patterns, or nothing".to_owned())
            }
            ("referrers" | "referents", _) => {
                Err("it takes an entry, a pattern and perhaps a path".to_owned())
            }
            _ => return None,
        })
    }
}

/// The patterns in an argument: a text, or a collection of texts.
fn patterns_of(value: &Value) -> Result<Vec<String>, String> {
    let bare = value.clone().unmark().0;
    let text = |value: &Value| {
        let text = value.clone().unmark().0;
        text.as_str().map(str::to_owned).map_err(|_| "a pattern is a known text".to_owned())
    };
    match bare.view() {
        View::Tuple(all) => all.iter().map(text).collect(),
        View::List(all) => all.iter().map(text).collect(),
        View::Set(all) => all.iter().map(text).collect(),
        _ => text(&bare).map(|text| vec![text]),
    }
}

impl Origins for RuleScope<'_> {
    fn origin(&self, reference: &Dependency) -> Option<Dependency> {
        let address = self.surroundings.address.as_deref();
        let steps = reference.steps.as_slice();
        let (root, rest) = match (&*reference.root, steps.split_first()) {
            ("self" | "after", _) => (address?, steps),
            ("subject", Some((Step::Attr(name), rest))) if matches!(name.as_str(), "values" | "after") => {
                (address?, rest)
            }
            (root, _) if is_root(root) => return Some(reference.clone()),
            // A member of a list of entries.
            (root, Some((Step::Attr(name), rest))) if matches!(name.as_str(), "values" | "after") => {
                (root, rest)
            }
            _ => return Some(reference.clone()),
        };
        let path = Path::from_iter(rest.iter().cloned());
        let copied = self.surroundings.facts.copies_of(root, &path).last();
        Some(match copied {
            Some(last) => {
                Dependency { root: last.address.as_str().into(), steps: last.path.steps().to_vec() }
            }
            None => Dependency { root: root.into(), steps: rest.to_vec() },
        })
    }

    fn are_one(&self, a: &Dependency, b: &Dependency) {
        if let (Some(a), Some(b)) = (place_of(a, self), place_of(b, self)) {
            self.surroundings.found.borrow_mut().taken_for_one.insert([a, b]);
        }
    }
}

/// The address and path of a value of a subject or of an entry.
pub(super) fn place_of(dependency: &Dependency, scope: &RuleScope<'_>) -> Option<(String, Path)> {
    let (root, steps) = (&*dependency.root, dependency.steps.as_slice());
    let values = |steps: &[Step]| match steps.split_first() {
        Some((Step::Attr(name), rest)) if matches!(name.as_str(), "values" | "after") => {
            Some(Path::from_iter(rest.iter().cloned()))
        }
        Some(_) => None,
        None => Some(Path::new()),
    };
    let own = || scope.surroundings.address.clone();
    match root {
        "self" | "after" => Some((own()?, Path::from_iter(steps.iter().cloned()))),
        "subject" => Some((own()?, values(steps)?)),
        root if is_root(root) => None,
        root => Some((root.to_owned(), values(steps)?)),
    }
}

/// The names of values that a condition waits for, without those of the subject itself; and the paths of those.
pub(super) fn waits_for(dependencies: &[Dependency], scope: &RuleScope<'_>) -> (Vec<Path>, Vec<String>) {
    let own = scope.surroundings.address.as_deref();
    let (mut paths, mut names) = (BTreeSet::new(), BTreeSet::new());
    let mut todo: Vec<Dependency> = dependencies.to_vec();
    let mut seen: BTreeSet<String> = BTreeSet::new();
    while let Some(dependency) = todo.pop() {
        if let ("local", Some(Step::Attr(name))) = (&*dependency.root, dependency.steps.first()) {
            // A local stands for what it waits for itself.
            let known = scope.evaluated.borrow();
            if let Some(local) = known.get(name.as_str()).filter(|_| seen.insert(name.as_str().to_owned())) {
                todo.extend(local.waits_for.iter().cloned());
            }
            continue;
        }
        let path = |steps: &[Step]| Path::from_iter(steps.iter().cloned());
        let steps = dependency.steps.as_slice();
        match (&*dependency.root, steps.split_first()) {
            ("self" | "after", _) => drop(paths.insert(path(steps))),
            ("subject", Some((Step::Attr(name), rest))) if matches!(name.as_str(), "values" | "after") => {
                paths.insert(path(rest));
            }
            (root, Some((Step::Attr(name), rest)))
                if matches!(name.as_str(), "values" | "after") && !is_root(root) =>
            {
                match own == Some(root) {
                    true => drop(paths.insert(path(rest))),
                    false => drop(names.insert(path(rest).after_name(root))),
                }
            }
            (root, _) => drop(names.insert(path(steps).after_name(root))),
        }
    }
    (paths.into_iter().collect(), names.into_iter().collect())
}

/// The names of all values that an expression waits for.
pub(in crate::plan) fn waits_of(dependencies: &[Dependency], scope: &RuleScope<'_>) -> Vec<String> {
    let (paths, mut names) = waits_for(dependencies, scope);
    names.extend(paths.iter().map(|path| path.after_name("self")));
    names
}

/// Whether a name is one that conditions begin references with.
fn is_root(name: &str) -> bool {
    matches!(name, "self" | "subject" | "before" | "after" | "plan" | "var" | "local" | "each" | "terraform")
}
