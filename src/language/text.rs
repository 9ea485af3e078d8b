//! Languages as text: a regular expression that matches exactly their strings.

use std::collections::BTreeMap;

use super::Language;
use super::alphabet::merged;
use super::expression::Expression;
use super::rows::{get, number, to_usize};

/// The approximate maximum length of an expression, in characters.
const LENGTH: usize = 4096;

/// The maximum length of all edges together that are built to find an expression. The meet of a pattern with two strings that are
/// contained has as many edges as the square of its states, each as long as the pattern.
const BUILT: usize = 1 << 21;

/// The maximum number of strings of a language whose expression lists them one by one.
const BRANCHES: usize = 16;

impl Language {
    /// A regular expression of RE2 that finds a match in exactly the strings of the language; `None` if it would
    /// have thousands of characters.
    ///
    /// ```
    /// use plantime::language::Language;
    ///
    /// let digit = Language::class(&[('0', '9'), ('a', 'f')])?;
    /// let digits = digit.star()?.meet(&Language::lengths(17, Some(17))?)?;
    /// let id = Language::literal("vpc-")?.concat(&digits)?;
    /// assert_eq!(id.to_regex().as_deref(), Some("^vpc-[0-9a-f]{17}$"));
    /// assert_eq!(Language::containing("db")?.to_regex().as_deref(), Some("db"));
    /// # Ok::<(), plantime::language::TooLarge>(())
    /// ```
    pub fn to_regex(&self) -> Option<String> {
        if self.is_empty() {
            return Some(r"[^\x00-\x{10FFFF}]".to_owned());
        }
        if self.is_all() {
            return Some(String::new());
        }
        if let Some(text) = self.contained().or_else(|| self.as_suffix()) {
            let literal = Expression::of_text(&text).to_string();
            return Some(if self.universal_state().is_some() { literal } else { format!("{literal}$") });
        }
        if let Some((prefix, suffix)) = self.enclosed() {
            let text = |text: &str| Expression::of_text(text).to_string();
            return Some(format!("^{}(?s:.)*{}$", text(&prefix), text(&suffix)));
        }
        let pattern = Elimination::new(self).expression().map(|expression| expression.pattern());
        let members = self.members().filter(|members| members.len() <= BRANCHES).map(|members| {
            let texts = members.iter().map(|text| Expression::of_text(text).to_string());
            let branches = texts.collect::<Vec<String>>().join("|");
            if members.len() == 1 { format!("^{branches}$") } else { format!("^(?:{branches})$") }
        });
        match (pattern, members) {
            (Some(pattern), Some(members)) if pattern.len() >= members.len() => Some(members),
            (pattern, members) => pattern.or(members),
        }
    }

    /// The prefix and the suffix, neither empty, if the language is that of all strings that start with the one and go
    /// on to end with the other.
    pub(crate) fn enclosed(&self) -> Option<(String, String)> {
        let (prefix, suffix) = (self.common_prefix(), self.common_suffix());
        if prefix.is_empty() || suffix.is_empty() {
            return None;
        }
        let enclosed = Language::literal(&prefix).ok()?.concat(&Language::suffix(&suffix).ok()?).ok()?;
        (enclosed == *self).then_some((prefix, suffix))
    }

    /// The string that all members contain, if the language is that of all strings that contain it; else `None`.
    pub(crate) fn contained(&self) -> Option<String> {
        // The start accepts no string that the universal state does not: one state for each character, and that.
        self.universal_state()?;
        let mut text = String::new();
        let (mut state, distances) = (0, self.distances());
        while let Some(left) = get(&distances, state).filter(|left| *left > 0) {
            let closer =
                |target: &u8| get(&distances, u32::from(*target)).is_some_and(|distance| distance < left);
            let class = number(self.row(state).iter().position(closer)?);
            let c = self.runs().find(|(_, of)| *of == class).and_then(|(code, _)| char::from_u32(code))?;
            text.push(c);
            state = self.target(state, class);
        }
        (Language::containing(&text).ok()? == *self).then_some(text)
    }
}

impl Expression {
    /// The expression that matches one string.
    fn of_text(text: &str) -> Expression {
        let chars = text.chars().map(|c| Expression::class(vec![(u32::from(c), u32::from(c))]));
        chars.fold(Expression::empty(), |all, c| all.concat(&c))
    }
}

/// An automaton whose edges are labelled with expressions. States are removed one by one: each path through a removed
/// state becomes an edge around it.
struct Elimination {
    /// The edges from each state. The last two states are the beginning and the end.
    edges: Vec<BTreeMap<u32, Expression>>,
    end: u32,
    /// The length of all edges that have been built, and what finding their common parts has cost.
    built: usize,
}

impl Elimination {
    /// The automaton of a language with two states more: one before the start, and one that follows each accepting
    /// state.
    fn new(language: &Language) -> Elimination {
        let count = number(language.states());
        let end = count.saturating_add(1);
        let classes = language.classes();
        let dead = language.dead_state();
        let mut edges = vec![BTreeMap::new(); to_usize(end).saturating_add(1)];
        for (state, edges) in language.numbers().zip(&mut edges) {
            if Some(state) == dead {
                continue;
            }
            let mut ranges: BTreeMap<u32, Vec<super::alphabet::Range>> = BTreeMap::new();
            for (target, class) in language.row(state).iter().zip(&classes) {
                ranges.entry(u32::from(*target)).or_default().extend(class);
            }
            ranges.retain(|target, _| Some(*target) != dead);
            *edges = ranges.into_iter().map(|(to, ranges)| (to, Expression::class(merged(ranges)))).collect();
            if language.accepts_at(state) {
                edges.insert(end, Expression::empty());
            }
        }
        if let Some(edges) = edges.get_mut(to_usize(count)) {
            edges.insert(0, Expression::empty());
        }
        Elimination { edges, end, built: 0 }
    }

    /// The expression of all strings from the first to the last state; `None` if it is too long. Removes all other
    /// states.
    fn expression(mut self) -> Option<Expression> {
        let begin = self.end.saturating_sub(1);
        let mut left: Vec<u32> = (0..begin).collect();
        while !left.is_empty() {
            let before = self.sources();
            // The state whose removal repeats the least text, and of those the last one.
            let weigh =
                |state: &u32| self.weight(*state, before.get(to_usize(*state)).map_or(&[], Vec::as_slice));
            let chosen = left.iter().copied().rev().min_by_key(weigh)?;
            left.retain(|state| *state != chosen);
            self.remove(chosen, before.get(to_usize(chosen))?)?;
        }
        let edges = self.edges.get(to_usize(begin))?;
        edges.get(&self.end).cloned()
    }

    /// For each state the other states with an edge to it.
    fn sources(&self) -> Vec<Vec<u32>> {
        let mut sources = vec![Vec::new(); self.edges.len()];
        for (edges, from) in self.edges.iter().zip(0_u32..) {
            for to in edges.keys().filter(|to| **to != from) {
                if let Some(sources) = sources.get_mut(to_usize(*to)) {
                    sources.push(from);
                }
            }
        }
        sources
    }

    /// The cost of the removal of a state: the length of the text that is then repeated. `sources` are the states
    /// with an edge to it.
    fn weight(&self, state: u32, sources: &[u32]) -> usize {
        let Some(edges) = self.edges.get(to_usize(state)) else { return 0 };
        let length = |from: &u32| {
            let edge = self.edges.get(to_usize(*from)).and_then(|edges| edges.get(&state));
            edge.map_or(0, |edge| edge.length)
        };
        let targets = edges.iter().filter(|(to, _)| **to != state);
        let (count, after) = targets.fold((0_usize, 0_usize), |(count, sum), (_, edge)| {
            (count.saturating_add(1), sum.saturating_add(edge.length))
        });
        let before = sources.iter().map(length).fold(0, usize::saturating_add);
        let around = edges
            .get(&state)
            .map_or(0, |edge| edge.length)
            .saturating_mul(count.saturating_mul(sources.len()));
        let again = |length: usize, times: usize| length.saturating_mul(times.saturating_sub(1));
        again(before, count).saturating_add(again(after, sources.len())).saturating_add(around)
    }

    /// Removes a state, with new edges around it; `None` if an expression becomes too long. `sources` are the states
    /// with an edge to it.
    fn remove(&mut self, state: u32, sources: &[u32]) -> Option<()> {
        let mut targets = std::mem::take(self.edges.get_mut(to_usize(state))?);
        let around = targets.remove(&state).map_or_else(Expression::empty, |around| around.star());
        for from in sources {
            let edges = self.edges.get_mut(to_usize(*from))?;
            let before = edges.remove(&state)?.concat(&around);
            for (to, after) in &targets {
                let direct = edges.get(to);
                let length = direct.map_or(1, |direct| direct.length.saturating_add(1));
                let length = length.saturating_add(before.length).saturating_add(after.length);
                let through_length = before.length.saturating_add(after.length);
                // The branches of one are compared with those of the other.
                let compared = direct.map_or(0, |direct| direct.length.saturating_mul(through_length));
                self.built = self.built.saturating_add(length).saturating_add(compared.div_euclid(64));
                // What both edges have in common is written once, but a part of either remains.
                if length > LENGTH.saturating_mul(4) || self.built > BUILT {
                    return None;
                }
                let through = before.concat(after);
                let whole = direct.map_or_else(|| through.clone(), |direct| direct.or(&through));
                if whole.length > LENGTH {
                    return None;
                }
                edges.insert(*to, whole);
            }
        }
        Some(())
    }
}
