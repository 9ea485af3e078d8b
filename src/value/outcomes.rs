//! Enumerating all outcomes of a value that has only few, such as `[unknown bool]`, for answers that no range can give.

use std::collections::BTreeSet;

use crate::limits;
use crate::refinement::{LengthRange, Nullness, Refinement};
use crate::types::Type;

use super::view::below_marks as view_below_marks;
use super::{Value, View};

/// The maximum number of outcomes of a value that are enumerated.
const MAX_OUTCOMES: usize = 256;

/// The maximum number of children of all enumerated outcomes together, so that a long list is not copied for each.
const MAX_CHILDREN: usize = 1 << 14;

/// The maximum depth of a type whose outcomes are enumerated: each level takes several stack frames.
const MAX_DEPTH: usize = 32;

impl Value {
    /// All wholly known values that the value may become, without marks; `None` if there are too many.
    #[doc(hidden)]
    pub fn outcomes(&self) -> Option<Vec<Value>> {
        if self.ty().depth() > MAX_DEPTH { None } else { outcomes(self) }
    }
}

/// As [`Value::outcomes`], for a type that is not too deep.
fn outcomes(value: &Value) -> Option<Vec<Value>> {
    if value.is_wholly_known() {
        return Some(vec![value.clone()]);
    }
    match view_below_marks(value) {
        View::Unknown(range) => values_of_type(range.ty(), range.refinement()),
        View::List(list) if !list.element_type().has_dynamic() => {
            let ty = list.element_type();
            outcomes_of_children(list.iter())?
                .into_iter()
                .map(|items| Value::list_of(ty.clone(), items).ok())
                .collect()
        }
        View::Map(map) if !map.element_type().has_dynamic() => {
            let keys: Vec<&str> = map.iter().map(|(key, _)| key).collect();
            let rows = outcomes_of_children(map.iter().map(|(_, part)| part))?;
            let build =
                |row: Vec<Value>| Value::map_of(map.element_type().clone(), keys.iter().zip(row)).ok();
            rows.into_iter().map(build).collect()
        }
        View::Tuple(tuple) => {
            outcomes_of_children(tuple.iter())?.into_iter().map(|row| Value::tuple(row).ok()).collect()
        }
        View::Object(object) => {
            let names: Vec<&str> = object.iter().map(|(name, _)| name).collect();
            let rows = outcomes_of_children(object.iter().map(|(_, part)| part))?;
            rows.into_iter().map(|row| Value::object(names.iter().zip(row)).ok()).collect()
        }
        View::Set(set) if !set.element_type().has_dynamic() => {
            let length = set.length();
            if length.upper() == Some(1) && set.known().is_empty() {
                return sets_of_one(set.element_type(), set.not_wholly_known());
            }
            let rows = outcomes_of_children(set.not_wholly_known().iter())?;
            if rows.len().saturating_mul(set.known().len()) >= MAX_CHILDREN {
                return None;
            }
            let sets = rows.into_iter().map(|row| {
                Value::set_of(set.element_type().clone(), set.known().iter().cloned().chain(row)).ok()
            });
            // Several choices of members are one set.
            let sets: BTreeSet<Value> = sets.collect::<Option<_>>()?;
            Some(sets.into_iter().filter(|set| has_length(set, length)).collect())
        }
        _ => None,
    }
}

/// The sets of one member, which all these members become: one of them that has few outcomes tells which they can be.
fn sets_of_one(ty: &Type, members: &[Value]) -> Option<Vec<Value>> {
    let choices = members.iter().find_map(outcomes)?;
    let shared = choices.into_iter().filter(|choice| members.iter().all(|member| member.may_become(choice)));
    shared.map(|choice| Value::set_of(ty.clone(), [choice]).ok()).collect()
}

/// Whether a set has a number of members within the range.
fn has_length(set: &Value, length: LengthRange) -> bool {
    match view_below_marks(set) {
        View::Set(set) => length.contains(set.member_count() as u64),
        _ => false,
    }
}

/// Every way to choose one outcome for each child: a row of outcomes, one for each child in order, for each way;
/// `None` if there are too many.
fn outcomes_of_children<'a>(parts: impl Iterator<Item = &'a Value>) -> Option<Vec<Vec<Value>>> {
    let parts: Vec<&Value> = parts.take(MAX_CHILDREN).collect();
    let open = parts.iter().filter(|part| !part.is_wholly_known());
    let open: Vec<Vec<Value>> = open.map(|part| outcomes(part)).collect::<Option<_>>()?;
    let ways = open.iter().try_fold(1_usize, |ways, choices| ways.checked_mul(choices.len()))?;
    if ways > MAX_OUTCOMES || ways.saturating_mul(parts.len()) >= MAX_CHILDREN {
        return None;
    }
    let (mut rows, mut open) = (vec![Vec::with_capacity(parts.len())], open.into_iter());
    for part in parts {
        if part.is_wholly_known() {
            rows.iter_mut().for_each(|row| row.push(part.clone()));
        } else {
            rows = extend_rows(&rows, &open.next()?)?;
        }
    }
    Some(rows)
}

/// Every row with every choice appended to it: all combinations; `None` if these are more than [`MAX_OUTCOMES`] rows.
fn extend_rows(rows: &[Vec<Value>], choices: &[Value]) -> Option<Vec<Vec<Value>>> {
    if rows.len().saturating_mul(choices.len()) > MAX_OUTCOMES {
        return None;
    }
    let extended = rows.iter().flat_map(|row| {
        choices.iter().map(move |choice| row.iter().cloned().chain([choice.clone()]).collect())
    });
    Some(extended.collect())
}

/// All values of a type within a refinement; `None` if there are too many.
fn values_of_type(ty: &Type, refinement: &Refinement) -> Option<Vec<Value>> {
    let mut all = Vec::new();
    if refinement.nullness() != Nullness::NotNull {
        if ty.has_dynamic() {
            // It may be a null of any type.
            return None;
        }
        all.push(Value::null(ty.clone()));
    }
    if refinement.nullness() == Nullness::Null {
        return Some(all);
    }
    let length = refinement.length_range().unwrap_or_default();
    match ty {
        Type::Bool => all.extend([Value::from(false), Value::from(true)]),
        Type::Number => {
            all.extend(refinement.range().few_numbers(limits::ONE_OF)?.into_iter().map(Value::from));
        }
        Type::Tuple(ty) => {
            let parts = ty.iter().enumerate();
            for row in combinations_of_parts(parts.map(|(i, ty)| (ty, refinement.of_tuple_element(i))))? {
                all.push(Value::tuple(row).ok()?);
            }
        }
        Type::Object(ty) => {
            for row in combinations_of_parts(ty.iter().map(|(name, ty)| (ty, refinement.of_attribute(name))))?
            {
                all.push(Value::object_of(ty, row).ok()?);
            }
        }
        Type::List(list) => {
            let most = usize::try_from(length.upper()?).ok()?;
            let choices = values_of_type(list.element(), refinement.element())?;
            let mut rows = vec![Vec::new()];
            if most >= MAX_CHILDREN {
                return None;
            }
            for count in 0..=most {
                if rows.is_empty() {
                    break;
                }
                if length.contains(count as u64) {
                    for row in &rows {
                        all.push(Value::list_of(list.element().clone(), row.iter().cloned()).ok()?);
                    }
                }
                if all.len() > MAX_OUTCOMES {
                    return None;
                }
                if count < most {
                    rows = extend_rows(&rows, &choices)?;
                }
            }
        }
        Type::Set(set) => {
            let mut subsets: Vec<Vec<Value>> = vec![Vec::new()];
            for choice in values_of_type(set.element(), refinement.element())? {
                if subsets.len() > MAX_OUTCOMES {
                    return None;
                }
                let with: Vec<Vec<Value>> =
                    subsets.iter().map(|row| row.iter().cloned().chain([choice.clone()]).collect()).collect();
                subsets.extend(with);
            }
            subsets.retain(|row| length.contains(row.len() as u64));
            for row in subsets {
                all.push(Value::set_of(set.element().clone(), row).ok()?);
            }
        }
        _ => return None,
    }
    (all.len() <= MAX_OUTCOMES).then_some(all)
}

/// All combinations of values that the parts of an object or tuple may have, one row for each combination; `None` if there are
/// too many.
fn combinations_of_parts<'a>(
    parts: impl Iterator<Item = (&'a Type, &'a Refinement)>,
) -> Option<Vec<Vec<Value>>> {
    let mut choices: Vec<Vec<Value>> = Vec::new();
    let mut ways = 1_usize;
    for (ty, refinement) in parts {
        let of_part = values_of_type(ty, refinement)?;
        ways = ways.checked_mul(of_part.len())?;
        if ways > MAX_OUTCOMES || choices.len() >= MAX_CHILDREN {
            return None;
        }
        choices.push(of_part);
    }
    if ways.saturating_mul(choices.len()) >= MAX_CHILDREN {
        return None;
    }
    let mut rows = vec![Vec::with_capacity(choices.len())];
    for of_part in choices {
        match of_part.as_slice() {
            [only] => rows.iter_mut().for_each(|row| row.push(only.clone())),
            _ => rows = extend_rows(&rows, &of_part)?,
        }
    }
    Some(rows)
}
