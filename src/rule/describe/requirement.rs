//! The sentences of diagnostics: what a value must be.

use crate::rule::{Rule, Unit};
use crate::types::Type;

use super::comma_list;
use super::verb::{Verb, counted, length_of, texts, verb};

/// What a value must be to satisfy the rule, in the words of the Terraform plugin framework: `value must start with
/// "vpc-"`.
pub(in crate::rule) fn requirement(rule: &Rule, ty: &Type) -> String {
    let counted = |how: &str, length: u64| match ty {
        Type::String => format!("string length must be {how} {length}"),
        ty => {
            let kind = ty.friendly_name();
            let kind = kind.split_whitespace().next().unwrap_or_default();
            format!("{kind} must contain {}", length_of(Some(ty), how, length))
        }
    };
    match rule {
        Rule::OneOf(values) => format!("value must be one of: [{}]", comma_list(values)),
        Rule::NoneOf(values) => format!("value must be none of: [{}]", comma_list(values)),
        Rule::MinLen(length) => counted("at least", *length),
        Rule::MaxLen(length) => counted("at most", *length),
        Rule::Len(length) => counted("exactly", *length),
        Rule::MinLenIn(unit, length) => text_length("at least", *length, *unit),
        Rule::MaxLenIn(unit, length) => text_length("at most", *length, *unit),
        Rule::LenIn(unit, length) => text_length("exactly", *length, *unit),
        Rule::OneOfIgnoringCase(words) => format!("value must be one of (ignoring case): [{}]", texts(words)),
        Rule::NoneOfIgnoringCase(words) => {
            format!("value must be none of (ignoring case): [{}]", texts(words))
        }
        Rule::NoNulls => "value must not contain null".to_owned(),
        Rule::Unique => "value must not contain two equal elements".to_owned(),
        Rule::Matches(pattern) => format!("value must match regular expression '{pattern}'"),
        Rule::OnlyIncrease => "value may only increase".to_owned(),
        Rule::OnlyDecrease => "value may only decrease".to_owned(),
        Rule::Immutable => "value may not change".to_owned(),
        rule => match verb(rule, Some(ty)) {
            Some(Verb::IsNotNull) => "value must not be null".to_owned(),
            Some(verb) => format!("value must {}", verb.base()),
            None => format!("value must satisfy: {}", rule.describe_for(ty)),
        },
    }
}

/// The requirement on a length in bytes or grapheme clusters.
fn text_length(how: &str, length: u64, unit: Unit) -> String {
    format!("string must have {}", counted(how, length, unit.noun()))
}

/// What a value must be to satisfy the negation of the rule.
pub(in crate::rule) fn requirement_not(rule: &Rule, ty: &Type) -> String {
    match verb(rule, Some(ty)) {
        Some(Verb::IsNotNull) => "value must be null".to_owned(),
        Some(verb) => format!("value must not {}", verb.base()),
        None => format!("value must not satisfy: {}", rule.describe_for(ty)),
    }
}
