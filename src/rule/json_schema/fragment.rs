//! One rule as keywords.

use std::collections::BTreeMap;

use crate::error::Result;
use crate::number::Number;
use crate::rule::keywords::form::bare;
use crate::rule::{Format, Pattern, Rule, Unit};
use crate::types::Type;
use crate::value::{Value, View};

use super::compile::kind;
use super::fit::fit;
use super::{Dialect, Nulls, any_case, ecma, presence, strings};

/// The keywords of one schema.
#[derive(Clone, Debug, Default)]
pub(super) struct Keywords {
    plain: BTreeMap<String, Value>,
    lists: BTreeMap<String, Vec<Value>>,
}

impl Keywords {
    pub(super) fn set(&mut self, keyword: &str, value: Value) {
        self.plain.insert(keyword.to_owned(), value);
    }

    pub(super) fn push(&mut self, keyword: &str, value: Value) {
        self.lists.entry(keyword.to_owned()).or_default().push(value);
    }

    /// Merges two fragments; a keyword that both have goes to an `allOf` of its own.
    pub(super) fn merge(&mut self, other: Keywords) -> Result<()> {
        let free = |name: &String, value: &Value| self.plain.get(name).is_none_or(|known| known == value);
        let lists = other.lists.keys().all(|name| name == "allOf" || !self.lists.contains_key(name));
        if lists && other.plain.iter().all(|(name, value)| free(name, value)) {
            self.plain.extend(other.plain);
            for (name, values) in other.lists {
                self.lists.entry(name).or_default().extend(values);
            }
        } else {
            let value = other.into_value()?;
            self.push("allOf", value);
        }
        Ok(())
    }

    /// Where null is not allowed, it is no alternative either.
    pub(super) fn without_null(&mut self, dialect: Dialect) -> Result<()> {
        let Some(values) = self.plain.get("enum").and_then(crate::rule::keywords::elements) else {
            return Ok(());
        };
        let mut values: Vec<Value> = values.into_iter().filter(|value| !value.is_null()).collect();
        match (values.len(), dialect, values.pop()) {
            (1, Dialect::JsonSchema, Some(only)) => {
                self.plain.remove("enum");
                self.set("const", only);
            }
            (_, _, Some(last)) => {
                values.push(last);
                self.set("enum", Value::tuple(values)?);
            }
            (_, _, None) => {}
        }
        Ok(())
    }

    pub(super) fn into_value(self) -> Result<Value> {
        let lists = self.lists.into_iter().map(|(name, values)| Ok((name, Value::tuple(values)?)));
        let lists = lists.collect::<Result<Vec<(String, Value)>>>()?;
        Value::object(self.plain.into_iter().chain(lists))
    }
}

/// A rule as keywords, for values of one type, null included.
#[derive(Debug)]
pub(super) struct Fragment {
    /// What holds wherever the rule does.
    pub(super) keywords: Keywords,
    /// Whether the keywords, read back, give the answers of the rule.
    pub(super) exact: bool,
}

impl Fragment {
    /// No keyword says anything of it.
    pub(super) fn nothing() -> Fragment {
        Fragment { keywords: Keywords::default(), exact: false }
    }

    pub(super) fn some<const N: usize>(exact: bool, pairs: [(&str, Value); N]) -> Fragment {
        let plain = pairs.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        Fragment { keywords: Keywords { plain, lists: BTreeMap::new() }, exact }
    }

    fn is_nothing(&self) -> bool {
        self.keywords.plain.is_empty() && self.keywords.lists.is_empty()
    }

    /// Rules that are not listed have no keyword.
    pub(super) fn of(rule: &Rule, ty: &Type, dialect: Dialect) -> Result<Fragment> {
        match rule {
            Rule::All(_)
            | Rule::Sequence(_)
            | Rule::Any(_)
            | Rule::Not(_)
            | Rule::Implies(..)
            | Rule::When(..) => combined(rule, ty, dialect),
            // Kubernetes takes no types below `oneOf` and `anyOf`; there CEL says it.
            Rule::ExactlyOneOf(_) | Rule::AtLeastOneOf(_) if dialect == Dialect::Kubernetes => {
                Ok(Fragment::nothing())
            }
            Rule::ExactlyOneOf(paths) => presence::one_of(paths, ty, "oneOf"),
            Rule::AtLeastOneOf(paths) => presence::one_of(paths, ty, "anyOf"),
            Rule::AlsoRequires(..) | Rule::RequiredWhen(_) | Rule::OneNotNull(_)
                if dialect == Dialect::Kubernetes =>
            {
                Ok(Fragment::nothing())
            }
            Rule::AlsoRequires(path, others) => presence::also_requires(path, others, ty),
            Rule::RequiredWhen(requirement) => presence::required_when(requirement, ty),
            Rule::OneNotNull(keys) => presence::one_not_null(keys.as_deref(), ty),
            rule => single(rule, ty, dialect),
        }
    }
}

#[inline(never)]
fn single(rule: &Rule, ty: &Type, dialect: Dialect) -> Result<Fragment> {
    let exactly = |keyword: &str, value: Value| Ok(Fragment::some(true, [(keyword, value)]));
    let implied = |keyword: &str, value: Value| Ok(Fragment::some(false, [(keyword, value)]));
    let number = |keyword: &str, number: &Number| match number.is_finite() {
        true => exactly(keyword, number.clone().into()),
        false => Ok(Fragment::nothing()),
    };
    match (rule, ty) {
        (Rule::IsNull, _) => exactly("enum", Value::tuple([Value::null(Type::Dynamic)])?),
        (Rule::Equals(value), ty) => alternatives(std::slice::from_ref(value), ty),
        (Rule::OneOf(values), ty) => alternatives(values, ty),
        (Rule::NoneOf(values), ty) => {
            let found = operands(values, ty)?;
            let exact = found.1 && !found.0.is_empty();
            let not = Value::object([("enum", Value::tuple(found.0)?)])?;
            Ok(if exact { Fragment::some(true, [("not", not)]) } else { Fragment::nothing() })
        }
        (Rule::StartsWith(text), _) => literal("^", text, ""),
        (Rule::EndsWith(text), _) => literal("", text, "$"),
        (Rule::Contains(value), Type::String) => literal("", value.as_str().unwrap_or_default(), ""),
        (Rule::Contains(value), ty) if dialect == Dialect::JsonSchema => contains(value, ty),
        (Rule::MinLen(length), ty) => length_of(Some(*length), None, ty),
        (Rule::MaxLen(length), ty) => length_of(None, Some(*length), ty),
        (Rule::Len(length), ty) => length_of(Some(*length), Some(*length), ty),
        // A character has one to four bytes, and a grapheme cluster at least one character.
        (Rule::MaxLenIn(Unit::Bytes, most), _) => implied("maxLength", Value::from(*most)),
        (Rule::MinLenIn(Unit::Bytes, least), _) => implied("minLength", Value::from(least.div_ceil(4))),
        (Rule::LenIn(Unit::Bytes, length), _) => Ok(Fragment::some(
            false,
            [("minLength", Value::from(length.div_ceil(4))), ("maxLength", Value::from(*length))],
        )),
        (Rule::LenIn(Unit::Graphemes, least), _) => implied("minLength", Value::from(*least)),
        (Rule::MinLenIn(Unit::Graphemes, least), _) => implied("minLength", Value::from(*least)),
        (Rule::Min(least), _) => number("minimum", least),
        (Rule::Max(most), _) => number("maximum", most),
        (Rule::MultipleOf(step), _) if !step.is_zero() => number("multipleOf", &step.absolute()),
        (Rule::Even, _) => exactly("multipleOf", Value::from(2)),
        (Rule::Odd, _) => implied("multipleOf", Value::from(1)),
        (Rule::Format(Format::Regex), _) => Ok(Fragment::nothing()),
        (Rule::Format(format), _) => {
            let exact = *format != Format::Hostname;
            Ok(Fragment::some(exact, [("format", Value::from(strings::format_name(*format, dialect)))]))
        }
        (Rule::Matches(pattern), _) => matches(pattern, dialect),
        (Rule::NotZero, Type::String) => exactly("minLength", Value::from(1)),
        (Rule::NotZero, _) => exactly("not", Value::object([("enum", Value::tuple([0])?)])?),
        (Rule::Port, _) => whole(1, 65_535),
        (Rule::PortOrZero, _) => whole(0, 65_535),
        (Rule::OneOfIgnoringCase(words), _) => any_case::one_of(words),
        (Rule::NoneOfIgnoringCase(words), _) if dialect != Dialect::Kubernetes => any_case::none_of(words),
        (Rule::Url(schemes), _) => any_case::url(schemes, dialect),
        (Rule::CidrNetwork(_), _) => implied("format", Value::from(Format::CidrNetwork.name())),
        (Rule::Keys(inside), Type::Map(_)) if dialect == Dialect::JsonSchema => {
            let keys = Fragment::of(inside, &Type::String, dialect)?;
            match keys.is_nothing() {
                true => Ok(keys),
                false => Ok(Fragment::some(keys.exact, [("propertyNames", keys.keywords.into_value()?)])),
            }
        }
        (Rule::NoNulls, Type::List(_) | Type::Set(_)) if dialect == Dialect::JsonSchema => {
            let null = Value::object([("type", "null")])?;
            implied("not", Value::object([("type", Value::from("array")), ("contains", null)])?)
        }
        (Rule::Unique, Type::List(_) | Type::Tuple(_)) if dialect != Dialect::Kubernetes => {
            exactly("uniqueItems", Value::from(true))
        }
        (Rule::HasKey(key), Type::Map(_)) => exactly("required", Value::tuple([key.as_str()])?),
        _ => Ok(Fragment::nothing()),
    }
}

/// A whole number between two.
fn whole(least: u64, most: u64) -> Result<Fragment> {
    let pairs = [("multipleOf", Value::from(1)), ("minimum", least.into()), ("maximum", most.into())];
    Ok(Fragment::some(true, pairs))
}

fn matches(pattern: &Pattern, dialect: Dialect) -> Result<Fragment> {
    // OpenAPI is often read by engines that do not know ECMAScript's codes of characters.
    let known = |text: &String| {
        strings::compiled(text).is_some() && (dialect == Dialect::JsonSchema || !text.contains(r"\u{"))
    };
    let ecma = ecma::to_ecma(pattern.as_str()).filter(known);
    Ok(match ecma {
        Some(text) => Fragment::some(true, [("pattern", Value::from(text))]),
        None => Fragment::nothing(),
    })
}

/// A literal part of a text, as an expression.
fn literal(before: &str, text: &str, after: &str) -> Result<Fragment> {
    if text.is_empty() || crate::text::nfc(text) != text {
        return Ok(Fragment::nothing());
    }
    Ok(Fragment::some(true, [("pattern", Value::from(format!("{before}{}{after}", ecma::quoted(text))))]))
}

/// The operands that values of the type can equal, as JSON; and whether nothing is lost.
pub(super) fn operands(values: &[Value], ty: &Type) -> Result<(Vec<Value>, bool)> {
    let mut found = Vec::with_capacity(values.len());
    let mut exact = !ty.has_dynamic();
    for value in values.iter().filter(|value| !value.is_null()) {
        if value.contains_marks() || !value.is_wholly_known() {
            return Ok((Vec::new(), false));
        }
        let json = bare(value)?;
        match fit(&json, ty, Nulls::AreAbsent) {
            Some(fits) if fits == *value => found.push(json),
            Some(_) => exact = false,
            // No value of the type has this form, so none is equal.
            None if value.ty() == *ty => exact = false,
            None => {}
        }
    }
    Ok((found, exact))
}

/// Null passes.
fn alternatives(values: &[Value], ty: &Type) -> Result<Fragment> {
    let (mut found, exact) = operands(values, ty)?;
    if !exact {
        return Ok(Fragment::nothing());
    }
    found.push(Value::null(Type::Dynamic));
    Ok(Fragment::some(true, [("enum", Value::tuple(found)?)]))
}

fn contains(value: &Value, ty: &Type) -> Result<Fragment> {
    let Some(element) = ty.element_type() else { return Ok(Fragment::nothing()) };
    if value.is_null() {
        return Ok(Fragment::nothing());
    }
    let (found, exact) = operands(std::slice::from_ref(value), element)?;
    let (true, Some(only)) = (exact, found.into_iter().next()) else { return Ok(Fragment::nothing()) };
    Ok(Fragment::some(true, [("contains", Value::object([("const", only)])?)]))
}

fn length_of(least: Option<u64>, most: Option<u64>, ty: &Type) -> Result<Fragment> {
    let (min, max) = match ty {
        Type::String => ("minLength", "maxLength"),
        Type::List(_) | Type::Set(_) | Type::Tuple(_) => ("minItems", "maxItems"),
        Type::Map(_) => ("minProperties", "maxProperties"),
        // How many attributes an object has is part of its type.
        _ => return Ok(Fragment::nothing()),
    };
    let mut keywords = Keywords::default();
    least.into_iter().for_each(|least| keywords.set(min, Value::from(least)));
    most.into_iter().for_each(|most| keywords.set(max, Value::from(most)));
    Ok(Fragment { keywords, exact: true })
}

/// Combinators: what holds wherever they do.
#[inline(never)]
fn combined(rule: &Rule, ty: &Type, dialect: Dialect) -> Result<Fragment> {
    if let Rule::Not(inside) = rule
        && let Some(open) = open_bound(inside, dialect)
    {
        return Ok(open);
    }
    let mut fragment = Fragment::nothing();
    if dialect == Dialect::Kubernetes {
        return Ok(fragment);
    }
    match rule {
        Rule::All(rules) | Rule::Sequence(rules) => {
            for rule in rules.iter() {
                fragment.keywords.merge(inner(rule, ty, dialect)?.keywords)?;
            }
        }
        Rule::Any(rules) => {
            for rule in rules.iter() {
                let part = inner(rule, ty, dialect)?;
                if part.is_nothing() {
                    return Ok(Fragment::nothing());
                }
                fragment.keywords.push("anyOf", part.keywords.into_value()?);
            }
        }
        Rule::Not(inside) => {
            if let Some(not) = negated(inside, ty, dialect)? {
                fragment.keywords.set("not", not);
            }
        }
        Rule::Implies(condition, then) => {
            let then = inner(then, ty, dialect)?;
            if let Some(not) = negated(condition, ty, dialect)?
                && !then.is_nothing()
            {
                fragment.keywords.push("anyOf", Value::object([("not", not)])?);
                fragment.keywords.push("anyOf", then.keywords.into_value()?);
            }
        }
        _ => {}
    }
    Ok(fragment)
}

/// A rule inside a rule; `not_null` and what is at a part are keywords of it there.
fn inner(rule: &Rule, ty: &Type, dialect: Dialect) -> Result<Fragment> {
    match rule {
        Rule::NotNull => Ok(Fragment::some(true, [("type", Value::from(kind(ty)))])),
        rule => Fragment::of(rule, ty, dialect),
    }
}

/// The negation for values other than null; only a fragment that is exact can be negated.
fn negated(rule: &Rule, ty: &Type, dialect: Dialect) -> Result<Option<Value>> {
    let inside = inner(rule, ty, dialect)?;
    if !inside.exact || inside.is_nothing() {
        return Ok(None);
    }
    let mut keywords = inside.keywords;
    keywords.set("type", Value::from(kind(ty)));
    keywords.into_value().map(Some)
}

/// `not(max(5))`: above 5.
fn open_bound(inside: &Rule, dialect: Dialect) -> Option<Fragment> {
    let (bound, inclusive, exclusive) = match inside {
        Rule::Max(bound) => (bound, "minimum", "exclusiveMinimum"),
        Rule::Min(bound) => (bound, "maximum", "exclusiveMaximum"),
        _ => return None,
    };
    let number = Value::from(Some(bound).filter(|bound| bound.is_finite())?.clone());
    Some(match dialect {
        Dialect::JsonSchema => Fragment::some(true, [(exclusive, number)]),
        _ => Fragment::some(true, [(inclusive, number), (exclusive, Value::from(true))]),
    })
}

/// The text of a rule in CEL needs values too.
pub(super) fn is_plain(value: &Value) -> bool {
    !value.contains_marks() && matches!(value.view(), View::Bool(_) | View::Number(_) | View::String(_))
}
