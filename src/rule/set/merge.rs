//! Merges sets of rules.

use super::{RuleSet, SetRule};

impl RuleSet {
    /// This set with the rules of another one. A rule whose name is in this set replaces the rules of that name; all others are
    /// added at the end. A guard of the other set replaces the guard of this one.
    ///
    /// ```
    /// use plantime::rule::Rule;
    /// use plantime::rule::set::{RuleSet, SetRule};
    ///
    /// let base = RuleSet::new([Rule::NotNull, Rule::min_len(1)]);
    /// let over = RuleSet::new([Rule::min_len(3), Rule::max_len(9)]).with(SetRule::keyword("not_null", &false.into())?);
    /// assert_eq!(base.merge(&over).to_string(), "all(), min_len(3), max_len(9)");
    /// # Ok::<(), plantime::Error>(())
    /// ```
    #[must_use]
    pub fn merge(mut self, other: &RuleSet) -> RuleSet {
        let taken =
            |item: &SetRule| item.name.is_some() && other.rules.iter().any(|theirs| theirs.name == item.name);
        let mut placed = vec![false; other.rules.len()];
        let mut merged: Vec<SetRule> = Vec::with_capacity(self.rules.len());
        for item in std::mem::take(&mut self.rules) {
            if !taken(&item) {
                merged.push(item);
                continue;
            }
            for (theirs, placed) in other.rules.iter().zip(&mut placed) {
                if theirs.name == item.name && !*placed {
                    *placed = true;
                    merged.push(theirs.clone());
                }
            }
        }
        let left = other.rules.iter().zip(&placed).filter(|(_, placed)| !**placed);
        merged.extend(left.map(|(theirs, _)| theirs.clone()));
        self.rules = merged;
        if other.guard.is_some() {
            self.guard.clone_from(&other.guard);
        }
        self
    }

    /// Removes the rules that have this name.
    ///
    /// ```
    /// use plantime::rule::set::{RuleSet, SetRule};
    /// use plantime::rule::{Rule, Severity};
    ///
    /// let base = RuleSet::new([SetRule::new(Rule::min(1)), SetRule::new(Rule::max(9)).warning()]);
    /// assert_eq!(base.clone().without("min").rules()[0].name(), Some("max"));
    /// let errors = base.retain(|rule| rule.severity() == Severity::Error);
    /// assert_eq!(errors.rules().len(), 1);
    /// ```
    #[must_use]
    pub fn without(self, name: &str) -> RuleSet {
        self.retain(|item| item.name() != Some(name))
    }

    /// Keeps only the rules for which the function returns true.
    ///
    /// [Example](RuleSet::without)
    #[must_use]
    pub fn retain(mut self, keep: impl FnMut(&SetRule) -> bool) -> RuleSet {
        self.rules.retain(keep);
        self
    }
}
