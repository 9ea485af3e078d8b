//! The answers of rules on a plan: as data, as text for people, as JSON for programs.
//!
//! | file | holds |
//! |---|---|
//! | this one | the report as data |
//! | `render` | the report as text |
//! | `json`, `json_lines` | the report as JSON, and the layout of long documents |
//! | `decision` | what a reader decides by: the verdict, failures with what to change, what is open |
//! | `html`, `markdown` | the report as a page, and for a pull request |
//! | `sarif`, `junit`, `github` | the report for other programs, by its statements (`finding`) |
//! | `reference` | references to files and their lines |
//! | `summary` | the totals of several reports |
//! | `title` | a change in the words of Terraform's plan: "will be created" |
//! | `input_error` | why an input cannot be used, as text and as JSON |

pub(super) mod decision;
mod finding;
mod github;
pub(super) mod html;
pub(super) mod input_error;
pub(super) mod json;
mod json_lines;
pub(super) mod junit;
pub(super) mod markdown;
pub(super) mod reference;
pub(super) mod render;
pub(super) mod sarif;
pub(super) mod summary;
pub(super) mod title;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

use crate::plan::checking::custom_conditions::CustomCondition;
use crate::plan::checking::replacement::Replacement;
use crate::plan::checking::same_as::AssumedCopy;
use crate::plan::condition::{Assertion, Decided, PlanFacts};
use crate::plan::knowledge::configuration::SourceLine;
use crate::plan::knowledge::facts::{ContradictedFact, UsedFact};
use crate::plan::knowledge::{ContradictedAssumption, Origin};
use crate::plan::plan_place::PlanPlace;
use crate::plan::read::gap::Gap;
use crate::plan::rules::day::Day;
use crate::plan::rules::metadata::{RuleMetadata, RuleSummary};
use crate::plan::rules::rules_file::StatedAssumption;
use crate::plan::rules::skip::ExpiredSkip;
use crate::plan::{Action, Check, ResourceChange, words};
use plantime::rule::{Diagnostics, PathExpr, Rule, Severity, Template, Why};
use plantime::source::{Position, Problem, Source};
use plantime::{Path, Value};
use plantime_schema::Block;

/// The result of checking one plan against the rules: the answers for each resource and output, and notes.
///
/// [`text`](PlanReport::text) writes it for people, [`to_json`](PlanReport::to_json) for programs.
///
/// ```
/// use plantime_terraform::plan::{CheckOptions, Colour, Plan, RulesFile, Summary, check, example};
/// use plantime::source::Source;
/// use plantime_schema::ProviderSchemas;
///
/// let schemas = ProviderSchemas::from_json(example::PROVIDER_SCHEMAS)?;
/// let plan = Plan::read(example::PLAN, &schemas)?;
/// let rules = RulesFile::read(Source::new("rules.hcl", example::RULES)).unwrap();
/// let against = CheckOptions { rules, schemas, configuration: None, show_values: false, facts: Default::default() };
/// let report = check("plan.json", &plan, &against).unwrap();
/// assert!(report.totals().failed() && report.totals().undetermined > 0);
/// assert_eq!(report.description("vpc-id"), Some("A network has an id and an arn of the usual form."));
///
/// let vpc = report.checked.iter().find(|one| one.address() == "aws_vpc.main").unwrap();
/// assert_eq!(vpc.title(), "aws_vpc.main will be created");
/// assert_eq!(vpc.header().as_deref(), Some(r#"resource "aws_vpc" "main""#));
/// assert_eq!((vpc.type_name(), vpc.module(), vpc.index()), (Some("aws_vpc"), None, None));
/// assert!(!vpc.is_each_if_any());
///
/// let text = report.text(Colour::Never);
/// assert!(text.contains("aws_vpc.main"));
/// let both = Summary::of(&report).and(Summary::of(&report));
/// assert_eq!((both.plans(), both.totals().fail), (2, 2 * report.totals().fail));
/// assert!(both.is_open() && !both.is_errored());
/// # Ok::<(), plantime::Error>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PlanReport {
    /// The plan's name, usually its file's.
    pub name: String,
    /// The version of Terraform or OpenTofu that wrote the plan.
    pub terraform_version: Option<String>,
    /// What the plan leaves out of the configuration. If this is not empty, the answers do not cover all of it.
    pub gaps: Vec<Gap>,
    /// The results of the configuration's own conditions.
    pub own_checks: Vec<Check>,
    /// The configuration's own conditions, evaluated with all that is assumed; none without a configuration. They fail nothing.
    pub conditions: Vec<CustomCondition>,
    /// The rules file that was checked against.
    pub rules: Source,
    /// What the authors say about their rules besides the tests, by rule name.
    pub rule_summaries: BTreeMap<String, RuleSummary>,
    /// The skips that no longer count. Each is a failure of the run.
    pub expired: Vec<ExpiredSkip>,
    /// How many assumptions, rules and skips the rules file has.
    pub counts: RulesFileCounts,
    /// How many resources the plan adds, changes and destroys.
    pub changes: ChangeCounts,
    /// How many resources the plan has.
    pub resources: usize,
    /// The resources and outputs with an answer, an assumption or a contradiction, in the order of the plan.
    pub checked: Vec<CheckedResource>,
    /// Warnings about the rules file, such as an assumption that no resource matches.
    pub warnings: Vec<(Position, String)>,
    /// Notes on the inputs that a reader should know.
    pub notes: Vec<String>,
    /// The rules and skips that match nothing in the plan, and the rules that were not asked as a type lacks their place.
    pub unmatched: Vec<Unmatched>,
    /// The rules that are about a place that a type of the plan does not have, each with the error that this is where the rule is
    /// asked of no other plan.
    pub lacking: Vec<(String, Problem)>,
    /// The names of the rules that were asked.
    pub asked: BTreeSet<String>,
    /// Those of the notes that are about rules and skips.
    pub(super) rule_notes: Vec<String>,
    /// The number of unknown places in the planned values.
    pub unknown: usize,
    /// The number of unknown places that have a decided answer.
    pub answered: usize,
    /// The assumptions that the answers rest on, each with the address of a resource: the plan alone does not decide whether
    /// they hold.
    pub assumed: Vec<(String, StatedAssumption)>,
    /// The facts about the values that providers choose which the plan contradicts. They fail nothing.
    pub contradicted_facts: Vec<ContradictedFact>,
    /// The assumptions that values are copies of others which the answers rest on.
    pub(super) copies: Vec<AssumedCopy>,
    /// What conditions see of the plan; `None` if no rule has one.
    pub(super) condition_facts: Option<Arc<PlanFacts>>,
    /// Whether planning that failed is no failure of the run.
    pub(super) allows_errored: bool,
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

/// How many managed resources a plan adds, changes and destroys, and how many outputs it changes. A replacement adds one and destroys one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ChangeCounts {
    /// The number of objects that are created.
    pub add: usize,
    /// The number of objects that are updated in place.
    pub change: usize,
    /// The number of objects that are deleted.
    pub destroy: usize,
    /// The number of root outputs that are added, changed or removed.
    pub outputs: usize,
}

/// One resource or output of the plan, and the answers of the rules that were evaluated on it.
///
/// The report on a large plan has hundreds of thousands of them, so properties that are mostly empty are kept small.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct CheckedResource {
    pub(super) subject: CheckedSubject,
    /// The file and line of its block, such as `main.tf:12`, if the configuration was read.
    pub declared: Option<Box<str>>,
    /// The value before the change; `None` if the resource is new.
    pub before: Option<Value>,
    /// The attributes that a rule or an assumption is about.
    pub shown: Vec<ShownAttribute>,
    /// The number of attributes that are not shown.
    pub hidden: usize,
    /// The declarations of the shown attributes, where a schema has them. Resources of one type share them.
    pub(super) block: Option<Arc<Block>>,
    /// Whether the object was changed outside of the configuration.
    pub is_drifted: bool,
    /// Whether the change replaces the object, where the plan or the rules file says something of it.
    pub replacement: Option<Box<Replacement>>,
    /// The answers, in the order of the rules.
    pub answers: Vec<TestAnswer>,
    /// The assumptions about it that the plan contradicts.
    pub contradicted: Box<[ContradictedAssumption]>,
    /// The rules about the resource that were not evaluated: it is destroyed, and they are about planned values.
    pub unasked: Box<[String]>,
    /// The facts about the values that the provider chooses which its answers may rest on.
    pub(super) facts: Box<[UsedFact]>,
}

/// The planned change that a [`CheckedResource`] reports on. Large plans share the changes, since copies would need
/// as much memory again.
#[derive(Clone)]
pub(super) enum CheckedSubject {
    Resource(Arc<ResourceChange>),
    /// An output: its address, its title and its actions.
    Output(Box<(String, String, Vec<Action>)>),
}

impl fmt::Debug for CheckedSubject {
    /// Without the values and paths of the change: those that the report may not show are not marked there (L5).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CheckedSubject::Resource(change) => write!(f, "{}", title::title(change)),
            CheckedSubject::Output(output) => write!(f, "{}", output.1),
        }
    }
}

impl CheckedResource {
    /// The planned change of a resource; `None` for an output.
    pub(super) fn change(&self) -> Option<&ResourceChange> {
        match &self.subject {
            CheckedSubject::Resource(change) => Some(change),
            CheckedSubject::Output(_) => None,
        }
    }

    /// The address; `output.NAME` for an output.
    ///
    /// [Example](PlanReport)
    pub fn address(&self) -> &str {
        match &self.subject {
            CheckedSubject::Resource(change) => &change.address,
            CheckedSubject::Output(output) => &output.0,
        }
    }

    /// The resource type, such as `aws_vpc`; `None` for an output.
    ///
    /// [Example](PlanReport)
    pub fn type_name(&self) -> Option<&str> {
        self.change().map(|change| &*change.type_name)
    }

    /// The address of the module that contains it; `None` in the root module.
    ///
    /// [Example](PlanReport)
    pub fn module(&self) -> Option<&str> {
        self.change()?.module_address.as_deref()
    }

    /// The instance key: a number with `count`, a string with `for_each`; `None` with neither.
    ///
    /// [Example](PlanReport)
    pub fn index(&self) -> Option<&Value> {
        self.change()?.index.as_ref()
    }

    /// Whether it represents each instance of an unknown number, maybe none: in a check without a plan, where `count` or `for_each` is
    /// unknown. Its address has the key `[*]`.
    ///
    /// [Example](PlanReport)
    pub fn is_each_if_any(&self) -> bool {
        self.change().is_some_and(|change| change.has_unknown_index)
    }

    /// The actions that the plan has for the resource or output.
    ///
    /// [Example](PlanReport)
    pub fn actions(&self) -> &[Action] {
        match &self.subject {
            CheckedSubject::Resource(change) => &change.change.actions,
            CheckedSubject::Output(output) => &output.2,
        }
    }

    /// The line that opens the resource in Terraform's plan, such as `resource "aws_vpc" "main"`; `None` for an
    /// output.
    ///
    /// [Example](PlanReport)
    pub fn header(&self) -> Option<String> {
        self.change().map(words::header)
    }

    /// The sentence on the change in Terraform's plan, such as `aws_vpc.main will be created`.
    ///
    /// [Example](PlanReport)
    pub fn title(&self) -> String {
        match &self.subject {
            CheckedSubject::Resource(change) if self.is_drifted => {
                format!("{}, and was changed outside of the configuration", title::title(change))
            }
            CheckedSubject::Resource(change) => title::title(change),
            CheckedSubject::Output(output) => output.1.clone(),
        }
    }
}

/// An attribute of a checked resource in the report: its value before and after the change.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ShownAttribute {
    /// The name of the attribute.
    pub name: String,
    /// The value before the change; `None` if the resource is new.
    pub before: Option<Value>,
    /// The planned value, with everything that is known of it.
    pub after: Value,
    /// Where facts about the value come from, if not from the plan.
    pub origin: Option<Box<Origin>>,
    /// Whether the plan says that it forces a replacement.
    pub forces_replacement: bool,
}

/// The answer of one test at one place.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TestAnswer {
    /// The name of the rule.
    pub rule: Arc<str>,
    /// Whether a failure fails the run.
    pub severity: Severity,
    /// The path of the tested value; empty for the resource as a whole. A member of a set is named by its position.
    pub path: Path,
    /// The rest of the test's path, if `path` ends at a null or unknown value.
    pub rest: PathExpr,
    /// What is tested, in words.
    pub claim: Arc<str>,
    /// The answer, with its reasons.
    pub verdict: TestVerdict,
    /// Whether it passes because the value is null, which means: not set. Never true for a sensitive value.
    pub is_null: bool,
    /// Whether it is a failure that a baseline knows: it fails nothing.
    pub is_known: bool,
    /// The side of the change that it is about.
    pub side: Side,
    /// The location of the test in the rules file.
    pub position: Position,
}

impl TestAnswer {
    /// The path of the tested value as a text: `ingress[0].cidr_blocks[1]`; empty for the resource as a whole.
    ///
    /// ```
    /// use plantime_terraform::plan::{CheckOptions, Plan, RulesFile, TestVerdict, check, example};
    /// use plantime::source::Source;
    /// use plantime_schema::ProviderSchemas;
    ///
    /// let schemas = ProviderSchemas::from_json(example::PROVIDER_SCHEMAS)?;
    /// let plan = Plan::read(example::PLAN, &schemas)?;
    /// let rules = r#"rule "arn" {
    ///     resource = "aws_vpc"
    ///     attribute "arn" { starts_with = "arn:aws:" }
    /// }"#;
    /// let rules = RulesFile::read(Source::new("rules.hcl", rules)).unwrap();
    /// let against = CheckOptions { rules, schemas, configuration: None, show_values: false, facts: Default::default() };
    /// let report = check("plan.json", &plan, &against).unwrap();
    /// let answer = &report.checked[0].answers[0];
    /// assert_eq!(answer.place(), "arn");
    /// let TestVerdict::Undetermined(reason) = &answer.verdict else { unreachable!() };
    /// assert_eq!(reason.remaining().to_string(), r#"at(arn, starts_with("arn:aws:"))"#);
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn place(&self) -> String {
        let (path, rest) = (self.path.to_string(), self.rest.to_string());
        match (path.is_empty(), rest.is_empty() || rest.starts_with('[')) {
            (false, false) => format!("{path}.{rest}"),
            _ => path + &rest,
        }
    }
}

/// The side of a change that a rule is evaluated on: the planned or the prior value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// The planned value.
    #[default]
    Planned,
    /// The value before the change, which is deleted or forgotten.
    Prior,
}

/// A rule or skip that matches nothing in the plan.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Unmatched {
    /// Whether it is a rule, a skip or a pattern.
    pub kind: UnmatchedKind,
    /// The name of the rule; of a skip, that of the rule that it is about, or the ids and tags: `id S3-1, tag storage`.
    pub name: String,
    /// What it names, as titles have it: a name in quotes.
    pub(in crate::plan) words: String,
    /// Of a skip, the address that it is about; of a pattern, the pattern.
    pub address: Option<String>,
    /// Why: `no matching resources`.
    pub reason: String,
    /// Its location in the rules file.
    pub position: Position,
}

impl Unmatched {
    /// The block in words: `rule "name"`, `skip of "name" at aws_vpc.main`.
    pub(super) fn title(&self) -> String {
        match (self.kind, &self.address) {
            (UnmatchedKind::Rule, _) => format!("rule {}", self.words),
            (UnmatchedKind::Skip, None) => format!("skip of {}", self.words),
            (UnmatchedKind::Skip, Some(address)) => format!("skip of {} at {address}", self.words),
            (UnmatchedKind::Pattern, _) => format!("pattern {}", self.words),
        }
    }
}

impl PlanReport {
    /// What is not asked, in words, with the reason: rules and skips that match nothing, and rules on resources.
    pub(super) fn not_asked(&self) -> impl Iterator<Item = (String, String)> {
        let unmatched = self.unmatched.iter();
        let unmatched = unmatched.map(move |one| {
            (format!("{} ({})", one.title(), self.rule_location(one.position)), one.reason.clone())
        });
        let on_resources = self.checked.iter().flat_map(|checked| {
            let address = checked.address();
            checked
                .unasked
                .iter()
                .map(move |rule| (format!("rule {rule:?} on {address}"), NOT_ASKED.to_owned()))
        });
        unmatched.chain(on_resources)
    }
}

/// Why a rule is not asked on a resource.
const NOT_ASKED: &str = "not asked: it is about a value that the plan does not have";

/// What matches nothing: a rule, a skip, or a pattern in a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum UnmatchedKind {
    /// A rule.
    Rule,
    /// A skip.
    Skip,
    /// A pattern in a condition, such as that of `resources("aws_vpc")`, whose type nothing knows.
    Pattern,
}

/// The outcome of a test, with its reasons.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum TestVerdict {
    /// The test holds for every value that the unknowns may become.
    Pass,
    /// The test holds because there is nothing to test, for this reason.
    NotApplicable(Arc<str>),
    /// The test fails for every value that the unknowns may become.
    Fail(Box<Failure>),
    /// The test holds for some values that the unknowns may become, and fails for others.
    Undetermined(Box<Reason>),
    /// The test was not evaluated: this skip leaves it out.
    Skipped(Box<AppliedSkip>),
}

/// A skip that leaves a rule out on a resource.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct AppliedSkip {
    /// The reason that its author gave.
    pub reason: String,
    /// The last day on which it counts; `None`: it has no end.
    pub until: Option<Day>,
    /// Its location in the rules file.
    pub position: Position,
}

/// Why a test fails: its diagnostics, and the values that they are about.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Failure {
    /// The diagnostics of the rule, none weighing more than the rule does. Each names the part at fault.
    pub diagnostics: Diagnostics,
    /// Whether the author worded the claim: the first part of a pair `["text", argument]`.
    pub has_own_words: bool,
    /// The author's message, filled in.
    pub message: Option<String>,
    /// The values that were read and the parts at fault, each as a statement that shows nothing sensitive: `is "10.0.0.0/16"`,
    /// `is a set of string with 2 elements`, `has a sensitive value`.
    pub values: Vec<(Path, String)>,
    /// What made a condition false or an error, a line each: `aws_lb.web: x.values.port is 80 (main.tf:8)`. Nothing sensitive.
    pub decided: Vec<String>,
    /// The same with the places that they name.
    pub(super) decided_by: Vec<Decided>,
    /// The line of the configuration that the value is written in, if the configuration was read and has one.
    pub source_line: Option<Box<SourceLine>>,
    /// Whether the rule denies the change itself, whatever the values are.
    pub is_denial: bool,
}

/// Why a test is undetermined, and what it depends on.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Reason {
    /// The unknown inputs in the resource, and the rule that remains.
    pub why: Why,
    /// The references that the unknown inputs were written with; the input itself if the provider decides it.
    pub depends_on: Vec<String>,
    /// The test as a rule on the whole value.
    pub(super) test: Arc<Rule>,
    /// Whether all of the test remains, whatever the obligation of `why` is.
    pub(super) is_all_of_it: bool,
    /// Whether a null decides nothing, so that the test, in which a null passes, says whether a value other than null fails.
    pub(super) null_says_nothing: bool,
    /// The path of the tested value; empty for the whole value.
    pub about: PathExpr,
    /// The author's message of a failure.
    pub message: Option<Arc<Template>>,
    /// The place that the value is compared with.
    pub(super) same_as: Option<Box<OpenComparison>>,
    /// What conditions in the test were asked with.
    pub(super) condition: Option<Box<OpenCondition>>,
    /// Why nothing is left of the test that a state could be asked.
    pub(super) not_askable: Option<&'static str>,
}

/// A test with a condition that is undetermined.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct OpenCondition {
    /// The element of `for_each`.
    pub(super) each: Option<(Value, Value)>,
    /// The assertion that the condition is a part of.
    pub(super) assertion: Option<Arc<Assertion>>,
}

/// A comparison with another place of the plan that is undetermined.
#[derive(Clone, Debug)]
pub(super) struct OpenComparison {
    pub(super) place: PlanPlace,
    /// Whether the guard of the rule is undetermined too.
    pub(super) is_guarded: bool,
}

impl Reason {
    /// What must turn out for the test to pass, in words.
    pub(super) fn passes_if(&self) -> String {
        match &self.same_as {
            Some(open) => format!("it turns out the same as {}", open.place),
            None => self.why.passes_if(),
        }
    }

    /// The part of the rule that is still undetermined, as a rule on the whole value.
    ///
    /// [Example](TestAnswer::place)
    pub fn remaining(&self) -> &Rule {
        self.why.obligation().filter(|_| !self.is_all_of_it).unwrap_or(&self.test)
    }
}

/// How often each kind of answer was given.
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
    /// The number of skips that no longer count.
    pub expired: usize,
    /// The number of failures that a baseline knows.
    pub known: usize,
}

impl Totals {
    /// Adds up two totals, number by number.
    ///
    /// ```
    /// use plantime_terraform::plan::Totals;
    ///
    /// let plan = Totals { pass: 3, fail: 1, ..Totals::default() };
    /// assert_eq!(plan.and(plan), Totals { pass: 6, fail: 2, ..Totals::default() });
    /// ```
    #[must_use]
    pub fn and(self, other: Totals) -> Totals {
        Totals {
            pass: self.pass.saturating_add(other.pass),
            fail: self.fail.saturating_add(other.fail),
            warned: self.warned.saturating_add(other.warned),
            undetermined: self.undetermined.saturating_add(other.undetermined),
            skipped: self.skipped.saturating_add(other.skipped),
            contradicted: self.contradicted.saturating_add(other.contradicted),
            expired: self.expired.saturating_add(other.expired),
            known: self.known.saturating_add(other.known),
        }
    }

    /// Whether a rule of severity error failed, the plan contradicts an assumption, or a skip no longer counts.
    ///
    /// ```
    /// use plantime_terraform::plan::Totals;
    ///
    /// assert!(!Totals { pass: 3, warned: 1, ..Totals::default() }.failed());
    /// assert!(Totals { contradicted: 1, ..Totals::default() }.failed());
    /// ```
    pub fn failed(&self) -> bool {
        self.fail > 0 || self.contradicted > 0 || self.expired > 0
    }
}

impl PlanReport {
    /// The description that the author gave the rule with this name.
    ///
    /// [Example](PlanReport)
    pub fn description(&self, rule: &str) -> Option<&str> {
        self.rule_summary(rule)?.description.as_deref()
    }

    /// What the author says about the rule with this name besides its tests.
    pub(super) fn metadata(&self, rule: &str) -> Option<&RuleMetadata> {
        self.rule_summary(rule).map(|summary| &summary.metadata)
    }

    /// What the author says about the rule with this name; for `name["key"]`, an instance of a rule, about the rule.
    pub(super) fn rule_summary(&self, rule: &str) -> Option<&RuleSummary> {
        let of_instances = || self.rule_summaries.get(rule.split_once('[')?.0);
        self.rule_summaries.get(rule).or_else(of_instances)
    }

    /// The unknown values that undetermined rules depend on, each with the number of rules; the most frequent first. Sorts the
    /// references of all undetermined answers.
    ///
    /// [Example](PlanReport)
    pub fn wanted(&self) -> Vec<(&str, usize)> {
        let mut references = Vec::new();
        for answer in self.checked.iter().flat_map(|checked| &checked.answers) {
            let TestVerdict::Undetermined(reason) = &answer.verdict else { continue };
            references.extend(reason.depends_on.iter().map(|reference| (reference.as_str(), &*answer.rule)));
        }
        references.sort_unstable();
        references.dedup();
        let same_reference = references.chunk_by(|(one, _), (other, _)| one == other);
        let mut wanted: Vec<_> =
            same_reference.filter_map(|rules| Some((rules.first()?.0, rules.len()))).collect();
        // Stable: equally wanted ones stay in the order of their names.
        wanted.sort_by_key(|(_, rules)| std::cmp::Reverse(*rules));
        wanted
    }

    /// The number of undetermined answers, over all resources and outputs.
    pub(super) fn undetermined_answers(&self) -> usize {
        let answers = self.checked.iter().flat_map(|checked| &checked.answers);
        answers.filter(|answer| matches!(answer.verdict, TestVerdict::Undetermined(_))).count()
    }

    /// The number of answers of each kind.
    ///
    /// [Example](PlanReport)
    pub fn totals(&self) -> Totals {
        // A plan with gaps counts as one undetermined answer: what the rest of the configuration would give.
        // A configuration without a plan leaves nothing out.
        let is_open = self.gaps.iter().any(|gap| *gap != Gap::NoPlan);
        let mut totals =
            Totals { undetermined: usize::from(is_open), expired: self.expired.len(), ..Totals::default() };
        let add = |count: &mut usize, more: usize| *count = count.saturating_add(more);
        for checked in &self.checked {
            add(&mut totals.contradicted, checked.contradicted.len());
            for answer in &checked.answers {
                let count = match (&answer.verdict, answer.severity) {
                    (TestVerdict::Pass | TestVerdict::NotApplicable(_), _) => &mut totals.pass,
                    (TestVerdict::Fail(_), _) if answer.is_known => &mut totals.known,
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
