//! The keywords of rules, as rules files write them.

pub(super) mod form;
pub(super) mod manual;
pub(super) mod operand;
pub(crate) mod read;
mod serial;
pub(super) mod systems;
mod table;

pub(crate) use read::each;
pub(super) use read::elements;
pub use read::from_keyword;

use std::fmt;

use crate::error::{Error, Kind, Result};
use crate::text::nearest;
use crate::types::Type;

use super::describe::Phrase;
use super::structure::reads::Types;
use read::Read;
use table::KEYWORDS;

/// The kind of argument that a keyword takes.
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
    /// A number, or a string.
    Bound,
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
    /// The minimum and the maximum number of bits: a list of two whole numbers.
    Bits,
    /// A minimum and a maximum length: a list of two whole numbers that are not negative.
    Lengths,
    /// A minimum and a maximum: a list of two numbers.
    Numbers,
    /// `true`, or a list of keys.
    Keys,
    /// One group of rules.
    Rule,
    /// A group of rules or several.
    Rules,
}

impl Argument {
    /// The argument in words: `a whole number`.
    ///
    /// [Example](keyword)
    pub fn describe(self) -> &'static str {
        match self {
            Argument::Flag => "true or false",
            Argument::Text => "a string",
            Argument::Length => "a whole number that is not negative",
            Argument::Number => "a number",
            Argument::Bound => "a number, or a string",
            Argument::Pattern => "a regular expression, as a string",
            Argument::Value => "a value",
            Argument::Values => "a list of values",
            Argument::Texts => "a list of strings",
            Argument::Format => "the name of a format, as a string",
            Argument::Paths => "a list of paths, as strings",
            Argument::Requirement => "an object { path = \"…\", one_of = […], required = [\"…\"] }",
            Argument::Type => "a type, as a string",
            Argument::Bits => "a list of two whole numbers from 0 to 128",
            Argument::Lengths => "a list of two whole numbers that are not negative",
            Argument::Numbers => "a list of two numbers",
            Argument::Keys => "true, or a list of keys",
            Argument::Rule => "a group of rules",
            Argument::Rules => "groups of rules",
        }
    }
}

/// One row of the keyword table. Two rows are equal if they have the same name.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct Keyword {
    /// The name that rules files and reports use.
    pub name: &'static str,
    /// Other names that rules files may use.
    pub aliases: &'static [&'static str],
    /// What the keyword takes.
    pub argument: Argument,
    /// Whether the keyword is short for other rules, and becomes those when it is read.
    pub composed: bool,
    /// What it requires, in a sentence.
    pub description: &'static str,
    /// The constructor of the rule, with the kind of argument that it takes.
    pub(crate) read: Read,
    /// The types of values that the rule can read.
    pub(super) types: Types,
    /// The predicate that says what the rule requires, with `{}` in the place of the argument.
    pub(super) phrase: Phrase,
    /// The names in the Terraform plugin framework.
    framework: &'static [&'static str],
    /// The names in the Terraform plugin SDK.
    sdk: &'static [&'static str],
    /// The names in ytt.
    ytt: &'static [&'static str],
}

impl PartialEq for Keyword {
    fn eq(&self, other: &Keyword) -> bool {
        self.name == other.name
    }
}

impl Eq for Keyword {}

impl fmt::Debug for Keyword {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Keyword")
            .field("name", &self.name)
            .field("aliases", &self.aliases)
            .field("argument", &self.argument)
            .field("composed", &self.composed)
            .field("description", &self.description)
            .finish()
    }
}

impl Keyword {
    /// Whether the keyword can read only strings and the type is string, or only numbers and the type is number. False
    /// for a keyword that is short for other rules.
    pub(crate) fn is_only_for(&self, ty: &Type) -> bool {
        let is_only_for =
            matches!((self.types, ty), (Types::String, Type::String) | (Types::Number, Type::Number));
        is_only_for && !self.composed
    }
}

/// The table of all keywords, in the order of the manual.
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

/// The row of the keyword table with this name. It runs while the crate is compiled: a name without a row does not
/// compile.
#[expect(clippy::panic, reason = "it runs only while the crate is compiled")]
pub(super) const fn row(name: &str) -> &'static Keyword {
    let mut rows: &'static [Keyword] = &KEYWORDS;
    loop {
        match rows {
            [row, rest @ ..] if !is_same(row.name.as_bytes(), name.as_bytes()) => rows = rest,
            [row, ..] => return row,
            [] => panic!("no keyword has this name"),
        }
    }
}

/// Whether two byte strings are equal. A constant cannot use `==`.
const fn is_same(mut a: &[u8], mut b: &[u8]) -> bool {
    while let ([x, rest_of_a @ ..], [y, rest_of_b @ ..]) = (a, b) {
        if *x != *y {
            return false;
        }
        (a, b) = (rest_of_a, rest_of_b);
    }
    a.is_empty() && b.is_empty()
}

/// The row of the keyword table with this name or alias; `None` if there is none.
fn find(name: &str) -> Option<&'static Keyword> {
    KEYWORDS.iter().find(|row| row.name == name || row.aliases.contains(&name))
}

/// The primary name of the keyword with this name or alias; an unknown name is returned unchanged.
pub fn primary_name(name: &str) -> &str {
    find(name).map_or(name, |row| row.name)
}

/// The row of a name or alias.
///
/// ```
/// use plantime::rule::{System, keyword};
///
/// let row = keyword("min_len")?;
/// assert_eq!((row.name, row.argument.describe()), ("min_len", "a whole number that is not negative"));
/// assert_eq!(row.names_in(System::Ytt), ["min_len"]);
/// assert!(keyword("min_lenn").unwrap_err().to_string().contains("min_len"));
/// # Ok::<(), plantime::Error>(())
/// ```
///
/// # Errors
///
/// When there is none, with the nearest name.
pub fn keyword(name: &str) -> Result<&'static Keyword> {
    find(name).ok_or_else(|| {
        let names =
            KEYWORDS.iter().flat_map(|row| std::iter::once(row.name).chain(row.aliases.iter().copied()));
        let hint = match nearest(name, names) {
            Some(near) => format!("; did you mean \"{near}\"?"),
            None => String::new(),
        };
        Error::new(Kind::NotFound, format!("there is no rule \"{name}\"{hint}"))
    })
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
                Argument::Length | Argument::Number | Argument::Bound => Value::from(1),
                Argument::Format => Value::from("uuid"),
                Argument::Type => Value::from("list(string)"),
                Argument::Bits | Argument::Lengths | Argument::Numbers => value!([16, 24]).unwrap(),
                Argument::Values | Argument::Texts | Argument::Keys => value!(["a"]).unwrap(),
                Argument::Paths => value!(["a", "b"]).unwrap(),
                Argument::Requirement => value!({ "path": "a", "one_of": ["x"], "required": ["b"] }).unwrap(),
                Argument::Rule | Argument::Rules => continue,
            };
            for name in std::iter::once(&row.name).chain(row.aliases) {
                let rule = from_keyword(name, &argument).unwrap().unwrap();
                assert_eq!(rule.name() != row.name, row.composed, "{name}");
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
