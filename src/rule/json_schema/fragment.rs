//! Writes one rule as keywords.

use std::collections::BTreeMap;

use crate::error::Result;
use crate::number::Number;
use crate::rule::keywords::form::bare;
use crate::rule::{
    Format, LengthRule, LengthTest, MembersRule, NumberRule, Pattern, PresenceRule, RequiresRule, Rule,
    TextRule, Unit, ValueRule,
};
use crate::types::Type;
use crate::value::{Value, View};

use super::compile::json_type;
use super::fit::fit;
use super::{Dialect, Nulls, any_case, ecma, presence, strings};

/// The keywords of one schema.
#[derive(Clone, Debug, Default)]
pub(super) struct Keywords {
    /// Keywords with one value.
    plain: BTreeMap<String, Value>,
    /// Keywords that collect schemas, such as `allOf`.
    lists: BTreeMap<String, Vec<Value>>,
}

impl Keywords {
    /// Sets a keyword with one value, such as `minLength`; replaces an earlier value.
    pub(super) fn set(&mut self, keyword: &str, value: Value) {
        self.plain.insert(keyword.to_owned(), value);
    }

    /// Appends a schema or object to a keyword whose value is a list, such as `allOf`.
    pub(super) fn push(&mut self, keyword: &str, value: Value) {
        self.lists.entry(keyword.to_owned()).or_default().push(value);
    }

    /// Adds all keywords of another schema, so that both schemas must hold. If both have a keyword with different
    /// values, or the same list keyword other than `allOf`, the whole other schema goes into an `allOf`.
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

    /// Removes null from the values of `enum`, for a schema that does not allow null. In JSON Schema an `enum` of one
    /// remaining value becomes `const`; a schema without `enum` is unchanged.
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

    /// Converts the keywords to the schema object, as a value.
    pub(super) fn into_value(self) -> Result<Value> {
        let lists = self.lists.into_iter().map(|(name, values)| Ok((name, Value::tuple(values)?)));
        let lists = lists.collect::<Result<Vec<(String, Value)>>>()?;
        Value::object(self.plain.into_iter().chain(lists))
    }
}

/// The keywords for one rule, for values of one type, null included.
#[derive(Debug)]
pub(super) struct Fragment {
    /// Keywords that hold for every value for which the rule holds.
    pub(super) keywords: Keywords,
    /// Whether the keywords hold for no other value, so that reading them back gives an equivalent rule.
    pub(super) exact: bool,
}

impl Fragment {
    /// A fragment without keywords, not exact: no keyword expresses anything of the rule.
    pub(super) fn nothing() -> Fragment {
        Fragment { keywords: Keywords::default(), exact: false }
    }

    /// A fragment of these keywords with their values. `exact`: they hold for the same values as the rule.
    pub(super) fn some<const N: usize>(exact: bool, pairs: [(&str, Value); N]) -> Fragment {
        let plain = pairs.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        Fragment { keywords: Keywords { plain, lists: BTreeMap::new() }, exact }
    }

    /// Whether there are no keywords.
    fn is_nothing(&self) -> bool {
        self.keywords.plain.is_empty() && self.keywords.lists.is_empty()
    }

    /// Translates a rule on values of the type `ty` to keywords; a fragment without keywords if the dialect has none
    /// for it.
    pub(super) fn of(rule: &Rule, ty: &Type, dialect: Dialect) -> Result<Fragment> {
        match rule {
            Rule::All(_)
            | Rule::Sequence(_)
            | Rule::Any(_)
            | Rule::Not(_)
            | Rule::Implies(..)
            | Rule::When(..) => combined(rule, ty, dialect),
            // Kubernetes forbids `type` below `oneOf` and `anyOf`, so these rules are written in CEL.
            Rule::Presence(..) | Rule::Requires(_) | Rule::Members(MembersRule::OneNotNull(_))
                if dialect == Dialect::Kubernetes =>
            {
                Ok(Fragment::nothing())
            }
            Rule::Presence(PresenceRule::ExactlyOneOf, paths) => presence::one_of(paths, ty, "oneOf"),
            Rule::Presence(PresenceRule::AtLeastOneOf, paths) => presence::one_of(paths, ty, "anyOf"),
            Rule::Requires(RequiresRule::AlsoRequires(path, others)) => {
                presence::also_requires(path, others, ty)
            }
            Rule::Requires(RequiresRule::RequiredWhen(requirement)) => {
                presence::required_when(requirement, ty)
            }
            Rule::Members(MembersRule::OneNotNull(keys)) => presence::one_not_null(keys.as_deref(), ty),
            rule => single_fragment(rule, ty, dialect),
        }
    }
}

/// Translates a rule that reads only its own value, without combinators and paths, to keywords.
#[inline(never)]
fn single_fragment(rule: &Rule, ty: &Type, dialect: Dialect) -> Result<Fragment> {
    match (rule, ty) {
        (Rule::IsNull, _) => exactly("enum", Value::tuple([Value::null(Type::Dynamic)])?),
        (Rule::Value(ValueRule::Equals(value)), ty) => enum_of(std::slice::from_ref(value), ty),
        (Rule::Value(ValueRule::OneOf(values)), ty) => enum_of(values, ty),
        (Rule::Value(ValueRule::NoneOf(values)), ty) => {
            let found = operands(values, ty)?;
            let exact = found.1 && !found.0.is_empty();
            let not = Value::object([("enum", Value::tuple(found.0)?)])?;
            Ok(if exact { Fragment::some(true, [("not", not)]) } else { Fragment::nothing() })
        }
        (Rule::Value(ValueRule::NotZero), Type::String) => exactly("minLength", Value::from(1)),
        (Rule::Value(ValueRule::NotZero), _) => {
            exactly("not", Value::object([("enum", Value::tuple([0])?)])?)
        }
        (Rule::Text(rule), _) => text_fragment(rule, dialect),
        (Rule::Length(rule), ty) => length_fragment(rule, ty),
        (Rule::Number(rule), _) => number_fragment(rule),
        (Rule::Members(MembersRule::Contains(value)), Type::String) => {
            literal("", value.as_str().unwrap_or_default(), "")
        }
        (Rule::Members(MembersRule::Contains(value)), ty) if dialect == Dialect::JsonSchema => {
            contains_fragment(value, ty)
        }
        (Rule::Members(MembersRule::NoNulls), Type::List(_) | Type::Set(_))
            if dialect == Dialect::JsonSchema =>
        {
            let null = Value::object([("type", "null")])?;
            implied("not", Value::object([("type", Value::from("array")), ("contains", null)])?)
        }
        (Rule::Members(MembersRule::Unique), Type::List(_) | Type::Tuple(_))
            if dialect != Dialect::Kubernetes =>
        {
            exactly("uniqueItems", Value::from(true))
        }
        (Rule::Members(MembersRule::HasKey(key)), Type::Map(_)) => {
            exactly("required", Value::tuple([key.as_str()])?)
        }
        (Rule::Keys(inside), Type::Map(_)) if dialect == Dialect::JsonSchema => {
            let keys = Fragment::of(inside, &Type::String, dialect)?;
            match keys.is_nothing() {
                true => Ok(keys),
                false => Ok(Fragment::some(keys.exact, [("propertyNames", keys.keywords.into_value()?)])),
            }
        }
        _ => Ok(Fragment::nothing()),
    }
}

/// A fragment of one keyword that holds for the same values as the rule.
fn exactly(keyword: &str, value: Value) -> Result<Fragment> {
    Ok(Fragment::some(true, [(keyword, value)]))
}

/// A fragment of one keyword that is weaker than the rule: it holds wherever the rule holds, and for other values
/// too.
fn implied(keyword: &str, value: Value) -> Result<Fragment> {
    Ok(Fragment::some(false, [(keyword, value)]))
}

/// Translates a rule on strings to keywords.
fn text_fragment(rule: &TextRule, dialect: Dialect) -> Result<Fragment> {
    match rule {
        TextRule::StartsWith(text) => literal("^", text, ""),
        TextRule::EndsWith(text) => literal("", text, "$"),
        TextRule::Matches(pattern) => matches(pattern, dialect),
        TextRule::Format(Format::Regex) => Ok(Fragment::nothing()),
        TextRule::Format(format) => {
            let exact = *format != Format::Hostname;
            Ok(Fragment::some(exact, [("format", Value::from(strings::format_name(*format, dialect)))]))
        }
        TextRule::OneOfIgnoringCase(words) => any_case::one_of(words),
        TextRule::NoneOfIgnoringCase(words) if dialect != Dialect::Kubernetes => any_case::none_of(words),
        TextRule::Url(schemes) => any_case::url(schemes, dialect),
        TextRule::CidrNetwork(_) => implied("format", Value::from(Format::CidrNetwork.name())),
        rule => match rule.as_pattern() {
            Some(pattern) => matches(&pattern, dialect),
            None => Ok(Fragment::nothing()),
        },
    }
}

/// Translates a rule on numbers to keywords.
fn number_fragment(rule: &NumberRule) -> Result<Fragment> {
    let number = |keyword: &str, number: &Number| match number.is_finite() {
        true => exactly(keyword, number.clone().into()),
        false => Ok(Fragment::nothing()),
    };
    match rule {
        NumberRule::Min(least) => number("minimum", least),
        NumberRule::Max(most) => number("maximum", most),
        NumberRule::MultipleOf(step) if step.is_zero() => Ok(Fragment::nothing()),
        NumberRule::MultipleOf(step) => number("multipleOf", &step.absolute()),
        NumberRule::Even => exactly("multipleOf", Value::from(2)),
        NumberRule::Odd => implied("multipleOf", Value::from(1)),
        NumberRule::Port => whole(1, 65_535),
        NumberRule::PortOrZero => whole(0, 65_535),
    }
}

/// The keywords for an integer from `least` to `most`, both included.
fn whole(least: u64, most: u64) -> Result<Fragment> {
    let pairs = [("multipleOf", Value::from(1)), ("minimum", least.into()), ("maximum", most.into())];
    Ok(Fragment::some(true, pairs))
}

/// The keyword `pattern` for a regular expression; no keyword if ECMAScript cannot express it the same way.
fn matches(pattern: &Pattern, dialect: Dialect) -> Result<Fragment> {
    // Many readers of OpenAPI use engines that lack ECMAScript's escapes for character codes.
    let known = |text: &String| {
        strings::compiled(text).is_some() && (dialect == Dialect::JsonSchema || !text.contains(r"\u{"))
    };
    let ecma = ecma::to_ecma(pattern.as_str()).filter(known);
    Ok(match ecma {
        Some(text) => Fragment::some(true, [("pattern", Value::from(text))]),
        None => Fragment::nothing(),
    })
}

/// The keyword `pattern` for a literal string between the regular expressions `before` and `after` (an anchor or
/// empty). No keyword for an empty string, and for one that is not in normalization form C.
fn literal(before: &str, text: &str, after: &str) -> Result<Fragment> {
    if text.is_empty() || crate::text::nfc(text) != text {
        return Ok(Fragment::nothing());
    }
    Ok(Fragment::some(true, [("pattern", Value::from(format!("{before}{}{after}", ecma::quoted(text))))]))
}

/// The operands of a rule that a value of the type can equal, as JSON, without nulls; and whether the list is
/// complete. False: an operand cannot be written as JSON, is marked or unknown, or the type contains dynamic.
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
            // A value of the type has no such JSON form, so the operand cannot be written.
            None if value.ty() == *ty => exact = false,
            None => {}
        }
    }
    Ok((found, exact))
}

/// The keyword `enum` with these operands and null, as null passes; no keyword if an operand cannot be written as JSON.
fn enum_of(values: &[Value], ty: &Type) -> Result<Fragment> {
    let (mut found, exact) = operands(values, ty)?;
    if !exact {
        return Ok(Fragment::nothing());
    }
    found.push(Value::null(Type::Dynamic));
    Ok(Fragment::some(true, [("enum", Value::tuple(found)?)]))
}

/// The keyword `contains` for a list, set or tuple that must contain `value`; no keyword if `value` is null, has no
/// JSON form, or the type has no single element type.
fn contains_fragment(value: &Value, ty: &Type) -> Result<Fragment> {
    let Some(element) = ty.element_type() else { return Ok(Fragment::nothing()) };
    if value.is_null() {
        return Ok(Fragment::nothing());
    }
    let (found, exact) = operands(std::slice::from_ref(value), element)?;
    let (true, Some(only)) = (exact, found.into_iter().next()) else { return Ok(Fragment::nothing()) };
    Ok(Fragment::some(true, [("contains", Value::object([("const", only)])?)]))
}

/// Translates a rule on a length to minimum and maximum keywords: characters of a string, elements, or entries of a
/// map.
fn length_fragment(rule: &LengthRule, ty: &Type) -> Result<Fragment> {
    let (min, max) = match (rule.unit, ty) {
        (Unit::Bytes | Unit::Graphemes, _) | (Unit::Elements, Type::String) => ("minLength", "maxLength"),
        (Unit::Elements, Type::List(_) | Type::Set(_) | Type::Tuple(_)) => ("minItems", "maxItems"),
        (Unit::Elements, Type::Map(_)) => ("minProperties", "maxProperties"),
        // The number of attributes of an object is part of its type.
        _ => return Ok(Fragment::nothing()),
    };
    let range = rule.range();
    let (least, most) = match rule.unit {
        Unit::Elements => (range.lower(), range.upper()),
        // A character has one to four bytes, and a grapheme cluster has at least one character, so these bounds are implied.
        Unit::Bytes => (range.lower().div_ceil(4), range.upper()),
        Unit::Graphemes => (range.lower(), None),
    };
    let mut keywords = Keywords::default();
    if rule.test != LengthTest::Max {
        keywords.set(min, Value::from(least));
    }
    if let Some(most) = most {
        keywords.set(max, Value::from(most));
    }
    Ok(Fragment { keywords, exact: rule.unit == Unit::Elements })
}

/// Translates a combinator (`all`, `sequence`, `any`, `not`, `implies`) to keywords; none in Kubernetes except for a
/// negated bound.
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
                fragment.keywords.merge(nested_fragment(rule, ty, dialect)?.keywords)?;
            }
        }
        Rule::Any(rules) => {
            for rule in rules.iter() {
                let part = nested_fragment(rule, ty, dialect)?;
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
            let then = nested_fragment(then, ty, dialect)?;
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

/// Translates a rule inside a combinator to keywords; here `not_null` becomes the keyword `type`.
fn nested_fragment(rule: &Rule, ty: &Type, dialect: Dialect) -> Result<Fragment> {
    match rule {
        Rule::NotNull => Ok(Fragment::some(true, [("type", Value::from(json_type(ty)))])),
        rule => Fragment::of(rule, ty, dialect),
    }
}

/// The schema to write under `not` so that it means the negation of the rule; null passes it. `None` unless the
/// keywords of the rule are exact and not empty.
fn negated(rule: &Rule, ty: &Type, dialect: Dialect) -> Result<Option<Value>> {
    let inside = nested_fragment(rule, ty, dialect)?;
    if !inside.exact || inside.is_nothing() {
        return Ok(None);
    }
    let mut keywords = inside.keywords;
    keywords.set("type", Value::from(json_type(ty)));
    keywords.into_value().map(Some)
}

/// The exclusive bound for a negated `max` or `min`: `not(max(5))` means above 5. `inside` is the negated rule;
/// `None` if it is another rule or an infinite bound.
fn open_bound(inside: &Rule, dialect: Dialect) -> Option<Fragment> {
    let (bound, inclusive, exclusive) = match inside {
        Rule::Number(NumberRule::Max(bound)) => (bound, "minimum", "exclusiveMinimum"),
        Rule::Number(NumberRule::Min(bound)) => (bound, "maximum", "exclusiveMaximum"),
        _ => return None,
    };
    let number = Value::from(Some(bound).filter(|bound| bound.is_finite())?.clone());
    Some(match dialect {
        Dialect::JsonSchema => Fragment::some(true, [(exclusive, number)]),
        _ => Fragment::some(true, [(inclusive, number), (exclusive, Value::from(true))]),
    })
}

/// Whether a value can be written as a literal: an unmarked bool, number or string.
pub(super) fn is_plain(value: &Value) -> bool {
    !value.contains_marks() && matches!(value.view(), View::Bool(_) | View::Number(_) | View::String(_))
}
