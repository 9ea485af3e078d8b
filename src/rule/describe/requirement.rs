//! The sentences of diagnostics: what a value must be.

use crate::rule::keywords::operand::quoted_list;
use crate::rule::{ChangeRule, MembersRule, Rule, TextRule, Unit, ValueRule};
use crate::types::Type;

use super::comma_list;
use super::verb::verb;

/// Says what a value must be to satisfy the rule, in the words of the Terraform plugin framework: `value must start
/// with "vpc-"`.
pub(in crate::rule) fn requirement(rule: &Rule, ty: &Type) -> String {
    match rule {
        Rule::Value(ValueRule::OneOf(values)) => format!("value must be one of: [{}]", comma_list(values)),
        Rule::Value(ValueRule::NoneOf(values)) => format!("value must be none of: [{}]", comma_list(values)),
        Rule::Length(rule) => match (rule.unit, ty) {
            (Unit::Bytes | Unit::Graphemes, _) => format!("string must have {}", rule.in_words(None)),
            (Unit::Elements, Type::String) => {
                format!("string length must be {} {}", rule.comparison(), rule.length)
            }
            (Unit::Elements, ty) => {
                let kind = ty.friendly_name();
                let kind = kind.split_whitespace().next().unwrap_or_default();
                format!("{kind} must contain {}", rule.in_words(Some(ty)))
            }
        },
        Rule::Text(TextRule::OneOfIgnoringCase(words)) => {
            format!("value must be one of (ignoring case): [{}]", quoted_list(words.texts()))
        }
        Rule::Text(TextRule::NoneOfIgnoringCase(words)) => {
            format!("value must be none of (ignoring case): [{}]", quoted_list(words.texts()))
        }
        Rule::Text(TextRule::Matches(pattern)) => format!("value must match regular expression '{pattern}'"),
        Rule::Members(MembersRule::NoNulls) => "value must not contain null".to_owned(),
        Rule::Members(MembersRule::Unique) => "value must not contain two equal elements".to_owned(),
        Rule::Change(ChangeRule::OnlyIncrease) => "value may only increase".to_owned(),
        Rule::Change(ChangeRule::OnlyDecrease) => "value may only decrease".to_owned(),
        Rule::Change(ChangeRule::Immutable) => "value may not change".to_owned(),
        rule => match verb(rule, Some(ty)) {
            Some(verb) if verb.is_not_null() => "value must not be null".to_owned(),
            Some(verb) => verb.base("value must "),
            None => format!("value must satisfy: {}", rule.describe_for(ty)),
        },
    }
}

/// Says what a value must be to satisfy the negation of the rule: `value must not start with "vpc-"`.
pub(in crate::rule) fn requirement_not(rule: &Rule, ty: &Type) -> String {
    match verb(rule, Some(ty)) {
        Some(verb) if verb.is_not_null() => "value must be null".to_owned(),
        Some(verb) => verb.base("value must not "),
        None => format!("value must not satisfy: {}", rule.describe_for(ty)),
    }
}
