//! What is known of the unknown leaves of a plan, counted.

use plantime::{Range, Value, View};
use serde_json::Value as Json;

/// The number of unknown leaves (values that contain no others), and the number of those that have facts, by the kind of fact.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Shares {
    pub(crate) leaves: usize,
    /// More than the type.
    pub(crate) any: usize,
    pub(crate) not_null: usize,
    pub(crate) prefix: usize,
    /// A prefix, a language of strings, or the value itself.
    pub(crate) shape: usize,
    /// Such a shape, or a range of numbers or lengths.
    pub(crate) shape_or_range: usize,
    /// Such a shape or range, or a relation: that the value is, or contains, that of another attribute, whatever is known of that one.
    pub(crate) shape_or_relation: usize,
}

impl Shares {
    pub(crate) fn add(&mut self, value: Option<&Value>, is_related: bool) {
        self.leaves += 1;
        self.shape_or_relation += usize::from(is_related);
        let Some(value) = value else { return };
        let range = value.range();
        let (refinement, is_known) = (range.refinement().clone(), value.is_known());
        let not_null = range.is_not_null() || is_known && !value.is_null();
        let is_string = matches!(refinement.range(), Range::Prefix(_))
            || refinement.string_language().is_some_and(|language| language.language() != &not_empty());
        self.any += usize::from(is_known || !refinement.is_trivial());
        self.not_null += usize::from(not_null);
        self.prefix += usize::from(refinement.prefix_str().is_some_and(|prefix| !prefix.is_empty()));
        self.shape += usize::from(is_known || is_string);
        let has_range = match refinement.range() {
            Range::Number(_) => true,
            Range::Length(_) | Range::Elements(_) => refinement.length_range().is_some(),
            _ => false,
        };
        let has_shape = is_known || is_string || has_range;
        self.shape_or_range += usize::from(has_shape);
        self.shape_or_relation += usize::from(has_shape && !is_related);
    }

    /// The head of the table that `row` writes rows of.
    pub(crate) const HEAD: &str =
        "leaves | any fact | not null | prefix | shape | shape or range | or relation";

    /// The shares, in the order of the table: what is known at all, not null, a prefix, a shape, a shape or a range,
    /// one of these or a relation.
    pub(crate) fn percents(self) -> [f64; 6] {
        let parts =
            [self.any, self.not_null, self.prefix, self.shape, self.shape_or_range, self.shape_or_relation];
        parts.map(|part| self.percent(part))
    }

    /// The cells of the table.
    pub(crate) fn row(self) -> String {
        let cells = self.percents().map(|percent| format!("{percent:.2} %"));
        format!("{} | {}", self.leaves, cells.join(" | "))
    }

    /// The percentage of all leaves.
    fn percent(self, part: usize) -> f64 {
        let (part, leaves) = (u32::try_from(part).unwrap(), u32::try_from(self.leaves).unwrap());
        f64::from(part) * 100.0 / f64::from(leaves)
    }
}

/// The strings that are not empty: no shape.
fn not_empty() -> plantime::language::Language {
    let refinement: plantime::Refinement = "stringlengthmin(1)".parse().unwrap();
    refinement.string_language().unwrap().language().clone()
}

/// Calls a function with each leaf that a plan's `after_unknown` has below a value: its steps, `*` for every element, and the value
/// there.
pub(crate) fn leaves(
    unknown: &Json,
    value: Option<&Value>,
    visit: &mut dyn FnMut(&[String], Option<&Value>),
) {
    leaves_below(unknown, value.cloned(), &mut Vec::new(), visit);
}

fn leaves_below(
    unknown: &Json,
    value: Option<Value>,
    steps: &mut Vec<String>,
    visit: &mut dyn FnMut(&[String], Option<&Value>),
) {
    let child = |step: plantime::Path| value.as_ref().and_then(|value| value.get(&step).ok());
    match unknown {
        Json::Bool(true) => visit(steps, value.as_ref()),
        Json::Object(parts) => {
            for (name, part) in parts {
                let is_map = matches!(value.as_ref().map(Value::view), Some(View::Map(_)));
                let path = plantime::Path::new();
                let part_value = child(if is_map { path.index(name.as_str()) } else { path.attr(name) });
                steps.push(name.clone());
                leaves_below(part, part_value, steps, visit);
                steps.pop();
            }
        }
        Json::Array(parts) => {
            let members: Option<Vec<Value>> = match value.as_ref().map(|value| value.clone().unmark().0) {
                Some(set) if matches!(set.view(), View::Set(_)) => match set.view() {
                    View::Set(set) => Some(set.iter().cloned().collect()),
                    _ => None,
                },
                _ => None,
            };
            for (at, part) in parts.iter().enumerate() {
                let member = match &members {
                    Some(members) => members.get(at).cloned(),
                    None => child(plantime::Path::new().index(at)),
                };
                steps.push("*".to_owned());
                leaves_below(part, member, steps, visit);
                steps.pop();
            }
        }
        _ => {}
    }
}
