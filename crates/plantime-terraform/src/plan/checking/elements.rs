//! The elements that a rule with `for_each` is asked for.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::plan::condition::{Found, PlanFacts, RuleScope, Surroundings, waits_of};
use crate::plan::rules::rules_file::RulesFile;
use plantime::{Type, Value, View};

/// The elements that a rule is asked for.
pub(super) enum Elements {
    /// The name of each answer, `RULE["KEY"]`, with key and value.
    Each(Vec<(Arc<str>, Value, Value)>),
    /// Which there are is not known: the values that it waits for.
    Undecided(Vec<String>),
    /// Why there are none.
    Wrong(String),
}

/// The elements of each rule that has `for_each`, by the position of the rule.
pub(super) fn elements(rules: &RulesFile, facts: &Arc<PlanFacts>) -> BTreeMap<usize, Elements> {
    let with_each =
        rules.rules.iter().enumerate().filter_map(|(at, rule)| Some((at, rule, rule.for_each.as_ref()?)));
    with_each
        .map(|(at, rule, condition)| {
            let surroundings = Surroundings {
                facts: Arc::clone(facts),
                address: None,
                entry: Value::null(Type::Dynamic),
                each: None.into(),
                found: Found::default().into(),
            };
            let nothing = Value::null(Type::Dynamic);
            let scope = RuleScope::new(&surroundings, &nothing, None, &rule.locals);
            let found = match scope.value_of(condition) {
                Ok(found) => {
                    of_value(&rule.name, &found.value.unmark().0, waits_of(&found.waits_for, &scope))
                }
                Err(problems) => {
                    let first = problems.first();
                    Elements::Wrong(format!("`for_each`: {}: {}", first.summary(), first.detail()))
                }
            };
            (at, found)
        })
        .collect()
}

/// The elements of the value of `for_each`.
fn of_value(rule: &str, value: &Value, waits: Vec<String>) -> Elements {
    let name = |key: &str| -> Arc<str> { format!("{rule}[{}]", Value::from(key)).into() };
    let each = |key: &str, value: &Value| (name(key), Value::from(key), value.clone());
    let of_members = |members: &mut dyn Iterator<Item = &Value>| -> Option<Elements> {
        let mut all = Vec::new();
        for member in members {
            let bare = member.clone().unmark().0;
            all.push(each(bare.as_str().ok()?, member));
        }
        Some(Elements::Each(all))
    };
    let found = match value.view() {
        View::Object(object) => {
            let mut all: Vec<_> = object.iter().map(|(key, value)| each(key, value)).collect();
            all.sort_by(|a, b| a.0.cmp(&b.0));
            Some(Elements::Each(all))
        }
        View::Map(map) => Some(Elements::Each(map.iter().map(|(key, value)| each(key, value)).collect())),
        View::Set(set) => of_members(&mut set.iter()),
        View::Tuple(tuple) => of_members(&mut tuple.iter()),
        View::List(list) => of_members(&mut list.iter()),
        _ => None,
    };
    match found {
        Some(found) => found,
        None if !value.is_wholly_known() => Elements::Undecided(waits),
        None => Elements::Wrong("`for_each` takes a map, or a set of texts".to_owned()),
    }
}
