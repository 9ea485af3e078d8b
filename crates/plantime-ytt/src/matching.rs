//! `@overlay/match`: which nodes of the left side an overlay changes, and how many are expected.

use num_bigint::BigInt;

use crate::node::{Annotation, Content, Node, Scalar};
use crate::starlark::interpreter::Interpreter;
use crate::starlark::modules::overlay::{fragment, map_key};
use crate::starlark::value::{Arguments, Value, text_of};

/// The annotation that says which nodes match.
pub(crate) const MATCH: &str = "overlay/match";
/// The annotation that says how many matches the children expect.
pub(crate) const CHILD_DEFAULTS: &str = "overlay/match-child-defaults";

/// How many nodes have to match.
#[derive(Clone, Debug, Default)]
pub(crate) struct Expectation {
    expects: Option<Value>,
    missing_ok: Option<Value>,
    when: Option<Value>,
}

/// Whether the number of matched nodes is the expected one.
pub(crate) enum Matched {
    Expected,
    /// It is not, and `when=` skips the node.
    Skipped,
}

/// What an annotation on a node says about matches.
pub(crate) struct Match {
    by: Option<Value>,
    expectation: Expectation,
}

impl Expectation {
    /// The expectation of an annotation, where what it does not say is that of the defaults.
    pub(crate) fn of(annotation: Option<&Annotation>, defaults: &Expectation) -> Result<Expectation, String> {
        Ok(read(annotation, CHILD_DEFAULTS, defaults)?.expectation)
    }

    /// Compares the number of matched nodes with what is expected; the error is ytt's.
    pub(crate) fn check(&self, matches: &[String], this: &mut Interpreter<'_>) -> Result<Matched, String> {
        let several = |one: &str, other: &str| {
            format!("Expected only one of keyword arguments ('{one}', '{other}') specified")
        };
        let (value, keyword) = match (&self.missing_ok, &self.expects, &self.when) {
            (Some(_), Some(_), _) => return Err(several("missing_ok", "expects")),
            (Some(_), None, Some(_)) => return Err(several("missing_ok", "when")),
            (None, Some(_), Some(_)) => return Err(several("when", "expects")),
            (Some(Value::Bool(true)), None, None) if matches.is_empty() => return Ok(Matched::Expected),
            (Some(Value::Bool(_)), None, None) | (None, None, None) => (Value::int(1), "missing_ok"),
            (Some(_), None, None) => {
                return Err("Expected keyword argument 'missing_ok' to be a boolean".to_owned());
            }
            (None, Some(expects), None) => (expects.clone(), "expects"),
            (None, None, Some(when)) => (when.clone(), "when"),
        };
        match number_error(&value, keyword, matches, this)? {
            None => Ok(Matched::Expected),
            Some(_) if self.when.is_some() => Ok(Matched::Skipped),
            Some(error) => Err(error),
        }
    }
}

/// Returns why the number of matched nodes is not the expected one; `None` if it is.
fn number_error(
    expected: &Value,
    keyword: &str,
    matches: &[String],
    this: &mut Interpreter<'_>,
) -> Result<Option<String>, String> {
    let count = matches.len();
    let other_number = |sign: &str, number: &BigInt| {
        let mut lines = matches.to_vec();
        lines.sort();
        let lines = if lines.is_empty() { String::new() } else { format!(" (lines: {})", lines.join(", ")) };
        format!("Expected number of matched nodes to be {sign}{number}, but was {count}{lines}")
    };
    match expected {
        Value::Int(int) => Ok((*int != BigInt::from(count)).then(|| other_number("", int))),
        Value::Text(text) => {
            let text = text_of(text);
            let least = text.strip_suffix('+').and_then(|number| number.parse::<i64>().ok());
            let Some(least) = least.map(BigInt::from) else {
                return Err(format!("Expected '{text}' to be in format 'i+' where i is an integer"));
            };
            Ok((BigInt::from(count) < least).then(|| other_number(">= ", &least)))
        }
        Value::List(list) => {
            let mut error = None;
            for item in list.items.borrow().iter() {
                error = match item {
                    Value::List(_) => return Err("a list in expects= is not supported".to_owned()),
                    item => number_error(item, keyword, matches, this)?,
                };
                if error.is_none() {
                    break;
                }
            }
            Ok(error)
        }
        function if function.is_callable() => {
            let arguments = Arguments { positional: vec![Value::int(count)], keywords: Vec::new() };
            match this.call(function, arguments).map_err(|failure| failure.message())? {
                Value::Bool(true) => Ok(None),
                Value::Bool(false) => Ok(Some("Expectation of number of matched nodes failed".to_owned())),
                _ => Err(format!(
                    "Expected keyword argument '{keyword}' to have a function that returns a boolean"
                )),
            }
        }
        other => Err(format!(
            "Expected 'overlay/match' annotation keyword argument '{keyword}' to be either int, string or function, but was {}",
            other.go_type()
        )),
    }
}

/// Reads the keyword arguments of an annotation about matches.
fn read(annotation: Option<&Annotation>, name: &str, defaults: &Expectation) -> Result<Match, String> {
    let mut by = None;
    let mut own = Expectation::default();
    for (keyword, value) in annotation.iter().flat_map(|annotation| &annotation.arguments.keywords) {
        let slot = match &**keyword {
            "by" if name == MATCH => &mut by,
            "expects" => &mut own.expects,
            "missing_ok" => &mut own.missing_ok,
            "when" => &mut own.when,
            // Unknown ones were refused before.
            _ => continue,
        };
        *slot = Some(value.clone());
    }
    let expectation = Expectation {
        expects: own.expects.or_else(|| defaults.expects.clone()),
        missing_ok: own.missing_ok.or_else(|| defaults.missing_ok.clone()),
        when: own.when.or_else(|| defaults.when.clone()),
    };
    Ok(Match { by, expectation })
}

impl Match {
    /// The match of a map item.
    pub(crate) fn of_map_item(node: &Node, defaults: &Expectation) -> Result<Match, String> {
        read(node.annotation(MATCH), MATCH, defaults)
    }

    /// The match of an array item; `None` where it has no annotation, so that nothing matches.
    pub(crate) fn of_array_item(node: &Node, defaults: &Expectation) -> Result<Option<Match>, String> {
        let Some(annotation) = node.annotation(MATCH) else { return Ok(None) };
        if annotation.arguments.keywords.is_empty() {
            return Err(
                "Expected 'overlay/match' annotation to have at least one keyword argument (by=..., expects=...)"
                    .to_owned(),
            );
        }
        let found = read(Some(annotation), MATCH, defaults)?;
        if found.by.is_none() {
            return Err(
                "Expected 'overlay/match' annotation keyword argument 'by' to be specified".to_owned()
            );
        }
        Ok(Some(found))
    }

    /// Whether nodes match by their keys, as the annotation has no function.
    pub(crate) fn is_by_key(&self) -> bool {
        self.by.is_none()
    }

    /// Whether a node of the left side matches one of the right side; the error is ytt's.
    pub(crate) fn matches(
        &self,
        index: Value,
        left: &Node,
        right: &Node,
        this: &mut Interpreter<'_>,
    ) -> Result<bool, String> {
        let by = match &self.by {
            Some(Value::Text(key)) => map_key(Value::Text(key.clone())),
            Some(by) if by.is_callable() => by.clone(),
            Some(other) => {
                return Err(format!(
                    "Expected 'overlay/match' annotation keyword argument 'by' to be either string (for map key) or function, but was {}",
                    other.go_type()
                ));
            }
            None => return Ok(left.key == right.key),
        };
        let text = |failure: crate::starlark::error::Failure| failure.message();
        let positional =
            vec![index, fragment(this, left).map_err(text)?, fragment(this, right).map_err(text)?];
        match this.call(&by, Arguments { positional, keywords: Vec::new() }).map_err(text)? {
            Value::Bool(found) => Ok(found),
            other => Err(format!("expected starlark.Bool, but was {}", other.go_type())),
        }
    }

    /// Compares the number of matched nodes with what is expected; the error is ytt's.
    pub(crate) fn check(&self, matches: &[String], this: &mut Interpreter<'_>) -> Result<Matched, String> {
        self.expectation.check(matches, this)
    }
}

/// The key of a map item as a value, or the index of an array item.
pub(crate) fn place(node: &Node, index: usize) -> Value {
    match &node.key {
        Some(Scalar::Unknown) | None => Value::int(index),
        Some(key) => crate::starlark::convert::scalar_value(key),
    }
}

/// Whether a content has values that are not known, which no overlay changes by a function.
pub(crate) fn has_unknown(content: &Content) -> bool {
    matches!(content, Content::Scalar(Scalar::Unknown))
        || content.children().iter().any(|child| has_unknown(&child.content))
}
