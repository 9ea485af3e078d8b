//! Classes of characters: an automaton treats all characters of one class alike.
//!
//! The codes of characters are divided into runs; each run belongs to a class. Surrogates are no characters: they
//! belong to the run before U+E000, so that the same division is always written in the same way.

use std::collections::HashMap;

use super::rows::{get, number, put, to_usize};

/// The number after the last code point.
pub(super) const END: u32 = 0x0011_0000;

/// A range of characters: the code points of the first and the last one.
pub(super) type Range = (u32, u32);

/// A division of all characters into classes. The first run starts at code 0, adjacent runs have different classes.
#[derive(Clone, Debug, Default)]
pub(super) struct Alphabet {
    /// The first code and the class of each run.
    pub(super) runs: Vec<(u32, u32)>,
    /// The number of classes.
    pub(super) classes: u32,
}

impl Alphabet {
    /// The division by pairs: characters are in one class if both alphabets have them in one class. Also returns the
    /// pair of each class. The alphabets have the given numbers of classes.
    pub(super) fn joint(
        (a, a_classes): (impl Iterator<Item = (u32, u32)>, usize),
        (b, b_classes): (impl Iterator<Item = (u32, u32)>, usize),
    ) -> (Alphabet, Vec<(u32, u32)>) {
        let (mut a, mut b) = (a.peekable(), b.peekable());
        let (mut now, mut alphabet) = ((0, 0), Alphabet::default());
        // For each pair its class plus one, or 0. Both alphabets have at most 256 classes.
        let mut numbers = vec![0_u32; a_classes.saturating_mul(b_classes)];
        let mut pairs: Vec<(u32, u32)> = Vec::new();
        loop {
            let next = a.peek().into_iter().chain(b.peek()).map(|(code, _)| *code).min();
            let Some(code) = next else { break };
            if let Some((_, class)) = a.next_if(|(at, _)| *at == code) {
                now.0 = class;
            }
            if let Some((_, class)) = b.next_if(|(at, _)| *at == code) {
                now.1 = class;
            }
            let place = number(to_usize(now.0).saturating_mul(b_classes).saturating_add(to_usize(now.1)));
            if get(&numbers, place) == 0 {
                pairs.push(now);
                put(&mut numbers, place, number(pairs.len()));
            }
            alphabet.push(code, get(&numbers, place).saturating_sub(1));
        }
        alphabet.classes = number(pairs.len());
        (alphabet, pairs)
    }

    /// The coarsest division in which each of the `labels`, which are sorted sets of ranges, is a union of classes.
    /// Also returns for each label its classes. `None` if finding it takes too long.
    pub(super) fn of_labels(labels: &[Vec<Range>]) -> Option<(Alphabet, Vec<Vec<u32>>)> {
        // Where a range starts or ends, and of which label.
        let mut changes: Vec<(u32, u32)> = Vec::new();
        for (label, ranges) in labels.iter().enumerate() {
            for (first, last) in ranges {
                changes.push((*first, number(label)));
                changes.push((after(*last), number(label)));
            }
        }
        changes.sort_unstable();
        let mut alphabet = Alphabet::default();
        // The class of the characters in no label, in one label only, and in several: nearly all are in one.
        let (mut class_of_none, mut class_of_single) = (None, vec![None; labels.len()]);
        let mut class_of_several = HashMap::<Vec<u32>, u32>::with_capacity(labels.len());
        let mut members: Vec<Vec<u32>> = vec![Vec::new(); labels.len()];
        let (mut active, mut from, mut steps) = (Vec::<u32>::new(), 0_u32, 0_usize);
        let mut rest = changes.as_slice();
        loop {
            while let [(code, label), others @ ..] = rest
                && *code <= from
            {
                match active.binary_search(label) {
                    Ok(place) => drop(active.remove(place)),
                    Err(place) => active.insert(place, *label),
                }
                rest = others;
            }
            steps = steps.saturating_add(active.len()).saturating_add(1);
            if steps > MAX_STEPS || to_usize(alphabet.classes) > MAX_CLASSES {
                return None;
            }
            let known = match active.as_slice() {
                [] => &mut class_of_none,
                [label] => class_of_single.get_mut(to_usize(*label))?,
                // A copy: what is new is inserted below.
                _ => &mut class_of_several.get(&active).copied(),
            };
            let class = match *known {
                Some(class) => class,
                None => {
                    let class = alphabet.classes;
                    alphabet.classes = class.saturating_add(1);
                    *known = Some(class);
                    for label in &active {
                        members.get_mut(to_usize(*label))?.push(class);
                    }
                    if active.len() > 1 {
                        class_of_several.insert(active.clone(), class);
                    }
                    class
                }
            };
            alphabet.push(from, class);
            match rest.first() {
                Some((code, _)) if *code < END => from = *code,
                _ => break,
            }
        }
        Some((alphabet, members))
    }

    /// Appends a run of characters of a class that begins at a code point; nothing if the last run has the same
    /// class.
    pub(super) fn push(&mut self, code: u32, class: u32) {
        if self.runs.last().is_none_or(|(_, before)| *before != class) {
            self.runs.push((code, class));
        }
    }

    /// The division with `names[class]` as the new number of each class. Classes with the same new number are merged.
    pub(super) fn renamed(&self, names: &[u32]) -> Alphabet {
        let mut renamed = Alphabet::default();
        for (code, class) in &self.runs {
            renamed.push(*code, get(names, *class));
        }
        renamed.classes = names.iter().max().map_or(0, |last| last.saturating_add(1));
        renamed
    }

    /// The ranges of each class.
    pub(super) fn ranges(&self) -> Vec<Vec<Range>> {
        ranges_by_class(self.runs.iter().copied(), to_usize(self.classes))
    }

    /// New numbers for the classes that remain after a merge, in the order of their first characters. `same` maps
    /// each class to the least class that it is merged with; the result maps each class to its new number.
    pub(super) fn in_order(&self, same: &[u32]) -> Vec<u32> {
        let mut names = vec![u32::MAX; same.len()];
        let mut count = 0_u32;
        for (_, class) in &self.runs {
            let chosen = get(same, *class);
            if get(&names, chosen) == u32::MAX {
                put(&mut names, chosen, count);
                count = count.saturating_add(1);
            }
        }
        same.iter().map(|chosen| get(&names, *chosen)).collect()
    }
}

/// The maximum number of classes of characters while an automaton is built.
const MAX_CLASSES: usize = 1 << 10;

/// The maximum number of steps of [`Alphabet::of_labels`].
const MAX_STEPS: usize = 1 << 19;

/// The code point after a code point; the surrogates are skipped.
pub(super) fn after(code: u32) -> u32 {
    let next = code.saturating_add(1);
    if (0xd800..=0xdfff).contains(&next) { 0xe000 } else { next }
}

/// The code point before a code point; the surrogates are skipped.
pub(super) fn before(code: u32) -> u32 {
    if code == 0xe000 { 0xd7ff } else { code.saturating_sub(1) }
}

/// The ranges of characters of each of the `classes` classes, from runs of a first code point and a class.
pub(super) fn ranges_by_class(runs: impl Iterator<Item = (u32, u32)>, classes: usize) -> Vec<Vec<Range>> {
    let mut all: Vec<Vec<Range>> = vec![Vec::new(); classes];
    let mut runs = runs.peekable();
    while let Some((first, class)) = runs.next() {
        let last = before(runs.peek().map_or(END, |(next, _)| *next));
        if let Some(ranges) = all.get_mut(to_usize(class)) {
            ranges.push((first, last));
        }
    }
    all
}

/// Sorts ranges and merges those that overlap or are adjacent.
pub(super) fn merged(mut ranges: Vec<Range>) -> Vec<Range> {
    ranges.sort_unstable();
    let mut result: Vec<Range> = Vec::with_capacity(ranges.len());
    for (first, last) in ranges {
        match result.last_mut() {
            Some(before) if first <= after(before.1) => before.1 = before.1.max(last),
            _ => result.push((first, last)),
        }
    }
    result
}

/// The characters that are not in the sorted ranges.
pub(super) fn complement(ranges: &[Range]) -> Vec<Range> {
    let mut result = Vec::new();
    let mut from = 0;
    for (first, last) in ranges {
        if *first > from {
            result.push((from, before(*first)));
        }
        from = after(*last);
    }
    if from < END {
        result.push((from, before(END)));
    }
    result
}

/// The number of characters in sorted ranges, without the surrogates.
pub(super) fn count(ranges: &[Range]) -> u32 {
    let surrogates = |range: &Range| if range.0 < 0xd800 && range.1 > 0xdfff { 0x800 } else { 0 };
    let one = |range: &Range| after(range.1).saturating_sub(range.0).saturating_sub(surrogates(range));
    ranges.iter().map(one).fold(0, u32::saturating_add)
}

/// The characters that are in both lists of sorted ranges.
pub(super) fn common(a: &[Range], b: &[Range]) -> Vec<Range> {
    let (mut a, mut b) = (a.iter().peekable(), b.iter().peekable());
    let mut result = Vec::new();
    while let (Some(one), Some(other)) = (a.peek(), b.peek()) {
        let (first, last) = (one.0.max(other.0), one.1.min(other.1));
        if first <= last {
            result.push((first, last));
        }
        if one.1 < other.1 {
            a.next();
        } else {
            b.next();
        }
    }
    result
}
