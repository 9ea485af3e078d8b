//! Gives both sides of a change the marks of either, as Terraform's plan does: a value that loses its mark by the change
//! is as secret as it was before.

use std::collections::BTreeMap;

use crate::plan::Change;
use plantime::{Mark, Step, Value, View};

/// The note on a mark that a value has only because the other side of its change is marked.
const OTHER_SIDE: &str = "on the other side of the change";

/// The values before and after a change, with each place that is marked on one side marked on both.
///
/// The added marks change what a report shows. They change no answer.
pub(in crate::plan) fn sides_with_common_marks(change: &Change) -> (Option<Value>, Option<Value>) {
    match (&change.before, &change.after) {
        (Some(before), Some(after)) if before.contains_marks() || after.contains_marks() => {
            (Some(hidden_as_in(before, after)), Some(hidden_as_in(after, before)))
        }
        (before, after) => (before.clone(), after.clone()),
    }
}

/// Whether a value is marked for no other reason than that the other side of its change is.
pub(in crate::plan) fn is_marked_by_other_side(value: &Value) -> bool {
    value.is_marked() && value.marks().iter().all(|mark| mark.note() == Some(OTHER_SIDE))
}

/// The value, marked sensitive at each place where `other` has a mark: its own marks stay, those of `other` are not copied.
/// Values nest no deeper than the limit of plantime.
fn hidden_as_in(value: &Value, other: &Value) -> Value {
    if other.is_marked() {
        return hidden_whole(value);
    }
    if value.is_marked() || !other.contains_marks() {
        return value.clone();
    }
    match (value.view(), other.view()) {
        (View::List(_) | View::Tuple(_), View::List(_) | View::Tuple(_)) => {
            elements_hidden_as_in(value, other)
        }
        (View::Map(_) | View::Object(_), View::Map(_) | View::Object(_)) => {
            entries_hidden_as_in(value, other)
        }
        (View::Unknown(_) | View::Dynamic | View::Null(_), _) => value.clone(),
        // The kinds differ, so marked parts may be anywhere: an object, say, became its JSON text.
        _ => hidden_whole(value),
    }
}

/// The value with a mark on itself, which hides all of it.
fn hidden_whole(value: &Value) -> Value {
    if value.is_marked() { value.clone() } else { value.clone().mark(Mark::SENSITIVE.with_note(OTHER_SIDE)) }
}

/// Marks each element sensitive where the element at its position is marked, and where an element with the same content
/// is: if an element before it was removed, the same secret is at another position.
fn elements_hidden_as_in(value: &Value, other: &Value) -> Value {
    let others = elements(other);
    let marked = others.iter().filter(|element| element.contains_marks());
    let by_content: BTreeMap<Value, &Value> =
        marked.map(|element| (element.unmark_deep().0, *element)).collect();
    let mut position = others.iter();
    value.rebuilt(&mut |_, element| {
        let hidden = position.next().map_or_else(|| element.clone(), |other| hidden_as_in(element, other));
        match by_content.get(&element.unmark_deep().0) {
            Some(same) => hidden_as_in(&hidden, same),
            None => hidden,
        }
    })
}

/// Marks each attribute or map element sensitive where the one with the same name in `other` is marked.
fn entries_hidden_as_in(value: &Value, other: &Value) -> Value {
    value.rebuilt(&mut |step, part| {
        let name = match &step {
            Step::Attr(name) => name.as_str(),
            Step::Index(key) => key.as_str().unwrap_or_default(),
        };
        child_named(other, name).map_or_else(|| part.clone(), |same| hidden_as_in(part, same))
    })
}

/// The elements of a list or tuple; none for other values.
fn elements(value: &Value) -> Vec<&Value> {
    match value.view() {
        View::List(list) => list.iter().collect(),
        View::Tuple(tuple) => tuple.iter().collect(),
        _ => Vec::new(),
    }
}

/// The attribute of an object, or the element of a map, with this name.
pub(in crate::plan) fn child_named<'v>(value: &'v Value, name: &str) -> Option<&'v Value> {
    match value.view() {
        View::Object(object) => object.get(name),
        View::Map(map) => map.get(name),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plantime::value;

    fn secret(value: Value) -> Value {
        value.mark(Mark::SENSITIVE)
    }

    /// What is shown of both sides.
    #[track_caller]
    fn shows(before: Value, after: Value, expected: [&str; 2]) {
        let change = Change { before: Some(before), after: Some(after), ..Change::default() };
        let (before, after) = sides_with_common_marks(&change);
        assert_eq!([before, after].map(|side| side.expect("a side").to_string()), expected);
    }

    #[test]
    fn a_value_is_hidden_on_both_sides() {
        const HIDDEN: &str = "(sensitive value)";
        shows(secret("x".into()), "x".into(), [HIDDEN, HIDDEN]);
        shows("x".into(), secret("x".into()), [HIDDEN, HIDDEN]);
        let object = value!({ "user": "u", "password": "p" }).expect("an object");
        shows(secret(object.clone()), object, [HIDDEN, HIDDEN]);
    }

    #[test]
    fn parts_are_hidden_where_their_counterpart_is() {
        let object = |password: Value| Value::object([("user", "u".into()), ("password", password)]);
        shows(
            object(secret("p".into())).expect("an object"),
            object("p".into()).expect("an object"),
            [r#"{password = (sensitive value), user = "u"}"#; 2],
        );
        let map = |password: Value| Value::map([("user", "u".into()), ("password", password)]);
        shows(
            Value::list([map("p".into()).expect("a map")]).expect("a list"),
            Value::list([map(secret("q".into())).expect("a map")]).expect("a list"),
            [r#"[{"password" = (sensitive value), "user" = "u"}]"#; 2],
        );
    }

    #[test]
    fn an_element_that_moved_is_hidden_as_before() {
        shows(
            Value::list(["public".into(), secret("x".into())]).expect("a list"),
            Value::list(["x", "y"]).expect("a list"),
            [r#"["public", (sensitive value)]"#, "[(sensitive value), (sensitive value)]"],
        );
        shows(
            Value::tuple(["public".into(), secret("x".into())]).expect("a tuple"),
            Value::tuple(["x"]).expect("a tuple"),
            [r#"["public", (sensitive value)]"#, "[(sensitive value)]"],
        );
    }

    #[test]
    fn what_becomes_of_another_kind_is_hidden_whole() {
        let object = || Value::object([("password", secret("p".into()))]).expect("an object");
        shows(
            object(),
            r#"{"password":"p"}"#.into(),
            ["{password = (sensitive value)}", "(sensitive value)"],
        );
        shows(
            object(),
            Value::unknown(plantime::Type::String),
            ["{password = (sensitive value)}", "(known after apply)"],
        );
        shows(
            Value::set([secret("p".into())]).expect("a set"),
            Value::list(["p"]).expect("a list"),
            ["(sensitive value)"; 2],
        );
    }

    #[test]
    fn what_is_nowhere_marked_stays_as_it_is() {
        shows(Value::list(["x"]).expect("a list"), "y".into(), [r#"["x"]"#, r#""y""#]);
    }
}
