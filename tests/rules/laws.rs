//! The laws themselves, for any rule with a meaning.

use std::collections::BTreeSet;

use plantime::Value;
use plantime::rule::{Outcome, Rule};

use crate::concrete::C;

/// The answer of a rule, in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Word {
    Pass,
    Fail,
    Undetermined,
    Misuse,
}

pub(crate) fn word(rule: &Rule, value: &Value) -> Word {
    match rule.check_value(value) {
        Ok(Outcome::Pass) => Word::Pass,
        Ok(Outcome::Fail(_)) => Word::Fail,
        Ok(Outcome::Undetermined(_)) => Word::Undetermined,
        Err(_) => Word::Misuse,
    }
}

/// The one right answer, from the meanings on all outcomes.
pub(crate) fn best(meanings: &BTreeSet<Option<bool>>) -> Word {
    let (pass, fail, misuse) =
        (meanings.contains(&Some(true)), meanings.contains(&Some(false)), meanings.contains(&None));
    match (pass, fail, misuse) {
        (true, false, false) => Word::Pass,
        (false, true, false) => Word::Fail,
        (false, false, true) => Word::Misuse,
        _ => Word::Undetermined,
    }
}

/// What is left to check gives the same answers as the rule, on the value and on all that it may become; the
/// reasons name something.
pub(crate) fn obligation(rule: &Rule, value: &Value, gamma: &BTreeSet<C>, words: impl Fn(&C) -> Word) {
    let Some(open) = left_to_check(rule, value) else { return };
    for c in gamma {
        let expected = words(c);
        if expected != Word::Misuse {
            assert_eq!(
                word(&open, &c.to_value()),
                expected,
                "{rule} on {value:?} leaves {open}, which differs on {c:?}"
            );
        }
    }
}

/// The obligation of an undetermined answer, which says what it waits for.
pub(crate) fn left_to_check(rule: &Rule, value: &Value) -> Option<Rule> {
    let Ok(Outcome::Undetermined(why)) = rule.check_value(value) else { return None };
    assert!(!why.inputs().is_empty(), "{rule} on {value:?} names no input");
    assert!(!why.passes_if().is_empty());
    let open = why.obligation().unwrap_or_else(|| panic!("{rule} on {value:?} leaves no obligation"));
    assert_eq!(word(open, value), Word::Undetermined, "{rule} on {value:?} leaves {open}, which is decided");
    Some(open.clone())
}
