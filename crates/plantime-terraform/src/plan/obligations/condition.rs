//! Obligations that are conditions: what is left of their rules, what they read of the plan, and how a state answers them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::verify::{Breach, Finding};
use super::{
    Expectation, Obligation, Obligations, RemainingCondition, RemainingRule, UndeterminedTest, write,
};
use crate::plan::checking::{concealed_outcome, for_every_kind_in};
use crate::plan::condition::{
    Condition, Found, Locals, PlanFacts, RecordedFacts, Surroundings, UsedNames, conditions_in, error_message,
};
use crate::plan::report::{PlanReport, Reason, Side};
use crate::plan::{State, StateResource};
use plantime::rule::{Custom, Outcome, Rule};
use plantime::{Path, Type, Value};

/// What is left of a rule with conditions; `None` if it has none. `before` has the prior attributes that the rule reads beside them.
///
/// # Errors
///
/// Why it cannot be written.
pub(super) fn remaining(
    rule: &Rule,
    before: Option<Value>,
    side: Side,
    reason: &Reason,
) -> Result<Option<RemainingCondition>, String> {
    let found = conditions_in(rule);
    let (Some((_, first)), Some(open)) = (found.first(), &reason.condition) else { return Ok(None) };
    let text = |condition: &Condition| condition.text().to_owned();
    let locals = first.locals.iter().map(|(name, local)| (name.clone(), text(local))).collect();
    let mut conditions = BTreeMap::new();
    for (custom, data) in &found {
        let written = text(&data.condition);
        let other = conditions.insert(custom.name().to_owned(), written.clone());
        if other.is_some_and(|other| other != written) {
            return Err("two of its conditions begin with the same text".to_owned());
        }
        let names_before = data.condition.name_chains().iter().flatten().any(|name| name == "before");
        if before.is_some() && names_before {
            return Err("a condition and another test both read the value before".to_owned());
        }
    }
    let each = open.each.as_ref().map(|(key, value)| match key.contains_marks() || value.contains_marks() {
        true => Err("an element of `for_each` is marked, and is not written down".to_owned()),
        false => Ok((key.clone(), value.clone())),
    });
    let functions: Vec<Custom> = found.iter().map(|(custom, _)| (*custom).clone()).collect();
    Ok(Some(RemainingCondition {
        must: write::rule_form_with(rule, &functions)?.1,
        conditions,
        locals,
        each: each.transpose()?,
        error_message: open.assertion.as_ref().map(|assertion| text(&assertion.error_message)),
        before,
        is_prior: side == Side::Prior,
    }))
}

impl PlanReport {
    /// What the conditions among obligations read of the plan; `None` if there is none.
    pub(super) fn recorded_facts(&self, obligations: &[Obligation]) -> Option<RecordedFacts> {
        let facts = self.condition_facts.as_ref()?;
        let (mut used, mut subjects) = (UsedNames::default(), BTreeSet::new());
        for obligation in obligations {
            let Some(remaining) = obligation.condition() else { continue };
            subjects.insert(obligation.address.as_str());
            let texts = remaining.conditions.values().chain(remaining.locals.values());
            for text in texts.chain(&remaining.error_message) {
                // It was read from a rules file, so it is an expression.
                let _ = Condition::of_text("condition", text).map(|condition| used.add(&condition));
            }
        }
        (!subjects.is_empty()).then(|| facts.record(&mut used, &subjects))
    }
}

impl Obligation {
    /// What is left of a rule with conditions.
    pub(super) fn condition(&self) -> Option<&RemainingCondition> {
        match &self.expectation {
            Expectation::Test(UndeterminedTest { remaining: RemainingRule::Condition(left), .. }) => {
                Some(left)
            }
            _ => None,
        }
    }
}

impl Obligations {
    /// What conditions see after the apply; or why they see nothing.
    pub(super) fn facts_with(&self, state: &State) -> Result<Arc<PlanFacts>, String> {
        let recorded = self.facts.as_ref().ok_or("the file lacks what it reads of the plan (plan_facts)")?;
        let hidden = |value: Value, address: &str| self.hidden_as_in_plan(value, address);
        recorded.with_state(state, &hidden).map(Arc::new)
    }
}

/// The rule that is left, and its locals.
fn rule_of(remaining: &RemainingCondition) -> Result<(Rule, Arc<Locals>), String> {
    let mut locals = Locals::new();
    for (name, text) in &remaining.locals {
        locals.insert(name.clone(), Condition::of_text(name, text)?);
    }
    let locals = Arc::new(locals);
    let mut functions = Vec::new();
    for (name, text) in &remaining.conditions {
        functions.push(Condition::of_text("condition", text)?.named_rule(name, &locals));
    }
    let rule = Rule::from_form_with(&remaining.must, &functions).map_err(|error| error.to_string())?;
    Ok((rule, locals))
}

impl Obligation {
    /// Evaluates what is left of a rule with conditions on what the plan and a state say.
    pub(super) fn verify_condition(
        &self,
        remaining: &RemainingCondition,
        facts: &Arc<PlanFacts>,
        resources: &BTreeMap<&str, &StateResource>,
    ) -> Finding {
        let (rule, locals) = match rule_of(remaining) {
            Ok(read) => read,
            Err(problem) => return Finding::NotVerifiable(problem),
        };
        let Some((value, entry)) = self.subject_in(facts, remaining.is_prior) else {
            return Finding::NotVerifiable("the state has no such resource".to_owned());
        };
        let surroundings = Surroundings {
            facts: Arc::clone(facts),
            address: Some(self.address.clone()),
            entry,
            each: remaining.each.clone().into(),
            found: Found::default().into(),
        };
        let declared = resources.get(&*self.address).map_or(&Type::Dynamic, |resource| &resource.declared);
        let before = remaining.before.as_ref().filter(|_| rule.reads_before());
        let outcome = for_every_kind_in(&rule, &value, before, declared, Some(&surroundings));
        let found = surroundings.found.take();
        if let Some(problem) = found.problems.first() {
            return Finding::NotVerifiable(problem.clone());
        }
        match outcome.map(|outcome| concealed_outcome(outcome, &value, &rule)) {
            Err(misuse) => Finding::NotVerifiable(misuse.to_string()),
            Ok(Outcome::Pass) => Finding::Upheld,
            Ok(Outcome::Undetermined(why)) => {
                let inputs = why.inputs().iter().map(|path| path.after_name(&self.address));
                let inputs: Vec<String> = inputs.chain(found.waits_for).collect();
                Finding::NotVerifiable(match inputs.as_slice() {
                    [] => "what it reads of the plan is not in the file, or not known".to_owned(),
                    inputs => format!("not known: {}", inputs.join(", ")),
                })
            }
            Ok(Outcome::Fail(diagnostics)) => {
                let message = remaining.error_message.as_ref().map(|text| {
                    let message = Condition::of_text("error_message", text)?;
                    error_message(&message, &locals, &surroundings, (&value, before))
                });
                let message = message.and_then(Result::ok);
                let breach = |diagnostic: &plantime::rule::Diagnostic| Breach {
                    path: if message.is_some() { Path::new() } else { diagnostic.path.clone() },
                    message: message.clone().unwrap_or_else(|| diagnostic.detail.clone()),
                    severity: diagnostic.severity,
                };
                Finding::Broken(diagnostics.iter().map(breach).collect())
            }
        }
    }

    /// The value that a rule with conditions is about, and its entry.
    fn subject_in(&self, facts: &PlanFacts, is_prior: bool) -> Option<(Value, Value)> {
        let null = || Value::null(Type::Dynamic);
        if self.address == "plan" {
            return Some((null(), null()));
        }
        if let Some(named) = facts.named_entry(&self.address) {
            return Some((named.content().clone(), named.value().clone()));
        }
        let entry = match is_prior {
            true => facts.entry(&self.address, None, true)?,
            // What a plan changes and a state lacks is not there.
            false => facts.existing(&self.address)?,
        };
        let value = entry.get_attr(if is_prior { "before" } else { "values" }).ok()?;
        Some((value, entry.clone()))
    }
}
