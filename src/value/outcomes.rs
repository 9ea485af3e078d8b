//! The outcomes of values that can become only a few things, such as `[unknown bool]`: what no range says, counting
//! does.

use crate::refinement::{LengthRange, Nullness, Refinement};
use crate::types::Type;

use super::view::below_marks as view_below_marks;
use super::{Value, View};

/// Above this many outcomes nothing is counted.
const MANY: usize = 256;

/// Nor where the outcomes have more parts than this in all: a long list is not copied for each.
const PARTS: usize = 1 << 14;

/// The most levels of a value whose outcomes are enumerated: each level takes several stack frames.
const LEVELS: usize = 32;

impl Value {
    /// All values that the value may become, without marks; `None` where there are too many.
    pub(crate) fn outcomes(&self) -> Option<Vec<Value>> {
        if self.ty().depth() > LEVELS { None } else { outcomes(self) }
    }
}

fn outcomes(value: &Value) -> Option<Vec<Value>> {
    if value.is_wholly_known() {
        return Some(vec![value.clone()]);
    }
    match view_below_marks(value) {
        View::Unknown(range) => of_type(range.ty(), range.refinement()),
        View::List(list) if !list.element_type().has_dynamic() => {
            let ty = list.element_type();
            product(list.iter())?.into_iter().map(|items| Value::list_of(ty.clone(), items).ok()).collect()
        }
        View::Map(map) if !map.element_type().has_dynamic() => {
            let keys: Vec<&str> = map.iter().map(|(key, _)| key).collect();
            let rows = product(map.iter().map(|(_, part)| part))?;
            let build =
                |row: Vec<Value>| Value::map_of(map.element_type().clone(), keys.iter().zip(row)).ok();
            rows.into_iter().map(build).collect()
        }
        View::Tuple(tuple) => product(tuple.iter())?.into_iter().map(|row| Value::tuple(row).ok()).collect(),
        View::Object(object) => {
            let names: Vec<&str> = object.iter().map(|(name, _)| name).collect();
            let rows = product(object.iter().map(|(_, part)| part))?;
            rows.into_iter().map(|row| Value::object(names.iter().zip(row)).ok()).collect()
        }
        View::Set(set) if !set.element_type().has_dynamic() => {
            let length = set.length();
            let rows = product(set.undecided().iter())?;
            if rows.len().saturating_mul(set.known().len()) >= PARTS {
                return None;
            }
            let sets = rows.into_iter().map(|row| {
                Value::set_of(set.element_type().clone(), set.known().iter().cloned().chain(row)).ok()
            });
            let mut sets: Vec<Value> = sets.collect::<Option<_>>()?;
            sets.retain(|set| has_length(set, length));
            Some(sets)
        }
        _ => None,
    }
}

fn has_length(set: &Value, length: LengthRange) -> bool {
    match view_below_marks(set) {
        View::Set(set) => length.contains(set.member_count() as u64),
        _ => false,
    }
}

/// Every way to choose an outcome for each part.
fn product<'a>(parts: impl Iterator<Item = &'a Value>) -> Option<Vec<Vec<Value>>> {
    let parts: Vec<&Value> = parts.take(PARTS).collect();
    let open = parts.iter().filter(|part| !part.is_wholly_known());
    let open: Vec<Vec<Value>> = open.map(|part| outcomes(part)).collect::<Option<_>>()?;
    let ways = open.iter().try_fold(1_usize, |ways, choices| ways.checked_mul(choices.len()))?;
    if ways > MANY || ways.saturating_mul(parts.len()) >= PARTS {
        return None;
    }
    let (mut rows, mut open) = (vec![Vec::with_capacity(parts.len())], open.into_iter());
    for part in parts {
        if part.is_wholly_known() {
            rows.iter_mut().for_each(|row| row.push(part.clone()));
        } else {
            rows = each_with_each(&rows, &open.next()?)?;
        }
    }
    Some(rows)
}

fn each_with_each(rows: &[Vec<Value>], choices: &[Value]) -> Option<Vec<Vec<Value>>> {
    if rows.len().saturating_mul(choices.len()) > MANY {
        return None;
    }
    let extended = rows.iter().flat_map(|row| {
        choices.iter().map(move |choice| row.iter().cloned().chain([choice.clone()]).collect())
    });
    Some(extended.collect())
}

fn of_type(ty: &Type, refinement: &Refinement) -> Option<Vec<Value>> {
    let mut all = Vec::new();
    if refinement.nullness() != Nullness::NotNull {
        all.push(Value::null(ty.clone()));
    }
    if refinement.nullness() == Nullness::Null {
        return Some(all);
    }
    let length = refinement.length_range().unwrap_or_default();
    match ty {
        Type::Bool => all.extend([Value::from(false), Value::from(true)]),
        Type::Tuple(ty) => {
            for row in rows_of(ty.iter())? {
                all.push(Value::tuple(row).ok()?);
            }
        }
        Type::Object(ty) => {
            for row in rows_of(ty.iter().map(|(_, ty)| ty))? {
                all.push(Value::object_of(ty, row).ok()?);
            }
        }
        Type::List(list) => {
            let most = usize::try_from(length.upper()?).ok()?;
            let choices = of_type(list.element(), &Refinement::any())?;
            let mut rows = vec![Vec::new()];
            for count in 0..=most {
                if length.contains(count as u64) {
                    for row in &rows {
                        all.push(Value::list_of(list.element().clone(), row.iter().cloned()).ok()?);
                    }
                }
                if all.len() > MANY {
                    return None;
                }
                if count < most {
                    rows = each_with_each(&rows, &choices)?;
                }
            }
        }
        Type::Set(set) => {
            let mut subsets: Vec<Vec<Value>> = vec![Vec::new()];
            for choice in of_type(set.element(), &Refinement::any())? {
                if subsets.len() > MANY {
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
    (all.len() <= MANY).then_some(all)
}

fn rows_of<'a>(types: impl Iterator<Item = &'a Type>) -> Option<Vec<Vec<Value>>> {
    let mut rows = vec![Vec::new()];
    for ty in types {
        rows = each_with_each(&rows, &of_type(ty, &Refinement::any())?)?;
    }
    Some(rows)
}
