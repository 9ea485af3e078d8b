//! Planned values, in the manner of the plan renderer: symbols, aligned names, `before -> after`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use crate::plan::knowledge::side_marks::is_marked_by_other_side;
use crate::plan::words::mark_warning;
use crate::value::{Value, View};

/// The maximum length in characters of a list or object that is written on one line.
const INLINE: usize = 80;

/// Both sides of an attribute's change, and the comment after it.
pub(super) struct Planned<'a> {
    pub(super) before: Option<&'a Value>,
    pub(super) after: Option<&'a Value>,
    /// Stands behind the value.
    pub(super) comment: Option<&'a str>,
}

/// Writes the attributes of a block as Terraform's plan does, with their names aligned.
pub(super) fn write_attributes(out: &mut String, indent: usize, attributes: &[(&str, Planned<'_>)]) {
    let width = attributes.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    for (name, planned) in attributes {
        write_value(out, indent, (Some(name), width), planned, "");
    }
}

/// Adds `count` spaces.
fn push_blanks(out: &mut String, count: usize) {
    out.extend(std::iter::repeat_n(' ', count));
}

/// Writes one value with its change symbol. `name` is written before it, padded to `width` (elements have none),
/// `end` after it. Values nest no deeper than the crate's limit.
fn write_value(
    out: &mut String,
    indent: usize,
    (name, width): (Option<&str>, usize),
    planned: &Planned<'_>,
    end: &str,
) {
    let symbol = change_symbol(planned);
    let comment = planned.comment.map_or(String::new(), comment_text);
    let Some(shown) = drawn_side(planned) else { return };
    write_mark_warning(out, indent, planned);
    push_blanks(out, indent);
    out.push(symbol);
    out.push(' ');
    if let Some(name) = name {
        out.push_str(name);
        push_blanks(out, width.saturating_sub(name.chars().count()));
        out.push_str(" = ");
    }
    // An element that is gone says so by its symbol; an attribute becomes null.
    let becomes_null = symbol == '-' && planned.after.is_some() && name.is_some();
    let becomes = if becomes_null { " -> null" } else { "" };
    let children = children(planned, shown);
    let deep = children.iter().any(|(_, _, child)| child.after.is_some_and(is_container));
    let text = inline(shown);
    let change = symbol == '~' && !is_container(shown);
    let long = text.chars().count() > INLINE;
    if change || children.is_empty() || (symbol != '~' && !long && !(deep && is_sequence(shown))) {
        let both_hidden = shown.is_marked() && planned.before.is_some_and(Value::is_marked);
        let before = planned.before.filter(|_| symbol == '~' && !both_hidden);
        if let Some(before) = before {
            write_inline(out, before);
            out.push_str(" -> ");
        }
        for piece in [&text, becomes, end, &comment, "\n"] {
            out.push_str(piece);
        }
        return;
    }
    let (open, close) = if is_sequence(shown) { ('[', ']') } else { ('{', '}') };
    let _ = writeln!(out, "{open}{comment}");
    let inner = indent.saturating_add(4);
    let width = children.iter().map(|(key, ..)| key.chars().count()).max().unwrap_or(0);
    for (key, end, child) in &children {
        let name = (!key.is_empty()).then_some(key.as_str());
        write_value(out, inner, (name, width), child, end);
    }
    let _ = writeln!(out, "{:indent$}  {close}{becomes}{end}", "");
}

/// The symbol of a change: `+` for a new value, `-` for a removed one, `~` for a changed one. Null counts as absent, unless
/// both sides are null.
fn change_symbol(planned: &Planned<'_>) -> char {
    match (planned.before, planned.after) {
        (None, _) => '+',
        (_, None) => '-',
        (Some(before), Some(after)) if before == after => ' ',
        (Some(before), Some(_)) if is_plain_null(before) => '+',
        (Some(_), Some(after)) if is_plain_null(after) => '-',
        _ => '~',
    }
}

/// The side of the change that is written: the planned value, or the prior one if nothing is planned.
fn drawn_side<'a>(planned: &Planned<'a>) -> Option<&'a Value> {
    let after = planned.after.filter(|after| !is_plain_null(after));
    after.or(planned.before.filter(|before| !is_plain_null(before))).or(planned.after).or(planned.before)
}

/// Whether a value is an unmarked null: whether a marked value is null may not be shown.
fn is_plain_null(value: &Value) -> bool {
    matches!(value.view(), View::Null(_))
}

/// Writes Terraform's warning that the change makes a value sensitive, or no longer sensitive; nothing otherwise. It
/// does not say whether the value itself changes, which would reveal content.
fn write_mark_warning(out: &mut String, indent: usize, planned: &Planned<'_>) {
    let by_other_side = |side: Option<&Value>| side.is_some_and(is_marked_by_other_side);
    let becomes_sensitive = match (by_other_side(planned.before), by_other_side(planned.after)) {
        (true, false) => true,
        (false, true) => false,
        _ => return,
    };
    for line in mark_warning(becomes_sensitive) {
        let _ = writeln!(out, "{:indent$}  # {line}", "");
    }
}

/// The comment with `#` and the spaces before it: one as Terraform writes it, four for comments that only this report
/// has.
fn comment_text(comment: &str) -> String {
    let gap = if comment.starts_with("forces replacement") { " " } else { "    " };
    format!("{gap}# {comment}")
}

/// Whether a value is a list, set or tuple.
fn is_sequence(value: &Value) -> bool {
    matches!(value.view(), View::List(_) | View::Set(_) | View::Tuple(_))
}

/// Whether a value is a collection, tuple or object.
fn is_container(value: &Value) -> bool {
    is_sequence(value) || matches!(value.view(), View::Map(_) | View::Object(_))
}

/// The children of the container `shown`: for each its key (empty in sequences), the text after it, and both sides of
/// its change. List elements are paired by position, the others by key or membership.
fn children<'a>(planned: &Planned<'a>, shown: &'a Value) -> Vec<(String, &'static str, Planned<'a>)> {
    let before = planned.before.filter(|before| is_container(before));
    let is_nothing = |side: Option<&Value>| side.is_none_or(is_plain_null);
    let pair = |before, after| Planned { before, after, comment: None };
    // Inside something new or gone, everything is.
    let (new, gone) = (is_nothing(planned.before), is_nothing(planned.after));
    match shown.view() {
        View::Set(_) => {
            let old: Vec<&Value> = before.map_or_else(Vec::new, elements);
            let now: Vec<&Value> = elements(shown);
            let (was, is) = (BTreeSet::from_iter(&old), BTreeSet::from_iter(&now));
            let kept = |member: &&'a Value| was.contains(member).then_some(*member);
            let mut parts: Vec<_> = now
                .iter()
                .map(|member| {
                    let before = if gone { Some(*member) } else { kept(member) };
                    (String::new(), ",", pair(before, (!gone).then_some(*member)))
                })
                .collect();
            let lost = old.iter().filter(|old| !gone && !is.contains(old));
            parts.extend(lost.map(|old| (String::new(), ",", pair(Some(*old), None))));
            parts
        }
        View::List(_) | View::Tuple(_) => {
            let old: Vec<&Value> = before.map_or_else(Vec::new, elements);
            let now: Vec<&Value> = if gone { Vec::new() } else { elements(shown) };
            let count = old.len().max(now.len());
            (0..count).map(|i| (String::new(), ",", pair(old.get(i).copied(), now.get(i).copied()))).collect()
        }
        View::Map(_) | View::Object(_) => {
            let old: BTreeMap<String, &Value> = before.map_or_else(Vec::new, entries).into_iter().collect();
            let now = if gone { Vec::new() } else { entries(shown) };
            let now: BTreeMap<String, &Value> = now.into_iter().collect();
            let keys: BTreeSet<&String> = old.keys().chain(now.keys()).collect();
            keys.into_iter()
                .map(|key| (key.clone(), "", pair(old.get(key).copied(), now.get(key).copied())))
                // What is null and was, or stands in something new, is not there.
                .filter(|(_, _, part)| {
                    let there = |value: Option<&Value>| value.is_some_and(|value| !value.is_null());
                    there(part.after) || (!new && there(part.before))
                })
                .collect()
        }
        _ => Vec::new(),
    }
}

/// The elements of a sequence; none for other values.
fn elements(value: &Value) -> Vec<&Value> {
    match value.view() {
        View::List(list) => list.iter().collect(),
        View::Tuple(tuple) => tuple.iter().collect(),
        View::Set(set) => set.iter().collect(),
        _ => Vec::new(),
    }
}

/// The entries of a map or object with their keys as text: those of a map in quotes. None for other values.
fn entries(value: &Value) -> Vec<(String, &Value)> {
    match value.view() {
        View::Object(object) => object.iter().map(|(name, value)| (name.to_owned(), value)).collect(),
        View::Map(map) => map.iter().map(|(key, value)| (Value::from(key).to_string(), value)).collect(),
        _ => Vec::new(),
    }
}

/// A value on one line. Attributes that are null are left out.
fn inline(value: &Value) -> String {
    let mut text = String::new();
    write_inline(&mut text, value);
    text
}

/// Writes a value on one line, without attributes that are null.
fn write_inline(out: &mut String, value: &Value) {
    if is_sequence(value) {
        out.push('[');
        for (i, element) in elements(value).into_iter().enumerate() {
            out.push_str(if i > 0 { ", " } else { "" });
            write_inline(out, element);
        }
        out.push(']');
    } else if is_container(value) {
        let entries: Vec<_> = entries(value).into_iter().filter(|(_, value)| !value.is_null()).collect();
        if entries.is_empty() {
            out.push_str("{}");
            return;
        }
        for (i, (key, value)) in entries.into_iter().enumerate() {
            out.push_str(if i > 0 { ", " } else { "{ " });
            out.push_str(&key);
            out.push_str(" = ");
            write_inline(out, value);
        }
        out.push_str(" }");
    } else {
        let _ = write!(out, "{value}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mark::Mark;
    use crate::plan::Change;
    use crate::plan::knowledge::side_marks::sides_with_common_marks;
    use crate::refinement::Refinement;
    use crate::types::Type;
    use crate::value;

    #[track_caller]
    fn shows(before: Option<&Value>, after: Option<&Value>, expected: &str) {
        let mut out = String::new();
        write_attributes(&mut out, 0, &[("a", Planned { before, after, comment: None })]);
        assert_eq!(out, expected);
    }

    fn strings(items: &[&str]) -> Value {
        Value::list_of(Type::String, items.iter().map(|item| Value::from(*item))).expect("strings")
    }

    #[test]
    fn names_are_aligned_and_comments_follow() {
        let id = Value::refined(Type::String, Refinement::prefix("vpc-").and_not_null()).expect("a string");
        let mut out = String::new();
        let of = |after, comment| Planned { before: None, after: Some(after), comment };
        write_attributes(
            &mut out,
            6,
            &[("id", of(&id, Some("assumed"))), ("vpc_id", of(&Value::from(1), None))],
        );
        assert_eq!(out, "      + id     = \"vpc-${(known after apply)}\"    # assumed\n      + vpc_id = 1\n");
    }

    #[test]
    fn a_change_shows_both_values() {
        let (a, b) = (Value::from(50), Value::from(40));
        shows(Some(&a), Some(&b), "~ a = 50 -> 40\n");
        shows(Some(&a), Some(&a), "  a = 50\n");
        shows(Some(&a), None, "- a = 50\n");
        shows(Some(&a), Some(&Value::unknown(Type::Number)), "~ a = 50 -> (known after apply)\n");
    }

    #[test]
    fn what_was_null_is_new_and_what_becomes_null_is_gone() {
        let null = Value::null(Type::Dynamic);
        let list = strings(&["x", "y"]);
        shows(Some(&null), Some(&list), "+ a = [\"x\", \"y\"]\n");
        shows(Some(&Value::from(1)), Some(&null), "- a = 1 -> null\n");
        shows(Some(&list), Some(&null), "- a = [\"x\", \"y\"] -> null\n");
        shows(Some(&null), Some(&null), "  a = null\n");
        shows(None, Some(&null), "+ a = null\n");
        shows(Some(&null), Some(&Value::unknown(Type::Number)), "+ a = (known after apply)\n");
        let object = |n: Value| Value::object([("n", n), ("m", 1.into())]).expect("an object");
        shows(
            Some(&object(2.into())),
            Some(&object(Value::null(Type::Number))),
            "~ a = {\n      m = 1\n    - n = 2 -> null\n  }\n",
        );
    }

    #[test]
    fn a_value_that_loses_or_gains_its_mark_is_not_shown() {
        let (secret, plain) = (Value::from("x").mark(Mark::SENSITIVE), Value::from("x"));
        let change = |before: &Value, after: &Value| Change {
            before: Some(before.clone()),
            after: Some(after.clone()),
            ..Change::default()
        };
        let (before, after) = sides_with_common_marks(&change(&secret, &plain));
        shows(
            before.as_ref(),
            after.as_ref(),
            "  # Warning: this attribute value will no longer be marked as sensitive\n  \
             # after applying this change.\n~ a = (sensitive value)\n",
        );
        let (before, after) = sides_with_common_marks(&change(&plain, &secret));
        shows(
            before.as_ref(),
            after.as_ref(),
            "  # Warning: this attribute value will be marked as sensitive and will not\n  \
             # display in UI output after applying this change.\n~ a = (sensitive value)\n",
        );
    }

    #[test]
    fn that_a_value_forces_replacement_stands_close_behind_it() {
        let mut out = String::new();
        let list = strings(&["x"]);
        let of = |after, comment| Planned { before: None, after: Some(after), comment: Some(comment) };
        write_attributes(&mut out, 0, &[("a", of(&list, "forces replacement")), ("b", of(&list, "assumed"))]);
        assert_eq!(out, "+ a = [\"x\"] # forces replacement\n+ b = [\"x\"]    # assumed\n");
    }

    #[test]
    fn a_sensitive_value_is_not_shown() {
        let secret = |text: &str| Value::from(text).mark(Mark::SENSITIVE);
        shows(None, Some(&secret("x")), "+ a = (sensitive value)\n");
        shows(Some(&secret("x")), Some(&secret("y")), "~ a = (sensitive value)\n");
    }

    #[test]
    fn members_of_a_list_are_compared_by_position() {
        let list = strings(&["x", "y"]);
        shows(None, Some(&list), "+ a = [\"x\", \"y\"]\n");
        shows(
            Some(&list),
            Some(&strings(&["x", "z", "w"])),
            "~ a = [\n      \"x\",\n    ~ \"y\" -> \"z\",\n    + \"w\",\n  ]\n",
        );
        shows(Some(&list), Some(&strings(&["x"])), "~ a = [\n      \"x\",\n    - \"y\",\n  ]\n");
    }

    #[test]
    fn members_of_a_set_are_kept_new_or_gone() {
        let set = |items: &[&str]| {
            Value::set_of(Type::String, items.iter().map(|i| Value::from(*i))).expect("a set")
        };
        shows(
            Some(&set(&["x", "y"])),
            Some(&set(&["y", "z"])),
            "~ a = [\n      \"y\",\n    + \"z\",\n    - \"x\",\n  ]\n",
        );
    }

    #[test]
    fn objects_in_lists_stand_on_lines_of_their_own() {
        let blocks = value!([{ "port": 443, "to": null }, { "port": 80, "to": null }]).expect("a tuple");
        shows(None, Some(&blocks), "+ a = [\n    + { port = 443 },\n    + { port = 80 },\n  ]\n");
        let tags = Value::map_of(Type::String, [("Name", Value::from("n"))]).expect("a map");
        shows(None, Some(&tags), "+ a = { \"Name\" = \"n\" }\n");
    }

    #[test]
    fn what_is_long_is_broken() {
        let long = "x".repeat(60);
        let tags = Value::map_of(Type::String, [("A", Value::from(&*long)), ("Bc", Value::from(&*long))])
            .expect("a map");
        shows(
            None,
            Some(&tags),
            &format!("+ a = {{\n    + \"A\"  = \"{long}\"\n    + \"Bc\" = \"{long}\"\n  }}\n"),
        );
    }
}
