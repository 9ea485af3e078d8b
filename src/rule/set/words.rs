//! The words of reports for rules and failures.

use crate::rule::{LengthRule, LengthTest, MembersRule, NumberRule, Rule, Unit, ValueRule, describe};

/// Says what a rule requires, as a noun phrase if there is one (`a length of at least 1`, `one of "a", "b"`),
/// otherwise as a clause.
pub(super) fn noun(rule: &Rule) -> String {
    let said = rule.describe();
    match rule {
        Rule::All(_)
        | Rule::Sequence(_)
        | Rule::Any(_)
        | Rule::Not(_)
        | Rule::Implies(..)
        | Rule::When(..)
        | Rule::At(..) => said,
        _ => match said.strip_prefix("is ").or_else(|| said.strip_prefix("has ")) {
            Some(noun) => noun.to_owned(),
            None => said,
        },
    }
}

/// Says what a rule requires in the words of the tool ytt: `length >= 1`.
pub(super) fn must_be(rule: &Rule) -> String {
    match rule {
        Rule::Length(LengthRule { unit: Unit::Elements, test, length }) => match test {
            LengthTest::Min => format!("length >= {length}"),
            LengthTest::Max => format!("length <= {length}"),
            LengthTest::Exact => format!("length = {length}"),
        },
        Rule::Number(NumberRule::Min(least)) => format!("a value >= {least}"),
        Rule::Number(NumberRule::Max(most)) => format!("a value <= {most}"),
        Rule::Value(ValueRule::OneOf(values)) => format!("one of [{}]", describe::comma_list(values)),
        Rule::Members(MembersRule::OneNotNull(Some(keys))) => {
            let keys: Vec<String> = keys.iter().map(|key| describe::quoted(key)).collect();
            format!("exactly one of [{}] to be not null", describe::comma_list(&keys))
        }
        Rule::Members(MembersRule::OneNotNull(None)) => "exactly one child to be not null".to_owned(),
        rule => noun(rule),
    }
}

/// Says what was found in the words of the tool ytt (`length = 0`). `failure` is that of the diagnostic, such as `it
/// is a length of 0`; nothing else of the value is shown.
pub(super) fn found_in_words(rule: &Rule, failure: &str) -> String {
    let length = failure.strip_prefix("it is a length of ");
    match (rule, length) {
        (Rule::Length(LengthRule { unit: Unit::Elements, .. }), Some(length)) => format!("length = {length}"),
        (Rule::Number(NumberRule::Min(least)), _) => format!("value < {least}"),
        (Rule::Number(NumberRule::Max(most)), _) => format!("value > {most}"),
        (Rule::Value(ValueRule::OneOf(_)), _) => "not one of allowed values".to_owned(),
        (Rule::NotNull, _) => "value is null".to_owned(),
        (Rule::Members(MembersRule::OneNotNull(_)), _) => match failure.strip_suffix(" are not null") {
            Some(keys) => format!("[{keys}] are not null"),
            None if failure == "it is empty" => "value is empty".to_owned(),
            None if failure == "all are null" => "all values are null".to_owned(),
            None => failure.to_owned(),
        },
        _ => failure.to_owned(),
    }
}
