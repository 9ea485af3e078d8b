//! The results of many tests.

use std::collections::{BTreeMap, BTreeSet};

use super::{Answer, TestOutcome};
use crate::plan::{InputError, RulesFile};

/// The results of the tests of many files, and the answers of rules that no test has seen.
///
/// [Example](crate::plan::rule_tests)
#[derive(Clone, Debug, Default)]
pub struct TestResults {
    pub(super) files: Vec<FileResult>,
    /// The errors that are about no test.
    pub(super) errors: Vec<InputError>,
    /// By the file and line of the rule, and its name. Empty if the coverage is not told.
    pub(super) seen: BTreeMap<RuleKey, BTreeSet<Answer>>,
    /// Whether it is a failure that no test has seen a rule fail.
    pub(super) needs_coverage: bool,
}

/// A rule of a rules file: its file, line and name.
pub(super) type RuleKey = (String, usize, String);

/// The results of one file.
#[derive(Clone, Debug)]
pub(super) struct FileResult {
    pub(super) name: String,
    pub(super) outcomes: Vec<TestOutcome>,
}

impl FileResult {
    /// Whether all its tests pass.
    pub(super) fn is_pass(&self) -> bool {
        self.outcomes.iter().all(TestOutcome::is_pass)
    }
}

impl TestResults {
    /// Adds the outcomes of the tests of a file.
    ///
    /// [Example](crate::plan::rule_tests)
    pub fn add_file(&mut self, name: &str, outcomes: Vec<TestOutcome>) {
        self.files.push(FileResult { name: name.to_owned(), outcomes });
    }

    /// Adds errors that are about no test: of a file that cannot be read.
    ///
    /// [Example](TestResults::uncovered)
    pub fn add_errors(&mut self, errors: impl IntoIterator<Item = InputError>) {
        for error in errors {
            // Several test files may lead to one.
            if !self.errors.contains(&error) {
                self.errors.push(error);
            }
        }
    }

    /// Adds rules to those whose answers the tests should see, and what these tests of them have seen.
    ///
    /// [Example](TestResults::uncovered)
    pub fn add_coverage(&mut self, rules: &RulesFile, outcomes: &[TestOutcome]) {
        for rule in &rules.rules {
            let file = rules.source.file(rule.position).name().to_owned();
            let seen = self.seen.entry((file, rule.position.line, rule.name.clone())).or_default();
            seen.extend(outcomes.iter().filter_map(|outcome| outcome.seen.get(&rule.name)).flatten());
        }
    }

    /// The errors that are about no test.
    ///
    /// [Example](TestResults::uncovered)
    pub fn file_errors(&self) -> impl Iterator<Item = &InputError> {
        self.errors.iter()
    }

    /// The errors that are about no test, and those of tests.
    ///
    /// [Example](TestResults::uncovered)
    pub fn errors(&self) -> impl Iterator<Item = &InputError> {
        let outcomes = self.files.iter().flat_map(|file| &file.outcomes);
        self.errors.iter().chain(outcomes.flat_map(|outcome| &outcome.errors))
    }

    /// The numbers of tests that pass, and that do not.
    ///
    /// [Example](TestResults::uncovered)
    pub fn counts(&self) -> (usize, usize) {
        let outcomes = || self.files.iter().flat_map(|file| &file.outcomes);
        let passed = outcomes().filter(|outcome| outcome.is_pass()).count();
        (passed, outcomes().count().saturating_sub(passed))
    }

    /// Makes it a failure that no test has seen a rule fail.
    ///
    /// [Example](TestResults::uncovered)
    pub fn require_coverage(&mut self) {
        self.needs_coverage = true;
    }

    /// Whether a test fails, or a rule is not covered that has to be.
    ///
    /// [Example](TestResults::uncovered)
    pub fn failed(&self) -> bool {
        self.counts().1 > 0 || (self.needs_coverage && self.uncovered().next().is_some())
    }

    /// The rules that no test has seen fail, each with its file and line.
    ///
    /// ```
    /// use plantime::source::Source;
    /// use plantime_terraform::plan::{InputError, RulesFile};
    /// use plantime_terraform::plan::rule_tests::TestResults;
    ///
    /// let rule = "rule \"r\" {\n  resource = \"aws_vpc\"\n  attribute \"id\" { not_null = true }\n}\n";
    /// let mut results = TestResults::default();
    /// results.add_coverage(&RulesFile::read(Source::new("a.hcl", rule)).unwrap(), &[]);
    /// results.add_errors([InputError::input("b.test.hcl", "no such file")]);
    /// assert_eq!(results.uncovered().collect::<Vec<_>>(), [("a.hcl", 1, "r")]);
    /// assert!(!results.failed());
    /// results.require_coverage();
    /// assert!(results.failed());
    /// assert_eq!((results.counts(), results.errors().count(), results.file_errors().count()), ((0, 0), 1, 1));
    /// ```
    pub fn uncovered(&self) -> impl Iterator<Item = (&str, usize, &str)> {
        let unseen = self.seen.iter().filter(|(_, seen)| !seen.contains(&Answer::Fail));
        unseen.map(|((file, line, name), _)| (file.as_str(), *line, name.as_str()))
    }
}
