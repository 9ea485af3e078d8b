//! Estimates the size of a compiled expression from its tree, in time and memory linear in the text.
//!
//! An expression compiles to a graph of states: a repetition contains its operand as often as its count says, a
//! class contains the states of its bytes. So an expression that is too large is refused without compiling it.

use regex_syntax::hir::{ClassUnicode, ClassUnicodeRange};

use super::tree::{Node, Tree, fold};
use super::{Invalid, characters, syntax};

/// The maximum size of a compiled expression, in bytes.
pub(super) const SIZE: usize = 1 << 20;

/// The size of a state with one transition, in bytes.
pub(super) const STATE: usize = 24;
/// The size of each transition of a state with several transitions, in bytes.
pub(super) const TRANSITION: usize = 8;
/// The size of a transition that consumes no byte.
const BRANCH: usize = 4;

/// The maximum number of characters of a class that is case-folded for the estimate. Folding looks at each
/// character; large classes are mostly closed under it, so the estimate stays close.
const FOLDED: usize = 1 << 12;

/// The estimated size of a compiled expression without its groups, in bytes; an error if it is larger than [`SIZE`].
pub(super) fn estimate(text: &str, tree: &Tree) -> Result<usize, Invalid> {
    // The size without repetition counts: an operand that is repeated zero times still takes time to look at.
    let mut once = 0_usize;
    let leaf = |node| {
        let size = leaf(text, node);
        once = once.saturating_add(size);
        if once > SIZE { Err(Invalid::too_large()) } else { Ok(size) }
    };
    let join = |node, operands: Vec<usize>| {
        let sum = operands.iter().fold(0, |sum: usize, size| sum.saturating_add(*size));
        Ok(match node {
            Node::Alternation(_) => {
                // The translation may add one branch, to prevent the engine from rewriting a common prefix.
                let branches = operands.len().saturating_add(1).saturating_mul(BRANCH);
                sum.saturating_add(STATE).saturating_add(branches)
            }
            Node::Repeat { least, most, .. } => repeated(sum, least.into(), most.map(usize::from)),
            _ => sum,
        })
    };
    let size = fold(&tree.nodes, leaf, join)?.unwrap_or_default();
    if size > SIZE { Err(Invalid::too_large()) } else { Ok(size) }
}

/// The compiled size in bytes of a node without operands. `text` is the text of the whole expression.
fn leaf(text: &str, node: Node) -> usize {
    match node {
        Node::Literal { c, ignore_case } => literal(c, ignore_case),
        Node::Any { .. } => characters::size(&ClassUnicode::new([ClassUnicodeRange::new('\0', char::MAX)])),
        Node::Class { start, end, ignore_case } => {
            characters::size(&syntax::members(slice(text, start, end), ignore_case, FOLDED))
        }
        Node::Look(_) | Node::Never => STATE,
        _ => 0,
    }
}

/// The part of the text from byte `start` to byte `end`; empty if these are no positions in the text.
pub(super) fn slice(text: &str, start: u32, end: u32) -> &str {
    let at = |at: u32| usize::try_from(at).unwrap_or(usize::MAX);
    text.get(at(start)..at(end)).unwrap_or_default()
}

/// The compiled size of a literal character in bytes.
fn literal(c: char, ignore_case: bool) -> usize {
    if !ignore_case || c.is_ascii() && !c.is_ascii_alphabetic() {
        c.len_utf8().saturating_mul(STATE)
    } else if c.is_ascii() && !matches!(c, 'k' | 'K' | 's' | 'S') {
        state_size(2)
    } else {
        let mut class = ClassUnicode::new([ClassUnicodeRange::new(c, c)]);
        class.case_fold_simple();
        characters::size(&class)
    }
}

/// The size in bytes of a state whose transitions are `count` byte ranges.
pub(super) fn state_size(count: usize) -> usize {
    STATE.saturating_add(if count > 1 { count.saturating_mul(TRANSITION) } else { 0 })
}

/// The compiled size in bytes of an operand of `operand` bytes that is repeated `least` to `most` times; without a
/// maximum if `most` is `None`.
fn repeated(operand: usize, least: usize, most: Option<usize>) -> usize {
    match most {
        None if least <= 1 => operand.saturating_add(STATE),
        None => operand.saturating_mul(least).saturating_add(STATE),
        Some(most) => {
            let optional = STATE.saturating_mul(most.saturating_sub(least));
            operand.saturating_mul(most).saturating_add(optional)
        }
    }
}

#[cfg(test)]
#[cfg(any(feature = "functions", feature = "rules"))]
mod tests;
