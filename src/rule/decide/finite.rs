//! Decides a rule on an unknown value by evaluating it on each possible value, where these are few, as for
//! `[unknown bool]`. Ranges say nothing about such values.

use crate::value::Value;

use crate::rule::Rule;
use crate::rule::evaluate::decide;

/// Evaluates the rule on each value, other than null, that this one may turn out to be: whether it holds for all
/// (`Some(true)`) or for none (`Some(false)`). `None` if the answers differ, one is undetermined, or there are too many
/// values to try.
pub(in crate::rule) fn decide_by_trying(rule: &Rule, value: &Value) -> Option<bool> {
    let mut answer = None;
    for outcome in value.outcomes()? {
        if outcome.is_null() {
            continue;
        }
        let holds = decide(rule, &outcome).holds?;
        if answer.is_some_and(|before| before != holds) {
            return None;
        }
        answer = Some(holds);
    }
    answer
}
