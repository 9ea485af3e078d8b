//! Facts about the strings of a language.

use super::alphabet::count;
use super::hull::common_suffix_reversed;
use super::rows::{Rows, get, number, put};
use super::{Language, STATES, alphabet, build};

/// The maximum number of strings that [`Language::members`] returns.
const MEMBERS: u32 = 64;

/// The code of the first character that is a mark or composes with one before it.
pub(super) const FIRST_MARK: u32 = 0x300;

impl Language {
    /// The length of the shortest string in characters (code points); `None` if there is no string.
    ///
    /// [Example](Language::literal)
    pub fn shortest(&self) -> Option<u32> {
        let mut seen = vec![false; self.states()];
        put(&mut seen, 0, true);
        let mut layer = vec![0_u32];
        for length in 0..number(STATES) {
            if layer.iter().any(|state| self.accepts_at(*state)) {
                return Some(length);
            }
            let mut next = Vec::new();
            for target in layer.iter().flat_map(|state| self.row(*state)).map(|target| u32::from(*target)) {
                if !get(&seen, target) {
                    put(&mut seen, target, true);
                    next.push(target);
                }
            }
            layer = next;
        }
        None
    }

    /// The length of the longest string in characters (code points); `None` if there is no string, or no bound.
    ///
    /// [Example](Language::literal)
    pub fn longest(&self) -> Option<u32> {
        let order = self.topological()?;
        let mut longest: Vec<Option<u32>> = vec![None; self.states()];
        for state in order.iter().rev() {
            let after = self.row(*state).iter().filter_map(|target| get(&longest, u32::from(*target))).max();
            let own = self.accepts_at(*state).then_some(0);
            put(&mut longest, *state, after.map(|length| length.saturating_add(1)).max(own));
        }
        get(&longest, 0)
    }

    /// Whether the language has a bounded number of strings.
    ///
    /// [Example](Language::literal)
    pub fn is_finite(&self) -> bool {
        self.topological().is_some()
    }

    /// The states from which an accepting one can be reached, in topological order; `None` if there is a cycle among
    /// them, that is, if the language is infinite.
    fn topological(&self) -> Option<Vec<u32>> {
        let dead = self.dead_state();
        // Most infinite languages have a state that leads to itself.
        let has_self_loop = |state: u32| self.row(state).iter().any(|target| u32::from(*target) == state);
        if self.numbers().any(|state| Some(state) != dead && has_self_loop(state)) {
            return None;
        }
        let mut arriving = vec![0_u32; self.states()];
        let targets = |state: u32| {
            let mut targets: Vec<u32> = self.row(state).iter().map(|target| u32::from(*target)).collect();
            targets.sort_unstable();
            targets.dedup();
            targets.retain(|target| Some(*target) != dead);
            targets
        };
        for state in self.numbers().filter(|state| Some(*state) != dead) {
            targets(state).iter().for_each(|target| super::rows::add(&mut arriving, *target, 1));
        }
        let mut order: Vec<u32> = Vec::new();
        let mut open: Vec<u32> = if Some(0) == dead || get(&arriving, 0) > 0 { Vec::new() } else { vec![0] };
        while let Some(state) = open.pop() {
            order.push(state);
            for target in targets(state) {
                let left = get(&arriving, target).saturating_sub(1);
                put(&mut arriving, target, left);
                if left == 0 {
                    open.push(target);
                }
            }
        }
        let live = self.states().saturating_sub(usize::from(dead.is_some()));
        (order.len() == live).then_some(order)
    }

    /// The prefix that all strings have in common; empty if there is no string.
    ///
    /// [Example](Language::prefix)
    pub fn common_prefix(&self) -> String {
        let (dead, characters) = (self.dead_state(), self.single_characters());
        let (mut prefix, mut state) = (String::new(), 0);
        while !self.accepts_at(state) {
            let targets = self.row(state).iter().map(|target| u32::from(*target));
            let mut live = targets.zip(&characters).filter(|(target, _)| Some(*target) != dead);
            let (Some((target, Some(c))), None) = (live.next(), live.next()) else { break };
            prefix.push(*c);
            state = target;
        }
        prefix
    }

    /// For each class its character, if it has only one.
    fn single_characters(&self) -> Vec<Option<char>> {
        let mut characters = vec![None; usize::from(self.0.classes)];
        let mut is_seen = vec![false; characters.len()];
        let mut runs = self.runs().peekable();
        while let Some((code, class)) = runs.next() {
            let last = alphabet::before(runs.peek().map_or(alphabet::END, |(next, _)| *next));
            let is_single = code == last && !get(&is_seen, class);
            put(&mut is_seen, class, true);
            put(&mut characters, class, char::from_u32(code).filter(|_| is_single));
        }
        characters
    }

    /// The suffix that all strings have in common; empty if there is no string.
    ///
    /// [Example](Language::prefix)
    pub fn common_suffix(&self) -> String {
        common_suffix_reversed(self, STATES).into_iter().rev().collect()
    }

    /// The only string of the language; `None` if it has no string or several.
    ///
    /// [Example](Language::literal)
    pub fn as_literal(&self) -> Option<String> {
        // The start, a state for each character, and the dead state.
        let length = number(self.states()).checked_sub(2)?;
        if self.accepts_at(0) != (length == 0) {
            return None;
        }
        let prefix = self.common_prefix();
        (number(prefix.chars().count()) == length && self.longest() == Some(length)).then_some(prefix)
    }

    /// The prefix, if the language is that of all strings with a prefix.
    ///
    /// [Example](Language::prefix)
    pub fn as_prefix(&self) -> Option<String> {
        self.universal_state()?;
        let prefix = self.common_prefix();
        (Language::prefix(&prefix).ok()? == *self).then_some(prefix)
    }

    /// The suffix, if the language is that of all strings with a suffix.
    ///
    /// [Example](Language::prefix)
    pub fn as_suffix(&self) -> Option<String> {
        let suffix = self.common_suffix();
        (Language::suffix(&suffix).ok()? == *self).then_some(suffix)
    }

    /// The bounds of the lengths, the upper one if there is one, if the language is that of all strings with a length
    /// in a range.
    ///
    /// [Example](Language::lengths)
    pub fn as_lengths(&self) -> Option<(u32, Option<u32>)> {
        let (least, most) = (self.shortest()?, self.longest());
        (self.0.classes == 1 && Language::lengths(least, most).ok()? == *self).then_some((least, most))
    }

    /// Whether all strings with a prefix are in the language (true), or none is (false); `None` if some are and some
    /// are not. Linear in the prefix.
    ///
    /// ```
    /// use plantime::language::Language;
    ///
    /// let id = Language::literal("vpc-")?.concat(&Language::lengths(1, None)?)?;
    /// assert_eq!(id.contains_all_with_prefix("vp"), None);
    /// assert_eq!(id.contains_all_with_prefix("vpc-0"), Some(true));
    /// assert_eq!(id.contains_all_with_prefix("ami-"), Some(false));
    /// # Ok::<(), plantime::language::TooLarge>(())
    /// ```
    pub fn contains_all_with_prefix(&self, prefix: &str) -> Option<bool> {
        let state = self.state_after(0, prefix);
        self.is_trap(state).then(|| self.accepts_at(state))
    }

    /// All strings of the language in the order of their bytes, if there are at most 64.
    ///
    /// ```
    /// use plantime::language::Language;
    ///
    /// let zones = Language::one_of(["eu-b", "eu-a"])?;
    /// assert_eq!(zones.members(), Some(vec!["eu-a".to_owned(), "eu-b".to_owned()]));
    /// assert_eq!(Language::prefix("eu-")?.members(), None);
    /// # Ok::<(), plantime::language::TooLarge>(())
    /// ```
    pub fn members(&self) -> Option<Vec<String>> {
        let order = self.topological();
        let Some(order) = order else { return self.is_empty().then(Vec::new) };
        let classes = self.classes();
        let sizes: Vec<u32> = classes.iter().map(|ranges| count(ranges)).collect();
        let mut counts = vec![0_u32; self.states()];
        for state in order.iter().rev() {
            let mut sum = u32::from(self.accepts_at(*state));
            for (target, size) in self.row(*state).iter().zip(&sizes) {
                sum = sum.saturating_add(get(&counts, u32::from(*target)).saturating_mul(*size));
            }
            put(&mut counts, *state, sum);
        }
        if get(&counts, 0) > MEMBERS {
            return None;
        }
        let mut members = Vec::new();
        let mut open = vec![(0_u32, String::new())];
        while let Some((state, text)) = open.pop() {
            for (target, ranges) in self.row(state).iter().zip(&classes) {
                let target = u32::from(*target);
                if get(&counts, target) > 0 {
                    let codes = ranges.iter().flat_map(|(first, last)| *first..=*last);
                    open.extend(codes.filter_map(char::from_u32).map(|c| (target, format!("{text}{c}"))));
                }
            }
            if self.accepts_at(state) {
                members.push(text);
            }
        }
        members.sort_unstable();
        Some(members)
    }

    /// The characters that occur in strings of the language, as sorted ranges.
    ///
    /// [Example](Language::class)
    pub fn characters(&self) -> Vec<(char, char)> {
        let dead = self.dead_state();
        let mut used = vec![false; usize::from(self.0.classes)];
        for state in self.numbers() {
            for (target, used) in self.row(state).iter().zip(used.iter_mut()) {
                *used |= Some(u32::from(*target)) != dead;
            }
        }
        let classes = self.classes();
        let ranges =
            classes.iter().zip(used).filter(|(_, used)| *used).flat_map(|(ranges, _)| ranges.iter().copied());
        alphabet::merged(ranges.collect()).into_iter().filter_map(build::characters).collect()
    }

    /// Whether all strings consist of characters below U+0300. Such strings are in normalization form C, and so are
    /// their concatenations.
    pub fn is_below_marks(&self) -> bool {
        let dead = self.dead_state();
        let is_used = |class: u32| self.numbers().any(|state| Some(self.target(state, class)) != dead);
        !self.classes_with_marks().any(is_used)
    }

    /// The classes with characters from [`FIRST_MARK`] on; some may be there several times.
    pub(super) fn classes_with_marks(&self) -> impl Iterator<Item = u32> + '_ {
        let ends = self.runs().skip(1).map(|(next, _)| next).chain([alphabet::END]);
        self.runs().zip(ends).filter(|(_, end)| *end > FIRST_MARK).map(|((_, class), _)| class)
    }

    /// For each state the least number of characters that lead to acceptance; `None` from the dead state.
    pub(super) fn distances(&self) -> Vec<Option<u32>> {
        let mut before = Vec::new();
        for state in self.numbers() {
            before.extend(self.row(state).iter().map(|target| (u32::from(*target), state)));
        }
        let before: Rows<u32> = Rows::group(self.states(), &before);
        let mut distances: Vec<Option<u32>> = vec![None; self.states()];
        let mut layer: Vec<u32> = self.numbers().filter(|state| self.accepts_at(*state)).collect();
        let mut length = 0_u32;
        while !layer.is_empty() {
            // A state that several edges of a layer lead to is there once: else each layer could be as many times larger.
            layer.retain(|state| {
                let is_new = get(&distances, *state).is_none();
                if is_new {
                    put(&mut distances, *state, Some(length));
                }
                is_new
            });
            layer = layer.iter().flat_map(|state| before.row(*state)).copied().collect();
            length = length.saturating_add(1);
        }
        distances
    }
}
