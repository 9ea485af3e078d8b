//! Obligations: what a check of a plan leaves undetermined, stored, and verified after the apply.
//!
//! | file | does |
//! |---|---|
//! | this one | obligations as data |
//! | `condition` | obligations that are conditions |
//! | `collect` | takes the obligations out of a report |
//! | `write`, `read` | obligations to and from JSON |
//! | `sha256` | the hash that names the plan |
//! | `sensitive` | finds what the plan marks, and marks it in the state |
//! | `prior` | gives the value before a change the types of the state |
//! | `verify` | compares obligations with a state: upheld, broken or still open |

mod collect;
mod condition;
mod prior;
mod read;
mod sensitive;
mod sha256;
pub(super) mod verify;
mod write;

use crate::plan::condition::RecordedFacts;
use crate::plan::plan_place::PlanPlace;
use plantime::rule::{PathExpr, Rule, Severity, Template};
use plantime::source::Position;
use plantime::{Path, Refinement, Result, Value};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The version of the JSON form. Its major number changes when programs that read the form would break.
pub const OBLIGATIONS_FORMAT_VERSION: &str = "1.0";

/// What the check of a plan could not decide: the assumptions and facts that its answers rest on, and the rules that were
/// undetermined, each with its address. [`verify`](Obligations::verify) compares them with the state after the apply.
///
/// [`PlanReport::obligations`](super::PlanReport::obligations) makes them. On every outcome that the plan allows, the rules
/// and assumptions hold exactly if none of them failed at plan and all obligations are upheld.
///
/// # The JSON form
///
/// Nothing that is behind a mark is in it.
///
/// ```text
/// {
///   "format_version": "1.0",
///   "plan": "plan.json",                   the plan's name
///   "sha256": "9f86d081…",                 of the plan's JSON text, as `sha256sum` prints it
///   "terraform_version": "1.15.5",         or null
///   "rules": "rules.hcl",                  the rules file that the positions are in; where there were several,
///                                          their names, and each position has its "file"
///   "sensitive": {"aws_db_instance.orders": ["password"]},    what the plan marks in the resources and outputs that the
///                                          obligations are about; left out where it marks nothing
///   "plan_facts": {…},                     what conditions read of the plan: entries of resources without their values, parameters,
///                                          references; values are in their [self-describing form](plantime::serial)
///   "obligations": [
///     {                                    an assumption
///       "address": "aws_vpc.main",
///       "path": "id",
///       "assumed": "notnull(stringprefix(\"vpc-\"))",
///       "position": {"line": 2, "column": 3}
///     },
///     {                                    a fact of a schema or catalogue
///       "address": "aws_vpc.main",
///       "path": "id",
///       "assumed": "notnull(stringprefix(\"vpc-\"))",
///       "origin": "catalogue: aws_vpc.id (class A)"
///     },
///     {                                    an assumption that a provider keeps what is configured
///       "address": "aws_subnet.a",
///       "path": "vpc_id",
///       "same_as": {"address": "aws_vpc.main", "path": "id"},
///       "origin": "configuration main.tf:12"
///     },
///     {                                    a rule that was undetermined
///       "address": "aws_db_instance.orders",        "output.NAME" for an output
///       "path": "identifier",              what it is about; "" for the resource as a whole
///       "rule": "db-identifier",
///       "description": "…",                what the rule is about, if it says so
///       "severity": "error",               or "warning"
///       "claim": "matches ^[a-z]",         what the rule says, in words
///       "must": {"at": ["identifier", {"matches": "^[a-z]"}]},    what is left of it, on the whole resource
///                                          of `same_as`: "same_as" in place of "must"
///       "unless_null": {"at": ["identifier", {"matches": "^[a-z]"}]},    with `null = "undetermined"`: the rule in which a
///                                          null passes. If it holds and "must" does not, nothing is said
///       "passes_if": "identifier turns out to match ^[a-z]",
///       "waits_for": ["random_id.database.hex"],    what would decide it
///       "message": "{key}: {failure}",     the author's own message of a failure, if there is one
///       "before": {"type": ["object", {"n": "number"}], "value": {"n": 3}},
///                                          of a rule about changes: the attributes before that it looks at, or null
///       "conditions": {"self.n < 3": "self.n < 3"},    the text of each condition that `must` names
///       "locals": {"n": "self.n"},         the locals of its rule
///       "each": {"key": …, "value": …},    the element of `for_each`
///       "error_message": "\"Too few.\"",    the message of a failure, as an expression
///       "is_prior": true,                  where the rule is about the value before the change
///       "position": {"line": 12, "column": 5}
///     },
///     {
///       …
///       "must": null,
///       "not_verifiable": "…",             why the rule is not in the file: it would show what is behind a mark
///       …
///     }
///   ]
/// }
/// ```
///
/// `must` is the [form](Rule::to_form) of the rule. Readers pass over properties that they do not know.
///
/// ```
/// use plantime_terraform::plan::{CheckOptions, Obligations, Plan, RulesFile, State, check};
/// use plantime::source::Source;
/// use plantime_schema::ProviderSchemas;
///
/// let plan = br#"{"format_version": "1.2", "resource_changes": [{"address": "aws_vpc.main", "mode": "managed",
///     "type": "aws_vpc", "name": "main", "change": {"actions": ["create"], "after": {}, "after_unknown": {"id": true},
///     "after_sensitive": {}}}]}"#;
/// let rules = r#"
///     rule "vpc-id" {
///       resource = "aws_vpc"
///       attribute "id" { starts_with = "vpc-" }
///     }
/// "#;
/// let schemas = ProviderSchemas::new();
/// let rules = RulesFile::read(Source::new("rules.hcl", rules)).unwrap();
/// let against = CheckOptions { rules, schemas: schemas.clone(), configuration: None, show_values: false, facts: Default::default() };
/// let report = check("plan.json", &Plan::read(plan, &schemas)?, &against).unwrap();
/// let obligations = report.obligations(plan);
/// assert_eq!(Obligations::read(obligations.to_json().to_string().as_bytes())?, obligations);
///
/// let state = br#"{"format_version": "1.0", "values": {"root_module": {"resources": [{"address": "aws_vpc.main",
///     "mode": "managed", "type": "aws_vpc", "name": "main", "values": {"id": "net-1"}, "sensitive_values": {}}]}}}"#;
/// let verification = obligations.verify(&State::read(state, &schemas)?);
/// assert_eq!(verification.totals().broken, 1);
/// # Ok::<(), plantime::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Obligations {
    /// The plan's name, usually its file's.
    pub plan: String,
    /// The SHA-256 hash of the plan's JSON text, in lower case hexadecimal digits.
    pub sha256: String,
    /// The version of Terraform or OpenTofu that wrote the plan.
    pub terraform_version: Option<String>,
    /// The name of the rules file.
    pub rules: String,
    /// The places that the plan marks, by the address of the resource or output: [`verify`](Obligations::verify) hides what the
    /// state has there, also if the state does not say that it is sensitive.
    pub sensitive: BTreeMap<String, Vec<Path>>,
    /// The obligations, in the order of the plan.
    pub obligations: Vec<Obligation>,
    /// What the conditions among them read of the plan.
    pub(in crate::plan) facts: Option<RecordedFacts>,
}

/// One expectation about one place of one resource, to be verified after the apply.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Obligation {
    /// The address of the resource; `output.NAME` for an output.
    pub address: String,
    /// The path of the place in its value; empty for the whole value.
    pub path: PathExpr,
    /// The location of the assumption or test in the rules file.
    pub position: Position,
    /// The rules file, where there were several.
    pub file: Option<String>,
    /// Where the fact is stated, if it is one of a schema or catalogue: `catalogue: aws_vpc.id (class A)`. Then the
    /// position means nothing.
    pub origin: Option<String>,
    /// What the value at that place must satisfy after the apply.
    pub expectation: Expectation,
}

/// What a value must satisfy after the apply: an assumption, or what is left of a rule.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Expectation {
    /// The refinement that was assumed of the values at the path.
    Assumption(Refinement),
    /// The value was assumed to be the same as the value of this other place.
    SameAs(PlanPlace),
    /// A test that was undetermined.
    Test(UndeterminedTest),
}

/// A test that was undetermined, and the part of its rule that is left.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct UndeterminedTest {
    /// The name of the rule.
    pub name: String,
    /// The description that the author gave the rule.
    pub description: Option<String>,
    /// Whether a failure counts as an error.
    pub severity: Severity,
    /// The claim of the rule in words.
    pub claim: String,
    /// The part of the rule that the plan did not decide.
    pub remaining: RemainingRule,
    /// Where a null decides nothing (`null = "undetermined"`): the rule in which it passes. If this one holds, and what remains does
    /// not, a null is all that is wrong.
    pub unless_null: Option<Box<Rule>>,
    /// The condition under which it will pass, in words.
    pub passes_if: String,
    /// The references, or places in this resource, whose values would decide it.
    pub waits_for: Vec<String>,
    /// The author's message of a failure.
    pub message: Option<Arc<Template>>,
}

/// The part of a rule that the plan did not decide.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum RemainingRule {
    /// A rule on the whole value.
    Rule {
        /// The rule.
        rule: Rule,
        /// The prior attributes that it reads, if it is about changes.
        before: Option<Value>,
    },
    /// A rule of which a part is a condition, on what the plan and the state say.
    Condition(Box<RemainingCondition>),
    /// The value must be the same as the value of this place.
    SameAs(PlanPlace),
    /// The rule is left out of the file, for this reason: it would show what is behind a mark.
    NotWritable(String),
}

/// A rule with conditions that the plan did not decide.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct RemainingCondition {
    /// The [form](Rule::to_form) of the rule: a condition is a function of the name that `conditions` has.
    pub must: Value,
    /// The texts of the conditions.
    pub conditions: BTreeMap<String, String>,
    /// The texts of the locals of the rule.
    pub locals: BTreeMap<String, String>,
    /// The element of `for_each`: key and value.
    pub each: Option<(Value, Value)>,
    /// The text of the message of a failure.
    pub error_message: Option<String>,
    /// The prior attributes that the rule reads beside its conditions.
    pub before: Option<Value>,
    /// Whether the rule is about the value before the change.
    pub is_prior: bool,
}

impl Obligations {
    /// Reads the JSON form, of any version 1.x.
    ///
    /// ```
    /// use plantime_terraform::plan::Obligations;
    ///
    /// let file = br#"{"format_version": "1.0", "obligations": [
    ///     {"address": "aws_vpc.main", "path": "id", "assumed": "notnull(stringprefix(\"vpc-\"))"}]}"#;
    /// let obligations = Obligations::read(file)?;
    /// assert_eq!(obligations.obligations[0].address, "aws_vpc.main");
    /// assert_eq!(obligations.obligations[0].rule(), None);
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`is_syntax`](plantime::Error::is_syntax) when the text is not JSON or no file of obligations,
    /// [`is_argument`](plantime::Error::is_argument) for another major version, and errors of the parts: rules, paths,
    /// refinements, types. The message ends with line and column, the path leads to the place.
    pub fn read(text: &[u8]) -> Result<Obligations> {
        read::read_obligations(text)
    }

    /// Whether the obligations were collected from this plan: compares the hash of its JSON text.
    ///
    /// ```
    /// use plantime_terraform::plan::{Obligations, example};
    ///
    /// let obligations = Obligations::read(example::OBLIGATIONS)?;
    /// assert!(obligations.are_of(example::PLAN) && !obligations.are_of(b"{}"));
    /// assert_eq!(Obligations::read(obligations.to_json().to_string().as_bytes())?, obligations);
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn are_of(&self, plan: &[u8]) -> bool {
        self::sha256::sha256(plan) == self.sha256
    }
}

#[cfg(test)]
mod tests;
