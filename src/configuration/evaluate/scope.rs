//! The names that expressions of a module instance can use.

use super::order::{attribute, referred};
use super::{Engine, NodeKind};
use crate::expression::{Reference, ReferenceKey, Resolved, Unresolved, Variables};
use crate::mark::Mark;
use crate::types::Type;
use crate::value::Value;

/// What `count` and `each` are for an instance of a resource or module.
#[derive(Clone, Debug, Default)]
pub(in crate::configuration) enum Repetition {
    #[default]
    None,
    Count(Value),
    Each(Value, Value),
}

/// The scope of expressions in an instance of a module.
pub(super) struct ModuleScope<'s, 'a> {
    engine: &'s Engine<'a>,
    pub(super) module: usize,
    pub(super) repetition: Repetition,
    /// The iterators of the `dynamic` blocks around the expression, the innermost last.
    pub(super) iterators: Vec<(String, Value)>,
}

impl<'s, 'a> ModuleScope<'s, 'a> {
    pub(super) fn of(engine: &'s Engine<'a>, module: usize) -> ModuleScope<'s, 'a> {
        ModuleScope { engine, module, repetition: Repetition::None, iterators: Vec::new() }
    }

    pub(super) fn repeated(engine: &'s Engine<'a>, module: usize, repetition: Repetition) -> Self {
        ModuleScope { repetition, ..ModuleScope::of(engine, module) }
    }

    /// A scope inside this one.
    pub(super) fn nested(&self) -> ModuleScope<'s, 'a> {
        let (repetition, iterators) = (self.repetition.clone(), self.iterators.clone());
        ModuleScope { engine: self.engine, module: self.module, repetition, iterators }
    }

    /// How messages name the module.
    fn module_name(&self) -> String {
        match self.engine.instance(self.module).map(|instance| instance.prefix.clone()) {
            Some(prefix) if !prefix.is_empty() => prefix.trim_end_matches('.').to_owned(),
            _ => "the root module".to_owned(),
        }
    }

    fn undeclared(&self, reference: &Reference) -> Unresolved {
        let steps: Vec<&str> = reference.steps().iter().map_while(attribute).collect();
        let (root, module) = (reference.root(), self.module_name());
        let (summary, detail, count) = match (root, steps.as_slice()) {
            ("local", [name, ..]) => (
                "Reference to undeclared local value",
                format!("A local value with the name {name:?} has not been declared."),
                1,
            ),
            ("var", [name, ..]) => (
                "Reference to undeclared input variable",
                format!(
                    "An input variable with the name {name:?} has not been declared. This variable can be declared with \
                     a variable {name:?} {{}} block."
                ),
                1,
            ),
            ("module", [name, ..]) => (
                "Reference to undeclared module",
                format!("No module call named {name:?} is declared in {module}."),
                1,
            ),
            ("data" | "ephemeral" | "resource", [ty, name, ..]) => {
                let kind = match root {
                    "data" => "data",
                    "ephemeral" => "ephemeral",
                    _ => "managed",
                };
                let detail = format!("A {kind} resource {ty:?} {name:?} has not been declared in {module}.");
                ("Reference to undeclared resource", detail, 2)
            }
            ("data" | "ephemeral" | "resource" | "local" | "var" | "module", _) => (
                "Invalid reference",
                "A reference to this kind of object must be followed by at least one attribute access, specifying a name."
                    .to_owned(),
                0,
            ),
            (ty, [name, ..]) => (
                "Reference to undeclared resource",
                format!("A managed resource {ty:?} {name:?} has not been declared in {module}."),
                1,
            ),
            _ => (
                "Invalid reference",
                "A reference to a resource type must be followed by at least one attribute access, specifying the \
                 resource name."
                    .to_owned(),
                0,
            ),
        };
        Unresolved { summary: summary.to_owned(), detail, steps: count }
    }

    /// The value of `path.NAME`.
    fn path(&self, name: &str) -> Option<Value> {
        let of = |folder: &str| Value::from(if folder.is_empty() { "." } else { folder });
        let instance = self.engine.instance(self.module)?;
        Some(match name {
            "module" => of(&instance.tree.module.folder),
            "root" => Value::from("."),
            "cwd" => match &self.engine.inputs.directory {
                Some(directory) => Value::from(directory.as_str()),
                None => not_null(Type::String),
            },
            _ => return None,
        })
    }

    /// The value of `terraform.workspace`: not known where a plan is, since a plan in JSON does not name its workspace.
    fn workspace(&self) -> Value {
        let inputs = &self.engine.inputs;
        match &inputs.workspace {
            Some(name) => Value::from(name.as_str()),
            None if inputs.known.is_some() => not_null(Type::String),
            None => Value::from("default"),
        }
    }

    /// The value of `terraform.NAME`.
    fn terraform(&self, name: &str) -> Option<Value> {
        Some(match name {
            "workspace" => self.workspace(),
            "applying" => Value::from(false).mark(Mark::EPHEMERAL),
            _ => return None,
        })
    }

    /// The value of `module.NAME…`: an output where the reference names one.
    fn module(&self, reference: &Reference, node: super::Node) -> Option<Resolved> {
        let called = self.engine.called(node)?;
        let found = &called.modules;
        let steps = reference.steps();
        // `module.m.out` and `module.m["k"].out` need only this output.
        let (instance, next) = match &called.expansion {
            super::Expansion::Single => (found.first(), 1),
            _ => {
                let ReferenceKey::Index(key) = steps.get(1)?.key() else { return None };
                (called.expansion.position(key).and_then(|position| found.get(position)), 2)
            }
        };
        let name = steps.get(next).and_then(attribute)?;
        let module = *instance?;
        let position = self.engine.instance(module)?.tree.module.outputs.get_index_of(name)?;
        let value = self.engine.value(super::Node { module, kind: NodeKind::Output, position })?;
        Some(Resolved { value, steps: next.saturating_add(1) })
    }
}

impl Variables for ModuleScope<'_, '_> {
    fn resolve(&self, reference: &Reference) -> Result<Resolved, Unresolved> {
        let root = reference.root();
        if let Some((_, value)) = self.iterators.iter().rev().find(|(name, _)| name == root) {
            return Ok(Resolved { value: value.clone(), steps: 0 });
        }
        let name = reference.steps().first().and_then(attribute);
        let one = |value: Option<Value>| {
            let unsupported = || Unresolved {
                summary: format!("Invalid {root:?} attribute"),
                detail: format!(
                    "The {root:?} object does not have an attribute named {:?}.",
                    name.unwrap_or_default()
                ),
                steps: 1,
            };
            value.map(|value| Resolved { value, steps: 1 }).ok_or_else(unsupported)
        };
        match (root, name, &self.repetition) {
            ("count", Some("index"), Repetition::Count(index)) => return one(Some(index.clone())),
            ("each", Some("key"), Repetition::Each(key, _)) => return one(Some(key.clone())),
            ("each", Some("value"), Repetition::Each(_, value)) => return one(Some(value.clone())),
            ("count" | "each", Some(_), _) => {
                let argument = if root == "count" { "count" } else { "for_each" };
                return Err(Unresolved {
                    summary: format!("Reference to {root:?} in non-{} context", argument.replace('_', "-")),
                    detail: format!(
                        "The {root:?} object can only be used in \"module\", \"resource\", and \"data\" blocks, and only \
                         when the {argument:?} argument is set."
                    ),
                    steps: 0,
                });
            }
            ("path", Some(name), _) => return one(self.path(name)),
            ("terraform" | "tofu", Some(name), _) => return one(self.terraform(name)),
            _ => {}
        }
        let instance = self.engine.instance(self.module);
        let node = instance.and_then(|instance| referred(self.module, &instance, reference));
        let Some(node) = node else { return Err(self.undeclared(reference)) };
        if node.kind == NodeKind::Call {
            if let Some(output) = self.module(reference, node) {
                return Ok(output);
            }
            return Ok(Resolved { value: self.engine.module_value(node), steps: 1 });
        }
        let steps = match (node.kind, root) {
            (NodeKind::Resource, "data" | "ephemeral" | "resource") => 2,
            _ => 1,
        };
        // What is in a cycle has no value; the cycle is reported.
        Ok(Resolved { value: self.engine.value(node).unwrap_or_else(Value::dynamic), steps })
    }
}

/// An unknown that is not null.
pub(super) fn not_null(ty: Type) -> Value {
    let unknown = Value::unknown(ty);
    unknown.assume_not_null().unwrap_or(unknown)
}
