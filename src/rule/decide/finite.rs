//! Values that can become only a few things, such as `[unknown bool]`: what no range says, counting does.

use crate::value::Value;

use crate::rule::Rule;
use crate::rule::evaluate::answer as answer_of;

/// The answer on a value that is not null, if it has few outcomes and the rule answers the same on all.
pub(in crate::rule) fn answer(rule: &Rule, value: &Value) -> Option<bool> {
    let mut answer = None;
    for outcome in value.outcomes()? {
        if outcome.is_null() {
            continue;
        }
        let holds = answer_of(rule, &outcome).holds?;
        if answer.is_some_and(|before| before != holds) {
            return None;
        }
        answer = Some(holds);
    }
    answer
}
