//! The validation of data values by the rules of a schema.

use std::collections::HashMap;
use std::rc::Rc;

use crate::node::{Content, Node, child_path, key_id};
use crate::rules::{Rules, Unanswered};
use crate::schema::{Kind, Schema};
use crate::starlark::convert::value_of;
use crate::starlark::interpreter::Interpreter;
use crate::starlark::value::{Fragment, Value};

/// The largest length of the report.
const MAX_REPORT: usize = 1 << 22;

/// Evaluates the rules of all values: parents before children. The error is the report of all violations.
pub(crate) fn validate(this: &mut Interpreter<'_>, root: &Node, schema: &Schema) -> Result<(), String> {
    const TITLE: &str = "Validating final data values:\n";
    let root = Rc::new(Node { annotations: Vec::new(), ..root.clone() });
    let fragment = Fragment::new(root, "");
    let mut blocks = String::new();
    node(this, &fragment, schema, "", &mut blocks).map_err(|error| match error {
        Stop::When(text) => format!("{TITLE}{text}"),
        Stop::Other(text) => text,
    })?;
    if blocks.is_empty() { Ok(()) } else { Err(format!("{TITLE}{blocks}")) }
}

/// Why a validation ended early.
enum Stop {
    When(String),
    Other(String),
}

fn node(
    this: &mut Interpreter<'_>,
    fragment: &Fragment,
    schema: &Schema,
    path: &str,
    blocks: &mut String,
) -> Result<(), Stop> {
    let at = |path: &str| if path.is_empty() { "the data values".to_owned() } else { path.to_owned() };
    if let Some(rules) = &schema.rules {
        blocks.push_str(&block(this, fragment, rules, path).map_err(|error| match error {
            Unanswered::When(text) => Stop::When(format!("Validating {path}: {text}")),
            Unanswered::Failure(failure) => {
                Stop::Other(format!("Validating {}: {}", at(path), failure.message()))
            }
        })?);
        if blocks.len() > MAX_REPORT {
            return Err(Stop::Other("the report of the violations is too long".to_owned()));
        }
    }
    this.heap.work(1).map_err(|failure| Stop::Other(failure.message()))?;
    let by_key: HashMap<String, &Schema> = match &schema.kind {
        Kind::Map(declared) => declared.iter().map(|schema| (key_id(schema.key.as_ref()), schema)).collect(),
        Kind::Array(_) => HashMap::new(),
        Kind::Any | Kind::Scalar(_) => return Ok(()),
    };
    for (index, child) in fragment.content().children().iter().enumerate() {
        let schema = match &schema.kind {
            Kind::Map(_) => by_key.get(&key_id(child.key.as_ref())).copied(),
            Kind::Array(item) => Some(item.as_ref()),
            Kind::Any | Kind::Scalar(_) => None,
        };
        if let Some(schema) = schema {
            node(this, &fragment.child(index), schema, &child_path(path, child, index), blocks)?;
        }
    }
    Ok(())
}

/// Returns the block of a node that violates its rules.
fn block(
    this: &mut Interpreter<'_>,
    fragment: &Fragment,
    rules: &Rules,
    path: &str,
) -> Result<String, Unanswered> {
    let root = value_of(fragment.root());
    let value = match fragment.content() {
        Content::Scalar(_) => value_of(fragment.clone()),
        _ => Value::Fragment(fragment.clone()),
    };
    let violations = rules.violations(this, &value, fragment.parent(), &root)?;
    if violations.is_empty() {
        return Ok(String::new());
    }
    let path = if path.is_empty() { "(document)" } else { path };
    let mut block = format!("  {path}\n    from: {}\n", fragment.position());
    for violation in violations {
        block.push_str(&format!("    - must be: {} (by: {})\n", violation.description, rules.at()));
        if !violation.found.is_empty() {
            block.push_str(&format!("      found: {}\n", violation.found));
        }
    }
    block.push('\n');
    Ok(block)
}
