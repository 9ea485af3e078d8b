//! Deterministic automata that are not minimal yet, and the product of two languages.

use super::Language;
use super::alphabet::Alphabet;
use super::rows::{get, number, put, to_usize};

/// The maximum number of transitions of an automaton before it is minimised: eight times as many as a language has.
/// Measured: minimising that many takes about 10 ms.
pub(super) const MAX_TABLE: usize = 1 << 17;

/// A complete deterministic automaton, not necessarily minimal. The start is state 0, and all states can be reached
/// from it.
#[derive(Clone, Debug, Default)]
pub(super) struct Dfa {
    pub(super) alphabet: Alphabet,
    pub(super) accepting: Vec<bool>,
    /// The target of each state and class: at place state times classes plus class.
    pub(super) targets: Vec<u32>,
}

impl Dfa {
    /// The targets of the transitions from a state, one for each class of characters.
    pub(super) fn row(&self, state: u32) -> &[u32] {
        let classes = to_usize(self.alphabet.classes);
        let start = to_usize(state).saturating_mul(classes);
        self.targets.get(start..start.saturating_add(classes)).unwrap_or_default()
    }
}

/// The pairs of states of two languages that some string leads to, numbered as they are found: a product automaton
/// while it is explored.
struct Pairs<'a> {
    a: &'a Language,
    b: &'a Language,
    alphabet: Alphabet,
    /// For each class of the joint alphabet, the classes of the two languages.
    classes: Vec<(u32, u32)>,
    /// For each possible pair its number plus one, or 0.
    numbers: Vec<u32>,
    found: Vec<(u32, u32)>,
}

impl<'a> Pairs<'a> {
    /// The pairs with that of the two start states only.
    fn new(a: &'a Language, b: &'a Language) -> Pairs<'a> {
        let (alphabet, classes) = Alphabet::joint(a.divided(), b.divided());
        let numbers = vec![0; a.states().saturating_mul(b.states())];
        let mut pairs = Pairs { a, b, alphabet, classes, numbers, found: Vec::new() };
        pairs.number_of((0, 0));
        pairs
    }

    /// The number of a pair of states. A pair without a number gets the next one and is added to `found`.
    #[inline]
    fn number_of(&mut self, pair: (u32, u32)) -> u32 {
        let place = to_usize(pair.0).saturating_mul(self.b.states()).saturating_add(to_usize(pair.1));
        match self.numbers.get(place).copied() {
            Some(known) if known > 0 => known.saturating_sub(1),
            _ => {
                let fresh = number(self.found.len());
                put(&mut self.numbers, number(place), fresh.saturating_add(1));
                self.found.push(pair);
                fresh
            }
        }
    }

    /// Whether the first state of a pair accepts, and whether the second one does.
    fn accepting(&self, (left, right): (u32, u32)) -> (bool, bool) {
        (self.a.accepts_at(left), self.b.accepts_at(right))
    }
}

/// The product automaton of two languages, and whether one language contains the other.
pub(super) struct Product {
    pub(super) dfa: Dfa,
    /// Whether each string of the first language is one of the second.
    pub(super) is_subset: bool,
    /// Whether each string of the second language is one of the first.
    pub(super) is_superset: bool,
}

/// The automaton that accepts a string if `accepts` returns true for its membership in the first and in the second
/// language; `None` if it is too large.
pub(super) fn product(a: &Language, b: &Language, accepts: fn(bool, bool) -> bool) -> Option<Product> {
    let mut pairs = Pairs::new(a, b);
    let mut result = Product { dfa: Dfa::default(), is_subset: true, is_superset: true };
    // Where a language has no more strings and the result has none without it, the other language does not matter: all
    // such pairs are one.
    let (dead_a, dead_b) = (a.dead_state(), b.dead_state());
    let is_needed = |without: bool| without || accepts(false, false);
    let sink_a = dead_a.filter(|_| !is_needed(accepts(false, true)));
    let sink_b = dead_b.filter(|_| !is_needed(accepts(true, false)));
    let mut sink: Option<(u32, u32)> = None;
    let mut at = 0_usize;
    while let Some(pair) = pairs.found.get(at).copied() {
        at = at.saturating_add(1);
        let (in_a, in_b) = pairs.accepting(pair);
        if sink != Some(pair) {
            result.is_subset &= in_b || !in_a;
            result.is_superset &= in_a || !in_b;
        }
        result.dfa.accepting.push(accepts(in_a, in_b));
        let (left, right) = (a.row(pair.0), b.row(pair.1));
        for class in 0..pairs.classes.len() {
            let (one, other) = get(&pairs.classes, number(class));
            let mut next = (u32::from(get(left, one)), u32::from(get(right, other)));
            let is_over = (sink_a == Some(next.0), sink_b == Some(next.1));
            if is_over.0 || is_over.1 {
                // Each state but the dead one leads to acceptance.
                result.is_superset &= !is_over.0 || dead_b == Some(next.1);
                result.is_subset &= !is_over.1 || dead_a == Some(next.0);
                next = *sink.get_or_insert(next);
            }
            let target = pairs.number_of(next);
            result.dfa.targets.push(target);
        }
        if result.dfa.targets.len() > MAX_TABLE {
            return None;
        }
    }
    result.dfa.alphabet = pairs.alphabet;
    Some(result)
}

/// Whether two languages have a common string, and whether the first has strings that the second lacks.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Overlap {
    /// Some string is in both languages.
    pub(super) both: bool,
    /// Some string is in the first language only.
    pub(super) only_first: bool,
}

/// How two languages overlap. Stops as soon as `is_enough` returns true for what was found so far; what was not found
/// by then stays false.
///
/// Visits at most 2^16 pairs of states, each with at most a few thousand classes: more do not fit two languages.
pub(super) fn overlap(a: &Language, b: &Language, is_enough: fn(Overlap) -> bool) -> Overlap {
    let mut overlap = Overlap::default();
    let (dead_a, dead_b) = (a.dead_state(), b.dead_state());
    if dead_a == Some(0) {
        return overlap;
    }
    let mut pairs = Pairs::new(a, b);
    let mut at = 0_usize;
    while let Some(pair) = pairs.found.get(at).copied() {
        at = at.saturating_add(1);
        let (in_a, in_b) = pairs.accepting(pair);
        overlap.both |= in_a && in_b;
        // All states of the first language that are visited lead to acceptance.
        overlap.only_first |= in_a && !in_b || Some(pair.1) == dead_b;
        if is_enough(overlap) {
            break;
        }
        if Some(pair.1) == dead_b {
            continue;
        }
        let (left, right) = (a.row(pair.0), b.row(pair.1));
        for class in 0..pairs.classes.len() {
            let (one, other) = get(&pairs.classes, number(class));
            let target = u32::from(get(left, one));
            // Most classes lead out of the first language, and nothing there matters.
            if Some(target) != dead_a {
                pairs.number_of((target, u32::from(get(right, other))));
            }
        }
    }
    overlap
}
