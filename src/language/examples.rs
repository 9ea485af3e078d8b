//! Example strings of a language, for messages.

use unicode_normalization::is_nfc;

use super::alphabet::Range;
use super::rows::get;
use super::{Language, build};

/// Characters in the order in which examples prefer them, before all others.
const PREFERRED: &str = "0a1b2c3d4e5f6789ghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_./: ";

/// The length of examples in characters, if the language has strings of that length.
const USUAL: u32 = 3;

/// How many variants are tried for each requested example.
const TRIES: usize = 8;

impl Language {
    /// Up to `count` different strings of the language: short ones, of letters and digits where it has some. All
    /// are in normalization form C.
    ///
    /// ```
    /// use plantime::language::Language;
    ///
    /// let digit = Language::class(&[('0', '9'), ('a', 'f')])?;
    /// let eight = digit.star()?.meet(&Language::lengths(8, Some(8))?)?;
    /// let id = Language::literal("vpc-")?.concat(&eight)?;
    /// assert_eq!(id.examples(2), ["vpc-0a1b2c3d", "vpc-a1b2c3d4"]);
    /// # Ok::<(), plantime::language::TooLarge>(())
    /// ```
    pub fn examples(&self, count: usize) -> Vec<String> {
        let mut examples: Vec<String> = Vec::new();
        // Few strings are listed, or the walks below might miss those in form C.
        for text in self.members().unwrap_or_default().into_iter().filter(|text| is_nfc(text)) {
            if examples.len() == count {
                return examples;
            }
            examples.push(text);
        }
        if !examples.is_empty() || self.is_empty() {
            return examples;
        }
        let walk = Walk::new(self);
        for variant in 0..count.saturating_mul(TRIES) {
            if examples.len() == count {
                break;
            }
            let text = walk.example(variant);
            if !examples.contains(&text) && is_nfc(&text) && self.contains(&text) {
                examples.push(text);
            }
        }
        examples
    }
}

/// Finds strings of a language by walking through its automaton from the start to an accepting state.
struct Walk<'a> {
    language: &'a Language,
    classes: Vec<Vec<Range>>,
    /// For each number of characters from 0 on, the states from which that many more lead to acceptance.
    reach: Vec<Vec<bool>>,
}

impl Walk<'_> {
    /// Chooses the length of the examples: at least [`USUAL`] characters or the shortest length, where the language
    /// has strings of it.
    fn new(language: &Language) -> Walk<'_> {
        let shortest = language.shortest().unwrap_or(0);
        let mut reach: Vec<Vec<bool>> =
            vec![language.numbers().map(|state| language.accepts_at(state)).collect()];
        // The shortest length of at least the usual one; a few more are tried for languages such as (aaaaa)*.
        for length in 1..=shortest.max(USUAL).saturating_add(USUAL) {
            if length > shortest.max(USUAL) && reach.last().is_some_and(|last| get(last, 0)) {
                break;
            }
            let Some(before) = reach.last() else { break };
            let leads = |state| language.row(state).iter().any(|target| get(before, u32::from(*target)));
            let next = language.numbers().map(leads).collect();
            reach.push(next);
        }
        while reach.len() > 1 && !reach.last().is_some_and(|last| get(last, 0)) {
            reach.pop();
        }
        Walk { language, classes: language.classes(), reach }
    }

    /// An example of the language; each `variant` prefers other characters.
    fn example(&self, variant: usize) -> String {
        let (mut text, mut state, mut turn) = (String::new(), 0, variant);
        for within in self.reach.iter().rev().skip(1) {
            let leads = |class: u32| get(within, self.language.target(state, class));
            let Some((c, is_free)) = self.choose(turn, leads) else { break };
            // Only free choices count, so that the first digits after a prefix are the same ones for all prefixes.
            turn = turn.saturating_add(usize::from(is_free));
            state = self.language.target(state, self.language.class_of(c));
            text.push(c);
        }
        text
    }

    /// The next character of an example, of a class for which `leads` returns true, and whether several characters
    /// were possible. `turn` selects among them. `None` if no class leads on.
    fn choose(&self, turn: usize, leads: impl Fn(u32) -> bool) -> Option<(char, bool)> {
        let fits = |c: &char| leads(self.language.class_of(*c));
        let cycle = PREFERRED.chars().filter(fits).collect::<Vec<char>>();
        // Hexadecimal digits come first, and only where none fits, other characters.
        let usual = cycle.iter().filter(|c| c.is_ascii_hexdigit() && !c.is_ascii_uppercase()).count();
        let end = if usual > 0 { usual } else { cycle.len() };
        if let Some(place) = turn.checked_rem(end) {
            return cycle.get(place).map(|c| (*c, end > 1));
        }
        let classes = self.classes.iter().zip(0..).filter(|(_, class)| leads(*class));
        let mut ranges = classes.flat_map(|(ranges, _)| ranges).filter_map(|range| build::characters(*range));
        let printable = ranges.clone().find(|(first, _)| *first > ' ');
        printable.or_else(|| ranges.next()).map(|(first, last)| {
            let wanted = u32::from(first).saturating_add(u32::try_from(turn).unwrap_or(0));
            (char::from_u32(wanted).filter(|c| *c <= last).unwrap_or(first), first < last)
        })
    }
}
