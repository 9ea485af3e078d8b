//! Operations on languages as sets: meet, join, difference, inclusion.

use super::dfa::{overlap, product};
use super::hull::HullDescription;
use super::minimise::minimise;
use super::{Language, Result, TooLarge};

impl Language {
    /// The strings that are in both languages.
    ///
    /// | of `vpc-` and the lengths 0 to 12 | strings |
    /// |---|---|
    /// | `meet` | those that start with `vpc-` and have at most 12 characters |
    /// | `join` | those that start with `vpc-` or have at most 12 characters |
    /// | `difference` | those that start with `vpc-` and have more than 12 characters |
    ///
    /// ```
    /// use plantime::language::Language;
    ///
    /// let (vpc, short) = (Language::prefix("vpc-")?, Language::lengths(0, Some(12))?);
    /// let both = vpc.meet(&short)?;
    /// assert!(both.contains("vpc-0a") && !both.contains("subnet-0a"));
    /// assert!(vpc.join(&short)?.contains("subnet-0a"));
    /// assert!(both.is_subset(&vpc) && vpc.difference(&short)?.is_disjoint(&short));
    /// // A value known to be in `both` passes a rule that requires `vpc-`; of `short` it is open.
    /// assert_eq!((both.decides(&vpc), short.decides(&vpc)), (Some(true), None));
    /// # Ok::<(), plantime::language::TooLarge>(())
    /// ```
    pub fn meet(&self, other: &Language) -> Result {
        let Some(product) = product(self, other, |a, b| a && b) else {
            return Err(TooLarge {
                hull: HullDescription::of(self).meet(&HullDescription::of(other)).language(),
            });
        };
        match (product.is_subset, product.is_superset) {
            (true, _) => Ok(self.clone()),
            (_, true) => Ok(other.clone()),
            _ => minimise(&product.dfa),
        }
    }

    /// The strings that are in at least one of the languages.
    ///
    /// [Example](Language::meet)
    pub fn join(&self, other: &Language) -> Result {
        let Some(product) = product(self, other, |a, b| a || b) else {
            return Err(TooLarge {
                hull: HullDescription::of(self).join(&HullDescription::of(other)).language(),
            });
        };
        match (product.is_subset, product.is_superset) {
            (true, _) => Ok(other.clone()),
            (_, true) => Ok(self.clone()),
            _ => minimise(&product.dfa),
        }
    }

    /// The strings of this language that are not in the other one.
    ///
    /// [Example](Language::meet)
    pub fn difference(&self, other: &Language) -> Result {
        match product(self, other, |a, b| a && !b) {
            Some(product) => minimise(&product.dfa),
            None => Err(TooLarge { hull: self.hull() }),
        }
    }

    /// All strings that are not in the language.
    ///
    /// [Example](Language::empty)
    pub fn complement(&self) -> Language {
        self.with_complemented_acceptance()
    }

    /// Whether each string of this language is one of the other language.
    ///
    /// [Example](Language::meet)
    pub fn is_subset(&self, other: &Language) -> bool {
        // Languages that are compared share their automaton more often than not.
        self == other || !overlap(self, other, |found| found.only_first).only_first
    }

    /// Whether no string is in both languages.
    ///
    /// [Example](Language::meet)
    pub fn is_disjoint(&self, other: &Language) -> bool {
        !overlap(self, other, |found| found.both).both
    }

    /// Whether all strings of this language are in the other one (true), or none is (false); `None` if some are and
    /// some are not. Of the language without strings it is true.
    ///
    /// If a value is known to be a string of this language, then a rule that requires a string of `other` passes (true), fails
    /// (false), or is undetermined (`None`).
    ///
    /// [Example](Language::meet)
    pub fn decides(&self, other: &Language) -> Option<bool> {
        let found = overlap(self, other, |found| found.both && found.only_first);
        match (found.both, found.only_first) {
            (true, true) => None,
            (_, only_first) => Some(!only_first),
        }
    }

    /// Whether the language has no strings.
    ///
    /// [Example](Language::empty)
    pub fn is_empty(&self) -> bool {
        self.states() == 1 && !self.accepts_at(0)
    }

    /// Whether the language has all strings.
    ///
    /// [Example](Language::empty)
    pub fn is_all(&self) -> bool {
        self.states() == 1 && self.accepts_at(0)
    }
}
