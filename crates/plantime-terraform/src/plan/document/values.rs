//! The JSON trees of one value of a change: what is known, what is unknown, what is sensitive.

use super::refinements::push_string;
use plantime::unstable::error::Kind;
use plantime::{Error, Result, Type, Value, View};

/// Appends the known part of a value, the tree `before` or `after`. What is unknown or behind a mark is left out of objects
/// and maps, and is `null` in lists, sets and tuples.
pub(super) fn push_known(value: &Value, out: &mut String) -> Result<()> {
    match value.view() {
        View::Marked(_) | View::Dynamic | View::Unknown(_) | View::Null(_) => out.push_str("null"),
        View::Bool(value) => out.push_str(if value { "true" } else { "false" }),
        View::Number(number) if number.is_infinite() => {
            return Err(Error::new(Kind::Argument, "cannot serialize infinity as JSON"));
        }
        View::Number(number) => number.write_to(out),
        View::String(text) => push_string(text, out),
        View::Capsule(_) => return Err(Error::new(Kind::Argument, "a capsule has no form in JSON")),
        View::List(list) => push_elements(list.iter(), out)?,
        View::Set(set) => push_elements(set.iter(), out)?,
        View::Tuple(tuple) => push_elements(tuple.iter(), out)?,
        View::Map(map) => push_attributes(map.iter(), out)?,
        View::Object(object) => push_attributes(object.iter(), out)?,
    }
    Ok(())
}

/// Appends the known parts of elements as an array.
fn push_elements<'v>(elements: impl Iterator<Item = &'v Value>, out: &mut String) -> Result<()> {
    out.push('[');
    for (index, element) in elements.enumerate() {
        if index > 0 {
            out.push(',');
        }
        push_known(element, out)?;
    }
    out.push(']');
    Ok(())
}

/// Appends the known parts of attributes as an object.
fn push_attributes<'v>(
    attributes: impl Iterator<Item = (&'v str, &'v Value)>,
    out: &mut String,
) -> Result<()> {
    out.push('{');
    let mut has_any = false;
    for (name, value) in attributes.filter(|(_, value)| !is_left_out(value)) {
        if std::mem::replace(&mut has_any, true) {
            out.push(',');
        }
        push_string(name, out);
        out.push(':');
        push_known(value, out)?;
    }
    out.push('}');
    Ok(())
}

/// Whether a value is unknown as a whole, or is behind a mark and so written as unknown.
pub(super) fn is_left_out(value: &Value) -> bool {
    matches!(value.view(), View::Marked(_) | View::Dynamic | View::Unknown(_))
}

/// The parts of a value that a tree has `true` at.
#[derive(Clone, Copy)]
pub(super) enum Selected {
    /// What is unknown, or is behind a mark and so written as unknown.
    Unknown,
    /// What is behind a mark.
    Sensitive,
}

/// Appends the tree that has `true` where a part of the value is selected, as Terraform writes it: a list, set or tuple is an array of
/// the trees of its elements, a map or object an object of those that are not `false`, anything else `false`.
pub(super) fn push_places(value: &Value, selected: Selected, out: &mut String) {
    let is_selected = match selected {
        Selected::Unknown => is_left_out(value),
        Selected::Sensitive => value.is_marked(),
    };
    if is_selected {
        return out.push_str("true");
    }
    match value.view() {
        View::List(list) => push_element_places(list.iter(), selected, out),
        View::Set(set) => push_element_places(set.iter(), selected, out),
        View::Tuple(tuple) => push_element_places(tuple.iter(), selected, out),
        View::Map(map) => push_attribute_places(map.iter(), selected, out),
        View::Object(object) => push_attribute_places(object.iter(), selected, out),
        // An unknown container has no parts that could be sensitive.
        View::Unknown(_) => out.push_str(match value.ty() {
            Type::List(_) | Type::Set(_) | Type::Tuple(_) => "[]",
            Type::Map(_) | Type::Object(_) => "{}",
            _ => "false",
        }),
        View::Marked(_)
        | View::Dynamic
        | View::Null(_)
        | View::Bool(_)
        | View::Number(_)
        | View::String(_)
        | View::Capsule(_) => out.push_str("false"),
    }
}

/// Appends the trees of elements as an array.
fn push_element_places<'v>(elements: impl Iterator<Item = &'v Value>, selected: Selected, out: &mut String) {
    out.push('[');
    for (index, element) in elements.enumerate() {
        out.push_str(if index > 0 { "," } else { "" });
        push_places(element, selected, out);
    }
    out.push(']');
}

/// Appends the trees of attributes as an object.
fn push_attribute_places<'v>(
    attributes: impl Iterator<Item = (&'v str, &'v Value)>,
    selected: Selected,
    out: &mut String,
) {
    out.push('{');
    let mut has_any = false;
    for (name, value) in attributes {
        let before = out.len();
        out.push_str(if has_any { "," } else { "" });
        push_string(name, out);
        out.push(':');
        let tree = out.len();
        push_places(value, selected, out);
        if out.get(tree..) == Some("false") {
            out.truncate(before);
        } else {
            has_any = true;
        }
    }
    out.push('}');
}
