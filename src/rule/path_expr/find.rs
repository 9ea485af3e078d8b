//! Following a path expression into a value.

use super::types::{key_hint, no_attribute, no_step, types, types_after};
use super::{ExprStep, How};
use crate::error::Result;
use crate::path::{Path, Step};
use crate::refinement::Nullness;
use crate::types::Type;
use crate::value::{SetView, Value, View, view_below_marks};

/// A place, and the steps that could not be taken from there.
pub(in crate::rule) struct Found<'s> {
    pub(in crate::rule) path: Path,
    pub(in crate::rule) value: Value,
    pub(in crate::rule) how: How,
    pub(in crate::rule) rest: &'s [ExprStep],
}

impl Found<'_> {
    /// Stopped at an unknown: whether the next step leads nowhere, whatever the unknown turns out to be.
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

    /// Whether a step before any `[*]` names an attribute or element that no type on the way has.
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

    /// Stopped at an unknown: whether a type on the rest of the way is undecided, so that the path may turn out to ask
    /// for a part that the type does not have.
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

/// All places; `steps` go inward only.
pub(in crate::rule) fn find<'s>(steps: &'s [ExprStep], value: &Value) -> Result<Vec<Found<'s>>> {
    let mut here = vec![Found { path: Path::new(), value: value.clone(), how: How::Exact, rest: steps }];
    let mut rest = steps;
    while let Some((step, after)) = rest.split_first() {
        let mut next = Vec::with_capacity(here.len());
        for found in here {
            if found.how == How::Exact {
                advance(found, step, after, rest, &mut next)?;
            } else {
                next.push(found);
            }
        }
        here = next;
        rest = after;
    }
    Ok(here)
}

fn advance<'s>(
    from: Found<'s>,
    step: &ExprStep,
    after: &'s [ExprStep],
    rest: &'s [ExprStep],
    out: &mut Vec<Found<'s>>,
) -> Result<()> {
    let Found { path, value, .. } = &from;
    let marks = value.marks();
    let mut to = |step: Step, part: &Value| {
        let mut path = path.clone();
        path.push(step);
        let value = part.clone().with_marks(marks);
        out.push(Found { path, value, how: How::Exact, rest: after });
    };
    // A key met along the way is content of the map.
    let own_key = |key: &str| Step::Index(Value::from(key).with_marks(marks));
    // Below a mark an attribute may be the key of a map, so it is named as keys are: hidden where it was met, and as it
    // was written where the path names it (L5).
    let met_name = |name: &str| if marks.is_empty() { Step::attr(name) } else { own_key(name) };
    let named = |name: &str| if marks.is_empty() { Step::attr(name) } else { Step::index(name) };
    let missing = |ty: Type| Found {
        path: path.clone(),
        value: Value::null(ty).with_marks(marks),
        how: How::Missing,
        rest: after,
    };
    match (step, view_below_marks(value)) {
        (_, View::Null(ty)) => {
            check_rest(rest, &ty, path)?;
            out.push(Found { how: How::StoppedAtNull, rest, ..from });
        }
        (_, View::Dynamic) => out.push(Found { how: How::StoppedAtUnknown, rest, ..from }),
        (_, View::Unknown(range)) => {
            check_rest(rest, range.ty(), path)?;
            out.push(Found { how: How::StoppedAtUnknown, rest, ..from });
        }
        (ExprStep::Attr(name), View::Object(object)) => match object.get(name) {
            Some(part) => to(Step::attr(name), part),
            None => {
                let error = key_hint(no_attribute(name, object.ty()), step, path.steps().len());
                return Err(error.at(path.clone()));
            }
        },
        (ExprStep::Key(name), View::Object(object)) => match object.get(name) {
            Some(part) => to(named(name), part),
            None => {
                let missing = missing(Type::Dynamic);
                out.push(at_step(missing, named(name)));
            }
        },
        (ExprStep::Attr(key) | ExprStep::Key(key), View::Map(map)) => match map.get(key) {
            Some(part) => to(Step::index(key.as_str()), part),
            None => {
                let missing = missing(map.element_type().clone());
                out.push(at_step(missing, Step::index(key.as_str())));
            }
        },
        (ExprStep::Index(index), View::List(list)) => match at(*index, |index| list.get(index)) {
            Some(part) => to(Step::index(*index), part),
            None => {
                let missing = missing(list.element_type().clone());
                out.push(at_step(missing, Step::index(*index)));
            }
        },
        (ExprStep::Index(index), View::Tuple(tuple)) => match at(*index, |index| tuple.get(index)) {
            Some(part) => to(Step::index(*index), part),
            None => {
                let missing = missing(Type::Dynamic);
                out.push(at_step(missing, Step::index(*index)));
            }
        },
        (ExprStep::AnyElement, View::List(list)) => {
            list.iter().enumerate().for_each(|(i, part)| to(Step::index(i), part));
        }
        (ExprStep::AnyElement, View::Tuple(tuple)) => {
            tuple.iter().enumerate().for_each(|(i, part)| to(Step::index(i), part));
        }
        (ExprStep::AnyElement, View::Map(map)) => map.iter().for_each(|(key, part)| to(own_key(key), part)),
        (ExprStep::AnyElement, View::Object(object)) => {
            object.iter().for_each(|(name, part)| to(met_name(name), part));
        }
        (ExprStep::AnyElement, View::Set(set)) => match only_member(&set) {
            Some(member) => to(Step::Index(member.clone().with_marks(marks)), &member),
            None => set.iter().for_each(|part| to(Step::Index(part.clone().with_marks(marks)), part)),
        },
        (step, _) => return Err(no_step(step, &value.ty()).at(path.clone())),
    }
    Ok(())
}

/// The member of a set of one whose members are all the same one, by the length: what is known of each is known of it.
fn only_member(set: &SetView<'_>) -> Option<Value> {
    if set.length().upper() != Some(1) || set.member_count() < 2 {
        return None;
    }
    let mut members = set.iter();
    let mut only = members.next()?.clone();
    for other in members {
        // Bounds that cannot be computed are left out.
        only = only.assume(other.range().refinement()).unwrap_or(only);
    }
    Some(only)
}

fn check_rest(rest: &[ExprStep], ty: &Type, path: &Path) -> Result<()> {
    match types(rest, ty) {
        Ok(_) => Ok(()),
        Err(error) => {
            let full = path.clone().join(error.path());
            Err(error.at(full))
        }
    }
}

fn at_step<'s>(mut found: Found<'s>, step: Step) -> Found<'s> {
    found.path.push(step);
    found
}

fn at<'v>(index: u64, get: impl FnOnce(usize) -> Option<&'v Value>) -> Option<&'v Value> {
    get(usize::try_from(index).ok()?)
}
