//! Which parts of a value are at fault, where a rule on the whole can tell.

use std::cmp::Ordering;

use crate::path::Step;
use crate::value::equality::{equal, is_always_null};
use crate::value::{Value, View, content_order};

use crate::rule::Rule;

/// The most elements of one value that diagnostics name.
const NAMED: usize = 16;

/// One element or attribute at fault.
pub(in crate::rule) struct Fault {
    /// Where it is in the value.
    pub(in crate::rule) step: Step,
    /// What it must be, and is.
    pub(in crate::rule) detail: String,
    /// The same as a `{failure}`.
    pub(in crate::rule) failure: String,
}

/// The parts at fault; none where no part can be named. Of a marked value none is: its keys are content.
pub(in crate::rule) fn parts(rule: &Rule, value: &Value) -> Vec<Fault> {
    match rule {
        Rule::NoNulls => nulls(value),
        Rule::Unique => repeated(value),
        _ => Vec::new(),
    }
}

fn nulls(value: &Value) -> Vec<Fault> {
    let steps: Vec<Step> = match value.view() {
        View::List(list) => null_positions(list.iter()),
        View::Tuple(tuple) => null_positions(tuple.iter()),
        View::Map(map) => null_keys(map.iter()).map(Step::index).collect(),
        View::Object(object) => null_keys(object.iter()).map(Step::attr).collect(),
        _ => Vec::new(),
    };
    let fault = |step: Step| Fault {
        detail: "value must not be null, got: null".to_owned(),
        failure: format!("{} is null", place(&step)),
        step,
    };
    steps.into_iter().map(fault).collect()
}

fn null_positions<'v>(parts: impl Iterator<Item = &'v Value>) -> Vec<Step> {
    let null = parts.enumerate().filter(|(_, part)| is_always_null(part));
    null.map(|(at, _)| Step::index(at)).take(NAMED).collect()
}

fn null_keys<'v>(parts: impl Iterator<Item = (&'v str, &'v Value)>) -> impl Iterator<Item = &'v str> {
    parts.filter(|(_, part)| is_always_null(part)).map(|(key, _)| key).take(NAMED)
}

/// The wholly known elements that equal an earlier one. Marked elements are left out: to be equal to an element
/// that is shown would reveal their content (L5).
fn repeated(value: &Value) -> Vec<Fault> {
    let elements: Vec<&Value> = match value.view() {
        View::List(list) => list.iter().collect(),
        View::Tuple(tuple) => tuple.iter().collect(),
        _ => return Vec::new(),
    };
    let known = elements.iter().enumerate();
    let known = known.filter(|(_, element)| element.is_wholly_known() && !element.contains_marks());
    let mut known: Vec<(usize, &Value)> = known.map(|(at, element)| (at, *element)).collect();
    known.sort_by(|(_, a), (_, b)| nulls_last(a, b));
    let mut first = None;
    let mut found: Vec<(usize, usize, &Value)> = Vec::new();
    for (at, element) in known {
        match first {
            Some((first, other)) if same(element, other) => found.push((at, first, element)),
            _ => first = Some((at, element)),
        }
    }
    found.sort_unstable_by_key(|(at, ..)| *at);
    let fault = |(at, first, element): (usize, usize, &Value)| Fault {
        step: Step::index(at),
        detail: format!("value must be unique, got: {element}, as {}", place(&Step::index(first))),
        failure: format!("{} equals {}", place(&Step::index(at)), place(&Step::index(first))),
    };
    found.into_iter().take(NAMED).map(fault).collect()
}

fn nulls_last(a: &Value, b: &Value) -> Ordering {
    a.is_null()
        .cmp(&b.is_null())
        .then_with(|| if a.is_null() { Ordering::Equal } else { content_order(a, b) })
}

fn same(a: &Value, b: &Value) -> bool {
    (a.is_null() && b.is_null()) || equal(a, b) == Some(true)
}

fn place(step: &Step) -> String {
    crate::path::Path::from(std::slice::from_ref(step)).to_string()
}
