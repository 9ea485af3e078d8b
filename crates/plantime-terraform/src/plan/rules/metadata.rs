//! What the author of a rule says about it besides its tests: id, link, tags, owner, severity.

use std::collections::BTreeMap;

use super::rules_file::{NamedRule, RulesFile};
use super::severity_level::SeverityLevel;
use plantime::source::Position;

/// What the author of a rule says about it besides its tests. Reports repeat it.
///
/// ```
/// use plantime_terraform::plan::{RulesFile, SeverityLevel};
/// use plantime::source::Source;
///
/// let text = r#"rule "private" {
///   id       = "S3-1"
///   link     = "https://wiki.example.com/s3-1"
///   tags     = ["storage", "cis"]
///   owner    = "storage team"
///   severity = "critical"
///   resource = "aws_s3_bucket"
///   attribute "acl" { equals = "private" }
/// }"#;
/// let rules = RulesFile::read(Source::new("rules.hcl", text)).unwrap();
/// let metadata = &rules.rules[0].metadata;
/// assert_eq!((metadata.id.as_deref(), metadata.level), (Some("S3-1"), SeverityLevel::Critical));
/// assert_eq!(
///     metadata.sentence().unwrap(),
///     "S3-1, severity critical, owner storage team, https://wiki.example.com/s3-1"
/// );
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct RuleMetadata {
    /// The id, which no other rule has.
    pub id: Option<String>,
    /// The address of a page about the rule: `https://` or `http://`.
    pub link: Option<String>,
    /// The tags, in the order of the file.
    pub tags: Vec<String>,
    /// Who answers for the rule.
    pub owner: Option<String>,
    /// How grave a failure is.
    pub level: SeverityLevel,
    /// Whether warnings fail the run.
    pub(in crate::plan) warnings_fail: bool,
}

impl RuleMetadata {
    /// The metadata in one line, for messages; `None` if the author gave none. Tags are left out: they are for selecting rules.
    ///
    /// [Example](RuleMetadata)
    pub fn sentence(&self) -> Option<String> {
        let mut parts: Vec<String> = self.id.iter().cloned().collect();
        if !matches!(self.level, SeverityLevel::Error | SeverityLevel::Warning) {
            parts.push(format!("severity {}", self.level.name()));
        }
        parts.extend(self.owner.as_ref().map(|owner| format!("owner {owner}")));
        parts.extend(self.link.clone());
        (!parts.is_empty()).then(|| parts.join(", "))
    }
}

/// What reports repeat of a rule.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct RuleSummary {
    /// What the rule is about, in words.
    pub description: Option<String>,
    /// What its author says about it besides its tests.
    pub metadata: RuleMetadata,
    /// Where it is written in the rules file.
    pub position: Position,
}

impl RuleSummary {
    /// Those of all rules of a file, by name.
    pub(in crate::plan) fn of_rules(rules: &RulesFile) -> BTreeMap<String, RuleSummary> {
        let summary = |rule: &NamedRule| RuleSummary {
            description: rule.description.clone(),
            metadata: rule.metadata.clone(),
            position: rule.position,
        };
        rules.rules.iter().map(|rule| (rule.name.clone(), summary(rule))).collect()
    }
}

impl RulesFile {
    /// The rules with failures that fail the run from a level on; from [`SeverityLevel::Error`] on without it.
    ///
    /// ```
    /// use plantime_terraform::plan::{RulesFile, SeverityLevel};
    /// use plantime::rule::Severity;
    /// use plantime::source::Source;
    ///
    /// let text = "rule \"r\" {\n  resource = \"aws_vpc\"\n  severity = \"medium\"\n  attribute \"id\" { not_null = true }\n}\n";
    /// let rules = RulesFile::read(Source::new("rules.hcl", text)).unwrap();
    /// assert_eq!(rules.rules[0].severity, Severity::Warning);
    /// assert_eq!(rules.fail_on(SeverityLevel::Low).rules[0].severity, Severity::Error);
    /// ```
    #[must_use]
    pub fn fail_on(mut self, bound: SeverityLevel) -> RulesFile {
        for rule in &mut self.rules {
            rule.severity = rule.metadata.level.severity(bound);
            rule.metadata.warnings_fail = SeverityLevel::Warning.reaches(bound);
        }
        self
    }
}
