//! The predicates of rules about one value.

use crate::rule::decide::sums;
use crate::rule::{Rule, Words};
use crate::types::Type;
use crate::value::{Value, View};

use super::comma_list;

/// The predicate of a rule about one value.
pub(super) enum Verb {
    /// `is null`, which negates to `is not null`.
    IsNull,
    /// `is not null`, which negates to `is null`.
    IsNotNull,
    /// `is even`, by what follows the verb: `even`.
    Be(String),
    /// `starts with "a"` and `start with "a"`.
    Do { third: String, base: String },
}

impl Verb {
    /// In the third person: `starts with "a"`.
    pub(super) fn third(&self) -> String {
        match self {
            Verb::IsNull => "is null".to_owned(),
            Verb::IsNotNull => "is not null".to_owned(),
            Verb::Be(what) => format!("is {what}"),
            Verb::Do { third, .. } => third.clone(),
        }
    }

    /// In the base form: `start with "a"`.
    pub(super) fn base(&self) -> String {
        match self {
            Verb::IsNull => "be null".to_owned(),
            Verb::IsNotNull => "be not null".to_owned(),
            Verb::Be(what) => format!("be {what}"),
            Verb::Do { base, .. } => base.clone(),
        }
    }

    /// The negation in the third person: `does not start with "a"`.
    pub(super) fn negated(&self) -> String {
        match self {
            Verb::IsNull => "is not null".to_owned(),
            Verb::IsNotNull => "is null".to_owned(),
            Verb::Be(what) => format!("is not {what}"),
            Verb::Do { base, .. } => format!("does not {base}"),
        }
    }

    /// After `turns out`: `to start with "a"`.
    pub(super) fn turns_out(&self) -> String {
        match self {
            Verb::IsNull => "null".to_owned(),
            Verb::IsNotNull => "not null".to_owned(),
            verb => format!("to {}", verb.base()),
        }
    }

    /// The negation after `turns out`: `not to start with "a"`.
    pub(super) fn turns_out_not(&self) -> String {
        match self {
            Verb::IsNull => "not null".to_owned(),
            Verb::IsNotNull => "null".to_owned(),
            verb => format!("not to {}", verb.base()),
        }
    }
}

/// The predicate of a rule about one value; `None` for rules about several parts and for rules with nested rules.
pub(super) fn verb(rule: &Rule, ty: Option<&Type>) -> Option<Verb> {
    let being = Verb::Be;
    let doing = |third: &str, base: &str, what: String| Verb::Do {
        third: format!("{third} {what}"),
        base: format!("{base} {what}"),
    };
    // A rule that compares with null reads as one about null.
    let equal_to = |value: &Value| match value.view() {
        View::Null(_) => Verb::IsNull,
        _ => Verb::Be(value.to_string()),
    };
    Some(match rule {
        Rule::NotNull => Verb::IsNotNull,
        Rule::IsNull => Verb::IsNull,
        Rule::Equals(value) => equal_to(value),
        Rule::OneOf(values) => match values.as_slice() {
            [value] => equal_to(value),
            values => being(format!("one of {}", comma_list(values))),
        },
        Rule::NoneOf(values) => being(format!("none of {}", comma_list(values))),
        Rule::StartsWith(text) => doing("starts with", "start with", quoted(text)),
        Rule::EndsWith(text) => doing("ends with", "end with", quoted(text)),
        Rule::Contains(value) => doing("contains", "contain", value.to_string()),
        Rule::MinLen(length) => doing("has", "have", length_of(ty, "at least", *length)),
        Rule::MaxLen(length) => doing("has", "have", length_of(ty, "at most", *length)),
        Rule::Len(length) => doing("has", "have", length_of(ty, "exactly", *length)),
        Rule::MinLenIn(unit, length) => doing("has", "have", counted("at least", *length, unit.noun())),
        Rule::MaxLenIn(unit, length) => doing("has", "have", counted("at most", *length, unit.noun())),
        Rule::LenIn(unit, length) => doing("has", "have", counted("exactly", *length, unit.noun())),
        Rule::MultipleOf(number) => being(format!("a multiple of {number}")),
        Rule::Even => being("even".to_owned()),
        Rule::Odd => being("odd".to_owned()),
        Rule::Format(format) => being(format.noun().to_owned()),
        Rule::OneOfIgnoringCase(words) => being(format!("one of {} in any case", texts(words))),
        Rule::NoneOfIgnoringCase(words) => being(format!("none of {} in any case", texts(words))),
        Rule::NoNulls => being("without nulls".to_owned()),
        Rule::Unique => doing("has", "have", "no two equal elements".to_owned()),
        Rule::HasKey(key) => doing("has", "have", format!("the key {}", quoted(key))),
        Rule::NotZero => being("neither empty nor 0".to_owned()),
        Rule::TypeIs(ty) => being(format!("of type {ty}")),
        Rule::Port => being("a port number".to_owned()),
        Rule::PortOrZero => being("a port number or 0".to_owned()),
        Rule::Url(schemes) => being(match schemes.names() {
            [] => "a URL".to_owned(),
            [name] => format!("a URL with the scheme {name}"),
            names => format!("a URL with one of the schemes {}", comma_list(names)),
        }),
        Rule::CidrNetwork(networks) if networks.least() == networks.most() => {
            being(format!("the CIDR block of a network of {} bits", networks.least()))
        }
        Rule::CidrNetwork(networks) => {
            being(format!("the CIDR block of a network of {} to {} bits", networks.least(), networks.most()))
        }
        Rule::OneNotNull(None) => doing("has", "have", "exactly one part that is not null".to_owned()),
        Rule::OneNotNull(Some(keys)) => {
            let keys: Vec<String> = keys.iter().map(|key| quoted(key)).collect();
            doing("has", "have", format!("exactly one of {} not null", comma_list(&keys)))
        }
        Rule::AtLeastSumOf(paths)
        | Rule::AtMostSumOf(paths)
        | Rule::EqualToSumOf(paths)
        | Rule::EqualToProductOf(paths) => being(sums::words_beside(rule, paths)),
        Rule::Min(number) => being(format!("at least {number}")),
        Rule::Max(number) => being(format!("at most {number}")),
        Rule::NotBefore(text) => being(format!("{} or after it", quoted(text))),
        Rule::NotAfter(text) => being(format!("{} or before it", quoted(text))),
        Rule::Matches(pattern) => doing("matches", "match", pattern.to_string()),
        Rule::OnlyIncrease => {
            Verb::Do { third: "only increases".to_owned(), base: "only increase".to_owned() }
        }
        Rule::OnlyDecrease => {
            Verb::Do { third: "only decreases".to_owned(), base: "only decrease".to_owned() }
        }
        Rule::MultipleOfOld => being("a multiple of what it was".to_owned()),
        Rule::Immutable => doing("stays", "stay", "as it was".to_owned()),
        Rule::Custom(custom) => doing("satisfies", "satisfy", custom.name().to_owned()),
        // Rules about several parts have a sentence and no verb.
        Rule::ExactlyOneOf(_)
        | Rule::AtLeastOneOf(_)
        | Rule::Conflicting(_)
        | Rule::RequiredTogether(_)
        | Rule::AlsoRequires(..)
        | Rule::RequiredWhen(_)
        | Rule::PreferWriteOnly(..)
        | Rule::At(..)
        | Rule::Keys(_)
        | Rule::All(_)
        | Rule::Sequence(_)
        | Rule::Any(_)
        | Rule::Not(_)
        | Rule::Implies(..)
        | Rule::When(..) => return None,
    })
}

/// The string in quotes, escaped as in messages.
pub(in crate::rule) fn quoted(text: &str) -> String {
    let mut out = String::new();
    // Writing into a String does not fail.
    let _ = crate::text::write_quoted(&mut out, text);
    out
}

/// `at least 16 characters`, `exactly 1 element`; `a length of at least 16` where the type is not known.
pub(in crate::rule) fn length_of(ty: Option<&Type>, how: &str, length: u64) -> String {
    let noun = match ty {
        Some(Type::String) => "character",
        Some(Type::Set(_)) => "member",
        Some(Type::Object(_)) => "attribute",
        Some(Type::List(_) | Type::Map(_) | Type::Tuple(_)) => "element",
        _ if how == "exactly" => return format!("a length of {length}"),
        _ => return format!("a length of {how} {length}"),
    };
    counted(how, length, noun)
}

/// A count with its noun in the right number: `at least 1 byte`.
pub(super) fn counted(how: &str, length: u64, noun: &str) -> String {
    let plural = if length == 1 { "" } else { "s" };
    format!("{how} {length} {noun}{plural}")
}

/// The words, quoted and separated by commas.
pub(super) fn texts(words: &Words) -> String {
    let quoted: Vec<String> = words.texts().iter().map(|text| quoted(text)).collect();
    comma_list(&quoted)
}
