//! The content of rules files as data: assumptions, rules, skips.

use crate::plan::address::AddressPattern;
use crate::plan::condition::{Assertion, Condition, Locals, ModuleNamePattern, Parameters};
use crate::plan::plan_place::PlanPlace;
use crate::plan::rules::day::Day;
use crate::plan::rules::metadata::RuleMetadata;
use crate::plan::rules::on_null::OnNull;
use crate::plan::rules::skip::RuleSkip;
use crate::plan::rules::subject::NamePattern;
use crate::plan::{Action, Assumption, ForcesNew};
use plantime::rule::{PathExpr, Rule, Severity, Template};
use plantime::source::{Position, Source};
use std::sync::Arc;

/// The content of one or several rules files, with the position of every part.
///
/// A rules file, read by [`RulesFile::read`], has three kinds of blocks.
///
/// # `assume "TARGET"`
///
/// States facts about values that the plan does not know. The target is a resource type or an address with
/// wildcards ([`AddressPattern`]); each attribute states a [`Refinement`](plantime::Refinement) in its text form. A
/// place deeper inside takes an `attribute` block.
///
/// ```hcl
/// assume "aws_vpc" {
///   id = assumed(notnull(stringprefix("vpc-")))
///
///   attribute "peers[0].id" { value = assumed(notnull()) }
/// }
/// ```
///
/// A `change` block says that a change of an attribute replaces the object: every change, or those for which the
/// conditions in `when` hold of the attribute, before and after. The report then tells whether a planned change
/// replaces the object: yes, no, or maybe.
///
/// ```hcl
/// assume "aws_db_instance" {
///   change "engine" { force_new = true }
///   change "allocated_storage" {
///     force_new = true
///     when {
///       not {
///         only_increase = true
///       }
///     }
///   }
/// }
/// ```
///
/// # `rule "NAME"`
///
/// | argument | |
/// |---|---|
/// | `resource` | a type, `data.TYPE`, or an address with wildcards; or a list of them |
/// | `output` | the name of an output value, in place of `resource`, with wildcards; or a list of them |
/// | `description` | what the rule is about, in words |
/// | `id`, `link`, `tags`, `owner` | [`RuleMetadata`], which reports repeat |
/// | `severity` | a [`SeverityLevel`](crate::plan::SeverityLevel); `"error"` without it |
/// | `actions` | a list of [`PlannedAction`]s; without it, the rule speaks of every planned value |
/// | `optional` | `true`: a type that lacks an attribute is passed over, and named; otherwise the rule is not asked of the plan |
/// | `message` | the [`Template`] of the rule's own failures |
/// | `deny` | `true`: the rule fails wherever it applies |
/// | `null` | what a null gives, [`OnNull`]; in an `attribute` block for its own tests, outside of all blocks for the file |
/// | `exactly_one_of` and its like | a list of paths |
///
/// | block | tests |
/// |---|---|
/// | `attribute "PATH" { … }` | the planned values at a path, such as `ingress[*].cidr_blocks[*]` |
/// | `change "PATH" { … }` | values before and after: `only_increase`, `only_decrease`, `immutable` |
/// | `value { … }` | the whole value of an output |
/// | `when { … }` | a guard: the rule applies where everything in it holds |
/// | `each { … }`, `some { … }` | inside `attribute`: everything in the block holds of every element, of at least one |
/// | `all { … }`, `any { … }`, `not { … }` | everything in the block holds, something does, not everything does |
/// | `sequence { … }` | everything holds; evaluated in order, and only the first failure is reported |
/// | `implies { if { … } then { … } }` | what is in `then` holds where what is in `if` does |
///
/// An `attribute`, `change` or `value` block holds keywords ([`keywords`](plantime::rule::keywords)), each with its
/// argument or with a pair `["text", argument]` that describes it, and `message`. It can hold `all`, `any`, `not` and
/// `implies` too. A block of one line holds one argument, or blocks: `when { attribute "engine" { equals = "x" } }`.
///
/// ```hcl
/// rule "storage" {
///   resource = "aws_db_instance"
///   any {
///     change "allocated_storage" { only_increase = true }
///     not {
///       change "identifier" { immutable = true }
///     }
///   }
/// }
/// ```
///
/// # `skip "RULE"`
///
/// Leaves a rule out for resources, with the reason: `address` and `reason`. In place of the label or beside it, `ids` and `tags`
/// name rules; `until` is the last day on which it counts.
#[derive(Clone, Debug, PartialEq)]
pub struct RulesFile {
    /// The text of the rules file, or the texts of several: see [`Source::file`].
    pub source: Source,
    /// The assumptions about values that the plan does not know.
    pub assumptions: Vec<StatedAssumption>,
    /// The `change` blocks: which changes replace an object although the plan does not say so.
    pub forces_new: Vec<ForcesNew>,
    /// The rules, in the order of the file.
    pub rules: Vec<NamedRule>,
    /// The skips, in the order of the file.
    pub skips: Vec<RuleSkip>,
    /// What a test answers for a null, unless the test itself says it.
    pub on_null: OnNull,
    /// The parameters of the rules: the blocks `variable`.
    pub parameters: Parameters,
    /// The values that conditions name: the blocks `locals` outside of rules.
    pub locals: Arc<Locals>,
    /// The day of the check, for skips that end: see [`RulesFile::on`].
    pub day: Option<Day>,
    /// The number of rules that were left out: see [`RulesFile::select`].
    pub left_out: usize,
}

/// An assumption and its position in the rules file.
#[derive(Clone, Debug, PartialEq)]
pub struct StatedAssumption {
    /// The assumption, with the resources that it is about.
    pub assumption: Assumption,
    /// Where it is written in the rules file.
    pub position: Position,
}

/// A rule of a rules file: the resources or output that it is about, and its tests.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedRule {
    /// The name that reports and skips refer to.
    pub name: String,
    /// What the rule is about, in words.
    pub description: Option<String>,
    /// What its author says about it besides its tests.
    pub metadata: RuleMetadata,
    /// Whether a failure fails the run: what [`RulesFile::fail_on`] makes of the level in the metadata.
    pub severity: Severity,
    /// The resources or the outputs that it is about.
    pub subject: Subject,
    /// The actions that it is about; if empty, all actions that leave a planned value.
    pub actions: Vec<PlannedAction>,
    /// Whether it passes over the types that do not have its attributes, as a rule about several types does.
    pub optional: bool,
    /// The condition (`when`) under which it applies; none if it always does.
    pub guard: Option<Rule>,
    /// The tests, in the order of the file.
    pub tests: Vec<Test>,
    /// The values that the rule's conditions name, beside those of the file.
    pub locals: Arc<Locals>,
    /// A map or set: the rule is asked once for each of its elements, as `RULE["KEY"]`.
    pub for_each: Option<Condition>,
    /// All its conditions: of `assert`, `when` and the blocks that combine tests.
    pub conditions: Vec<Condition>,
    /// Where it is written in the rules file.
    pub position: Position,
}

/// What a rule is about.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Subject {
    /// The resources and data sources that one of the patterns matches.
    Resource(Vec<AddressPattern>),
    /// The output values of the root module that one of the patterns matches.
    Output(Vec<NamePattern>),
    /// Input variables.
    Variable(Vec<ModuleNamePattern>),
    /// Module calls.
    Module(Vec<ModuleNamePattern>),
    /// Providers, each with its aliases, that modules use.
    Provider(Vec<ModuleNamePattern>),
    /// The plan as a whole: the rule is asked once.
    Plan,
}

/// One test of a rule. The report has a line for each place that it matches.
#[derive(Clone, Debug, PartialEq)]
pub struct Test {
    /// The places that it tests; `None` for the resource or output as a whole.
    pub path: Option<PathExpr>,
    /// The rule that must hold there.
    pub rule: Rule,
    /// The place of the plan whose value the tested value must equal; then `rule` holds of every value.
    pub same_as: Option<PlanPlace>,
    /// The block `assert` that the test is, with the message of a failure.
    pub assertion: Option<Arc<Assertion>>,
    /// What must hold, in the author's words.
    pub description: Option<String>,
    /// The message of a failure.
    pub message: Option<Arc<Template>>,
    /// What it answers for a null; `None` for the file's setting, [`RulesFile::on_null`].
    pub null: Option<OnNull>,
    /// Where it is written in the rules file.
    pub position: Position,
}

impl NamedRule {
    /// Whether the rule speaks of what a plan changes: it names actions, or compares with values before.
    pub(in crate::plan) fn asks_about_changes(&self) -> bool {
        let mut rules = self.tests.iter().map(|test| &test.rule).chain(&self.guard);
        !self.actions.is_empty()
            || rules.any(Rule::reads_before)
            || self.conditions.iter().chain(self.locals.values()).any(Condition::asks_about_changes)
    }
}

impl Test {
    /// Whether the test is `deny = true`, which nothing satisfies.
    pub(in crate::plan) fn is_denial(&self) -> bool {
        matches!(&self.rule, Rule::Any(rules) if rules.is_empty())
    }
}

/// What a rule's `actions` can name.
///
/// | name | the plan will |
/// |---|---|
/// | `create` | make a new object, also as the second half of a replacement |
/// | `update` | change an object in place; a replacement is no update |
/// | `replace` | destroy an object and make a new one, in either order |
/// | `delete` | destroy an object, also as the first half of a replacement |
/// | `read` | read a data source during apply |
/// | `no-op` | leave an object as it is |
/// | `forget` | drop an object from the state |
/// | `move` | have the object under another address than before |
/// | `import` | take over an object that exists |
/// | `drift` | find that the object was changed outside of the configuration |
///
/// For `delete` and `forget` a rule is evaluated on the value before, the object that goes; for all others on the planned
/// value, and on the one before where nothing is planned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum PlannedAction {
    /// The plan creates an object.
    Create,
    /// The plan changes an object in place.
    Update,
    /// The plan destroys an object and creates a new one in its place.
    Replace,
    /// The plan destroys an object.
    Delete,
    /// The apply reads a data source.
    Read,
    /// The plan leaves an object as it is.
    NoOp,
    /// The plan drops an object from the state, without destroying it.
    Forget,
    /// The plan moves an object to another address.
    Move,
    /// The plan takes over an existing object.
    Import,
    /// The object was changed outside of the configuration.
    Drift,
}

impl PlannedAction {
    /// All of them, with their names.
    pub const NAMES: &'static [(&'static str, PlannedAction)] = &[
        ("create", PlannedAction::Create),
        ("update", PlannedAction::Update),
        ("replace", PlannedAction::Replace),
        ("delete", PlannedAction::Delete),
        ("read", PlannedAction::Read),
        ("no-op", PlannedAction::NoOp),
        ("forget", PlannedAction::Forget),
        ("move", PlannedAction::Move),
        ("import", PlannedAction::Import),
        ("drift", PlannedAction::Drift),
    ];

    /// The action with this name.
    ///
    /// ```
    /// use plantime_terraform::plan::PlannedAction;
    ///
    /// assert_eq!(PlannedAction::named("replace"), Some(PlannedAction::Replace));
    /// assert_eq!(PlannedAction::Replace.name(), "replace");
    /// ```
    pub fn named(name: &str) -> Option<PlannedAction> {
        PlannedAction::NAMES.iter().find(|(known, _)| *known == name).map(|(_, action)| *action)
    }

    /// The name of the action in rules files.
    ///
    /// [Example](PlannedAction::named)
    pub fn name(self) -> &'static str {
        PlannedAction::NAMES.iter().find(|(_, action)| *action == self).map_or("", |(name, _)| name)
    }

    /// Whether data sources can have this action.
    pub(crate) fn is_of_data(self) -> bool {
        matches!(self, PlannedAction::Read | PlannedAction::NoOp)
    }

    /// Whether managed resources can have this action.
    pub(crate) fn is_of_resources(self) -> bool {
        self != PlannedAction::Read
    }

    /// Whether a change with these planned actions counts as this action. Moves, imports and drift are not actions of a
    /// change, so they never match.
    ///
    /// ```
    /// use plantime_terraform::plan::{Action, PlannedAction};
    ///
    /// let replaced = [Action::Delete, Action::Create];
    /// assert!(PlannedAction::Replace.matches(&replaced));
    /// assert!(PlannedAction::Create.matches(&replaced));
    /// assert!(!PlannedAction::Update.matches(&replaced));
    /// ```
    pub fn matches(self, actions: &[Action]) -> bool {
        match self {
            PlannedAction::Create => actions.contains(&Action::Create),
            PlannedAction::Update => actions.contains(&Action::Update),
            PlannedAction::Replace => actions.contains(&Action::Create) && actions.len() > 1,
            PlannedAction::Delete => actions.contains(&Action::Delete),
            PlannedAction::Read => actions.contains(&Action::Read),
            PlannedAction::NoOp => actions.contains(&Action::NoOp),
            PlannedAction::Forget => actions.contains(&Action::Forget),
            PlannedAction::Move | PlannedAction::Import | PlannedAction::Drift => false,
        }
    }
}
