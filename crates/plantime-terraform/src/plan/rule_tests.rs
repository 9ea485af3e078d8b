//! Tests for rules: test files, their runs, and test files made from plans.
//!
//! A test says what rules answer on a configuration, on planned values or on a plan; `plantime test` runs it.
//!
//! | file | does |
//! |---|---|
//! | this one | test files as data |
//! | `planned` | makes a plan of the planned values that a test writes |
//! | `run` | asks the rules that a test names |
//! | `differences` | compares the answers with those that are expected |
//! | `results` | the results of many tests, and which answers no test has seen |
//! | `write` | the results as text, JSON and JUnit XML |
//! | `fixture` | a test file from a plan |
//! | `hcl_text` | values as HCL |
//!
//! ```
//! use plantime::source::Source;
//! use plantime_terraform::plan::{Colour, RulesFile};
//! use plantime_terraform::plan::rule_tests::{TestFile, TestInputs, TestResults};
//!
//! let rules = "rule \"private\" {\n  resource = \"aws_s3_bucket\"\n  attribute \"acl\" { equals = \"private\" }\n}\n";
//! let tests = r#"
//!     test "buckets" {
//!       resource "aws_s3_bucket" "a" { acl = "private" }
//!       resource "aws_s3_bucket" "b" { acl = "public-read" }
//!       resource "aws_s3_bucket" "c" { acl = unknown() }
//!
//!       expect "private" {
//!         pass         = ["aws_s3_bucket.a"]
//!         fail         = ["aws_s3_bucket.b"]
//!         undetermined = ["aws_s3_bucket.c"]
//!       }
//!     }
//! "#;
//! let file = TestFile::read(Source::new("a.test.hcl", tests)).unwrap();
//! let inputs = TestInputs::new(RulesFile::read(Source::new("a.hcl", rules)).unwrap());
//! let outcome = file.run(&file.tests[0], &inputs);
//! assert!(outcome.is_pass());
//!
//! let mut results = TestResults::default();
//! results.add_file("a.test.hcl", vec![outcome]);
//! assert_eq!(results.text(Colour::Never), "a.test.hcl... pass\n  run \"buckets\"... pass\n\nSuccess! 1 passed, 0 failed.\n");
//! ```

mod differences;
mod fixture;
mod hcl_text;
mod planned;
mod results;
mod run;
mod write;

use std::collections::BTreeMap;

use super::{Action, Mode};
use plantime::Value;
use plantime::source::{Position, Problem, Source};

pub use differences::{Answer, Difference};
pub use fixture::{FixtureHead, write_fixture};
pub use results::TestResults;
pub use run::{TestInputs, TestOutcome};

/// A test file: tests of the rules beside it.
///
/// | at the top | is |
/// |---|---|
/// | `rules = "x.hcl"` | the rules files, a text or a list of texts; without it, those in the folder of the test file |
/// | `variables { NAME = … }` | values of variables of the rules, for all tests |
/// | `test "NAME" { … }` | a [`RuleTest`] |
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TestFile {
    /// The text of the file.
    pub source: Source,
    /// The rules files that it names, relative to its folder; if empty, those in its folder.
    pub rules: Vec<String>,
    /// The tests, in the order of the file.
    pub tests: Vec<RuleTest>,
    /// The values of variables of the rules.
    pub(in crate::plan) variables: GivenValues,
}

/// Values by name, each with the place where it is written.
pub(in crate::plan) type GivenValues = BTreeMap<String, (Value, Position)>;

/// One test: what some rules answer on one subject.
///
/// | in `test` | is |
/// |---|---|
/// | `configuration = <<-EOT … EOT` | the subject: a configuration, checked without a plan |
/// | `resource`, `data`, `output` and `variable` blocks | the subject: planned values. What is not written is null |
/// | `plan = "FILE"` | the subject: a plan, binary or in JSON, with `config = "DIR"` beside it |
/// | `config = "DIR"` alone | the subject: the configuration in a folder, checked without a plan |
/// | `schemas = "FILE"` | the schemas of the providers, a text or a list |
/// | `variables { … }` | values of variables of the rules and of the configuration |
/// | `terraform_version`, `complete` | of planned values: the version that planned, and whether they are all that there is (`true`) |
/// | `expect "RULE" { … }` | the answers of a rule: `pass`, `fail`, `undetermined`, `skipped` list addresses |
///
/// [Example](self)
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RuleTest {
    /// The name, which no other test of the file has.
    pub name: String,
    /// Where it is written.
    pub position: Position,
    /// What the rules are asked about.
    pub subject: TestSubject,
    /// The files with schemas of providers, relative to the folder of the test file.
    pub schemas: Vec<String>,
    /// The values of variables.
    pub(in crate::plan) variables: GivenValues,
    /// The version of Terraform that planned.
    pub(in crate::plan) terraform_version: Option<String>,
    /// Whether the planned values are all that there is.
    pub(in crate::plan) is_complete: bool,
    /// What the rules are expected to answer.
    pub(in crate::plan) expectations: Vec<ExpectedAnswers>,
}

/// What the rules of a test are asked about. Paths are relative to the folder of the test file.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum TestSubject {
    /// The text of a configuration.
    Configuration(String),
    /// A folder with a configuration.
    Folder(String),
    /// The file of a plan, and the folder of its configuration.
    Plan {
        /// The file.
        plan: String,
        /// The folder of the root module.
        config: Option<String>,
    },
    /// Planned values that the test writes.
    Planned(Vec<PlannedObject>),
}

/// A resource, data source, output or variable that a test writes.
#[derive(Clone, Debug)]
pub struct PlannedObject {
    pub(in crate::plan) kind: ObjectKind,
    /// The address; the name of an output or variable.
    pub(in crate::plan) address: String,
    pub(in crate::plan) value: Value,
    /// The address of the provider; without it, the one that the type begins with.
    pub(in crate::plan) provider: Option<String>,
    pub(in crate::plan) change: WrittenChange,
    pub(in crate::plan) position: Position,
}

/// What a test writes a value of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::plan) enum ObjectKind {
    Resource(Mode),
    Output,
    Variable,
}

/// The block `change` of a resource or output: what the plan does.
#[derive(Clone, Debug, Default)]
pub(in crate::plan) struct WrittenChange {
    pub(in crate::plan) actions: Vec<Action>,
    pub(in crate::plan) before: Option<Value>,
    pub(in crate::plan) previous_address: Option<String>,
    pub(in crate::plan) import_id: Option<String>,
    pub(in crate::plan) replace_paths: Vec<plantime::Path>,
}

/// What a rule is expected to answer in a test.
#[derive(Clone, Debug)]
pub(in crate::plan) struct ExpectedAnswers {
    /// The name of the rule; of one instance of a rule with `for_each`, `NAME["KEY"]`.
    pub(in crate::plan) rule: String,
    pub(in crate::plan) position: Position,
    /// By address.
    pub(in crate::plan) answers: BTreeMap<String, (Answer, Position)>,
    /// The parts of messages of failures; none are compared if it is empty.
    pub(in crate::plan) messages: Vec<(String, Position)>,
    /// A part of the message of the error that the rule is.
    pub(in crate::plan) error: Option<(String, Position)>,
}

/// The address of a rule that is asked once for each plan.
pub(in crate::plan) const PLAN: &str = "plan";

/// The problem without the text of its line, where that may be a sensitive value.
pub(in crate::plan) fn without_secret_line(problem: Problem) -> Problem {
    let line = problem.source().line(problem.position().line);
    match line.is_some_and(|line| line.contains("sensitive(")) {
        true => without_line(&problem),
        false => problem,
    }
}

/// The problem without the text of its line, also as it should be written.
pub(in crate::plan) fn without_line(problem: &Problem) -> Problem {
    let message = problem.message().split(" Write: ").next().unwrap_or_default();
    Source::new(problem.source().name(), "").problem_at(problem.position(), message)
}

impl TestFile {
    /// How the names of test files end.
    pub const ENDING: &'static str = ".test.hcl";

    /// Reads a test file.
    ///
    /// ```
    /// use plantime::source::Source;
    /// use plantime_terraform::plan::rule_tests::TestFile;
    ///
    /// let text = "test \"t\" {\n  resource \"aws_vpc\" \"a\" {}\n  expect \"r\" { pas = \"aws_vpc.a\" }\n}\n";
    /// let problems = TestFile::read(Source::new("a.test.hcl", text)).unwrap_err();
    /// assert_eq!(problems[0].to_string(), "a.test.hcl:3:16: unknown argument `pas`; the nearest is `pass`");
    /// ```
    ///
    /// # Errors
    ///
    /// Everything that is wrong, in the order of the file.
    pub fn read(source: Source) -> Result<TestFile, Vec<Problem>> {
        super::rules::reader::read_test_file(source)
    }
}
