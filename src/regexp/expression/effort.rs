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

/// The length of texts in bytes up to which [`Regexp::effort`](super::Regexp::effort) allows any
/// search.
pub(super) const UNCHECKED_BYTES: usize = 64;

/// The number of steps (states times bytes) up to which a search is allowed without a trial read of the text.
const CHEAP_STEPS: usize = 1 << 25;
/// The maximum number of bytes that a search may read; a search for all matches reads some bytes several times.
pub(crate) const MAX_BYTES_READ: usize = 1 << 25;
/// The maximum number of steps (states times bytes) of a search for the groups of all matches.
const MAX_GROUP_STEPS: usize = 1 << 28;
/// How often the lazily built automaton may drop its states and start again.
const MAX_CACHE_CLEARS: usize = 2;

/// The length of texts in bytes up to which a search for all matches counts as if it read the rest of the text for each
/// byte: reading the text beforehand would cost as much.
const SHORT_BYTES: usize = 256;

/// The steps of a search if they are at most [`CHEAP_STEPS`] whatever the text contains: at worst each state takes a
/// step for each byte, and with `all` this is repeated from each byte.
pub(super) fn cheap_steps(states: usize, text: &str, all: bool) -> Option<usize> {
    let steps = states.saturating_mul(text.len());
    let steps = steps.saturating_mul(if all { text.len() } else { 1 });
    (steps <= CHEAP_STEPS).then_some(steps)
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

    /// The bytes that a search for the first match reads, or with `all` for all matches; `None` if it exceeds the limits.
    pub(super) fn steps(&self, text: &str, all: bool) -> Option<usize> {
        let states = self.automaton.get_nfa().states().len();
        let of_groups = if self.has_groups { states.saturating_mul(text.len()) } else { 0 };
        let is_cheap = cheap_steps(states, text, all).is_some();
        let read = match all {
            false if is_cheap => text.len(),
            true if is_cheap && text.len() <= SHORT_BYTES => text.len().saturating_mul(text.len()),
            _ if !is_cheap && of_groups > MAX_GROUP_STEPS => return None,
            // A cheap search stays within the limits, whatever the automaton does.
            _ => match self.read_as_search(text, all) {
                Some(read) => read,
                None if is_cheap => MAX_BYTES_READ,
                None => return None,
            },
        };
        Some(read)
    }

    /// Reads the text as a search would, without any result, and returns the number of bytes that it reads; `None` if
    /// that exceeds the limits.
    fn read_as_search(&self, text: &str, all: bool) -> Option<usize> {
        let mut cache = self.automaton.create_cache();
        let (mut at, mut left) = (0_usize, MAX_BYTES_READ);
        while at <= text.len() {
            match self.next_match_end(&mut cache, text, at, &mut left)? {
                Some(end) if all => at = end.max(at.saturating_add(1)),
                _ => break,
            }
        }
        Some(MAX_BYTES_READ.saturating_sub(left))
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
