//! The names that expressions of a module instance can use.

use super::order::{attribute, referred};
use super::{Engine, NodeKind};
use plantime::unstable::text::near_name;
use plantime::{Mark, Type, Value};
use plantime_hcl::Body;
use plantime_hcl::{Expression, Reference, ReferenceKey, ReferenceStep, Resolved, Unresolved, Variables};
use plantime_schema::Schema;

/// The values of `count` and `each` in an instance of a resource or module.
#[derive(Clone, Debug, Default)]
pub(in crate::configuration) enum Repetition {
    #[default]
    None,
    Count(Value),
    Each(Value, Value),
    /// Both `count` and `each` exist, with unknown values: `terraform validate` evaluates the arguments of a module
    /// call in this way, whether the call is repeated or not.
    Either,
}

/// The scope of expressions in an instance of a module.
pub(super) struct ModuleScope<'s, 'a> {
    engine: &'s Engine<'a>,
    pub(super) module: usize,
    pub(super) repetition: Repetition,
    /// The `for_each` of the block around the expression.
    pub(super) repeated_by: Option<&'a Expression>,
    /// The iterators of the `dynamic` blocks around the expression, the innermost last.
    pub(super) iterators: Vec<(String, Value)>,
    /// The schema of the resource that `self` refers to; `None` where `self` is not available.
    pub(super) self_schema: Option<&'a Schema>,
    /// Whether arguments may be ephemeral: those that are used while a command runs, and stored nowhere.
    pub(super) allows_ephemeral: bool,
}

impl<'s, 'a> ModuleScope<'s, 'a> {
    /// The scope of an instance of a module, outside any resource.
    pub(super) fn of(engine: &'s Engine<'a>, module: usize) -> ModuleScope<'s, 'a> {
        ModuleScope {
            engine,
            module,
            repetition: Repetition::None,
            repeated_by: None,
            iterators: Vec::new(),
            self_schema: None,
            allows_ephemeral: false,
        }
    }

    /// The scope of arguments that are not stored: of provisioners, connections, providers and ephemeral resources.
    pub(super) fn of_what_is_not_stored(self) -> ModuleScope<'s, 'a> {
        ModuleScope { allows_ephemeral: true, ..self }
    }

    /// The scope in a block that may have `for_each`, which `each.value` is an element of.
    pub(super) fn within(self, body: &'a Body) -> ModuleScope<'s, 'a> {
        let repeated_by = body.argument("for_each").map(|argument| &argument.expression);
        ModuleScope { repeated_by, ..self }
    }

    /// The evaluation that the scope belongs to.
    pub(super) fn engine(&self) -> &'s Engine<'a> {
        self.engine
    }

    /// The names of an instance of a module, and those of a repetition: `count.index`, `each.key`, `each.value`.
    pub(super) fn repeated(engine: &'s Engine<'a>, module: usize, repetition: Repetition) -> Self {
        ModuleScope { repetition, ..ModuleScope::of(engine, module) }
    }

    /// A scope inside this one.
    pub(super) fn nested(&self) -> ModuleScope<'s, 'a> {
        let (repetition, iterators) = (self.repetition.clone(), self.iterators.clone());
        ModuleScope {
            engine: self.engine,
            module: self.module,
            repetition,
            repeated_by: self.repeated_by,
            iterators,
            self_schema: self.self_schema,
            allows_ephemeral: self.allows_ephemeral,
        }
    }

    /// How messages name the module.
    fn module_name(&self) -> String {
        match self.engine.instance(self.module).map(|instance| instance.prefix.clone()) {
            Some(prefix) if !prefix.is_empty() => prefix.trim_end_matches('.').to_owned(),
            _ => "the root module".to_owned(),
        }
    }

    /// The error for a reference to a name that the module does not declare, with the nearest declared name.
    pub(super) fn undeclared(&self, reference: &Reference) -> Unresolved {
        let steps: Vec<&str> = reference.steps().iter().map_while(attribute).collect();
        let (root, module) = (reference.root(), self.module_name());
        let instance = self.engine.instance(self.module);
        let declared = instance.as_ref().map(|instance| &*instance.tree.module);
        let near = |name: &str, names: &mut dyn Iterator<Item = &str>| {
            let left = &self.engine.comparisons;
            let names = names.take(left.get()).inspect(|_| left.set(left.get().saturating_sub(1)));
            near_name(name, names).map(|near| format!(" Did you mean {near:?}?"))
        };
        let (summary, detail, count) = match (root, steps.as_slice()) {
            ("local", [name, ..]) => {
                let mut names = declared.into_iter().flat_map(|module| module.locals.keys().map(|name| &**name));
                let hint = near(name, &mut names).unwrap_or_default();
                (
                    "Reference to undeclared local value",
                    format!("A local value with the name {name:?} has not been declared.{hint}"),
                    1,
                )
            }
            ("var", [name, ..]) => {
                let mut names =
                    declared.into_iter().flat_map(|module| module.variables.keys().map(|name| &**name));
                let hint = near(name, &mut names).unwrap_or_else(|| {
                    format!(" This variable can be declared with a variable {name:?} {{}} block.")
                });
                (
                    "Reference to undeclared input variable",
                    format!("An input variable with the name {name:?} has not been declared.{hint}"),
                    1,
                )
            }
            ("self", _) => (
                "Invalid \"self\" reference",
                "The \"self\" object is not available in this context. This object can be used only in resource \
                 provisioner, connection, and postcondition blocks."
                    .to_owned(),
                0,
            ),
            ("template" | "lazy" | "arg", _) => (
                "Reserved symbol name",
                format!(
                    "The symbol name {root:?} is reserved for use in a future Terraform version. If you are using a \
                     provider that already uses this as a resource type name, add the prefix \"resource.\" to force \
                     interpretation as a resource type name."
                ),
                0,
            ),
            ("module", [name, ..]) => {
                let mut names = declared.into_iter().flat_map(|module| module.calls.keys().map(|name| &**name));
                let hint = near(name, &mut names).unwrap_or_default();
                (
                    "Reference to undeclared module",
                    format!("No module call named {name:?} is declared in {module}.{hint}"),
                    1,
                )
            }
            ("data" | "ephemeral" | "resource", [ty, name, ..]) => {
                let kind = match root {
                    "data" => "data",
                    "ephemeral" => "ephemeral",
                    _ => "managed",
                };
                let article = if kind.starts_with('e') { "An" } else { "A" };
                let detail = format!("{article} {kind} resource {ty:?} {name:?} has not been declared in {module}.");
                ("Reference to undeclared resource", detail, 2)
            }
            ("data", [_]) if reference.steps().len() > 1 => (
                "Invalid reference",
                "A reference to a data source must be followed by at least one attribute access, specifying the resource \
                 name."
                    .to_owned(),
                2,
            ),
            ("data" | "ephemeral" | "resource", found) => {
                let nouns = match root {
                    "data" => "the data source type",
                    "ephemeral" => "the ephemeral resource type",
                    _ => "the resource type",
                };
                (
                    "Invalid reference",
                    format!(
                        "The {root:?} object must be followed by two attribute names: {nouns} and the resource name."
                    ),
                    found.len(),
                )
            }
            ("local" | "var" | "module" | "path" | "terraform" | "tofu" | "count" | "each", _) => {
                let is_indexed = !reference.steps().is_empty();
                let detail = match is_indexed {
                    true => format!("The {root:?} object does not support this operation."),
                    false => format!(
                        "The {root:?} object cannot be accessed directly. Instead, access one of its attributes."
                    ),
                };
                ("Invalid reference", detail, usize::from(is_indexed))
            }
            (ty, [name, ..]) => {
                let address = format!("data.{ty}.{name}");
                let is_data = declared.is_some_and(|module| module.resources.contains_key(&address));
                let hint = match is_data {
                    true => format!("\n\nDid you mean the data resource {address}?"),
                    false => String::new(),
                };
                (
                    "Reference to undeclared resource",
                    format!("A managed resource {ty:?} {name:?} has not been declared in {module}.{hint}"),
                    1,
                )
            }
            _ => (
                "Invalid reference",
                "A reference to a resource type must be followed by at least one attribute access, specifying the \
                 resource name."
                    .to_owned(),
                usize::from(!reference.steps().is_empty()),
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
                None => Value::unknown_not_null(Type::String),
            },
            _ => return None,
        })
    }

    /// The value of `terraform.workspace`: not known where a plan is, since a plan in JSON does not name its workspace.
    fn workspace(&self) -> Value {
        let inputs = &self.engine.inputs;
        match &inputs.workspace {
            Some(name) => Value::from(name.as_str()),
            None if inputs.known.is_some() || inputs.is_without_plan => Value::unknown_not_null(Type::String),
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
            let unsupported = || unsupported_attribute(root, name.unwrap_or_default());
            value.map(|value| Resolved { value, steps: 1 }).ok_or_else(unsupported)
        };
        match (root, name, &self.repetition) {
            ("count", Some("index"), Repetition::Count(index)) => return one(Some(index.clone())),
            ("count", Some("index"), Repetition::Either) => {
                return one(Some(Value::unknown_not_null(Type::Number)));
            }
            ("each", Some("key"), Repetition::Either) => {
                return one(Some(Value::unknown_not_null(Type::String)));
            }
            ("each", Some("value"), Repetition::Either) => return one(Some(Value::dynamic())),
            ("each", Some("key"), Repetition::Each(key, _)) => return one(Some(key.clone())),
            ("each", Some("value"), Repetition::Each(_, value)) => return one(Some(value.clone())),
            ("count", Some(name), _) if name != "index" => return Err(unsupported_attribute(root, name)),
            ("each", Some(name), _) if !matches!(name, "key" | "value") => {
                return Err(unsupported_attribute(root, name));
            }
            ("count" | "each", Some(name), _) => return Err(not_repeated(name)),
            ("path", Some(name), _) => return one(self.path(name)),
            ("terraform" | "tofu", Some(name), _) => return one(self.terraform(name)),
            _ => {}
        }
        let instance = self.engine.instance(self.module);
        let named = |step: usize| reference.steps().get(step).and_then(attribute);
        let node = instance.and_then(|instance| referred(self.module, &instance, root, named));
        let Some(node) = node else {
            return match self.engine.inputs.is_without_plan && self.engine.is_undeclared(reference, self) {
                true => Ok(Resolved { value: Value::dynamic(), steps: reference.steps().len() }),
                false => Err(self.undeclared(reference)),
            };
        };
        if node.kind == NodeKind::Call {
            // Whether the call has instances is decided by the plan.
            let next = reference.steps().get(1).map(ReferenceStep::key);
            if self.engine.inputs.is_validation && matches!(next, Some(ReferenceKey::Index(_))) {
                return Ok(Resolved { value: Value::dynamic(), steps: reference.steps().len() });
            }
            if let Some(output) = self.module(reference, node) {
                return Ok(output);
            }
            return Ok(Resolved { value: self.engine.module_value(node), steps: 1 });
        }
        let steps = match (node.kind, root) {
            (NodeKind::Resource, "data" | "ephemeral" | "resource") => 2,
            _ => 1,
        };
        if self.engine.inputs.is_without_plan
            && node.kind == NodeKind::Resource
            && let Some(written) = self.engine.written_part(node, reference, steps)
        {
            return Ok(written);
        }
        // A declaration in a cycle has no value; the cycle is reported as a problem of its own.
        Ok(Resolved { value: self.engine.value(node).unwrap_or_else(Value::dynamic), steps })
    }
}

/// The problem of an attribute that `count`, `each`, `path` or `terraform` does not have.
fn unsupported_attribute(root: &str, name: &str) -> Unresolved {
    let hint = match root {
        "count" => {
            " The only supported attribute is count.index, which is the index of each instance of a resource block that \
             has the \"count\" argument set."
        }
        "each" => {
            " The supported attributes are each.key and each.value, the current key and value pair of the \"for_each\" \
             attribute set."
        }
        "terraform" => {
            " The only supported attributes are terraform.workspace, the name of the currently-selected workspace, and \
             terraform.applying, a boolean which is true only during apply."
        }
        _ => "",
    };
    if root == "terraform" && name == "env" {
        let detail = "The terraform.env attribute was deprecated in v0.10 and removed in v0.12. The \"state environment\" concept \
                      was renamed to \"workspace\" in v0.12, and so the workspace name can now be accessed using the \
                      terraform.workspace attribute.";
        return Unresolved {
            summary: "Invalid \"terraform\" attribute".to_owned(),
            detail: detail.to_owned(),
            steps: 1,
        };
    }
    Unresolved {
        summary: format!("Invalid {root:?} attribute"),
        detail: format!("The {root:?} object does not have an attribute named {name:?}.{hint}"),
        steps: 1,
    }
}

/// The problem of `count.index`, `each.key` or `each.value` in a block that is not repeated so.
fn not_repeated(name: &str) -> Unresolved {
    let (summary, detail) = match name {
        "index" => (
            "Reference to \"count\" in non-counted context",
            "The \"count\" object can only be used in \"module\", \"resource\", and \"data\" blocks, and only when the \
             \"count\" argument is set.",
        ),
        "value" => (
            "each.value cannot be used in this context",
            "A reference to \"each.value\" has been used in a context in which it is unavailable, such as when the \
             configuration no longer contains the value in its \"for_each\" expression. Remove this reference to each.value \
             in your configuration to work around this error.",
        ),
        _ => (
            "Reference to \"each\" in context without for_each",
            "The \"each\" object can be used only in \"module\" or \"resource\" blocks, and only when the \"for_each\" \
             argument is set.",
        ),
    };
    Unresolved { summary: summary.to_owned(), detail: detail.to_owned(), steps: 1 }
}
