//! Meet, join and containment of refinements. Nullness and range are combined separately.

use super::{Contradiction, Nullness, Prefix, Range, Refinement, StringLanguage};
use crate::language::Language;

impl Refinement {
    /// The refinement that exactly the values satisfying both refinements satisfy: γ(meet) = γ(a) ∩ γ(b). If the
    /// automaton of a language of strings would be too large, more values satisfy it.
    ///
    /// If both allow null and no other value satisfies both, the meet is [`null()`](Refinement::null).
    ///
    /// ```
    /// use plantime::Refinement;
    ///
    /// let vpc = Refinement::prefix("vpc-");
    /// let hex = Refinement::pattern("^[a-z]+-[0-9a-f]{4}$")?;
    /// assert_eq!(vpc.meet(&hex)?, Refinement::pattern("^vpc-[0-9a-f]{4}$")?);
    /// // Null satisfies both, so no contradiction.
    /// assert_eq!(vpc.meet(&Refinement::prefix("subnet-"))?, Refinement::null());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A [`Contradiction`] if no value satisfies both.
    pub fn meet(&self, other: &Refinement) -> Result<Refinement, Contradiction> {
        let null = self.allows_null() && other.allows_null();
        let range = match (self.nullness, other.nullness) {
            (Nullness::Null, _) | (_, Nullness::Null) => None,
            _ => self.range.meet(&other.range),
        };
        match (null, range) {
            (true, Some(range)) => Ok(Refinement { nullness: Nullness::Nullable, range }),
            (false, Some(range)) => Ok(Refinement { nullness: Nullness::NotNull, range }),
            (true, None) => Ok(Refinement::null()),
            (false, None) => Err(Contradiction::new(self, other)),
        }
    }

    /// The meet of all these refinements. It meets neighbours first: one after the other would take quadratic time where each is
    /// about another attribute.
    #[doc(hidden)]
    pub fn meet_all(mut all: Vec<Refinement>) -> Result<Refinement, Contradiction> {
        while all.len() > 1 {
            let mut halved = Vec::with_capacity(all.len().div_ceil(2));
            for pair in all.chunks(2) {
                halved.push(match pair {
                    [a, b] => a.meet(b)?,
                    _ => pair.first().cloned().unwrap_or_default(),
                });
            }
            all = halved;
        }
        Ok(all.pop().unwrap_or_default())
    }

    /// The narrowest refinement that holds if either refinement holds: the smallest with γ(join) ⊇ γ(a) ∪ γ(b). Of two
    /// prefixes it is their longest common prefix; a language of strings that would be too large is widened.
    ///
    /// | of | the join |
    /// |---|---|
    /// | `notnull(numberrange(1, 2))`, `notnull(numberrange(5, 6))` | `notnull(numberrange(1, 6))` |
    /// | `numberrange(4, 4)`, `numberrange(6, 6)` | `numbermultiple(2, numberrange(4, 6))` |
    /// | `stringprefix("vpc-a")`, `stringprefix("vpc-b")` | `stringprefix("vpc-")` |
    /// | `null()`, `notnull(R)` | `R` |
    ///
    /// ```
    /// use plantime::Refinement;
    ///
    /// let join = Refinement::prefix("vpc-a").and_not_null().join(&Refinement::prefix("vpc-b"));
    /// assert_eq!(join, Refinement::prefix("vpc-"));
    /// let join = Refinement::null().join(&Refinement::number_at_least(1).and_not_null());
    /// assert_eq!(join, Refinement::number_at_least(1));
    /// ```
    #[must_use]
    pub fn join(&self, other: &Refinement) -> Refinement {
        match (self.nullness, other.nullness) {
            (Nullness::Null, Nullness::Null) => Refinement::null(),
            (Nullness::Null, _) => Refinement::of(other.range.clone()),
            (_, Nullness::Null) => Refinement::of(self.range.clone()),
            (Nullness::NotNull, Nullness::NotNull) => {
                Refinement { nullness: Nullness::NotNull, range: self.range.join(&other.range) }
            }
            _ => Refinement::of(self.range.join(&other.range)),
        }
    }

    /// Whether every value that satisfies `other` also satisfies this refinement: γ(self) ⊇ γ(other). Of languages with
    /// characters from U+0300 on, `false` may be due to strings that are not in normalization form C.
    ///
    /// ```
    /// use plantime::Refinement;
    ///
    /// let vpc = Refinement::prefix("vpc-");
    /// assert!(vpc.contains(&Refinement::pattern("^vpc-[0-9a-f]{17}$")?));
    /// assert!(vpc.contains(&Refinement::null()));
    /// assert!(!vpc.and_not_null().contains(&Refinement::prefix("vpc-0")));
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn contains(&self, other: &Refinement) -> bool {
        let null = self.allows_null() || !other.allows_null();
        let rest = match (self.nullness, other.nullness) {
            (_, Nullness::Null) => true,
            (Nullness::Null, _) => false,
            _ => self.range.covers(&other.range),
        };
        null && rest
    }

    /// Whether null satisfies the refinement.
    ///
    /// [Example](Refinement::and_not_null)
    pub fn allows_null(&self) -> bool {
        self.nullness != Nullness::NotNull
    }
}

impl Range {
    /// The intersection of two ranges; `None` if it is empty, as for ranges of different kinds.
    pub(crate) fn meet(&self, other: &Range) -> Option<Range> {
        match (self, other) {
            (Range::Any, range) | (range, Range::Any) => Some(range.clone()),
            (Range::Prefix(a), Range::Prefix(b)) => a.meet(b).map(Range::Prefix),
            (Range::Number(a), Range::Number(b)) => a.meet(b).map(Range::Number),
            (Range::Multiples(a), Range::Multiples(b)) => a.meet(b),
            (Range::Number(range), Range::Multiples(multiples))
            | (Range::Multiples(multiples), Range::Number(range)) => {
                Range::of_multiples(multiples.step(), &range.meet(multiples.range())?)
            }
            (Range::Numbers(a), b) | (b, Range::Numbers(a)) => a.meet(b),
            (Range::Length(a), Range::Length(b)) => a.meet(*b).map(Range::Length),
            (Range::Language(a), Range::Language(b)) if a == b => Some(self.clone()),
            (Range::Language(a), Range::Language(b)) => Range::of_hull(a.language().meet(b.language())),
            (Range::Prefix(prefix), Range::Language(language))
            | (Range::Language(language), Range::Prefix(prefix)) => meet_prefix(prefix, language),
            (Range::Structure(a), Range::Structure(b)) => a.meet(b),
            _ => self.of_collection()?.meet(&other.of_collection()?),
        }
    }

    /// The smallest range that contains both ranges.
    pub(super) fn join(&self, other: &Range) -> Range {
        match (self, other) {
            (Range::Prefix(a), Range::Prefix(b)) => a.join(b).map_or(Range::Any, Range::Prefix),
            (
                Range::Number(_) | Range::Multiples(_) | Range::Numbers(_),
                Range::Number(_) | Range::Multiples(_) | Range::Numbers(_),
            ) => self.join_numbers(other),
            (Range::Length(a), Range::Length(b)) => Range::length(a.join(*b)),
            (Range::Language(a), Range::Language(b)) if a == b => self.clone(),
            (Range::Language(a), Range::Language(b)) => {
                Range::of_hull(a.language().join(b.language())).unwrap_or_default()
            }
            (Range::Prefix(prefix), Range::Language(language))
            | (Range::Language(language), Range::Prefix(prefix)) => join_prefix(prefix, language),
            (Range::Structure(a), Range::Structure(b)) => a.join(b),
            _ => match (self.of_collection(), other.of_collection()) {
                (Some(a), Some(b)) => a.join(&b),
                _ => Range::Any,
            },
        }
    }

    /// Whether some value may be in both ranges.
    pub(crate) fn overlaps(&self, other: &Range) -> bool {
        match (self, other) {
            (Range::Language(a), Range::Language(b)) if a.language().is_below_marks() => {
                !a.language().is_disjoint(b.language())
            }
            (Range::Prefix(a), Range::Prefix(b)) => a.covers(b) || b.covers(a),
            (Range::Numbers(a), b) | (b, Range::Numbers(a)) => a.overlaps(b),
            _ => self.meet(other).is_some(),
        }
    }

    /// Whether the range contains the other range.
    pub(crate) fn covers(&self, other: &Range) -> bool {
        match (self, other) {
            (Range::Any, _) => true,
            (Range::Prefix(a), Range::Prefix(b)) => a.covers(b),
            (Range::Number(a), Range::Number(b)) => a.covers(b),
            (_, Range::Numbers(b)) => b.is_within(self),
            (Range::Numbers(a), b) => a.covers(b),
            (Range::Number(a), Range::Multiples(b)) => a.covers(b.range()),
            (Range::Multiples(a), Range::Number(b)) => b.singleton().is_some_and(|number| a.contains(number)),
            (Range::Multiples(a), Range::Multiples(b)) => a.covers(b),
            (Range::Length(a), Range::Length(b)) => a.covers(*b),
            (Range::Language(a), Range::Language(b)) => a == b || b.language().is_subset(a.language()),
            (Range::Prefix(prefix), Range::Language(language)) => {
                language.prefix().starts_with(prefix.as_str())
            }
            (Range::Language(language), Range::Prefix(prefix)) => {
                language.contains_all_with_prefix(prefix.as_str()) == Some(true)
            }
            (Range::Structure(a), Range::Structure(b)) => a.covers(b),
            _ => match (self.of_collection(), other.of_collection()) {
                (Some(a), Some(b)) => a.covers(&b),
                _ => false,
            },
        }
    }
}

/// The strings of a language that have a prefix; `None` if there is none. The prefix alone if the automaton of both
/// would be too large.
fn meet_prefix(prefix: &Prefix, language: &StringLanguage) -> Option<Range> {
    if language.prefix().starts_with(prefix.as_str()) {
        return Some(Range::Language(language.clone()));
    }
    let alone = || Range::Prefix(prefix.clone());
    match language.contains_all_with_prefix(prefix.as_str()) {
        Some(false) => None,
        Some(true) => Some(alone()),
        None => {
            let with_prefix = Language::prefix(prefix.as_str()).ok();
            match with_prefix.and_then(|all| all.meet(language.language()).ok()) {
                Some(met) => Range::of_language(met),
                None => Some(alone()),
            }
        }
    }
}

/// The union of the strings that have the prefix and the strings of the language. If the automaton of both would be too
/// large: all strings with the prefix that both have in common.
fn join_prefix(prefix: &Prefix, language: &StringLanguage) -> Range {
    if language.prefix().starts_with(prefix.as_str()) {
        return Range::Prefix(prefix.clone());
    }
    if language.contains_all_with_prefix(prefix.as_str()) == Some(true) {
        return Range::Language(language.clone());
    }
    let with_prefix = Language::prefix(prefix.as_str()).ok();
    match with_prefix.and_then(|all| all.join(language.language()).ok()) {
        Some(joined) => Range::of_language(joined).unwrap_or_default(),
        None => {
            let common = Prefix::new(language.prefix()).and_then(|own| prefix.join(&own));
            common.map_or(Range::Any, Range::Prefix)
        }
    }
}
