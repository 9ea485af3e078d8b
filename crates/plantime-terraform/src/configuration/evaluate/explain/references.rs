//! The values that the references of an expression name.

use super::value_parts::{PARTS, ValuePart, add_unknown_parts, leads_to_one_part, parts_at};
use super::{Explainer, PendingValue, PendingValues, ScopedExpression, ValueSource};
use crate::configuration::evaluate::order::referred;
use crate::configuration::evaluate::scope::{ModuleScope, Repetition};
use crate::configuration::evaluate::{Called, Expansion, Node, NodeKind};
use plantime::{Path, Step, Value};
use plantime_hcl::unstable::Dependency;
use plantime_hcl::{Expression, Scope};

/// What a name stands for that has a meaning only inside a block, such as `each.value`, `self`, or an iterator.
enum BlockName {
    /// A part of this expression.
    PartOf(ScopedExpression),
    /// A part of the instance that `self` is.
    SelfInstance(usize),
    /// A value that is known for each instance: `each.key`, `count.index`.
    Known,
}

impl Explainer<'_, '_> {
    /// The unknown values that a part of the value of an expression depends on.
    pub(super) fn dependencies_of_expression(&self, scoped: &ScopedExpression) -> PendingValues {
        let scope = ModuleScope::repeated(self.engine, scoped.module, scoped.repetition.clone());
        let with_functions = Scope::new(&scope).with_functions(&self.engine.functions);
        let mut pending = PendingValues::default();
        for dependency in scoped.expression.dependencies(&scoped.path, &with_functions) {
            pending.append(match block_name(scoped, &dependency) {
                Some(BlockName::PartOf(inner)) => self.dependencies_of_expression(&inner),
                Some(BlockName::SelfInstance(instance)) => {
                    self.parts_of_instances(&[instance], &dependency.steps, false)
                }
                Some(BlockName::Known) => continue,
                None => self.values_of_reference(scoped.module, &dependency, false),
            });
        }
        pending
    }

    /// The values that a name stands for, as plans and references write it: `module.net.aws_vpc.main.id`, `output.url`. None if
    /// the text is no name, or nothing is declared with it.
    pub(super) fn values_named(&self, text: &str) -> PendingValues {
        let modules = self.engine.state.borrow().modules.clone();
        let within = modules.iter().enumerate().filter(|(_, module)| text.starts_with(&module.prefix));
        // The longest prefix names the innermost module.
        let Some((module, instance)) = within.max_by_key(|(_, module)| module.prefix.len()) else {
            return PendingValues::default();
        };
        let rest = text.get(instance.prefix.len()..).unwrap_or_default();
        let Some(expression) = Expression::parse(rest).ok().filter(Expression::is_name) else {
            return PendingValues::default();
        };
        let scope = ModuleScope::of(self.engine, module);
        let dependencies = expression.dependencies(&[], &Scope::new(&scope));
        let Some(dependency) = dependencies.first() else { return PendingValues::default() };
        let (root, steps) = (&*dependency.root, &dependency.steps[..]);
        let name = |step: usize| steps.get(step)?.name();
        if referred(module, instance, root, name).is_some() {
            return self.values_of_reference(module, dependency, true);
        }
        // Plans write `output.url` in the root module, references `module.net.url`.
        let (output, path) = match (root, steps.split_first(), instance.prefix.is_empty()) {
            ("output", Some((Step::Attr(name), path)), _) => (name.as_str(), path),
            (root, _, false) => (root, steps),
            _ => return PendingValues::default(),
        };
        let position = instance.tree.module.outputs.get_index_of(output);
        let node = position.map(|position| Node { module, kind: NodeKind::Output, position });
        node.map(|node| self.parts_of_node(node, path, true)).unwrap_or_default()
    }

    /// The values that a reference in a module names: all with `with_known`, else the unknown ones.
    fn values_of_reference(&self, module: usize, dependency: &Dependency, with_known: bool) -> PendingValues {
        let (root, steps) = (&*dependency.root, &dependency.steps[..]);
        let Some(instance) = self.engine.instance(module) else { return PendingValues::default() };
        let name = |step: usize| steps.get(step)?.name();
        let Some(node) = referred(module, &instance, root, name) else {
            return self.value_of_builtin_name(module, dependency);
        };
        let names = match (node.kind, root) {
            (NodeKind::Resource, "data" | "ephemeral" | "resource") => 2,
            _ => 1,
        };
        let path = steps.get(names..).unwrap_or_default();
        match node.kind {
            NodeKind::Local | NodeKind::Variable | NodeKind::Output => {
                self.parts_of_node(node, path, with_known)
            }
            NodeKind::Call => self.parts_of_call(node, path, with_known),
            NodeKind::Resource => self.parts_of_resource(node, path, with_known),
        }
    }

    /// The value of `path.cwd`, `terraform.workspace` and the like, if it is unknown.
    fn value_of_builtin_name(&self, module: usize, dependency: &Dependency) -> PendingValues {
        let path = Path::from_iter(dependency.steps.iter().cloned());
        let name = path.after_name(&dependency.root);
        let scope = ModuleScope::of(self.engine, module);
        let value = Expression::parse(&name).and_then(|expression| self.engine.evaluate(&expression, &scope));
        let source = ValueSource::BuiltinName;
        value.ok().filter(|value| !value.is_wholly_known()).map_or_else(PendingValues::default, |value| {
            PendingValues::of(PendingValue { name, value, source })
        })
    }

    /// Parts of a local value, variable or output.
    pub(super) fn parts_of_node(&self, node: Node, path: &[Step], with_known: bool) -> PendingValues {
        let Some(value) = self.engine.value(node) else { return PendingValues::default() };
        let name = match (node.kind, self.engine.instance(node.module)) {
            // As a reference names it: `module.net.url`.
            (NodeKind::Output, Some(instance)) if !instance.prefix.is_empty() => {
                let name = instance.tree.module.outputs.get_index(node.position);
                format!("{}{}", instance.prefix, name.map(|(name, _)| &**name).unwrap_or_default())
            }
            _ => self.engine.name(node),
        };
        let (parts, omitted) = parts_at(&value, path, with_known);
        let values = parts.into_iter().map(|part| PendingValue {
            name: part.path.after_name(&name),
            source: ValueSource::Node(node, part.computed_steps()),
            value: part.value,
        });
        PendingValues { values: values.collect(), omitted }
    }

    /// Parts of the outputs of a module call.
    fn parts_of_call(&self, node: Node, path: &[Step], with_known: bool) -> PendingValues {
        let Some(called) = self.engine.called(node) else { return PendingValues::default() };
        if matches!(called.expansion, Expansion::Unknown) {
            let tree = self.engine.instance(node.module).map(|instance| instance.tree);
            let is_installed =
                tree.is_some_and(|tree| tree.calls.get(node.position).is_some_and(Option::is_some));
            let source = if is_installed { ValueSource::Instances(node) } else { ValueSource::MissingModule };
            let (name, value) = (self.engine.name(node), Value::dynamic());
            return PendingValues::of(PendingValue { name, value, source });
        }
        let (modules, path) = called_modules(&called, path);
        let mut pending = PendingValues::default();
        for module in modules {
            let Some(instance) = self.engine.instance(module) else { continue };
            let outputs = &instance.tree.module.outputs;
            let (output, path) = match path.split_first() {
                Some((step, path)) => (step.name(), path),
                None => (None, path),
            };
            for (position, (name, _)) in outputs.iter().enumerate() {
                if output.is_none_or(|output| *output == **name) {
                    let node = Node { module, kind: NodeKind::Output, position };
                    pending.append(self.parts_of_node(node, path, with_known));
                }
            }
        }
        pending.bounded()
    }

    /// Parts of the instances of a resource.
    fn parts_of_resource(&self, node: Node, path: &[Step], with_known: bool) -> PendingValues {
        let Some(instances) = self.instances.get(&node) else {
            let value = self.engine.value(node).unwrap_or_else(Value::dynamic);
            // `count` is 0.
            if value.is_wholly_known() {
                return PendingValues::default();
            }
            let (name, source) = (self.engine.name(node), ValueSource::Instances(node));
            return PendingValues::of(PendingValue { name, value, source });
        };
        // The key of each instance; none of a resource without `count` and `for_each`.
        let keys = instances.iter().map(|instance| {
            let key = self.engine.with_instance(*instance, |_, found| match &found.repetition {
                Repetition::None | Repetition::Either => None,
                Repetition::Count(key) | Repetition::Each(key, _) => Some(key.clone()),
            });
            (*instance, key.flatten())
        });
        let keys: Vec<(usize, Option<Value>)> = keys.collect();
        let is_repeated = keys.iter().any(|(_, key)| key.is_some());
        let (wanted, rest) = match path.split_first() {
            // A splat of one instance, or an index of it, is the instance.
            Some((Step::Index(key), rest)) => (Some(key.clone()), rest),
            // An attribute of the object of all instances.
            Some((Step::Attr(key), rest)) if is_repeated => (Some(Value::from(key.as_str())), rest),
            _ => (None, path),
        };
        let wanted = wanted.filter(Value::is_wholly_known);
        let is_wanted = |key: &Option<Value>| match (key, &wanted) {
            (Some(key), Some(wanted)) => key == wanted,
            _ => true,
        };
        let instances: Vec<usize> =
            keys.into_iter().filter(|(_, key)| is_wanted(key)).map(|(instance, _)| instance).collect();
        self.parts_of_instances(&instances, rest, with_known)
    }

    /// Parts of instances of resources: of an object with unknown attributes, these attributes.
    pub(super) fn parts_of_instances(
        &self,
        instances: &[usize],
        path: &[Step],
        with_known: bool,
    ) -> PendingValues {
        let mut pending = PendingValues::default();
        for instance in instances {
            let found = self.engine.with_instance(*instance, |_, found| {
                // Not even the attributes of the instance are known.
                if !found.value.clone().unmark().0.is_known() && leads_to_one_part(path) {
                    let path = Path::from_iter(path.iter().cloned());
                    let computed_at = path.len();
                    return (vec![ValuePart { path, value: Value::dynamic(), computed_at }], 0);
                }
                let (parts, omitted) = parts_at(&found.value, path, with_known);
                let mut all = Vec::new();
                for part in parts {
                    if part.value.is_wholly_known() || part.value.is_marked() {
                        all.push(part);
                        continue;
                    }
                    let is_member = part.computed_at < part.path.len();
                    let mut unknown = Vec::new();
                    add_unknown_parts(&part.value, &part.path, &mut unknown);
                    all.extend(unknown.into_iter().map(|(path, value)| {
                        let computed_at = if is_member { part.computed_at } else { path.len() };
                        ValuePart { path, value, computed_at }
                    }));
                }
                (all, omitted)
            });
            let Some((parts, omitted)) = found else { continue };
            let values = parts.into_iter().map(|part| self.attribute(*instance, part));
            pending.append(PendingValues { values: values.collect(), omitted });
        }
        pending.bounded()
    }

    /// The values that delay the read of a data source: its unknown arguments, else the resources of `depends_on`, which may be
    /// that of a module call around it.
    pub(super) fn dependencies_of_read(&self, instance: usize) -> PendingValues {
        let found = self.engine.with_instance(instance, |_, instance| {
            let mut unknown = Vec::new();
            add_unknown_parts(&instance.configured, &Path::new(), &mut unknown);
            (instance.node, unknown)
        });
        let Some((node, unknown)) = found else { return PendingValues::default() };
        let arguments = unknown.into_iter().map(|(path, value)| {
            let computed_at = path.len();
            self.attribute(instance, ValuePart { path, value, computed_at })
        });
        let mut pending = PendingValues { values: arguments.collect(), omitted: 0 };
        let mut next = Some(node).filter(|_| pending.values.is_empty());
        while let Some(node) = next {
            let instance = self.engine.instance(node.module);
            let prefix = instance.as_ref().map_or("", |instance| &instance.prefix);
            let argument = self.declaring_block(node).and_then(|block| block.body.argument("depends_on"));
            for reference in argument.into_iter().flat_map(|argument| argument.expression.references()) {
                let (name, value) = (format!("{prefix}{reference}"), Value::dynamic());
                pending.values.push(PendingValue { name, value, source: ValueSource::EarlierChange });
            }
            let caller = instance.as_ref().and_then(|instance| instance.caller.as_ref());
            next = caller.map(|(module, position, _)| Node {
                module: *module,
                kind: NodeKind::Call,
                position: *position,
            });
        }
        pending.bounded()
    }

    /// The pending value of a part of a resource instance, with its address as name.
    fn attribute(&self, instance: usize, part: ValuePart) -> PendingValue {
        let name = self.engine.with_instance(instance, |address, _| part.path.after_name(address));
        let source = ValueSource::Attribute(instance, part.computed_steps());
        PendingValue { name: name.unwrap_or_default(), value: part.value, source }
    }
}

impl PendingValues {
    /// The list of one pending value.
    fn of(value: PendingValue) -> PendingValues {
        PendingValues { values: vec![value], omitted: 0 }
    }

    /// Appends the values of another list.
    pub(super) fn append(&mut self, more: PendingValues) {
        self.omitted = self.omitted.saturating_add(more.omitted);
        self.values.extend(more.values);
    }

    /// The list cut after the first values; the number of the others is added to `omitted`.
    fn bounded(mut self) -> PendingValues {
        self.omitted = self.omitted.saturating_add(self.values.len().saturating_sub(PARTS));
        self.values.truncate(PARTS);
        self
    }
}

/// What the root of a reference means in the block around it; `None` if it is a name of the module.
fn block_name(scoped: &ScopedExpression, dependency: &Dependency) -> Option<BlockName> {
    let (first, rest) = match dependency.steps.split_first() {
        Some((first, rest)) => (first.name(), rest),
        None => (None, &[][..]),
    };
    let element = |key: Value| std::iter::once(Step::Index(key)).chain(rest.iter().cloned()).collect();
    let iterator = scoped.iterators.iter().rposition(|(name, _)| **name == *dependency.root);
    if let Some(position) = iterator
        && let Some((_, collection)) = scoped.iterators.get(position)
    {
        let path = if first == Some("value") { element(Value::dynamic()) } else { Vec::new() };
        let (expression, iterators) = (collection.clone(), scoped.iterators.get(..position));
        let iterators = iterators.unwrap_or_default().to_vec();
        return Some(BlockName::PartOf(ScopedExpression { expression, path, iterators, ..scoped.clone() }));
    }
    match (&*dependency.root, first, &scoped.repeated_by, &scoped.repetition) {
        ("each", Some("value"), Some(collection), Repetition::Each(key, _)) => {
            let path = element(key.clone());
            Some(BlockName::PartOf(ScopedExpression::new(collection.clone(), scoped.module, path)))
        }
        ("self", ..) => Some(scoped.self_instance.map_or(BlockName::Known, BlockName::SelfInstance)),
        ("each" | "count", ..) => Some(BlockName::Known),
        _ => None,
    }
}

/// The instances of a module call that the first step of a path selects, and the other steps.
fn called_modules<'p>(called: &Called, path: &'p [Step]) -> (Vec<usize>, &'p [Step]) {
    let (key, rest) = match path.split_first() {
        Some((Step::Index(key), rest)) => (Some(key.clone()), rest),
        // An attribute of the object of all instances.
        Some((Step::Attr(key), rest)) if matches!(called.expansion, Expansion::Each(_)) => {
            (Some(Value::from(key.as_str())), rest)
        }
        _ => (None, path),
    };
    match key.filter(|key| key.is_wholly_known() && !matches!(called.expansion, Expansion::Single)) {
        Some(key) => {
            let position = called.expansion.position(&key);
            (position.and_then(|position| called.modules.get(position).copied()).into_iter().collect(), rest)
        }
        None => (called.modules.clone(), rest),
    }
}
