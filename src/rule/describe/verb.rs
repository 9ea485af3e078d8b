//! The predicates of rules about one value.

use crate::rule::decide::sums;
use crate::rule::{Rule, ValueRule};
use crate::types::Type;
use crate::value::{Value, View};

/// The predicate of a sentence that says what a rule requires of one value.
pub(super) struct Verb {
    phrase: Phrase,
    /// The argument of the rule in words, which stands in the place of `{}`.
    object: String,
}

impl Verb {
    /// Whether the predicate is `is not null`.
    pub(super) fn is_not_null(&self) -> bool {
        matches!(self.phrase, Phrase::IsNotNull)
    }

    /// The predicate in the third person: `starts with "a"`.
    pub(super) fn third(&self) -> String {
        match self.phrase {
            Phrase::IsNull => "is null".to_owned(),
            Phrase::IsNotNull => "is not null".to_owned(),
            Phrase::Is(text) => self.filled(["is ", ""], text),
            Phrase::Has(text) => self.filled(["has ", ""], text),
            Phrase::Does(text, _) => self.filled(["", ""], text),
            Phrase::Sentence => String::new(),
        }
    }

    /// The predicate in the base form, after the words `before`: `value must start with "a"`.
    pub(super) fn base(&self, before: &str) -> String {
        match self.phrase {
            Phrase::IsNull => format!("{before}be null"),
            Phrase::IsNotNull => format!("{before}be not null"),
            Phrase::Is(text) => self.filled([before, "be "], text),
            Phrase::Has(text) => self.filled([before, "have "], text),
            Phrase::Does(_, text) => self.filled([before, ""], text),
            Phrase::Sentence => before.to_owned(),
        }
    }

    /// The negated predicate in the third person: `does not start with "a"`.
    pub(super) fn negated(&self) -> String {
        match self.phrase {
            Phrase::IsNull => "is not null".to_owned(),
            Phrase::IsNotNull => "is null".to_owned(),
            Phrase::Is(text) => self.filled(["is not ", ""], text),
            _ => self.base("does not "),
        }
    }

    /// The predicate as it follows `turns out`: `to start with "a"`.
    pub(super) fn turns_out(&self) -> String {
        match self.phrase {
            Phrase::IsNull => "null".to_owned(),
            Phrase::IsNotNull => "not null".to_owned(),
            _ => self.base("to "),
        }
    }

    /// The negated predicate as it follows `turns out`: `not to start with "a"`.
    pub(super) fn turns_out_not(&self) -> String {
        match self.phrase {
            Phrase::IsNull => "not null".to_owned(),
            Phrase::IsNotNull => "null".to_owned(),
            _ => self.base("not to "),
        }
    }

    /// The words `before`, and the text with the argument in the place of `{}`.
    fn filled(&self, [before, verb]: [&str; 2], text: &str) -> String {
        // Searching for one byte is faster than for both.
        match text.split_once('{') {
            Some((start, end)) => {
                [before, verb, start, &self.object, end.strip_prefix('}').unwrap_or(end)].concat()
            }
            None => [before, verb, text].concat(),
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
        rule => match rule.keyword()?.phrase {
            Phrase::Sentence => return None,
            phrase => (phrase, rule.operand().in_words(ty)),
        },
    };
    Some(Verb { phrase, object })
}

/// The predicate for equality with a value: `is "a"`, or `is null`.
fn equal_to(value: &Value) -> Verb {
    match value.view() {
        View::Null(_) => Verb { phrase: Phrase::IsNull, object: String::new() },
        _ => Verb { phrase: Phrase::Is("{}"), object: value.to_string() },
    }
}

/// Writes a string in double quotes, escaped as in messages.
pub(in crate::rule) fn quoted(text: &str) -> String {
    let mut out = String::new();
    // Writing into a String does not fail.
    let _ = crate::text::write_quoted(&mut out, text);
    out
}
