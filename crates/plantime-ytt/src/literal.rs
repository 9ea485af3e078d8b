//! Arguments of annotations: literals of Starlark, positional and by keyword.

use std::fmt;

use num_bigint::BigInt;

use crate::node::{Content, Node, Position, Scalar, float_text};

/// The largest depth of nested literals.
const MAX_DEPTH: usize = 50;

/// A literal.
#[derive(Clone, Debug)]
pub(crate) enum Literal {
    None,
    Bool(bool),
    Int(BigInt),
    Float(f64),
    Text(String),
    List(Vec<Literal>),
    Tuple(Vec<Literal>),
    Dict(Vec<(Literal, Literal)>),
}

impl Literal {
    /// The name of the type in messages.
    pub(crate) fn type_name(&self) -> &'static str {
        match self {
            Literal::None => "NoneType",
            Literal::Bool(_) => "bool",
            Literal::Int(_) => "int",
            Literal::Float(_) => "float",
            Literal::Text(_) => "string",
            Literal::List(_) => "list",
            Literal::Tuple(_) => "tuple",
            Literal::Dict(_) => "dict",
        }
    }

    /// The value as YAML, every node at one position; an empty collection within a comparison is null for ytt, but not here.
    pub(crate) fn content(&self, at: &Position) -> Content {
        let node = |key: Option<Scalar>, value: &Literal| Node {
            key,
            content: value.content(at),
            at: at.clone(),
            annotations: Vec::new(),
        };
        match self {
            Literal::None => Content::Scalar(Scalar::Null),
            Literal::Bool(bool) => Content::Scalar(Scalar::Bool(*bool)),
            Literal::Int(int) => Content::Scalar(Scalar::Int(int.clone())),
            Literal::Float(float) => Content::Scalar(Scalar::Float(*float)),
            Literal::Text(text) => Content::Scalar(Scalar::Text(text.clone())),
            Literal::List(items) | Literal::Tuple(items) => {
                Content::Array(items.iter().map(|item| node(None, item)).collect())
            }
            Literal::Dict(entries) => Content::Map(
                entries
                    .iter()
                    .filter_map(|(key, value)| match key.content(at) {
                        Content::Scalar(key) => Some(node(Some(key), value)),
                        _ => None,
                    })
                    .collect(),
            ),
        }
    }
}

/// Writes the literal as Starlark's `repr`.
impl fmt::Display for Literal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let join = |items: &[Literal]| items.iter().map(Literal::to_string).collect::<Vec<_>>().join(", ");
        match self {
            Literal::None => f.write_str("None"),
            Literal::Bool(true) => f.write_str("True"),
            Literal::Bool(false) => f.write_str("False"),
            Literal::Int(int) => int.fmt(f),
            Literal::Float(float) => f.write_str(&float_text(*float)),
            Literal::Text(text) => f.write_str(&quoted(text)),
            Literal::List(items) => write!(f, "[{}]", join(items)),
            Literal::Tuple(items) if items.len() == 1 => write!(f, "({},)", join(items)),
            Literal::Tuple(items) => write!(f, "({})", join(items)),
            Literal::Dict(entries) => {
                let entries: Vec<String> =
                    entries.iter().map(|(key, value)| format!("{key}: {value}")).collect();
                write!(f, "{{{}}}", entries.join(", "))
            }
        }
    }
}

/// Returns a string in double quotes, escaped as Go's `%q` does for what is usual.
pub(crate) fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for char in text.chars() {
        match char {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            char if char < ' ' => out.push_str(&format!("\\x{:02x}", u32::from(char))),
            char => out.push(char),
        }
    }
    out.push('"');
    out
}

/// The arguments of an annotation.
#[derive(Clone, Debug, Default)]
pub(crate) struct Arguments {
    pub(crate) positional: Vec<Literal>,
    pub(crate) keywords: Vec<(String, Literal)>,
}

/// Reads the arguments of an annotation; the error says what is no literal.
pub(crate) fn arguments(text: &str) -> Result<Arguments, String> {
    let mut reader = Reader { rest: text };
    let mut arguments = Arguments::default();
    while !reader.at_end() {
        match reader.keyword() {
            Some(name) => {
                if arguments.keywords.iter().any(|(given, _)| *given == name) {
                    return Err(format!("keyword argument {name} repeated"));
                }
                arguments.keywords.push((name, reader.literal(0)?));
            }
            None if arguments.keywords.is_empty() => arguments.positional.push(reader.literal(0)?),
            None => return Err("positional argument may not follow named".to_owned()),
        }
        if !reader.take(',') && !reader.at_end() {
            return Err(reader.refusal());
        }
    }
    Ok(arguments)
}

struct Reader<'t> {
    rest: &'t str,
}

impl<'t> Reader<'t> {
    fn at_end(&mut self) -> bool {
        self.rest = self.rest.trim_start();
        self.rest.is_empty()
    }

    fn take(&mut self, char: char) -> bool {
        self.rest = self.rest.trim_start();
        match self.rest.strip_prefix(char) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn refusal(&self) -> String {
        let word: String = self.rest.chars().take(20).collect();
        format!("expressions are not evaluated: '{}'", word.trim_end())
    }

    /// Takes `NAME=`, but not `NAME==`.
    fn keyword(&mut self) -> Option<String> {
        self.rest = self.rest.trim_start();
        let name = self.word()?;
        let after = self.rest.strip_prefix(name)?.trim_start().strip_prefix('=')?;
        if after.starts_with('=') {
            return None;
        }
        self.rest = after;
        Some(name.to_owned())
    }

    fn word(&self) -> Option<&'t str> {
        let end = self
            .rest
            .find(|char: char| !char.is_ascii_alphanumeric() && char != '_')
            .unwrap_or(self.rest.len());
        let word = self.rest.get(..end)?;
        word.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_').then_some(word)
    }

    fn literal(&mut self, depth: usize) -> Result<Literal, String> {
        self.rest = self.rest.trim_start();
        if depth > MAX_DEPTH {
            return Err("literals are nested too deeply".to_owned());
        }
        let depth = depth.saturating_add(1);
        if self.take('[') {
            return Ok(Literal::List(self.items(']', depth)?.0));
        }
        if self.take('(') {
            let (mut items, comma) = self.items(')', depth)?;
            return Ok(match items.pop() {
                Some(only) if items.is_empty() && !comma => only,
                last => Literal::Tuple(items.into_iter().chain(last).collect()),
            });
        }
        if self.take('{') {
            return self.dict(depth);
        }
        if self.rest.starts_with(['"', '\'']) {
            return self.text();
        }
        let word = self.word();
        let constant = match word {
            Some("None") => Some(Literal::None),
            Some("True") => Some(Literal::Bool(true)),
            Some("False") => Some(Literal::Bool(false)),
            _ => None,
        };
        match (constant, word) {
            (Some(constant), Some(word)) => {
                self.rest = self.rest.strip_prefix(word).unwrap_or("");
                self.operand_ends(constant)
            }
            _ => self.number(),
        }
    }

    /// Returns a literal if no operator follows it.
    fn operand_ends(&mut self, literal: Literal) -> Result<Literal, String> {
        let rest = self.rest.trim_start();
        if rest.is_empty() || rest.starts_with([',', ')', ']', '}', ':']) {
            Ok(literal)
        } else {
            Err(self.refusal())
        }
    }

    fn number(&mut self) -> Result<Literal, String> {
        let refusal = self.refusal();
        let (negative, digits) = match self.rest.strip_prefix('-') {
            Some(digits) => (true, digits.trim_start()),
            None => (false, self.rest),
        };
        let exponent = |at: usize| {
            at.checked_sub(1)
                .and_then(|at| digits.as_bytes().get(at))
                .is_some_and(|byte| matches!(byte, b'e' | b'E'))
        };
        let end = digits
            .char_indices()
            .find(|(at, char)| {
                !char.is_ascii_alphanumeric() && *char != '.' && !(matches!(char, '+' | '-') && exponent(*at))
            })
            .map_or(digits.len(), |(at, _)| at);
        let text = digits.get(..end).unwrap_or("");
        if !text.starts_with(|first: char| first.is_ascii_digit() || first == '.') {
            return Err(refusal);
        }
        self.rest = digits.get(end..).unwrap_or("");
        let radix = match text.get(..2) {
            Some("0x" | "0X") => 16,
            Some("0o" | "0O") => 8,
            Some("0b" | "0B") => 2,
            _ => 10,
        };
        let body = if radix == 10 { text } else { text.get(2..).unwrap_or("") };
        let literal = if body.bytes().all(|byte| char::from(byte).is_digit(radix)) {
            if radix == 10 && body.len() > 1 && body.starts_with('0') {
                return Err(
                    "obsolete form of octal literal; use 0o".to_owned() + body.trim_start_matches('0')
                );
            }
            let int = BigInt::parse_bytes(body.as_bytes(), radix).ok_or(refusal)?;
            Literal::Int(if negative { BigInt::ZERO.checked_sub(&int).unwrap_or_default() } else { int })
        } else {
            let float: f64 = text.parse().map_err(|_| refusal)?;
            Literal::Float(if negative { -float } else { float })
        };
        self.operand_ends(literal)
    }

    fn items(&mut self, close: char, depth: usize) -> Result<(Vec<Literal>, bool), String> {
        let (mut items, mut comma) = (Vec::new(), true);
        loop {
            if self.take(close) {
                let trailing = comma && !items.is_empty();
                self.operand_ends(Literal::None)?;
                return Ok((items, trailing));
            }
            if !comma || self.at_end() {
                return Err(self.refusal());
            }
            items.push(self.literal(depth)?);
            comma = self.take(',');
        }
    }

    fn dict(&mut self, depth: usize) -> Result<Literal, String> {
        let (mut entries, mut comma) = (Vec::<(Literal, Literal)>::new(), true);
        loop {
            if self.take('}') {
                return self.operand_ends(Literal::Dict(entries));
            }
            if !comma || self.at_end() {
                return Err(self.refusal());
            }
            let key = self.literal(depth)?;
            if !self.take(':') {
                return Err(self.refusal());
            }
            if let Literal::List(_) | Literal::Dict(_) = key {
                return Err(format!("unhashable type: {}", key.type_name()));
            }
            let value = self.literal(depth)?;
            entries.push((key, value));
            comma = self.take(',');
        }
    }

    fn text(&mut self) -> Result<Literal, String> {
        let refusal = self.refusal();
        let mut chars = self.rest.char_indices();
        let quote = chars.next().map(|(_, quote)| quote);
        if self.rest.starts_with("\"\"\"") || self.rest.starts_with("'''") {
            return Err(refusal);
        }
        let mut text = String::new();
        while let Some((at, char)) = chars.next() {
            if Some(char) == quote {
                self.rest = self.rest.get(at.saturating_add(1)..).unwrap_or("");
                return self.operand_ends(Literal::Text(text));
            }
            if char == '\n' {
                return Err("unexpected newline in string".to_owned());
            }
            if char != '\\' {
                text.push(char);
                continue;
            }
            match chars.next().map(|(_, char)| char) {
                Some('n') => text.push('\n'),
                Some('t') => text.push('\t'),
                Some('r') => text.push('\r'),
                Some(char @ ('\\' | '"' | '\'')) => text.push(char),
                Some(char @ ('x' | '0'..='7' | 'a' | 'b' | 'f' | 'v')) => {
                    return Err(format!("the escape '\\{char}' is not supported"));
                }
                Some(char) => text.extend(['\\', char]),
                None => return Err(refusal),
            }
        }
        Err(refusal)
    }
}
