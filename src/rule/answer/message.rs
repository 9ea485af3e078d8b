//! Message templates that the author of a rule writes.

use std::fmt;
use std::str::FromStr;

use crate::error::{Error, Kind, Result};
use crate::value::Value;

/// A message template: a string with fields that are filled in.
///
/// | field | stands for |
/// |---|---|
/// | `{key}` | the last name in the path: attribute, key or index |
/// | `{value}` | the value; `(sensitive value)` or the like if it is marked |
/// | `{desc}` | what the rule requires: `starts with "vpc-"` |
/// | `{failure}` | what is wrong about the value: `it is "subnet-1"` |
/// | `{{`, `}}` | a brace |
///
/// ```
/// use plantime::Value;
/// use plantime::rule::{Fields, Template};
///
/// let template: Template = r#""{key}" (={value}) must be between 49142 and 65535"#.parse()?;
/// let fields = Fields { key: "adminPort", value: &Value::from(1024), desc: "", failure: "" };
/// assert_eq!(template.render(&fields), r#""adminPort" (=1024) must be between 49142 and 65535"#);
/// # Ok::<(), plantime::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Template {
    /// The template as it was written.
    text: String,
    /// The literal text and the fields, in order.
    pieces: Vec<Piece>,
}

/// The name of a field that a template may contain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Field {
    Key,
    Value,
    Desc,
    Failure,
}

/// The fields by the names that templates use.
const FIELDS: [(&str, Field); 4] =
    [("key", Field::Key), ("value", Field::Value), ("desc", Field::Desc), ("failure", Field::Failure)];

/// One piece of a template: literal text, or a field to fill in.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Piece {
    Text(String),
    Field(Field),
}

/// The values of the fields of a [`Template`].
#[derive(Clone, Copy, Debug)]
pub struct Fields<'a> {
    /// The last name in the path, for `{key}`.
    pub key: &'a str,
    /// The value that was checked, for `{value}`.
    pub value: &'a Value,
    /// What the rule requires, for `{desc}`.
    pub desc: &'a str,
    /// What is wrong about the value, for `{failure}`.
    pub failure: &'a str,
}

impl Template {
    /// The message with its fields filled in. The value is printed by its `Display`, which never shows marked content.
    ///
    /// [Example](Template)
    pub fn render(&self, fields: &Fields<'_>) -> String {
        let mut out = String::new();
        for piece in &self.pieces {
            match piece {
                Piece::Text(text) => out.push_str(text),
                Piece::Field(Field::Key) => out.push_str(fields.key),
                Piece::Field(Field::Value) => out.push_str(&fields.value.to_string()),
                Piece::Field(Field::Desc) => out.push_str(fields.desc),
                Piece::Field(Field::Failure) => out.push_str(fields.failure),
            }
        }
        out
    }
}

impl FromStr for Template {
    type Err = Error;

    /// Reads a template.
    ///
    /// # Errors
    ///
    /// For an unknown field or a single brace, with the column (in bytes, from 1) and the nearest field.
    fn from_str(text: &str) -> Result<Template> {
        let mut pieces = Vec::new();
        let mut plain = String::new();
        let mut rest = text;
        while let Some(at) = rest.find(['{', '}']) {
            let (before, brace) = rest.split_at(at);
            plain.push_str(before);
            let column = text.len().saturating_sub(brace.len()).saturating_add(1);
            if let Some(after) = brace.strip_prefix("{{") {
                plain.push('{');
                rest = after;
            } else if let Some(after) = brace.strip_prefix("}}") {
                plain.push('}');
                rest = after;
            } else if let Some((name, after)) =
                brace.strip_prefix('{').and_then(|inside| inside.split_once('}'))
            {
                let Some((_, field)) = FIELDS.iter().find(|(known, _)| *known == name) else {
                    return Err(unknown_field(name, column));
                };
                if !plain.is_empty() {
                    pieces.push(Piece::Text(std::mem::take(&mut plain)));
                }
                pieces.push(Piece::Field(*field));
                rest = after;
            } else {
                let message = format!("a single brace at column {column} of the message: write it twice");
                return Err(Error::new(Kind::Syntax, message));
            }
        }
        plain.push_str(rest);
        if !plain.is_empty() {
            pieces.push(Piece::Text(plain));
        }
        Ok(Template { text: text.to_owned(), pieces })
    }
}

/// The error for a field that does not exist, with the nearest one.
#[cold]
fn unknown_field(name: &str, column: usize) -> Error {
    let names = FIELDS.iter().map(|(name, _)| *name);
    let hint = match crate::text::nearest(name, names) {
        Some(near) => format!("did you mean {{{near}}}?"),
        None => "there are {key}, {value}, {desc} and {failure}".to_owned(),
    };
    Error::new(Kind::Syntax, format!("unknown field {{{name}}} at column {column} of the message: {hint}"))
}

impl fmt::Display for Template {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl fmt::Debug for Template {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Template({:?})", self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::{Fields, Template};
    use crate::mark::Mark;
    use crate::value::Value;

    fn rendered(template: &str, value: &Value) -> String {
        let template: Template = template.parse().unwrap();
        let desc = "a length of at least 1";
        template.render(&Fields { key: "username", value, desc, failure: "it is a length of 0" })
    }

    #[test]
    fn fields_are_filled_in_and_marked_values_are_not_shown() {
        let value = Value::from("x");
        assert_eq!(
            rendered("\"{key}\" requires a valid value: {desc}; {failure}.", &value),
            "\"username\" requires a valid value: a length of at least 1; it is a length of 0."
        );
        assert_eq!(rendered("{{{value}}}", &value), "{\"x\"}");
        assert_eq!(rendered("{value}", &value.mark(Mark::SENSITIVE)), "(sensitive value)");
    }

    #[test]
    fn what_is_no_template_says_where() {
        for (text, message) in [
            ("a {kye}", "unknown field {kye} at column 3 of the message: did you mean {key}?"),
            (
                "{zzzzz}",
                "unknown field {zzzzz} at column 1 of the message: there are {key}, {value}, {desc} and {failure}",
            ),
            ("a {", "a single brace at column 3 of the message: write it twice"),
            ("a } b", "a single brace at column 3 of the message: write it twice"),
        ] {
            assert_eq!(text.parse::<Template>().unwrap_err().to_string(), message);
        }
    }
}
