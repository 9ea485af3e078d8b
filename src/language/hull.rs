//! The hull: a small language that contains a given one.
//!
//! A hull is the intersection of four languages: all strings with a prefix, with a suffix, with a length in a range,
//! and with characters of a class. The bounds below are chosen so that every such intersection fits a [`Language`].
//! Since each part is the best one within its bounds and does not depend on the other parts, the hull is sound,
//! monotone (the hull of a larger language is no smaller) and idempotent. A bound that depended on the room that
//! the other parts leave would break monotony.

use super::Language;
use super::alphabet::Range;
use super::build::{code, exact_lengths, exact_prefix, exact_suffix, star_of_class};
use super::dfa::product;
use super::minimise::minimise_exact;
use super::nfa::{Builder, Nfa};
use super::rows::{Rows, get, number, put, spread, to_usize};

/// The maximum length of the prefix of a hull in characters. With a class for each of its characters, the automaton
/// of a prefix takes the square of its length in bytes.
pub(super) const PREFIX: usize = 112;

/// The maximum length of the suffix of a hull in characters.
pub(super) const SUFFIX: usize = 4;

/// The maximum length in characters that a hull distinguishes. For each of the 49 lengths the automaton has five
/// states for the progress in the suffix: 246 states with the dead one.
pub(super) const LENGTH: u32 = 48;

/// The description of a hull by common prefix, common suffix, lengths and characters; `None` for the empty language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct HullDescription(Option<Properties>);

/// The properties that all strings of a hull (a small language that contains a given one) have in common.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Properties {
    /// The characters that all strings start with.
    prefix: Vec<char>,
    /// The suffix, last character first.
    suffix: Vec<char>,
    /// The minimum length in characters.
    least: u32,
    /// The maximum length in characters; `None` for no bound.
    most: Option<u32>,
    /// A bit for each character of ASCII that occurs.
    ascii: u128,
    /// Whether other characters occur. The hull does not distinguish them: a class such as `\pL` has hundreds of ranges.
    beyond_ascii: bool,
}

impl HullDescription {
    /// The description of the hull of a language.
    pub(super) fn of(language: &Language) -> HullDescription {
        let mut builder = Builder::new();
        let base = builder.language(language, false);
        builder.empties.push((0, base));
        builder.accepting.extend(Builder::ends(language, base));
        HullDescription::of_nfa(&builder.finish())
    }

    /// The description of the hull of one string.
    pub(super) fn of_literal(text: &str) -> HullDescription {
        let length = number(text.chars().count());
        let ascii = text.chars().filter(char::is_ascii).fold(0, |bits, c| bits | bit(u32::from(c)));
        HullDescription(Some(Properties {
            prefix: text.chars().take(PREFIX).collect(),
            suffix: text.chars().rev().take(SUFFIX).collect(),
            least: length.min(LENGTH),
            most: Some(length).filter(|length| *length <= LENGTH),
            ascii,
            beyond_ascii: !text.is_ascii(),
        }))
    }

    /// The description of all strings of at least `least` and at most `most` characters.
    pub(super) fn of_lengths(least: u32, most: Option<u32>) -> HullDescription {
        if most.is_some_and(|most| most < least) {
            return HullDescription(None);
        }
        HullDescription(Some(Properties {
            prefix: Vec::new(),
            suffix: Vec::new(),
            least: least.min(LENGTH),
            most: most.filter(|most| *most <= LENGTH),
            ascii: if most == Some(0) { 0 } else { u128::MAX },
            beyond_ascii: most != Some(0),
        }))
    }

    /// The description of the hull of an automaton's language. Linear in the automaton for each character of the
    /// prefix, the suffix and the length.
    pub(super) fn of_nfa(nfa: &Nfa) -> HullDescription {
        let trimmed = Trimmed::new(nfa);
        if !trimmed.is_live(0) {
            return HullDescription(None);
        }
        let (mut ascii, mut beyond_ascii) = (0_u128, false);
        let mut used = vec![false; nfa.labels.len()];
        for state in 0..number(nfa.states()) {
            if trimmed.is_live(state) {
                let edges = nfa.edges.row(state).iter().filter(|(_, target)| trimmed.is_live(*target));
                edges.for_each(|(label, _)| put(&mut used, *label, true));
            }
        }
        for (first, last) in
            nfa.labels.iter().zip(&used).filter(|(_, used)| **used).flat_map(|(ranges, _)| ranges)
        {
            beyond_ascii |= *last >= 0x80;
            ascii = (*first..=(*last).min(0x7f)).fold(ascii, |bits, code| bits | bit(code));
        }
        let (least, most) = trimmed.lengths();
        let prefix = trimmed.forced_prefix(PREFIX);
        let suffix = Trimmed::new(&reversed(nfa)).forced_prefix(SUFFIX);
        HullDescription(Some(Properties { prefix, suffix, least, most, ascii, beyond_ascii }))
    }

    /// The description of the smallest hull that contains both hulls.
    pub(super) fn join(self, other: &HullDescription) -> HullDescription {
        let (Some(mut a), Some(b)) = (self.0.clone(), other.0.as_ref()) else {
            return if self.0.is_none() { other.clone() } else { self };
        };
        let shared = |a: &[char], b: &[char]| a.iter().zip(b).take_while(|(x, y)| x == y).count();
        a.prefix.truncate(shared(&a.prefix, &b.prefix));
        a.suffix.truncate(shared(&a.suffix, &b.suffix));
        a.least = a.least.min(b.least);
        a.most = a.most.zip(b.most).map(|(a, b)| a.max(b));
        a.ascii |= b.ascii;
        a.beyond_ascii |= b.beyond_ascii;
        HullDescription(Some(a))
    }

    /// The description of a hull that contains all strings of both hulls' intersection. It may contain more: two
    /// prefixes that contradict each other are not noticed.
    pub(super) fn meet(self, other: &HullDescription) -> HullDescription {
        let (Some(a), Some(b)) = (self.0, other.0.clone()) else { return HullDescription(None) };
        let longer = |a: Vec<char>, b: Vec<char>| if a.len() >= b.len() { a } else { b };
        HullDescription(Some(Properties {
            prefix: longer(a.prefix, b.prefix),
            suffix: longer(a.suffix, b.suffix),
            least: a.least.max(b.least),
            most: a.most.into_iter().chain(b.most).min(),
            ascii: a.ascii & b.ascii,
            beyond_ascii: a.beyond_ascii && b.beyond_ascii,
        }))
    }

    /// The language of the hull: all strings with these properties.
    pub(super) fn language(&self) -> Language {
        let Some(parts) = &self.0 else { return Language::empty() };
        let prefix: String = parts.prefix.iter().collect();
        let suffix: String = parts.suffix.iter().rev().collect();
        let ascii = (0..0x80).filter(|code| parts.ascii & bit(*code) != 0).map(|code| (code, code));
        let others: Option<Range> = parts.beyond_ascii.then_some((0x80, code(char::MAX)));
        let class = super::alphabet::merged(ascii.chain(others).collect());
        let all = [
            exact_prefix(&prefix),
            exact_suffix(&suffix),
            exact_lengths(parts.least, parts.most),
            star_of_class(&class),
        ];
        let mut hull = Language::all();
        for part in all.into_iter().flatten() {
            // By the bounds above every intersection fits. If one did not, the hull without that part is sound.
            let product = product(&hull, &part, |a, b| a && b);
            if let Some(met) = product.and_then(|product| minimise_exact(&product.dfa)) {
                hull = met;
            }
        }
        hull
    }
}

impl Language {
    /// The smallest hull that contains the language: the intersection of
    ///
    /// | part | bound |
    /// |---|---|
    /// | a common prefix | 112 characters |
    /// | a common suffix | 4 characters |
    /// | the shortest and the longest length | 48 characters; a longest length beyond that is dropped |
    /// | the characters that occur | each one of ASCII, or all others |
    ///
    /// ```
    /// use plantime::language::Language;
    ///
    /// let hull = Language::one_of(["web-1.example", "web-20.example"])?.hull();
    /// assert!(hull.contains("web-12.example") && hull.contains("web-m.example"));
    /// assert!(!hull.contains("web-1") && !hull.contains("web-123.example") && !hull.contains("web-3.example"));
    /// # Ok::<(), plantime::language::TooLarge>(())
    /// ```
    pub fn hull(&self) -> Language {
        HullDescription::of(self).language()
    }
}

/// The bit of an ASCII character in a set of 128 bits.
fn bit(code: u32) -> u128 {
    1_u128.checked_shl(code).unwrap_or(0)
}

/// An automaton for the reversed strings of an automaton's language.
fn reversed(nfa: &Nfa) -> Nfa {
    let mut builder = Builder::new();
    builder.states = number(nfa.states()).saturating_add(1);
    builder.labels.clone_from(&nfa.labels);
    for state in 0..number(nfa.states()) {
        let own = state.saturating_add(1);
        let edges = nfa.edges.row(state).iter();
        builder.edges.extend(edges.map(|(label, target)| (target.saturating_add(1), (*label, own))));
        builder.empties.extend(nfa.empties.row(state).iter().map(|target| (target.saturating_add(1), own)));
        if get(&nfa.accepting, state) {
            builder.empties.push((0, own));
        }
    }
    builder.accepting.push(1);
    builder.finish()
}

/// The longest suffix that all strings of a language share, last character first. At most `most` characters.
pub(super) fn common_suffix_reversed(language: &Language, most: usize) -> Vec<char> {
    let mut builder = Builder::new();
    let base = builder.language(language, false);
    builder.empties.push((0, base));
    builder.accepting.extend(Builder::ends(language, base));
    Trimmed::new(&reversed(&builder.finish())).forced_prefix(most)
}

/// An automaton with its live states: those that can be reached from the start and lead to acceptance.
struct Trimmed<'a> {
    nfa: &'a Nfa,
    live: Vec<bool>,
}

impl Trimmed<'_> {
    /// Finds the live states of an automaton.
    fn new(nfa: &Nfa) -> Trimmed<'_> {
        let count = nfa.states();
        let (mut forth, mut back) = (Vec::new(), Vec::new());
        for state in 0..number(count) {
            let targets = nfa.edges.row(state).iter().map(|(_, target)| target).chain(nfa.empties.row(state));
            for target in targets {
                forth.push((state, *target));
                back.push((*target, state));
            }
        }
        let mut reached = vec![false; count];
        put(&mut reached, 0, true);
        spread(&Rows::group(count, &forth), &mut reached);
        let mut live = nfa.accepting.clone();
        spread(&Rows::group(count, &back), &mut live);
        live.iter_mut().zip(reached).for_each(|(live, reached)| *live &= reached);
        Trimmed { nfa, live }
    }

    /// Whether a state can be reached from the start and leads to acceptance.
    fn is_live(&self, state: u32) -> bool {
        get(&self.live, state)
    }

    /// The live states among the `states` and those that moves without a character lead to from them (the epsilon
    /// closure).
    fn closure(&self, states: impl Iterator<Item = u32>) -> Vec<u32> {
        let mut seen = vec![false; self.live.len()];
        let mut open: Vec<u32> = states.filter(|state| self.is_live(*state)).collect();
        let mut set = Vec::new();
        while let Some(state) = open.pop() {
            if !std::mem::replace(seen.get_mut(to_usize(state)).unwrap_or(&mut true), true) {
                set.push(state);
                open.extend(self.nfa.empties.row(state).iter().filter(|state| self.is_live(**state)));
            }
        }
        set
    }

    /// The edges from a set of states to live states: the number of a set of characters, and the target.
    fn edges<'a>(&'a self, set: &'a [u32]) -> impl Iterator<Item = (u32, u32)> + 'a {
        let edges = set.iter().flat_map(|state| self.nfa.edges.row(*state)).copied();
        edges.filter(|(_, target)| self.is_live(*target))
    }

    /// Whether some state of a set accepts.
    fn accepts(&self, set: &[u32]) -> bool {
        set.iter().any(|state| get(&self.nfa.accepting, *state))
    }

    /// The longest prefix that all strings share, cut after `most` characters.
    fn forced_prefix(&self, most: usize) -> Vec<char> {
        let mut prefix = Vec::new();
        let mut set = self.closure(std::iter::once(0));
        while prefix.len() < most && !self.accepts(&set) {
            let mut only: Option<u32> = None;
            for (label, _) in self.edges(&set) {
                match self.nfa.labels.get(to_usize(label)).map(Vec::as_slice) {
                    Some([(first, last)]) if first == last && only.is_none_or(|only| only == *first) => {
                        only = Some(*first);
                    }
                    _ => return prefix,
                }
            }
            let Some(c) = only.and_then(char::from_u32) else { return prefix };
            prefix.push(c);
            set = self.closure(self.edges(&set).map(|(_, target)| target));
        }
        prefix
    }

    /// The minimum length of the strings in characters, at most [`LENGTH`], and the maximum; `None` for a maximum
    /// above that.
    fn lengths(&self) -> (u32, Option<u32>) {
        let (mut least, mut most) = (LENGTH, None);
        let mut set = self.closure(std::iter::once(0));
        for length in 0..=LENGTH {
            if self.accepts(&set) {
                least = least.min(length);
                most = Some(length);
            }
            set = self.closure(self.edges(&set).map(|(_, target)| target));
        }
        // What is live leads to acceptance, so some string is longer.
        (least, if set.is_empty() { most } else { None })
    }
}
