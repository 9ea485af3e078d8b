//! The results of tests as text, as JSON and as JUnit XML.

use std::fmt::Write as _;

use serde_json::{Value as Json, json};

use super::results::FileResult;
use super::{Answer, Difference, TestOutcome, TestResults};
use crate::plan::report::junit::xml;
use crate::plan::report::render::{GREEN, Markup, RED, plural};
use crate::plan::{Colour, InputError, printable, printable_in_line};

/// The version of the form of the results in JSON.
const FORMAT_VERSION: &str = "1.0";

/// The answers that a test should see of each rule.
const WANTED: [Answer; 3] = [Answer::Fail, Answer::Pass, Answer::Undetermined];

/// The word for what came out.
fn status(is_pass: bool) -> &'static str {
    if is_pass { "pass" } else { "fail" }
}

/// The word for what came out of a test.
fn status_of(outcome: &TestOutcome) -> &'static str {
    if outcome.errors.is_empty() { status(outcome.is_pass()) } else { "error" }
}

impl Difference {
    /// What is different, in one line: `rule "r", aws_vpc.a: expected pass, given fail`.
    fn line(&self) -> String {
        let rule = self.rule.as_ref().map(|rule| format!("rule \"{rule}\""));
        let about: Vec<String> = rule.into_iter().chain(self.address.clone()).collect();
        match about.is_empty() {
            true => self.message.clone(),
            false => format!("{}: {}", about.join(", "), self.message),
        }
    }
}

impl TestResults {
    /// The results as `terraform test` writes them: files, their runs, what is different, the totals; then the answers that no test has
    /// seen.
    ///
    /// [Example](crate::plan::rule_tests)
    pub fn text(&self, colour: Colour) -> String {
        let mut out = String::new();
        let push_word = |out: &mut String, word: &str| {
            let style = if matches!(word, "pass" | "Success") { GREEN } else { RED };
            Markup::Terminal(colour).push_styled(out, style, word);
        };
        for file in &self.files {
            let _ = write!(out, "{}... ", printable_in_line(&file.name));
            push_word(&mut out, status(file.is_pass()));
            out.push('\n');
            for outcome in &file.outcomes {
                let name = printable_in_line(&outcome.name);
                let _ = write!(out, "  run \"{name}\"... ");
                push_word(&mut out, status_of(outcome));
                out.push('\n');
                push_details(&mut out, file, outcome);
            }
        }
        let (passed, failed) = self.counts();
        let is_wrong = self.failed() || self.errors().next().is_some();
        let word = if is_wrong { "Failure" } else { "Success" };
        if !out.is_empty() && !out.ends_with("\n\n") {
            out.push('\n');
        }
        push_word(&mut out, word);
        let _ = write!(out, "! {passed} passed, {failed} failed");
        let uncovered = if self.needs_coverage { self.uncovered().count() } else { 0 };
        if uncovered > 0 {
            let _ = write!(out, ", {uncovered} {} never seen to fail", plural(uncovered, "rule"));
        }
        out.push_str(".\n");
        self.push_coverage(&mut out);
        out
    }

    /// Appends a suite with a case for each rule: it fails where no test has seen the rule fail.
    fn push_coverage_suite(&self, out: &mut String) {
        let (tests, failures) = (self.seen.len(), self.uncovered().count());
        let _ = writeln!(
            out,
            "<testsuite name=\"coverage\" tests=\"{tests}\" failures=\"{failures}\" errors=\"0\" skipped=\"0\">"
        );
        for ((file, line, rule), seen) in &self.seen {
            let (file, rule) = (xml(file), xml(rule));
            let end = match seen.contains(&Answer::Fail) {
                true => "/>",
                false => "><failure message=\"no test has seen it fail\" type=\"coverage\"/></testcase>",
            };
            let _ = writeln!(
                out,
                "  <testcase classname=\"coverage\" name=\"{rule}\" file=\"{file}\" line=\"{line}\"{end}"
            );
        }
        out.push_str("</testsuite>\n");
    }

    /// Appends the rules with answers that no test has seen.
    fn push_coverage(&self, out: &mut String) {
        let unseen = |seen: &std::collections::BTreeSet<Answer>| {
            let unseen = WANTED.into_iter().filter(|answer| !seen.contains(answer));
            unseen.map(Answer::name).collect::<Vec<_>>().join(", ")
        };
        let rules = self.seen.iter().filter(|(_, seen)| WANTED.iter().any(|answer| !seen.contains(answer)));
        let mut rules = rules.peekable();
        if rules.peek().is_some() {
            out.push_str("\nNo test has seen these answers:\n");
        }
        for ((file, line, name), seen) in rules {
            let text = format!("  {:<28} of rule \"{name}\" ({file}:{line})", unseen(seen));
            let _ = writeln!(out, "{}", printable_in_line(&text));
        }
    }

    /// The results as JSON.
    ///
    /// ```text
    /// {
    ///   "format_version": "1.0",
    ///   "files": [{
    ///     "file": "a.test.hcl",
    ///     "status": "fail",                        pass or fail
    ///     "tests": [{
    ///       "name": "buckets", "line": 2,
    ///       "status": "fail",                      pass, fail or error
    ///       "differences": [{
    ///         "line": 9, "column": 22,
    ///         "rule": "private",                   null for what no rule says
    ///         "address": "aws_s3_bucket.a",        null for the plan, and for what is about no address
    ///         "expected": "pass", "given": "fail", null for no answer
    ///         "message": "expected pass, given fail",
    ///         "reasons": ["…"]
    ///       }],
    ///       "errors": []                           as in the report of a check
    ///     }]
    ///   }],
    ///   "errors": [],
    ///   "coverage": [{"file": "a.hcl", "line": 1, "rule": "private", "seen": ["pass"]}],
    ///   "summary": {"passed": 0, "failed": 1, "uncovered": 1}   uncovered: null unless it is required
    /// }
    /// ```
    ///
    /// ```
    /// use plantime_terraform::plan::rule_tests::TestResults;
    ///
    /// assert_eq!(TestResults::default().to_json()["summary"]["passed"], 0);
    /// ```
    pub fn to_json(&self) -> Json {
        let (passed, failed) = self.counts();
        let files = self.files.iter().map(|file| {
            let tests: Vec<Json> = file.outcomes.iter().map(outcome_json).collect();
            json!({"file": file.name, "status": status(file.is_pass()), "tests": tests})
        });
        let coverage = self.seen.iter().map(|((file, line, rule), seen)| {
            let seen: Vec<&str> = seen.iter().map(|answer| answer.name()).collect();
            json!({"file": file, "line": line, "rule": rule, "seen": seen})
        });
        let uncovered = self.needs_coverage.then(|| self.uncovered().count());
        json!({
            "format_version": FORMAT_VERSION,
            "files": files.collect::<Vec<_>>(),
            "errors": self.errors.iter().map(InputError::to_json).collect::<Vec<_>>(),
            "coverage": coverage.collect::<Vec<_>>(),
            "summary": {"passed": passed, "failed": failed, "uncovered": uncovered},
        })
    }

    /// The results as JUnit XML: a suite for each file, a case for each test. A difference is a failure, an error an error; where coverage
    /// is required, so is a rule that no test has seen fail.
    ///
    /// ```
    /// use plantime_terraform::plan::rule_tests::TestResults;
    ///
    /// assert!(TestResults::default().junit().ends_with("<testsuites name=\"plantime test\">\n</testsuites>\n"));
    /// ```
    pub fn junit(&self) -> String {
        let mut out =
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"plantime test\">\n".to_owned();
        for file in &self.files {
            let count =
                |what: &str| file.outcomes.iter().filter(|outcome| status_of(outcome) == what).count();
            let _ = writeln!(
                out,
                "<testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"0\">",
                xml(&file.name),
                file.outcomes.len(),
                count("fail"),
                count("error"),
            );
            for outcome in &file.outcomes {
                push_case(&mut out, file, outcome);
            }
            out.push_str("</testsuite>\n");
        }
        if self.needs_coverage {
            self.push_coverage_suite(&mut out);
        }
        if !self.errors.is_empty() {
            let count = self.errors.len();
            let _ = writeln!(
                out,
                "<testsuite name=\"files\" tests=\"{count}\" failures=\"0\" errors=\"{count}\" skipped=\"0\">"
            );
            for error in &self.errors {
                let text = xml(&error.to_string());
                let _ = writeln!(
                    out,
                    "  <testcase classname=\"files\" name=\"read\"><error message=\"{}\"/></testcase>",
                    text.replace('\n', " ")
                );
            }
            out.push_str("</testsuite>\n");
        }
        out.push_str("</testsuites>\n");
        out
    }
}

/// Appends what is different in a test, or why it could not be run: each with its place.
fn push_details(out: &mut String, file: &FileResult, outcome: &TestOutcome) {
    if outcome.is_pass() {
        return;
    }
    out.push('\n');
    for difference in &outcome.differences {
        let place = difference.position;
        let _ = writeln!(
            out,
            "    {}",
            printable_in_line(&format!("{}:{place}: {}", file.name, difference.line()))
        );
        for line in difference.reasons.iter().flat_map(|reason| reason.lines()) {
            let _ = writeln!(out, "      {}", printable_in_line(line));
        }
        out.push('\n');
    }
    for error in &outcome.errors {
        for line in printable(&format!("error: {error}")).lines() {
            let _ = writeln!(out, "    {line}");
        }
        out.push('\n');
    }
}

/// A test in JSON.
fn outcome_json(outcome: &TestOutcome) -> Json {
    let differences = outcome.differences.iter().map(|difference| {
        json!({
            "line": difference.position.line,
            "column": difference.position.column,
            "rule": difference.rule,
            "address": difference.address,
            "expected": difference.expected.map(Answer::name),
            "given": difference.given.map(Answer::name),
            "message": difference.message,
            "reasons": difference.reasons,
        })
    });
    json!({
        "name": outcome.name,
        "line": outcome.position.line,
        "status": status_of(outcome),
        "differences": differences.collect::<Vec<_>>(),
        "errors": outcome.errors.iter().map(InputError::to_json).collect::<Vec<_>>(),
    })
}

/// Appends a test as a case of JUnit.
fn push_case(out: &mut String, file: &FileResult, outcome: &TestOutcome) {
    let (class, name, line) = (xml(&file.name), xml(&outcome.name), outcome.position.line);
    let case = format!("  <testcase classname=\"{class}\" name=\"{name}\" file=\"{class}\" line=\"{line}\"");
    if outcome.is_pass() {
        let _ = writeln!(out, "{case}/>");
        return;
    }
    let mut text = String::new();
    push_details(&mut text, file, outcome);
    let first = outcome.differences.first().map(Difference::line);
    let first = first.or_else(|| outcome.errors.first().map(|error| error.message().to_owned()));
    let what = if outcome.errors.is_empty() { "failure" } else { "error" };
    let message = xml(&first.unwrap_or_default()).replace('\n', " ");
    let _ = writeln!(
        out,
        "{case}><{what} message=\"{message}\" type=\"{what}\">{}</{what}></testcase>",
        xml(text.trim())
    );
}
