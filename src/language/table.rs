//! Languages as tables of numbers: a text for those whose regular expression would be too long.

use std::fmt::Write as _;

use super::alphabet::ranges_by_class;
use super::nfa::Builder;
use super::rows::{number, to_usize};
use super::{BYTES, Language, STATES};

impl Language {
    /// The automaton as text: the first character and the class of each run of characters, the accepting states, and
    /// the targets of each state, all in hexadecimal digits.
    pub(crate) fn to_table(&self) -> String {
        let mut text = String::new();
        // Writing to a `String` cannot fail.
        for (code, class) in self.runs() {
            let _ = write!(text, "{code:x}.{class:x} ");
        }
        text.push('/');
        for state in self.numbers().filter(|state| self.accepts_at(*state)) {
            let _ = write!(text, " {state:x}");
        }
        text.push_str(" /");
        for target in self.numbers().flat_map(|state| self.row(state)) {
            let _ = write!(text, " {target:x}");
        }
        text
    }

    /// The language of an automaton that [`to_table`](Self::to_table) wrote; `None` for any other text that is not an
    /// automaton, or is one that is too large.
    pub(crate) fn from_table(text: &str) -> Option<Language> {
        let mut parts = text.split('/');
        let (runs, accepting, targets) = (parts.next()?, parts.next()?, parts.next()?);
        if parts.next().is_some() {
            return None;
        }
        let hex = |text: &str| u32::from_str_radix(text, 16).ok();
        let runs: Vec<(u32, u32)> = runs
            .split_ascii_whitespace()
            .take(BYTES)
            .map(|run| run.split_once('.').and_then(|(code, class)| hex(code).zip(hex(class))))
            .collect::<Option<_>>()?;
        let classes = to_usize(runs.iter().map(|(_, class)| *class).max()?.checked_add(1)?);
        let targets: Vec<u32> =
            targets.split_ascii_whitespace().take(BYTES).map(hex).collect::<Option<_>>()?;
        let states = targets.len().checked_div(classes)?;
        let is_ordered = runs.windows(2).all(|pair| matches!(pair, [a, b] if a.0 < b.0));
        let are_characters = runs.iter().all(|(code, _)| char::from_u32(*code).is_some());
        let fits = (1..=STATES).contains(&states) && states.saturating_mul(classes) == targets.len();
        if !(is_ordered && are_characters && fits && runs.first().is_some_and(|(code, _)| *code == 0)) {
            return None;
        }
        let ranges = ranges_by_class(runs.iter().copied(), classes);
        let mut builder = Builder::new();
        // State 0 of the builder is the start, state n plus one is the state n of the table.
        builder.empties.push((0, 1));
        builder.states = number(states).saturating_add(1);
        for (row, from) in targets.chunks_exact(classes).zip(1..) {
            for (target, ranges) in row.iter().zip(&ranges) {
                if to_usize(*target) >= states {
                    return None;
                }
                builder.class(from, ranges, target.saturating_add(1));
            }
        }
        for state in accepting.split_ascii_whitespace() {
            let state = hex(state).filter(|state| to_usize(*state) < states)?;
            builder.accepting.push(state.saturating_add(1));
        }
        builder.build().ok()
    }
}
