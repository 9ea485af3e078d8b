//! The language of a regular expression: the strings in which it finds a match.
//!
//! Assertions such as `^` and `\b` depend on the characters before and after them. They are resolved before the
//! automaton is made deterministic: each state is split by the kind of the character before it, and by the kinds
//! that the next character is still allowed to have.

use std::collections::HashMap;

use regex_syntax::hir::{Class, Hir, HirKind, Look};

use super::alphabet::{Range, common, complement};
use super::build::EVERY;
use super::nfa::Builder;
use super::rows::{Rows, to_usize};
use super::{Language, Result, TooLarge};

/// The maximum nesting depth of an expression. The walk over it is recursive.
const DEPTH: u32 = 256;

impl Language {
    /// The strings in which the expression finds a match, as a search does: `^` and `$` anchor it.
    ///
    /// The expression has the syntax tree that `regex_syntax` builds. All assertions of RE2 are exact: `^` and `$`, with
    /// `(?m)` or without, `\A`, `\z`, `\b` and `\B`. Others, and classes of bytes that are not UTF-8, count as too
    /// large, with the language of all strings.
    pub(crate) fn from_hir(hir: &Hir) -> Result {
        let mut compiler = Compiler { builder: Builder::new(), looks: Vec::new() };
        let begin = compiler.builder.state();
        compiler.builder.empties.push((0, begin));
        // A search may begin anywhere.
        compiler.builder.class(begin, &EVERY, begin);
        let end = compiler.builder.state();
        let is_known = compiler.add(hir, begin, end, 0).is_some();
        if !is_known || compiler.builder.is_too_large() {
            return Err(TooLarge { hull: Language::all() });
        }
        compiler.resolve(end)
    }

    /// The strings in which a regular expression in the syntax of the crate regex-syntax finds a match; `None` if the text is
    /// not one. For checks beside another engine: patterns of users are RE2's, see
    /// [`Refinement::pattern`](crate::Refinement::pattern).
    #[doc(hidden)]
    pub fn from_regex(text: &str) -> Option<Result> {
        let hir = regex_syntax::ParserBuilder::new().utf8(false).build().parse(text).ok()?;
        Some(Language::from_hir(&hir))
    }
}

/// Translates a regular expression to a non-deterministic automaton. Assertions are kept in a list of their own and
/// resolved afterwards.
struct Compiler {
    builder: Builder,
    /// Moves that read nothing and have a condition.
    looks: Vec<(u32, (Look, u32))>,
}

impl Compiler {
    /// Adds the automaton of an expression between two states. `None` if it is too large, or contains something not
    /// supported.
    fn add(&mut self, hir: &Hir, from: u32, to: u32, depth: u32) -> Option<()> {
        if depth > DEPTH || self.builder.is_too_large() {
            return None;
        }
        let deeper = depth.saturating_add(1);
        match hir.kind() {
            HirKind::Empty => self.builder.empties.push((from, to)),
            HirKind::Literal(literal) => {
                self.builder.literal(from, std::str::from_utf8(&literal.0).ok()?, to);
            }
            HirKind::Class(class) => self.builder.class(from, &ranges(class)?, to),
            HirKind::Look(look) => {
                Condition::of_assertion(*look)?;
                self.looks.push((from, (*look, to)));
            }
            HirKind::Capture(capture) => self.add(&capture.sub, from, to, deeper)?,
            HirKind::Concat(parts) => {
                let mut at = from;
                for part in parts {
                    let next = self.builder.state();
                    self.add(part, at, next, deeper)?;
                    at = next;
                }
                self.builder.empties.push((at, to));
            }
            HirKind::Alternation(branches) => {
                for branch in branches {
                    self.add(branch, from, to, deeper)?;
                }
            }
            HirKind::Repetition(repetition) => {
                let mut at = from;
                for _ in 0..repetition.min {
                    let next = self.builder.state();
                    self.add(&repetition.sub, at, next, deeper)?;
                    at = next;
                }
                match repetition.max {
                    None => {
                        // A state of its own, or whatever else arrives at `at` could repeat too.
                        let around = self.builder.state();
                        self.builder.empties.push((at, around));
                        let again = self.builder.state();
                        self.add(&repetition.sub, around, again, deeper)?;
                        self.builder.empties.push((again, around));
                        self.builder.empties.push((around, to));
                    }
                    Some(max) => {
                        for _ in repetition.min..max {
                            self.builder.empties.push((at, to));
                            let next = self.builder.state();
                            self.add(&repetition.sub, at, next, deeper)?;
                            at = next;
                        }
                        self.builder.empties.push((at, to));
                    }
                }
            }
        }
        Some(())
    }

    /// The language of all strings with a match, where `end` is the state after a match.
    fn resolve(mut self, end: u32) -> Result {
        if self.looks.is_empty() {
            let rest = self.builder.universal();
            self.builder.empties.push((end, rest));
            return self.builder.build();
        }
        // After a match anything may follow, within what assertions at its end demand.
        let rest = self.builder.state();
        self.builder.empties.push((end, rest));
        self.builder.class(rest, &EVERY, rest);
        Resolver::new(&self, rest).resolve()
    }
}

/// The characters of a class, as sorted ranges; `None` for a class of bytes beyond ASCII.
fn ranges(class: &Class) -> Option<Vec<Range>> {
    match class {
        Class::Unicode(class) => {
            Some(class.iter().map(|range| (u32::from(range.start()), u32::from(range.end()))).collect())
        }
        Class::Bytes(class) => {
            let ranges = class.iter().map(|range| (range.start().into(), range.end().into()));
            class.is_ascii().then(|| ranges.collect())
        }
    }
}

/// A set of kinds of neighbours: a bit for each kind of what precedes or follows a position in a string.
type Kinds = u8;

/// The kind of a missing neighbour: the beginning or the end of the string.
const EDGE: Kinds = 1;
/// The kind of the line feed.
const LINE_FEED: Kinds = 2;
/// The kind of ASCII letters, digits and `_`.
const WORD: Kinds = 4;
/// The kind of all other characters.
const OTHER: Kinds = 8;
/// The set of all kinds.
const ANY: Kinds = 15;

/// The characters of each kind, as sorted ranges.
fn kinds() -> [(Kinds, Vec<Range>); 3] {
    let line_feed = vec![(10, 10)];
    let word = vec![(0x30, 0x39), (0x41, 0x5a), (0x5f, 0x5f), (0x61, 0x7a)];
    let others = common(&complement(&line_feed), &complement(&word));
    [(LINE_FEED, line_feed), (WORD, word), (OTHER, others)]
}

/// What an assertion such as `\b` requires of the two neighbours of its position: if the kind of the previous one is
/// in `before`, that of the next one must be in `then`, else in `otherwise`.
struct Condition {
    before: Kinds,
    then: Kinds,
    otherwise: Kinds,
}

impl Condition {
    /// The condition of an assertion; `None` for an assertion that RE2 does not have.
    fn of_assertion(look: Look) -> Option<Condition> {
        let (before, then, otherwise) = match look {
            Look::Start => (EDGE, ANY, 0),
            Look::End => (ANY, EDGE, 0),
            Look::StartLF => (EDGE | LINE_FEED, ANY, 0),
            Look::EndLF => (ANY, EDGE | LINE_FEED, 0),
            Look::WordAscii => (WORD, ANY & !WORD, WORD),
            Look::WordAsciiNegate => (WORD, WORD, ANY & !WORD),
            _ => return None,
        };
        Some(Condition { before, then, otherwise })
    }

    /// The kinds that the next character may have after a previous one of the kind `before`.
    fn next(&self, before: Kinds) -> Kinds {
        if before & self.before == 0 { self.otherwise } else { self.then }
    }
}

/// Builds an automaton without assertions: splits each state by the kind of the previous character and the kinds that
/// assertions allow for the next one.
struct Resolver<'a> {
    /// The automaton with assertions.
    source: &'a Builder,
    edges: Rows<(u32, u32)>,
    empties: Rows<u32>,
    /// The assertions: the state before, the assertion, and the state after.
    looks: Vec<(u32, (Look, u32))>,
    /// The automaton without assertions.
    builder: Builder,
    numbers: HashMap<Split, u32>,
    /// The split states, each with its number.
    found: Vec<(u32, Split)>,
    /// The state of the source after a match.
    end: u32,
    /// The state for all states after a match without conditions.
    universal: u32,
}

/// A state of the source, the kind of the character before it, and the kinds that the next one may have.
type Split = (u32, Kinds, Kinds);

impl<'a> Resolver<'a> {
    /// A resolver of the compiler's automaton that has split only the start. `end` is the state after a match.
    fn new(compiler: &'a Compiler, end: u32) -> Resolver<'a> {
        let source = &compiler.builder;
        let count = to_usize(source.states);
        let mut looks = compiler.looks.clone();
        looks.sort_unstable_by_key(|(from, _)| *from);
        let mut builder = Builder::new();
        let universal = builder.universal();
        let start = (0, EDGE, ANY);
        Resolver {
            source,
            edges: Rows::group(count, &source.edges),
            empties: Rows::group(count, &source.empties),
            looks,
            builder,
            numbers: HashMap::from([(start, 0)]),
            found: vec![(0, start)],
            end,
            universal,
        }
    }

    /// The number of a split state in the new automaton, which is added if it is new.
    fn number_of(&mut self, state: Split) -> u32 {
        if state.0 == self.end && state.2 == ANY {
            return self.universal;
        }
        let (builder, found) = (&mut self.builder, &mut self.found);
        *self.numbers.entry(state).or_insert_with(|| {
            let fresh = builder.state();
            found.push((fresh, state));
            fresh
        })
    }

    /// The language of the automaton without assertions.
    fn resolve(mut self) -> Result {
        // Only what some assertion distinguishes is split.
        let lines = self.looks.iter().any(|(_, (look, _))| matches!(look, Look::StartLF | Look::EndLF));
        let words =
            self.looks.iter().any(|(_, (look, _))| matches!(look, Look::WordAscii | Look::WordAsciiNegate));
        let kinds =
            if lines || words { kinds().to_vec() } else { vec![(OTHER | WORD | LINE_FEED, EVERY.to_vec())] };
        let mut at = 0_usize;
        while let Some((own, (state, before, next))) = self.found.get(at).copied() {
            at = at.saturating_add(1);
            if state == self.end && next & EDGE != 0 {
                self.builder.accepting.push(own);
            }
            let targets = self.empties.row(state).to_vec();
            for target in targets {
                let target = self.number_of((target, before, next));
                self.builder.empties.push((own, target));
            }
            let first = self.looks.partition_point(|(from, _)| *from < state);
            let looks =
                self.looks.get(first..).unwrap_or_default().iter().take_while(|(from, _)| *from == state);
            let looks: Vec<(Look, u32)> = looks.map(|(_, look)| *look).collect();
            for (look, target) in looks {
                let allowed =
                    next & Condition::of_assertion(look).map_or(0, |condition| condition.next(before));
                if allowed != 0 {
                    let target = self.number_of((target, before, allowed));
                    self.builder.empties.push((own, target));
                }
            }
            let edges = self.edges.row(state).to_vec();
            for (label, target) in edges {
                let source = self.source.labels.get(to_usize(label)).map(Vec::as_slice).unwrap_or_default();
                for (kind, members) in kinds.iter().filter(|(kind, _)| kind & next != 0) {
                    let ranges = common(source, members);
                    if !ranges.is_empty() {
                        let target = self.number_of((target, *kind, ANY));
                        self.builder.class(own, &ranges, target);
                    }
                }
            }
            if self.builder.is_too_large() {
                return Err(TooLarge { hull: Language::all() });
            }
        }
        self.builder.build()
    }
}
