//! The minimal automaton of a language, in canonical numbering.
//!
//! Blocks of states and blocks of transitions refine each other until all transitions of one block lead from one
//! block to one block (the method of Valmari and Lehtinen). A split always renames the smaller half, so that each
//! transition is renamed at most log n times.

use std::collections::HashMap;

use super::dfa::{Dfa, MAX_TABLE};
use super::hull::HullDescription;
use super::nfa::Nfa;
use super::rows::{Rows, add, get, number, put, to_usize};
use super::{BYTES, Language, Result, STATES, TooLarge};

/// The language of an automaton; if that is too large, an error with its hull.
pub(super) fn minimise(dfa: &Dfa) -> Result {
    minimise_exact(dfa)
        .ok_or_else(|| TooLarge { hull: HullDescription::of_nfa(&Nfa::of_dfa(dfa)).language() })
}

/// The language of an automaton; `None` if it is too large.
pub(super) fn minimise_exact(dfa: &Dfa) -> Option<Language> {
    if dfa.targets.len() > MAX_TABLE { None } else { canonical(dfa, &blocks(dfa)) }
}

/// The states partitioned into blocks that accept the same continuations.
fn blocks(dfa: &Dfa) -> Partition {
    let count = dfa.accepting.len();
    let classes = dfa.alphabet.classes.max(1);
    let all: Vec<u32> = (0..number(count)).collect();
    let mut blocks = Partition::of(&Rows::one(&all), count);
    for state in all.iter().filter(|state| get(&dfa.accepting, **state)) {
        blocks.mark(*state);
    }
    blocks.split();
    let transitions = 0..number(dfa.targets.len());
    let by_class: Vec<(u32, u32)> =
        transitions.map(|transition| (transition.checked_rem(classes).unwrap_or(0), transition)).collect();
    let mut edges = Partition::of(&Rows::group(to_usize(classes), &by_class), dfa.targets.len());
    let arriving: Vec<(u32, u32)> =
        dfa.targets.iter().enumerate().map(|(transition, target)| (*target, number(transition))).collect();
    let arriving: Rows<u32> = Rows::group(count, &arriving);
    // The transitions of one class start as one block, as if all states were one block that is done.
    let (mut edge_block, mut block) = (0_u32, 1_u32);
    while edge_block < edges.count() {
        for transition in edges.members(edge_block) {
            blocks.mark(transition.checked_div(classes).unwrap_or(0));
        }
        blocks.split();
        edge_block = edge_block.saturating_add(1);
        while block < blocks.count() {
            for state in blocks.members(block) {
                for transition in arriving.row(*state) {
                    edges.mark(*transition);
                }
            }
            edges.split();
            block = block.saturating_add(1);
        }
    }
    blocks
}

/// A partition of numbered elements (states or transitions of an automaton) into numbered blocks, which can be split.
pub(super) struct Partition {
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
    /// The partition in which each of `count` elements is a block of its own.
    pub(super) fn discrete(count: usize) -> Partition {
        let single: Vec<(u32, u32)> = (0..number(count)).map(|element| (element, element)).collect();
        Partition::of(&Rows::group(count, &single), count)
    }

    /// The partition with one block for each row that is not empty. `count` is the number of all elements.
    fn of(rows: &Rows<u32>, count: usize) -> Partition {
        let mut partition = Partition {
            elements: Vec::with_capacity(count),
            places: vec![0; count],
            block_of: vec![0; count],
            starts: Vec::new(),
            ends: Vec::new(),
            marked: Vec::new(),
            touched: Vec::new(),
        };
        for row in (0..number(rows.len())).map(|row| rows.row(row)).filter(|row| !row.is_empty()) {
            partition.starts.push(number(partition.elements.len()));
            for element in row {
                put(&mut partition.places, *element, number(partition.elements.len()));
                put(&mut partition.block_of, *element, number(partition.ends.len()));
                partition.elements.push(*element);
            }
            partition.ends.push(number(partition.elements.len()));
            partition.marked.push(0);
        }
        partition
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

/// The language of the automaton whose states are the blocks, in canonical numbering; `None` if it is too large.
pub(super) fn canonical(dfa: &Dfa, blocks: &Partition) -> Option<Language> {
    let count = blocks.count();
    if to_usize(count) > STATES {
        return None;
    }
    // The states of a block lead to the same blocks, so the first one represents all. Classes are merged if they
    // lead from each block to the same one: otherwise equal languages could differ in their classes.
    let chosen: Vec<&[u32]> =
        (0..count).map(|block| dfa.row(blocks.members(block).first().copied().unwrap_or_default())).collect();
    let mut columns: HashMap<Vec<u32>, u32> = HashMap::new();
    let mut same = Vec::with_capacity(to_usize(dfa.alphabet.classes));
    for class in 0..dfa.alphabet.classes {
        let column = chosen.iter().map(|row| get(&blocks.block_of, get(row, class))).collect();
        same.push(*columns.entry(column).or_insert(class));
    }
    let names = dfa.alphabet.in_order(&same);
    let alphabet = dfa.alphabet.renamed(&names);
    let mut merged = vec![0_u32; to_usize(alphabet.classes)];
    for (class, name) in names.iter().enumerate().rev() {
        put(&mut merged, *name, number(class));
    }
    let lists =
        merged.len().saturating_mul(to_usize(count)).saturating_add(alphabet.runs.len().saturating_mul(4));
    let size = lists.saturating_add(Language::HEADER);
    if size > BYTES || merged.len() > 256 {
        return None;
    }
    // Breadth first by class, and classes are numbered by their first characters.
    /// The number of a state or class that has none yet.
    const NONE: u32 = u32::MAX;
    let mut numbers = vec![NONE; to_usize(count)];
    let start = get(&blocks.block_of, 0);
    put(&mut numbers, start, 0);
    let mut order = vec![start];
    let mut targets = Vec::with_capacity(merged.len().saturating_mul(to_usize(count)));
    let mut at = 0_usize;
    while let Some(block) = order.get(at).copied() {
        at = at.saturating_add(1);
        let row = chosen.get(to_usize(block)).copied().unwrap_or_default();
        for class in &merged {
            let target = get(&blocks.block_of, get(row, *class));
            if get(&numbers, target) == NONE {
                put(&mut numbers, target, number(order.len()));
                order.push(target);
            }
            targets.push(u8::try_from(get(&numbers, target)).ok()?);
        }
    }
    let accepts =
        |block: &u32| blocks.members(*block).first().is_some_and(|state| get(&dfa.accepting, *state));
    Some(Language::packed(&alphabet, &order.iter().map(accepts).collect::<Vec<bool>>(), targets))
}
