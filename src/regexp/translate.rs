//! Translates a parsed expression to the syntax tree that engines and languages are built from.

use regex_syntax::hir::{Capture, Class, ClassUnicode, ClassUnicodeRange, Hir, HirKind, Repetition};

use super::size::slice;
use super::syntax;
use super::tree::{Node, Tree, fold};

/// The expression in the form that the engine compiles.
pub(super) fn translate(text: &str, tree: &Tree) -> Hir {
    let leaf = |node| Ok::<Hir, ()>(leaf(text, node));
    let join = |node, operands| Ok(join(node, operands));
    fold(&tree.nodes, leaf, join).ok().flatten().unwrap_or_else(Hir::fail)
}

/// Translates a node without operands.
fn leaf(text: &str, node: Node) -> Hir {
    match node {
        Node::Literal { c, ignore_case: false } => Hir::literal(c.encode_utf8(&mut [0; 4]).as_bytes()),
        Node::Literal { c, ignore_case: true } => {
            let mut class = ClassUnicode::new([ClassUnicodeRange::new(c, c)]);
            class.case_fold_simple();
            Hir::class(Class::Unicode(class))
        }
        Node::Any { newline } => {
            let all = [ClassUnicodeRange::new('\0', '\x09'), ClassUnicodeRange::new('\x0b', char::MAX)];
            let newline = newline.then_some(ClassUnicodeRange::new('\n', '\n'));
            Hir::class(Class::Unicode(ClassUnicode::new(all.into_iter().chain(newline))))
        }
        Node::Class { start, end, ignore_case } => {
            Hir::class(Class::Unicode(syntax::members(slice(text, start, end), ignore_case, usize::MAX)))
        }
        Node::Look(look) => Hir::look(look),
        Node::Empty => Hir::empty(),
        _ => Hir::fail(),
    }
}

/// Translates a node with its translated operands.
fn join(node: Node, mut operands: Vec<Hir>) -> Hir {
    match node {
        Node::Concat(_) => Hir::concat(operands),
        Node::Alternation(_) => {
            if shares_ambiguous_prefix(&operands) {
                operands.push(Hir::fail());
            }
            Hir::alternation(operands)
        }
        Node::Repeat { least, most, greedy } => match operands.pop() {
            Some(sub) => Hir::repetition(Repetition {
                min: least.into(),
                max: most.map(u32::from),
                greedy,
                sub: Box::new(sub),
            }),
            None => Hir::fail(),
        },
        Node::Group(index) => match operands.pop() {
            Some(sub) => Hir::capture(Capture { index, name: None, sub: Box::new(sub) }),
            None => Hir::fail(),
        },
        _ => Hir::fail(),
    }
}

/// Whether all branches start with the same operands, of which one can match in several ways.
///
/// `Hir::alternation` rewrites `xy|xz` as `x(?:y|z)`. That prefers another match if `x` can end at several
/// positions: in `acb`, `a.*c|a.*b` finds `ac`, and `a.*(?:c|b)` finds `acb`. Adding a branch that never matches
/// prevents this, because the rewrite needs all branches to be concatenations.
fn shares_ambiguous_prefix(branches: &[Hir]) -> bool {
    let mut beginning: Option<&[Hir]> = None;
    for branch in branches {
        let HirKind::Concat(operands) = branch.kind() else { return false };
        let shared = match beginning {
            None => operands.len(),
            Some(others) => others.iter().zip(operands).take_while(|(one, other)| one == other).count(),
        };
        beginning = operands.get(..shared);
    }
    !beginning.unwrap_or_default().iter().all(has_one_end)
}

/// Whether all matches from one position end at the same position, without a choice on the way.
fn has_one_end(hir: &Hir) -> bool {
    match hir.kind() {
        HirKind::Empty | HirKind::Literal(_) | HirKind::Class(_) | HirKind::Look(_) => true,
        HirKind::Repetition(repetition) => {
            repetition.max == Some(repetition.min) && has_one_end(&repetition.sub)
        }
        HirKind::Capture(capture) => has_one_end(&capture.sub),
        HirKind::Concat(operands) => operands.iter().all(has_one_end),
        HirKind::Alternation(_) => false,
    }
}
