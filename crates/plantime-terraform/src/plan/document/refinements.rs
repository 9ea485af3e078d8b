//! The tree `after_refinements` of one planned value.

use std::fmt::Write as _;

use crate::json::{Item, Node};
use plantime::text::nfc;
use plantime::unstable::refinement::RangeKind;
use plantime::unstable::types::write_escaped;
use plantime::{Bound, Nullness, NumberRange, Range, Refinement, Value, ValueRange, View};

/// The refinements of the unknown parts of a value as JSON text, a tree of the same shape as `unknown`, which is the tree
/// `after_unknown` of the value; `None` if there are none.
pub(super) fn refinement_tree(value: &Value, unknown: Item<'_, '_>) -> Option<String> {
    let mut out = String::new();
    push_tree(value, unknown, &mut out).then_some(out)
}

/// Appends the tree of a value; returns whether there is anything in it. If not, `out` is as before.
fn push_tree(value: &Value, unknown: Item<'_, '_>, out: &mut String) -> bool {
    // What is known of a value behind a mark is content (L5).
    if !value.marks().is_empty() {
        return false;
    }
    match (unknown.node(), value.view()) {
        (Node::Bool(true), View::Unknown(range)) => push_refinement(&range, out),
        (Node::Object { .. }, View::Object(object)) => push_object(|name| object.get(name), unknown, out),
        (Node::Object { .. }, View::Map(map)) => push_object(|name| map.get(name), unknown, out),
        (Node::Array { .. }, View::List(list)) => push_array(|index| list.get(index), unknown, out),
        (Node::Array { .. }, View::Tuple(tuple)) => push_array(|index| tuple.get(index), unknown, out),
        // The members of a set have no place of their own, so they are paired only where there is one.
        (Node::Array { .. }, View::Set(set)) if unknown.len() == 1 && set.member_count() == 1 => {
            let member = set.iter().next();
            push_array(|index| member.filter(|_| index == 0), unknown, out)
        }
        _ => false,
    }
}

/// Appends the trees of the attributes of an object, or of the entries of a map.
fn push_object<'v>(
    child: impl Fn(&str) -> Option<&'v Value>,
    unknown: Item<'_, '_>,
    out: &mut String,
) -> bool {
    let start = out.len();
    let mut has_any = false;
    for (name, item) in unknown.entries() {
        let before = out.len();
        out.push(if has_any { ',' } else { '{' });
        push_string(&name.text(), out);
        out.push(':');
        if child(&nfc(&name.text())).is_some_and(|child| push_tree(child, item, out)) {
            has_any = true;
        } else {
            out.truncate(before);
        }
    }
    end_container(has_any, start, '}', out)
}

/// Appends the trees of the elements of a list, tuple or set, up to the last one that has any.
fn push_array<'v>(
    child: impl Fn(usize) -> Option<&'v Value>,
    unknown: Item<'_, '_>,
    out: &mut String,
) -> bool {
    let start = out.len();
    let mut end = None;
    for (index, item) in unknown.elements().enumerate() {
        out.push(if index == 0 { '[' } else { ',' });
        if child(index).is_some_and(|child| push_tree(child, item, out)) {
            end = Some(out.len());
        } else {
            out.push_str("null");
        }
    }
    out.truncate(end.unwrap_or(start));
    end_container(end.is_some(), start, ']', out)
}

/// Closes a container that has children; returns whether it has any.
fn end_container(has_any: bool, start: usize, close: char, out: &mut String) -> bool {
    if has_any {
        out.push(close);
    } else {
        out.truncate(start);
    }
    has_any
}

/// Appends the object that describes an unknown value; returns false if nothing is known but its type.
fn push_refinement(range: &ValueRange, out: &mut String) -> bool {
    let refinement = range.refinement();
    if refinement.is_trivial() {
        return false;
    }
    out.push_str("{\"type\":");
    push_string(&range.ty().to_string(), out);
    match refinement.nullness() {
        Nullness::Nullable => {}
        Nullness::NotNull => out.push_str(",\"not_null\":true"),
        Nullness::Null => out.push_str(",\"null\":true"),
    }
    match RangeKind::of(refinement.range()) {
        RangeKind::Any => {}
        RangeKind::Prefix(prefix) => push_property("prefix", prefix.as_str(), out),
        RangeKind::Language(language) => push_property("strings", &language.to_string(), out),
        RangeKind::Number(range) => push_number_range(range, out),
        RangeKind::Multiples(multiples) => {
            push_property("multiple_of", &multiples.step().to_string(), out);
            push_number_range(&multiples.stated_range(), out);
        }
        RangeKind::Numbers(few) => {
            for (place, number) in few.as_slice().iter().enumerate() {
                out.push_str(if place == 0 { ",\"one_of\":[" } else { "," });
                push_string(&number.to_string(), out);
            }
            out.push(']');
        }
        RangeKind::Structure(structure) => {
            let attributes = structure.attributes().map(|(name, known)| (name.to_owned(), known));
            push_parts("attributes", attributes, out);
            let elements = structure.elements().map(|(index, known)| (index.to_string(), known));
            push_parts("tuple_elements", elements, out);
        }
        RangeKind::Length(_) | RangeKind::Elements(_) => {
            let range = refinement.length_range().unwrap_or_default();
            if range.lower() > 0 {
                let _ = write!(out, ",\"min_length\":{}", range.lower());
            }
            if let Some(upper) = range.upper() {
                let _ = write!(out, ",\"max_length\":{upper}");
            }
            if !refinement.element().is_trivial() {
                push_property("elements", &refinement.element().to_string(), out);
            }
            if *refinement.key_range() != Range::Any {
                push_property("keys", &refinement.key_range().to_string(), out);
            }
        }
    }
    out.push('}');
    true
}

/// Appends a property with the refinements of attributes by name, or of tuple elements by index.
fn push_parts<'r>(property: &str, parts: impl Iterator<Item = (String, &'r Refinement)>, out: &mut String) {
    let start = out.len();
    for (place, refinement) in parts {
        if out.len() == start {
            let _ = write!(out, ",\"{property}\":{{");
        } else {
            out.push(',');
        }
        push_string(&place, out);
        out.push(':');
        push_string(&refinement.to_string(), out);
    }
    if out.len() > start {
        out.push('}');
    }
}

/// Appends the bounds of a number, as strings with all digits.
fn push_number_range(range: &NumberRange, out: &mut String) {
    for (bound, inclusive, exclusive) in [(range.lower(), "min", "above"), (range.upper(), "max", "below")] {
        match bound {
            Bound::Unbounded => {}
            Bound::Inclusive(number) => push_property(inclusive, &number.to_string(), out),
            Bound::Exclusive(number) => push_property(exclusive, &number.to_string(), out),
        }
    }
}

/// Appends a comma and a property whose value is a string.
fn push_property(name: &str, text: &str, out: &mut String) {
    out.push_str(",\"");
    out.push_str(name);
    out.push_str("\":");
    push_string(text, out);
}

/// Appends a string in quotes.
pub(super) fn push_string(text: &str, out: &mut String) {
    out.push('"');
    write_escaped(text, out);
    out.push('"');
}
