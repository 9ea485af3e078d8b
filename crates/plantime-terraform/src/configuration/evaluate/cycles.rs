//! Finds cycles of dependencies, which no order of evaluation can satisfy, and reports them as validation does.

use std::collections::HashMap;

use super::order::Extent;
use super::{Engine, Node, NodeKind, nodes};
use crate::configuration::module::Resource;
use crate::configuration::validate::ListedReference;
use plantime::source::Source;
use plantime_hcl::{Block, Body};
use plantime_hcl::{Diagnostic, Expression};

/// The maximum number of members of a cycle that a message names.
const NAMES: usize = 50;

/// Something that depends on others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Vertex {
    Node(Node),
    /// A called module as a whole: it depends on all that is declared in it, and references to the call lead to it.
    Whole(Node),
    /// The `validation` blocks of a variable: whatever refers to the variable depends on them too.
    Validation(Node),
    /// A provider configuration of the root module, by its position.
    Provider(usize),
}

impl<'a> Engine<'a> {
    /// Reports each dependency cycle: declarations that depend on each other, directly or through others.
    ///
    /// Beside the references that an evaluation follows, these are `depends_on`, conditions, provisioners, the module that a
    /// declaration is in, and the provider configuration that a resource uses.
    pub(super) fn report_cycles(&self) {
        let mut vertices: Vec<Vertex> = Vec::new();
        for module in 0..self.state.borrow().modules.len() {
            let Some(instance) = self.instance(module) else { continue };
            for node in nodes(module, &instance.tree.module) {
                vertices.push(Vertex::Node(node));
                vertices.extend((node.kind == NodeKind::Call).then_some(Vertex::Whole(node)));
                let variable = instance.tree.module.variables.get_index(node.position);
                let variable =
                    variable.filter(|_| node.kind == NodeKind::Variable).map(|(_, variable)| variable);
                let is_validated = variable.is_some_and(|variable| {
                    !variable.block.body.blocks_of(&variable.block.source, "validation", 0).is_empty()
                });
                vertices.extend(is_validated.then_some(Vertex::Validation(node)));
            }
        }
        let providers = self.configuration.root.module.configured_providers.len();
        vertices.extend((0..providers).map(Vertex::Provider));
        let positions: HashMap<Vertex, usize> =
            vertices.iter().enumerate().map(|(position, vertex)| (*vertex, position)).collect();
        let edges: Vec<Vec<usize>> = vertices
            .iter()
            .map(|vertex| self.edges(*vertex).iter().filter_map(|to| positions.get(to).copied()).collect())
            .collect();
        for group in strongly_connected(&edges) {
            let members: Vec<Vertex> = group.iter().filter_map(|at| vertices.get(*at).copied()).collect();
            match members.as_slice() {
                [] => {}
                [one] => {
                    let own = group.first().copied().unwrap_or_default();
                    if edges.get(own).is_some_and(|edges| edges.contains(&own)) {
                        self.report_self_reference(*one);
                    }
                }
                members => self.report_cycle(members),
            }
        }
    }

    /// Reports a cycle. Terraform prints a cycle without a place; the diagnostic has the place of the first member.
    fn report_cycle(&self, members: &[Vertex]) {
        let mut names: Vec<String> =
            members.iter().take(NAMES).map(|vertex| self.vertex_name(*vertex)).collect();
        if members.len() > names.len() {
            names.push(format!("and {} more", members.len().saturating_sub(names.len())));
        }
        let place = members.iter().find_map(|vertex| match vertex {
            Vertex::Node(node) | Vertex::Whole(node) | Vertex::Validation(node) => self.place(*node),
            Vertex::Provider(_) => None,
        });
        let (source, span) = place.unwrap_or_else(|| (Source::new("", ""), 0..0));
        let summary = format!("Cycle: {}", names.join(", "));
        self.report(Diagnostic::new(&source, span, summary, "").as_global());
    }

    /// Reports a local value that refers to itself. A resource may: it then refers to its prior state.
    fn report_self_reference(&self, vertex: Vertex) {
        let Vertex::Node(node) = vertex else { return };
        let Some(instance) = self.instance(node.module) else { return };
        let module = &instance.tree.module;
        let Some((name, local)) =
            module.locals.get_index(node.position).filter(|_| node.kind == NodeKind::Local)
        else {
            return;
        };
        let references = local.expression.references();
        let own = references.into_iter().find(|reference| {
            reference.root() == "local"
                && reference.steps().first().and_then(super::order::attribute) == Some(&**name)
        });
        let Some(own) = own else { return };
        let detail = format!("Local value local.{name} cannot use its own result as part of its expression.");
        let source = local.expression.source();
        self.report(Diagnostic::new(source, own.span(), "Self-referencing local value", detail));
    }

    /// The name of a vertex, as Terraform's graph has it.
    fn vertex_name(&self, vertex: Vertex) -> String {
        let name = |node: Node| match node.module {
            0 => self.name(node),
            module => {
                // Terraform's graph has each module once, without instance keys.
                let own = self.name(node);
                let prefix = self.instance(module).map(|instance| instance.prefix.len()).unwrap_or_default();
                format!("{}{}", self.module_path(module), own.get(prefix..).unwrap_or_default())
            }
        };
        match vertex {
            Vertex::Node(node) if node.kind == NodeKind::Resource => name(node),
            Vertex::Node(node) => format!("{} (expand)", name(node)),
            Vertex::Whole(node) => format!("{} (close)", name(node)),
            Vertex::Validation(node) => format!("{} (validation)", name(node)),
            Vertex::Provider(position) => {
                let module = &self.configuration.root.module;
                let Some(block) = module.configured_providers.get(position) else { return String::new() };
                let local = block.labels.first().map(|label| &**label).unwrap_or_default();
                let alias = alias_of(block).map(|alias| format!(".{alias}")).unwrap_or_default();
                format!("provider[{:?}]{alias}", module.provider_address(local))
            }
        }
    }

    /// What addresses in a module begin with, without instance keys: `module.net.`; empty for the root.
    pub(super) fn module_path(&self, module: usize) -> String {
        let (mut names, mut at) = (Vec::new(), module);
        while let Some(instance) = self.instance(at)
            && let Some((caller, call, _)) = &instance.caller
        {
            let calling = self.instance(*caller);
            let name =
                calling.and_then(|calling| Some(calling.tree.module.calls.get_index(*call)?.0.clone()));
            names.push(name.unwrap_or_default());
            at = *caller;
        }
        names.iter().rev().map(|name| format!("module.{name}.")).collect()
    }

    /// What a vertex depends on.
    fn edges(&self, vertex: Vertex) -> Vec<Vertex> {
        match vertex {
            Vertex::Node(node) => self.edges_of_node(node),
            Vertex::Whole(node) => {
                let called = self.called(node);
                let modules = called.iter().flat_map(|called| called.modules.iter().copied());
                let inside = modules.flat_map(|module| {
                    let instance = self.instance(module);
                    instance.into_iter().flat_map(move |instance| {
                        nodes(module, &instance.tree.module)
                            .flat_map(|node| {
                                let whole = (node.kind == NodeKind::Call).then_some(Vertex::Whole(node));
                                std::iter::once(Vertex::Node(node)).chain(whole)
                            })
                            .collect::<Vec<_>>()
                    })
                });
                std::iter::once(Vertex::Node(node)).chain(inside).collect()
            }
            Vertex::Validation(node) => {
                let Some(instance) = self.instance(node.module) else { return Vec::new() };
                let variables = &instance.tree.module.variables;
                let Some((_, variable)) = variables.get_index(node.position) else { return Vec::new() };
                let mut found = Vec::new();
                for validation in variable.block.body.blocks_of(&variable.block.source, "validation", 0) {
                    let extent = (Extent::All, &mut found);
                    self.add_references_of_body(node.module, &instance, &validation.body, false, extent);
                }
                let others = found.into_iter().filter(|found| *found != node);
                std::iter::once(Vertex::Node(node)).chain(others.flat_map(referred_vertices)).collect()
            }
            Vertex::Provider(position) => {
                let Some(root) = self.instance(0) else { return Vec::new() };
                let Some(block) = root.tree.module.configured_providers.get(position) else {
                    return Vec::new();
                };
                let mut found = Vec::new();
                self.add_references_of_body(0, &root, &block.body, false, (Extent::All, &mut found));
                found.into_iter().flat_map(referred_vertices).collect()
            }
        }
    }

    /// What a node depends on.
    fn edges_of_node(&self, node: Node) -> Vec<Vertex> {
        let mut found = self.dependencies(node, Extent::All);
        let Some(instance) = self.instance(node.module) else { return Vec::new() };
        let module = &instance.tree.module;
        let mut providers = Vec::new();
        let mut add = |body: &Body, names: &[&str]| {
            for name in names {
                let Some(argument) = body.argument(name) else { continue };
                for expression in listed(&argument.expression) {
                    self.add_references(node.module, &instance, &expression, (Extent::All, &mut found));
                }
            }
        };
        match node.kind {
            NodeKind::Output => {
                if let Some((_, output)) = module.outputs.get_index(node.position) {
                    add(&output.block.body, &["depends_on"]);
                    for block in output.block.body.blocks_of(&output.block.source, "precondition", 0) {
                        add(&block.body, &["condition", "error_message"]);
                    }
                }
            }
            NodeKind::Call => {
                if let Some((_, call)) = module.calls.get_index(node.position) {
                    add(&call.block.body, &["depends_on"]);
                }
            }
            NodeKind::Resource => {
                if let Some((_, resource)) = module.resources.get_index(node.position) {
                    let (body, source) = (&resource.block.body, &resource.block.source);
                    add(body, &["depends_on"]);
                    for lifecycle in body.blocks_of(source, "lifecycle", 0) {
                        add(&lifecycle.body, &["replace_triggered_by"]);
                        for condition in ["precondition", "postcondition"] {
                            for block in lifecycle.body.blocks_of(source, condition, 0) {
                                add(&block.body, &["condition", "error_message"]);
                            }
                        }
                    }
                    for (kind, labels) in [("provisioner", 1), ("connection", 0)] {
                        for block in body.blocks_of(source, kind, labels) {
                            let extent = (Extent::All, &mut found);
                            self.add_references_of_body(node.module, &instance, &block.body, false, extent);
                        }
                    }
                    found.retain(|found| *found != node);
                    providers.extend(self.root_provider_index(node.module, resource).map(Vertex::Provider));
                }
            }
            NodeKind::Local | NodeKind::Variable => {}
        }
        // What is declared in a module waits for the instances of the module.
        let call = instance.caller.as_ref().map(|(module, position, _)| {
            Vertex::Node(Node { module: *module, kind: NodeKind::Call, position: *position })
        });
        found.into_iter().flat_map(referred_vertices).chain(providers).chain(call).collect()
    }

    /// The index of the provider configuration of the root module that a resource uses; `None` if it may use another one.
    pub(super) fn root_provider_index(&self, module: usize, resource: &Resource) -> Option<usize> {
        let instance = self.instance(module)?;
        let declared = &instance.tree.module;
        let (local, alias) = declared.provider_reference(resource)?;
        let address = declared.provider_address(&local);
        if alias.is_none() {
            // A module without own configurations gets the default one of its caller.
            let mut at = instance.clone();
            while let Some((caller, call, _)) = &at.caller {
                let calling = self.instance(*caller)?;
                let (_, called) = calling.tree.module.calls.get_index(*call)?;
                let has_own = !at.tree.module.configured_providers.is_empty();
                if has_own || called.block.body.argument("providers").is_some() {
                    return None;
                }
                at = calling;
            }
        } else if module != 0 {
            return None;
        }
        let root = &self.configuration.root.module;
        root.configured_providers.iter().position(|block| {
            block.labels.first().is_some_and(|label| root.provider_address(label) == address)
                && alias_of(block) == alias
        })
    }
}

/// The alias of a provider configuration.
pub(super) fn alias_of(block: &Block) -> Option<String> {
    let alias = block.body.argument("alias")?;
    crate::configuration::module::constant(&alias.expression).as_str().ok().map(str::to_owned)
}

/// What a reference to a node leads to: a module call stands for its whole module, a variable for its validation too.
fn referred_vertices(node: Node) -> impl Iterator<Item = Vertex> {
    let (first, second) = match node.kind {
        NodeKind::Call => (Vertex::Whole(node), None),
        NodeKind::Variable => (Vertex::Node(node), Some(Vertex::Validation(node))),
        _ => (Vertex::Node(node), None),
    };
    std::iter::once(first).chain(second)
}

/// The items of a list expression, with references in quotes parsed; the expression alone if it is no list.
fn listed(expression: &Expression) -> Vec<Expression> {
    let Some(items) = expression.items() else { return vec![expression.clone()] };
    let written = |item: Expression| ListedReference::of(&item).map_or(item, |listed| listed.expression);
    items.into_iter().map(written).collect()
}

/// The groups of vertices that reach each other, by Tarjan's algorithm without recursion: a chain may be long.
fn strongly_connected(edges: &[Vec<usize>]) -> Vec<Vec<usize>> {
    const UNSEEN: usize = usize::MAX;
    let (mut index, mut low) = (vec![UNSEEN; edges.len()], vec![0_usize; edges.len()]);
    let mut is_open = vec![false; edges.len()];
    let (mut open, mut groups, mut next) = (Vec::new(), Vec::new(), 0_usize);
    // Reads and writes of the tables, whose positions are all vertices.
    let get = |table: &[usize], at: usize| table.get(at).copied().unwrap_or_default();
    let set = |table: &mut [usize], at: usize, value: usize| {
        if let Some(entry) = table.get_mut(at) {
            *entry = value;
        }
    };
    for root in 0..edges.len() {
        if get(&index, root) != UNSEEN {
            continue;
        }
        // The path of the search: each vertex, with the index of the edge to follow next.
        let mut way = vec![(root, 0_usize)];
        while let Some((vertex, edge)) = way.pop() {
            if edge == 0 {
                set(&mut index, vertex, next);
                set(&mut low, vertex, next);
                next = next.saturating_add(1);
                open.push(vertex);
                is_open.get_mut(vertex).into_iter().for_each(|entry| *entry = true);
            }
            let Some(to) = edges.get(vertex).and_then(|edges| edges.get(edge)).copied() else {
                let own = get(&low, vertex);
                if own == get(&index, vertex) {
                    let start = open.iter().rposition(|found| *found == vertex).unwrap_or_default();
                    let group = open.split_off(start);
                    for member in &group {
                        is_open.get_mut(*member).into_iter().for_each(|entry| *entry = false);
                    }
                    groups.push(group);
                }
                if let Some((above, _)) = way.last() {
                    let lower = get(&low, *above).min(own);
                    set(&mut low, *above, lower);
                }
                continue;
            };
            way.push((vertex, edge.saturating_add(1)));
            if get(&index, to) == UNSEEN {
                way.push((to, 0));
            } else if is_open.get(to) == Some(&true) {
                let lower = get(&low, vertex).min(get(&index, to));
                set(&mut low, vertex, lower);
            }
        }
    }
    groups
}
