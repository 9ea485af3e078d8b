//! The names of the rules, as a rules file writes them.

use crate::error::{Error, Kind, Result};
use crate::types::Type;
use crate::value::{Value, View};

use super::{Networks, PathExpr, Pattern, Requirement, Rule, Schemes, Unit, Words, nearest};

/// What a keyword takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Argument {
    /// `true`, or `false` to switch the rule off.
    Flag,
    /// A string.
    Text,
    /// A whole number that is not negative.
    Length,
    /// A number.
    Number,
    /// A regular expression.
    Pattern,
    /// Any value.
    Value,
    /// A list of values.
    Values,
    /// A list of strings.
    Texts,
    /// The name of a [`Format`](super::Format).
    Format,
    /// A list of paths, as strings.
    Paths,
    /// An object `{ path, one_of, required }`: a path, a list of values, a list of paths.
    Requirement,
    /// A type, as a string: `list(string)`.
    Type,
    /// The fewest and the most bits: a list of two whole numbers.
    Bits,
    /// `true`, or a list of keys.
    Keys,
    /// One group of rules.
    Rule,
    /// A group of rules or several.
    Rules,
}

impl Argument {
    /// In words: `a whole number`.
    pub fn describe(self) -> &'static str {
        match self {
            Argument::Flag => "true or false",
            Argument::Text => "a string",
            Argument::Length => "a whole number that is not negative",
            Argument::Number => "a number",
            Argument::Pattern => "a regular expression, as a string",
            Argument::Value => "a value",
            Argument::Values => "a list of values",
            Argument::Texts => "a list of strings",
            Argument::Format => "the name of a format, as a string",
            Argument::Paths => "a list of paths, as strings",
            Argument::Requirement => "an object { path = \"…\", one_of = […], required = [\"…\"] }",
            Argument::Type => "a type, as a string",
            Argument::Bits => "a list of two whole numbers from 0 to 128",
            Argument::Keys => "true, or a list of keys",
            Argument::Rule => "a group of rules",
            Argument::Rules => "groups of rules",
        }
    }
}

/// One row of the keyword table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Keyword {
    /// The name.
    pub name: &'static str,
    /// Names of other systems for the same.
    pub aliases: &'static [&'static str],
    /// What it takes.
    pub argument: Argument,
    /// What it asks for, in a sentence.
    pub description: &'static str,
}

const fn row(
    name: &'static str,
    aliases: &'static [&'static str],
    argument: Argument,
    description: &'static str,
) -> Keyword {
    Keyword { name, aliases, argument, description }
}

static KEYWORDS: [Keyword; 57] = [
    row("not_null", &["required", "is_required"], Argument::Flag, "The value is not null."),
    row("is_null", &[], Argument::Flag, "The value is null."),
    row("equals", &[], Argument::Value, "The value equals this one."),
    row("one_of", &[], Argument::Values, "The value is one of these."),
    row("none_of", &[], Argument::Values, "The value is none of these."),
    row("starts_with", &[], Argument::Text, "The string starts with this text."),
    row("ends_with", &[], Argument::Text, "The string ends with this text."),
    row("contains", &[], Argument::Value, "The string contains this text, or the collection this element."),
    row(
        "min_len",
        &["utf8_length_at_least", "size_at_least"],
        Argument::Length,
        "Characters or elements: at least so many.",
    ),
    row(
        "max_len",
        &["utf8_length_at_most", "size_at_most"],
        Argument::Length,
        "Characters or elements: at most so many.",
    ),
    row("len", &[], Argument::Length, "Characters or elements: exactly so many."),
    row("min_byte_len", &["length_at_least"], Argument::Length, "The string has at least so many bytes."),
    row("max_byte_len", &["length_at_most"], Argument::Length, "The string has at most so many bytes."),
    row("byte_len", &[], Argument::Length, "The string has exactly so many bytes."),
    row("min_grapheme_len", &[], Argument::Length, "The string has at least so many grapheme clusters."),
    row("max_grapheme_len", &[], Argument::Length, "The string has at most so many grapheme clusters."),
    row("grapheme_len", &[], Argument::Length, "The string has exactly so many grapheme clusters."),
    row(
        "multiple_of",
        &["divisible_by", "int_divisible_by"],
        Argument::Number,
        "The number is a multiple of this.",
    ),
    row("even", &[], Argument::Flag, "The number is even."),
    row("odd", &[], Argument::Flag, "The number is odd."),
    row("format", &[], Argument::Format, "The string is of this form."),
    row(
        "one_of_ignoring_case",
        &["one_of_case_insensitive"],
        Argument::Texts,
        "The string is one of these, in any case.",
    ),
    row(
        "none_of_ignoring_case",
        &["none_of_case_insensitive"],
        Argument::Texts,
        "The string is none of these, in any case.",
    ),
    row("no_nulls", &["no_null_values"], Argument::Flag, "No part of the value is null."),
    row("unique", &["unique_values", "list_of_unique_strings"], Argument::Flag, "No two elements are equal."),
    row("has_key", &[], Argument::Text, "The map has this key, or the object this attribute."),
    row("min", &["at_least"], Argument::Number, "The number is at least this."),
    row("max", &["at_most"], Argument::Number, "The number is at most this."),
    row(
        "matches",
        &["regex_matches"],
        Argument::Pattern,
        "The string has a match of this regular expression.",
    ),
    row("exactly_one_of", &[], Argument::Paths, "Exactly one of these is not null."),
    row("at_least_one_of", &[], Argument::Paths, "At least one of these is not null."),
    row("conflicting", &["conflicts_with"], Argument::Paths, "At most one of these is not null."),
    row("required_together", &[], Argument::Paths, "All of these are null, or none is."),
    row("not_zero", &["no_zero_values"], Argument::Flag, "The string is not empty, or the number is not 0."),
    row("type_is", &[], Argument::Type, "The value is of this type; `any` in it stands for every type."),
    row("port", &["port_number"], Argument::Flag, "The number is a whole one from 1 to 65535."),
    row(
        "port_or_zero",
        &["port_number_or_zero"],
        Argument::Flag,
        "The number is a whole one from 0 to 65535.",
    ),
    row(
        "url",
        &["url_with_scheme"],
        Argument::Texts,
        "The string is a URL with a host and one of these schemes.",
    ),
    row("cidr_network", &[], Argument::Bits, "The string is the CIDR block of a network, of so many bits."),
    row("keys", &[], Argument::Rule, "Each key of the map satisfies these rules."),
    row(
        "also_requires",
        &["required_with"],
        Argument::Paths,
        "Where the first of these is not null, none of the others is null.",
    ),
    row(
        "required_when",
        &[],
        Argument::Requirement,
        "Where the part at the path is one of the values, none of the required parts is null.",
    ),
    row(
        "prefer_write_only",
        &["prefer_write_only_attribute"],
        Argument::Paths,
        "A warning where the first of the two is not null: the second is its write-only alternative.",
    ),
    row(
        "one_not_null",
        &[],
        Argument::Keys,
        "Of the parts with these keys, or of all parts, exactly one is not null.",
    ),
    row("at_least_sum_of", &[], Argument::Paths, "The number is at least the sum of these; null is 0."),
    row("at_most_sum_of", &[], Argument::Paths, "The number is at most the sum of these; null is 0."),
    row("equal_to_sum_of", &[], Argument::Paths, "The number is the sum of these; null is 0."),
    row(
        "equal_to_product_of",
        &[],
        Argument::Paths,
        "The number is the product of these; it passes where one is null.",
    ),
    row("all", &[], Argument::Rules, "All of these rules hold."),
    row("any", &[], Argument::Rules, "At least one of these rules holds."),
    row("not", &[], Argument::Rule, "These rules do not all hold; null passes."),
    row("implies", &[], Argument::Rules, "Where the first rules hold, the second hold too; null passes."),
    row("when", &[], Argument::Rule, "The rules are asked only where these hold."),
    row("only_increase", &[], Argument::Flag, "A change does not make the number smaller."),
    row("only_decrease", &[], Argument::Flag, "A change does not make the number larger."),
    row("multiple_of_old", &[], Argument::Flag, "A change makes the number a multiple of what it was."),
    row("immutable", &[], Argument::Flag, "The value does not change."),
];

/// The keyword table.
///
/// ```
/// use plantime::rule::{Argument, keywords};
///
/// let starts_with = keywords().iter().find(|keyword| keyword.name == "starts_with").unwrap();
/// assert_eq!(starts_with.argument, Argument::Text);
/// ```
pub fn keywords() -> &'static [Keyword] {
    &KEYWORDS
}

/// The row of a name or alias.
///
/// # Errors
///
/// When there is none, with the nearest name.
pub fn keyword(name: &str) -> Result<&'static Keyword> {
    let row = KEYWORDS.iter().find(|row| row.name == name || row.aliases.contains(&name));
    row.ok_or_else(|| {
        let names =
            KEYWORDS.iter().flat_map(|row| std::iter::once(row.name).chain(row.aliases.iter().copied()));
        let hint = match nearest(name, names) {
            Some(near) => format!("; did you mean \"{near}\"?"),
            None => String::new(),
        };
        Error::new(Kind::NotFound, format!("there is no rule \"{name}\"{hint}"))
    })
}

/// The rule of a keyword and its argument; `None` for a flag that is false. Keywords that take rules have no
/// argument that is a value.
///
/// ```
/// use plantime::rule::{Rule, from_keyword};
/// use plantime::{Value, value};
///
/// assert_eq!(from_keyword("min_len", &Value::from(3))?, Some(Rule::MinLen(3)));
/// assert_eq!(from_keyword("one_of", &value!(["a", "b"])?)?, Some(Rule::OneOf(vec!["a".into(), "b".into()])));
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
        "min" => Rule::Min(number()?),
        "max" => Rule::Max(number()?),
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
        "cidr_network" => {
            let bits =
                |value: &Value| value.as_number().ok()?.to_u64().and_then(|bits| u8::try_from(bits).ok());
            let bits: Option<Vec<u8>> = elements(argument).ok_or_else(wrong)?.iter().map(bits).collect();
            match bits.as_deref() {
                Some([least, most]) => Rule::CidrNetwork(Networks::new(*least, *most)?),
                _ => return Err(wrong()),
            }
        }
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
        _ => return Err(wrong()),
    }))
}

pub(super) fn elements(argument: &Value) -> Option<Vec<Value>> {
    match argument.view() {
        View::Tuple(tuple) => Some(tuple.iter().cloned().collect()),
        View::List(list) => Some(list.iter().cloned().collect()),
        View::Set(set) => Some(set.iter().cloned().collect()),
        _ => None,
    }
}

fn texts(argument: &Value, wrong: impl Fn() -> Error) -> Result<Vec<String>> {
    let texts = elements(argument).ok_or_else(&wrong)?;
    texts.iter().map(|text| text.as_str().map(str::to_owned).map_err(|_| wrong())).collect()
}

fn paths(argument: &Value, wrong: impl Fn() -> Error) -> Result<Vec<PathExpr>> {
    let texts = elements(argument).ok_or_else(&wrong)?;
    texts.iter().map(|text| text.as_str().map_err(|_| wrong())?.parse()).collect()
}

/// The parts of `{ path, one_of, required }`, and no others.
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

#[cold]
fn wrong_argument(row: &Keyword, argument: &Value) -> Error {
    let found = match (argument.view(), argument.ty()) {
        (View::Marked(_), _) => "is marked".to_owned(),
        (View::Null(_), _) => "is null".to_owned(),
        (View::Dynamic | View::Unknown(_), _) => "is not known".to_owned(),
        (View::Number(number), _) => format!("is {number}"),
        (_, ty) => {
            let name = ty.friendly_name();
            let article = if name.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
            format!("is {article} {name}")
        }
    };
    let message = format!("{} takes {}, but this {found}", row.name, row.argument.describe());
    Error::new(Kind::TypeMismatch, message).with_types(Type::Dynamic, argument.ty())
}

impl Rule {
    /// The name of the rule in a rules file; `at` and `custom` have none there.
    pub fn name(&self) -> &'static str {
        match self {
            Rule::NotNull => "not_null",
            Rule::IsNull => "is_null",
            Rule::Equals(_) => "equals",
            Rule::OneOf(_) => "one_of",
            Rule::NoneOf(_) => "none_of",
            Rule::StartsWith(_) => "starts_with",
            Rule::EndsWith(_) => "ends_with",
            Rule::Contains(_) => "contains",
            Rule::MinLen(_) => "min_len",
            Rule::MaxLen(_) => "max_len",
            Rule::Len(_) => "len",
            Rule::MinLenIn(Unit::Bytes, _) => "min_byte_len",
            Rule::MinLenIn(Unit::Graphemes, _) => "min_grapheme_len",
            Rule::MaxLenIn(Unit::Bytes, _) => "max_byte_len",
            Rule::MaxLenIn(Unit::Graphemes, _) => "max_grapheme_len",
            Rule::LenIn(Unit::Bytes, _) => "byte_len",
            Rule::LenIn(Unit::Graphemes, _) => "grapheme_len",
            Rule::MultipleOf(_) => "multiple_of",
            Rule::Even => "even",
            Rule::Odd => "odd",
            Rule::Format(_) => "format",
            Rule::OneOfIgnoringCase(_) => "one_of_ignoring_case",
            Rule::NoneOfIgnoringCase(_) => "none_of_ignoring_case",
            Rule::NoNulls => "no_nulls",
            Rule::Unique => "unique",
            Rule::HasKey(_) => "has_key",
            Rule::Min(_) => "min",
            Rule::Max(_) => "max",
            Rule::Matches(_) => "matches",
            Rule::ExactlyOneOf(_) => "exactly_one_of",
            Rule::AtLeastOneOf(_) => "at_least_one_of",
            Rule::Conflicting(_) => "conflicting",
            Rule::RequiredTogether(_) => "required_together",
            Rule::NotZero => "not_zero",
            Rule::TypeIs(_) => "type_is",
            Rule::Port => "port",
            Rule::PortOrZero => "port_or_zero",
            Rule::Url(_) => "url",
            Rule::CidrNetwork(_) => "cidr_network",
            Rule::Keys(_) => "keys",
            Rule::AlsoRequires(..) => "also_requires",
            Rule::RequiredWhen(_) => "required_when",
            Rule::PreferWriteOnly(..) => "prefer_write_only",
            Rule::OneNotNull(_) => "one_not_null",
            Rule::AtLeastSumOf(_) => "at_least_sum_of",
            Rule::AtMostSumOf(_) => "at_most_sum_of",
            Rule::EqualToSumOf(_) => "equal_to_sum_of",
            Rule::EqualToProductOf(_) => "equal_to_product_of",
            Rule::At(..) => "at",
            Rule::All(_) => "all",
            Rule::Any(_) => "any",
            Rule::Not(_) => "not",
            Rule::Implies(..) => "implies",
            Rule::When(..) => "when",
            Rule::OnlyIncrease => "only_increase",
            Rule::OnlyDecrease => "only_decrease",
            Rule::MultipleOfOld => "multiple_of_old",
            Rule::Immutable => "immutable",
            Rule::Custom(_) => "custom",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Argument, KEYWORDS, from_keyword, keyword};
    use crate::value;
    use crate::value::Value;

    #[test]
    fn each_row_builds_the_rule_of_its_name() {
        for row in &KEYWORDS {
            let argument = match row.argument {
                Argument::Flag => Value::from(true),
                Argument::Text | Argument::Pattern | Argument::Value => Value::from("a"),
                Argument::Length | Argument::Number => Value::from(1),
                Argument::Format => Value::from("uuid"),
                Argument::Type => Value::from("list(string)"),
                Argument::Bits => value!([16, 24]).unwrap(),
                Argument::Values | Argument::Texts | Argument::Keys => value!(["a"]).unwrap(),
                Argument::Paths => value!(["a", "b"]).unwrap(),
                Argument::Requirement => value!({ "path": "a", "one_of": ["x"], "required": ["b"] }).unwrap(),
                Argument::Rule | Argument::Rules => continue,
            };
            for name in std::iter::once(&row.name).chain(row.aliases) {
                assert_eq!(from_keyword(name, &argument).unwrap().unwrap().name(), row.name);
            }
            assert!(
                from_keyword(row.name, &Value::null(crate::Type::Dynamic)).is_err()
                    || row.argument == Argument::Value
            );
        }
    }

    #[test]
    fn names_are_unique_and_unknown_ones_get_a_hint() {
        let mut names: Vec<&str> = KEYWORDS
            .iter()
            .flat_map(|row| std::iter::once(row.name).chain(row.aliases.iter().copied()))
            .collect();
        names.sort_unstable();
        let count = names.len();
        names.dedup();
        assert_eq!(names.len(), count);
        for (name, message) in [
            ("starts_wiht", r#"there is no rule "starts_wiht"; did you mean "starts_with"?"#),
            ("qqqqq", r#"there is no rule "qqqqq""#),
        ] {
            assert_eq!(keyword(name).unwrap_err().to_string(), message);
        }
    }
}
