//! Converts rules to values and back, for storing them in documents.

use crate::constraint::TypeConstraint;
use crate::convert::convert;
use crate::error::{Error, Kind, Result};
use crate::number::Number;
use crate::path::Step;
use crate::types::Type;
use crate::value::{Value, View};

use super::{each, elements, from_keyword, primary_name};
use crate::rule::{Argument, Custom, Rule};
use crate::text::nearest::nearest;

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
    /// | a function | `{custom = "name"}`, which [`from_form_with`](Rule::from_form_with) reads back |
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
            rule => leaf_form(rule)?,
        };
        Value::object([(self.name(), argument)])
    }

    /// Reads the form that [`to_form`](Rule::to_form) writes; names may be aliases.
    ///
    /// [Example](Rule::to_form)
    ///
    /// # Errors
    ///
    /// When the value is not such a form, with the path of the mistake; as [`from_keyword`]; for a function
    /// ([`is_not_found`](Error::is_not_found)).
    pub fn from_form(form: &Value) -> Result<Rule> {
        read(form, &[])
    }

    /// Like [`from_form`](Rule::from_form), where rules that are functions are these: a form has the name of such a rule only, so the
    /// program that reads an obligation has to have the functions of the one that wrote it.
    ///
    /// ```
    /// use plantime::rule::{Custom, Rule};
    /// use plantime::Value;
    ///
    /// let even = || Custom::of_known("even", |value| match value.as_number() {
    ///     Ok(number) if number.to_i64().is_some_and(|number| number % 2 == 0) => Ok(()),
    ///     _ => Err("it is odd".to_owned()),
    /// });
    /// let rule = Rule::all([Rule::min(4), Rule::Custom(even())])?;
    /// let text = serde_json::to_string(&rule).unwrap();
    /// let form: Value = serde_json::from_str(&text).unwrap();
    /// let read = Rule::from_form_with(&form, &[even()])?;
    /// assert!(read.check_value(&Value::from(5))?.is_fail());
    /// assert_eq!(
    ///     Rule::from_form(&form).unwrap_err().message(),
    ///     "the rule \"even\" is a function, which is not stored: `Rule::from_form_with` takes it"
    /// );
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`from_form`](Rule::from_form); for a function that is not among these, with the nearest name.
    pub fn from_form_with(form: &Value, functions: &[Custom]) -> Result<Rule> {
        read(form, functions)
    }
}

/// Reads the form of a rule, whose functions are these.
fn read(form: &Value, functions: &[Custom]) -> Result<Rule> {
    let (name, argument) = only_attribute(form)?;
    read_form(name, argument, functions).map_err(|error| error.under(Step::attr(name)))
}

/// Converts several rules to their stored forms, in a tuple.
fn rule_forms(rules: &[Rule]) -> Result<Value> {
    Value::tuple(rules.iter().map(Rule::to_form).collect::<Result<Vec<Value>>>()?)
}

/// Converts the argument of a rule without nested rules to the value that a document stores. Not inlined: rules nest
/// up to 256 deep, and a debug build has 1 MiB of stack for all their frames.
#[inline(never)]
fn leaf_form(rule: &Rule) -> Result<Value> {
    rule.operand().form()
}

/// Converts the operands of a rule to the values that a document stores, in a tuple. An error if one is marked or not
/// wholly known.
pub(super) fn stored_operands(values: &[Value]) -> Result<Value> {
    let item = |(i, value)| operand_form(value).map_err(|error| error.under(Step::index(i)));
    Value::tuple(values.iter().enumerate().map(item).collect::<Result<Vec<Value>>>()?)
}

/// Converts an operand to the value that a document stores, with its type beside it (`{type, value}`) if the value
/// alone does not determine it. An error if it is marked, not wholly known or has a capsule inside.
pub(super) fn operand_form(value: &Value) -> Result<Value> {
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

/// Whether every reader of JSON holds the number exactly: a 64-bit integer, or at most 15 digits, which a 64-bit
/// binary floating point number keeps.
fn is_plain(number: &Number) -> bool {
    let few = |text: &str| text.len() <= 17 && text.bytes().filter(u8::is_ascii_digit).count() <= 15;
    number.to_i64().is_some() || number.to_u64().is_some() || (number.is_finite() && few(&number.to_string()))
}

/// Converts a value to the types that JSON implies: lists and sets become tuples, maps become objects, nulls are
/// untyped, infinities become strings.
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

/// Builds an object from entries, each converted by `bare`.
fn bare_object<'v>(parts: &mut dyn Iterator<Item = (&'v str, &'v Value)>) -> Result<Value> {
    Value::object(parts.map(|(name, part)| Ok((name, bare(part)?))).collect::<Result<Vec<_>>>()?)
}

/// Reads an operand from its stored form: a plain value, or an object with `type` and `value`.
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

/// Reads a rule from the name and argument of its stored form; the name may be an alias.
fn read_form(name: &str, argument: &Value, functions: &[Custom]) -> Result<Rule> {
    match primary_name(name) {
        "all" => Rule::all(read_rules(argument, functions)?),
        "any" => Rule::any(read_rules(argument, functions)?),
        "sequence" => Rule::sequence(read_rules(argument, functions)?),
        "not" => Rule::not(read(argument, functions)?),
        "keys" => Rule::keys(read(argument, functions)?),
        "each" => each(read(argument, functions)?),
        "implies" | "when" => {
            let (condition, rule) = pair(argument)?;
            let (condition, rule) = (read(condition, functions)?, read(rule, functions)?);
            if primary_name(name) == "when" {
                Rule::when(condition, rule)
            } else {
                Rule::implies(condition, rule)
            }
        }
        "at" => {
            let (path, rule) = pair(argument)?;
            Rule::at(path.as_str()?.parse()?, read(rule, functions)?)
        }
        "custom" => read_function(argument, functions),
        name => read_single(name, argument),
    }
}

/// The function of a name among these.
fn read_function(name: &Value, functions: &[Custom]) -> Result<Rule> {
    let own = name.as_str().unwrap_or_default();
    if let Some(function) = functions.iter().find(|function| function.name() == own) {
        return Ok(Rule::Custom(function.clone()));
    }
    let text = match nearest(own, functions.iter().map(Custom::name)) {
        Some(near) => format!("the rule \"{own}\" is a function that is not there; did you mean \"{near}\"?"),
        None => {
            format!("the rule \"{own}\" is a function, which is not stored: `Rule::from_form_with` takes it")
        }
    };
    Err(Error::new(Kind::NotFound, text))
}

/// Reads a rule without nested rules from the name and argument of its stored form.
#[inline(never)]
fn read_single(name: &str, argument: &Value) -> Result<Rule> {
    let argument = match crate::rule::keyword(name)?.argument {
        Argument::Values => read_operands(argument)?,
        Argument::Requirement => {
            let View::Object(object) = argument.view() else {
                return Err(not_a_form("an object with path, one_of and required is needed"));
            };
            let part = |(name, part)| {
                Ok((name, if name == "one_of" { read_operands(part)? } else { Value::clone(part) }))
            };
            Value::object(object.iter().map(part).collect::<Result<Vec<_>>>()?)?
        }
        Argument::Value | Argument::Number | Argument::Bound => read_operand(argument)?,
        _ => argument.clone(),
    };
    from_keyword(name, &argument)?.ok_or_else(|| not_a_form("a rule that is switched off"))
}

/// Reads a list of operands from their stored forms.
fn read_operands(argument: &Value) -> Result<Value> {
    let items = elements(argument).ok_or_else(|| not_a_form("a list of operands is needed"))?;
    Value::tuple(items.iter().map(read_operand).collect::<Result<Vec<Value>>>()?)
}

/// Reads a list of rules from their stored forms.
fn read_rules(argument: &Value, functions: &[Custom]) -> Result<Vec<Rule>> {
    let items = elements(argument).ok_or_else(|| not_a_form("a list of rules is needed"))?;
    let item = |(i, item)| read(item, functions).map_err(|error| error.under(Step::index(i)));
    items.iter().enumerate().map(item).collect()
}

/// The two elements of a tuple; an error for anything else.
fn pair(argument: &Value) -> Result<(&Value, &Value)> {
    match argument.view() {
        View::Tuple(tuple) if tuple.len() == 2 => tuple.get(0).zip(tuple.get(1)),
        _ => None,
    }
    .ok_or_else(|| not_a_form("a list of two is needed"))
}

/// The error for a value that is not the stored form of a rule.
#[cold]
fn not_a_form(message: &str) -> Error {
    Error::new(Kind::Syntax, message)
}
