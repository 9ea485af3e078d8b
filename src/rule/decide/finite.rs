//! Decides a rule by trying all values, for types with few values, such as `[unknown bool]`. Ranges say nothing about
//! these.

use crate::value::Value;

use crate::rule::Rule;
use crate::rule::evaluate::decide;

/// Whether the rule holds for all values that this one may become (true) or for none (false); `None` if there are
/// many, or they differ. Null is left out.
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
