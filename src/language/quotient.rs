//! Languages whose strings lose their beginning or their end.

use super::alphabet::Alphabet;
use super::dfa::MAX_TABLE;
use super::nfa::Builder;
use super::rows::{Rows, get, number, put, spread, to_usize};
use super::{Language, Result, Steps, TooLarge};

impl Language {
    /// The rests of this language's strings after a prefix that is a string of `beginnings`.
    ///
    /// ```
    /// use plantime::language::Language;
    ///
    /// let names = Language::one_of(["vpc-1", "vpc-2", "ami-1"])?;
    /// assert_eq!(names.left_quotient(&Language::literal("vpc-")?)?, Language::one_of(["1", "2"])?);
    /// # Ok::<(), plantime::language::TooLarge>(())
    /// ```
    pub fn left_quotient(&self, beginnings: &Language) -> Result {
        let Some(pairs) = PairGraph::new(beginnings, self) else {
            return Err(TooLarge { hull: Language::all() });
        };
        let mut starts = vec![false; self.states()];
        for (beginning, state) in &pairs.pairs {
            if beginnings.accepts_at(*beginning) {
                put(&mut starts, *state, true);
            }
        }
        self.accepted_from(&starts)
    }

    /// The beginnings of this language's strings before a suffix that is a string of `ends`.
    ///
    /// ```
    /// use plantime::language::Language;
    ///
    /// let names = Language::one_of(["orders-db", "web"])?;
    /// assert_eq!(names.right_quotient(&Language::literal("-db")?)?, Language::literal("orders")?);
    /// assert_eq!(names.trim_suffix("-db")?, Language::one_of(["orders", "web"])?);
    /// assert_eq!(names.trim_prefix("orders-")?, Language::one_of(["db", "web"])?);
    /// assert_eq!(names.take(2)?, Language::one_of(["or", "we"])?);
    /// assert_eq!(names.skip(2)?, Language::one_of(["ders-db", "b"])?);
    /// # Ok::<(), plantime::language::TooLarge>(())
    /// ```
    pub fn right_quotient(&self, ends: &Language) -> Result {
        let Some(pairs) = PairGraph::all(self, ends) else {
            return Err(TooLarge { hull: Language::all() });
        };
        let mut live: Vec<bool> =
            pairs.pairs.iter().map(|(a, b)| self.accepts_at(*a) && ends.accepts_at(*b)).collect();
        spread(&Rows::group(live.len(), &pairs.before), &mut live);
        let mut accepting = vec![false; self.states()];
        for ((state, end), live) in pairs.pairs.iter().zip(&live) {
            if *end == 0 && *live {
                put(&mut accepting, *state, true);
            }
        }
        self.with_acceptance(&accepting)
    }

    /// The strings of the language without the prefix, where they have it: as the function `trimprefix` does.
    ///
    /// [Example](Language::right_quotient)
    pub fn trim_prefix(&self, prefix: &str) -> Result {
        let mut starts = vec![false; self.states()];
        put(&mut starts, self.state_after(0, prefix), true);
        let mut steps = Steps::default();
        let trimmed = steps.take(self.accepted_from(&starts));
        let others = match Language::prefix(prefix) {
            Ok(with_prefix) => self.difference(&with_prefix),
            // A difference with a hull would lose strings.
            Err(_) => Err(TooLarge { hull: self.clone() }),
        };
        let others = steps.take(others);
        steps.finish(trimmed.join(&others))
    }

    /// The strings of the language without the suffix, where they have it: as the function `trimsuffix` does.
    ///
    /// [Example](Language::right_quotient)
    pub fn trim_suffix(&self, suffix: &str) -> Result {
        let mut steps = Steps::default();
        let trimmed = steps.take(self.without_end(suffix));
        let others = match Language::suffix(suffix) {
            Ok(with_suffix) => self.difference(&with_suffix),
            Err(_) => Err(TooLarge { hull: self.clone() }),
        };
        let others = steps.take(others);
        steps.finish(trimmed.join(&others))
    }

    /// The first `count` characters of each string; the whole string if it is shorter.
    ///
    /// [Example](Language::right_quotient)
    pub fn take(&self, count: u32) -> Result {
        if self.longest().is_some_and(|longest| longest <= count) {
            return Ok(self.clone());
        }
        let mut steps = Steps::default();
        let exactly = steps.take(Language::lengths(count, Some(count)));
        let at_most = steps.take(Language::lengths(0, Some(count)));
        let shorter = steps.take(self.meet(&at_most));
        let beginnings = steps.take(self.right_quotient(&Language::all()));
        let cut = steps.take(beginnings.meet(&exactly));
        steps.finish(cut.join(&shorter))
    }

    /// Each string without its first `count` characters; the empty string if it is shorter.
    ///
    /// [Example](Language::right_quotient)
    pub fn skip(&self, count: u32) -> Result {
        let mut steps = Steps::default();
        let skipped = steps.take(Language::lengths(count, Some(count)));
        let rest = steps.take(self.left_quotient(&skipped));
        let is_shorter = self.shortest().is_some_and(|shortest| shortest < count);
        let short = if is_shorter { steps.take(Language::literal("")) } else { Language::empty() };
        steps.finish(rest.join(&short))
    }

    /// The beginnings of this language's strings before the suffix `end`; strings without the suffix are left out.
    fn without_end(&self, end: &str) -> Result {
        let accepting: Vec<bool> =
            self.numbers().map(|state| self.accepts_at(self.state_after(state, end))).collect();
        self.with_acceptance(&accepting)
    }

    /// The strings that are accepted if reading starts at one of the states marked in `starts`.
    fn accepted_from(&self, starts: &[bool]) -> Result {
        let mut builder = Builder::new();
        let copy = builder.language(self, true);
        let chosen = starts.iter().zip(copy..).filter(|(start, _)| **start);
        builder.empties.extend(chosen.map(|(_, state)| (0, state)));
        builder.accepting.extend(Builder::ends(self, copy));
        builder.build()
    }

    /// The strings that lead to one of the states marked in `accepting`.
    fn with_acceptance(&self, accepting: &[bool]) -> Result {
        let mut builder = Builder::new();
        // Whatever accepted everything may accept less now.
        let copy = builder.language(self, false);
        builder.empties.push((0, copy));
        let chosen = accepting.iter().zip(copy..).filter(|(accepts, _)| **accepts);
        builder.accepting.extend(chosen.map(|(_, state)| state));
        builder.build()
    }
}

/// Pairs of a state of each of two languages that can be reached with the same string, and the moves between them.
struct PairGraph {
    /// The pairs; each one's index is its number.
    pairs: Vec<(u32, u32)>,
    /// The moves between pairs: the number of the pair that a move leads to, and the number of the pair that it comes
    /// from.
    before: Vec<(u32, u32)>,
}

impl PairGraph {
    /// The pairs that can be reached from the pair of the start states; `None` if there are too many moves.
    fn new(a: &Language, b: &Language) -> Option<PairGraph> {
        PairGraph::from(a, b, &[(0, 0)])
    }

    /// The pairs that can be reached from a pair of any state of `a` and the start of `b`; `None` if there are too
    /// many moves.
    fn all(a: &Language, b: &Language) -> Option<PairGraph> {
        let starts: Vec<(u32, u32)> = a.numbers().map(|state| (state, 0)).collect();
        PairGraph::from(a, b, &starts)
    }

    /// The pairs that can be reached from the pairs `starts`; `None` if there are more than [`MAX_TABLE`] moves.
    fn from(a: &Language, b: &Language, starts: &[(u32, u32)]) -> Option<PairGraph> {
        let (_, classes): (Alphabet, Vec<(u32, u32)>) = Alphabet::joint(a.divided(), b.divided());
        let mut numbers = vec![0_u32; a.states().saturating_mul(b.states())];
        let mut graph = PairGraph { pairs: Vec::new(), before: Vec::new() };
        let mut number_of = |pair: (u32, u32), pairs: &mut Vec<(u32, u32)>| {
            let place = to_usize(pair.0).saturating_mul(b.states()).saturating_add(to_usize(pair.1));
            let place = number(place);
            if get(&numbers, place) == 0 {
                pairs.push(pair);
                put(&mut numbers, place, number(pairs.len()));
            }
            get(&numbers, place).saturating_sub(1)
        };
        for start in starts {
            number_of(*start, &mut graph.pairs);
        }
        let mut at = 0_u32;
        while to_usize(at) < graph.pairs.len() {
            let (left, right) = get(&graph.pairs, at);
            let mut before: Option<(u32, u32)> = None;
            for (one, other) in &classes {
                let pair = (a.target(left, *one), b.target(right, *other));
                if before != Some(pair) {
                    let target = number_of(pair, &mut graph.pairs);
                    graph.before.push((target, at));
                }
                before = Some(pair);
            }
            at = at.saturating_add(1);
            if graph.before.len() > MAX_TABLE {
                return None;
            }
        }
        Some(graph)
    }
}
