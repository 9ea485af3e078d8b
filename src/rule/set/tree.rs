//! The nodes of a type that have rules, as a tree.

use std::collections::BTreeMap;

use crate::error::Result;
use crate::rule::{ExprStep, PathExpr, Rule};
use crate::types::Type;

use super::RuleSet;
use super::compile::CompiledRule;

/// The places of a type that have rules, with all places above them, as a tree. Nodes refer to each other by index
/// into `nodes`; the first is the root.
#[derive(Clone, Debug, Default)]
pub(super) struct Tree {
    /// All nodes; index 0 is the root.
    nodes: Vec<Node>,
}

/// One place of the type, with its rules and children.
#[derive(Clone, Debug)]
pub(super) struct Node {
    /// The type of the values at the place.
    pub(super) ty: Type,
    /// The condition under which its rules apply, as a rule on the value; `None` if they always do.
    pub(super) guard: Option<Rule>,
    /// Its rules in the order of evaluation.
    pub(super) rules: Vec<CompiledRule>,
    /// Whether null fails here. Then a rule that every other value fails makes the set fail for certain.
    pub(super) has_not_null: bool,
    /// The indexes of its child nodes in the tree, by the step that leads to each.
    pub(super) children: BTreeMap<ExprStep, usize>,
}

impl Tree {
    /// Builds the tree from the paths with rules, inside the type `ty`.
    pub(super) fn new<'s>(
        ty: &Type,
        places: impl Iterator<Item = (&'s PathExpr, &'s RuleSet)>,
    ) -> Result<Tree> {
        let mut tree = Tree { nodes: vec![Node::new(ty.clone())] };
        for (path, set) in places {
            let at = tree.node_at(path);
            let guard = set.guard_rule(path.steps().len())?;
            let rules = set.compile(guard.as_ref())?;
            if let Some(node) = tree.nodes.get_mut(at) {
                node.has_not_null = set.has_not_null();
                node.guard = guard;
                node.rules = rules;
            }
        }
        Ok(tree)
    }

    /// The index of the node at a path; missing nodes on the way are created.
    fn node_at(&mut self, path: &PathExpr) -> usize {
        let mut here = 0;
        for step in path.steps() {
            let next = self.nodes.len();
            let Some(node) = self.nodes.get_mut(here) else { break };
            if let Some(child) = node.children.get(step) {
                here = *child;
                continue;
            }
            let ty = super::places::child_type(&node.ty, step).unwrap_or(Type::Dynamic);
            node.children.insert(step.clone(), next);
            self.nodes.push(Node::new(ty));
            here = next;
        }
        here
    }

    /// The node at an index.
    pub(super) fn get(&self, at: usize) -> Option<&Node> {
        self.nodes.get(at)
    }
}

impl Node {
    /// A node without rules and without children.
    fn new(ty: Type) -> Node {
        Node { ty, guard: None, rules: Vec::new(), has_not_null: false, children: BTreeMap::new() }
    }
}
