//! Converts rules to values and back, for storing them in documents.

use crate::constraint::TypeConstraint;
use crate::convert::convert;
use crate::error::{Error, Kind, Result};
use crate::number::Number;
use crate::path::Step;
use crate::types::Type;
use crate::value::{Value, View};

use super::{each, elements, from_keyword, own_name};
use crate::rule::{PathExpr, Requirement, Rule, Words};

impl Rule {
    /// The rule as a value that can be stored: an object with one attribute, whose name is the name of the rule and whose
    /// value is its argument.
    ///
    /// | rule | form |
    /// |---|---|
    /// | with an argument | `{starts_with = "vpc-"}`, `{one_of = ["a", "b"]}`, `{min_len = 3}`, `{format = "cidr"}` |
    /// | without | `{not_null = true}` |
    /// | on paths | `{exactly_one_of = ["a", "b[*].c"]}`, `{at = ["a", RULE]}` |
    /// | on a condition | `{required_when = {path = "a", one_of = [1], required = ["b"]}}` |
    /// | of rules | `{all = [RULE, RULE]}`, `{any = […]}`, `{sequence = […]}`, `{not = RULE}`, `{keys = RULE}`, `{implies = [RULE, RULE]}`, `{when = […]}` |
    /// | a function | `{custom = "name"}`, which cannot be read back |
    ///
    /// An operand that is a bool, a string, an untyped null or a number that every JSON reader holds exactly is written as
    /// it is. Any other has its type beside it, `{type = "list(bool)", value = [true]}`: this keeps lists and tuples
    /// apart, and long numbers exact, as strings.
    ///
    /// ```
    /// use plantime::rule::Rule;
    /// use plantime::value;
    ///
    /// let rule = Rule::at("name".parse()?, Rule::all([Rule::NotNull, Rule::starts_with("vpc-")])?)?;
    /// let form = rule.to_form()?;
    /// assert_eq!(form, value!({ "at": ["name", { "all": [{ "not_null": true }, { "starts_with": "vpc-" }] }] })?);
    /// assert_eq!(Rule::from_form(&form)?, rule);
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When an operand is marked ([`is_marked`](Error::is_marked)), not known ([`is_unknown`](Error::is_unknown)) or
    /// has a capsule inside; when rules nest so deep that the form is deeper than
    /// [`limits::DEPTH`](crate::limits::DEPTH).
    pub fn to_form(&self) -> Result<Value> {
        let argument = match self {
            Rule::All(rules) | Rule::Any(rules) | Rule::Sequence(rules) => rule_forms(rules)?,
            Rule::Not(rule) | Rule::Keys(rule) => rule.to_form()?,
            Rule::Implies(a, b) | Rule::When(a, b) => Value::tuple([a.to_form()?, b.to_form()?])?,
            Rule::At(path, rule) => Value::tuple([Value::from(path.to_string()), rule.to_form()?])?,
            rule => argument_form(rule)?,
        };
        Value::object([(self.name(), argument)])
    }

    /// Reads the form that [`to_form`](Rule::to_form) writes; names may be aliases.
    ///
    /// # Errors
    ///
    /// When the value is not such a form, with the path of the mistake; as [`from_keyword`]; for a function
    /// ([`is_not_found`](Error::is_not_found)).
    pub fn from_form(form: &Value) -> Result<Rule> {
        let (name, argument) = only_attribute(form)?;
        read_form(name, argument).map_err(|error| error.under(Step::attr(name)))
    }
}

/// The forms of several rules.
fn rule_forms(rules: &[Rule]) -> Result<Value> {
    Value::tuple(rules.iter().map(Rule::to_form).collect::<Result<Vec<Value>>>()?)
}

/// The argument of a rule in its form.
#[inline(never)]
fn argument_form(rule: &Rule) -> Result<Value> {
    match rule {
        Rule::Equals(value) | Rule::Contains(value) => operand_form(value),
        Rule::OneOf(values) | Rule::NoneOf(values) => stored_operands(values),
        Rule::StartsWith(text)
        | Rule::EndsWith(text)
        | Rule::NotBefore(text)
        | Rule::NotAfter(text)
        | Rule::HasKey(text) => Ok(Value::from(text)),
        Rule::TypeIs(ty) if ty.has_capsule() => Err(crate::types::json::not_allowed(ty)),
        Rule::TypeIs(ty) => Ok(Value::from(ty.to_string())),
        Rule::Url(schemes) => Value::tuple(schemes.names().iter().map(String::as_str)),
        Rule::CidrNetwork(networks) => Value::tuple([u64::from(networks.least()), networks.most().into()]),
        Rule::MinLen(length)
        | Rule::MaxLen(length)
        | Rule::Len(length)
        | Rule::MinLenIn(_, length)
        | Rule::MaxLenIn(_, length)
        | Rule::LenIn(_, length) => Ok(Value::from(*length)),
        Rule::Min(number) | Rule::Max(number) | Rule::MultipleOf(number) => {
            operand_form(&number.clone().into())
        }
        Rule::Format(format) => Ok(Value::from(format.name())),
        Rule::OneOfIgnoringCase(words) | Rule::NoneOfIgnoringCase(words) => texts(words),
        Rule::Matches(pattern) => Ok(Value::from(pattern.as_str())),
        Rule::ExactlyOneOf(_)
        | Rule::AtLeastOneOf(_)
        | Rule::Conflicting(_)
        | Rule::RequiredTogether(_)
        | Rule::AlsoRequires(..)
        | Rule::PreferWriteOnly(..)
        | Rule::AtLeastSumOf(_)
        | Rule::AtMostSumOf(_)
        | Rule::EqualToSumOf(_)
        | Rule::EqualToProductOf(_) => Value::tuple(rule.operands().into_iter().map(PathExpr::to_string)),
        Rule::RequiredWhen(requirement) => requirement_form(requirement),
        Rule::OneNotNull(Some(keys)) => Value::tuple(keys.iter().map(String::as_str)),
        Rule::OneNotNull(None) => Ok(Value::from(true)),
        Rule::Custom(custom) => Ok(Value::from(custom.name())),
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
        | Rule::Immutable => Ok(Value::from(true)),
        Rule::All(_)
        | Rule::Any(_)
        | Rule::Sequence(_)
        | Rule::Not(_)
        | Rule::Keys(_)
        | Rule::Implies(..)
        | Rule::When(..)
        | Rule::At(..) => rule.to_form(),
    }
}

/// The operands of a rule as a document stores them, in a tuple. An error if one is marked or not wholly known.
fn stored_operands(values: &[Value]) -> Result<Value> {
    let item = |(i, value)| operand_form(value).map_err(|error| error.under(Step::index(i)));
    Value::tuple(values.iter().enumerate().map(item).collect::<Result<Vec<Value>>>()?)
}

/// The form of the argument of `required_when`.
fn requirement_form(requirement: &Requirement) -> Result<Value> {
    let required = Value::tuple(requirement.required.iter().map(PathExpr::to_string))?;
    Value::object([
        ("path", Value::from(requirement.path.to_string())),
        ("one_of", stored_operands(&requirement.one_of).map_err(|error| error.under(Step::attr("one_of")))?),
        ("required", required),
    ])
}

/// The strings as a tuple.
fn texts(words: &Words) -> Result<Value> {
    Value::tuple(words.texts().iter().map(String::as_str))
}

/// The form of an operand, with its type if the value alone does not determine it.
fn operand_form(value: &Value) -> Result<Value> {
    if value.contains_marks() {
        return Err(Error::new(Kind::Marked, "an operand that is marked is not written"));
    }
    if !value.is_wholly_known() {
        return Err(Error::new(Kind::Unknown, "an operand that is not known cannot be written"));
    }
    let shows = match value.view() {
        View::Number(number) => is_plain(number),
        View::Null(ty) => ty == Type::Dynamic,
        View::Bool(_) | View::String(_) => true,
        _ => false,
    };
    if shows {
        return Ok(value.clone());
    }
    let ty = value.ty();
    if ty.has_capsule() {
        return Err(crate::types::json::not_allowed(&ty));
    }
    Value::object([("type", Value::from(ty.to_string())), ("value", bare(value)?)])
}

/// Whether every reader of JSON holds the number exactly: a 64-bit integer, or 15 digits, which a 64-bit binary
/// floating point number keeps.
fn is_plain(number: &Number) -> bool {
    let few = |text: &str| text.len() <= 17 && text.bytes().filter(u8::is_ascii_digit).count() <= 15;
    number.to_i64().is_some() || number.to_u64().is_some() || (number.is_finite() && few(&number.to_string()))
}

/// The value without its type: lists and sets become tuples, maps become objects, infinities become strings.
pub(in crate::rule) fn bare(value: &Value) -> Result<Value> {
    let items = |items: &mut dyn Iterator<Item = &Value>| {
        Value::tuple(items.map(bare).collect::<Result<Vec<Value>>>()?)
    };
    match value.view() {
        View::Null(_) => Ok(Value::null(Type::Dynamic)),
        View::Number(number) if number.is_infinite() => Ok(Value::from(number.to_string())),
        View::List(list) => items(&mut list.iter()),
        View::Set(set) => items(&mut set.iter()),
        View::Tuple(tuple) => items(&mut tuple.iter()),
        View::Map(map) => bare_object(&mut map.iter()),
        View::Object(object) => bare_object(&mut object.iter()),
        _ => Ok(value.clone()),
    }
}

/// Builds an object from entries without their types.
fn bare_object<'v>(parts: &mut dyn Iterator<Item = (&'v str, &'v Value)>) -> Result<Value> {
    Value::object(parts.map(|(name, part)| Ok((name, bare(part)?))).collect::<Result<Vec<_>>>()?)
}

/// Reads the form of an operand.
fn read_operand(form: &Value) -> Result<Value> {
    let View::Object(object) = form.view() else { return Ok(form.clone()) };
    let (Some(ty), Some(value), 2) = (object.get("type"), object.get("value"), object.len()) else {
        return Err(not_a_form("an operand is plain, or an object with type and value"));
    };
    let ty: Type = ty.as_str()?.parse()?;
    let value = convert(value, &TypeConstraint::from(&ty))?;
    if value.ty() == ty { Ok(value) } else { Err(not_a_form("the operand is not of its type")) }
}

/// The name and value of the only attribute of an object; an error for anything else.
fn only_attribute(form: &Value) -> Result<(&str, &Value)> {
    if let View::Object(object) = form.view()
        && object.len() == 1
        && let Some(only) = object.iter().next()
    {
        return Ok(only);
    }
    Err(not_a_form("a rule is an object with one attribute, its name"))
}

/// Reads a rule from its name and its argument.
fn read_form(name: &str, argument: &Value) -> Result<Rule> {
    match own_name(name) {
        "all" => Rule::all(read_rules(argument)?),
        "any" => Rule::any(read_rules(argument)?),
        "sequence" => Rule::sequence(read_rules(argument)?),
        "not" => Rule::not(Rule::from_form(argument)?),
        "keys" => Rule::keys(Rule::from_form(argument)?),
        "each" => each(Rule::from_form(argument)?),
        "implies" | "when" => {
            let (condition, rule) = pair(argument)?;
            let (condition, rule) = (Rule::from_form(condition)?, Rule::from_form(rule)?);
            if own_name(name) == "when" {
                Rule::when(condition, rule)
            } else {
                Rule::implies(condition, rule)
            }
        }
        "at" => {
            let (path, rule) = pair(argument)?;
            Rule::at(path.as_str()?.parse()?, Rule::from_form(rule)?)
        }
        "custom" => {
            let own = argument.as_str().unwrap_or_default();
            Err(Error::new(Kind::NotFound, format!("the rule \"{own}\" is a function, which is not stored")))
        }
        name => read_single(name, argument),
    }
}

/// Reads a rule without nested rules.
#[inline(never)]
fn read_single(name: &str, argument: &Value) -> Result<Rule> {
    let argument = match crate::rule::keyword(name)?.argument {
        crate::rule::Argument::Values => read_operands(argument)?,
        crate::rule::Argument::Requirement => {
            let View::Object(object) = argument.view() else {
                return Err(not_a_form("an object with path, one_of and required is needed"));
            };
            let part = |(name, part)| {
                Ok((name, if name == "one_of" { read_operands(part)? } else { Value::clone(part) }))
            };
            Value::object(object.iter().map(part).collect::<Result<Vec<_>>>()?)?
        }
        crate::rule::Argument::Value | crate::rule::Argument::Number | crate::rule::Argument::Bound => {
            read_operand(argument)?
        }
        _ => argument.clone(),
    };
    from_keyword(name, &argument)?.ok_or_else(|| not_a_form("a rule that is switched off"))
}

/// Reads a list of operands.
fn read_operands(argument: &Value) -> Result<Value> {
    let items = elements(argument).ok_or_else(|| not_a_form("a list of operands is needed"))?;
    Value::tuple(items.iter().map(read_operand).collect::<Result<Vec<Value>>>()?)
}

/// Reads a list of rules.
fn read_rules(argument: &Value) -> Result<Vec<Rule>> {
    let items = elements(argument).ok_or_else(|| not_a_form("a list of rules is needed"))?;
    let item = |(i, item)| Rule::from_form(item).map_err(|error| error.under(Step::index(i)));
    items.iter().enumerate().map(item).collect()
}

/// The two elements of a list; an error for anything else.
fn pair(argument: &Value) -> Result<(&Value, &Value)> {
    match argument.view() {
        View::Tuple(tuple) if tuple.len() == 2 => tuple.get(0).zip(tuple.get(1)),
        _ => None,
    }
    .ok_or_else(|| not_a_form("a list of two is needed"))
}

/// The error for a value that is not the form of a rule.
#[cold]
fn not_a_form(message: &str) -> Error {
    Error::new(Kind::Syntax, message)
}
