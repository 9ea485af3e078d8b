//! Regular languages: sets of strings that a finite automaton recognises, and exact operations on them.
//!
//! A [`Language`] is a shared minimal deterministic automaton over characters, in canonical numbering. Two languages
//! have the same strings if and only if they are equal ([`Eq`], [`Ord`] and [`Hash`] look at nothing else).
//!
//! | operation | result |
//! |---|---|
//! | [`literal`], [`prefix`], [`suffix`], [`containing`], [`lengths`], [`one_of`], [`class`] | the language of that description |
//! | [`meet`], [`join`], [`difference`], [`complement`] | the sets of strings |
//! | [`concat`], [`concat_nfc`], [`star`], [`reverse`] | concatenations, repetitions, reversed strings |
//! | [`left_quotient`], [`right_quotient`], [`trim_prefix`], [`trim_suffix`], [`take`], [`skip`] | strings without their beginning or end |
//! | [`map`] | each character replaced by a string |
//! | [`replace`], [`replace_class`] | a text, or the characters of a class, replaced |
//! | [`divided_at`](Language::divided_at) | what precedes and what follows the first occurrence of a text |
//!
//! A language has at most [`STATES`] states and [`BYTES`] bytes. An operation whose result is larger returns
//! [`TooLarge`], which holds a larger language that fits: the hull, that is the smallest language that contains the
//! result and is described by a prefix, a suffix, a range of lengths and classes of characters.
//!
//! Results that fit are exact, and hulls are monotone: the hull of a larger language is no smaller. An operation as
//! a whole is not monotone where results stop fitting: a result may be too large while a larger one fits, and then the
//! hull of the one need not lie within the other.
//!
//! # Normalization
//!
//! The strings of plantime are in Unicode normalization form C, so a language stands for *the NFC strings among its
//! members*. A language may have other members too, such as `e` followed by U+0301 in the language of all strings:
//! the automaton that recognises NFC has thousands of states, so these cannot be removed. What follows:
//!
//! | question | answer |
//! |---|---|
//! | emptiness, disjointness, inclusion, equality | true holds of the NFC strings too; false may be due to other strings only |
//! | members below U+0300 only | all of them are NFC, so every answer is exact |
//! | `meet`, `join`, `difference`, `complement` | exact: they agree with the same operation on the NFC strings |
//! | concatenation | `x` and `y` are NFC, but `xy` may not be: [`concat_nfc`] contains the normalised ones |
//! | quotients, `take`, `skip` | supersets: a rest counts even if the whole string was not NFC |
//! | `map`, `replace`, `replace_class`, `reverse` | the mapped string may have to be normalised: exact if the results are below U+0300 |
//!
//! [`literal`]: Language::literal
//! [`prefix`]: Language::prefix
//! [`suffix`]: Language::suffix
//! [`containing`]: Language::containing
//! [`lengths`]: Language::lengths
//! [`one_of`]: Language::one_of
//! [`class`]: Language::class
//! [`meet`]: Language::meet
//! [`join`]: Language::join
//! [`difference`]: Language::difference
//! [`complement`]: Language::complement
//! [`concat`]: Language::concat
//! [`concat_nfc`]: Language::concat_nfc
//! [`star`]: Language::star
//! [`reverse`]: Language::reverse
//! [`left_quotient`]: Language::left_quotient
//! [`right_quotient`]: Language::right_quotient
//! [`trim_prefix`]: Language::trim_prefix
//! [`trim_suffix`]: Language::trim_suffix
//! [`take`]: Language::take
//! [`skip`]: Language::skip
//! [`map`]: Language::map
//! [`replace`]: Language::replace
//! [`replace_class`]: Language::replace_class

mod alphabet;
mod build;
mod dfa;
mod examples;
mod expression;
mod facts;
mod hull;
mod literals;
mod map;
mod minimise;
mod nfa;
mod order;
mod pattern;
mod quotient;
mod rows;
mod seam;
mod sets;
mod table;
mod text;
mod transduce;

use std::fmt;
use std::sync::Arc;

pub use map::CharMap;
pub(crate) use seam::Piece;
pub(crate) use transduce::Transducer;

use rows::{get, number, to_usize};

/// The maximum number of states of a language.
///
/// A state's number fits a byte. A language that counts characters needs a state for each: lengths up to 254 fit.
pub const STATES: usize = 256;

/// The maximum size of a language in bytes.
pub const BYTES: usize = 1 << 14;

/// A regular language: a set of strings that a finite automaton recognises.
///
/// Equal sets are equal values. A clone shares the automaton.
///
/// ```
/// use plantime::language::Language;
///
/// let name = Language::prefix("vpc-")?.meet(&Language::lengths(0, Some(12))?)?;
/// assert!(name.contains("vpc-0a1b2c3d"));
/// assert!(!name.contains("subnet-1"));
/// assert_eq!(name.shortest(), Some(4));
/// assert!(name.is_subset(&Language::containing("pc")?));
/// # Ok::<(), plantime::language::TooLarge>(())
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Language(Arc<Automaton>);

/// A complete minimal automaton in canonical numbering: the classes of characters are numbered in the order of their
/// first characters, the states in the order of a breadth-first search from state 0, the start, by ascending classes.
///
/// | layout | `stringlength(1, 63)` | `vpc-` and 17 hexadecimal digits | five letters `\pL` |
/// |---|---|---|---|
/// | bytes of UTF-8, sorted ranges | 505 states, 4.0 KiB | 22 states, 158 bytes | 1,491 states, 19.7 KiB |
/// | characters, classes (this one) | 65 states, 269 bytes | 23 states, 390 bytes | 7 states, 5.6 KiB |
///
/// Over bytes each position of a string costs eight states, for the inner bytes of a character, so that the lengths
/// that schemas bound would not fit 256 states.
#[derive(PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Automaton {
    accepting: [u64; STATES / 64],
    classes: u16,
    /// The division of characters into classes, by ascending code.
    runs: Box<[Run]>,
    /// The target of each state and class: at place state times classes plus class.
    targets: Box<[u8]>,
    /// The class of each character of ASCII, once more. Measured: with it, membership of a string of 34 characters takes
    /// a fifth of the time of searching the runs.
    ascii: [u8; 128],
}

/// A run of consecutive characters of one class, in one number: the code point of the first one times 256, plus the
/// class.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Run(u32);

impl Run {
    /// The code point of the first character.
    fn code(self) -> u32 {
        self.0 >> 8
    }

    /// The class of the characters.
    fn class(self) -> u32 {
        self.0 & 0xff
    }
}

/// The exact result of an operation has more than [`STATES`] states or [`BYTES`] bytes, or finding it out would take
/// too long.
///
/// ```
/// use plantime::language::Language;
///
/// let long = Language::prefix(&"a".repeat(200))?;
/// let too_large = long.concat(&long).unwrap_err();
/// assert_eq!(too_large.into_hull().common_prefix(), "a".repeat(112));
/// # Ok::<(), plantime::language::TooLarge>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TooLarge {
    hull: Language,
}

impl TooLarge {
    /// A language that contains the exact result, and fits.
    ///
    /// [Example](TooLarge)
    pub fn into_hull(self) -> Language {
        self.hull
    }
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the language is too large")
    }
}

impl std::error::Error for TooLarge {}

/// A language, or a larger one where it is too large.
pub type Result<T = Language> = std::result::Result<T, TooLarge>;

/// The language, or the larger one in its place if it is too large. For steps of a computation that are monotone: a
/// larger input never gives a smaller result.
pub(crate) fn hull(made: Result) -> Language {
    made.unwrap_or_else(TooLarge::into_hull)
}

/// Carries out an operation in several steps: the hull of a step that is too large is the input of the next one.
///
/// Fits operations whose result grows with the result of each step, so that the last one is a superset.
struct Steps {
    is_exact: bool,
}

impl Default for Steps {
    fn default() -> Steps {
        Steps { is_exact: true }
    }
}

impl Steps {
    /// The result of a step; if it is too large, its hull, and the whole operation is too large from then on.
    fn take(&mut self, step: Result) -> Language {
        step.unwrap_or_else(|too_large| {
            self.is_exact = false;
            too_large.hull
        })
    }

    /// The result of the last step; `TooLarge` with it as the hull if any step before was too large.
    fn finish(self, last: Result) -> Result {
        last.and_then(|language| if self.is_exact { Ok(language) } else { Err(TooLarge { hull: language }) })
    }
}

impl Language {
    /// The memory of an automaton without its transition table and its runs of characters, in bytes.
    const HEADER: usize = size_of::<Automaton>();

    /// The language of an automaton that is minimal and in canonical numbering. `targets` is its transition table:
    /// for each state, one target for each class.
    fn packed(alphabet: &alphabet::Alphabet, accepting: &[bool], targets: Vec<u8>) -> Language {
        let mut bits = [0_u64; STATES / 64];
        for (state, accepts) in accepting.iter().enumerate() {
            if let Some(word) = bits.get_mut(state / 64) {
                *word |= u64::from(*accepts) << (state % 64);
            }
        }
        let runs: Box<[Run]> =
            alphabet.runs.iter().map(|(code, class)| Run((code << 8) | (class & 0xff))).collect();
        let mut ascii = [0; 128];
        for (run, next) in alphabet.runs.iter().zip(alphabet.runs.iter().skip(1).chain([&(128, 0)])) {
            let range = to_usize(run.0).min(128)..to_usize(next.0).min(128);
            ascii.get_mut(range).unwrap_or_default().fill(u8::try_from(run.1).unwrap_or(u8::MAX));
        }
        let classes = u16::try_from(alphabet.classes).unwrap_or(u16::MAX);
        Language(Arc::new(Automaton { accepting: bits, classes, runs, targets: targets.into(), ascii }))
    }

    /// The number of states.
    ///
    /// [Example](Language)
    pub fn states(&self) -> usize {
        self.0.targets.len().checked_div(usize::from(self.0.classes)).unwrap_or(0)
    }

    /// The memory of the automaton in bytes.
    ///
    /// [Example](Language)
    pub fn size(&self) -> usize {
        let lists = size_of_val(&*self.0.runs).saturating_add(size_of_val(&*self.0.targets));
        lists.saturating_add(Language::HEADER)
    }

    /// Whether a string is a member. Linear in the string.
    ///
    /// [Example](Language)
    pub fn contains(&self, text: &str) -> bool {
        self.accepts_at(self.state_after(0, text))
    }

    /// The state that the automaton reaches from state `start` by reading a string.
    fn state_after(&self, start: u32, text: &str) -> u32 {
        text.chars().fold(start, |state, c| self.target(state, self.class_of(c)))
    }

    /// The class of a character: the automaton does not distinguish characters of one class.
    #[inline]
    fn class_of(&self, c: char) -> u32 {
        if let Some(class) = self.0.ascii.get(to_usize(u32::from(c))) {
            return u32::from(*class);
        }
        let after = self.0.runs.partition_point(|run| run.code() <= u32::from(c));
        self.0.runs.get(after.saturating_sub(1)).map_or(0, |run| run.class())
    }

    /// The state that the transition from `state` for a class of characters leads to.
    #[inline]
    fn target(&self, state: u32, class: u32) -> u32 {
        let place = state.saturating_mul(u32::from(self.0.classes)).saturating_add(class);
        u32::from(get(&self.0.targets, place))
    }

    /// The targets of the transitions from a state, one for each class of characters.
    #[inline]
    fn row(&self, state: u32) -> &[u8] {
        let classes = usize::from(self.0.classes);
        let start = to_usize(state).saturating_mul(classes);
        self.0.targets.get(start..start.saturating_add(classes)).unwrap_or_default()
    }

    /// Whether a state is accepting.
    #[inline]
    fn accepts_at(&self, state: u32) -> bool {
        (get(&self.0.accepting, state >> 6) >> (state & 63)) & 1 == 1
    }

    /// The numbers of all states: 0 to one less than their number.
    fn numbers(&self) -> std::ops::Range<u32> {
        0..number(self.states())
    }

    /// The code point of the first character and the class of each run of characters, ascending.
    fn runs(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.0.runs.iter().map(|run| (run.code(), run.class()))
    }

    /// The division of all characters into classes, as runs of a first code point and a class; and the number of
    /// classes.
    fn divided(&self) -> (impl Iterator<Item = (u32, u32)> + '_, usize) {
        (self.runs(), usize::from(self.0.classes))
    }

    /// The ranges of characters of each class.
    fn classes(&self) -> Vec<Vec<alphabet::Range>> {
        alphabet::ranges_by_class(self.runs(), usize::from(self.0.classes))
    }

    /// The state from which nothing is accepted, if there is one.
    fn dead_state(&self) -> Option<u32> {
        self.numbers().find(|state| !self.accepts_at(*state) && self.is_trap(*state))
    }

    /// The state from which everything is accepted, if there is one.
    fn universal_state(&self) -> Option<u32> {
        self.numbers().find(|state| self.accepts_at(*state) && self.is_trap(*state))
    }

    /// Whether all transitions from a state lead back to it.
    fn is_trap(&self, state: u32) -> bool {
        self.row(state).iter().all(|target| u32::from(*target) == state)
    }

    /// The automaton whose accepting states are those that do not accept here. It is minimal again, because two
    /// states that differed still do.
    fn with_complemented_acceptance(&self) -> Language {
        let accepting: Vec<bool> = self.numbers().map(|state| !self.accepts_at(state)).collect();
        let alphabet = alphabet::Alphabet { runs: self.runs().collect(), classes: self.0.classes.into() };
        Language::packed(&alphabet, &accepting, self.0.targets.to_vec())
    }
}

impl fmt::Debug for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.to_regex() {
            Some(regex) => write!(f, "Language({regex})"),
            None => write!(f, "Language({} states)", self.states()),
        }
    }
}

#[cfg(all(test, feature = "rules"))]
#[allow(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]
mod tests;
