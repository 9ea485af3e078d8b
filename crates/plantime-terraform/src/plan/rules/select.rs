//! Chooses the rules of a run.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::rules_file::{NamedRule, RulesFile};
use super::subject::NamePattern;
use plantime::unstable::text::nearest;

impl RulesFile {
    /// The rules that a pattern of `select` matches, or all rules if `select` is empty, without those that a pattern of `without` matches.
    /// A pattern names a rule by its id, one of its tags or its name; `*` stands for any text. Skips of rules that are left out go with
    /// them, and reports say how many rules are left out.
    ///
    /// ```
    /// use plantime_terraform::plan::{NamePattern, RulesFile};
    /// use plantime::source::Source;
    ///
    /// let rule = |name: &str, more: &str| {
    ///     format!("rule \"{name}\" {{\n  {more}\n  resource = \"aws_vpc\"\n  attribute \"id\" {{ not_null = true }}\n}}\n")
    /// };
    /// let text = rule("a", "id = \"NET-1\"") + &rule("b", "tags = [\"cis\"]") + &rule("c", "");
    /// let rules = RulesFile::read(Source::new("rules.hcl", text)).unwrap();
    /// let chosen = rules.clone().select(&["NET-*".into(), "cis".into()], &["b".into()]).unwrap();
    /// assert_eq!((chosen.rules.len(), chosen.rules[0].name.as_str(), chosen.left_out), (1, "a", 2));
    /// let problems = rules.select(&["NET1".into()], &[]).unwrap_err();
    /// assert_eq!(problems, ["no rule has the id, tag or name `NET1`; the nearest is `NET-1`"]);
    /// ```
    ///
    /// # Errors
    ///
    /// A sentence for each pattern that names no rule, and where no rule is left.
    pub fn select(
        mut self,
        select: &[NamePattern],
        without: &[NamePattern],
    ) -> Result<RulesFile, Vec<String>> {
        let mut problems = Vec::new();
        for pattern in select.iter().chain(without) {
            if !self.rules.iter().any(|rule| names(pattern, rule)) {
                let known = self.rules.iter().flat_map(words);
                let hint = nearest(pattern.as_str(), known)
                    .map_or_else(String::new, |near| format!("; the nearest is `{near}`"));
                problems.push(format!("no rule has the id, tag or name `{pattern}`{hint}"));
            }
        }
        let count = self.rules.len();
        self.rules.retain(|rule| {
            let is_selected = select.is_empty() || select.iter().any(|pattern| names(pattern, rule));
            is_selected && !without.iter().any(|pattern| names(pattern, rule))
        });
        self.left_out = self.left_out.saturating_add(count.saturating_sub(self.rules.len()));
        if problems.is_empty() && self.rules.is_empty() && count > 0 {
            problems.push("no rule is left: every rule is left out".to_owned());
        }
        if !problems.is_empty() {
            return Err(problems);
        }
        self.drop_skips_of_others();
        Ok(self)
    }

    /// The rules with these names, and their skips.
    pub(in crate::plan) fn only(&self, names: &BTreeSet<&str>) -> RulesFile {
        let is_named = |rule: &&NamedRule| names.contains(rule.name.as_str());
        let mut only = RulesFile {
            source: self.source.clone(),
            assumptions: self.assumptions.clone(),
            forces_new: self.forces_new.clone(),
            rules: self.rules.iter().filter(is_named).cloned().collect(),
            skips: self.skips.clone(),
            on_null: self.on_null,
            parameters: self.parameters.clone(),
            locals: Arc::clone(&self.locals),
            day: self.day,
            left_out: self.left_out,
        };
        only.drop_skips_of_others();
        only
    }

    /// Drops the skips of rules that are left out.
    fn drop_skips_of_others(&mut self) {
        let left: BTreeSet<&str> = self.rules.iter().map(|rule| rule.name.as_str()).collect();
        self.skips.retain_mut(|skip| {
            skip.rules.retain(|rule| left.contains(rule.as_str()));
            !skip.rules.is_empty()
        });
    }
}

/// Whether a pattern names a rule.
fn names(pattern: &NamePattern, rule: &NamedRule) -> bool {
    words(rule).any(|word| pattern.matches(word))
}

/// What a pattern can name a rule by.
fn words(rule: &NamedRule) -> impl Iterator<Item = &str> {
    let id = rule.metadata.id.as_deref().into_iter();
    id.chain(rule.metadata.tags.iter().map(String::as_str)).chain([rule.name.as_str()])
}
