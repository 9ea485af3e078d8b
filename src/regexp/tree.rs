//! The tree of an expression in postfix order: no walk over it recurses, and it is freed in one step.

use regex_syntax::hir::Look;

use super::Invalid;

/// The maximum nesting depth of nodes. The engine recurses over the tree; this many levels fit a stack of 1 MiB.
const DEPTH: u16 = 250;

/// A node of the syntax tree. The nodes are stored in postfix order: an operator comes after its operands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Node {
    /// Matches the empty string.
    Empty,
    /// Never matches: `\x{d800}`, which is not a character in UTF-8.
    Never,
    Literal {
        c: char,
        ignore_case: bool,
    },
    /// Any character: `.`
    Any {
        newline: bool,
    },
    /// A class such as `[a-z]`, `\d` or `\pL`, by its position in the text.
    Class {
        start: u32,
        end: u32,
        ignore_case: bool,
    },
    /// An anchor or word boundary.
    Look(Look),
    /// A concatenation of this number of operands.
    Concat(u32),
    /// An alternation of this number of branches, of which an earlier one is preferred.
    Alternation(u32),
    /// A repetition of one operand; `most` is `None` without a maximum.
    Repeat {
        least: u16,
        most: Option<u16>,
        greedy: bool,
    },
    /// A capturing group, numbered from 1.
    Group(u32),
}

/// A parsed expression.
#[derive(Debug)]
pub(super) struct Tree {
    pub(super) nodes: Vec<Node>,
    /// The names of the capturing groups, from number 1 on.
    pub(super) groups: Vec<Option<Box<str>>>,
}

/// Builds a tree from nodes in postfix order.
#[derive(Default)]
pub(super) struct Builder {
    nodes: Vec<Node>,
    groups: Vec<Option<Box<str>>>,
    /// The subtrees that no node encloses yet.
    operands: Vec<Operand>,
}

/// The properties of a subtree that the nodes around it need.
#[derive(Clone, Copy)]
struct Operand {
    /// The number of levels of the subtree.
    depth: u16,
    /// The maximum product of the counts of nested repetitions.
    product: u16,
}

/// The properties of a node without operands.
const LEAF: Operand = Operand { depth: 1, product: 1 };

impl Builder {
    /// Adds a capturing group and returns its number, from 1 on.
    pub(super) fn group(&mut self, name: Option<&str>) -> u32 {
        self.groups.push(name.map(Into::into));
        u32::try_from(self.groups.len()).unwrap_or(u32::MAX)
    }

    /// Adds a node around the last subtrees; an error if it nests deeper than [`DEPTH`].
    pub(super) fn push(&mut self, node: Node) -> Result<(), Invalid> {
        let operand = match node {
            Node::Concat(count) | Node::Alternation(count) => self.enclose(count),
            Node::Group(_) | Node::Repeat { .. } => self.enclose(1),
            _ => LEAF,
        };
        if operand.depth > DEPTH {
            return Err(Invalid::Limit(format!("the regular expression nests deeper than {DEPTH} levels")));
        }
        self.operands.push(operand);
        self.nodes.push(node);
        Ok(())
    }

    /// Adds a repetition around the last subtree; returns false if the product of nested counts exceeds
    /// `most_product`.
    pub(super) fn repeat(&mut self, node: Node, most_product: u16) -> Result<bool, Invalid> {
        self.push(node)?;
        if let (Node::Repeat { least, most, .. }, Some(operand)) = (node, self.operands.last_mut()) {
            // `x{0}` repeats nothing, and `x*` has no count.
            let count = if most == Some(0) { 0 } else { most.unwrap_or(least).max(1) };
            let product = u32::from(operand.product).saturating_mul(u32::from(count)).max(1);
            match u16::try_from(product) {
                Ok(product) if product <= most_product => operand.product = product,
                _ => return Ok(false),
            }
        }
        Ok(true)
    }

    /// Removes the last `count` subtrees; returns the properties of a node around them.
    fn enclose(&mut self, count: u32) -> Operand {
        let count = usize::try_from(count).unwrap_or(usize::MAX);
        let first = self.operands.len().saturating_sub(count);
        let mut all = Operand { depth: 0, product: 1 };
        for operand in self.operands.drain(first..) {
            all = Operand { depth: all.depth.max(operand.depth), product: all.product.max(operand.product) };
        }
        all.depth = all.depth.saturating_add(1);
        all
    }

    /// The finished tree.
    pub(super) fn finish(self) -> Tree {
        Tree { nodes: self.nodes, groups: self.groups }
    }
}

/// Evaluates a tree bottom-up: `leaf` evaluates each leaf, `join` each other node from the results of its operands.
/// `None` for a tree without nodes.
pub(super) fn fold<T, E>(
    nodes: &[Node],
    mut leaf: impl FnMut(Node) -> Result<T, E>,
    mut join: impl FnMut(Node, Vec<T>) -> Result<T, E>,
) -> Result<Option<T>, E> {
    let mut results: Vec<T> = Vec::new();
    for node in nodes {
        let count = match node {
            Node::Concat(count) | Node::Alternation(count) => usize::try_from(*count).unwrap_or(usize::MAX),
            Node::Group(_) | Node::Repeat { .. } => 1,
            _ => 0,
        };
        let result = if count == 0 {
            leaf(*node)?
        } else {
            let operands = results.split_off(results.len().saturating_sub(count));
            join(*node, operands)?
        };
        results.push(result);
    }
    Ok(results.pop())
}
