//! The predicates of rules about one value.

use crate::rule::decide::sums;
use crate::rule::{Rule, ValueRule};
use crate::types::Type;
use crate::value::{Value, View};

/// The predicate of a sentence that says what a rule requires of one value, in the forms that sentences need.
pub(super) enum Verb {
    /// `is null`, which negates to `is not null`.
    IsNull,
    /// `is not null`, which negates to `is null`.
    IsNotNull,
    /// A predicate with `is`, such as `is even`; holds the text after the verb, `even`.
    Be(String),
    /// A predicate with another verb, in the third person (`starts with "a"`) and the base form (`start with "a"`).
    Do { third: String, base: String },
}

impl Verb {
    /// The predicate in the third person: `starts with "a"`.
    pub(super) fn third(&self) -> String {
        match self {
            Verb::IsNull => "is null".to_owned(),
            Verb::IsNotNull => "is not null".to_owned(),
            Verb::Be(what) => format!("is {what}"),
            Verb::Do { third, .. } => third.clone(),
        }
    }

    /// The predicate in the base form: `start with "a"`.
    pub(super) fn base(&self) -> String {
        match self {
            Verb::IsNull => "be null".to_owned(),
            Verb::IsNotNull => "be not null".to_owned(),
            Verb::Be(what) => format!("be {what}"),
            Verb::Do { base, .. } => base.clone(),
        }
    }

    /// The negated predicate in the third person: `does not start with "a"`.
    pub(super) fn negated(&self) -> String {
        match self {
            Verb::IsNull => "is not null".to_owned(),
            Verb::IsNotNull => "is null".to_owned(),
            Verb::Be(what) => format!("is not {what}"),
            Verb::Do { base, .. } => format!("does not {base}"),
        }
    }

    /// The predicate as it follows `turns out`: `to start with "a"`.
    pub(super) fn turns_out(&self) -> String {
        match self {
            Verb::IsNull => "null".to_owned(),
            Verb::IsNotNull => "not null".to_owned(),
            verb => format!("to {}", verb.base()),
        }
    }

    /// The negated predicate as it follows `turns out`: `not to start with "a"`.
    pub(super) fn turns_out_not(&self) -> String {
        match self {
            Verb::IsNull => "not null".to_owned(),
            Verb::IsNotNull => "null".to_owned(),
            verb => format!("not to {}", verb.base()),
        }
    }
}

/// The predicate of a keyword in words, with `{}` in the place of its argument.
#[derive(Clone, Copy)]
pub(in crate::rule) enum Phrase {
    /// `is null`.
    IsNull,
    /// `is not null`.
    IsNotNull,
    /// The text after `is`: `a multiple of {}`.
    Is(&'static str),
    /// The text after `has`: `the key {}`.
    Has(&'static str),
    /// In the third person and in the base form: `starts with {}`, `start with {}`.
    Does(&'static str, &'static str),
    /// No predicate: rules about several values and rules with nested rules are described by a whole sentence.
    Sentence,
}

/// The predicate of a rule about one value; `None` for rules about several values and for rules with nested rules.
/// `ty` is the type of the value, if known.
pub(super) fn verb(rule: &Rule, ty: Option<&Type>) -> Option<Verb> {
    let (phrase, object) = match rule {
        // A rule that compares with one value reads as `equals`, and with null as one about null.
        Rule::Value(ValueRule::Equals(value)) => return Some(equal_to(value)),
        Rule::Value(ValueRule::OneOf(values)) if values.len() == 1 => return values.first().map(equal_to),
        Rule::Custom(custom) => (Phrase::Does("satisfies {}", "satisfy {}"), custom.name().to_owned()),
        Rule::Total(total, paths) => (rule.keyword()?.phrase, sums::words_beside(*total, paths)),
        rule => (rule.keyword()?.phrase, rule.operand().in_words(ty)),
    };
    let filled = |text: &str| text.replacen("{}", &object, 1);
    Some(match phrase {
        Phrase::IsNull => Verb::IsNull,
        Phrase::IsNotNull => Verb::IsNotNull,
        Phrase::Is(what) => Verb::Be(filled(what)),
        Phrase::Has(what) => {
            Verb::Do { third: format!("has {}", filled(what)), base: format!("have {}", filled(what)) }
        }
        Phrase::Does(third, base) => Verb::Do { third: filled(third), base: filled(base) },
        Phrase::Sentence => return None,
    })
}

/// The predicate for equality with a value: `is "a"`, or `is null`.
fn equal_to(value: &Value) -> Verb {
    match value.view() {
        View::Null(_) => Verb::IsNull,
        _ => Verb::Be(value.to_string()),
    }
}

/// Writes a string in double quotes, escaped as in messages.
pub(in crate::rule) fn quoted(text: &str) -> String {
    let mut out = String::new();
    // Writing into a String does not fail.
    let _ = crate::text::write_quoted(&mut out, text);
    out
}
