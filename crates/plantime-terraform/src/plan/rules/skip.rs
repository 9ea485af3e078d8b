//! Exceptions: rules that are left out for some resources, some until a day.

use super::day::Day;
use super::rules_file::RulesFile;
use crate::plan::address::AddressPattern;
use plantime::source::{Position, Problem};

/// A `skip` block: leaves rules out for some resources.
#[derive(Clone, Debug, PartialEq)]
pub struct RuleSkip {
    /// What it names: the label, ids and tags.
    pub named: SkippedNames,
    /// The names of the rules that are left out, in the order of the rules files.
    pub rules: Vec<String>,
    /// The resources that the rules are left out for.
    pub address: AddressPattern,
    /// Why the rules are left out, for the report.
    pub reason: String,
    /// The last day on which the skip counts, in UTC; `None`: it has no end.
    pub until: Option<Day>,
    /// Where it is written in the rules file.
    pub position: Position,
}

/// What a `skip` block names: a rule by its name, rules by id, all rules with a tag.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SkippedNames {
    /// The name of a rule: the label of the block.
    pub rule: Option<String>,
    /// The ids of rules.
    pub ids: Vec<String>,
    /// The tags of rules.
    pub tags: Vec<String>,
}

impl SkippedNames {
    /// What is named, in words: `"encrypted"`, `id S3-1, tag storage`.
    pub(in crate::plan) fn words(&self) -> String {
        let rule = self.rule.iter().map(|rule| format!("{rule:?}"));
        let ids = self.ids.iter().map(|id| format!("id {id}"));
        let tags = self.tags.iter().map(|tag| format!("tag {tag}"));
        rule.chain(ids).chain(tags).collect::<Vec<_>>().join(", ")
    }
}

/// A `skip` whose last day is past: its rules are evaluated, and the run fails since nobody decided about it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ExpiredSkip {
    /// What it names, in words: `"encrypted"`, `id S3-1`.
    pub of: String,
    /// The resources that it was about.
    pub address: String,
    /// Why the rules were left out.
    pub reason: String,
    /// The last day on which it counted.
    pub until: Day,
    /// Where it is written in the rules file.
    pub position: Position,
}

impl ExpiredSkip {
    /// What is wrong, in one sentence.
    pub(in crate::plan) fn message(&self) -> String {
        let ExpiredSkip { of, address, until, .. } = self;
        format!("the skip of {of} at {address} ended on {until}: its rules are evaluated again")
    }
}

impl RulesFile {
    /// The rules as of a day: skips whose `until` is before it no longer count, and reports name them as failures. Without a day, a
    /// skip with `until` is a problem of the check, since nothing says whether it still counts.
    ///
    /// ```
    /// use plantime_terraform::plan::{CheckOptions, Plan, RulesFile, check};
    /// use plantime::source::Source;
    /// use plantime_schema::ProviderSchemas;
    ///
    /// let json = br#"{"format_version": "1.2", "resource_changes": [{
    ///     "address": "random_id.s", "mode": "managed", "type": "random_id", "name": "s", "provider_name": "random",
    ///     "change": {"actions": ["create"], "before": null, "after": {"byte_length": 4}, "after_unknown": {}, "after_sensitive": {}}}]}"#;
    /// let plan = Plan::read(json, &ProviderSchemas::new())?;
    /// let text = r#"
    ///     rule "long" {
    ///       id       = "R-1"
    ///       resource = "random_id"
    ///       attribute "byte_length" { min = 8 }
    ///     }
    ///     skip {
    ///       ids     = ["R-1"]
    ///       address = "random_id.*"
    ///       reason  = "moved in December"
    ///       until   = "2026-12-31"
    ///     }
    /// "#;
    /// let rules = RulesFile::read(Source::new("rules.hcl", text)).unwrap();
    /// let totals = |day: &str| {
    ///     let rules = rules.clone().on(day.parse().unwrap());
    ///     let against = CheckOptions { rules, schemas: ProviderSchemas::new(), configuration: None, show_values: false, facts: Default::default() };
    ///     let totals = check("plan.json", &plan, &against).unwrap().totals();
    ///     (totals.skipped, totals.fail, totals.expired)
    /// };
    /// assert_eq!(totals("2026-12-31"), (1, 0, 0));
    /// assert_eq!(totals("2027-01-01"), (0, 1, 1));
    /// # Ok::<(), plantime::Error>(())
    /// ```
    #[must_use]
    pub fn on(self, day: Day) -> RulesFile {
        RulesFile { day: Some(day), ..self }
    }

    /// Whether a skip no longer counts.
    pub(in crate::plan) fn is_expired(&self, skip: &RuleSkip) -> bool {
        skip.until.zip(self.day).is_some_and(|(until, day)| until < day)
    }

    /// The skips that no longer count.
    pub(in crate::plan) fn expired_skips(&self) -> Vec<ExpiredSkip> {
        let expired = self.skips.iter().filter(|skip| self.is_expired(skip));
        let expired = expired.filter_map(|skip| {
            Some(ExpiredSkip {
                of: skip.named.words(),
                address: skip.address.to_string(),
                reason: skip.reason.clone(),
                until: skip.until?,
                position: skip.position,
            })
        });
        expired.collect()
    }

    /// The problems of skips that end, where no day was given.
    pub(in crate::plan) fn undated_skips(&self) -> Vec<Problem> {
        let ends = self.skips.iter().filter(|skip| skip.until.is_some() && self.day.is_none());
        let problem = |skip: &RuleSkip| {
            self.source.problem_at(skip.position, "the skip has `until`, and the check was given no day")
        };
        ends.map(problem).collect()
    }
}
