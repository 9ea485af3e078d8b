//! Regular expressions with one meaning, for functions and rules: RE2's, as Go's package `regexp` has it.
//!
//! | | |
//! |---|---|
//! | syntax | that of Go 1.25, with its refusals: no `x**`, no count above 1000, no looking around or back |
//! | `\d \w \s \b`, `[[:alpha:]]` | about ASCII |
//! | `\pL`, `\p{Greek}` | general categories and scripts, by short or long names |
//! | `(?i)` | Unicode's simple folding, of each member of a class before it is negated: `(?i)\w` has `ſ` and `K` |
//! | `.` | any character but `\n`; with `(?s)` any |
//! | `^ $` | the beginning and the end of the text; with `(?m)` of a line, which ends at `\n` |
//! | match | the leftmost; of those the one that a backtracking search would find first |
//!
//! Reading an expression takes time and memory linear in its text, and refuses what would compile to more than 1 MiB.
//! It is compiled when it is first used, and what is compiled lies in one [`cache`].

mod automaton;
mod cache;
mod characters;
mod effort;
mod engine;
mod size;
mod syntax;
mod tree;
mod utf8;

use std::fmt;
use std::sync::Arc;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

pub(crate) use regex_automata::meta::Regex;
use regex_syntax::hir::ClassUnicode;
use regex_syntax::hir::Hir;

use cache::{Hold, Slot, Used};

/// A text that is a regular expression, and one that is not too large.
pub(crate) struct Regexp {
    text: Box<str>,
    groups: Box<[Option<Box<str>>]>,
    /// The estimated size of its graph of states, in bytes.
    size: usize,
    /// Whether the cache holds it also while nobody else does.
    is_held: AtomicBool,
    used: Used,
    plain: Slot<Regex>,
    grouped: Slot<Regex>,
    /// Whether an engine with groups would be too large.
    is_beyond_groups: AtomicBool,
    reach: Slot<effort::Reach>,
    automaton: Slot<automaton::Automaton>,
    /// Whether its automaton would be too large, or could not decide.
    is_beyond_automata: AtomicBool,
    /// What is decided of a text of which nothing is known.
    of_all_texts: OnceLock<Option<bool>>,
}

/// Why a text is not a regular expression, or not one that can be used.
#[derive(Debug, PartialEq)]
pub(crate) enum Invalid {
    /// In Go's words, and the part of the text they are about.
    Syntax {
        code: &'static str,
        part: String,
    },
    Limit(String),
}

impl Invalid {
    fn too_large() -> Invalid {
        Invalid::Limit("the regular expression is too large when compiled".to_owned())
    }
}

/// The longest part of a text that a message quotes, in characters.
const QUOTED: usize = 60;

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Invalid::Syntax { code, part } => {
                write!(f, "invalid regular expression: {code}")?;
                match part.char_indices().nth(QUOTED) {
                    _ if part.is_empty() => Ok(()),
                    None => write!(f, ": `{part}`"),
                    Some((end, _)) => write!(f, ": `{}`...", part.get(..end).unwrap_or_default()),
                }
            }
            Invalid::Limit(message) => f.write_str(message),
        }
    }
}

/// What the smallest search keeps for the next one, in bytes.
const SEARCH: usize = 1 << 14;

/// The most memory that a search may need for the places of groups, in bytes.
const PLACES: usize = 1 << 26;

/// The size of an engine: a search keeps about as much again for the next one.
fn engine_size(regex: &Regex) -> usize {
    regex.memory_usage().saturating_mul(2).saturating_add(SEARCH)
}

impl Regexp {
    /// The expression of a text, shared with others of the same text that are in use or cached.
    pub(crate) fn new(text: &str) -> Result<Arc<Regexp>, Invalid> {
        if let Some(known) = cache::find(text) {
            return Ok(known);
        }
        let tree = syntax::read(text)?;
        let size = size::estimate(text, &tree)?;
        let regexp = Arc::new(Regexp {
            text: text.into(),
            groups: tree.groups.into(),
            size,
            is_held: AtomicBool::new(false),
            used: Used::default(),
            plain: Slot::default(),
            grouped: Slot::default(),
            is_beyond_groups: AtomicBool::new(false),
            reach: Slot::default(),
            automaton: Slot::default(),
            is_beyond_automata: AtomicBool::new(false),
            of_all_texts: OnceLock::new(),
        });
        cache::share(&regexp);
        Ok(regexp)
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }

    fn hold(self: &Arc<Regexp>) -> Hold {
        if self.is_held.load(Ordering::Relaxed) {
            Hold::Always(Arc::clone(self))
        } else {
            Hold::InUse(Arc::downgrade(self))
        }
    }

    /// The expression as the engine sees it.
    pub(crate) fn translated(&self) -> Hir {
        // It was read before, so it can be read.
        syntax::read(&self.text).map_or_else(|_| Hir::fail(), |tree| engine::translate(&self.text, &tree))
    }

    /// An engine that finds where a match is, but not where its groups are.
    pub(crate) fn engine(self: &Arc<Regexp>) -> Option<Arc<Regex>> {
        self.used.set();
        if let Some(regex) = self.plain.get() {
            return Some(regex);
        }
        let regex = engine::without_groups(&self.translated())?;
        let size = engine_size(&regex);
        Some(cache::put(self.hold(), &self.plain, regex, size, |regexp| regexp.plain.clear()))
    }
}

impl Regexp {
    /// Like [`new`](Self::new), for a text that will come again while nobody has its expression.
    pub(crate) fn cached(text: &str) -> Result<Arc<Regexp>, Invalid> {
        let regexp = Regexp::new(text)?;
        if !regexp.is_held.load(Ordering::Relaxed) && !regexp.is_held.swap(true, Ordering::Relaxed) {
            let groups = size_of_val::<[_]>(&regexp.groups);
            let size = text.len().saturating_mul(2).saturating_add(groups);
            cache::charge(regexp.hold(), size, |regexp| regexp.is_held.store(false, Ordering::Relaxed));
        }
        Ok(regexp)
    }

    /// The names of its groups, from the first on.
    pub(crate) fn groups(&self) -> &[Option<Box<str>>] {
        &self.groups
    }

    /// An engine that finds the groups too. None where it would be too large.
    pub(crate) fn engine_with_groups(self: &Arc<Regexp>) -> Option<Arc<Regex>> {
        if self.groups.is_empty() {
            return self.engine();
        }
        self.used.set();
        if let Some(regex) = self.grouped.get() {
            return Some(regex);
        }
        if self.is_beyond_groups.load(Ordering::Relaxed) {
            return None;
        }
        let regex = if self.has_too_many_groups() { None } else { engine::with_groups(&self.translated()) };
        let Some(regex) = regex else {
            self.is_beyond_groups.store(true, Ordering::Relaxed);
            return None;
        };
        let size = engine_size(&regex);
        Some(cache::put(self.hold(), &self.grouped, regex, size, |regexp| regexp.grouped.clear()))
    }

    /// Whether a search could need more than [`PLACES`] for the places of the groups: it keeps those of each group
    /// for each state.
    fn has_too_many_groups(&self) -> bool {
        let groups = self.groups.len().saturating_add(1);
        let states = (self.size / size::STATE).saturating_add(groups.saturating_mul(2));
        groups.saturating_mul(2).saturating_mul(size_of::<usize>()).saturating_mul(states) > PLACES
    }

    /// Whether it takes no more steps than allowed to find the first match in a text, or all of them.
    pub(crate) fn is_within_effort(self: &Arc<Regexp>, text: &str, all: bool) -> bool {
        if text.len() <= effort::SHORT {
            return true;
        }
        self.used.set();
        let reach = self.reach.get().or_else(|| {
            let reach = effort::Reach::new(&self.translated(), !self.groups.is_empty())?;
            let size = reach.size();
            Some(cache::put(self.hold(), &self.reach, reach, size, |regexp| regexp.reach.clear()))
        });
        match reach {
            Some(reach) => reach.is_within(text, all),
            // Its automaton would be too large: a long literal has as many states as bytes, and all of them can be met.
            None => effort::is_little(self.size / size::STATE, text, all),
        }
    }
}

impl Regexp {
    /// Whether a match is anywhere in a text.
    pub(crate) fn is_match(self: &Arc<Regexp>, text: &str) -> bool {
        self.used.set();
        let answer = self.plain.ask(|regex| regex.is_match(text));
        // Without groups no expression is too large for an engine.
        answer.unwrap_or_else(|| self.engine().is_some_and(|regex| regex.is_match(text)))
    }

    /// Whether all texts with a beginning match, or none does.
    pub(crate) fn decides_prefix(self: &Arc<Regexp>, prefix: &str) -> Option<bool> {
        if prefix.is_empty() {
            *self.of_all_texts.get_or_init(|| self.decides(prefix))
        } else {
            self.decides(prefix)
        }
    }

    fn decides(self: &Arc<Regexp>, prefix: &str) -> Option<bool> {
        self.used.set();
        if let Some(answer) = self.automaton.ask(|automaton| automaton.decides(prefix)) {
            return answer;
        }
        if self.is_beyond_automata.load(Ordering::Relaxed) {
            return None;
        }
        let Some(automaton) = automaton::Automaton::of(&self.translated()) else {
            self.is_beyond_automata.store(true, Ordering::Relaxed);
            return None;
        };
        let size = automaton.size();
        let clear = |regexp: &Regexp| regexp.automaton.clear();
        cache::put(self.hold(), &self.automaton, automaton, size, clear).decides(prefix)
    }
}

/// The characters of a class such as `\pL`, if the text is one.
pub(crate) fn characters(class: &str) -> Option<ClassUnicode> {
    match syntax::read(class).ok()?.nodes.as_slice() {
        [tree::Node::Class { .. }] => Some(syntax::members(class, false, 0)),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
