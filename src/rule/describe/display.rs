//! Writes a rule on one line: `Display` and `Debug`.

use std::fmt;

use crate::text::write_quoted;

use super::{condition, quoted};
use crate::rule::{PathExpr, Requirement, Rule};

/// The names are those of the [keyword table](crate::rule::keywords). Operands that are marked are not shown.
///
/// ```
/// use plantime::rule::Rule;
///
/// let rule = Rule::at("vpc_id".parse()?, Rule::all([Rule::NotNull, Rule::starts_with("vpc-")])?)?;
/// assert_eq!(rule.to_string(), r#"at(vpc_id, all(not_null, starts_with("vpc-")))"#);
/// # Ok::<(), plantime::Error>(())
/// ```
impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.name();
        match self {
            Rule::At(path, rule) => write!(f, "{name}({path}, {})", &**rule),
            Rule::All(rules) | Rule::Any(rules) | Rule::Sequence(rules) => write_call(f, name, rules),
            Rule::Not(rule) | Rule::Keys(rule) => write!(f, "{name}({})", &**rule),
            Rule::Implies(a, b) | Rule::When(a, b) => write!(f, "{name}({}, {})", &**a, &**b),
            rule => write_leaf(rule, name, f),
        }
    }
}

/// Writes a rule without nested rules. Not inlined: rules nest up to 256 deep, and a debug build has 1 MiB of stack
/// for all their frames.
#[inline(never)]
fn write_leaf(rule: &Rule, name: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match rule {
        Rule::NotNull
        | Rule::IsNull
        | Rule::Even
        | Rule::Odd
        | Rule::NoNulls
        | Rule::NotZero
        | Rule::Port
        | Rule::PortOrZero
        | Rule::Unique
        | Rule::OnlyIncrease
        | Rule::OnlyDecrease
        | Rule::MultipleOfOld
        | Rule::Immutable => f.write_str(name),
        Rule::Equals(value) | Rule::Contains(value) => write!(f, "{name}({value})"),
        Rule::OneOf(values) | Rule::NoneOf(values) => write_call(f, name, values),
        Rule::StartsWith(text) | Rule::EndsWith(text) | Rule::NotBefore(text) | Rule::NotAfter(text) => {
            write_text_call(f, name, text)
        }
        Rule::MinLen(length)
        | Rule::MaxLen(length)
        | Rule::Len(length)
        | Rule::MinLenIn(_, length)
        | Rule::MaxLenIn(_, length)
        | Rule::LenIn(_, length) => write!(f, "{name}({length})"),
        Rule::Min(number) | Rule::Max(number) | Rule::MultipleOf(number) => write!(f, "{name}({number})"),
        Rule::Format(format) => write!(f, "{name}({format})"),
        Rule::OneOfIgnoringCase(words) | Rule::NoneOfIgnoringCase(words) => {
            let texts: Vec<crate::value::Value> = words.texts().iter().map(Into::into).collect();
            write_call(f, name, &texts)
        }
        Rule::HasKey(key) => write_text_call(f, name, key),
        Rule::Matches(pattern) => write_text_call(f, name, pattern.as_str()),
        Rule::ExactlyOneOf(paths)
        | Rule::AtLeastOneOf(paths)
        | Rule::Conflicting(paths)
        | Rule::RequiredTogether(paths)
        | Rule::AtLeastSumOf(paths)
        | Rule::AtMostSumOf(paths)
        | Rule::EqualToSumOf(paths)
        | Rule::EqualToProductOf(paths) => write_call::<PathExpr>(f, name, paths),
        Rule::AlsoRequires(..) | Rule::PreferWriteOnly(..) => write_call(f, name, &rule.operands()),
        Rule::RequiredWhen(requirement) => {
            let Requirement { path, one_of, required } = &**requirement;
            write!(f, "{name}({}", condition(path, one_of))?;
            required.iter().try_for_each(|path| write!(f, ", {path}"))?;
            f.write_str(")")
        }
        Rule::TypeIs(ty) => write!(f, "{name}({ty})"),
        Rule::Url(schemes) => {
            let names: Vec<String> = schemes.names().iter().map(|name| quoted(name)).collect();
            write_call(f, name, &names)
        }
        Rule::CidrNetwork(networks) => write!(f, "{name}({}, {})", networks.least(), networks.most()),
        Rule::OneNotNull(None) => f.write_str(name),
        Rule::OneNotNull(Some(keys)) => {
            let keys: Vec<String> = keys.iter().map(|key| quoted(key)).collect();
            write_call(f, name, &keys)
        }
        Rule::Custom(custom) => write!(f, "{name}({})", custom.name()),
        // `Display::fmt` writes the rules with nested rules.
        Rule::At(..)
        | Rule::All(_)
        | Rule::Sequence(_)
        | Rule::Any(_)
        | Rule::Not(_)
        | Rule::Keys(_)
        | Rule::Implies(..)
        | Rule::When(..) => f.write_str(name),
    }
}

/// Writes a name and its arguments: `one_of("a", "b")`.
fn write_call<T: fmt::Display>(f: &mut fmt::Formatter<'_>, name: &str, items: &[T]) -> fmt::Result {
    write!(f, "{name}(")?;
    for (i, item) in items.iter().enumerate() {
        f.write_str(if i > 0 { ", " } else { "" })?;
        fmt::Display::fmt(item, f)?;
    }
    f.write_str(")")
}

/// Writes a name and one quoted argument: `starts_with("a")`.
fn write_text_call(f: &mut fmt::Formatter<'_>, name: &str, text: &str) -> fmt::Result {
    write!(f, "{name}(")?;
    write_quoted(f, text)?;
    f.write_str(")")
}

impl fmt::Debug for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
