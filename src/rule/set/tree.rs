//! The places of a type that have rules, as a tree.

use std::collections::BTreeMap;

use crate::error::Result;
use crate::rule::{ExprStep, PathExpr};
use crate::types::Type;

use super::RuleSet;
use super::compile::Compiled;

/// Nodes by number; the first is the root.
#[derive(Clone, Debug, Default)]
pub(super) struct Tree {
    nodes: Vec<Node>,
}

#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) ty: Type,
    pub(super) rules: Vec<Compiled>,
    /// Null is a failure of its own, so that rules that fail otherwise fail altogether.
    pub(super) asks_not_null: bool,
    pub(super) children: BTreeMap<ExprStep, usize>,
}

impl Tree {
    pub(super) fn new<'s>(
        ty: &Type,
        places: impl Iterator<Item = (&'s PathExpr, &'s RuleSet)>,
    ) -> Result<Tree> {
        let mut tree = Tree { nodes: vec![Node::new(ty.clone())] };
        for (path, set) in places {
            let at = tree.grow(path);
            let rules = set.compile(path.steps().len())?;
            if let Some(node) = tree.nodes.get_mut(at) {
                node.asks_not_null = set.asks_not_null();
                node.rules = rules;
            }
        }
        Ok(tree)
    }

    fn grow(&mut self, path: &PathExpr) -> usize {
        let mut here = 0;
        for step in path.steps() {
            let next = self.nodes.len();
            let Some(node) = self.nodes.get_mut(here) else { break };
            if let Some(child) = node.children.get(step) {
                here = *child;
                continue;
            }
            let ty = super::places::part(&node.ty, step).unwrap_or(Type::Dynamic);
            node.children.insert(step.clone(), next);
            self.nodes.push(Node::new(ty));
            here = next;
        }
        here
    }

    pub(super) fn get(&self, at: usize) -> Option<&Node> {
        self.nodes.get(at)
    }
}

impl Node {
    fn new(ty: Type) -> Node {
        Node { ty, rules: Vec::new(), asks_not_null: false, children: BTreeMap::new() }
    }
}
