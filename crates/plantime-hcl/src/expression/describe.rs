//! Values of references in words, as Terraform writes them below a problem.

use plantime::{Type, Value, View};

/// What the value of a reference is: `is "abc"`, `is list of string with 2 elements`; `None` if nothing can be said, as of
/// a marked value or one of unknown type.
pub(super) fn statement(value: &Value) -> Option<String> {
    if value.is_marked() {
        return None;
    }
    let ty = value.ty();
    let kind = || ty.friendly_name().into_owned();
    Some(match value.view() {
        View::Marked(_) | View::Dynamic => return None,
        View::Unknown(_) if ty == Type::Dynamic => return None,
        View::Unknown(_) => format!("is a {}", kind()),
        View::Null(_) => "is null".to_owned(),
        View::Bool(truth) => format!("is {truth}"),
        View::Number(number) => format!("is {number}"),
        View::String(text) => format!("is {}", Value::from(text)),
        View::List(list) => sequence(kind(), list.len()),
        View::Tuple(tuple) => sequence(kind(), tuple.len()),
        View::Map(map) => sequence(kind(), map.len()),
        View::Set(set) => match set.length().exact().and_then(|length| usize::try_from(length).ok()) {
            Some(length) => sequence(kind(), length),
            None => format!("is a {}", kind()),
        },
        View::Object(object) => match (object.len(), object.iter().next()) {
            (1, Some((name, _))) => format!("is object with 1 attribute {}", Value::from(name)),
            (0, _) => "is object with no attributes".to_owned(),
            (count, _) => format!("is object with {count} attributes"),
        },
        View::Capsule(_) => format!("is a {}", kind()),
    })
}

/// The phrase for a tuple or list of this kind and length: `is a tuple with 2 elements`.
fn sequence(kind: String, length: usize) -> String {
    match length {
        0 => format!("is empty {kind}"),
        1 => format!("is {kind} with 1 element"),
        length => format!("is {kind} with {length} elements"),
    }
}
