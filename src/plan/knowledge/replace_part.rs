//! Replacing parts of a value.

use crate::error::Result;
use crate::mark::Marks;
use crate::path::{Path, Step};
use crate::refinement::Refinement;
use crate::rule::ExprStep;
use crate::types::Type;
use crate::value::{Value, View, build_list, build_map, build_object, build_set, view_below_marks};

/// What takes the place of a part, if anything does.
type Replace<'r> = &'r mut dyn FnMut(&Path, &Value) -> Option<Value>;

/// The value with everything that the steps lead to replaced; `None` where nothing changes. What lies in something
/// null or unknown is left alone. A path has a limited number of steps.
///
/// `with` sees each part with the marks met along the way, and each key or member that only the value names with
/// the marks of its container: both are content.
pub(super) fn replace(value: &Value, steps: &[ExprStep], with: Replace<'_>) -> Result<Option<Value>> {
    inside(value, steps, &Marks::new(), &mut Path::new(), with)
}

fn inside(
    value: &Value,
    steps: &[ExprStep],
    above: &Marks,
    path: &mut Path,
    with: Replace<'_>,
) -> Result<Option<Value>> {
    let Some((step, rest)) = steps.split_first() else {
        let replaced = with(path, &value.clone().with_marks(above));
        return Ok(replaced.map(|replaced| replaced.unmark().0.with_marks(value.marks())));
    };
    let Some(mut parts) = parts(value) else { return Ok(None) };
    let marks = above.union(value.marks());
    let mut changed = false;
    for (index, (own, part)) in parts.iter_mut().enumerate() {
        if !leads_to(step, own, index) {
            continue;
        }
        path.push(match &*own {
            Step::Index(key) if *step == ExprStep::AnyElement && !is_position(value) => {
                Step::Index(key.clone().with_marks(&marks))
            }
            own => own.clone(),
        });
        let replaced = inside(part, rest, &marks, path, with);
        path.pop();
        if let Some(replaced) = replaced? {
            *part = replaced;
            changed = true;
        }
    }
    if changed { rebuilt(value, parts).map(Some) } else { Ok(None) }
}

/// Whether elements are named by their position, which is no content.
fn is_position(value: &Value) -> bool {
    matches!(value.ty(), Type::List(_) | Type::Tuple(_))
}

/// The parts of a known container with the steps to them, in its order.
fn parts(value: &Value) -> Option<Vec<(Step, Value)>> {
    Some(match view_below_marks(value) {
        View::Object(object) => object.iter().map(|(name, part)| (Step::attr(name), part.clone())).collect(),
        View::Map(map) => map.iter().map(|(key, part)| (Step::index(key), part.clone())).collect(),
        View::List(list) => list.iter().enumerate().map(|(i, part)| (Step::index(i), part.clone())).collect(),
        View::Tuple(tuple) => {
            tuple.iter().enumerate().map(|(i, part)| (Step::index(i), part.clone())).collect()
        }
        View::Set(set) => set.iter().map(|part| (Step::Index(part.clone()), part.clone())).collect(),
        _ => return None,
    })
}

fn leads_to(step: &ExprStep, own: &Step, index: usize) -> bool {
    match (step, own) {
        (ExprStep::AnyElement, _) => true,
        (ExprStep::Attr(name) | ExprStep::Key(name), Step::Attr(own)) => own.as_str() == name,
        (ExprStep::Attr(name) | ExprStep::Key(name), Step::Index(own)) => {
            own.as_str().is_ok_and(|own| own == name)
        }
        (ExprStep::Index(wanted), Step::Index(_)) => u64::try_from(index).is_ok_and(|index| index == *wanted),
        _ => false,
    }
}

/// The container with these parts in place of its own; marks stay.
fn rebuilt(value: &Value, parts: Vec<(Step, Value)>) -> Result<Value> {
    let items: Vec<Value> = parts.into_iter().map(|(_, part)| part).collect();
    let built = match (view_below_marks(value), value.ty()) {
        (View::Object(_), Type::Object(ty)) => {
            if ty.iter().zip(&items).all(|((_, declared), item)| item.has_type(declared)) {
                build_object(ty, items.into_boxed_slice())
            } else {
                Value::object(ty.attribute_names().zip(items))?
            }
        }
        (View::Map(map), Type::Map(ty)) if items.iter().all(|item| item.has_type(ty.element())) => {
            let keys: Vec<_> = map.iter().map(|(key, _)| key.into()).collect();
            build_map(ty, keys.into_iter().zip(items).collect())
        }
        (View::List(_), Type::List(ty)) if items.iter().all(|item| item.has_type(ty.element())) => {
            build_list(ty, items)
        }
        (View::Set(set), Type::Set(ty)) if items.iter().all(|item| item.has_type(ty.element())) => {
            // What was known of the length still holds.
            let built = build_set(ty, items);
            built.assume(&Refinement::length(set.length())).unwrap_or(built)
        }
        (View::Tuple(_), _) => Value::tuple(items)?,
        // An element of undecided type cannot be given one alone.
        _ => return Ok(value.clone()),
    };
    Ok(built.with_marks(value.marks()))
}
