//! Automata with choices, and their deterministic equivalents.

use std::collections::HashMap;

use indexmap::IndexSet;
use smallvec::SmallVec;

use super::alphabet::{Alphabet, Range};
use super::dfa::{Dfa, MAX_TABLE};
use super::hull::HullDescription;
use super::minimise::minimise;
use super::rows::{Rows, get, number, put, to_usize};
use super::{Language, Result, TooLarge};

/// The maximum number of steps of a determinisation: members of sets of states, and edges for each class.
/// Measured: 5 to 20 ms at the bound. A result that fits a language has at most 2^14 transitions.
const MAX_STEPS: usize = 1 << 19;

/// The maximum number of states and of edges of a non-deterministic automaton.
const MAX_NFA: usize = 1 << 15;

/// An edge: the index of a set of characters in `labels`, and the state that it leads to.
pub(super) type Edge = (u32, u32);

/// A non-deterministic automaton under construction. The start is state 0.
#[derive(Clone, Debug)]
pub(super) struct Builder {
    pub(super) states: u32,
    /// Each edge with the state that it starts from.
    pub(super) edges: Vec<(u32, Edge)>,
    /// Moves that read nothing.
    pub(super) empties: Vec<(u32, u32)>,
    /// The accepting states.
    pub(super) accepting: Vec<u32>,
    /// The sets of characters that edges read, as sorted ranges.
    pub(super) labels: Vec<Vec<Range>>,
    /// The index in `labels` of each set of several ranges, or of none.
    known_labels: HashMap<Vec<Range>, u32>,
    /// The index in `labels` of each set of one range, as a single character is.
    known_ranges: HashMap<Range, u32>,
    /// The state from which everything is accepted, if there is one yet.
    universal: Option<u32>,
    /// Pairs of a state and a number, ascending: the state covers all others below the number, that is, it accepts what they accept.
    covering: Vec<(u32, u32)>,
}

impl Builder {
    /// An automaton that has only the start state and accepts nothing.
    pub(super) fn new() -> Builder {
        Builder {
            states: 1,
            edges: Vec::new(),
            empties: Vec::new(),
            accepting: Vec::new(),
            labels: Vec::new(),
            known_labels: HashMap::new(),
            known_ranges: HashMap::new(),
            universal: None,
            covering: Vec::new(),
        }
    }

    /// Adds a state and returns its number.
    pub(super) fn state(&mut self) -> u32 {
        let fresh = self.states;
        self.states = self.states.saturating_add(1);
        fresh
    }

    /// Whether the automaton has more than [`MAX_NFA`] states, edges or moves without a character.
    pub(super) fn is_too_large(&self) -> bool {
        to_usize(self.states).max(self.edges.len()).max(self.empties.len()) > MAX_NFA
    }

    /// The index in `labels` of a set of characters, given as sorted ranges; adds it if it is new.
    pub(super) fn label(&mut self, ranges: &[Range]) -> u32 {
        let fresh = number(self.labels.len());
        let known = match ranges {
            [range] => *self.known_ranges.entry(*range).or_insert(fresh),
            _ => self.known_labels.get(ranges).copied().unwrap_or(fresh),
        };
        if known == fresh {
            self.labels.push(ranges.to_vec());
            if ranges.len() != 1 {
                self.known_labels.insert(ranges.to_vec(), fresh);
            }
        }
        known
    }

    /// Adds an edge that reads one of the characters in the sorted ranges.
    pub(super) fn class(&mut self, from: u32, ranges: &[Range], to: u32) {
        if !ranges.is_empty() {
            let label = self.label(ranges);
            self.edges.push((from, (label, to)));
        }
    }

    /// Adds states and edges that read a string on the way from one state to another.
    pub(super) fn literal(&mut self, from: u32, text: &str, to: u32) {
        let (mut at, mut chars) = (from, text.chars().peekable());
        if chars.peek().is_none() {
            self.empties.push((from, to));
        }
        while let Some(c) = chars.next() {
            let target = if chars.peek().is_none() { to } else { self.state() };
            self.class(at, &[(u32::from(c), u32::from(c))], target);
            at = target;
        }
    }

    /// Adds a copy of a language's automaton and returns the number of its start state. `is_last` says that nothing
    /// will be appended to its strings: then its universal state, if any, serves the whole automaton.
    pub(super) fn language(&mut self, language: &Language, is_last: bool) -> u32 {
        let base = self.states;
        self.states = self.states.saturating_add(number(language.states()));
        let classes = language.classes();
        // A class that leads only to the dead state needs no label: most texts have one, that of all other characters.
        let mut labels: Vec<Option<u32>> = vec![None; classes.len()];
        let dead = language.dead_state();
        for state in language.numbers() {
            for ((ranges, label), target) in classes.iter().zip(&mut labels).zip(language.row(state)) {
                let target = u32::from(*target);
                if Some(target) != dead {
                    let label = *label.get_or_insert_with(|| self.label(ranges));
                    self.edges.push((base.saturating_add(state), (label, base.saturating_add(target))));
                }
            }
        }
        if is_last && self.universal.is_none() {
            self.universal = language.universal_state().map(|state| base.saturating_add(state));
        }
        base
    }

    /// Adds a copy of a language's automaton to a concatenation, and returns the number of its start state. Every string that the
    /// automaton accepts is read from what was added before to this copy, and from it to what will be added.
    ///
    /// The universal state of the language, if any, covers the states before it then: it reads any string and goes on to what follows.
    pub(super) fn next_language(&mut self, language: &Language, is_last: bool) -> u32 {
        let base = self.language(language, is_last);
        if !is_last && let Some(universal) = language.universal_state() {
            self.covering.push((base.saturating_add(universal), self.states));
        }
        base
    }

    /// The accepting states of a copy of a language whose start is state `base`.
    pub(super) fn ends(language: &Language, base: u32) -> impl Iterator<Item = u32> + '_ {
        let ends = language.numbers().filter(|state| language.accepts_at(*state));
        ends.map(move |state| base.saturating_add(state))
    }

    /// Adds a state from which everything is accepted, as the automaton's universal state: a set of states with it
    /// needs no others.
    pub(super) fn universal(&mut self) -> u32 {
        let state = self.state();
        self.class(state, &super::build::EVERY, state);
        self.accepting.push(state);
        self.universal = Some(state);
        state
    }

    /// The finished non-deterministic automaton.
    pub(super) fn finish(self) -> Nfa {
        let count = to_usize(self.states);
        let mut accepting = vec![false; count];
        for state in &self.accepting {
            put(&mut accepting, *state, true);
        }
        Nfa {
            accepting,
            edges: Rows::group(count, &self.edges),
            empties: Rows::group(count, &self.empties),
            labels: self.labels,
            universal: self.universal,
            covering: self.covering,
        }
    }

    /// The language of the automaton; if that is too large, an error with a hull.
    pub(super) fn build(self) -> Result {
        if self.is_too_large() {
            return Err(TooLarge { hull: Language::all() });
        }
        let nfa = self.finish();
        match nfa.determinise() {
            Some(dfa) => minimise(&dfa),
            None => Err(TooLarge { hull: HullDescription::of_nfa(&nfa).language() }),
        }
    }
}

/// A non-deterministic automaton: several edges may read one character, and moves may read nothing. The start is
/// state 0.
#[derive(Clone, Debug)]
pub(super) struct Nfa {
    pub(super) accepting: Vec<bool>,
    pub(super) edges: Rows<Edge>,
    pub(super) empties: Rows<u32>,
    pub(super) labels: Vec<Vec<Range>>,
    /// A state from which everything is accepted.
    universal: Option<u32>,
    /// Which states cover others, as in [`Builder`].
    covering: Vec<(u32, u32)>,
}

impl Nfa {
    /// A deterministic automaton as a non-deterministic one.
    pub(super) fn of_dfa(dfa: &Dfa) -> Nfa {
        let count = dfa.accepting.len();
        let mut edges: Vec<(u32, Edge)> = Vec::with_capacity(dfa.targets.len());
        for state in 0..number(count) {
            edges.extend(dfa.row(state).iter().zip(0..).map(|(target, class)| (state, (class, *target))));
        }
        Nfa {
            accepting: dfa.accepting.clone(),
            edges: Rows::group(count, &edges),
            empties: Rows::group(count, &[]),
            labels: dfa.alphabet.ranges(),
            universal: None,
            covering: Vec::new(),
        }
    }

    /// The number of states.
    pub(super) fn states(&self) -> usize {
        self.accepting.len()
    }

    /// A deterministic automaton of the same language, whose states are sets of states; `None` if that takes too
    /// many states or steps. The number of sets is exponential for expressions such as `(a|b)*a(a|b){20}`.
    pub(super) fn determinise(&self) -> Option<Dfa> {
        let (alphabet, classes_of) = Alphabet::of_labels(&self.labels)?;
        let mut sets = Sets {
            found: IndexSet::with_capacity(self.states()),
            empty_set: None,
            singles: vec![0; self.states()],
            seen: vec![0; self.states()],
            stamp: 0,
            steps: 0,
            open: Vec::new(),
            set: Vec::new(),
        };
        sets.number_of(self, &[0]);
        let mut dfa = Dfa { alphabet, ..Dfa::default() };
        let mut successors = Successors::new(to_usize(dfa.alphabet.classes));
        let mut at = 0_usize;
        while let Some(set) = sets.found.get_index(at) {
            at = at.saturating_add(1);
            dfa.accepting.push(set.iter().any(|state| get(&self.accepting, *state)));
            for (label, target) in set.iter().flat_map(|state| self.edges.row(*state)) {
                let classes = classes_of.get(to_usize(*label)).map(Vec::as_slice).unwrap_or_default();
                sets.steps = sets.steps.saturating_add(classes.len());
                successors.add(classes, *target);
            }
            successors.end_row(self, &mut sets, &mut dfa.targets);
            if sets.steps > MAX_STEPS || dfa.targets.len() > MAX_TABLE {
                return None;
            }
        }
        Some(dfa)
    }
}

/// The states that characters lead to from one set of states.
struct Successors {
    by_class: Vec<Vec<u32>>,
    /// The states that all characters lead to. They are in the lists of the classes at the end of the row only.
    of_all: Vec<u32>,
    /// The classes with a list that is not empty.
    listed: Vec<u32>,
}

impl Successors {
    /// Those of an alphabet with this number of classes: none yet.
    fn new(classes: usize) -> Successors {
        Successors { by_class: vec![Vec::new(); classes], of_all: Vec::new(), listed: Vec::new() }
    }

    /// Adds a state that the characters of some classes lead to.
    fn add(&mut self, classes: &[u32], target: u32) {
        if classes.len() == self.by_class.len() {
            self.of_all.push(target);
            return;
        }
        for class in classes {
            if let Some(targets) = self.by_class.get_mut(to_usize(*class)) {
                if targets.is_empty() {
                    self.listed.push(*class);
                }
                targets.push(target);
            }
        }
    }

    /// Appends the number of the set for each class to `table`, and clears all lists.
    fn end_row(&mut self, nfa: &Nfa, sets: &mut Sets, table: &mut Vec<u32>) {
        let classes = self.by_class.len();
        let other = if self.listed.len() < classes { sets.number_of(nfa, &self.of_all) } else { 0 };
        let start = table.len();
        table.resize(start.saturating_add(classes), other);
        let row = table.get_mut(start..).unwrap_or_default();
        let mut last: Option<(u32, u32)> = None;
        for class in &self.listed {
            if let Some(targets) = self.by_class.get_mut(to_usize(*class)) {
                targets.extend_from_slice(&self.of_all);
            }
            let targets =
                |class: u32| self.by_class.get(to_usize(class)).map(Vec::as_slice).unwrap_or_default();
            // Neighbouring classes often have the same targets.
            let number = match last {
                Some((before, number)) if targets(before) == targets(*class) => number,
                _ => sets.number_of(nfa, targets(*class)),
            };
            last = Some((*class, number));
            put(row, *class, number);
        }
        for class in self.listed.drain(..) {
            self.by_class.get_mut(to_usize(class)).into_iter().for_each(Vec::clear);
        }
        self.of_all.clear();
    }
}

/// The sets of states found so far by the determinisation.
struct Sets {
    /// The sets, each at the place of its number.
    found: IndexSet<SmallVec<[u32; 4]>>,
    /// The number of the empty set, if it has one yet: most characters lead nowhere.
    empty_set: Option<u32>,
    /// For each state, one more than the number of the set that it alone leads to, or 0. Most sets have one member.
    singles: Vec<u32>,
    /// For each state the last stamp with which it was visited.
    seen: Vec<u32>,
    stamp: u32,
    steps: usize,
    /// The states whose moves are still to be followed, and the set so far: kept for the next set.
    open: Vec<u32>,
    set: Vec<u32>,
}

impl Sets {
    /// The number of the set of the `states` and all that moves without a character lead to from them; a new set gets
    /// the next number.
    fn number_of(&mut self, nfa: &Nfa, states: &[u32]) -> u32 {
        match states {
            [] => match self.empty_set {
                Some(known) => known,
                None => {
                    let found = self.number_of_closure(nfa, states);
                    self.empty_set = Some(found);
                    found
                }
            },
            [single] => {
                let known = get(&self.singles, *single);
                if known > 0 {
                    self.steps = self.steps.saturating_add(1);
                    return known.saturating_sub(1);
                }
                let found = self.number_of_closure(nfa, states);
                put(&mut self.singles, *single, found.saturating_add(1));
                found
            }
            _ => self.number_of_closure(nfa, states),
        }
    }

    /// Like [`number_of`](Self::number_of), without its fast path for one state or none.
    fn number_of_closure(&mut self, nfa: &Nfa, states: &[u32]) -> u32 {
        self.stamp = self.stamp.saturating_add(1);
        self.open.clear();
        self.open.extend_from_slice(states);
        self.set.clear();
        while let Some(state) = self.open.pop() {
            if get(&self.seen, state) == self.stamp {
                continue;
            }
            put(&mut self.seen, state, self.stamp);
            self.steps = self.steps.saturating_add(1);
            self.open.extend_from_slice(nfa.empties.row(state));
            // A state without edges decides nothing but acceptance.
            if get(&nfa.accepting, state) || !nfa.edges.row(state).is_empty() {
                self.set.push(state);
            }
        }
        // If everything is accepted, the other states add nothing: without this, an expression that is searched for
        // has a set for each combination of places where a second match could start.
        if let Some(universal) = nfa.universal.filter(|state| get(&self.seen, *state) == self.stamp) {
            self.set.clear();
            self.set.push(universal);
        }
        let is_seen = |state: u32| get(&self.seen, state) == self.stamp;
        if let Some((state, end)) = nfa.covering.iter().rev().find(|(state, _)| is_seen(*state)) {
            self.set.retain(|other| other == state || other >= end);
        }
        self.set.sort_unstable();
        let known = self.found.get_index_of(self.set.as_slice());
        number(known.unwrap_or_else(|| self.found.insert_full(self.set.as_slice().into()).0))
    }
}
