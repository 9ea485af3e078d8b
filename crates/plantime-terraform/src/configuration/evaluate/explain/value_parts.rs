//! The parts of a value that the steps of a reference lead to.

use plantime::{Path, Step, Value, View};

/// The maximum number of parts of one value that an explanation lists. Further ones are counted.
pub(super) const PARTS: usize = 20;

/// Whether a step leads to every element.
fn is_every_element(step: &Step) -> bool {
    matches!(step, Step::Index(key) if !key.is_wholly_known())
}

/// Whether steps lead to one part at most.
pub(super) fn leads_to_one_part(path: &[Step]) -> bool {
    !path.iter().any(is_every_element)
}

/// The part of a value at a path; `None` if the path leads nowhere or to several parts.
pub(in crate::configuration::evaluate) fn part_at(value: &Value, path: &[Step]) -> Option<Value> {
    path.iter().try_fold(value.clone(), |value, step| child_at(&value, step))
}

/// The child of a value at a step. An attribute and a key of a map that have one name lead to the same child.
fn child_at(value: &Value, step: &Step) -> Option<Value> {
    let get = |step: Step| value.get(&Path::from_iter([step])).ok();
    let same_name = || match step {
        Step::Attr(name) => get(Step::index(name.as_str())),
        Step::Index(key) => get(Step::attr(key.as_str().ok()?)),
    };
    get(step.clone()).or_else(same_name)
}

/// A part of a value.
pub(super) struct ValuePart {
    pub(super) path: Path,
    pub(super) value: Value,
    /// The number of steps that lead to what computes it. A member of a set is computed with the set, since the configuration
    /// has its members in another order.
    pub(super) computed_at: usize,
}

impl ValuePart {
    /// The path to what computes it.
    pub(super) fn computed_steps(&self) -> Vec<Step> {
        self.path.steps().get(..self.computed_at).unwrap_or_default().to_vec()
    }
}

/// The parts of a value at a path, with the paths that lead to them, and the number of parts beyond [`PARTS`].
///
/// A path ends early at an unknown value, at a set unless a position of a member follows, and at a marked container where the
/// path asks for every element, since keys are content. Wholly known parts are left out unless `with_known`.
pub(super) fn parts_at(value: &Value, path: &[Step], with_known: bool) -> (Vec<ValuePart>, usize) {
    let (mut parts, mut omitted) = (Vec::new(), 0_usize);
    let mut todo = vec![(Path::new(), value.clone(), path, None)];
    while let Some((path, value, steps, computed_at)) = todo.pop() {
        let bare = value.clone().unmark().0;
        // As reports name it.
        if let (View::Set(set), Some(Step::Index(key)), false) =
            (bare.view(), steps.first(), value.is_marked())
            && let Some(member) = position_of(key).and_then(|position| set.iter().nth(position))
        {
            let (mut member_path, rest) = (path.clone(), steps.get(1..).unwrap_or_default());
            member_path.push(Step::Index(key.clone()));
            todo.push((member_path, member.clone(), rest, computed_at.or(Some(path.len()))));
            continue;
        }
        let ends = steps.is_empty() || !bare.is_known() || matches!(bare.view(), View::Set(_));
        if value.is_wholly_known() && !with_known {
            continue;
        }
        let children: Vec<(Step, Value)> = match steps.first() {
            Some(step) if !ends && is_every_element(step) && !value.is_marked() => children(&value),
            Some(step) if !ends => {
                child_at(&value, step).map(|child| (step.clone(), child)).into_iter().collect()
            }
            _ => Vec::new(),
        };
        // A known value without the attribute has no such part.
        let leads_nowhere = !ends && children.is_empty() && value.is_wholly_known();
        if leads_nowhere {
            continue;
        }
        if children.is_empty() {
            match parts.len() < PARTS {
                true => {
                    let computed_at = computed_at.unwrap_or(path.len());
                    parts.push(ValuePart { path, value, computed_at });
                }
                false => omitted = omitted.saturating_add(1),
            }
            continue;
        }
        let rest = steps.get(1..).unwrap_or_default();
        for (step, child) in children.into_iter().rev() {
            let mut path = path.clone();
            path.push(step);
            todo.push((path, child, rest, computed_at));
        }
    }
    (parts, omitted)
}

/// The position that a key stands for.
fn position_of(key: &Value) -> Option<usize> {
    key.as_number().ok()?.to_string().parse().ok()
}

/// The elements of a container with their steps; none of a set, whose members have no path.
fn children(value: &Value) -> Vec<(Step, Value)> {
    match value.view() {
        View::List(list) => {
            list.iter().enumerate().map(|(at, item)| (Step::index(at), item.clone())).collect()
        }
        View::Tuple(tuple) => {
            tuple.iter().enumerate().map(|(at, item)| (Step::index(at), item.clone())).collect()
        }
        View::Map(map) => map.iter().map(|(key, item)| (Step::index(key), item.clone())).collect(),
        View::Object(object) => object.iter().map(|(name, item)| (Step::attr(name), item.clone())).collect(),
        _ => Vec::new(),
    }
}

/// Adds the innermost unknown parts of a value at a path. A set, and a container that is marked, is one part.
pub(super) fn add_unknown_parts(value: &Value, path: &Path, parts: &mut Vec<(Path, Value)>) {
    value.walk(|inner, part| {
        if part.is_wholly_known() {
            return false;
        }
        let is_one_part = !part.is_known() || part.is_marked() || matches!(part.view(), View::Set(_));
        if is_one_part {
            parts.push((path.clone().join(inner), part.clone()));
        }
        !is_one_part
    });
}
