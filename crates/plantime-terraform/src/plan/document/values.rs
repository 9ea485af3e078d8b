//! The JSON trees of one value of a change: what is known, what is unknown, what is sensitive.

use super::refinements::push_string;
use plantime::unstable::error::Kind;
use plantime::{Error, Result, Value, View};

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

/// Appends the tree that has `true` where a part of the value is `selected`, and otherwise has its shape. A part without any
/// is left out of objects, and `false` in arrays.
pub(super) fn push_places(value: &Value, selected: fn(&Value) -> bool, out: &mut String) {
    if push_tree(value, selected, out) {
        return;
    }
    out.push_str(match value.view() {
        View::Map(_) | View::Object(_) => "{}",
        View::List(_) | View::Set(_) | View::Tuple(_) => "[]",
        _ => "false",
    });
}

/// Appends the tree of the selected parts; returns whether there are any. If not, `out` is as before.
fn push_tree(value: &Value, selected: fn(&Value) -> bool, out: &mut String) -> bool {
    if selected(value) {
        out.push_str("true");
        return true;
    }
    match value.view() {
        View::List(list) => push_element_places(list.iter(), selected, out),
        View::Set(set) => push_element_places(set.iter(), selected, out),
        View::Tuple(tuple) => push_element_places(tuple.iter(), selected, out),
        View::Map(map) => push_attribute_places(map.iter(), selected, out),
        View::Object(object) => push_attribute_places(object.iter(), selected, out),
        View::Marked(_)
        | View::Dynamic
        | View::Unknown(_)
        | View::Null(_)
        | View::Bool(_)
        | View::Number(_)
        | View::String(_)
        | View::Capsule(_) => false,
    }
}

/// Appends the trees of elements as an array, if a part of any is selected.
fn push_element_places<'v>(
    elements: impl Iterator<Item = &'v Value>,
    selected: fn(&Value) -> bool,
    out: &mut String,
) -> bool {
    let (start, mut has_any) = (out.len(), false);
    for (index, element) in elements.enumerate() {
        out.push(if index == 0 { '[' } else { ',' });
        if push_tree(element, selected, out) {
            has_any = true;
        } else {
            out.push_str("false");
        }
    }
    if has_any {
        out.push(']');
    } else {
        out.truncate(start);
    }
    has_any
}

/// Appends the trees of attributes as an object, if a part of any is selected.
fn push_attribute_places<'v>(
    attributes: impl Iterator<Item = (&'v str, &'v Value)>,
    selected: fn(&Value) -> bool,
    out: &mut String,
) -> bool {
    let mut has_any = false;
    for (name, value) in attributes {
        let before = out.len();
        out.push(if has_any { ',' } else { '{' });
        push_string(name, out);
        out.push(':');
        if push_tree(value, selected, out) {
            has_any = true;
        } else {
            out.truncate(before);
        }
    }
    if has_any {
        out.push('}');
    }
    has_any
}
