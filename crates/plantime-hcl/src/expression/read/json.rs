//! Expressions in JSON: each string is a template.

use super::Reader;
use crate::expression::diagnostic::{Diagnostics, all};
use crate::expression::syntax_error::syntax_error;
use crate::expression::tree::{Key, Kind, Node};
use crate::hcl::{JsonKind, JsonNode, costly_bracket};
use plantime::source::Source;
use plantime::{Number, Value};

/// Makes the tree of an expression from a part of a JSON text.
pub(in crate::expression) fn read_json(source: &Source, json: &JsonNode) -> Result<Node, Diagnostics> {
    let span = json.span.clone();
    let kind = match &json.kind {
        JsonKind::Null => Kind::Literal(Value::null(plantime::Type::Dynamic)),
        JsonKind::Bool(truth) => Kind::Literal(Value::from(*truth)),
        JsonKind::Number(written) => match written.parse::<Number>() {
            Ok(number) => Kind::Literal(Value::from(number)),
            Err(error) => return Err(syntax_error(source, span.start, &error.to_string()).into()),
        },
        JsonKind::String(text) => return read_template(source, text, json),
        JsonKind::Array(items) => Kind::Tuple(all(items.iter().map(|item| read_json(source, item)))?),
        JsonKind::Object(properties) => Kind::Object(all(properties.iter().map(|property| {
            let name =
                JsonNode { span: property.span.clone(), kind: JsonKind::String(property.name.clone()) };
            let key = read_json(source, &name)?;
            Ok((Key::Expression(key), read_json(source, &property.value)?))
        }))?),
    };
    Ok(Node { span, kind })
}

/// The template of a string. Behind an escape the places are before those in the source.
fn read_template(source: &Source, text: &str, json: &JsonNode) -> Result<Node, Diagnostics> {
    let start = json.span.start.saturating_add(1);
    if !text.contains("${") && !text.contains("%{") {
        return Ok(Node { span: json.span.clone(), kind: Kind::Literal(Value::from(text)) });
    }
    if let Some(place) = costly_bracket(text) {
        let place = start.saturating_add(place);
        return Err(syntax_error(source, place, "operators and brackets exceed the nesting depth").into());
    }
    match hcl_edit::parser::parse_template(text) {
        Ok(template) => {
            Reader { start, written: text, ..Reader::of(source) }.bare_template(&template, json.span.clone())
        }
        Err(error) => {
            let place = start.saturating_add(error.location().offset());
            Err(syntax_error(source, place, error.message()).into())
        }
    }
}
