//! Obligations against what there is after an apply.

mod json;
mod text;

pub use json::VERIFICATION_FORMAT_VERSION;

use std::collections::BTreeMap;

use super::{Expectation, Obligation, Obligations, RemainingRule, UndeterminedTest};
use crate::mark::Mark;
use crate::path::{Path, Step};
use crate::plan::Sensitivity;
use crate::plan::checking::{concealed_outcome, for_every_kind};
use crate::plan::knowledge::Places;
use crate::plan::knowledge::assumption;
use crate::plan::read::state::{State, StateResource};
use crate::refinement::Refinement;
use crate::rule::{Fields, Outcome, Rule, Severity};
use crate::types::Type;
use crate::value::Value;

/// What became of obligations.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Verification {
    /// The name of the plan that the obligations are of.
    pub plan: String,
    /// The hash of the plan's JSON text.
    pub sha256: String,
    /// The version of Terraform or OpenTofu that wrote the state.
    pub terraform_version: Option<String>,
    /// The name of the rules file.
    pub rules: String,
    /// Each obligation, in order, with what became of it.
    pub verified: Vec<Verified>,
}

/// An obligation, and what became of it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Verified {
    /// The obligation that was looked at.
    pub obligation: Obligation,
    /// What became of it.
    pub finding: Finding,
}

/// What became of an obligation.
#[derive(Clone, Debug, PartialEq)]
pub enum Finding {
    /// It turned out so.
    Upheld,
    /// It did not.
    Broken(Vec<Breach>),
    /// That cannot be told: why.
    NotVerifiable(String),
}

/// What is wrong at one place. Nothing that is behind a mark appears in it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Breach {
    /// The place in the value; a member of a set is named by its position.
    pub path: Path,
    /// What is wrong there.
    pub message: String,
    /// Whether it is an error or a warning.
    pub severity: Severity,
}

/// How many obligations there are of each finding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VerificationTotals {
    /// Those that are upheld.
    pub upheld: usize,
    /// Those that are broken: assumptions, and rules of severity error.
    pub broken: usize,
    /// Those that are broken, of rules of severity warning.
    pub warned: usize,
    /// Those of which nothing can be said.
    pub not_verifiable: usize,
}

impl Verification {
    /// How many obligations there are of each finding.
    pub fn totals(&self) -> VerificationTotals {
        let mut totals = VerificationTotals::default();
        for verified in &self.verified {
            let count = match (&verified.finding, verified.severity()) {
                (Finding::Upheld, _) => &mut totals.upheld,
                (Finding::Broken(_), Severity::Error) => &mut totals.broken,
                (Finding::Broken(_), Severity::Warning) => &mut totals.warned,
                (Finding::NotVerifiable(_), _) => &mut totals.not_verifiable,
            };
            *count = count.saturating_add(1);
        }
        totals
    }
}

impl Verified {
    /// Whether it counts as an error or as a warning if it is broken: a rule that warns breaks nothing.
    pub fn severity(&self) -> Severity {
        match &self.finding {
            Finding::Broken(breaches) if breaches.iter().all(|one| one.severity == Severity::Warning) => {
                Severity::Warning
            }
            _ => self.obligation.severity(),
        }
    }
}

impl Obligation {
    /// Whether it counts as an error or as a warning when it is broken: an assumption as an error.
    pub fn severity(&self) -> Severity {
        match &self.expectation {
            Expectation::Assumption(_) => Severity::Error,
            Expectation::Test(open) => open.severity,
        }
    }

    /// The name of the rule; none for an assumption.
    pub fn rule(&self) -> Option<&str> {
        match &self.expectation {
            Expectation::Assumption(_) => None,
            Expectation::Test(open) => Some(&open.name),
        }
    }

    /// What the rule is about, in its author's words.
    pub fn description(&self) -> Option<&str> {
        match &self.expectation {
            Expectation::Assumption(_) => None,
            Expectation::Test(open) => open.description.as_deref(),
        }
    }

    /// What became of it, now that this is the value.
    ///
    /// ```
    /// # use plantime::plan::{Finding, Obligations};
    /// # use plantime::value;
    /// let file = br#"{"format_version": "1.0", "obligations": [{"address": "aws_vpc.main", "path": "id",
    ///     "assumed": "notnull(stringprefix(\"vpc-\"))"}]}"#;
    /// let obligation = &Obligations::read(file)?.obligations[0];
    /// assert_eq!(obligation.verify(&value!({ "id": "vpc-1" })?), Finding::Upheld);
    /// assert!(matches!(obligation.verify(&value!({ "id": "net-1" })?), Finding::Broken(_)));
    /// assert!(matches!(obligation.verify(&value!({ "arn": "…" })?), Finding::NotVerifiable(_)));
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn verify(&self, value: &Value) -> Finding {
        self.verify_declared(value, &Type::Dynamic)
    }

    /// The same for a value of a declared type: a part of it that is `dynamic` may be of any kind that JSON writes alike.
    fn verify_declared(&self, value: &Value, declared: &Type) -> Finding {
        match &self.expectation {
            Expectation::Assumption(refinement) => self.assumed(refinement, value),
            Expectation::Test(open) => match &open.remaining {
                RemainingRule::NotWritable(reason) => Finding::NotVerifiable(reason.clone()),
                RemainingRule::Rule { rule, before } => {
                    self.open(open, rule, before.as_ref(), (value, declared))
                }
            },
        }
    }

    fn assumed(&self, refinement: &Refinement, value: &Value) -> Finding {
        let assumed = assumption::hold(&self.path, refinement, value);
        let mut places = Places::of(value);
        let mut broken = Vec::new();
        for failure in assumed.failures {
            if !failure.error.is_contradiction() {
                return Finding::NotVerifiable(failure.error.at(failure.path).to_string());
            }
            let path = places.name(&failure.path);
            let message = failure.error.message().to_owned();
            broken.push(Breach { path, message, severity: Severity::Error });
        }
        match assumed.narrowed.first() {
            _ if !broken.is_empty() => Finding::Broken(broken),
            Some(open) => Finding::NotVerifiable(format!("{} is not known", places.name(&open.path))),
            None => Finding::Upheld,
        }
    }

    fn open(
        &self,
        open: &UndeterminedTest,
        rule: &Rule,
        before: Option<&Value>,
        (value, declared): (&Value, &Type),
    ) -> Finding {
        // A state that is read without schemas does not say of which kind its values are.
        let outcome = for_every_kind(rule, value, before, declared);
        match outcome.map(|outcome| concealed_outcome(outcome, value, rule)) {
            Err(misuse) => Finding::NotVerifiable(misuse.to_string()),
            Ok(Outcome::Pass) => Finding::Upheld,
            Ok(Outcome::Undetermined(why)) => {
                if value.is_wholly_known() {
                    let reason = "the state does not say of which kind the value is, such as list or set; schemas do (--schemas)";
                    return Finding::NotVerifiable(reason.to_owned());
                }
                let inputs: Vec<String> = why.inputs().iter().map(ToString::to_string).collect();
                Finding::NotVerifiable(format!("not known: {}", inputs.join(", ")))
            }
            Ok(Outcome::Fail(diagnostics)) => {
                let mut places = Places::of(value);
                let breach = |one: &crate::rule::Diagnostic| {
                    let path = places.name(&one.path);
                    let message = match &open.message {
                        None => one.detail.clone(),
                        Some(template) => {
                            let whole = one.path.is_empty();
                            let part = if whole { Ok(value.clone()) } else { value.get(&one.path) };
                            let key = if whole { self.address.clone() } else { key(&path) };
                            template.render(&Fields {
                                key: &key,
                                value: &part.unwrap_or_else(|_| Value::dynamic()),
                                desc: &open.claim,
                                failure: &one.failure,
                            })
                        }
                    };
                    Breach { path, message, severity: one.severity }
                };
                Finding::Broken(diagnostics.iter().map(breach).collect())
            }
        }
    }
}

/// What a value is called: the last step of its path.
fn key(path: &Path) -> String {
    match path.steps().last() {
        Some(Step::Attr(name)) => name.as_str().to_owned(),
        Some(Step::Index(key)) => key.as_str().map_or_else(|_| path.to_string(), str::to_owned),
        None => String::new(),
    }
}

impl Obligations {
    /// Holds every obligation against a state.
    ///
    /// | in the state | the finding |
    /// |---|---|
    /// | the value is as it must be | [`Upheld`](Finding::Upheld) |
    /// | it is not | [`Broken`](Finding::Broken), with each place and what is wrong there |
    /// | no such resource, output or attribute; a value of a type that the rule cannot read | [`NotVerifiable`](Finding::NotVerifiable) |
    /// | the rule is not in the file, or the value is not known | [`NotVerifiable`](Finding::NotVerifiable) |
    ///
    /// Read the state with the schemas that the plan was checked with, so that its parts have the same types. Where
    /// neither the state nor a schema says what is sensitive, no value is shown.
    ///
    /// ```
    /// use plantime::plan::{Obligations, State, example};
    /// use plantime::schema::ProviderSchemas;
    ///
    /// let schemas = ProviderSchemas::from_json(example::PROVIDER_SCHEMAS)?;
    /// let obligations = Obligations::read(example::OBLIGATIONS)?;
    /// let state = State::read(example::STATE_AFTER, &schemas)?;
    /// assert!(obligations.verify(&state).totals().upheld > 0);
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn verify(&self, state: &State) -> Verification {
        // As many obligations as resources are usual: none is searched for.
        let resources = state.by_address();
        let verified = self.obligations.iter().map(|obligation| {
            let finding = match find(state, &resources, &obligation.address) {
                Ok((value, declared)) => obligation.verify_declared(&value, declared),
                Err(why) => Finding::NotVerifiable(why),
            };
            Verified { obligation: obligation.clone(), finding }
        });
        Verification {
            plan: self.plan.clone(),
            sha256: self.sha256.clone(),
            terraform_version: state.terraform_version.clone(),
            rules: self.rules.clone(),
            verified: verified.collect(),
        }
    }
}

/// The value at an address of a state.
fn find<'s>(
    state: &State,
    resources: &BTreeMap<&str, &'s StateResource>,
    address: &str,
) -> Result<(Value, &'s Type), String> {
    if let Some(name) = address.strip_prefix("output.") {
        let output = state.outputs.get(name).map(|value| (value.clone(), &Type::Dynamic));
        return output.ok_or_else(|| "the state has no such output".to_owned());
    }
    let Some(StateResource { value, sensitivity, declared, .. }) = resources.get(address).copied() else {
        return Err("the state has no such resource".to_owned());
    };
    // A schema marks what is sensitive; without one, nothing says so in a state of an old format.
    let value = match sensitivity {
        Sensitivity::Unstated => value.clone().mark(Mark::new(crate::plan::checking::HIDDEN)),
        Sensitivity::Stated => value.clone(),
    };
    Ok((value, declared))
}
