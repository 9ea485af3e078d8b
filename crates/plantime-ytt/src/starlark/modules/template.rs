//! The module `template`.

use super::super::error::Failure;
use super::super::interpreter::Interpreter;
use super::super::value::{Arguments, Builtin, Native, Struct, StructKind, Value};
use super::text::positional;

pub(super) const FUNCTIONS: [(&str, Native); 1] = [("replace", replace)];

/// The type of what `template.replace` returns.
const REPLACEMENT: &str = "@ytt:template.replace";

/// `template.replace(value)`: as the value of a node, its children take the place of the node.
fn replace(this: &mut Interpreter<'_>, _: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    let [value] = positional(&arguments)?;
    Struct::value(&this.heap, StructKind::Object(REPLACEMENT), vec![("value".into(), value)])
}

/// Returns the value whose children take the place of a node; `None` if a value says nothing of the kind.
pub(crate) fn replacement(value: &Value) -> Option<&Value> {
    match value {
        Value::Struct(fields) if fields.kind == StructKind::Object(REPLACEMENT) => value.field("value"),
        _ => None,
    }
}
