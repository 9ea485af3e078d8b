//! The answers of rules on a plan: as data, as text for people, as JSON for programs.
//!
//! | file | holds |
//! |---|---|
//! | this one | the report as data |
//! | `render` | the report as text |
//! | `json`, `json_lines` | the report as JSON, and the layout of long documents |
//! | `summary` | the totals of several reports |
//! | `title` | a change in the words of Terraform's plan: "will be created" |
//! | `input_error` | why an input cannot be used, as text and as JSON |

pub(super) mod input_error;
pub(super) mod json;
mod json_lines;
pub(super) mod render;
pub(super) mod summary;
pub(super) mod title;

use std::collections::BTreeMap;

use crate::path::Path;
use crate::plan::checking::replacement::Replacement;
use crate::plan::knowledge::{ContradictedAssumption, Origin};
use crate::plan::read::gap::Gap;
use crate::plan::rules::rules_file::StatedAssumption;
use crate::plan::source::{Position, Source};
use crate::plan::{Action, Check};
use crate::rule::{Diagnostics, PathExpr, Rule, Severity, Template, Why};
use crate::value::Value;

/// What the rules say of one plan.
///
/// [`text`](PlanReport::text) writes it for people, [`to_json`](PlanReport::to_json) for programs.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PlanReport {
    /// The plan's name, usually its file's.
    pub name: String,
    /// The version of Terraform or OpenTofu that wrote the plan.
    pub terraform_version: Option<String>,
    /// What the plan leaves out of the configuration. Not empty: the answers are not about all of it.
    pub gaps: Vec<Gap>,
    /// What the configuration's own conditions gave.
    pub own_checks: Vec<Check>,
    /// The rules file that was checked against.
    pub rules: Source,
    /// What rules are about in their authors' words, by name; rules without a description are not in it.
    pub descriptions: BTreeMap<String, String>,
    /// How many assumptions, rules and skips the rules file has.
    pub counts: RulesFileCounts,
    /// How many resources the plan adds, changes and destroys.
    pub changes: ChangeCounts,
    /// How many resources the plan has.
    pub resources: usize,
    /// The resources and outputs with an answer, an assumption or a contradiction, in the order of the plan.
    pub checked: Vec<CheckedResource>,
    /// What deserves attention, such as an assumption that no resource matches.
    pub warnings: Vec<(Position, String)>,
    /// What a reader should know of the inputs.
    pub notes: Vec<String>,
    /// The rules and skips that nothing in the plan is about.
    pub unmatched: Vec<Unmatched>,
    /// How many places the plan leaves unknown.
    pub unknown: usize,
    /// How many of them have an answer that is decided.
    pub answered: usize,
    /// The unknowns outside that most rules wait for, and how many rules each.
    pub wanted: Vec<(String, usize)>,
    /// The assumptions that the answers rest on, each with the resource it is about: the plan alone does not decide
    /// whether they hold.
    pub assumed: Vec<(String, StatedAssumption)>,
}

/// How many assumptions, rules and skips a rules file has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct RulesFileCounts {
    /// The number of assumptions, with those about replacement (`force_new`).
    pub assumptions: usize,
    /// The number of rules.
    pub rules: usize,
    /// The number of skips.
    pub skips: usize,
}

/// How many managed resources a plan adds, changes and destroys. A replacement adds one and destroys one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ChangeCounts {
    /// The number of objects that are created.
    pub add: usize,
    /// The number of objects that are updated in place.
    pub change: usize,
    /// The number of objects that are deleted.
    pub destroy: usize,
}

/// One resource or output, and the answers of the rules on it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct CheckedResource {
    /// The address; `output.NAME` for an output.
    pub address: String,
    /// The type, such as `aws_vpc`; none of an output.
    pub type_name: Option<String>,
    /// The address of the module that it is in; none in the root module.
    pub module: Option<String>,
    /// The key that tells it from other instances of the same resource.
    pub index: Option<Value>,
    /// The file and line of its block in the configuration, such as `main.tf:12`, where the configuration was read.
    pub declared: Option<String>,
    /// The actions that the plan has for it.
    pub actions: Vec<Action>,
    /// The value before; none where it is new.
    pub before: Option<Value>,
    /// The line with the braces: `resource "aws_vpc" "main"`.
    pub header: String,
    /// The line above: `# aws_vpc.main will be created`.
    pub title: String,
    /// The attributes that a rule or an assumption is about.
    pub shown: Vec<ShownAttribute>,
    /// How many attributes are not shown.
    pub hidden: usize,
    /// Whether the change replaces the object, where the plan or the rules file says something of it.
    pub replacement: Option<Replacement>,
    /// The answers, in the order of the rules.
    pub answers: Vec<TestAnswer>,
    /// The assumptions that the plan contradicts here.
    pub contradicted: Vec<ContradictedAssumption>,
    /// The rules that are about the resource and were not asked: it is destroyed, and they are about planned values.
    pub unasked: Vec<String>,
}

/// An attribute before and after.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ShownAttribute {
    /// The name of the attribute.
    pub name: String,
    /// The value before; none where the resource is new.
    pub before: Option<Value>,
    /// What is known of the planned value.
    pub after: Value,
    /// Where the knowledge comes from, when it is not in the plan.
    pub origin: Option<Origin>,
    /// Whether the plan says that it forces a replacement.
    pub forces_replacement: bool,
}

/// The answer of one test at one place.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TestAnswer {
    /// The name of the rule.
    pub rule: String,
    /// Whether a failure fails the run.
    pub severity: Severity,
    /// The place; the empty path for the resource as a whole. A member of a set is named by its position.
    pub path: Path,
    /// The rest of the path, where it leads on into something null or unknown.
    pub rest: PathExpr,
    /// What is tested, in words.
    pub claim: String,
    /// The answer, with its reasons.
    pub verdict: TestVerdict,
    /// It passes because the value is null, which means: not set. Never so of a sensitive value.
    pub is_null: bool,
    /// Which value it is about.
    pub side: Side,
    /// Where the test stands in the rules file.
    pub position: Position,
}

impl TestAnswer {
    /// The place as a text: `ingress[0].cidr_blocks[1]`; empty for the resource as a whole.
    pub fn place(&self) -> String {
        let (path, rest) = (self.path.to_string(), self.rest.to_string());
        match (path.is_empty(), rest.is_empty() || rest.starts_with('[')) {
            (false, false) => format!("{path}.{rest}"),
            _ => path + &rest,
        }
    }
}

/// A side of a change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// The planned value.
    #[default]
    Planned,
    /// The value before the change, which is deleted or forgotten.
    Prior,
}

/// A rule or skip that nothing in the plan is about.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Unmatched {
    /// Whether it is a rule or a skip.
    pub kind: UnmatchedKind,
    /// The name of the rule; of a skip, of the rule that it is about.
    pub name: String,
    /// Why: `no matching resources`.
    pub reason: String,
    /// Where it stands in the rules file.
    pub position: Position,
}

/// What it is that nothing in the plan is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum UnmatchedKind {
    /// A rule.
    Rule,
    /// A skip.
    Skip,
}

/// An answer, with what goes with it.
#[derive(Clone, Debug)]
pub enum TestVerdict {
    /// It holds, whatever the unknown turns out to be.
    Pass,
    /// It holds since there is nothing to test: why.
    NotApplicable(String),
    /// It does not hold, whatever the unknown turns out to be.
    Fail(Failure),
    /// It depends.
    Undetermined(Reason),
    /// It was not asked: a skip, with its reason and where it stands.
    Skipped(String, Position),
}

/// Why a test fails: diagnostics, and the values that they are about.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Failure {
    /// The diagnostics of the rule, none weighing more than the rule does. Each names the part at fault.
    pub diagnostics: Diagnostics,
    /// Whether the claim is in the author's words: the first part of a pair.
    pub has_own_words: bool,
    /// The message of the author, filled in.
    pub message: Option<String>,
    /// The values that were looked at and the parts at fault: what each is, as far as it may be shown
    /// (`is "10.0.0.0/16"`, `is a set of string with 2 elements`, `has a sensitive value`).
    pub values: Vec<(Path, String)>,
}

/// Why an answer depends, and on what.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Reason {
    /// The unknown inputs in the resource, and the rule that remains.
    pub why: Why,
    /// The references that the unknown inputs were written with; the inputs themselves where the provider decides.
    pub depends_on: Vec<String>,
    /// What is left of the rule, on the value as a whole.
    pub remaining: Rule,
    /// What that is about; empty for the whole.
    pub about: PathExpr,
    /// The author's message of a failure.
    pub message: Option<Template>,
}

/// How often each answer was given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// The number of answers "pass".
    pub pass: usize,
    /// The number of failures of rules with severity error.
    pub fail: usize,
    /// The number of failures of rules with severity warning.
    pub warned: usize,
    /// The number of answers "undetermined".
    pub undetermined: usize,
    /// The number of answers "skipped".
    pub skipped: usize,
    /// The number of assumptions that the plan contradicts.
    pub contradicted: usize,
}

impl Totals {
    /// Adds up two totals, number by number.
    #[must_use]
    pub fn and(self, other: Totals) -> Totals {
        Totals {
            pass: self.pass.saturating_add(other.pass),
            fail: self.fail.saturating_add(other.fail),
            warned: self.warned.saturating_add(other.warned),
            undetermined: self.undetermined.saturating_add(other.undetermined),
            skipped: self.skipped.saturating_add(other.skipped),
            contradicted: self.contradicted.saturating_add(other.contradicted),
        }
    }

    /// Whether a rule of severity error failed, or the plan contradicts an assumption.
    ///
    /// ```
    /// use plantime::plan::Totals;
    ///
    /// assert!(!Totals { pass: 3, warned: 1, ..Totals::default() }.failed());
    /// assert!(Totals { contradicted: 1, ..Totals::default() }.failed());
    /// ```
    pub fn failed(&self) -> bool {
        self.fail > 0 || self.contradicted > 0
    }
}

impl PlanReport {
    /// What a rule is about, in its author's words.
    pub fn description(&self, rule: &str) -> Option<&str> {
        self.descriptions.get(rule).map(String::as_str)
    }

    /// How many answers are undetermined.
    pub(super) fn undetermined_answers(&self) -> usize {
        let answers = self.checked.iter().flat_map(|checked| &checked.answers);
        answers.filter(|answer| matches!(answer.verdict, TestVerdict::Undetermined(_))).count()
    }

    /// How often each answer was given.
    pub fn totals(&self) -> Totals {
        // A plan that is not whole leaves one question open: what the rest of it says.
        let mut totals = Totals { undetermined: usize::from(!self.gaps.is_empty()), ..Totals::default() };
        let add = |count: &mut usize, more: usize| *count = count.saturating_add(more);
        for checked in &self.checked {
            add(&mut totals.contradicted, checked.contradicted.len());
            for answer in &checked.answers {
                let count = match (&answer.verdict, answer.severity) {
                    (TestVerdict::Pass | TestVerdict::NotApplicable(_), _) => &mut totals.pass,
                    (TestVerdict::Fail(_), Severity::Error) => &mut totals.fail,
                    (TestVerdict::Fail(_), Severity::Warning) => &mut totals.warned,
                    (TestVerdict::Undetermined(_), _) => &mut totals.undetermined,
                    (TestVerdict::Skipped(..), _) => &mut totals.skipped,
                };
                add(count, 1);
            }
        }
        totals
    }
}
