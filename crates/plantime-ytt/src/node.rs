//! YAML documents as trees: each node with its position and its annotations.

use std::fmt;
use std::ops::Range;
use std::rc::Rc;

use num_bigint::BigInt;

use crate::starlark::value::Arguments;

/// A file that was read: its name as messages show it, and its lines.
#[derive(Debug)]
pub(crate) struct Source {
    pub(crate) name: String,
    pub(crate) lines: Vec<String>,
}

/// A line of a file.
#[derive(Clone, Debug)]
pub(crate) struct Position {
    pub(crate) source: Rc<Source>,
    pub(crate) line: usize,
}

impl Position {
    /// Returns the number of the line for messages: a document without `---` has line 0, and messages show line 1.
    pub(crate) fn shown_line(&self) -> usize {
        self.line.max(1)
    }

    /// The text of the line; empty if the file has no such line.
    pub(crate) fn text(&self) -> &str {
        self.source.lines.get(self.line.wrapping_sub(1)).map_or("", String::as_str)
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.source.name == "?" {
            return f.write_str("?");
        }
        if self.source.name.is_empty() {
            return write!(f, "{}", self.shown_line());
        }
        write!(f, "{}:{}", self.source.name, self.shown_line())
    }
}

/// A scalar as YAML 1.1 resolves it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Scalar {
    Null,
    Bool(bool),
    Int(BigInt),
    Float(f64),
    Text(String),
    /// A value that is not known yet.
    Unknown,
}

/// What a node contains.
#[derive(Clone, Debug)]
pub(crate) enum Content {
    Scalar(Scalar),
    Map(Vec<Node>),
    Array(Vec<Node>),
}

impl Content {
    /// The name of the type in messages.
    pub(crate) fn type_name(&self) -> &'static str {
        match self {
            Content::Scalar(Scalar::Null) => "null",
            Content::Scalar(Scalar::Bool(_)) => "boolean",
            Content::Scalar(Scalar::Int(_)) => "integer",
            Content::Scalar(Scalar::Float(_)) => "float",
            Content::Scalar(Scalar::Text(_)) => "string",
            Content::Scalar(Scalar::Unknown) => "unknown",
            Content::Map(_) => "map",
            Content::Array(_) => "array",
        }
    }

    /// Whether the content is null.
    pub(crate) fn is_null(&self) -> bool {
        matches!(self, Content::Scalar(Scalar::Null))
    }

    /// The children of a map or an array.
    pub(crate) fn children(&self) -> &[Node] {
        match self {
            Content::Map(children) | Content::Array(children) => children,
            Content::Scalar(_) => &[],
        }
    }
}

/// An annotation: `#@NAME ARGUMENTS`, with its arguments evaluated.
#[derive(Clone, Debug)]
pub(crate) struct Annotation {
    pub(crate) name: String,
    pub(crate) arguments: Arguments,
    pub(crate) at: Position,
}

/// A document, an item of a map, or an item of an array.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    /// The key of an item of a map.
    pub(crate) key: Option<Scalar>,
    pub(crate) content: Content,
    pub(crate) at: Position,
    pub(crate) annotations: Vec<Annotation>,
}

impl Node {
    /// The annotation of a name: the last one, as in ytt, if there are several.
    pub(crate) fn annotation(&self, name: &str) -> Option<&Annotation> {
        self.annotations.iter().rev().find(|annotation| annotation.name == name)
    }
}

/// Returns a key as paths and messages show it: a key that is no string as Go's `%s` prints it.
pub(crate) fn key_text(key: &Scalar) -> String {
    match key {
        Scalar::Text(text) => text.clone(),
        Scalar::Int(int) => format!("%!s(int={int})"),
        Scalar::Bool(bool) => format!("%!s(bool={bool})"),
        Scalar::Float(float) => format!("%!s(float64={})", float_text(*float)),
        Scalar::Null | Scalar::Unknown => "%!s(<nil>)".to_owned(),
    }
}

/// Returns a key as YAML has it.
pub(crate) fn plain_key(key: &Scalar) -> String {
    match key {
        Scalar::Text(text) => text.clone(),
        Scalar::Int(int) => int.to_string(),
        Scalar::Bool(bool) => bool.to_string(),
        Scalar::Float(float) => float_text(*float),
        Scalar::Null | Scalar::Unknown => "null".to_owned(),
    }
}

/// Returns a string that identifies a key among the keys of a map.
pub(crate) fn key_id(key: Option<&Scalar>) -> String {
    match key {
        None => String::new(),
        Some(Scalar::Text(text)) => format!("s{text}"),
        Some(other) => key_text(other),
    }
}

/// Returns the path of a child: keys joined by points, items by index.
pub(crate) fn child_path(path: &str, node: &Node, index: usize) -> String {
    match &node.key {
        None => format!("{path}[{index}]"),
        Some(key) if path.is_empty() => key_text(key),
        Some(key) => format!("{path}.{}", key_text(key)),
    }
}

/// Returns the shortest text of a float as Go's `%v` prints it: `1.5`, `1e+21`, `+Inf`.
pub(crate) fn float_text(float: f64) -> String {
    if float.is_nan() {
        return "NaN".to_owned();
    }
    if float.is_infinite() {
        return if float > 0.0 { "+Inf" } else { "-Inf" }.to_owned();
    }
    shortest(float, -4..21)
}

/// Returns the shortest text of a finite float: without an exponent where the exponent is in the range.
pub(crate) fn shortest(float: f64, plain: Range<i32>) -> String {
    let scientific = format!("{float:e}");
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if float != 0.0 && !plain.contains(&exponent) {
        let sign = if exponent < 0 { '-' } else { '+' };
        return format!("{mantissa}e{sign}{:02}", exponent.unsigned_abs());
    }
    format!("{float}")
}
