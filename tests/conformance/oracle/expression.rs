//! The expressions of the tables: literals, names, and functions that convert.

use plantime::function::Functions;
use plantime::{Number, Value};

#[derive(Clone, Debug)]
pub(super) enum Expression {
    Value(Value),
    Name(String),
    Tuple(Vec<Expression>),
    Object(Vec<(String, Expression)>),
    /// Conversion to what a constraint says.
    Convert(Box<Expression>, String),
    /// A call of a function of the planning languages.
    Call(String, Vec<Expression>),
}

impl Expression {
    /// `None` for what is not one of these.
    pub(super) fn parse(text: &str) -> Option<Expression> {
        let mut reader = Reader { rest: text };
        let expression = reader.expression()?;
        reader.rest.trim().is_empty().then_some(expression)
    }

    /// The names that it uses, each once.
    pub(super) fn names(&self) -> Vec<String> {
        let mut names = Vec::new();
        self.collect(&mut names);
        names
    }

    fn collect(&self, names: &mut Vec<String>) {
        match self {
            Expression::Value(_) => {}
            Expression::Name(name) if names.contains(name) => {}
            Expression::Name(name) => names.push(name.clone()),
            Expression::Tuple(parts) => parts.iter().for_each(|part| part.collect(names)),
            Expression::Object(parts) => parts.iter().for_each(|(_, part)| part.collect(names)),
            Expression::Convert(of, _) => of.collect(names),
            Expression::Call(_, arguments) => arguments.iter().for_each(|part| part.collect(names)),
        }
    }

    pub(super) fn value(&self, of: &dyn Fn(&str) -> Option<Value>) -> Result<Value, String> {
        let text = |error: plantime::Error| error.to_string();
        match self {
            Expression::Value(value) => Ok(value.clone()),
            Expression::Name(name) => of(name).ok_or_else(|| format!("no {name}")),
            Expression::Tuple(parts) => {
                let parts: Result<Vec<Value>, String> = parts.iter().map(|part| part.value(of)).collect();
                Value::tuple(parts?).map_err(text)
            }
            Expression::Object(parts) => {
                let parts: Result<Vec<(&str, Value)>, String> =
                    parts.iter().map(|(name, part)| Ok((name.as_str(), part.value(of)?))).collect();
                Value::object(parts?).map_err(text)
            }
            Expression::Call(name, arguments) => {
                let arguments: Result<Vec<Value>, String> =
                    arguments.iter().map(|part| part.value(of)).collect();
                Functions::standard().call(name, &arguments?).map_err(text)
            }
            Expression::Convert(part, constraint) => super::to(&part.value(of)?, constraint),
        }
    }
}

struct Reader<'a> {
    rest: &'a str,
}

impl Reader<'_> {
    fn take(&mut self, wanted: char) -> bool {
        let rest = self.rest.trim_start();
        let taken = rest.strip_prefix(wanted);
        self.rest = taken.unwrap_or(rest);
        taken.is_some()
    }

    /// Parts up to a closing bracket, with commas between them.
    fn list<T>(&mut self, close: char, part: impl Fn(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let mut parts = Vec::new();
        while !self.take(close) {
            parts.push(part(self)?);
            if !self.take(',') {
                return self.take(close).then_some(parts);
            }
        }
        Some(parts)
    }

    fn text(&mut self) -> Option<String> {
        let end = self.rest.char_indices().find(|(i, c)| *c == '"' && !self.rest[..*i].ends_with('\\'))?.0;
        let text = &self.rest[..end];
        self.rest = &self.rest[end + 1..];
        let text = with_short_escapes(text)?;
        (!text.contains(['$', '%'])).then(|| serde_json::from_str(&format!("\"{text}\"")).ok()).flatten()
    }

    fn word(&mut self) -> Option<String> {
        let rest = self.rest.trim_start();
        let end = rest
            .find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-')))
            .unwrap_or(rest.len());
        let (word, rest) = rest.split_at(end);
        self.rest = rest;
        (!word.is_empty()).then(|| word.to_owned())
    }

    fn expression(&mut self) -> Option<Expression> {
        if self.take('"') {
            return self.text().map(|text| Expression::Value(Value::from(text)));
        }
        if self.take('[') {
            return self.list(']', Self::expression).map(Expression::Tuple);
        }
        if self.take('{') {
            return self.list('}', Self::attribute).map(Expression::Object);
        }
        let word = self.word()?;
        if !self.take('(') {
            return Self::atom(&word);
        }
        let converts = ["convert", "tolist", "toset", "tomap", "tostring", "tonumber", "sensitive"];
        if !converts.contains(&word.as_str()) {
            Functions::standard().get(&word)?;
            return self.list(')', Self::expression).map(|arguments| Expression::Call(word, arguments));
        }
        let of = Box::new(self.expression()?);
        let constraint = match word.as_str() {
            "convert" => {
                let rest = self.take(',').then_some(self.rest)?;
                let end = rest.rfind(')')?;
                self.rest = &rest[end..];
                rest[..end].trim().to_owned()
            }
            "tolist" => "list(any)".to_owned(),
            "toset" => "set(any)".to_owned(),
            "tomap" => "map(any)".to_owned(),
            "tostring" => "string".to_owned(),
            "tonumber" => "number".to_owned(),
            // Marks do not show in the tables.
            "sensitive" => return self.take(')').then_some(*of),
            _ => return None,
        };
        self.take(')').then_some(Expression::Convert(of, constraint))
    }

    fn attribute(&mut self) -> Option<(String, Expression)> {
        let name = if self.take('"') { self.text()? } else { self.word()? };
        self.take('=').then_some(())?;
        Some((name, self.expression()?))
    }

    fn atom(word: &str) -> Option<Expression> {
        if word.starts_with("local.") {
            return Some(Expression::Name(word.to_owned()));
        }
        Some(Expression::Value(match word {
            "null" => Value::null(plantime::Type::Dynamic),
            "true" => Value::from(true),
            "false" => Value::from(false),
            number => Value::from(number.parse::<Number>().ok()?),
        }))
    }
}

/// The text with the character in place of each `\UXXXXXXXX`, which JSON does not have.
fn with_short_escapes(text: &str) -> Option<String> {
    let mut parts = text.split("\\U");
    let mut short = parts.next()?.to_owned();
    for part in parts {
        // After an escaped backslash it is the letter.
        if short.chars().rev().take_while(|c| *c == '\\').count() % 2 == 1 {
            short.push_str("\\U");
            short.push_str(part);
            continue;
        }
        let (digits, rest) = part.split_at_checked(8)?;
        short.push(char::from_u32(u32::from_str_radix(digits, 16).ok()?)?);
        short.push_str(rest);
    }
    Some(short)
}

#[test]
fn a_long_escape_is_one_character() {
    let parsed = Expression::parse("\"a\\U0001F469b\"");
    assert!(matches!(parsed, Some(Expression::Value(value)) if value == Value::from("a\u{1f469}b")));
    assert!(Expression::parse("\"\\U0001F4\"").is_none());
}
