//! A regular expression with its compiled engines, each built when it is first used.

mod automaton;
mod cache;
mod effort;
mod engine;
mod groups;
mod utf8;

use std::sync::Arc;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

pub(crate) use regex_automata::meta::Regex;
use regex_syntax::hir::{Hir, Look};

use crate::language::Language;

use super::tree::Node;
use super::{Invalid, size, syntax, translate};

pub(crate) use effort::MAX_BYTES_READ;
pub(crate) use groups::GroupLanguage;

use cache::{Owner, Slot, Used};

/// A valid regular expression that is not too large, with its compiled engines.
pub(crate) struct Regexp {
    text: Box<str>,
    groups: Box<[Option<Box<str>>]>,
    /// The estimated size of the compiled expression in bytes.
    size: usize,
    /// Whether the expression has `\B`, which also holds inside a character. The engine's search for any match takes
    /// such an empty match for the answer and drops it; its search for the leftmost match goes on behind it.
    has_negated_boundary: bool,
    /// Whether the cache keeps the expression alive while nobody else does.
    is_held: AtomicBool,
    used: Used,
    plain: Slot<Regex>,
    grouped: Slot<Regex>,
    /// Whether an engine with groups would be too large, as an earlier attempt found.
    groups_too_large: AtomicBool,
    reach: Slot<effort::StepCounter>,
    automaton: Slot<automaton::Automaton>,
    /// Whether the automaton for prefixes would be too large, or could not decide, as an earlier attempt found.
    automaton_too_large: AtomicBool,
    language: Slot<Language>,
    /// Whether the language would be too large, as an earlier attempt found.
    language_too_large: AtomicBool,
    /// The cached result of [`group_languages`](Self::group_languages).
    groups_of_match: Slot<Vec<GroupLanguage>>,
    /// The answer of [`contains_all_with_prefix`](Self::contains_all_with_prefix) for the empty prefix.
    empty_prefix_answer: OnceLock<Option<bool>>,
}

/// The memory that the smallest search keeps for the next one, in bytes.
const SEARCH_CACHE_BYTES: usize = 1 << 14;

/// The maximum memory that a search may need for the positions of groups, in bytes.
const MAX_GROUP_BYTES: usize = 1 << 26;

/// The memory of an engine in bytes. A search keeps about as much again for the next one.
fn engine_size(regex: &Regex) -> usize {
    regex.memory_usage().saturating_mul(2).saturating_add(SEARCH_CACHE_BYTES)
}

impl Regexp {
    /// The expression of a text; shared with other users of the same text while it is in use or cached.
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
            has_negated_boundary: tree.nodes.contains(&Node::Look(Look::WordAsciiNegate)),
            is_held: AtomicBool::new(false),
            used: Used::default(),
            plain: Slot::default(),
            grouped: Slot::default(),
            groups_too_large: AtomicBool::new(false),
            reach: Slot::default(),
            automaton: Slot::default(),
            automaton_too_large: AtomicBool::new(false),
            language: Slot::default(),
            groups_of_match: Slot::default(),
            language_too_large: AtomicBool::new(false),
            empty_prefix_answer: OnceLock::new(),
        });
        cache::share(&regexp);
        Ok(regexp)
    }

    /// The text of the expression.
    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }

    /// The estimated size of the compiled expression in bytes.
    pub(crate) fn size(&self) -> usize {
        self.size
    }

    /// Whether an engine that finds matches is there already.
    pub(crate) fn is_compiled(&self) -> bool {
        self.plain.get().is_some() || self.grouped.get().is_some()
    }

    /// How the cache refers to this expression: it keeps the expression alive or not.
    fn cache_owner(self: &Arc<Regexp>) -> Owner {
        if self.is_held.load(Ordering::Relaxed) {
            Owner::Always(Arc::clone(self))
        } else {
            Owner::InUse(Arc::downgrade(self))
        }
    }

    /// The expression in the form that the engine compiles.
    pub(crate) fn translated(&self) -> Hir {
        // The text was parsed before, so it is valid.
        syntax::read(&self.text).map_or_else(|_| Hir::fail(), |tree| translate::translate(&self.text, &tree))
    }

    /// The engine that finds the position of a match, but not of its groups; compiled at the first call.
    pub(crate) fn engine(self: &Arc<Regexp>) -> Option<Arc<Regex>> {
        self.used.set();
        if let Some(regex) = self.plain.get() {
            return Some(regex);
        }
        let regex = engine::without_groups(&self.translated())?;
        let size = engine_size(&regex);
        Some(cache::put(self.cache_owner(), &self.plain, regex, size, |regexp| regexp.plain.clear()))
    }
}

impl Regexp {
    /// Like [`new`](Self::new), but keeps the expression cached while nobody uses it, for texts that come again and
    /// again.
    pub(crate) fn cached(text: &str) -> Result<Arc<Regexp>, Invalid> {
        let regexp = Regexp::new(text)?;
        if !regexp.is_held.load(Ordering::Relaxed) && !regexp.is_held.swap(true, Ordering::Relaxed) {
            let groups = size_of_val::<[_]>(&regexp.groups);
            let size = text.len().saturating_mul(2).saturating_add(groups);
            cache::count_bytes(regexp.cache_owner(), size, |regexp| {
                regexp.is_held.store(false, Ordering::Relaxed)
            });
        }
        Ok(regexp)
    }

    /// The names of the groups, from number 1 on; `None` for a group without a name.
    pub(crate) fn groups(&self) -> &[Option<Box<str>>] {
        &self.groups
    }

    /// The engine that finds the groups too, compiled at the first call; `None` if it would be too large.
    pub(crate) fn engine_with_groups(self: &Arc<Regexp>) -> Option<Arc<Regex>> {
        if self.groups.is_empty() {
            return self.engine();
        }
        self.used.set();
        if let Some(regex) = self.grouped.get() {
            return Some(regex);
        }
        if self.groups_too_large.load(Ordering::Relaxed) {
            return None;
        }
        let regex = if self.has_too_many_groups() { None } else { engine::with_groups(&self.translated()) };
        let Some(regex) = regex else {
            self.groups_too_large.store(true, Ordering::Relaxed);
            return None;
        };
        let size = engine_size(&regex);
        Some(cache::put(self.cache_owner(), &self.grouped, regex, size, |regexp| regexp.grouped.clear()))
    }

    /// Whether a search could need more than [`MAX_GROUP_BYTES`]: it keeps the positions of each group for each
    /// state.
    fn has_too_many_groups(&self) -> bool {
        let groups = self.groups.len().saturating_add(1);
        let states = (self.size / size::STATE).saturating_add(groups.saturating_mul(2));
        groups.saturating_mul(2).saturating_mul(size_of::<usize>()).saturating_mul(states) > MAX_GROUP_BYTES
    }

    /// The steps that a search for the first match in the text, or for all matches, takes at most: each state for each
    /// byte, and bytes that are read again. `None` if these are more than a search may take.
    pub(crate) fn effort(self: &Arc<Regexp>, text: &str, all: bool) -> Option<usize> {
        let of_states = (self.size / size::STATE).saturating_add(1).saturating_mul(text.len());
        if text.len() <= effort::UNCHECKED_BYTES {
            let read_again = if all { text.len().saturating_mul(text.len()) } else { 0 };
            return Some(of_states.saturating_add(read_again));
        }
        self.used.set();
        let reach = self.reach.get().or_else(|| {
            let reach = effort::StepCounter::new(&self.translated(), !self.groups.is_empty())?;
            let size = reach.size();
            Some(cache::put(self.cache_owner(), &self.reach, reach, size, |regexp| regexp.reach.clear()))
        });
        match reach {
            Some(reach) => Some(reach.steps(text, all)?.saturating_add(of_states)),
            // There is no automaton because it would be too large. A long literal has as many states as bytes, and
            // a search may be in all of them at once.
            None => effort::cheap_steps(self.size / size::STATE, text, all),
        }
    }
}

impl Regexp {
    /// Whether the expression matches anywhere in the text.
    pub(crate) fn is_match(self: &Arc<Regexp>, text: &str) -> bool {
        self.used.set();
        let is_match = |regex: &Regex| match self.has_negated_boundary {
            true => regex.find(text).is_some(),
            false => regex.is_match(text),
        };
        // Without groups, no valid expression is too large for an engine.
        self.plain.with(is_match).unwrap_or_else(|| self.engine().is_some_and(|regex| is_match(&regex)))
    }

    /// `Some(true)` if all texts with the prefix match, `Some(false)` if none does, else `None`.
    pub(crate) fn contains_all_with_prefix(self: &Arc<Regexp>, prefix: &str) -> Option<bool> {
        if prefix.is_empty() {
            *self.empty_prefix_answer.get_or_init(|| self.prefix_answer(prefix))
        } else {
            self.prefix_answer(prefix)
        }
    }

    /// The strings in which the expression finds a match, computed at the first call; `None` if the language would be
    /// too large.
    pub(crate) fn language(self: &Arc<Regexp>) -> Option<Arc<Language>> {
        self.used.set();
        if let Some(language) = self.language.get() {
            return Some(language);
        }
        if self.language_too_large.load(Ordering::Relaxed) {
            return None;
        }
        let Ok(language) = Language::from_hir(&self.translated()) else {
            self.language_too_large.store(true, Ordering::Relaxed);
            return None;
        };
        let size = language.size();
        let clear = |regexp: &Regexp| regexp.language.clear();
        Some(cache::put(self.cache_owner(), &self.language, language, size, clear))
    }

    /// The languages of the match and of each group: the strings that these can be in any text; computed at the first
    /// call. `None` if the expression has too many groups or is too deep.
    pub(crate) fn group_languages(self: &Arc<Regexp>) -> Option<Arc<Vec<GroupLanguage>>> {
        self.used.set();
        if let Some(groups) = self.groups_of_match.get() {
            return Some(groups);
        }
        let groups = groups::languages(&self.translated(), self.groups.len())?;
        let size = groups.iter().map(|group| group.language.size()).fold(0, usize::saturating_add);
        let clear = |regexp: &Regexp| regexp.groups_of_match.clear();
        Some(cache::put(self.cache_owner(), &self.groups_of_match, groups, size, clear))
    }

    /// The answer of [`contains_all_with_prefix`](Self::contains_all_with_prefix), computed by the automaton.
    fn prefix_answer(self: &Arc<Regexp>, prefix: &str) -> Option<bool> {
        self.used.set();
        if let Some(answer) = self.automaton.with(|automaton| automaton.prefix_answer(prefix)) {
            return answer;
        }
        if self.automaton_too_large.load(Ordering::Relaxed) {
            return self.language()?.contains_all_with_prefix(prefix);
        }
        let Some(automaton) = automaton::Automaton::of(&self.translated()) else {
            self.automaton_too_large.store(true, Ordering::Relaxed);
            // The automaton of a language knows `\B`, which that of bytes does not.
            return self.language()?.contains_all_with_prefix(prefix);
        };
        let size = automaton.size();
        let clear = |regexp: &Regexp| regexp.automaton.clear();
        cache::put(self.cache_owner(), &self.automaton, automaton, size, clear).prefix_answer(prefix)
    }
}

#[cfg(test)]
mod tests;
