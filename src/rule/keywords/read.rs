//! Reads a rule from a keyword and its argument.

use crate::error::{Error, Kind, Result};
use crate::rule::{PathExpr, Pattern, Requirement, Rule, Schemes, Unit, Words};
use crate::text::with_article;
use crate::types::Type;
use crate::value::{Value, View};

use super::{Argument, Keyword, composed, keyword};

/// The rule of a keyword and its argument; `None` for a flag that is false. Keywords that take rules are not read here.
///
/// ```
/// use plantime::rule::{Rule, from_keyword};
/// use plantime::{Value, value};
///
/// assert_eq!(from_keyword("min_len", &Value::from(3))?, Some(Rule::min_len(3)));
/// assert_eq!(from_keyword("one_of", &value!(["a", "b"])?)?, Some(Rule::one_of(["a", "b"])));
/// assert_eq!(from_keyword("not_null", &Value::from(false))?, None);
/// let error = from_keyword("min_len", &Value::from("3")).unwrap_err();
/// assert_eq!(error.to_string(), "min_len takes a whole number that is not negative, but this is a string");
/// # Ok::<(), plantime::Error>(())
/// ```
///
/// # Errors
///
/// As for [`keyword`]; when the argument is of another kind; when a pattern or a path is none.
pub fn from_keyword(name: &str, argument: &Value) -> Result<Option<Rule>> {
    let row = keyword(name)?;
    let wrong = || wrong_argument(row, argument);
    let count = || argument.as_number().ok().and_then(crate::number::Number::to_u64).ok_or_else(wrong);
    let number = || argument.as_number().cloned().map_err(|_| wrong());
    let text = || argument.as_str().map(str::to_owned).map_err(|_| wrong());
    let values = || elements(argument).ok_or_else(wrong);
    let paths = || paths(argument, wrong);
    if row.argument == Argument::Flag && !argument.as_bool().map_err(|_| wrong())? {
        return Ok(None);
    }
    Ok(Some(match row.name {
        "not_null" => Rule::NotNull,
        "is_null" => Rule::IsNull,
        "equals" => Rule::Equals(argument.clone()),
        "one_of" => Rule::OneOf(values()?),
        "none_of" => Rule::NoneOf(values()?),
        "starts_with" => Rule::StartsWith(text()?),
        "not_before" => Rule::NotBefore(text()?),
        "not_after" => Rule::NotAfter(text()?),
        "ends_with" => Rule::EndsWith(text()?),
        "contains" => Rule::Contains(argument.clone()),
        "min_len" => Rule::MinLen(count()?),
        "max_len" => Rule::MaxLen(count()?),
        "len" => Rule::Len(count()?),
        "min_byte_len" => Rule::MinLenIn(Unit::Bytes, count()?),
        "max_byte_len" => Rule::MaxLenIn(Unit::Bytes, count()?),
        "byte_len" => Rule::LenIn(Unit::Bytes, count()?),
        "min_grapheme_len" => Rule::MinLenIn(Unit::Graphemes, count()?),
        "max_grapheme_len" => Rule::MaxLenIn(Unit::Graphemes, count()?),
        "grapheme_len" => Rule::LenIn(Unit::Graphemes, count()?),
        "multiple_of" => Rule::MultipleOf(number()?),
        "even" => Rule::Even,
        "odd" => Rule::Odd,
        "format" => Rule::Format(text()?.parse()?),
        "one_of_ignoring_case" => Rule::OneOfIgnoringCase(Words::new(texts(argument, wrong)?)?),
        "none_of_ignoring_case" => Rule::NoneOfIgnoringCase(Words::new(texts(argument, wrong)?)?),
        "no_nulls" => Rule::NoNulls,
        "unique" => Rule::Unique,
        "has_key" => Rule::HasKey(text()?),
        "min" => match argument.as_str() {
            Ok(first) => Rule::NotBefore(first.to_owned()),
            Err(_) => Rule::Min(number()?),
        },
        "max" => match argument.as_str() {
            Ok(last) => Rule::NotAfter(last.to_owned()),
            Err(_) => Rule::Max(number()?),
        },
        "matches" => Rule::Matches(Pattern::new(&text()?)?),
        "exactly_one_of" => Rule::ExactlyOneOf(paths()?),
        "at_least_one_of" => Rule::AtLeastOneOf(paths()?),
        "conflicting" => Rule::Conflicting(paths()?),
        "required_together" => Rule::RequiredTogether(paths()?),
        "not_zero" => Rule::NotZero,
        "type_is" => Rule::TypeIs(text()?.parse()?),
        "port" => Rule::Port,
        "port_or_zero" => Rule::PortOrZero,
        "url" => Rule::Url(Schemes::new(texts(argument, wrong)?)?),
        "cidr_network" => Rule::CidrNetwork(composed::networks(argument).ok_or_else(wrong)??),
        "also_requires" => {
            let mut paths = paths()?.into_iter();
            let first = paths.next().ok_or_else(wrong)?;
            Rule::AlsoRequires(first, paths.collect())
        }
        "required_when" => Rule::RequiredWhen(Box::new(requirement(argument, wrong)?)),
        "prefer_write_only" => match <[PathExpr; 2]>::try_from(paths()?) {
            Ok([path, alternative]) => Rule::PreferWriteOnly(path, alternative),
            Err(_) => {
                let message = format!("{} takes a list of two paths", row.name);
                return Err(Error::new(Kind::TypeMismatch, message));
            }
        },
        "one_not_null" => match argument.as_bool() {
            Ok(true) => Rule::OneNotNull(None),
            Ok(false) => return Ok(None),
            Err(_) => Rule::OneNotNull(Some(texts(argument, wrong)?)),
        },
        "at_least_sum_of" => Rule::AtLeastSumOf(paths()?),
        "at_most_sum_of" => Rule::AtMostSumOf(paths()?),
        "equal_to_sum_of" => Rule::EqualToSumOf(paths()?),
        "equal_to_product_of" => Rule::EqualToProductOf(paths()?),
        "only_increase" => Rule::OnlyIncrease,
        "only_decrease" => Rule::OnlyDecrease,
        "multiple_of_old" => Rule::MultipleOfOld,
        "immutable" => Rule::Immutable,
        name => composed::composed_rule(name, argument, wrong)?.ok_or_else(wrong)?,
    }))
}

/// The elements of a list, set or tuple; `None` for anything else.
pub(in crate::rule) fn elements(argument: &Value) -> Option<Vec<Value>> {
    match argument.view() {
        View::Tuple(tuple) => Some(tuple.iter().cloned().collect()),
        View::List(list) => Some(list.iter().cloned().collect()),
        View::Set(set) => Some(set.iter().cloned().collect()),
        _ => None,
    }
}

/// Reads a list of strings.
fn texts(argument: &Value, wrong: impl Fn() -> Error) -> Result<Vec<String>> {
    let texts = elements(argument).ok_or_else(&wrong)?;
    texts.iter().map(|text| text.as_str().map(str::to_owned).map_err(|_| wrong())).collect()
}

/// Reads a list of paths.
fn paths(argument: &Value, wrong: impl Fn() -> Error) -> Result<Vec<PathExpr>> {
    let texts = elements(argument).ok_or_else(&wrong)?;
    texts.iter().map(|text| text.as_str().map_err(|_| wrong())?.parse()).collect()
}

/// Reads `{ path, one_of, required }`, with no other attributes.
fn requirement(argument: &Value, wrong: impl Fn() -> Error) -> Result<Requirement> {
    let View::Object(object) = argument.view() else { return Err(wrong()) };
    let (Some(path), Some(one_of), Some(required), 3) =
        (object.get("path"), object.get("one_of"), object.get("required"), object.len())
    else {
        return Err(wrong());
    };
    Ok(Requirement {
        path: path.as_str().map_err(|_| wrong())?.parse()?,
        one_of: elements(one_of).ok_or_else(&wrong)?,
        required: paths(required, &wrong)?,
    })
}

/// The error for an argument of another kind than the keyword takes.
#[cold]
fn wrong_argument(row: &Keyword, argument: &Value) -> Error {
    let found = match (argument.view(), argument.ty()) {
        (View::Marked(_), _) => "is marked".to_owned(),
        (View::Null(_), _) => "is null".to_owned(),
        (View::Dynamic | View::Unknown(_), _) => "is not known".to_owned(),
        (View::Number(number), _) => format!("is {number}"),
        (_, ty) => format!("is {}", with_article(&ty.friendly_name())),
    };
    let message = format!("{} takes {}, but this {found}", row.name, row.argument.describe());
    Error::new(Kind::TypeMismatch, message).with_types(Type::Dynamic, argument.ty())
}
