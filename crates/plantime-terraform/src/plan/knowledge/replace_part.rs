//! Replaces parts of a value along a path expression.

use std::collections::BTreeMap;

use plantime::rule::ExprStep;
use plantime::unstable::value::{
    build_list, build_map, build_object, build_set, canonical, refinement_of_outcomes,
};
use plantime::{Marks, Path, Refinement, Result, Step, Type, Value, View};

/// Returns the replacement of a part, or `None` to keep it. Is called with the path and the value of the part, and with whether
/// the part certainly exists.
type Replace<'r> = &'r mut dyn FnMut(&Path, &Value, bool) -> Option<Value>;

/// The value with every part that the steps lead to replaced; `None` if nothing changes. Parts inside null are left alone. A
/// path has a limited number of steps.
///
/// Inside an unknown object, tuple or collection one unknown value stands for all parts to which the steps lead; its path is that of
/// the container. Its new refinement holds for every element, or for the attribute.
///
/// `with` receives each part with the marks of its containers. Keys and members that only the value tells (a wildcard
/// step) carry the marks of their container too, since both are content (L5).
pub(super) fn replace_parts(value: &Value, steps: &[ExprStep], with: Replace<'_>) -> Result<Option<Value>> {
    replace_below(value, steps, &Marks::new(), &mut Path::new(), with)
}

/// The object with some of its attributes replaced.
pub(super) fn with_attributes(value: &Value, mut changed: BTreeMap<String, Value>) -> Result<Value> {
    let mut attributes = children(value).unwrap_or_default();
    for (step, part) in &mut attributes {
        if let Step::Attr(name) = step
            && let Some(new) = changed.remove(name.as_str())
        {
            *part = new;
        }
    }
    with_children(value, attributes)
}

/// As `replace_parts`, for a value at `path` whose containers have the marks `above`.
fn replace_below(
    value: &Value,
    steps: &[ExprStep],
    above: &Marks,
    path: &mut Path,
    with: Replace<'_>,
) -> Result<Option<Value>> {
    let Some((step, rest)) = steps.split_first() else {
        let replaced = with(path, &value.clone().with_marks(above), true);
        return Ok(replaced.map(|replaced| replaced.unmark().0.with_marks(value.marks())));
    };
    let Some(mut children) = children(value) else {
        return Ok(replace_in_unknown(value, steps, above, path, with));
    };
    let marks = above.union(value.marks());
    let mut changed = false;
    for (index, (own, part)) in children.iter_mut().enumerate() {
        if !step_matches(step, own, index) {
            continue;
        }
        path.push(match &*own {
            Step::Index(key) if *step == ExprStep::AnyElement && !has_positions(value) => {
                Step::Index(key.clone().with_marks(&marks))
            }
            own => own.clone(),
        });
        let replaced = replace_below(part, rest, &marks, path, with);
        path.pop();
        if let Some(replaced) = replaced? {
            *part = replaced;
            changed = true;
        }
    }
    if changed { with_children(value, children).map(Some) } else { Ok(None) }
}

/// As `replace_parts`, for a value that may be unknown, and below it.
fn replace_in_unknown(
    value: &Value,
    steps: &[ExprStep],
    above: &Marks,
    path: &Path,
    with: Replace<'_>,
) -> Option<Value> {
    let Some((step, rest)) = steps.split_first() else {
        return with(path, &value.clone().with_marks(above), false).map(|replaced| replaced.unmark().0);
    };
    let index = |index: &u64| usize::try_from(*index).ok();
    let part = match (step, value.view_below_marks()) {
        (step, View::Unknown(range)) => match (step, range.ty()) {
            (ExprStep::AnyElement, ty) => range.unknown_element(ty.element_type()?),
            (ExprStep::Attr(name) | ExprStep::Key(name), Type::Object(ty)) => {
                range.unknown_attribute(name, ty.get(name)?)
            }
            (ExprStep::Index(at), Type::Tuple(_)) => range.unknown_tuple_element(index(at)?)?,
            _ => return None,
        },
        // One value stands for all elements of a list, set or map of known length.
        (ExprStep::AnyElement, View::List(_) | View::Set(_) | View::Map(_)) => {
            let known = refinement_of_outcomes(value).element().clone();
            canonical(value.ty().element_type()?.clone(), known)
        }
        // An object that is not null, inside an unknown.
        (ExprStep::Attr(name) | ExprStep::Key(name), View::Object(object)) => object.get(name)?.clone(),
        (ExprStep::Index(at), View::Tuple(tuple)) => tuple.get(index(at)?)?.clone(),
        _ => return None,
    };
    let replaced = replace_in_unknown(&part, rest, &above.union(value.marks()), path, with)?;
    // A part of another type than the container declares says nothing of the container.
    if !replaced.has_type(&part.ty()) {
        return None;
    }
    let known = refinement_of_outcomes(&replaced);
    let known = match step {
        ExprStep::AnyElement => Refinement::elements(known),
        ExprStep::Attr(name) | ExprStep::Key(name) => Refinement::attribute(name, known),
        ExprStep::Index(at) => Refinement::tuple_element(index(at)?, known),
        ExprStep::Parent => return None,
    };
    let narrowed = value.assume(&known.ok()?).ok()?;
    (narrowed != *value).then_some(narrowed)
}

/// Whether the elements are named by their position, which tells nothing of the content.
fn has_positions(value: &Value) -> bool {
    matches!(value.ty(), Type::List(_) | Type::Tuple(_))
}

/// The children of a known container with the steps to them, in the order of the container.
fn children(value: &Value) -> Option<Vec<(Step, Value)>> {
    Some(match value.view_below_marks() {
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

/// Whether a step of a path expression matches the child with this own step and position.
fn step_matches(step: &ExprStep, own: &Step, index: usize) -> bool {
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

/// The container with other children in place of its own, and the same marks. A list, set or map stays as it is if a child
/// is not of its element type.
fn with_children(value: &Value, parts: Vec<(Step, Value)>) -> Result<Value> {
    let items: Vec<Value> = parts.into_iter().map(|(_, part)| part).collect();
    let built = match (value.view_below_marks(), value.ty()) {
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
            // Members may have become equal, but the bounds of the length that were known still hold.
            let built = build_set(ty, items);
            built.assume(&Refinement::length(set.length())).unwrap_or(built)
        }
        (View::Tuple(_), _) => Value::tuple(items)?,
        // The elements share one type: a child cannot be given another type alone.
        _ => return Ok(value.clone()),
    };
    Ok(built.with_marks(value.marks()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use plantime::rule::PathExpr;

    /// The value after the refinement is assumed of all that the path leads to.
    fn assumed(value: &Value, path: &str, refinement: &str) -> Option<String> {
        let (path, refinement): (PathExpr, Refinement) = (path.parse().unwrap(), refinement.parse().unwrap());
        let mut seen = Vec::new();
        let mut with = |path: &Path, part: &Value, exists| {
            seen.push((path.to_string(), exists));
            part.assume(&refinement).ok().filter(|narrower| narrower != part)
        };
        let replaced = replace_parts(value, path.steps(), &mut with).unwrap();
        assert!(seen.iter().all(|(path, exists)| *exists || path.is_empty() || path == "a"), "{seen:?}");
        replaced.map(|replaced| format!("{replaced:?}"))
    }

    #[test]
    fn what_is_assumed_inside_an_unknown_is_known_of_its_parts() {
        let vpc = r#"notnull(stringprefix("vpc-"))"#;
        let list = Value::unknown("list(object({ id = string, tags = map(string) }))".parse().unwrap());
        let of_id = r#"unknown(list(object({id = string, tags = map(string)})), elements(attribute("id", notnull(stringprefix("vpc-")))))"#;
        assert_eq!(assumed(&list, "[*].id", vpc).unwrap(), of_id);
        // A second fact joins the first.
        let known = r#"elements(notnull(attribute("id", notnull(stringprefix("vpc-")))))"#;
        let known = Value::refined(list.ty(), known.parse().unwrap()).unwrap();
        let both = r#"unknown(list(object({id = string, tags = map(string)})), elements(notnull(attribute("id", notnull(stringprefix("vpc-"))), attribute("tags", elements(notnull())))))"#;
        assert_eq!(assumed(&known, "[*].tags[*]", "notnull()").unwrap(), both);
        assert_eq!(assumed(&known, "[*].id", vpc), None);
        // The assumption also reaches the elements of lists of known length.
        let of_two = Value::refined(
            "list(list(string))".parse().unwrap(),
            "elements(notnull(length(2)))".parse().unwrap(),
        );
        let two = assumed(&of_two.unwrap(), "[*][*]", "notnull()").unwrap();
        assert_eq!(two, "unknown(list(list(string)), elements(notnull(length(2), elements(notnull()))))");
        // An index names no element of an unknown list. A contradiction means that there are no elements: nothing changes.
        assert_eq!(assumed(&list, "[0].id", vpc), None);
        assert_eq!(assumed(&known, "[*].id", "null()"), None);
        let object =
            Value::object([("a", Value::unknown("object({ b = string })".parse().unwrap()))]).unwrap();
        let of_b =
            r#"object{"a": unknown(object({b = string}), attribute("b", notnull(stringprefix("vpc-"))))}"#;
        assert_eq!(assumed(&object, "a.b", vpc).unwrap(), of_b);
    }
}
