//! Verifies obligations against a state after the apply.

mod json;
mod text;

pub use json::VERIFICATION_FORMAT_VERSION;

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::prior::comparable;
use super::{Expectation, Obligation, Obligations, RemainingRule, UndeterminedTest};
use crate::plan::Sensitivity;
use crate::plan::checking::same_as::are_the_same;
use crate::plan::checking::{concealed_outcome, for_every_kind, last_step_name, operands, top_level_name};
use crate::plan::knowledge::{PlaceNames, assumption};
use crate::plan::plan_place::PlanPlace;
use crate::plan::read::state::{State, StateResource};
use plantime::rule::{Fields, How, Outcome, PathExpr, PathMatch, Rule, Severity};
use plantime::unstable::rule::path_by_keys;
use plantime::{Mark, Path, Refinement, Type, Value, View};

/// The findings for the obligations of a plan.
///
/// ```
/// use plantime_terraform::plan::{Obligations, State, example};
/// use plantime_schema::ProviderSchemas;
///
/// let obligations = Obligations::read(example::OBLIGATIONS)?;
/// let state = State::read(example::STATE_AFTER, &ProviderSchemas::from_json(example::PROVIDER_SCHEMAS)?)?;
/// let verification = obligations.verify(&state);
/// let totals = verification.totals();
/// assert_eq!(totals.broken + totals.warned, 2);
/// assert_eq!(totals.upheld + totals.broken + totals.warned + totals.not_verifiable, verification.verified.len());
/// # Ok::<(), plantime::Error>(())
/// ```
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
    /// Each obligation with its finding, in order.
    pub verified: Vec<Verified>,
}

/// An obligation with its finding.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Verified {
    /// The obligation that was verified.
    pub obligation: Obligation,
    /// Whether it is upheld.
    pub finding: Finding,
}

/// Whether an obligation is upheld.
#[derive(Clone, Debug, PartialEq)]
pub enum Finding {
    /// The value satisfies the obligation.
    Upheld,
    /// The value does not satisfy the obligation, at these places.
    Broken(Vec<Breach>),
    /// Whether it does cannot be decided, for this reason.
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
    /// The number of obligations that are upheld.
    pub upheld: usize,
    /// The number of broken assumptions and broken rules of severity error.
    pub broken: usize,
    /// The number of broken rules of severity warning.
    pub warned: usize,
    /// The number of obligations that could not be verified.
    pub not_verifiable: usize,
}

impl Verification {
    /// How many obligations there are of each finding.
    ///
    /// [Example](Verification)
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
    ///
    /// ```
    /// use plantime_terraform::plan::{Finding, Obligations, State, example};
    /// use plantime::rule::Severity;
    /// use plantime_schema::ProviderSchemas;
    ///
    /// let obligations = Obligations::read(example::OBLIGATIONS)?;
    /// let state = State::read(example::STATE_AFTER, &ProviderSchemas::from_json(example::PROVIDER_SCHEMAS)?)?;
    /// let verification = obligations.verify(&state);
    /// let is_broken = |finding: &Finding| matches!(finding, Finding::Broken(_));
    /// let broken = verification.verified.iter().filter(|one| is_broken(&one.finding));
    /// // A broken rule has a name; an assumption has none.
    /// assert!(broken.clone().all(|one| one.severity() == Severity::Error || one.obligation.rule().is_some()));
    /// assert_eq!(broken.count(), 2);
    /// # Ok::<(), plantime::Error>(())
    /// ```
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
    ///
    /// [Example](Verified::severity)
    pub fn severity(&self) -> Severity {
        match &self.expectation {
            Expectation::Assumption(_) | Expectation::SameAs(_) => Severity::Error,
            Expectation::Test(open) => open.severity,
        }
    }

    /// The name of the rule; none for an assumption.
    ///
    /// [Example](Verified::severity)
    pub fn rule(&self) -> Option<&str> {
        match &self.expectation {
            Expectation::Assumption(_) | Expectation::SameAs(_) => None,
            Expectation::Test(open) => Some(&open.name),
        }
    }

    /// What the rule is about, in its author's words.
    ///
    /// [Example](Verified::severity)
    pub fn description(&self) -> Option<&str> {
        match &self.expectation {
            Expectation::Assumption(_) | Expectation::SameAs(_) => None,
            Expectation::Test(open) => open.description.as_deref(),
        }
    }

    /// Verifies the obligation against the value after the apply.
    ///
    /// ```
    /// # use plantime_terraform::plan::{Finding, Obligations};
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

    /// As `verify`, for a value of a declared type. A value that is `dynamic` there may have any container kind that
    /// JSON writes in the same way.
    fn verify_declared(&self, value: &Value, declared: &Type) -> Finding {
        match &self.expectation {
            Expectation::Assumption(refinement) => self.verify_assumption(refinement, value),
            Expectation::SameAs(place) => Finding::NotVerifiable(needs_state(place)),
            Expectation::Test(open) => match &open.remaining {
                RemainingRule::NotWritable(reason) => Finding::NotVerifiable(reason.clone()),
                RemainingRule::SameAs(place) => Finding::NotVerifiable(needs_state(place)),
                RemainingRule::Condition(_) => {
                    Finding::NotVerifiable("a condition is verified on a whole state".to_owned())
                }
                RemainingRule::Rule { rule, before } => {
                    self.verify_test(open, rule, before.as_ref(), (value, declared))
                }
            },
        }
    }

    /// The place that the value is compared with.
    pub(super) fn compared_with(&self) -> Option<&PlanPlace> {
        match &self.expectation {
            Expectation::SameAs(place) => Some(place),
            Expectation::Test(UndeterminedTest { remaining: RemainingRule::SameAs(place), .. }) => {
                Some(place)
            }
            _ => None,
        }
    }

    /// Compares the value with that of another place.
    fn verify_same(&self, value: &Value, place: &PlanPlace, other: &Value) -> Finding {
        let part = |value: &Value, path: &PathExpr, address: &str| {
            let found = path_by_keys(path, &value.ty(), false).matches(value).unwrap_or_default();
            match <[PathMatch; 1]>::try_from(found) {
                Ok([found]) if found.how == How::Exact => Ok(found),
                _ => Err(Finding::NotVerifiable(format!(
                    "the state has no {}",
                    PlanPlace::new(address, path.clone())
                ))),
            }
        };
        let (found, with) =
            match (part(value, &self.path, &self.address), part(other, &place.path, &place.address)) {
                (Ok(found), Ok(with)) => (found, with),
                (Err(finding), _) | (_, Err(finding)) => return finding,
            };
        match are_the_same(&found.value, &with.value) {
            Some(true) => Finding::Upheld,
            Some(false) => Finding::Broken(vec![Breach {
                path: found.path,
                message: format!("it is not the same as {place}"),
                severity: self.severity(),
            }]),
            None if found.value.is_wholly_known() && with.value.is_wholly_known() => Finding::NotVerifiable(
                "the state does not say of which kind the values are, such as list or set; schemas do (--schemas)".to_owned(),
            ),
            None => Finding::NotVerifiable(format!("one of the two values, or {place}, is not known")),
        }
    }

    /// The finding for an assumption (`refinement`) about the value of a resource.
    fn verify_assumption(&self, refinement: &Refinement, value: &Value) -> Finding {
        let assumed = assumption::check_assumption(&self.path, refinement, value);
        let mut places = PlaceNames::new(value);
        let mut broken = Vec::new();
        for failure in assumed.failures {
            if !failure.error.is_contradiction() {
                return Finding::NotVerifiable(failure.error.at(failure.path).to_string());
            }
            let path = places.display_path(&failure.path);
            let message = failure.error.message().to_owned();
            broken.push(Breach { path, message, severity: Severity::Error });
        }
        match assumed.narrowed.first() {
            _ if !broken.is_empty() => Finding::Broken(broken),
            Some(open) => Finding::NotVerifiable(format!("{} is not known", places.display_path(&open.path))),
            None => Finding::Upheld,
        }
    }

    /// Evaluates the remaining rule of a test that was undetermined at plan, on the value after the apply; `before`
    /// is the value before it.
    fn verify_test(
        &self,
        open: &UndeterminedTest,
        rule: &Rule,
        before: Option<&Value>,
        (value, declared): (&Value, &Type),
    ) -> Finding {
        // Without schemas a state does not say the container kinds of its values, so all are tried.
        let read = operands(open.unless_null.as_deref().unwrap_or(rule));
        let attributes: Vec<&str> = read.iter().filter_map(top_level_name).collect();
        let sides = match before.filter(|_| rule.reads_before()) {
            None => (Cow::Borrowed(value), None),
            Some(before) => match comparable(value, declared, before, &attributes) {
                Some((value, before)) => (value, Some(before)),
                None => return Finding::NotVerifiable(OTHER_TYPE.to_owned()),
            },
        };
        let answer = |rule: &Rule| for_every_kind(rule, &sides.0, sides.1.as_deref().or(before), declared);
        let outcome = answer(rule);
        if let (Ok(Outcome::Fail(_)), Some(rule)) = (&outcome, open.unless_null.as_deref())
            && !matches!(answer(rule), Ok(Outcome::Fail(_)))
        {
            return Finding::NotVerifiable(NULL_SAYS_NOTHING.to_owned());
        }
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
                let mut places = PlaceNames::new(value);
                let breach = |diagnostic: &plantime::rule::Diagnostic| {
                    let path = places.display_path(&diagnostic.path);
                    let message = match &open.message {
                        None => diagnostic.detail.clone(),
                        Some(template) => {
                            let whole = diagnostic.path.is_empty();
                            let part = if whole { Ok(value.clone()) } else { value.get(&diagnostic.path) };
                            let key = if whole { self.address.clone() } else { last_step_name(&path) };
                            template.render(&Fields {
                                key: &key,
                                value: &part.unwrap_or_else(|_| Value::dynamic()),
                                desc: &open.claim,
                                failure: &diagnostic.failure,
                            })
                        }
                    };
                    Breach { path, message, severity: diagnostic.severity }
                };
                Finding::Broken(diagnostics.iter().map(breach).collect())
            }
        }
    }
}

/// Why a null is neither upheld nor broken where the rules file says so.
const NULL_SAYS_NOTHING: &str = "a value is null, which says nothing with `null = \"undetermined\"`";

/// Why a rule about a change is not verified.
const OTHER_TYPE: &str =
    "the value before is of another type than that in the state, which schemas may mend (--schemas)";

impl Obligations {
    /// Compares every obligation with a state.
    ///
    /// | in the state | the finding |
    /// |---|---|
    /// | the value satisfies it | [`Upheld`](Finding::Upheld) |
    /// | it does not | [`Broken`](Finding::Broken), with each place and what is wrong there |
    /// | no such resource, output or attribute; a value of a type that the rule cannot read | [`NotVerifiable`](Finding::NotVerifiable) |
    /// | a null is all that is wrong, and the rules file says `null = "undetermined"` | [`NotVerifiable`](Finding::NotVerifiable) |
    /// | the rule is not in the file, or the value is not known | [`NotVerifiable`](Finding::NotVerifiable) |
    ///
    /// Read the state with the schemas that the plan was checked with, so that its parts have the same types. Where
    /// neither the state nor a schema says what is sensitive, no value is shown; what the plan marks is hidden too.
    ///
    /// ```
    /// use plantime_terraform::plan::{Obligations, State, example};
    /// use plantime_schema::ProviderSchemas;
    ///
    /// let schemas = ProviderSchemas::from_json(example::PROVIDER_SCHEMAS)?;
    /// let obligations = Obligations::read(example::OBLIGATIONS)?;
    /// let state = State::read(example::STATE_AFTER, &schemas)?;
    /// assert!(obligations.verify(&state).totals().upheld > 0);
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn verify(&self, state: &State) -> Verification {
        // Indexed, since there are often as many obligations as resources.
        let resources = state.by_address();
        let facts = std::cell::LazyCell::new(|| self.facts_with(state));
        let verified = self.obligations.iter().map(|obligation| {
            if let Some(remaining) = obligation.condition() {
                let finding = match &*facts {
                    Ok(facts) => obligation.verify_condition(remaining, facts, &resources),
                    Err(why) => Finding::NotVerifiable(why.clone()),
                };
                return Verified { obligation: obligation.clone(), finding };
            }
            let finding = match value_in_state(state, &resources, &obligation.address) {
                Ok((value, declared)) => match obligation.compared_with() {
                    None => {
                        let value = self.hidden_as_in_plan(value, &obligation.address);
                        obligation.verify_declared(&value, declared)
                    }
                    Some(place) => match value_in_state(state, &resources, &place.address) {
                        Ok((other, _)) => {
                            let value = self.hidden_as_in_plan(value, &obligation.address);
                            let other = self.hidden_as_in_plan(other, &place.address);
                            obligation.verify_same(&value, place, &other)
                        }
                        Err(why) => Finding::NotVerifiable(format!("{place}: {why}")),
                    },
                },
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

/// Why a comparison cannot be verified on one value.
fn needs_state(place: &PlanPlace) -> String {
    format!("it compares with {place}, which is another value of the state")
}

/// The value at the address of a resource or output in a state, and its declared type; or why there is none.
fn value_in_state<'s>(
    state: &State,
    resources: &BTreeMap<&str, &'s StateResource>,
    address: &str,
) -> Result<(Value, &'s Type), String> {
    if let Some(name) = address.strip_prefix("output.") {
        let output = state.outputs.get(name).map(|value| (value.clone(), &Type::Dynamic));
        return output.ok_or_else(|| "the state has no such output".to_owned());
    }
    let Some(StateResource { value, sensitivity, declared, absent, .. }) = resources.get(address).copied()
    else {
        return Err("the state has no such resource".to_owned());
    };
    // A schema gives the value a null where the state has nothing, and then nothing is known of the attribute.
    let value = match value.view() {
        View::Object(object) if !absent.is_empty() => {
            let present = object.iter().filter(|(name, _)| !absent.iter().any(|absent| **absent == **name));
            let present = present.map(|(name, part)| (name, part.clone()));
            &Value::object(present).map_err(|error| error.to_string())?.with_marks(value.marks())
        }
        _ => value,
    };
    // A schema marks what is sensitive; without one, nothing says so in a state of an old format.
    let value = match sensitivity {
        Sensitivity::Unstated => value.clone().mark(Mark::new(crate::plan::checking::HIDDEN)),
        Sensitivity::Stated => value.clone(),
    };
    Ok((value, declared))
}
