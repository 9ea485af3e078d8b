//! Languages and the order of strings, which is that of their characters' codes.

use super::alphabet::{END, after, before};
use super::build::exactly;
use super::nfa::Builder;
use super::{Language, Result, STATES, TooLarge};

/// On which sides of a string the strings of a language are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sides {
    /// Some string sorts before it.
    pub(crate) before: bool,
    /// It is a string of the language.
    pub(crate) equal: bool,
    /// Some string sorts after it.
    pub(crate) after: bool,
}

impl Language {
    /// On which sides of a string the strings of the language are. Linear in the string, for each class of characters.
    pub(crate) fn sides_of(&self, text: &str) -> Sides {
        let (mut sides, mut state) = (Sides::default(), 0);
        let dead = self.dead_state();
        let lives = |state: u32| Some(state) != dead;
        if !lives(state) {
            return sides;
        }
        for c in text.chars() {
            sides.before |= self.accepts_at(state);
            let mut runs = self.runs().peekable();
            while let Some((first, class)) = runs.next() {
                let next = runs.peek().map_or(END, |(next, _)| *next);
                if lives(self.target(state, class)) {
                    sides.before |= first < u32::from(c);
                    sides.after |= next > after(u32::from(c));
                }
            }
            state = self.target(state, self.class_of(c));
            if !lives(state) {
                return sides;
            }
        }
        sides.equal = self.accepts_at(state);
        sides.after |= self.row(state).iter().any(|target| lives(u32::from(*target)));
        sides
    }

    /// The strings that are this one or sort after it.
    pub(crate) fn not_before(text: &str) -> Result {
        bounded(text, |code| (code < before(END)).then_some((after(code), before(END))), true)
    }

    /// The strings that are this one or sort before it.
    pub(crate) fn not_after(text: &str) -> Result {
        bounded(text, |code| (code > 0).then_some((0, before(code))), false)
    }
}

/// The string itself, and all strings that first differ from it in a character of the range that `aside` gives for the
/// character of `text` at that place. With `continues` also the continuations of `text`, else also its prefixes.
fn bounded(text: &str, aside: impl Fn(u32) -> Option<(u32, u32)>, continues: bool) -> Result {
    let too_large = || TooLarge { hull: Language::all() };
    if text.chars().nth(STATES).is_some() {
        return Err(too_large());
    }
    let mut builder = Builder::new();
    let rest = builder.universal();
    let mut state = 0;
    for c in text.chars() {
        if !continues {
            builder.accepting.push(state);
        }
        if let Some(range) = aside(u32::from(c)) {
            builder.class(state, &[range], rest);
        }
        let next = builder.state();
        builder.class(state, &[(u32::from(c), u32::from(c))], next);
        state = next;
    }
    if continues {
        builder.empties.push((state, rest));
    } else {
        builder.accepting.push(state);
    }
    exactly(builder).ok_or_else(too_large)
}
