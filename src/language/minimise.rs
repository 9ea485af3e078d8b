//! The minimal automaton of a language, in canonical numbering.
//!
//! The states are divided into blocks, which are split until the states of a block lead to the same blocks (Hopcroft's
//! algorithm). They start as the states from which equally few characters lead to acceptance. A split always gives the smaller half a
//! new number, so that each transition is looked at at most log n times, and once more at the start; what arrives at a block is sorted.

use super::dfa::{Dfa, MAX_TABLE};
use super::hull::HullDescription;
use super::nfa::Nfa;
use super::rows::{add, get, number, put, to_usize};
use super::{BYTES, Language, Result, STATES, TooLarge};

/// The language of an automaton; if that is too large, an error with its hull.
pub(super) fn minimise(dfa: &Dfa) -> Result {
    minimise_exact(dfa)
        .ok_or_else(|| TooLarge { hull: HullDescription::of_nfa(&Nfa::of_dfa(dfa)).language() })
}

/// The language of an automaton; `None` if it is too large.
pub(super) fn minimise_exact(dfa: &Dfa) -> Option<Language> {
    if dfa.targets.len() > MAX_TABLE {
        return None;
    }
    let blocks = blocks(dfa);
    if to_usize(blocks.count()) > STATES {
        return None;
    }
    if to_usize(blocks.count()) == dfa.accepting.len() {
        canonical(dfa)
    } else {
        canonical(&quotient(dfa, &blocks))
    }
}

/// The states partitioned into blocks that accept the same continuations.
fn blocks(dfa: &Dfa) -> Partition {
    let count = dfa.accepting.len();
    let predecessors = Predecessors::of(dfa);
    let mut blocks = predecessors.by_distance(&dfa.accepting);
    // The class of each transition into a block, and the state that it starts from.
    let mut incoming: Vec<(u32, u32)> = Vec::new();
    // Block 0 needs no pass: a character that leads to none of the other blocks leads to it.
    let mut block = 1_u32;
    while block < blocks.count() && to_usize(blocks.count()) < count {
        incoming.clear();
        // Of the block as it is now: what is split off from it below gets a pass of its own.
        incoming.extend(blocks.members(block).iter().flat_map(|state| predecessors.of_state(*state)));
        incoming.sort_unstable();
        for with_one_class in incoming.chunk_by(|(one, _), (other, _)| one == other) {
            with_one_class.iter().for_each(|(_, state)| blocks.mark(*state));
            blocks.split();
        }
        block = block.saturating_add(1);
    }
    blocks
}

/// For each state the transitions that lead to it.
struct Predecessors {
    /// For each state the index after its last transition in `transitions`.
    ends: Vec<u32>,
    /// The places of the transitions in the table of the automaton.
    transitions: Vec<u32>,
    classes: u32,
}

impl Predecessors {
    /// Groups the transitions of an automaton by the state that they lead to, in linear time.
    fn of(dfa: &Dfa) -> Predecessors {
        let count = dfa.accepting.len();
        let mut ends = vec![0_u32; count.saturating_add(1)];
        for target in &dfa.targets {
            add(&mut ends, target.saturating_add(1), 1);
        }
        let mut sum = 0_u32;
        for end in &mut ends {
            sum = sum.saturating_add(*end);
            *end = sum;
        }
        // While the transitions are put in their places, `ends` has for each state the place of the next one.
        let mut transitions = vec![0; dfa.targets.len()];
        for (target, transition) in dfa.targets.iter().zip(0..) {
            if let Some(next) = ends.get_mut(to_usize(*target)) {
                put(&mut transitions, *next, transition);
                *next = next.saturating_add(1);
            }
        }
        Predecessors { ends, transitions, classes: dfa.alphabet.classes.max(1) }
    }

    /// The states by the length of the shortest string that they accept, a block for each length. If there are dead states, they are
    /// block 0. In most automata of concatenations this tells all states apart.
    fn by_distance(&self, accepting: &[bool]) -> Partition {
        let count = accepting.len();
        // One more than the length for each state; 0 for those without one so far.
        let mut layer_of = vec![0_u32; count];
        let mut order: Vec<u32> =
            (0..).zip(accepting).filter(|(_, is)| **is).map(|(state, _)| state).collect();
        order.iter().for_each(|state| put(&mut layer_of, *state, 1));
        let (mut ends, mut at) = (Vec::new(), 0_usize);
        while at < order.len() {
            let end = order.len();
            ends.push(number(end));
            let next = number(ends.len()).saturating_add(1);
            while at < end {
                for (_, state) in self.of_state(order.get(at).copied().unwrap_or_default()) {
                    if get(&layer_of, state) == 0 {
                        put(&mut layer_of, state, next);
                        order.push(state);
                    }
                }
                at = at.saturating_add(1);
            }
        }
        let rest = (0..).zip(&layer_of).filter(|(_, layer)| **layer == 0).map(|(state, _)| state);
        let mut elements: Vec<u32> = rest.collect();
        let dead = number(elements.len());
        elements.append(&mut order);
        let first = (dead > 0).then_some(dead);
        let ends: Vec<u32> =
            first.into_iter().chain(ends.iter().map(|end| end.saturating_add(dead))).collect();
        Partition::of_consecutive(elements, ends)
    }

    /// The transitions to a state: the class of each, and the state that it starts from.
    fn of_state(&self, state: u32) -> impl Iterator<Item = (u32, u32)> + '_ {
        let start = state.checked_sub(1).map_or(0, |before| get(&self.ends, before));
        let row = self.transitions.get(to_usize(start)..to_usize(get(&self.ends, state)));
        let parts = |transition: u32| {
            (
                transition.checked_rem(self.classes).unwrap_or(0),
                transition.checked_div(self.classes).unwrap_or(0),
            )
        };
        row.unwrap_or_default().iter().map(move |transition| parts(*transition))
    }
}

/// A partition of the states of an automaton into numbered blocks, which can be split.
struct Partition {
    /// All elements, those of one block next to each other.
    elements: Vec<u32>,
    /// For each element its index in `elements`.
    places: Vec<u32>,
    /// For each element the number of its block.
    block_of: Vec<u32>,
    /// For each block the index of its first element in `elements`.
    starts: Vec<u32>,
    /// For each block the index after its last element in `elements`.
    ends: Vec<u32>,
    /// For each block the number of marked elements, which come first.
    marked: Vec<u32>,
    /// The blocks with marked elements.
    touched: Vec<u32>,
}

impl Partition {
    /// A partition into blocks of consecutive elements: block n ends before place `ends[n]` in the list of elements.
    fn of_consecutive(elements: Vec<u32>, ends: Vec<u32>) -> Partition {
        let mut places = vec![0; elements.len()];
        let mut block_of = places.clone();
        let mut starts = Vec::with_capacity(ends.len());
        let mut start = 0;
        for (end, block) in ends.iter().zip(0..) {
            starts.push(start);
            for place in start..*end {
                let element = get(&elements, place);
                put(&mut places, element, place);
                put(&mut block_of, element, block);
            }
            start = *end;
        }
        let marked = vec![0; ends.len()];
        Partition { elements, places, block_of, starts, ends, marked, touched: Vec::new() }
    }

    /// The number of blocks.
    fn count(&self) -> u32 {
        number(self.ends.len())
    }

    /// The elements of a block.
    fn members(&self, block: u32) -> &[u32] {
        let (start, end) = (to_usize(get(&self.starts, block)), to_usize(get(&self.ends, block)));
        self.elements.get(start..end).unwrap_or_default()
    }

    /// Marks an element for the next split of its block.
    fn mark(&mut self, element: u32) {
        let block = get(&self.block_of, element);
        let (place, marked) = (get(&self.places, element), get(&self.marked, block));
        let free = get(&self.starts, block).saturating_add(marked);
        if place < free {
            return;
        }
        let other = get(&self.elements, free);
        put(&mut self.elements, free, element);
        put(&mut self.elements, place, other);
        put(&mut self.places, element, free);
        put(&mut self.places, other, place);
        if marked == 0 {
            self.touched.push(block);
        }
        add(&mut self.marked, block, 1);
    }

    /// Splits each block in two, its marked elements and the others, and clears the marks: one step of Hopcroft's
    /// algorithm.
    fn split(&mut self) {
        while let Some(block) = self.touched.pop() {
            let (start, end) = (get(&self.starts, block), get(&self.ends, block));
            let middle = start.saturating_add(get(&self.marked, block));
            put(&mut self.marked, block, 0);
            if middle == end {
                continue;
            }
            let fresh = self.count();
            // The smaller half gets the new number: that bounds the work to log n for each element.
            let (new_start, new_end) = if middle.saturating_sub(start) <= end.saturating_sub(middle) {
                (start, middle)
            } else {
                (middle, end)
            };
            if new_start == start {
                put(&mut self.starts, block, middle);
            } else {
                put(&mut self.ends, block, middle);
            }
            self.starts.push(new_start);
            self.ends.push(new_end);
            self.marked.push(0);
            for element in self.elements.get(to_usize(new_start)..to_usize(new_end)).unwrap_or_default() {
                put(&mut self.block_of, *element, fresh);
            }
        }
    }
}

/// The automaton whose states are the blocks. The states of a block lead to the same blocks, so the first one represents all.
fn quotient(dfa: &Dfa, blocks: &Partition) -> Dfa {
    let mut reduced = Dfa { alphabet: dfa.alphabet.clone(), ..Dfa::default() };
    // State 0 is the start again: the block with the start and block 0 change places.
    let start = get(&blocks.block_of, 0);
    let place = |block: u32| match block {
        0 => start,
        block if block == start => 0,
        block => block,
    };
    for block in (0..blocks.count()).map(place) {
        let state = blocks.members(block).first().copied().unwrap_or_default();
        let targets = dfa.row(state).iter().map(|target| place(get(&blocks.block_of, *target)));
        reduced.targets.extend(targets);
        reduced.accepting.push(get(&dfa.accepting, state));
    }
    reduced
}

/// The language of a minimal automaton all of whose states can be reached, in canonical numbering; `None` if it is too large.
pub(super) fn canonical(dfa: &Dfa) -> Option<Language> {
    let count = dfa.accepting.len();
    if count > STATES {
        return None;
    }
    // Classes are merged if they lead from each state to the same one: otherwise equal languages could differ in their classes.
    let same = equal_columns(&dfa.targets, to_usize(dfa.alphabet.classes));
    let names = dfa.alphabet.in_order(&same);
    let alphabet = dfa.alphabet.renamed(&names);
    let mut merged = vec![0_u32; to_usize(alphabet.classes)];
    for (class, name) in names.iter().enumerate().rev() {
        put(&mut merged, *name, number(class));
    }
    let transitions = merged.len().saturating_mul(count);
    let lists = transitions.saturating_add(alphabet.runs.len().saturating_mul(4));
    let size = lists.saturating_add(Language::HEADER);
    if size > BYTES || merged.len() > 256 {
        return None;
    }
    // Breadth first by class, and classes are numbered by their first characters. For each state its number plus one, or 0.
    let mut numbers = vec![0_u32; count];
    put(&mut numbers, 0, 1);
    let (mut order, mut accepting) = (vec![0_u32], Vec::with_capacity(count));
    let mut targets = Vec::with_capacity(transitions);
    let mut at = 0_usize;
    while let Some(state) = order.get(at).copied() {
        at = at.saturating_add(1);
        accepting.push(get(&dfa.accepting, state));
        let row = dfa.row(state);
        for class in &merged {
            let target = get(row, *class);
            let Some(known) = numbers.get_mut(to_usize(target)) else { continue };
            if *known == 0 {
                order.push(target);
                *known = number(order.len());
            }
            targets.push(u8::try_from(known.saturating_sub(1)).ok()?);
        }
    }
    Some(Language::packed(&alphabet, &accepting, targets))
}

/// For each column of a table with this number of columns the first column that is equal to it.
fn equal_columns(table: &[u32], columns: usize) -> Vec<u32> {
    // An odd number, so that each item changes the hash. Only columns with equal hashes are compared.
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut hashes = vec![0_u64; columns];
    for row in table.chunks_exact(columns.max(1)) {
        for (hash, item) in hashes.iter_mut().zip(row) {
            *hash = hash.wrapping_mul(FACTOR).wrapping_add(u64::from(*item));
        }
    }
    let hash = |column: u32| get(&hashes, column);
    let items = |column: u32| table.iter().skip(to_usize(column)).step_by(columns.max(1));
    let mut order: Vec<u32> = (0..number(columns)).collect();
    order.sort_unstable_by_key(|column| (hash(*column), *column));
    let mut firsts: Vec<u32> = (0..number(columns)).collect();
    for group in order.chunk_by_mut(|one, other| hash(*one) == hash(*other)) {
        if group.len() == 1 {
            continue;
        }
        // Sorted, so that many different columns with one hash take no longer than others.
        group.sort_by(|one, other| items(*one).cmp(items(*other)));
        for equal in group.chunk_by(|one, other| items(*one).eq(items(*other))) {
            let first = equal.iter().min().copied().unwrap_or_default();
            equal.iter().for_each(|column| put(&mut firsts, *column, first));
        }
    }
    firsts
}
