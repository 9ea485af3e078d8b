//! What a guard says of a value. It is evaluated once, and its answer is applied to every rule under it.

use crate::rule::evaluate::combine::conditional;
use crate::rule::{Outcome, Rule, Why};

/// The answer of a guard.
///
/// | the guard | the rules under it |
/// |---|---|
/// | holds | have the outcomes that they have by themselves |
/// | does not hold | pass; they do not apply |
/// | is undetermined | pass where they pass by themselves, and are undetermined otherwise |
#[derive(Debug)]
pub enum GuardAnswer {
    /// The guard holds, or there is none.
    Holds,
    /// The guard does not hold.
    DoesNotHold,
    /// The guard depends on unknowns.
    Undetermined {
        /// What remains to be checked of the guard.
        remaining: Rule,
        /// What the guard depends on.
        why: Why,
    },
}

impl GuardAnswer {
    /// The answer of `guard`, which has this outcome.
    pub fn new(guard: &Rule, outcome: Outcome) -> GuardAnswer {
        match outcome {
            Outcome::Pass => GuardAnswer::Holds,
            Outcome::Fail(_) => GuardAnswer::DoesNotHold,
            Outcome::Undetermined(mut why) => {
                let remaining = why.take_obligation(guard);
                GuardAnswer::Undetermined { remaining, why }
            }
        }
    }

    /// The outcome of a rule under the guard, where `outcome` is that of the rule by itself. `rule` returns the rule; it
    /// is called where the outcome needs an obligation. Neither the guard nor the rule is evaluated again.
    pub fn apply(&self, outcome: Outcome, rule: impl FnOnce() -> Rule) -> Outcome {
        match self {
            GuardAnswer::Holds => outcome,
            GuardAnswer::DoesNotHold => Outcome::Pass,
            GuardAnswer::Undetermined { .. } if outcome.is_pass() => Outcome::Pass,
            GuardAnswer::Undetermined { remaining, why } => {
                let rule = rule();
                let guard = Outcome::Undetermined(why.clone());
                match Rule::when(remaining.clone(), rule.clone()) {
                    Ok(whole) => conditional(&whole, (remaining, guard), (&rule, outcome), Rule::when),
                    // Nested too deep to be one rule.
                    Err(_) => guard,
                }
            }
        }
    }
}
