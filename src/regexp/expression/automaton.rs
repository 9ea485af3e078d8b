//! Decides whether a regular expression matches all texts with a prefix, or none, by an automaton.
//!
//! The automaton of the search is combined with one that accepts UTF-8, since texts continue with whole characters.
//! For each combined state it is computed once whether some continuation matches and whether some does not. So the
//! answer for a prefix costs no more than reading it.

use std::collections::HashMap;

use regex_automata::dfa::{Automaton as _, StartKind, dense};
use regex_automata::nfa::thompson::{self, WhichCaptures};
use regex_automata::util::primitives::StateID;
use regex_automata::util::start;
use regex_syntax::hir::{Hir, Look};

use super::utf8::{self, Utf8};

/// The maximum size of the automaton in bytes; building it may take four times as much.
const MAX_BYTES: usize = 1 << 20;

/// The maximum number of reachable pairs of states, and of transitions between them, that are examined.
const MAX_PAIRS: usize = 1 << 16;
/// The maximum number of transitions between the pairs that are examined.
const MAX_TRANSITIONS: usize = 1 << 20;

/// The automaton that decides whether all texts with a prefix match.
pub(super) struct Automaton {
    dfa: dense::DFA<Vec<u32>>,
    start: StateID,
    /// For each state of the search at the end of a character: whether continuations match.
    continuations: HashMap<StateID, Continuations>,
}

/// Whether some text with a certain prefix matches, and whether some such text does not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Continuations {
    matches: bool,
    misses: bool,
}

impl Continuations {
    /// `Some(true)` if all continuations match, `Some(false)` if none does, else `None`.
    fn decided(self) -> Option<bool> {
        match (self.matches, self.misses) {
            (true, false) => Some(true),
            (false, true) => Some(false),
            _ => None,
        }
    }
}

impl Automaton {
    /// The automaton of an expression; `None` if it would be too large, or if the expression contains `\B`. Between
    /// the bytes of one character an automaton of bytes sees non-boundaries that a search does not.
    pub(super) fn of(hir: &Hir) -> Option<Automaton> {
        if hir.properties().look_set().contains(Look::WordAsciiNegate) {
            return None;
        }
        let config = dense::Config::new()
            .start_kind(StartKind::Unanchored)
            .accelerate(false)
            .dfa_size_limit(Some(MAX_BYTES))
            .determinize_size_limit(Some(MAX_BYTES.saturating_mul(4)));
        let limit =
            thompson::Config::new().nfa_size_limit(Some(MAX_BYTES)).which_captures(WhichCaptures::None);
        let nfa = thompson::Compiler::new().configure(limit).build_from_hir(hir).ok()?;
        let dfa = dense::Builder::new().configure(config).build_from_nfa(&nfa).ok()?;
        let start = dfa.start_state(&start::Config::new()).ok()?;
        let continuations = StatePairs::of(&dfa, start)?.continuations();
        Some(Automaton { dfa, start, continuations })
    }

    /// The size in bytes.
    pub(super) fn size(&self) -> usize {
        let continuations =
            self.continuations.capacity().saturating_mul(size_of::<(StateID, Continuations, u32, u32)>());
        self.dfa.memory_usage().saturating_add(continuations).saturating_add(size_of::<Automaton>())
    }

    /// `Some(true)` if all texts with the prefix match, `Some(false)` if none does, else `None`. Linear in the
    /// prefix.
    pub(super) fn prefix_answer(&self, prefix: &str) -> Option<bool> {
        let mut state = self.start;
        for byte in prefix.bytes() {
            state = self.dfa.next_state(state, byte);
            if self.dfa.is_match_state(state) {
                return Some(true);
            }
            if self.dfa.is_dead_state(state) {
                return Some(false);
            }
        }
        self.continuations.get(&state)?.decided()
    }
}

/// The reachable pairs of a state of the search and a state of the UTF-8 decoder. Only continuations that are valid
/// UTF-8 count.
struct StatePairs {
    /// Each pair, with its own answer: that of the text that ends there.
    pairs: Vec<(StateID, Utf8, Continuations)>,
    /// For each pair, the pairs with a transition to it.
    from: Vec<Vec<u32>>,
}

impl StatePairs {
    /// All pairs that can be reached from the start; `None` beyond the limits.
    fn of(dfa: &dense::DFA<Vec<u32>>, start: StateID) -> Option<StatePairs> {
        let bytes = byte_class_representatives(dfa);
        let mut found: HashMap<(StateID, Utf8), u32> = HashMap::from([((start, Utf8::Whole), 0)]);
        let mut pairs = vec![(start, Utf8::Whole, own_answer(dfa, start, Utf8::Whole))];
        let mut from: Vec<Vec<u32>> = vec![Vec::new()];
        let (mut at, mut ways) = (0_usize, 0_usize);
        while let Some(&(state, utf8, _)) = pairs.get(at) {
            let here = u32::try_from(at).ok()?;
            at = at.saturating_add(1);
            // A match state stays a match whatever follows, and a dead state has no transitions.
            if dfa.is_match_state(state) || dfa.is_dead_state(state) || dfa.is_quit_state(state) {
                continue;
            }
            for byte in &bytes {
                let Some(next_utf8) = utf8.after(*byte) else { continue };
                let next = dfa.next_state(state, *byte);
                let index = *found.entry((next, next_utf8)).or_insert_with(|| {
                    pairs.push((next, next_utf8, own_answer(dfa, next, next_utf8)));
                    from.push(Vec::new());
                    u32::try_from(pairs.len().saturating_sub(1)).unwrap_or(u32::MAX)
                });
                from.get_mut(usize::try_from(index).ok()?)?.push(here);
                ways = ways.saturating_add(1);
            }
            if pairs.len() > MAX_PAIRS || ways > MAX_TRANSITIONS {
                return None;
            }
        }
        Some(StatePairs { pairs, from })
    }

    /// For each state of the search at the end of a character, whether some continuation matches and some does not.
    fn continuations(mut self) -> HashMap<StateID, Continuations> {
        self.spread_backwards(|fate| fate.matches, |fate| fate.matches = true);
        self.spread_backwards(|fate| fate.misses, |fate| fate.misses = true);
        let whole = self.pairs.into_iter().filter(|(_, utf8, _)| *utf8 == Utf8::Whole);
        whole.map(|(state, _, fate)| (state, fate)).collect()
    }

    /// Sets a property (`set`, tested by `has`) of all pairs from which a pair with the property can be reached.
    fn spread_backwards(&mut self, has: impl Fn(&Continuations) -> bool, set: impl Fn(&mut Continuations)) {
        let reached = self.pairs.iter().enumerate().filter(|(_, (_, _, fate))| has(fate));
        let mut open: Vec<usize> = reached.map(|(index, _)| index).collect();
        while let Some(index) = open.pop() {
            for before in self.from.get(index).into_iter().flatten() {
                let before = usize::try_from(*before).unwrap_or(usize::MAX);
                if let Some((_, _, fate)) = self.pairs.get_mut(before)
                    && !has(fate)
                {
                    set(fate);
                    open.push(before);
                }
            }
        }
    }
}

/// Whether the text matches that ends in this state; for a state that cannot be left, whether its continuations do.
fn own_answer(dfa: &dense::DFA<Vec<u32>>, state: StateID, utf8: Utf8) -> Continuations {
    if dfa.is_match_state(state) {
        Continuations { matches: true, misses: false }
    } else if dfa.is_dead_state(state) {
        Continuations { matches: false, misses: true }
    } else if dfa.is_quit_state(state) {
        Continuations { matches: true, misses: true }
    } else if utf8 == Utf8::Whole {
        let matches = dfa.is_match_state(dfa.next_eoi_state(state));
        Continuations { matches, misses: !matches }
    } else {
        Continuations::default()
    }
}

/// One byte of each class of bytes that neither the search nor the UTF-8 decoder distinguishes.
fn byte_class_representatives(dfa: &dense::DFA<Vec<u32>>) -> Vec<u8> {
    let classes = dfa.byte_classes();
    let mut seen = HashMap::new();
    for byte in 0..=u8::MAX {
        seen.entry((classes.get(byte), utf8::kind(byte))).or_insert(byte);
    }
    let mut bytes: Vec<u8> = seen.into_values().collect();
    bytes.sort_unstable();
    bytes
}
