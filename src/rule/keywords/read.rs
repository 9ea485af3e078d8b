//! Reads a rule from a keyword and its argument.

use crate::error::{Error, Kind, Result};
use crate::number::Number;
use crate::rule::{ExprStep, Format, Networks, PathExpr, Pattern, Requirement, Rule, Schemes, Words};
use crate::text::with_article;
use crate::types::Type;
use crate::value::{Value, View};

use super::{Argument, Keyword, keyword};

/// How the argument of a keyword is read, with the function that builds the rule from it.
#[derive(Clone, Copy)]
pub(crate) enum Read {
    /// `true` or `false`; the function builds the rule for `true`.
    Flag(fn() -> Rule),
    /// As `Flag`, for a rule whose construction can fail.
    Short(fn() -> Result<Rule>),
    Text(fn(String) -> Rule),
    /// A string, for a rule whose construction can fail.
    Characters(fn(&str) -> Result<Rule>),
    Length(fn(u64) -> Rule),
    Number(fn(Number) -> Rule),
    /// A number or a string, with one function for each.
    Bound(fn(Number) -> Rule, fn(String) -> Rule),
    Pattern(fn(Pattern) -> Result<Rule>),
    Value(fn(Value) -> Rule),
    Values(fn(Vec<Value>) -> Rule),
    Words(fn(Words) -> Rule),
    Schemes(fn(Schemes) -> Rule),
    Format(fn(Format) -> Rule),
    Paths(fn(Vec<PathExpr>) -> Rule),
    /// A list of one path and any number of others.
    FirstPath(fn(PathExpr, Vec<PathExpr>) -> Rule),
    /// A list of exactly two paths.
    TwoPaths(fn(PathExpr, PathExpr) -> Rule),
    Requirement(fn(Requirement) -> Rule),
    Type(fn(Type) -> Rule),
    /// A list of the minimum and maximum number of bits of a network prefix.
    Networks(fn(Networks) -> Rule),
    /// A list of a minimum and a maximum length.
    Lengths(fn(u64, u64) -> Result<Rule>),
    /// A list of a minimum and a maximum.
    Numbers(fn(Number, Number) -> Result<Rule>),
    /// `true`, with the function for all keys, or a list of keys, with the function for these.
    Keys(fn() -> Rule, fn(Vec<String>) -> Rule),
    /// One group of rules, which the readers of rules files and stored forms handle themselves.
    Rule,
    /// Several groups of rules, handled the same way.
    Rules,
}

impl Read {
    /// The kind of argument, as the keyword table shows it.
    pub(super) const fn argument(self) -> Argument {
        match self {
            Read::Flag(_) | Read::Short(_) => Argument::Flag,
            Read::Text(_) | Read::Characters(_) => Argument::Text,
            Read::Length(_) => Argument::Length,
            Read::Number(_) => Argument::Number,
            Read::Bound(..) => Argument::Bound,
            Read::Pattern(_) => Argument::Pattern,
            Read::Value(_) => Argument::Value,
            Read::Values(_) => Argument::Values,
            Read::Words(_) | Read::Schemes(_) => Argument::Texts,
            Read::Format(_) => Argument::Format,
            Read::Paths(_) | Read::FirstPath(_) | Read::TwoPaths(_) => Argument::Paths,
            Read::Requirement(_) => Argument::Requirement,
            Read::Type(_) => Argument::Type,
            Read::Networks(_) => Argument::Bits,
            Read::Lengths(_) => Argument::Lengths,
            Read::Numbers(_) => Argument::Numbers,
            Read::Keys(..) => Argument::Keys,
            Read::Rule => Argument::Rule,
            Read::Rules => Argument::Rules,
        }
    }
}

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
    let number = || argument.as_number().cloned().map_err(|_| wrong());
    let text = || argument.as_str().map_err(|_| wrong());
    if row.argument == Argument::Flag && !argument.as_bool().map_err(|_| wrong())? {
        return Ok(None);
    }
    Ok(Some(match row.read {
        Read::Flag(rule) => rule(),
        Read::Short(rule) => rule()?,
        Read::Text(rule) => rule(text()?.to_owned()),
        Read::Characters(rule) => rule(text()?)?,
        Read::Length(rule) => rule(number()?.to_u64().ok_or_else(wrong)?),
        Read::Number(rule) => rule(number()?),
        Read::Bound(of_number, of_text) => match argument.as_str() {
            Ok(text) => of_text(text.to_owned()),
            Err(_) => of_number(number()?),
        },
        Read::Pattern(rule) => rule(Pattern::new(text()?)?)?,
        Read::Value(rule) => rule(argument.clone()),
        Read::Values(rule) => rule(elements(argument).ok_or_else(wrong)?),
        Read::Words(rule) => rule(Words::new(texts(argument, wrong)?)?),
        Read::Schemes(rule) => rule(Schemes::new(texts(argument, wrong)?)?),
        Read::Format(rule) => rule(text()?.parse()?),
        Read::Paths(rule) => rule(paths(argument, wrong)?),
        Read::FirstPath(rule) => {
            let mut paths = paths(argument, wrong)?.into_iter();
            rule(paths.next().ok_or_else(wrong)?, paths.collect())
        }
        Read::TwoPaths(rule) => match <[PathExpr; 2]>::try_from(paths(argument, wrong)?) {
            Ok([first, second]) => rule(first, second),
            Err(_) => {
                let message = format!("{} takes a list of two paths", row.name);
                return Err(Error::new(Kind::TypeMismatch, message));
            }
        },
        Read::Requirement(rule) => rule(requirement(argument, wrong)?),
        Read::Type(rule) => rule(text()?.parse()?),
        Read::Networks(rule) => {
            let bits = |bits: &Number| u8::try_from(bits.to_u64()?).ok();
            let (least, most) = least_and_greatest(argument, bits).ok_or_else(wrong)?;
            rule(Networks::new(least, most)?)
        }
        Read::Lengths(rule) => {
            let (least, most) = least_and_greatest(argument, Number::to_u64).ok_or_else(wrong)?;
            rule(least, most)?
        }
        Read::Numbers(rule) => {
            let (least, most) =
                least_and_greatest(argument, |number| Some(number.clone())).ok_or_else(wrong)?;
            rule(least, most)?
        }
        Read::Keys(of_all, of_some) => match argument.as_bool() {
            Ok(true) => of_all(),
            Ok(false) => return Ok(None),
            Err(_) => of_some(texts(argument, wrong)?),
        },
        Read::Rule | Read::Rules => return Err(wrong()),
    }))
}

/// The rule `at [*]`: the given rule must hold for every element of a collection.
pub fn each(rule: Rule) -> Result<Rule> {
    Rule::at(PathExpr::from_steps([ExprStep::AnyElement])?, rule)
}

/// Reads a list of two numbers such as `[1, 63]`, the minimum and the maximum; `read` converts each. `None` for any
/// other argument. The order of the two is not checked.
fn least_and_greatest<T>(argument: &Value, read: impl Fn(&Number) -> Option<T>) -> Option<(T, T)> {
    match elements(argument)?.as_slice() {
        [least, most] => read(least.as_number().ok()?).zip(read(most.as_number().ok()?)),
        _ => None,
    }
}

/// The elements of a list, set or tuple; `None` for any other value.
pub(in crate::rule) fn elements(argument: &Value) -> Option<Vec<Value>> {
    match argument.view() {
        View::Tuple(tuple) => Some(tuple.iter().cloned().collect()),
        View::List(list) => Some(list.iter().cloned().collect()),
        View::Set(set) => Some(set.iter().cloned().collect()),
        _ => None,
    }
}

/// Reads a list of strings; `wrong` makes the error for any other argument.
fn texts(argument: &Value, wrong: impl Fn() -> Error) -> Result<Vec<String>> {
    let texts = elements(argument).ok_or_else(&wrong)?;
    texts.iter().map(|text| text.as_str().map(str::to_owned).map_err(|_| wrong())).collect()
}

/// Reads a list of path expressions; `wrong` makes the error for an argument that is no list of strings.
fn paths(argument: &Value, wrong: impl Fn() -> Error) -> Result<Vec<PathExpr>> {
    let texts = elements(argument).ok_or_else(&wrong)?;
    texts.iter().map(|text| text.as_str().map_err(|_| wrong())?.parse()).collect()
}

/// Reads the argument of `required_when`, `{ path, one_of, required }` with no other attributes; `wrong` makes the
/// error for any other argument.
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

/// The error for an argument that the keyword of this row does not take.
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
