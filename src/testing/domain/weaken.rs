//! Builds values that may become a given value.

use crate::{LengthRange, Refinement, Type, Value, View};

use super::super::concrete::{Con, Num};

/// The number of copies with a weakened element after which no more are built for one value.
const MAX_VALUES: usize = 200;
/// The maximum number of elements of a container that are weakened, and about that of prefixes of a string.
const MAX_PARTS: usize = 4;

/// The value, and abstract values that may become it, roughly from more to less known. The null of its type is added
/// too, so that an operation is also tried on that.
pub(super) fn weaker(value: &Value) -> Vec<Value> {
    let mut all = vec![value.clone()];
    weaken_parts(value, &mut all);
    all.truncate(MAX_VALUES);
    let ty = value.ty();
    if ty == Type::Dynamic {
        all.push(Value::dynamic());
        return all;
    }
    for refinement in true_refinements(value) {
        let nullable = Value::refined(ty.clone(), refinement.clone());
        let not_null = Value::refined(ty.clone(), refinement.and_not_null());
        all.extend(nullable.into_iter().chain(not_null));
    }
    all.push(Value::null(ty));
    all.push(Value::dynamic());
    all
}

/// Values just outside the bounds or prefixes that [`weaker`] builds from this value: for a number n, n - 1 and n +
/// 1; for a string, a longer one. Empty for other values.
pub(super) fn neighbours(con: &Con) -> Vec<Con> {
    match con {
        Con::Num(Num::Quarters(quarters)) => {
            [-4, 4].map(|step| Con::Num(Num::Quarters(quarters.saturating_add(step)))).to_vec()
        }
        Con::Str(text) => vec![Con::Str(format!("{text}zq"))],
        _ => Vec::new(),
    }
}

/// Refinements that the value satisfies: bounds of a number, prefixes of a string, lengths of a collection.
fn true_refinements(value: &Value) -> Vec<Refinement> {
    let mut all = vec![Refinement::any()];
    match value.view() {
        View::String(text) => {
            let ends: Vec<usize> =
                text.char_indices().map(|(place, _)| place).skip(1).chain([text.len()]).collect();
            let chosen = ends.iter().step_by(ends.len().div_ceil(MAX_PARTS).max(1)).chain(ends.last());
            let prefixes = chosen.filter_map(|end| text.get(..*end)).filter(|prefix| !prefix.is_empty());
            let separated =
                text.rmatch_indices(['.', '/', ':', '-']).filter_map(|(place, _)| text.get(..=place));
            all.extend(prefixes.chain(separated.take(MAX_PARTS)).map(Refinement::prefix));
        }
        View::Number(number) => {
            all.push(Refinement::number_at_least(number.clone()));
            all.push(Refinement::number_at_most(number.clone()));
        }
        view => {
            let length = match view {
                View::List(list) => list.len(),
                View::Map(map) => map.len(),
                View::Set(set) => set.member_count(),
                _ => return all,
            };
            let length = u64::try_from(length).unwrap_or(u64::MAX);
            let ranges =
                [LengthRange::exactly(length), LengthRange::at_least(length), LengthRange::at_most(length)];
            all.extend(ranges.map(Refinement::length));
        }
    }
    all
}

/// Adds copies of the container in which one element is replaced by a less known value.
fn weaken_parts(value: &Value, all: &mut Vec<Value>) {
    let mut each = |items: Vec<&Value>, build: &dyn Fn(Vec<Value>) -> crate::Result<Value>| {
        for (i, item) in items.iter().enumerate().take(MAX_PARTS) {
            for weak in weaker(item).into_iter().skip(1).filter(|weak| *weak != Value::dynamic()) {
                let new = items
                    .iter()
                    .enumerate()
                    .map(|(j, old)| if i == j { weak.clone() } else { (*old).clone() });
                all.extend(build(new.collect()));
                if all.len() >= MAX_VALUES {
                    return;
                }
            }
        }
    };
    match value.view() {
        View::List(list) => {
            each(list.iter().collect(), &|new| Value::list_of(list.element_type().clone(), new))
        }
        View::Tuple(tuple) => each(tuple.iter().collect(), &|new| Value::tuple(new)),
        View::Set(set) => {
            each(set.known().iter().collect(), &|new| Value::set_of(set.element_type().clone(), new))
        }
        View::Map(map) => each(map.iter().map(|(_, item)| item).collect(), &|new| {
            Value::map_of(map.element_type().clone(), map.iter().map(|(key, _)| key).zip(new))
        }),
        View::Object(object) => each(object.iter().map(|(_, item)| item).collect(), &|new| {
            Value::object(object.iter().map(|(name, _)| name).zip(new))
        }),
        _ => {}
    }
}
