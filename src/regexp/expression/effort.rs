//! Bounds the work of searching a text.
//!
//! One search takes time linear in the text. A search for all matches may not: with `.*[^a-z]|[a-z]` each match in
//! `aaaa…` is one letter, and finding it reads the whole text. And the time for one character grows with the
//! expression, unless the sets of states that a search is in are few. So the text is read beforehand by a lazily
//! built automaton, and a search that takes too many steps or builds too many states is refused.

use regex_automata::Input;
use regex_automata::hybrid::dfa::{Cache, DFA};
use regex_automata::nfa::thompson;
use regex_syntax::hir::Hir;

use crate::regexp::size::SIZE;

/// The length of texts in bytes up to which [`Regexp::is_within_effort`](super::Regexp::is_within_effort) allows any
/// search.
pub(super) const UNCHECKED_BYTES: usize = 64;

/// The number of steps (states times bytes) up to which a search is allowed without a trial read of the text.
const CHEAP_STEPS: usize = 1 << 25;
/// The maximum number of bytes that a search may read; a search for all matches reads some bytes several times.
const MAX_BYTES_READ: usize = 1 << 25;
/// The maximum number of steps (states times bytes) of a search for the groups of all matches.
const MAX_GROUP_STEPS: usize = 1 << 28;
/// How often the lazily built automaton may drop its states and start again.
const MAX_CACHE_CLEARS: usize = 2;

/// Whether a search has at most [`CHEAP_STEPS`] steps whatever the text contains: at worst each state takes a step
/// for each byte, and with `all` this is repeated from each byte.
pub(super) fn is_cheap(states: usize, text: &str, all: bool) -> bool {
    let steps = states.saturating_mul(text.len());
    steps.saturating_mul(if all { text.len() } else { 1 }) <= CHEAP_STEPS
}

/// Counts the bytes that a search for an expression reads, with a lazily built automaton.
pub(super) struct StepCounter {
    automaton: DFA,
    has_groups: bool,
}

impl StepCounter {
    /// The counter of an expression; `None` if its automaton would be too large or cannot be built.
    pub(super) fn new(hir: &Hir, has_groups: bool) -> Option<StepCounter> {
        let config = DFA::config()
            .skip_cache_capacity_check(true)
            .minimum_cache_clear_count(Some(MAX_CACHE_CLEARS))
            .minimum_bytes_per_state(None);
        let limit = thompson::Config::new().nfa_size_limit(Some(SIZE));
        let nfa = thompson::Compiler::new().configure(limit).build_from_hir(hir).ok()?;
        let automaton = DFA::builder().configure(config).build_from_nfa(nfa).ok()?;
        Some(StepCounter { automaton, has_groups })
    }

    /// The size in bytes.
    pub(super) fn size(&self) -> usize {
        self.automaton.get_nfa().memory_usage().saturating_add(size_of::<StepCounter>())
    }

    /// Whether a search for the first match, or with `all` for all matches, stays within the limits.
    pub(super) fn is_within(&self, text: &str, all: bool) -> bool {
        let states = self.automaton.get_nfa().states().len();
        let is_for_groups = states.saturating_mul(text.len()) <= MAX_GROUP_STEPS;
        is_cheap(states, text, all)
            || (!self.has_groups || is_for_groups) && self.read_as_search(text, all).is_some()
    }

    /// Reads the text as a search would, without any result; `None` if that exceeds the limits.
    fn read_as_search(&self, text: &str, all: bool) -> Option<()> {
        let mut cache = self.automaton.create_cache();
        let (mut at, mut left) = (0_usize, MAX_BYTES_READ);
        while at <= text.len() {
            match self.next_match_end(&mut cache, text, at, &mut left)? {
                Some(end) if all => at = end.max(at.saturating_add(1)),
                _ => break,
            }
        }
        Some(())
    }

    /// The end in bytes of the next match from byte `at` on; `Some(None)` if there is no match, `None` if the search
    /// exceeds the limits. Subtracts the bytes read from `left`.
    fn next_match_end(
        &self,
        cache: &mut Cache,
        text: &str,
        at: usize,
        left: &mut usize,
    ) -> Option<Option<usize>> {
        let input = Input::new(text).span(at..text.len());
        let mut state = self.automaton.start_state_forward(cache, &input).ok()?;
        let mut found = None;
        for (end, byte) in text.bytes().enumerate().skip(at) {
            *left = left.checked_sub(1)?;
            state = self.automaton.next_state(cache, state, byte).ok()?;
            if state.is_match() {
                // The automaton reports a match one byte late.
                found = Some(end);
            } else if state.is_dead() || state.is_quit() {
                return Some(found);
            }
        }
        state = self.automaton.next_eoi_state(cache, state).ok()?;
        Some(if state.is_match() { Some(text.len()) } else { found })
    }
}
