//! Translates the tree for the engine, which is the crate `regex-automata`.

use regex_automata::meta::Regex;
use regex_automata::nfa::thompson::WhichCaptures;
use regex_syntax::hir::{Capture, Class, ClassUnicode, ClassUnicodeRange, Hir, HirKind, Repetition};

use super::size::place;
use super::syntax;
use super::tree::{Node, Tree, fold};

/// What the engine searches for.
pub(super) fn translate(text: &str, tree: &Tree) -> Hir {
    let leaf = |node| Ok::<Hir, ()>(leaf(text, node));
    let join = |node, operands| Ok(join(node, operands));
    fold(&tree.nodes, leaf, join).ok().flatten().unwrap_or_else(Hir::fail)
}

/// An engine that finds where a match is, but not where its groups are.
pub(super) fn without_groups(hir: &Hir) -> Option<Regex> {
    let config = Regex::config().which_captures(WhichCaptures::Implicit).nfa_size_limit(None);
    Regex::builder().configure(config).build_from_hir(hir).ok()
}

/// An engine that finds the groups too. None where it would be larger than 1 MiB.
pub(super) fn with_groups(hir: &Hir) -> Option<Regex> {
    let config = Regex::config().which_captures(WhichCaptures::All).nfa_size_limit(Some(super::size::SIZE));
    Regex::builder().configure(config).build_from_hir(hir).ok()
}

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
            Hir::class(Class::Unicode(syntax::members(place(text, start, end), ignore_case, usize::MAX)))
        }
        Node::Look(look) => Hir::look(look),
        Node::Empty => Hir::empty(),
        _ => Hir::fail(),
    }
}

fn join(node: Node, mut operands: Vec<Hir>) -> Hir {
    match node {
        Node::Concat(_) => Hir::concat(operands),
        Node::Alternation(_) => {
            if shares_ambiguous_beginning(&operands) {
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

/// Whether all branches begin with the same operands, of which one can match in several ways.
///
/// `Hir::alternation` makes `x(?:y|z)` of `xy|xz`. That prefers another match where `x` can end at several places: in
/// `acb`, `a.*c|a.*b` finds `ac`, and `a.*(?:c|b)` finds `acb`. A branch that never matches keeps it from doing so,
/// because it factors only where all branches are concatenations.
fn shares_ambiguous_beginning(branches: &[Hir]) -> bool {
    let mut beginning: Option<&[Hir]> = None;
    for branch in branches {
        let HirKind::Concat(operands) = branch.kind() else { return false };
        let shared = match beginning {
            None => operands.len(),
            Some(others) => others.iter().zip(operands).take_while(|(one, other)| one == other).count(),
        };
        beginning = operands.get(..shared);
    }
    !beginning.unwrap_or_default().iter().all(ends_at_one_place)
}

/// Whether all matches from one place end at one place, with no choice on the way.
fn ends_at_one_place(hir: &Hir) -> bool {
    match hir.kind() {
        HirKind::Empty | HirKind::Literal(_) | HirKind::Class(_) | HirKind::Look(_) => true,
        HirKind::Repetition(repetition) => {
            repetition.max == Some(repetition.min) && ends_at_one_place(&repetition.sub)
        }
        HirKind::Capture(capture) => ends_at_one_place(&capture.sub),
        HirKind::Concat(operands) => operands.iter().all(ends_at_one_place),
        HirKind::Alternation(_) => false,
    }
}
