//! Expressions in JSON: each string is a template.

use super::diagnostic::{Diagnostic, Diagnostics, all};
use super::tree::{Key, Kind, Node};
use crate::json::{JsonKind, JsonNode};
use crate::syntax::parse_template;
use plantime::source::Source;
use plantime::{Number, Value};

/// Makes the tree of an expression from a part of a JSON text.
pub(super) fn read_json(source: &Source, json: &JsonNode) -> Result<Node, Diagnostics> {
    let span = json.span.clone();
    let kind = match &json.kind {
        JsonKind::Null => Kind::Literal(Value::null(plantime::Type::Dynamic)),
        JsonKind::Bool(truth) => Kind::Literal(Value::from(*truth)),
        JsonKind::Number(written) => match written.parse::<Number>() {
            Ok(number) => Kind::Literal(Value::from(number)),
            Err(error) => {
                return Err(Diagnostic::new(source, span, "Invalid JSON number", format!("{error}.")).into());
            }
        },
        JsonKind::String(text) => return read_template(source, text, json),
        JsonKind::Array(items) => Kind::Tuple(all(items.iter().map(|item| read_json(source, item)))?),
        JsonKind::Object(properties) => Kind::Object(all(properties.iter().map(|property| {
            let name =
                JsonNode { span: property.span.clone(), kind: JsonKind::String(property.name.clone()) };
            let key = read_json(source, &name)?;
            Ok((Key::Expression(Box::new(key)), read_json(source, &property.value)?))
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
    let node = parse_template(source, text, start)?;
    Ok(Node { span: json.span.clone(), kind: node.kind })
}
