//! How much work it is to search a text for a pattern.
//!
//! One search takes time linear in the text. Searching on after each match need not: for `.*[^a-z]|[a-z]` each of the
//! matches in `aaaa…` is one letter, and to find it all of the text is read. And the time that a character takes grows
//! with the pattern, unless the states that it can be in are few. So the text is read before it is searched, by an
//! automaton that is built as it goes, and what takes too many steps, or makes too many states, is refused.

use regex_automata::Input;
use regex_automata::hybrid::dfa::{Cache, DFA};
use regex_automata::nfa::thompson;
use regex_syntax::hir::Hir;

use super::size::SIZE;

/// A text of so many bytes is searched without a look at the effort.
pub(super) const SHORT: usize = 64;

/// What is below this whatever the text is, in steps of states, is not looked at.
const LITTLE: usize = 1 << 25;
/// How many bytes may be read.
const STEPS: usize = 1 << 25;
/// How many steps of states finding the groups of all matches may take.
const GROUPS: usize = 1 << 28;
/// How often the states that have been built may be too many to keep.
const CLEARED: usize = 2;

/// Whether a search takes little time whatever the text is: it looks at each state for each byte.
pub(super) fn is_little(states: usize, text: &str, all: bool) -> bool {
    let steps = states.saturating_mul(text.len());
    steps.saturating_mul(if all { text.len() } else { 1 }) <= LITTLE
}

/// A pattern as an automaton that tells how far it reads.
pub(super) struct Reach {
    automaton: DFA,
    has_groups: bool,
}

impl Reach {
    /// None for what there is no such automaton for.
    pub(super) fn new(hir: &Hir, has_groups: bool) -> Option<Reach> {
        let config = DFA::config()
            .skip_cache_capacity_check(true)
            .minimum_cache_clear_count(Some(CLEARED))
            .minimum_bytes_per_state(None);
        let limit = thompson::Config::new().nfa_size_limit(Some(SIZE));
        let nfa = thompson::Compiler::new().configure(limit).build_from_hir(hir).ok()?;
        let automaton = DFA::builder().configure(config).build_from_nfa(nfa).ok()?;
        Some(Reach { automaton, has_groups })
    }

    /// How many bytes it takes.
    pub(super) fn size(&self) -> usize {
        self.automaton.get_nfa().memory_usage().saturating_add(size_of::<Reach>())
    }

    /// Whether it takes no more than it may to find the first match, or all of them.
    pub(super) fn is_within(&self, text: &str, all: bool) -> bool {
        let states = self.automaton.get_nfa().states().len();
        let is_for_groups = states.saturating_mul(text.len()) <= GROUPS;
        is_little(states, text, all) || (!self.has_groups || is_for_groups) && self.reads(text, all).is_some()
    }

    /// Reads the text as a search does. None if that takes too long.
    fn reads(&self, text: &str, all: bool) -> Option<()> {
        let mut cache = self.automaton.create_cache();
        let (mut at, mut left) = (0_usize, STEPS);
        while at <= text.len() {
            match self.next(&mut cache, text, at, &mut left)? {
                Some(end) if all => at = end.max(at.saturating_add(1)),
                _ => break,
            }
        }
        Some(())
    }

    /// Where the next match ends.
    fn next(&self, cache: &mut Cache, text: &str, at: usize, left: &mut usize) -> Option<Option<usize>> {
        let input = Input::new(text).span(at..text.len());
        let mut state = self.automaton.start_state_forward(cache, &input).ok()?;
        let mut found = None;
        for (end, byte) in text.bytes().enumerate().skip(at) {
            *left = left.checked_sub(1)?;
            state = self.automaton.next_state(cache, state, byte).ok()?;
            if state.is_match() {
                // It is told one byte late.
                found = Some(end);
            } else if state.is_dead() || state.is_quit() {
                return Some(found);
            }
        }
        state = self.automaton.next_eoi_state(cache, state).ok()?;
        Some(if state.is_match() { Some(text.len()) } else { found })
    }
}
