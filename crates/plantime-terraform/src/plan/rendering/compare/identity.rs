//! Equality of content: whether two values are written the same, whatever their types.

use std::collections::HashMap;
use std::fmt::Write as _;

use plantime::unstable::text::write_quoted;
use plantime::{Value, View};

use super::is_unknown;
use super::json_text::digits_of;

/// Whether two values have the same content, without their marks. A list equals a tuple of the same elements, and an
/// object a map of the same entries.
pub(super) fn is_same_content(before: &Value, after: &Value) -> bool {
    if before == after {
        return true;
    }
    // Equality decides for scalars, once the marks are removed.
    let is_bare_scalar = |value: &Value| {
        matches!(value.view(), View::String(_) | View::Number(_) | View::Bool(_) | View::Null(_))
    };
    if is_bare_scalar(before) && is_bare_scalar(after) && !(before.is_null() && after.is_null()) {
        return false;
    }
    identity(before, true).is_some_and(|text| identity(after, true) == Some(text))
}

/// Gives values numbers: equal numbers for equal content. Unknown parts count as plans in JSON have them: as null in a list,
/// tuple or set, and as absent in a map or object.
pub(super) struct Numbering {
    numbers: HashMap<String, u32>,
    next: u32,
    sees_marked: bool,
}

impl Numbering {
    /// An empty numbering. With `sees_marked`, content behind marks is compared; otherwise all marked values are equal.
    pub(super) fn new(sees_marked: bool) -> Numbering {
        Numbering { numbers: HashMap::new(), next: 0, sees_marked }
    }

    /// The number of a value.
    pub(super) fn number(&mut self, value: &Value) -> u32 {
        let mut text = String::new();
        push_identity(&mut text, value, self.sees_marked);
        *self.numbers.entry(text).or_insert_with(|| {
            self.next = self.next.saturating_add(1);
            self.next
        })
    }
}

/// A text that is equal for equal content and differs otherwise; `None` for values with unknown parts.
fn identity(value: &Value, sees_marked: bool) -> Option<String> {
    if !value.is_wholly_known() {
        return None;
    }
    let mut text = String::new();
    push_identity(&mut text, value, sees_marked);
    Some(text)
}

/// Adds the identity of a value. Values nest no deeper than the limit of plantime.
fn push_identity(out: &mut String, value: &Value, sees_marked: bool) {
    if value.is_marked() && !sees_marked {
        return out.push('*');
    }
    let mut sequence = |items: &mut dyn Iterator<Item = &Value>| {
        out.push('[');
        for item in items {
            push_identity(out, item, sees_marked);
            out.push(',');
        }
        out.push(']');
    };
    // Writing to a string cannot fail.
    let _ = match value.view_below_marks() {
        View::List(list) => return sequence(&mut list.iter()),
        View::Tuple(tuple) => return sequence(&mut tuple.iter()),
        View::Set(set) => return sequence(&mut set.iter()),
        View::Map(map) => return push_entries(out, map.iter(), sees_marked),
        View::Object(object) => return push_entries(out, object.iter(), sees_marked),
        View::Null(_) => out.write_str("null"),
        View::Bool(truth) => write!(out, "{truth}"),
        View::Number(number) => write!(out, "{number}"),
        View::String(text) => write_quoted(out, text),
        View::Capsule(capsule) => write!(out, "{}", digits_of(&capsule).unwrap_or_default()),
        View::Unknown(_) | View::Dynamic => out.write_str("null"),
        View::Marked(_) => write!(out, "{value}"),
    };
}

/// Adds the identities of named values.
fn push_entries<'v>(
    out: &mut String,
    entries: impl Iterator<Item = (&'v str, &'v Value)>,
    sees_marked: bool,
) {
    out.push('{');
    for (name, value) in entries.filter(|(_, value)| !is_unknown(value)) {
        // Writing to a string cannot fail.
        let _ = write_quoted(out, name);
        out.push('=');
        push_identity(out, value, sees_marked);
        out.push(',');
    }
    out.push('}');
}
