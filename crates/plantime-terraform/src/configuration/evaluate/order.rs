//! The order of evaluation: what a node refers to comes before it. No recursion, as a chain of references may be long.

use std::collections::HashSet;

use super::{Engine, ModuleInstance, Node, NodeKind};
use plantime_hcl::Body;
use plantime_hcl::{Diagnostic, Expression, Reference, ReferenceKey};

/// The maximum number of members of a cycle that a message names.
const NAMES: usize = 50;

/// Which of the nodes that a node refers to are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    /// Those that are not evaluated yet.
    Missing,
    /// All. A module call stands for the whole module: a reference to one of its outputs leads to that output.
    All,
}

impl Engine<'_> {
    /// Evaluates a node after all that it refers to, unless it is evaluated already.
    pub(super) fn demand(&self, node: Node) {
        // The nodes that wait for others are a path in the graph; the stack also has what these refer to.
        let (mut stack, mut path, mut waiting) = (vec![node], Vec::new(), HashSet::new());
        while let Some(&node) = stack.last() {
            if self.is_done(node) {
                stack.pop();
                if waiting.remove(&node) {
                    path.pop();
                }
                continue;
            }
            if waiting.insert(node) {
                path.push(node);
            }
            let missing = self.dependencies(node, Extent::Missing);
            match missing.iter().find(|missing| waiting.contains(missing)) {
                Some(&first) => self.break_cycle(&path, first),
                None if missing.is_empty() => self.evaluate_node(node),
                None => stack.extend(missing.into_iter().rev()),
            }
        }
    }

    /// Reports a cycle, and makes its last node unknown so that evaluation ends.
    #[cold]
    fn break_cycle(&self, path: &[Node], first: Node) {
        let start = path.iter().position(|node| *node == first).unwrap_or_default();
        let members = path.get(start..).unwrap_or_default();
        let mut names: Vec<String> = members.iter().take(NAMES).map(|node| self.name(*node)).collect();
        if members.len() > names.len() {
            names.push(format!("and {} more", members.len().saturating_sub(names.len())));
        }
        if let Some(&last) = members.last() {
            // Validation reports cycles of all dependencies together.
            if !self.inputs.is_validation
                && let Some((source, span)) = self.place(last)
            {
                let detail = || format!("These refer to each other in a circle: {}.", names.join(", "));
                let itself = (members.len() == 1).then(|| self.self_reference_error(last)).flatten();
                let problem = itself.unwrap_or_else(|| Diagnostic::new(&source, span, "Cycle", detail()));
                self.report(problem);
            }
            self.make_unknown(last);
        }
    }

    /// The error for a resource that refers to itself, at its first such reference; `None` for other nodes.
    #[cold]
    fn self_reference_error(&self, node: Node) -> Option<Diagnostic> {
        if node.kind != NodeKind::Resource {
            return None;
        }
        let instance = self.instance(node.module)?;
        let (_, resource) = instance.tree.module.resources.get_index(node.position)?;
        let mut bodies = vec![&resource.block.body];
        let mut found: Option<(&Expression, &Reference)> = None;
        while let Some(body) = bodies.pop() {
            let expressions = body.arguments.iter().map(|argument| &argument.expression);
            let references = expressions.flat_map(|expression| {
                expression.references().into_iter().map(move |reference| (expression, reference))
            });
            let is_to_itself = |reference: &Reference| {
                let name = |step: usize| reference.steps().get(step).and_then(attribute);
                referred(node.module, &instance, reference.root(), name) == Some(node)
            };
            let own = references.filter(|(_, reference)| is_to_itself(reference));
            found = own.chain(found).min_by_key(|(_, reference)| reference.span().start);
            bodies.extend(body.blocks.iter().map(|block| &block.body));
        }
        let (expression, reference) = found?;
        let steps = if matches!(reference.root(), "data" | "ephemeral" | "resource") { 2 } else { 1 };
        let is_instance = reference.steps().get(steps).is_some_and(|step| attribute(step).is_none());
        let span = reference.span_of(steps.saturating_add(usize::from(is_instance)));
        let source = expression.source();
        let name = source.text().get(span.clone()).unwrap_or_default();
        let detail = format!("Configuration for {name} may not refer to itself.");
        Some(Diagnostic::new(source, span, "Self-referential block", detail))
    }

    /// The nodes that a node refers to.
    pub(super) fn dependencies(&self, node: Node, extent: Extent) -> Vec<Node> {
        let Some(instance) = self.instance(node.module) else { return Vec::new() };
        let module = &instance.tree.module;
        let mut missing = Vec::new();
        match node.kind {
            NodeKind::Local => {
                if let Some((_, local)) = module.locals.get_index(node.position) {
                    self.add_references(node.module, &instance, &local.expression, (extent, &mut missing));
                }
            }
            NodeKind::Output => {
                if let Some((_, output)) = module.outputs.get_index(node.position)
                    && let Some(value) = output.block.body.argument("value")
                {
                    self.add_references(node.module, &instance, &value.expression, (extent, &mut missing));
                }
            }
            NodeKind::Variable => {
                if let Some((caller, call, _)) = &instance.caller
                    && let Some((name, _)) = module.variables.get_index(node.position)
                    && let Some(calling) = self.instance(*caller)
                    && let Some((_, call)) = calling.tree.module.calls.get_index(*call)
                    && let Some(argument) = call.block.body.argument(name)
                {
                    self.add_references(*caller, &calling, &argument.expression, (extent, &mut missing));
                }
            }
            NodeKind::Call => {
                if let Some((_, call)) = module.calls.get_index(node.position) {
                    let body = &call.block.body;
                    let repetition =
                        [body.argument("count"), body.argument("for_each")].into_iter().flatten().cloned();
                    for argument in repetition.chain(call.block.enabled_argument()) {
                        let found = (extent, &mut missing);
                        self.add_references(node.module, &instance, &argument.expression, found);
                    }
                }
            }
            NodeKind::Resource => {
                if let Some((_, resource)) = module.resources.get_index(node.position) {
                    self.add_references_of_body(
                        node.module,
                        &instance,
                        &resource.block.body,
                        true,
                        (extent, &mut missing),
                    );
                    if let Some(enabled) = resource.block.enabled_argument() {
                        let found = (extent, &mut missing);
                        self.add_references(node.module, &instance, &enabled.expression, found);
                    }
                    // A resource may not refer to itself, which is found when it is planned.
                    if self.inputs.is_validation {
                        missing.retain(|found| *found != node);
                    }
                }
            }
        }
        missing
    }

    /// Adds the nodes that the expressions of a body refer to.
    pub(super) fn add_references_of_body(
        &self,
        module: usize,
        instance: &ModuleInstance<'_>,
        body: &Body,
        is_resource: bool,
        (extent, found): (Extent, &mut Vec<Node>),
    ) {
        for argument in &body.arguments {
            if !(is_resource && matches!(&*argument.name, "depends_on" | "provider")) {
                self.add_references(module, instance, &argument.expression, (extent, found));
            }
        }
        for block in &body.blocks {
            if !(is_resource && super::arguments::is_meta_block(&block.kind)) {
                self.add_references_of_body(module, instance, &block.body, false, (extent, found));
            }
        }
    }

    /// Adds the nodes that an expression refers to.
    pub(super) fn add_references(
        &self,
        module: usize,
        instance: &ModuleInstance<'_>,
        expression: &Expression,
        (extent, found): (Extent, &mut Vec<Node>),
    ) {
        for reference in expression.references() {
            self.add_reference(module, instance, reference, (extent, found));
        }
    }

    /// Adds the node that a reference leads to. If that is a module call whose instances are known, adds the outputs of these
    /// instances.
    fn add_reference(
        &self,
        module: usize,
        instance: &ModuleInstance<'_>,
        reference: &Reference,
        (extent, found): (Extent, &mut Vec<Node>),
    ) {
        let name = |step: usize| reference.steps().get(step).and_then(attribute);
        let Some(node) = referred(module, instance, reference.root(), name) else { return };
        let is_done = self.is_done(node);
        if node.kind != NodeKind::Call || !is_done {
            if extent == Extent::All || !is_done {
                found.push(node);
            }
            return;
        }
        // The outputs of the instances, once these are known: the one that the reference names, else all.
        let names: Vec<&str> = reference.steps().iter().skip(1).take(2).filter_map(attribute).collect();
        let state = self.state.borrow();
        let modules: &[usize] = state.calls.get(&node).map_or(&[], |called| &called.modules);
        if extent == Extent::All && modules.is_empty() {
            found.push(node);
        }
        for called in modules {
            let Some(instance) = state.modules.get(*called) else { continue };
            let outputs = &instance.tree.module.outputs;
            let named = names.first().and_then(|name| outputs.get_index_of(*name));
            if extent == Extent::All && named.is_none() {
                found.push(node);
                continue;
            }
            let positions = named.map_or(0..outputs.len(), |position| position..position.saturating_add(1));
            found.extend(
                positions
                    .map(|position| Node { module: *called, kind: NodeKind::Output, position })
                    .filter(|node| extent == Extent::All || !state.values.contains_key(node)),
            );
        }
    }
}

/// The name of a step that is an attribute.
pub(super) fn attribute(step: &plantime_hcl::ReferenceStep) -> Option<&str> {
    match step.key() {
        ReferenceKey::Attribute(name) => Some(name),
        ReferenceKey::Index(_) => None,
    }
}

/// The node that a reference names, by its root and the names of its steps.
pub(super) fn referred<'n>(
    module: usize,
    instance: &ModuleInstance<'_>,
    root: &str,
    name: impl Fn(usize) -> Option<&'n str>,
) -> Option<Node> {
    let declared = &instance.tree.module;
    let (kind, position) = match root {
        "local" => (NodeKind::Local, declared.locals.get_index_of(name(0)?)?),
        "var" => (NodeKind::Variable, declared.variables.get_index_of(name(0)?)?),
        "module" => (NodeKind::Call, declared.calls.get_index_of(name(0)?)?),
        "resource" => {
            (NodeKind::Resource, declared.resources.get_index_of(&format!("{}.{}", name(0)?, name(1)?))?)
        }
        root @ ("data" | "ephemeral") => {
            let address = format!("{root}.{}.{}", name(0)?, name(1)?);
            (NodeKind::Resource, declared.resources.get_index_of(&address)?)
        }
        root => (NodeKind::Resource, declared.resources.get_index_of(&format!("{root}.{}", name(0)?))?),
    };
    Some(Node { module, kind, position })
}
