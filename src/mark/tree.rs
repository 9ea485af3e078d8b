//! An ordered set of many marks: an immutable balanced tree that shares nodes with the trees it was built from.
//!
//! When marks are added to a value one by one, every intermediate value may still be in use, each with its own set.
//! Sets without sharing would copy all marks at each step; here a step copies one path through the tree.
//!
//! Each side of a node has at most [`DELTA`] times the weight of the other (Adams' weight-balanced trees), so the depth
//! is a few times the logarithm of the number of marks, and recursion cannot overflow the stack.

use std::cmp::Ordering;
use std::sync::Arc;

use super::Mark;

/// The maximum ratio of the weights of the two sides of a tree node.
const DELTA: usize = 3;
/// The ratio of the weights of the inner and the outer child of a too heavy side from which rebalancing takes a
/// double rotation.
const RATIO: usize = 2;

/// A node of a tree of marks: a mark, the tree of the marks before it and the tree of those after it.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) before: Tree,
    pub(super) mark: Mark,
    pub(super) after: Tree,
    len: usize,
}

/// A tree of marks; `None` is the empty tree.
pub(super) type Tree = Option<Arc<Node>>;

/// The number of marks in the set that the tree holds. O(1).
pub(super) fn len(tree: &Tree) -> usize {
    tree.as_ref().map_or(0, |node| node.len)
}

/// Builds a tree of a mark between two trees, without rebalancing.
fn node(before: Tree, mark: Mark, after: Tree) -> Tree {
    let len = len(&before).saturating_add(len(&after)).saturating_add(1);
    Some(Arc::new(Node { before, mark, after, len }))
}

/// The weight of a tree, for balancing: its number of marks plus one, so that an empty side and a side of one mark
/// are balanced.
fn weight(tree: &Tree) -> usize {
    len(tree).saturating_add(1)
}

/// Whether `tree` is more than [`DELTA`] times as heavy as `beside`, the other side of the same node.
fn is_too_heavy(tree: &Tree, beside: &Tree) -> bool {
    weight(tree) > weight(beside).saturating_mul(DELTA)
}

/// Builds a tree from sorted marks without duplicates.
pub(super) fn from_ordered(marks: &[Mark]) -> Tree {
    let (before, rest) = marks.split_at(marks.len() / 2);
    let (mark, after) = rest.split_first()?;
    node(from_ordered(before), mark.clone(), from_ordered(after))
}

/// Whether the tree contains the mark.
pub(super) fn contains(mut tree: &Tree, mark: &Mark) -> bool {
    while let Some(node) = tree {
        tree = match mark.cmp(&node.mark) {
            Ordering::Less => &node.before,
            Ordering::Equal => return true,
            Ordering::Greater => &node.after,
        };
    }
    false
}

/// The marks of both trees as one tree. Shares the subtrees that need no change.
pub(super) fn union(a: &Tree, b: &Tree) -> Tree {
    let (Some(a_node), Some(b_node)) = (a, b) else { return a.clone().or_else(|| b.clone()) };
    if Arc::ptr_eq(a_node, b_node) {
        return a.clone();
    }
    let (b_before, b_after) = split(b, &a_node.mark);
    let before = union(&a_node.before, &b_before);
    let after = union(&a_node.after, &b_after);
    // `b` adds nothing on either side: share the whole tree.
    if is_same(&before, &a_node.before) && is_same(&after, &a_node.after) {
        return a.clone();
    }
    link(before, a_node.mark.clone(), after)
}

/// Whether both trees are the same node in memory, or both empty. Trees with equal marks may be different nodes.
pub(super) fn is_same(a: &Tree, b: &Tree) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => Arc::ptr_eq(a, b),
        (None, None) => true,
        _ => false,
    }
}

/// Splits a tree into the marks before `mark` and the marks after it; drops `mark` itself.
fn split(tree: &Tree, mark: &Mark) -> (Tree, Tree) {
    let Some(node) = tree else { return (None, None) };
    match mark.cmp(&node.mark) {
        Ordering::Equal => (node.before.clone(), node.after.clone()),
        Ordering::Less => {
            let (before, between) = split(&node.before, mark);
            (before, link(between, node.mark.clone(), node.after.clone()))
        }
        Ordering::Greater => {
            let (between, after) = split(&node.after, mark);
            (link(node.before.clone(), node.mark.clone(), between), after)
        }
    }
}

/// Builds a balanced tree from a mark and the trees of the marks before and after it, of any weights.
fn link(before: Tree, mark: Mark, after: Tree) -> Tree {
    match (&before, &after) {
        (Some(heavy), _) if is_too_heavy(&before, &after) => {
            let inner = link(heavy.after.clone(), mark, after);
            balanced(heavy.before.clone(), heavy.mark.clone(), inner)
        }
        (_, Some(heavy)) if is_too_heavy(&after, &before) => {
            let inner = link(before, mark, heavy.before.clone());
            balanced(inner, heavy.mark.clone(), heavy.after.clone())
        }
        _ => node(before, mark, after),
    }
}

/// Builds a balanced tree from a mark and the marks before and after it, where one side may be slightly too heavy, by
/// one single or double rotation.
fn balanced(before: Tree, mark: Mark, after: Tree) -> Tree {
    match (&before, &after) {
        (_, Some(heavy)) if is_too_heavy(&after, &before) => match &heavy.before {
            Some(inner) if weight(&heavy.before) >= weight(&heavy.after).saturating_mul(RATIO) => node(
                node(before, mark, inner.before.clone()),
                inner.mark.clone(),
                node(inner.after.clone(), heavy.mark.clone(), heavy.after.clone()),
            ),
            _ => node(node(before, mark, heavy.before.clone()), heavy.mark.clone(), heavy.after.clone()),
        },
        (Some(heavy), _) if is_too_heavy(&before, &after) => match &heavy.after {
            Some(inner) if weight(&heavy.after) >= weight(&heavy.before).saturating_mul(RATIO) => node(
                node(heavy.before.clone(), heavy.mark.clone(), inner.before.clone()),
                inner.mark.clone(),
                node(inner.after.clone(), mark, after),
            ),
            _ => node(heavy.before.clone(), heavy.mark.clone(), node(heavy.after.clone(), mark, after)),
        },
        _ => node(before, mark, after),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marks(tree: &Tree) -> Vec<Mark> {
        let Some(node) = tree else { return Vec::new() };
        [marks(&node.before), vec![node.mark.clone()], marks(&node.after)].concat()
    }

    /// The depth; panics where a side is too heavy or a length is wrong.
    fn checked(tree: &Tree) -> usize {
        let Some(node) = tree else { return 0 };
        assert!(!is_too_heavy(&node.before, &node.after) && !is_too_heavy(&node.after, &node.before));
        assert_eq!(node.len, marks(tree).len());
        checked(&node.before).max(checked(&node.after)).saturating_add(1)
    }

    fn mark(i: u64) -> Mark {
        Mark::new(&format!("{i:06}"))
    }

    fn one(i: u64) -> Tree {
        from_ordered(&[mark(i)])
    }

    #[test]
    fn trees_stay_balanced_and_in_order_however_marks_come() {
        const COUNT: u64 = 3_000;
        let ways: [fn(u64) -> u64; 4] = [
            |i| i,
            |i| COUNT - i,
            |i| if i % 2 == 0 { i } else { 2 * COUNT - i },
            |i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15) % 100_000,
        ];
        for way in ways {
            let mut tree = None;
            let mut expected = std::collections::BTreeSet::new();
            for i in 0..COUNT {
                tree = union(&tree, &one(way(i)));
                expected.insert(mark(way(i)));
            }
            assert!(checked(&tree) <= 30, "{}", checked(&tree));
            assert_eq!(marks(&tree), expected.into_iter().collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_union_has_the_marks_of_both_and_shares_what_it_can() {
        let range = |from: u64, to: u64, step: usize| {
            from_ordered(&(from..to).step_by(step).map(mark).collect::<Vec<_>>())
        };
        for (a, b) in [
            (range(0, 500, 1), range(500, 3_000, 1)),
            (range(500, 3_000, 1), range(0, 500, 1)),
            (range(0, 2_000, 2), range(1, 2_000, 2)),
            (range(0, 2_000, 3), range(700, 710, 1)),
            (None, range(0, 9, 1)),
        ] {
            let mut both = [marks(&a), marks(&b)].concat();
            both.sort();
            both.dedup();
            for tree in [union(&a, &b), union(&b, &a)] {
                checked(&tree);
                assert_eq!(marks(&tree), both);
                assert!(is_same(&union(&tree, &a), &tree) && is_same(&union(&tree, &b), &tree));
                assert!(both.iter().all(|mark| contains(&tree, mark)) && !contains(&tree, &Mark::SENSITIVE));
            }
        }
    }
}
