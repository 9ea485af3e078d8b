//! Finds the elements that make a rule on the whole value fail, so that diagnostics can name them.

use std::cmp::Ordering;

use crate::path::Step;
use crate::value::equality::{equal, is_always_null};
use crate::value::{Value, View, content_order};

use crate::rule::{MembersRule, Rule};

/// The maximum number of elements of one value that diagnostics name; further ones are dropped.
const MAX_NAMED: usize = 16;

/// An element or attribute that makes a rule fail, and the words for it.
pub(in crate::rule) struct ElementFault {
    /// The step from the value to the element.
    pub(in crate::rule) step: Step,
    /// The sentence of the diagnostic, without the path: `value must not be null, got: null`.
    pub(in crate::rule) detail: String,
    /// The text for `{failure}` in templates: `[1] is null`.
    pub(in crate::rule) failure: String,
}

/// The elements that make `no_nulls` or `unique` fail, at most 16. The list is empty for other rules, and for a marked
/// value, whose keys must not be shown.
pub(in crate::rule) fn faulty_elements(rule: &Rule, value: &Value) -> Vec<ElementFault> {
    match rule {
        Rule::Members(MembersRule::NoNulls) => null_elements(value),
        Rule::Members(MembersRule::Unique) => duplicate_elements(value),
        _ => Vec::new(),
    }
}

/// The elements, entries or attributes that are certainly null, each with its diagnostic text; none of a set.
fn null_elements(value: &Value) -> Vec<ElementFault> {
    let steps: Vec<Step> = match value.view() {
        View::List(list) => null_positions(list.iter()),
        View::Tuple(tuple) => null_positions(tuple.iter()),
        View::Map(map) => null_keys(map.iter()).map(Step::index).collect(),
        View::Object(object) => null_keys(object.iter()).map(Step::attr).collect(),
        _ => Vec::new(),
    };
    let fault = |step: Step| ElementFault {
        detail: "value must not be null, got: null".to_owned(),
        failure: format!("{} is null", step_text(&step)),
        step,
    };
    steps.into_iter().map(fault).collect()
}

/// The index steps to the elements that are certainly null, at most 16.
fn null_positions<'v>(parts: impl Iterator<Item = &'v Value>) -> Vec<Step> {
    let null = parts.enumerate().filter(|(_, part)| is_always_null(part));
    null.map(|(at, _)| Step::index(at)).take(MAX_NAMED).collect()
}

/// The keys whose values are certainly null, at most 16.
fn null_keys<'v>(parts: impl Iterator<Item = (&'v str, &'v Value)>) -> impl Iterator<Item = &'v str> {
    parts.filter(|(_, part)| is_always_null(part)).map(|(key, _)| key).take(MAX_NAMED)
}

/// The wholly known elements that equal an earlier one. Marked elements are left out: a diagnostic that one equals a
/// shown element would reveal its content (L5).
fn duplicate_elements(value: &Value) -> Vec<ElementFault> {
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
            Some((first, other)) if equal_or_both_null(element, other) => found.push((at, first, element)),
            _ => first = Some((at, element)),
        }
    }
    found.sort_unstable_by_key(|(at, ..)| *at);
    let fault = |(at, first, element): (usize, usize, &Value)| ElementFault {
        step: Step::index(at),
        detail: format!("value must be unique, got: {element}, as {}", step_text(&Step::index(first))),
        failure: format!("{} equals {}", step_text(&Step::index(at)), step_text(&Step::index(first))),
    };
    found.into_iter().take(MAX_NAMED).map(fault).collect()
}

/// Orders values so that equal ones are neighbours; nulls come last and compare as equal, whatever their types.
fn nulls_last(a: &Value, b: &Value) -> Ordering {
    a.is_null()
        .cmp(&b.is_null())
        .then_with(|| if a.is_null() { Ordering::Equal } else { content_order(a, b) })
}

/// Whether two values are certainly equal; two nulls are, whatever their types.
fn equal_or_both_null(a: &Value, b: &Value) -> bool {
    (a.is_null() && b.is_null()) || equal(a, b) == Some(true)
}

/// Writes one path step as text: `[1]`, `name`.
fn step_text(step: &Step) -> String {
    crate::path::Path::from(std::slice::from_ref(step)).to_string()
}
