//! Computes the size of the states that a class of characters compiles to.

use std::collections::HashMap;

use regex_syntax::hir::ClassUnicode;
use regex_syntax::utf8::{Utf8Range, Utf8Sequences};

use super::size::state_size;

/// The size in bytes of a class of characters when compiled. Its characters are sequences of byte ranges, in order;
/// sequences with the same end share its states.
pub(super) fn size(class: &ClassUnicode) -> usize {
    if class.is_ascii() {
        return state_size(class.ranges().len());
    }
    let mut states = States { made: HashMap::new(), open: vec![OpenState::default()], size: 0 };
    for range in class.iter() {
        for sequence in Utf8Sequences::new(range.start(), range.end()) {
            states.add(sequence.as_slice());
        }
    }
    states.close_to(0);
    let first = states.open.pop().map_or(0, |open| state_size(open.ways.len()));
    states.size.saturating_add(first)
}

/// A transition: the first and last byte of a range, and the state that it leads to.
type Transition = (u8, u8, usize);

/// The number of the state after a complete character.
const COMPLETE: usize = usize::MAX;

/// The states of the byte automaton of a class, as far as it is built.
struct States {
    /// The finished states: their transitions, and their numbers.
    made: HashMap<Vec<Transition>, usize>,
    /// The states on the path of the last added character, the first state included.
    open: Vec<OpenState>,
    /// The size of the finished states in bytes.
    size: usize,
}

/// A state whose transitions are not complete yet.
#[derive(Default)]
struct OpenState {
    /// The transitions to finished states.
    ways: Vec<Transition>,
    /// The byte range of the transition to the next state on the path.
    last: Option<(u8, u8)>,
}

impl States {
    /// Adds a character's sequence of byte ranges, which must come after those added before.
    fn add(&mut self, sequence: &[Utf8Range]) {
        let same = |(open, range): &(&OpenState, &Utf8Range)| open.last == Some((range.start, range.end));
        let shared = self.open.iter().zip(sequence).take_while(same).count();
        self.close_to(shared);
        for range in sequence.iter().skip(shared) {
            if let Some(open) = self.open.last_mut() {
                open.last = Some((range.start, range.end));
            }
            self.open.push(OpenState::default());
        }
        // The last state would be the end of the character.
        self.open.pop();
    }

    /// Finishes the states deeper than `depth` on the path; equal states become one.
    fn close_to(&mut self, depth: usize) {
        let mut next = COMPLETE;
        while self.open.len() > depth.saturating_add(1) {
            let Some(mut open) = self.open.pop() else { break };
            open.ways.extend(open.last.map(|(start, end)| (start, end, next)));
            let size = state_size(open.ways.len());
            let count = self.made.len();
            next = *self.made.entry(open.ways).or_insert_with(|| {
                self.size = self.size.saturating_add(size);
                count
            });
        }
        if let Some(open) = self.open.last_mut() {
            open.ways.extend(open.last.take().map(|(start, end)| (start, end, next)));
        }
    }
}
