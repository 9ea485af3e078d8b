//! How large the states are that a class of characters compiles to.

use std::collections::HashMap;

use regex_syntax::hir::ClassUnicode;
use regex_syntax::utf8::{Utf8Range, Utf8Sequences};

use super::size::ways;

/// The characters are sequences of ranges of bytes, in order; those that end alike share the states of their ends.
pub(super) fn size(class: &ClassUnicode) -> usize {
    if class.is_ascii() {
        return ways(class.ranges().len());
    }
    let mut states = States { made: HashMap::new(), open: vec![Open::default()], size: 0 };
    for range in class.iter() {
        for sequence in Utf8Sequences::new(range.start(), range.end()) {
            states.add(sequence.as_slice());
        }
    }
    states.close_to(0);
    let first = states.open.pop().map_or(0, |open| ways(open.ways.len()));
    states.size.saturating_add(first)
}

/// A range of bytes, and the state it leads to.
type Way = (u8, u8, usize);

/// The state in which a character has been read.
const END: usize = usize::MAX;

struct States {
    made: HashMap<Vec<Way>, usize>,
    /// On the way to the character that was read last, the first included.
    open: Vec<Open>,
    size: usize,
}

#[derive(Default)]
struct Open {
    ways: Vec<Way>,
    last: Option<(u8, u8)>,
}

impl States {
    fn add(&mut self, sequence: &[Utf8Range]) {
        let same = |(open, range): &(&Open, &Utf8Range)| open.last == Some((range.start, range.end));
        let shared = self.open.iter().zip(sequence).take_while(same).count();
        self.close_to(shared);
        for range in sequence.iter().skip(shared) {
            if let Some(open) = self.open.last_mut() {
                open.last = Some((range.start, range.end));
            }
            self.open.push(Open::default());
        }
        // The last one is the end.
        self.open.pop();
    }

    /// Closes the states behind that one.
    fn close_to(&mut self, depth: usize) {
        let mut next = END;
        while self.open.len() > depth.saturating_add(1) {
            let Some(mut open) = self.open.pop() else { break };
            open.ways.extend(open.last.map(|(start, end)| (start, end, next)));
            let size = ways(open.ways.len());
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
