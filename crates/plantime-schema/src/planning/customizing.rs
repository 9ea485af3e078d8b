//! Applies the [`CustomizeDiff`](super::CustomizeDiff) changes to a plan.

use std::cell::RefCell;

use plantime::rule::{Diagnostic, ForceNew, Outcome, Replaces, Request, Rule, Why};
use plantime::unstable::ops::three_valued;
use plantime::{Path, Refinement, Result, Value, View};

use super::behaviour_check::computed_key;
use super::customize::{Compute, Customization, CustomizeDiff};
use super::layout::null;
use super::plan_resource::{Notes, PlanError, PlanObligation, Planning};
use super::provider::{Provider, Walk, either};
use super::replacement::{Replacement, Trigger};

/// The inputs of the changes to one plan.
pub(super) struct Customizing<'a> {
    pub(super) planning: &'a Planning<'a>,
    /// The prior values that the plan may be for: `None` for a new object. At least one.
    pub(super) priors: &'a [Option<&'a Value>],
    /// Collects the changes that force a replacement.
    pub(super) replacements: Option<&'a RefCell<Vec<Replacement>>>,
}

/// A plan that is being changed.
struct State<'n> {
    value: Value,
    notes: &'n mut Notes,
    /// The attributes that were set.
    touched: Vec<String>,
}

impl Customizing<'_> {
    /// Applies all changes to the plan.
    pub(super) fn run(&self, value: Value, notes: &mut Notes) -> Result<Value, PlanError> {
        let changes = &self.planning.behaviours.customize;
        if changes.is_empty() {
            return Ok(value);
        }
        let mut state = State { value, notes, touched: Vec::new() };
        self.apply_all(changes, Some(true), &mut state)?;
        self.check_replacements(&state)?;
        Ok(state.value)
    }

    /// Applies changes; `active` says whether they are made, `None` if that is not decided.
    fn apply_all(
        &self,
        changes: &[CustomizeDiff],
        active: Option<bool>,
        state: &mut State<'_>,
    ) -> Result<(), PlanError> {
        changes.iter().try_for_each(|change| self.apply(&change.0, active, state))
    }

    /// Applies one change.
    fn apply(
        &self,
        change: &Customization,
        active: Option<bool>,
        state: &mut State<'_>,
    ) -> Result<(), PlanError> {
        match change {
            Customization::ForceNewIf { path, expr, condition } => {
                self.force_new(path, ForceNew::new(expr.clone()), Some(condition), active, state)
            }
            Customization::ForceNewIfChange { path, expr, condition } => {
                let force = ForceNew::new(expr.clone()).when(condition.clone());
                self.force_new(path, force, None, active, state)
            }
            Customization::ComputedIf { key, condition } => {
                let holds = match condition {
                    Some(condition) => self.holds(condition, state)?.0,
                    None => Some(true),
                };
                let unknown = self.later("SetNewComputed", key)?;
                self.set(key, unknown, three_valued::and(active, holds), state)
            }
            Customization::SetNew { key, reads, function } => {
                let new = self.compute(key, reads, function, active, state)?;
                self.set(key, new, active, state)
            }
            Customization::Validate { rule } => {
                // A plan that may be for a new object was checked for the update before.
                let sure = active == Some(true) && self.priors.len() == 1;
                for prior in self.priors.iter().filter(|prior| prior.is_none() || self.priors.len() == 1) {
                    let outcome = check(rule, &state.value, *prior)?;
                    match outcome {
                        Outcome::Pass => {}
                        Outcome::Fail(found) if sure => state.notes.diagnostics.extend(found),
                        Outcome::Fail(_) => state.notes.add_obligation(rule, Why::new([Path::new()])),
                        Outcome::Undetermined(why) => state.notes.add_obligation(rule, why),
                    }
                }
                Ok(())
            }
            Customization::When { condition, changes } => {
                let holds = self.holds(condition, state)?.0;
                match three_valued::and(active, holds) {
                    Some(false) => Ok(()),
                    active => self.apply_all(changes, active, state),
                }
            }
        }
    }

    /// Whether a rule holds for the planned value, and for each of the prior values.
    fn holds(&self, rule: &Rule, state: &State<'_>) -> Result<(Option<bool>, Option<Why>), PlanError> {
        let mut answers = Vec::with_capacity(self.priors.len());
        let mut reason = None;
        for prior in self.priors {
            let outcome = check(rule, &state.value, *prior)?;
            answers.push(match outcome {
                Outcome::Pass => Some(true),
                Outcome::Fail(_) => Some(false),
                Outcome::Undetermined(why) => {
                    reason = Some(why);
                    None
                }
            });
        }
        let first = answers.first().copied().flatten();
        let agreed = answers.iter().all(|answer| *answer == first);
        Ok((if agreed { first } else { None }, reason))
    }

    /// Records a replacement if the value at the path changes and the condition holds, or may hold.
    fn force_new(
        &self,
        path: &Path,
        force: ForceNew,
        condition: Option<&Rule>,
        active: Option<bool>,
        state: &State<'_>,
    ) -> Result<(), PlanError> {
        let (Some(found), [Some(prior)]) = (self.replacements, self.priors) else { return Ok(()) };
        let change = force.check(&Request::new(&state.value).before(prior))?;
        let (holds, reason) = match condition {
            Some(condition) => self.holds(condition, state)?,
            None => (Some(true), None),
        };
        let replaces = match (change, three_valued::and(active, holds)) {
            (Replaces::No, _) | (_, Some(false)) => return Ok(()),
            (change, Some(true)) => change,
            (Replaces::Maybe(why), None) => Replaces::Maybe(match reason {
                Some(reason) => why.and(reason),
                None => why,
            }),
            (Replaces::Yes, None) => Replaces::Maybe(reason.unwrap_or_else(|| Why::new([path.clone()]))),
        };
        found.borrow_mut().push(Replacement { path: path.clone(), replaces, trigger: Trigger::Customized });
        Ok(())
    }

    /// Calls a function with the planned values that it reads.
    fn compute(
        &self,
        key: &str,
        reads: &[Path],
        function: &Compute,
        active: Option<bool>,
        state: &mut State<'_>,
    ) -> Result<Value, PlanError> {
        let mut values = Vec::with_capacity(reads.len());
        let mut all_marks = Vec::new();
        for path in reads {
            let (bare, marks) = state.value.get(path)?.unmark_deep();
            all_marks.push(marks);
            values.push(bare);
        }
        let marked = |value: Value| all_marks.iter().fold(value, |value, marks| value.with_marks(marks));
        if active == Some(false) || !values.iter().all(Value::is_wholly_known) {
            return Ok(marked(self.later("SetNew", key)?));
        }
        let ty = computed_key(self.planning.layout, "SetNew", key)?;
        let made = (function.0)(&values).and_then(|made| plantime::convert(&made, &(&ty).into()));
        match made {
            Ok(made) => Ok(marked(made)),
            // It is not certain that the function is called at all.
            Err(_) if active.is_none() => Ok(marked(self.later("SetNew", key)?)),
            Err(error) => {
                let hidden = all_marks.iter().any(|marks| !marks.is_empty());
                let text = if hidden {
                    "the value depends on sensitive values".to_owned()
                } else {
                    error.to_string()
                };
                let place = Path::new().attr(key);
                let message = format!("SetNew of \"{key}\": {text}");
                state.notes.diagnostics.push(Diagnostic::error(
                    "Invalid Planned Value",
                    message,
                    place,
                    text,
                ));
                Ok(marked(self.later("SetNew", key)?))
            }
        }
    }

    /// Sets a computed attribute unless the configuration sets it. If it is unknown whether it does, or whether the
    /// change is made (`active` is `None`), the value may be the old or the new one.
    fn set(
        &self,
        key: &str,
        new: Value,
        active: Option<bool>,
        state: &mut State<'_>,
    ) -> Result<(), PlanError> {
        let configured = self.planning.filled.get(&Path::new().attr(key))?;
        let is_set = three_valued::and(active, null(&configured));
        let View::Object(object) = state.value.view_below_marks() else { return Ok(()) };
        let old = object.get(key);
        let (Some(old), Some(true) | None) = (old, is_set) else { return Ok(()) };
        let new = if is_set == Some(true) { new } else { either(old, &new) };
        let entry = |(name, value): (&str, &Value)| if name == key { new.clone() } else { value.clone() };
        let entries = object.iter().map(entry).collect();
        let changed = Value::object_of(object.ty(), entries)?.with_marks(state.value.marks());
        state.value = changed;
        if !state.touched.iter().any(|touched| touched == key) {
            state.touched.push(key.to_owned());
        }
        Ok(())
    }

    /// The unknown value of a computed attribute.
    fn later(&self, caller: &str, key: &str) -> Result<Value> {
        let ty = computed_key(self.planning.layout, caller, key)?;
        match self.promise(key) {
            Some(promise) => Value::refined(ty, promise),
            None => Ok(Value::unknown(ty)),
        }
    }

    /// The refinement that the provider's author promises for an attribute while its value is unknown; `None` if there is none.
    fn promise(&self, key: &str) -> Option<Refinement> {
        let node = self.planning.tree.inside.get(key)?;
        node.behaviour.and_then(|behaviour| behaviour.promise.clone())
    }

    /// Decides again, for each attribute that the customization set, whether its change forces a replacement.
    fn check_replacements(&self, state: &State<'_>) -> Result<(), PlanError> {
        let (Some(found), [Some(prior)]) = (self.replacements, self.priors) else { return Ok(()) };
        let walk = Walk {
            style: self.planning.behaviours.style,
            replaced: Some(false),
            changed: Some(true),
            config: self.planning.config,
            replacements: None,
        };
        for key in &state.touched {
            let Some(node) = self.planning.tree.inside.get(key.as_str()) else { continue };
            let Some(behaviour) = node.behaviour else { continue };
            let path = Path::new().attr(key);
            found.borrow_mut().retain(|one| one.path != path || one.trigger == Trigger::Customized);
            let get = |value: &Value| value.get(&Path::new().attr(key));
            let (old, config, new) = (get(prior)?, get(self.planning.filled)?, get(&state.value)?);
            let old = (null(&old) != Some(true)).then_some(&old);
            let node = self.planning.tree.inside.get(key.as_str());
            let provider = Provider { walk: &walk, node, path, in_set: false };
            let one = provider.replacement(behaviour, false, old, &config, &new)?;
            found.borrow_mut().extend(one);
        }
        Ok(())
    }
}

impl Notes {
    /// Adds an obligation for an undetermined rule on the whole resource.
    fn add_obligation(&mut self, rule: &Rule, why: Why) {
        self.obligations.push(PlanObligation { path: Path::new(), description: rule.describe(), why });
    }
}

/// The answer of a rule for the planned value of a resource.
fn check(rule: &Rule, value: &Value, prior: Option<&Value>) -> Result<Outcome, PlanError> {
    let request = Request::new(value);
    Ok(rule.check(&prior.into_iter().fold(request, Request::before))?)
}
