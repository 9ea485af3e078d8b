//! What the beginning of a text says about a regular expression, by its automaton.
//!
//! The automaton of the search is joined with one that accepts UTF-8, for a text goes on with whole characters. Of
//! each state it is worked out once whether some continuation matches and whether some does not; so the answer for a
//! beginning costs no more than reading it.

use std::collections::HashMap;

use regex_automata::dfa::{Automaton as _, StartKind, dense};
use regex_automata::nfa::thompson::{self, WhichCaptures};
use regex_automata::util::primitives::StateID;
use regex_automata::util::start;
use regex_syntax::hir::{Hir, Look};

use super::utf8::{self, Utf8};

/// How large an automaton may be, in bytes; what makes it may take four times as much.
const SIZE: usize = 1 << 20;

/// How many pairs of states, and ways between them, are looked at.
const PAIRS: usize = 1 << 16;
const WAYS: usize = 1 << 20;

/// Of a pattern that fits into the limits.
pub(super) struct Automaton {
    dfa: dense::DFA<Vec<u32>>,
    start: StateID,
    /// For each state, at the end of a character, what can become of the text.
    fates: HashMap<StateID, Fate>,
}

/// What the continuations of a text can do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Fate {
    matches: bool,
    misses: bool,
}

impl Fate {
    fn answer(self) -> Option<bool> {
        match (self.matches, self.misses) {
            (true, false) => Some(true),
            (false, true) => Some(false),
            _ => None,
        }
    }
}

impl Automaton {
    /// None where the automaton would be too large, or where the expression looks at places that are not between
    /// words: between the bytes of one character an automaton of bytes sees such places too, and a search does not.
    pub(super) fn of(hir: &Hir) -> Option<Automaton> {
        if hir.properties().look_set().contains(Look::WordAsciiNegate) {
            return None;
        }
        let config = dense::Config::new()
            .start_kind(StartKind::Unanchored)
            .accelerate(false)
            .dfa_size_limit(Some(SIZE))
            .determinize_size_limit(Some(SIZE.saturating_mul(4)));
        let limit = thompson::Config::new().nfa_size_limit(Some(SIZE)).which_captures(WhichCaptures::None);
        let nfa = thompson::Compiler::new().configure(limit).build_from_hir(hir).ok()?;
        let dfa = dense::Builder::new().configure(config).build_from_nfa(&nfa).ok()?;
        let start = dfa.start_state(&start::Config::new()).ok()?;
        let fates = Pairs::of(&dfa, start)?.fates();
        Some(Automaton { dfa, start, fates })
    }

    /// How many bytes it takes.
    pub(super) fn size(&self) -> usize {
        let fates = self.fates.capacity().saturating_mul(size_of::<(StateID, Fate, u32, u32)>());
        self.dfa.memory_usage().saturating_add(fates).saturating_add(size_of::<Automaton>())
    }

    /// Whether all texts with this beginning match, or none does. Linear in the beginning.
    pub(super) fn decides(&self, beginning: &str) -> Option<bool> {
        let mut state = self.start;
        for byte in beginning.bytes() {
            state = self.dfa.next_state(state, byte);
            if self.dfa.is_match_state(state) {
                return Some(true);
            }
            if self.dfa.is_dead_state(state) {
                return Some(false);
            }
        }
        self.fates.get(&state)?.answer()
    }
}

/// The pairs of a state of the search and a state of UTF-8 that texts lead to.
struct Pairs {
    /// With what is known of each pair by itself.
    pairs: Vec<(StateID, Utf8, Fate)>,
    /// For each pair, the pairs that lead to it.
    from: Vec<Vec<u32>>,
}

impl Pairs {
    fn of(dfa: &dense::DFA<Vec<u32>>, start: StateID) -> Option<Pairs> {
        let bytes = different_bytes(dfa);
        let mut found: HashMap<(StateID, Utf8), u32> = HashMap::from([((start, Utf8::Whole), 0)]);
        let mut pairs = vec![(start, Utf8::Whole, by_itself(dfa, start, Utf8::Whole))];
        let mut from: Vec<Vec<u32>> = vec![Vec::new()];
        let (mut at, mut ways) = (0_usize, 0_usize);
        while let Some(&(state, utf8, _)) = pairs.get(at) {
            let here = u32::try_from(at).ok()?;
            at = at.saturating_add(1);
            // A match stays one whatever follows, and nothing follows a dead end.
            if dfa.is_match_state(state) || dfa.is_dead_state(state) || dfa.is_quit_state(state) {
                continue;
            }
            for byte in &bytes {
                let Some(next_utf8) = utf8.after(*byte) else { continue };
                let next = dfa.next_state(state, *byte);
                let index = *found.entry((next, next_utf8)).or_insert_with(|| {
                    pairs.push((next, next_utf8, by_itself(dfa, next, next_utf8)));
                    from.push(Vec::new());
                    u32::try_from(pairs.len().saturating_sub(1)).unwrap_or(u32::MAX)
                });
                from.get_mut(usize::try_from(index).ok()?)?.push(here);
                ways = ways.saturating_add(1);
            }
            if pairs.len() > PAIRS || ways > WAYS {
                return None;
            }
        }
        Some(Pairs { pairs, from })
    }

    /// From where texts can end, back to all that lead there.
    fn fates(mut self) -> HashMap<StateID, Fate> {
        self.spread(|fate| fate.matches, |fate| fate.matches = true);
        self.spread(|fate| fate.misses, |fate| fate.misses = true);
        let whole = self.pairs.into_iter().filter(|(_, utf8, _)| *utf8 == Utf8::Whole);
        whole.map(|(state, _, fate)| (state, fate)).collect()
    }

    fn spread(&mut self, has: impl Fn(&Fate) -> bool, set: impl Fn(&mut Fate)) {
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

/// What is known of a pair without what follows.
fn by_itself(dfa: &dense::DFA<Vec<u32>>, state: StateID, utf8: Utf8) -> Fate {
    if dfa.is_match_state(state) {
        Fate { matches: true, misses: false }
    } else if dfa.is_dead_state(state) {
        Fate { matches: false, misses: true }
    } else if dfa.is_quit_state(state) {
        Fate { matches: true, misses: true }
    } else if utf8 == Utf8::Whole {
        let matches = dfa.is_match_state(dfa.next_eoi_state(state));
        Fate { matches, misses: !matches }
    } else {
        Fate::default()
    }
}

/// One of each kind of bytes that neither automaton tells apart.
fn different_bytes(dfa: &dense::DFA<Vec<u32>>) -> Vec<u8> {
    let classes = dfa.byte_classes();
    let mut seen = HashMap::new();
    for byte in 0..=u8::MAX {
        seen.entry((classes.get(byte), utf8::kind(byte))).or_insert(byte);
    }
    let mut bytes: Vec<u8> = seen.into_values().collect();
    bytes.sort_unstable();
    bytes
}
