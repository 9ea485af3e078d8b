//! `@schema/examples`: values that a schema shows.

use crate::excerpt::{Notes, excerpt, invalid, titled};
use crate::node::{Annotation, Content, Node};
use crate::schema::Schema;
use crate::starlark::convert::yaml_from_value;
use crate::starlark::interpreter::Interpreter;
use crate::starlark::value::{Value, text_of};
use crate::types::{Mismatches, check};

/// A description and a value.
#[derive(Debug)]
pub(crate) struct Example {
    pub(crate) description: String,
    pub(crate) value: Content,
}

/// Returns the examples of a node; the error is ytt's.
pub(crate) fn examples_of(
    annotation: &Annotation,
    node: &Node,
    schema: &Schema,
    this: &mut Interpreter<'_>,
) -> Result<Vec<Example>, String> {
    let given = &annotation.arguments;
    let at = &annotation.at;
    let refuse = |found: String| {
        let notes = Notes::new(found)
            .expected("2-tuple containing description (string) and example value (of expected type)");
        invalid("syntax error in @schema/examples annotation", annotation, &node.at, &notes)
    };
    if !given.keywords.is_empty() {
        return Err(refuse(format!("keyword argument in @schema/examples (by {at})")));
    }
    if given.positional.is_empty() {
        return Err(refuse(format!("missing value in @schema/examples (by {at})")));
    }
    let mut examples = Vec::new();
    for item in &given.positional {
        let Value::Tuple(items) = item else {
            return Err(refuse(format!("{} for @schema/examples (at {at})", item.type_name())));
        };
        let (text, value) = match &**items {
            [] | [_] => return Err(refuse(format!("empty tuple in @schema/examples (by {at})"))),
            [text, value] => (text, value),
            more => {
                return Err(refuse(format!("{}-tuple argument in @schema/examples (by {at})", more.len())));
            }
        };
        let Value::Text(text) = text else {
            return Err(refuse(format!("{} value for @schema/examples (at {at})", text.type_name())));
        };
        let content = yaml_from_value(&this.heap, value, &node.at).map_err(|failure| failure.message())?;
        let mut example = Node { key: node.key.clone(), content, at: at.clone(), annotations: Vec::new() };
        let mut mismatches = Mismatches::new(this.heap.bounds().defaults);
        check(&mut example, schema, &mut mismatches);
        if let Some(limit) = mismatches.limit() {
            return Err(limit);
        }
        if let Some(mismatch) = mismatches.first() {
            let mut notes = Notes::new(format!("{} (by {at})", mismatch.found)).expected(&mismatch.expected);
            notes.hints.extend(mismatch.hint.clone());
            let lines = excerpt(&[at, &node.at]);
            return Err(titled(
                "Invalid schema - @schema/examples has wrong type",
                mismatch.text,
                &lines,
                &notes,
            ));
        }
        examples.push(Example { description: text_of(text).into_owned(), value: example.content });
    }
    Ok(examples)
}
