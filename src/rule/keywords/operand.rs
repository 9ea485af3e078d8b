//! The argument of a rule, whatever its family: written as text, as a value and in words.

use std::fmt;

use crate::error::Result;
use crate::number::Number;
use crate::path::Step;
use crate::text::write_quoted;
use crate::types::Type;
use crate::value::Value;

use super::form::{operand_form, stored_operands};
use crate::rule::describe::{comma_list, condition, quoted};
use crate::rule::{Format, LengthRule, Networks, PathExpr, Pattern, Requirement, Rule, Schemes, Words};

/// The argument of a rule that has no nested rules, by kind; it borrows from the rule.
pub(crate) enum Operand<'r> {
    None,
    Text(&'r str),
    Length(&'r LengthRule),
    Number(&'r Number),
    Value(&'r Value),
    Values(&'r [Value]),
    Words(&'r Words),
    Pattern(&'r Pattern),
    Format(Format),
    Type(&'r Type),
    Schemes(&'r Schemes),
    Networks(&'r Networks),
    Paths(Vec<&'r PathExpr>),
    Requirement(&'r Requirement),
    /// The keys that `one_not_null` counts; `None` for all keys.
    Keys(Option<&'r [String]>),
    /// The name of a custom function.
    Function(&'r str),
}

impl Rule {
    /// The argument of the rule; `Operand::None` for a rule without argument or with nested rules.
    pub(crate) fn operand(&self) -> Operand<'_> {
        match self {
            Rule::Value(rule) => rule.operand(),
            Rule::Text(rule) => rule.operand(),
            Rule::Length(rule) => Operand::Length(rule),
            Rule::Number(rule) => rule.operand(),
            Rule::Members(rule) => rule.operand(),
            Rule::Presence(_, paths) | Rule::Total(_, paths) => Operand::Paths(paths.iter().collect()),
            Rule::Requires(rule) => rule.operand(),
            Rule::Custom(custom) => Operand::Function(custom.name()),
            Rule::NotNull
            | Rule::IsNull
            | Rule::Change(_)
            | Rule::At(..)
            | Rule::Keys(_)
            | Rule::All(_)
            | Rule::Sequence(_)
            | Rule::Any(_)
            | Rule::Not(_)
            | Rule::Implies(..)
            | Rule::When(..) => Operand::None,
        }
    }
}

impl Operand<'_> {
    /// Converts the argument to the value that a document stores; `true` if there is none. An error if it is marked,
    /// unknown or has a capsule inside.
    pub(super) fn form(&self) -> Result<Value> {
        let texts = |texts: &[String]| Value::tuple(texts.iter().map(String::as_str));
        match self {
            Operand::None | Operand::Keys(None) => Ok(Value::from(true)),
            Operand::Text(text) | Operand::Function(text) => Ok(Value::from(*text)),
            Operand::Length(rule) => Ok(Value::from(rule.length)),
            Operand::Number(number) => operand_form(&Value::from(*number)),
            Operand::Value(value) => operand_form(value),
            Operand::Values(values) => stored_operands(values),
            Operand::Words(words) => texts(words.texts()),
            Operand::Pattern(pattern) => Ok(Value::from(pattern.as_str())),
            Operand::Format(format) => Ok(Value::from(format.name())),
            Operand::Type(ty) if ty.has_capsule() => Err(crate::types::json::not_allowed(ty)),
            Operand::Type(ty) => Ok(Value::from(ty.to_string())),
            Operand::Schemes(schemes) => texts(schemes.names()),
            Operand::Networks(networks) => {
                Value::tuple([u64::from(networks.least()), networks.most().into()])
            }
            Operand::Paths(paths) => Value::tuple(paths.iter().map(ToString::to_string)),
            Operand::Requirement(requirement) => requirement_form(requirement),
            Operand::Keys(Some(keys)) => texts(keys),
        }
    }

    /// Writes the rule as a call, its name with the argument: `one_of("a", "b")`.
    pub(in crate::rule) fn write_call(&self, name: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(name)?;
        let all_quoted = |texts: &[String]| texts.iter().map(|text| quoted(text)).collect::<Vec<String>>();
        match self {
            Operand::None | Operand::Keys(None) => Ok(()),
            Operand::Text(text) => write_text(f, text),
            Operand::Pattern(pattern) => write_text(f, pattern.as_str()),
            Operand::Function(name) => write!(f, "({name})"),
            Operand::Length(rule) => write!(f, "({})", rule.length),
            Operand::Number(number) => write!(f, "({number})"),
            Operand::Value(value) => write!(f, "({value})"),
            Operand::Format(format) => write!(f, "({format})"),
            Operand::Type(ty) => write!(f, "({ty})"),
            Operand::Networks(networks) => write!(f, "({}, {})", networks.least(), networks.most()),
            Operand::Values(values) => write_list(f, values),
            Operand::Words(words) => {
                let texts: Vec<Value> = words.texts().iter().map(Into::into).collect();
                write_list(f, &texts)
            }
            Operand::Schemes(schemes) => write_list(f, &all_quoted(schemes.names())),
            Operand::Keys(Some(keys)) => write_list(f, &all_quoted(keys)),
            Operand::Paths(paths) => write_list(f, paths),
            Operand::Requirement(requirement) => {
                write!(f, "({}", condition(&requirement.path, &requirement.one_of))?;
                requirement.required.iter().try_for_each(|path| write!(f, ", {path}"))?;
                f.write_str(")")
            }
        }
    }

    /// Writes the argument as it stands in a sentence: `"a"` in `starts with "a"`. `ty` is the type of the values, if
    /// known: it decides what a length counts.
    pub(in crate::rule) fn in_words(&self, ty: Option<&Type>) -> String {
        match self {
            Operand::None | Operand::Requirement(_) => String::new(),
            Operand::Text(text) => quoted(text),
            Operand::Function(name) => (*name).to_owned(),
            Operand::Length(rule) => rule.in_words(ty),
            Operand::Number(number) => number.to_string(),
            Operand::Value(value) => value.to_string(),
            Operand::Values(values) => comma_list(values),
            Operand::Words(words) => quoted_list(words.texts()),
            Operand::Pattern(pattern) => pattern.to_string(),
            Operand::Format(format) => format.noun().to_owned(),
            Operand::Type(ty) => ty.to_string(),
            Operand::Schemes(schemes) => match schemes.names() {
                [] => String::new(),
                [name] => format!(" with the scheme {name}"),
                names => format!(" with one of the schemes {}", comma_list(names)),
            },
            Operand::Networks(networks) if networks.least() == networks.most() => {
                networks.least().to_string()
            }
            Operand::Networks(networks) => format!("{} to {}", networks.least(), networks.most()),
            Operand::Paths(paths) => comma_list(paths),
            Operand::Keys(None) => "part that is".to_owned(),
            Operand::Keys(Some(keys)) => format!("of {}", quoted_list(keys)),
        }
    }
}

/// Writes the strings in double quotes, separated by commas.
pub(in crate::rule) fn quoted_list(texts: &[String]) -> String {
    comma_list(&texts.iter().map(|text| quoted(text)).collect::<Vec<String>>())
}

/// Converts the argument of `required_when` to the object that a document stores.
fn requirement_form(requirement: &Requirement) -> Result<Value> {
    let required = Value::tuple(requirement.required.iter().map(PathExpr::to_string))?;
    Value::object([
        ("path", Value::from(requirement.path.to_string())),
        ("one_of", stored_operands(&requirement.one_of).map_err(|error| error.under(Step::attr("one_of")))?),
        ("required", required),
    ])
}

/// Writes items between parentheses: `("a", "b")`.
pub(in crate::rule) fn write_list<T: fmt::Display>(f: &mut fmt::Formatter<'_>, items: &[T]) -> fmt::Result {
    f.write_str("(")?;
    for (i, item) in items.iter().enumerate() {
        f.write_str(if i > 0 { ", " } else { "" })?;
        fmt::Display::fmt(item, f)?;
    }
    f.write_str(")")
}

/// Writes a quoted string between parentheses: `("a")`.
fn write_text(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    f.write_str("(")?;
    write_quoted(f, text)?;
    f.write_str(")")
}
