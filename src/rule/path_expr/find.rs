//! Follows a path expression into a value.

use super::types::{end_types, key_hint, no_attribute, no_step, types_after};
use super::{ExprStep, How};
use crate::error::Result;
use crate::path::{Path, Step};
use crate::refinement::Nullness;
use crate::types::Type;
use crate::value::{Container, SetView, Value, View, view_below_marks};

/// Where one way of following a path expression ended: at its target, or where a step could not be taken.
pub(in crate::rule) struct PathEnd<'s> {
    /// The place, as a path from the value that the expression starts from.
    pub(in crate::rule) path: Path,
    /// The value at the place, with the marks of all values that contain it.
    pub(in crate::rule) value: Value,
    /// How far the expression was followed.
    pub(in crate::rule) how: How,
    /// The steps that could not be taken; empty at the target.
    pub(in crate::rule) rest: &'s [ExprStep],
}

impl PathEnd<'_> {
    /// Whether the next step certainly finds nothing in the unknown value at which the expression stopped, whatever
    /// the value turns out to be.
    pub(in crate::rule) fn leads_nowhere(&self) -> bool {
        let range = self.value.range();
        let length = match range.ty() {
            Type::Tuple(ty) => Some(ty.len() as u64),
            Type::Object(ty) => Some(ty.len() as u64),
            _ => range.length_range().and_then(|length| length.upper()),
        };
        range.nullness() == Nullness::Null
            || match (self.rest.first(), range.ty()) {
                (Some(ExprStep::Index(index)), _) => length.is_some_and(|length| *index >= length),
                (Some(ExprStep::Key(name)), Type::Object(ty)) => ty.get(name).is_none(),
                (Some(ExprStep::Attr(_) | ExprStep::Key(_)), Type::Map(_)) => length == Some(0),
                (Some(ExprStep::AnyElement), _) => length == Some(0),
                _ => false,
            }
            || self.types_lack_a_part(range.ty())
    }

    /// Whether one of the remaining steps before any `[*]` names an attribute or index that no type on the way has.
    /// `ty` is the type of the value that the remaining steps start from.
    fn types_lack_a_part(&self, ty: &Type) -> bool {
        let mut types = vec![ty.clone()];
        for step in self.rest.iter().take_while(|step| **step != ExprStep::AnyElement) {
            let lacks = |ty: &Type| match (step, ty) {
                (ExprStep::Key(name), Type::Object(ty)) => ty.get(name).is_none(),
                (ExprStep::Index(index), Type::Tuple(ty)) => *index >= ty.len() as u64,
                _ => false,
            };
            if !types.is_empty() && types.iter().all(lacks) {
                return true;
            }
            types = types_after(step, &types);
        }
        false
    }

    /// Whether an expression that stopped at an unknown still has to cross an undecided type. That type may turn out
    /// to lack the attribute or element that the expression names, which is an error.
    pub(in crate::rule) fn may_be_misuse(&self) -> bool {
        if self.how != How::StoppedAtUnknown {
            return false;
        }
        let mut types = vec![self.value.ty()];
        self.rest.iter().any(|step| {
            let is_undecided = types.contains(&Type::Dynamic);
            types = types_after(step, &types);
            is_undecided
        })
    }
}

/// Follows the steps into a value and returns every place reached, in the order of the elements: targets, and places
/// where a step could not be taken. The steps contain no `<`.
pub(in crate::rule) fn path_ends<'s>(steps: &'s [ExprStep], value: &Value) -> Result<Vec<PathEnd<'s>>> {
    path_ends_but(steps, value, &|_| false)
}

/// As [`path_ends`], without the targets for which `may_skip` returns true: no path is built for them. It is not
/// called for a target that is the only one.
pub(in crate::rule) fn path_ends_but<'s>(
    steps: &'s [ExprStep],
    value: &Value,
    may_skip: &dyn Fn(&Value) -> bool,
) -> Result<Vec<PathEnd<'s>>> {
    path_ends_from(Path::new(), value, steps, may_skip)
}

/// Follows the steps from `value`, whose own path is `path`, to each end: a target, or the null, missing element or
/// unknown where a step could not be taken. `may_skip` returns true for targets to leave out; it is called only for those
/// of the last step, and never for the only one.
pub(in crate::rule) fn path_ends_from<'s>(
    mut path: Path,
    value: &Value,
    steps: &'s [ExprStep],
    may_skip: &dyn Fn(&Value) -> bool,
) -> Result<Vec<PathEnd<'s>>> {
    let before = path.len();
    let (mut whole, mut rest) = (value, steps);
    // Most steps lead into one part of a known container, and no place in between is asked for.
    while let Some((step, after)) = rest.split_first()
        && let Some((taken, part)) = plain_part(whole, step)
    {
        path.push(taken);
        (whole, rest) = (part, after);
    }
    let mut here = vec![PathEnd { path, value: whole.clone(), how: How::Exact, rest }];
    while let Some((step, after)) = rest.split_first() {
        let here_count = here.len();
        let mut next = Vec::with_capacity(here_count);
        let may_skip = |part: &Value, siblings: usize| {
            after.is_empty() && (siblings > 1 || here_count > 1) && may_skip(part)
        };
        for end in here {
            if end.how == How::Exact {
                take_step(end, (step, after, rest), before, &may_skip, &mut next)?;
            } else {
                next.push(end);
            }
        }
        here = next;
        rest = after;
    }
    Ok(here)
}

/// The value that the steps lead to through known, unmarked containers only, with its path from `value`. `None` where
/// another step occurs, such as `<` or `[*]`, or a part is missing.
pub(in crate::rule) fn plain_end<'v>(steps: &[ExprStep], mut value: &'v Value) -> Option<(Path, &'v Value)> {
    let mut path = Path::new();
    for step in steps {
        let (taken, part) = plain_part(value, step)?;
        path.push(taken);
        value = part;
    }
    Some((path, value))
}

/// Fast path: the child of a known, unmarked container that one step other than `[*]` leads to, with the step of a
/// path to it. `None` otherwise, also if the child does not exist.
fn plain_part<'v>(value: &'v Value, step: &ExprStep) -> Option<(Step, &'v Value)> {
    if value.is_marked() {
        return None;
    }
    let (index, items) = match (step, value.container()?) {
        (ExprStep::Attr(name) | ExprStep::Key(name), Container::Object(node)) => {
            return Some((Step::attr(name), node.slots.get(node.ty.index_of(name)?)?));
        }
        (ExprStep::Index(index), Container::List(node)) => (index, &node.items),
        (ExprStep::Index(index), Container::Tuple(node)) => (index, &node.items),
        (ExprStep::Attr(key) | ExprStep::Key(key), Container::Map(node)) => {
            let place = node.entries.binary_search_by(|(name, _)| name.as_str().cmp(key)).ok()?;
            return Some((Step::index(key.as_str()), node.entries.get(place).map(|(_, part)| part)?));
        }
        _ => return None,
    };
    Some((Step::index(*index), element_at(*index, |index| items.get(index))?))
}

/// Takes one step from a place that was reached, and adds to `out` where it leads: every element for `[*]`, otherwise
/// one place. `before` is the number of path steps above the value that the expression started from.
fn take_step<'s>(
    from: PathEnd<'s>,
    (step, after, rest): (&ExprStep, &'s [ExprStep], &'s [ExprStep]),
    before: usize,
    may_skip: &dyn Fn(&Value, usize) -> bool,
    out: &mut Vec<PathEnd<'s>>,
) -> Result<()> {
    let PathEnd { path, value, .. } = &from;
    let marks = value.marks();
    let mut to = |step: Step, part: &Value| {
        let mut path = path.clone();
        path.push(step);
        let value = part.clone().with_marks(marks);
        out.push(PathEnd { path, value, how: How::Exact, rest: after });
    };
    let is_kept = |part: &Value, siblings: usize| !may_skip(part, siblings);
    // A key that `[*]` finds is content of the map, so it carries the marks of the map.
    let hidden_key = |key: &str| Step::Index(Value::from(key).with_marks(marks));
    // A marked object may have been converted from a map, so its attribute names are content as keys are: `[*]` hides
    // them, and a name that the expression itself contains is shown as it is written (L5).
    let hidden_name = |name: &str| if marks.is_empty() { Step::attr(name) } else { hidden_key(name) };
    let named = |name: &str| if marks.is_empty() { Step::attr(name) } else { Step::index(name) };
    let missing = |ty: Type| PathEnd {
        path: path.clone(),
        value: Value::null(ty).with_marks(marks),
        how: How::Missing,
        rest: after,
    };
    match (step, view_below_marks(value)) {
        (_, View::Null(ty)) => {
            check_remaining(rest, &ty, path)?;
            out.push(PathEnd { how: How::StoppedAtNull, rest, ..from });
        }
        (_, View::Dynamic) => out.push(PathEnd { how: How::StoppedAtUnknown, rest, ..from }),
        (_, View::Unknown(range)) => {
            check_remaining(rest, range.ty(), path)?;
            out.push(PathEnd { how: How::StoppedAtUnknown, rest, ..from });
        }
        (ExprStep::Attr(name), View::Object(object)) => match object.get(name) {
            Some(part) => to(Step::attr(name), part),
            None => {
                let error =
                    key_hint(no_attribute(name, object.ty()), step, path.len().saturating_sub(before));
                return Err(error.at(path.clone()));
            }
        },
        (ExprStep::Key(name), View::Object(object)) => match object.get(name) {
            Some(part) => to(named(name), part),
            None => {
                let missing = missing(Type::Dynamic);
                out.push(with_step(missing, named(name)));
            }
        },
        (ExprStep::Attr(key) | ExprStep::Key(key), View::Map(map)) => match map.get(key) {
            Some(part) => to(Step::index(key.as_str()), part),
            None => {
                let missing = missing(map.element_type().clone());
                out.push(with_step(missing, Step::index(key.as_str())));
            }
        },
        (ExprStep::Index(index), View::List(list)) => match element_at(*index, |index| list.get(index)) {
            Some(part) => to(Step::index(*index), part),
            None => {
                let missing = missing(list.element_type().clone());
                out.push(with_step(missing, Step::index(*index)));
            }
        },
        (ExprStep::Index(index), View::Tuple(tuple)) => match element_at(*index, |index| tuple.get(index)) {
            Some(part) => to(Step::index(*index), part),
            None => {
                let missing = missing(Type::Dynamic);
                out.push(with_step(missing, Step::index(*index)));
            }
        },
        (ExprStep::AnyElement, View::List(list)) => {
            let kept = list.iter().enumerate().filter(|(_, part)| is_kept(part, list.len()));
            kept.for_each(|(i, part)| to(Step::index(i), part));
        }
        (ExprStep::AnyElement, View::Tuple(tuple)) => {
            let kept = tuple.iter().enumerate().filter(|(_, part)| is_kept(part, tuple.len()));
            kept.for_each(|(i, part)| to(Step::index(i), part));
        }
        (ExprStep::AnyElement, View::Map(map)) => {
            let kept = map.iter().filter(|(_, part)| is_kept(part, map.len()));
            kept.for_each(|(key, part)| to(hidden_key(key), part));
        }
        (ExprStep::AnyElement, View::Object(object)) => {
            let kept = object.iter().filter(|(_, part)| is_kept(part, object.len()));
            kept.for_each(|(name, part)| to(hidden_name(name), part));
        }
        (ExprStep::AnyElement, View::Set(set)) => match only_member(&set) {
            Some(member) => to(Step::Index(member.clone().with_marks(marks)), &member),
            None => {
                let kept = set.iter().filter(|part| is_kept(part, set.member_count()));
                kept.for_each(|part| to(Step::Index(part.clone().with_marks(marks)), part));
            }
        },
        (step, _) => return Err(no_step(step, &value.ty()).at(path.clone())),
    }
    Ok(())
}

/// The member of a set of length 1 that lists several candidates: they all denote the same value, so the facts of
/// each hold for it. `None` for other sets.
fn only_member(set: &SetView<'_>) -> Option<Value> {
    if set.length().upper() != Some(1) || set.member_count() < 2 {
        return None;
    }
    let mut members = set.iter();
    let mut only = members.next()?.clone();
    for other in members {
        // A bound that exceeds a limit is left out: it may cost precision, never an error (L1).
        only = only.assume(other.range().refinement()).unwrap_or(only);
    }
    Some(only)
}

/// Checks that values of the type have the attributes and elements that the remaining steps name; `path` leads to the
/// value and is added to the error.
fn check_remaining(rest: &[ExprStep], ty: &Type, path: &Path) -> Result<()> {
    match end_types(rest, ty) {
        Ok(_) => Ok(()),
        Err(error) => {
            let full = path.clone().join(error.path());
            Err(error.at(full))
        }
    }
}

/// Appends one step to the path of a place.
fn with_step<'s>(mut end: PathEnd<'s>, step: Step) -> PathEnd<'s> {
    end.path.push(step);
    end
}

/// The element at an index by the function `get`; `None` if there is none, also where the index exceeds `usize`.
fn element_at<'v>(index: u64, get: impl FnOnce(usize) -> Option<&'v Value>) -> Option<&'v Value> {
    get(usize::try_from(index).ok()?)
}
