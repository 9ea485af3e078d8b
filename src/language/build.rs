//! Languages from descriptions, and their concatenation and repetition.

use std::sync::OnceLock;

use super::alphabet::{Alphabet, END, Range, after, merged};
use super::dfa::Dfa;
use super::hull::HullDescription;
use super::minimise::{canonical, minimise_exact};
use super::nfa::Builder;
use super::rows::{get, number, to_usize};
use super::{Language, Result, STATES, TooLarge};

/// The range of all characters.
pub(super) const EVERY: [Range; 1] = [(0, END - 1)];

/// The code point of a character.
pub(super) fn code(c: char) -> u32 {
    u32::from(c)
}

impl Language {
    /// The language without strings.
    ///
    /// ```
    /// use plantime::language::Language;
    ///
    /// assert!(Language::empty().is_empty() && Language::all().is_all());
    /// assert_eq!(Language::empty().complement(), Language::all());
    /// assert!(Language::all().contains("anything"));
    /// ```
    pub fn empty() -> Language {
        static EMPTY: OnceLock<Language> = OnceLock::new();
        EMPTY.get_or_init(|| constant(false)).clone()
    }

    /// The language of all strings.
    ///
    /// [Example](Language::empty)
    pub fn all() -> Language {
        static ALL: OnceLock<Language> = OnceLock::new();
        ALL.get_or_init(|| constant(true)).clone()
    }

    /// The language of one string. The string is taken as it is, without normalisation.
    ///
    /// ```
    /// use plantime::language::Language;
    ///
    /// let main = Language::literal("main")?;
    /// assert_eq!(main.as_literal().as_deref(), Some("main"));
    /// assert_eq!((main.shortest(), main.longest(), main.is_finite()), (Some(4), Some(4), true));
    /// # Ok::<(), plantime::language::TooLarge>(())
    /// ```
    pub fn literal(text: &str) -> Result {
        chain(text, false).ok_or_else(|| TooLarge { hull: HullDescription::of_literal(text).language() })
    }

    /// The strings with a prefix.
    ///
    /// ```
    /// use plantime::language::Language;
    ///
    /// let vpc = Language::prefix("vpc-")?;
    /// assert_eq!((vpc.as_prefix().as_deref(), vpc.common_prefix().as_str()), (Some("vpc-"), "vpc-"));
    /// assert_eq!(vpc.longest(), None);
    /// let host = Language::suffix(".example.com")?;
    /// assert_eq!((host.as_suffix().as_deref(), host.common_suffix().as_str()), (Some(".example.com"), ".example.com"));
    /// assert!(Language::containing("db")?.contains("orders-db-1"));
    /// # Ok::<(), plantime::language::TooLarge>(())
    /// ```
    pub fn prefix(text: &str) -> Result {
        exact_prefix(text).ok_or_else(|| {
            let start: String = text.chars().take(super::hull::PREFIX).collect();
            TooLarge { hull: exact_prefix(&start).unwrap_or_else(Language::all) }
        })
    }

    /// The strings with a suffix.
    ///
    /// [Example](Language::prefix)
    pub fn suffix(text: &str) -> Result {
        exact_suffix(text).ok_or_else(|| {
            let end = text.char_indices().rev().take(super::hull::SUFFIX).last().map_or(0, |(at, _)| at);
            let end = text.get(end..).unwrap_or_default();
            TooLarge { hull: exact_suffix(end).unwrap_or_else(Language::all) }
        })
    }

    /// The strings that start with a prefix and continue, without overlap, with anything and then a suffix.
    ///
    /// ```
    /// use plantime::language::Language;
    ///
    /// let names = Language::between("web-", "-eu")?;
    /// assert!(names.contains("web-1-eu") && names.contains("web--eu") && !names.contains("web-eu"));
    /// # Ok::<(), plantime::language::TooLarge>(())
    /// ```
    pub fn between(prefix: &str, suffix: &str) -> Result {
        if let Some(exact) = exact_between(prefix, suffix) {
            return Ok(exact);
        }
        let mut builder = Builder::new();
        let middle = builder.state();
        builder.literal(0, prefix, middle);
        builder.class(middle, &EVERY, middle);
        let end = builder.state();
        builder.literal(middle, suffix, end);
        builder.accepting.push(end);
        builder.build()
    }

    /// The strings that contain a string.
    ///
    /// [Example](Language::prefix)
    pub fn containing(text: &str) -> Result {
        let exact = is_short(text).then(|| {
            let mut builder = Builder::new();
            builder.class(0, &EVERY, 0);
            let rest = builder.universal();
            builder.literal(0, text, rest);
            exactly(builder)
        });
        exact.flatten().ok_or_else(|| {
            let length = u32::try_from(text.chars().count()).unwrap_or(u32::MAX);
            TooLarge { hull: HullDescription::of_lengths(length, None).language() }
        })
    }

    /// The strings of at least `least` and at most `most` characters (code points).
    ///
    /// ```
    /// use plantime::language::Language;
    ///
    /// let name = Language::lengths(3, Some(63))?;
    /// assert!(name.contains("web") && !name.contains("db"));
    /// assert_eq!(name.as_lengths(), Some((3, Some(63))));
    /// # Ok::<(), plantime::language::TooLarge>(())
    /// ```
    pub fn lengths(least: u32, most: Option<u32>) -> Result {
        exact_lengths(least, most)
            .ok_or_else(|| TooLarge { hull: HullDescription::of_lengths(least, most).language() })
    }

    /// The strings of at least `least` and at most `most` bytes in UTF-8.
    ///
    /// ```
    /// use plantime::language::Language;
    ///
    /// let short = Language::byte_lengths(1, Some(2))?;
    /// assert!(short.contains("ab") && short.contains("\u{e9}") && !short.contains("a\u{e9}"));
    /// # Ok::<(), plantime::language::TooLarge>(())
    /// ```
    pub fn byte_lengths(least: u32, most: Option<u32>) -> Result {
        exact_byte_lengths(least, most).ok_or_else(|| {
            // A character has one to four bytes.
            let hull = HullDescription::of_lengths(least.div_ceil(4), most);
            TooLarge { hull: hull.language() }
        })
    }

    /// The strings of one character that lies in one of the ranges.
    ///
    /// ```
    /// use plantime::language::Language;
    ///
    /// let hex = Language::class(&[('0', '9'), ('a', 'f')])?;
    /// let id = Language::literal("vpc-")?.concat(&hex.star()?)?;
    /// assert!(id.contains("vpc-0a1b") && id.contains("vpc-") && !id.contains("vpc-x"));
    /// assert_eq!(id.characters().first(), Some(&('-', '-')));
    /// assert!(id.reverse()?.contains("b1a0-cpv"));
    /// # Ok::<(), plantime::language::TooLarge>(())
    /// ```
    pub fn class(ranges: &[(char, char)]) -> Result {
        let ranges = ranges.iter().filter(|(first, last)| first <= last);
        let ranges = merged(ranges.map(|(first, last)| (code(*first), code(*last))).collect());
        let mut builder = Builder::new();
        let end = builder.state();
        builder.class(0, &ranges, end);
        builder.accepting.push(end);
        builder.build()
    }

    /// The concatenations of a string of this language and one of the other.
    ///
    /// Of strings in form C, the concatenation may not be in that form: see [`concat_nfc`](Self::concat_nfc).
    ///
    /// [Example](Language::class)
    pub fn concat(&self, other: &Language) -> Result {
        let mut builder = Builder::new();
        let first = builder.next_language(self, false);
        let second = builder.next_language(other, true);
        builder.empties.push((0, first));
        builder.empties.extend(Builder::ends(self, first).map(|end| (end, second)));
        builder.accepting.extend(Builder::ends(other, second));
        builder.build()
    }

    /// The concatenations of any number of strings of this language.
    ///
    /// [Example](Language::class)
    pub fn star(&self) -> Result {
        let mut builder = Builder::new();
        builder.accepting.push(0);
        let copy = builder.language(self, false);
        builder.empties.push((0, copy));
        builder.empties.extend(Builder::ends(self, copy).map(|end| (end, 0)));
        builder.build()
    }

    /// The strings of the language, each reversed by characters (code points, not grapheme clusters).
    ///
    /// [Example](Language::class)
    pub fn reverse(&self) -> Result {
        let mut forward = Builder::new();
        let copy = forward.language(self, false);
        let mut builder = Builder::new();
        builder.states = forward.states;
        for (from, (label, to)) in forward.edges {
            let ranges = forward.labels.get(to_usize(label)).map(Vec::as_slice).unwrap_or_default();
            builder.class(to, ranges, from);
        }
        builder.empties.extend(Builder::ends(self, copy).map(|end| (0, end)));
        builder.accepting.push(copy);
        builder.build()
    }
}

/// The language of all strings if `accepting`, else the language without strings.
fn constant(accepting: bool) -> Language {
    let alphabet = super::alphabet::Alphabet { runs: vec![(0, 0)], classes: 1 };
    Language::packed(&alphabet, &[accepting], vec![0])
}

/// Whether a string has at most [`STATES`] characters. The language of a longer one has too many states.
fn is_short(text: &str) -> bool {
    text.chars().nth(STATES).is_none()
}

/// The language of an automaton; `None` if it is too large.
pub(super) fn exactly(builder: Builder) -> Option<Language> {
    builder.finish().determinise().and_then(|dfa| minimise_exact(&dfa))
}

/// The strings with a prefix; `None` if the language is too large.
pub(super) fn exact_prefix(text: &str) -> Option<Language> {
    chain(text, true)
}

/// The language of one string, or, if `is_open`, of all strings with that prefix; `None` if it is too large. Its
/// automaton is minimal as it is built.
fn chain(text: &str, is_open: bool) -> Option<Language> {
    if !is_short(text) {
        return None;
    }
    let letters = Letters::of(&[text]);
    let length = number(text.chars().count());
    let dead = length.saturating_add(1);
    let mut dfa =
        Dfa { alphabet: letters.alphabet(), accepting: vec![false; to_usize(length)], targets: Vec::new() };
    for (c, next) in text.chars().zip(1..) {
        letters.push_row(&mut dfa.targets, c, next, dead);
    }
    let end = if is_open { length } else { dead };
    dfa.targets.extend((0..dfa.alphabet.classes).map(|_| end));
    dfa.accepting.push(true);
    // All strings continue the empty one: then no state is dead.
    if !(is_open && length == 0) {
        dfa.targets.extend((0..dfa.alphabet.classes).map(|_| dead));
        dfa.accepting.push(false);
    }
    canonical(&dfa)
}

/// The strings with a suffix; `None` if the language is too large.
pub(super) fn exact_suffix(text: &str) -> Option<Language> {
    exact_between("", text)
}

/// The strings that start with a prefix and go on to end with a suffix; `None` if the language is too large.
///
/// The automaton is minimal as it is built: the length of the shortest string that is accepted differs from state to state. Behind the
/// prefix the state is the longest beginning of the suffix that was just read (the automaton of Knuth, Morris and Pratt).
fn exact_between(prefix: &str, suffix: &str) -> Option<Language> {
    if suffix.is_empty() {
        return chain(prefix, true);
    }
    if !is_short(prefix) || !is_short(suffix) {
        return None;
    }
    let letters = Letters::of(&[prefix, suffix]);
    // The state behind the prefix, and the accepting one.
    let middle = number(prefix.chars().count());
    let end = middle.saturating_add(number(suffix.chars().count()));
    if to_usize(end) >= STATES {
        return None;
    }
    let dead = end.saturating_add(1);
    let mut dfa = Dfa { alphabet: letters.alphabet(), accepting: Vec::new(), targets: Vec::new() };
    for (c, next) in prefix.chars().zip(1..) {
        letters.push_row(&mut dfa.targets, c, next, dead);
    }
    // A character that is not the next one of the suffix leads where it leads from the failure state: that of the longest shorter
    // beginning of the suffix that was just read.
    let mut failure = None;
    for (c, next) in suffix.chars().zip(middle.saturating_add(1)..) {
        match failure {
            None => {
                letters.push_row(&mut dfa.targets, c, next, middle);
                failure = Some(middle);
            }
            Some(state) => {
                let row = dfa.row(state).to_vec();
                let class = letters.class_of(c);
                failure = Some(get(&row, class));
                dfa.targets
                    .extend((0..).zip(&row).map(|(own, target)| if own == class { next } else { *target }));
            }
        }
    }
    let last = dfa.row(failure.unwrap_or(middle)).to_vec();
    dfa.targets.extend(last);
    dfa.accepting = (0..=end).map(|state| state == end).collect();
    if middle > 0 {
        dfa.targets.extend((0..dfa.alphabet.classes).map(|_| dead));
        dfa.accepting.push(false);
    }
    canonical(&dfa)
}

/// The different characters of some texts, sorted. Each is a class of its own; class 0 is that of all other characters.
struct Letters(Vec<u32>);

impl Letters {
    /// All characters that occur in the texts.
    fn of(texts: &[&str]) -> Letters {
        let mut letters: Vec<u32> = texts.iter().flat_map(|text| text.chars().map(code)).collect();
        letters.sort_unstable();
        letters.dedup();
        Letters(letters)
    }

    /// The division of all characters.
    fn alphabet(&self) -> Alphabet {
        let mut alphabet = Alphabet::default();
        let mut from = 0;
        for (c, class) in self.0.iter().zip(1..) {
            if *c > from {
                alphabet.push(from, 0);
            }
            alphabet.push(*c, class);
            from = after(*c);
        }
        if from < END {
            alphabet.push(from, 0);
        }
        alphabet.classes = number(self.0.len()).saturating_add(1);
        alphabet
    }

    /// The class of a character.
    fn class_of(&self, c: char) -> u32 {
        self.0.binary_search(&code(c)).map_or(0, |place| number(place).saturating_add(1))
    }

    /// Appends the transitions of a state from which one character leads to `next` and all others to `other`.
    fn push_row(&self, targets: &mut Vec<u32>, c: char, next: u32, other: u32) {
        let start = targets.len();
        targets.resize(start.saturating_add(self.0.len()).saturating_add(1), other);
        if let Some(target) = targets.get_mut(start.saturating_add(to_usize(self.class_of(c)))) {
            *target = next;
        }
    }
}

/// The strings of at least `least` and at most `most` characters; `None` if the language is too large.
pub(super) fn exact_lengths(least: u32, most: Option<u32>) -> Option<Language> {
    if most.is_some_and(|most| most < least) {
        return Some(Language::empty());
    }
    let last = most.unwrap_or(least);
    if to_usize(last) >= STATES {
        return None;
    }
    let mut builder = Builder::new();
    let mut state = 0;
    for length in 0..=last {
        if length >= least {
            builder.accepting.push(state);
        }
        if length < last {
            let next = builder.state();
            builder.class(state, &EVERY, next);
            state = next;
        } else if most.is_none() {
            builder.class(state, &EVERY, state);
        }
    }
    exactly(builder)
}

/// The first and the last code point of the characters of one, two, three and four bytes in UTF-8.
const BY_BYTES: [Range; 4] = [(0, 0x7f), (0x80, 0x7ff), (0x800, 0xffff), (0x1_0000, END - 1)];

/// The strings of at least `least` and at most `most` bytes in UTF-8; `None` if the language is too large.
fn exact_byte_lengths(least: u32, most: Option<u32>) -> Option<Language> {
    if most.is_some_and(|most| most < least) {
        return Some(Language::empty());
    }
    let last = most.unwrap_or(least);
    if to_usize(last) >= STATES {
        return None;
    }
    let mut builder = Builder::new();
    for _ in 0..last {
        builder.state();
    }
    // The number of a state is the number of bytes before it.
    for length in 0..=last {
        if length >= least {
            builder.accepting.push(length);
        }
        for (range, bytes) in BY_BYTES.into_iter().zip(1_u32..) {
            let next = length.saturating_add(bytes);
            match most {
                Some(_) if next > last => {}
                _ => builder.class(length, &[range], next.min(last)),
            }
        }
    }
    exactly(builder)
}

/// The strings all of whose characters lie in the ranges; `None` if the language is too large.
pub(super) fn star_of_class(ranges: &[Range]) -> Option<Language> {
    let mut builder = Builder::new();
    builder.class(0, ranges, 0);
    builder.accepting.push(0);
    exactly(builder)
}

/// The first and last character of a range; `None` if one of them is not a character but a surrogate.
pub(super) fn characters(range: Range) -> Option<(char, char)> {
    Some((char::from_u32(range.0)?, char::from_u32(range.1)?))
}
