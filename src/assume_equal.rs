//! The assumption that a value will equal another one.

use crate::constraint::TypeConstraint;
use crate::convert::convert;
use crate::error::{Error, Kind, Result};
use crate::path::{Path, Step};
use crate::refinement::Nullness;
use crate::types::Type;
use crate::value::{Container, Value, View, equality, view_below_marks};

mod hidden;

use hidden::hidden;

impl Value {
    /// Assumes that the value will equal `assumed`, and returns `assumed`.
    ///
    /// The value is converted to the type of `assumed` first, as by [`convert`](crate::convert()).
    ///
    /// | value | assumed | at plan | at apply |
    /// |---|---|---|---|
    /// | of the same type | anything | an error when the two can certainly not be equal | an error unless they are equal |
    /// | of a type that converts | anything | an error when the converted value can certainly not be equal | an error unless it is equal |
    /// | of a type that does not | anything | an error | an error |
    ///
    /// The result carries the marks of `assumed`, and those of the value on the same parts, except *sensitive* and
    /// *ephemeral*: the assumed content is written in the configuration already. A mark on a part that `assumed` does
    /// not have moves to the nearest container around it; marks of parts that the conversion drops are dropped.
    ///
    /// So a known value becomes unknown where `assumed` is unknown: later operations read what was assumed, not what
    /// the value happens to be.
    ///
    /// ```
    /// use plantime::{Type, Value};
    ///
    /// let arn = Value::unknown(Type::String).assume_equal(&Value::from("arn:aws:s3:::logs"))?;
    /// assert_eq!(arn, Value::from("arn:aws:s3:::logs"));
    /// // What a text converts to is compared.
    /// assert_eq!(Value::from("8080").assume_equal(&Value::from(8080))?, Value::from(8080));
    /// assert!(Value::from("8080").assume_equal(&Value::from(80)).unwrap_err().is_contradiction());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`is_type_mismatch`](Error::is_type_mismatch) when no value of the type converts to the type of `assumed`,
    /// [`is_contradiction`](Error::is_contradiction) when the value does not convert or certainly differs, with the
    /// path of the first part that differs. The message never contains the values, and the path no step into a set.
    /// If a part is marked there is no path, since marked content may determine which part differs first.
    pub fn assume_equal(&self, assumed: &Value) -> Result<Value> {
        let (ty, wanted) = (self.ty(), assumed.ty());
        let compatible = ty.compatible(&wanted);
        if nulls_differ(self, assumed) {
            return Err(contradiction());
        }
        if compatible && equality::equal(self, assumed) != Some(false) {
            return Ok(self.add_marks_to(assumed));
        }
        let constraint = TypeConstraint::from(&wanted);
        // If its type contains `dynamic`, the assumed value may get another type than the conversion chooses.
        let has_dynamic = wanted.has_dynamic() && !assumed.is_wholly_known();
        let converted = if has_dynamic {
            convert(&hidden(self, &wanted), &constraint)
        } else {
            convert(self, &constraint)
        };
        match converted {
            Err(error) if error.is_type_mismatch() && !compatible => {
                let message = format!(
                    "actual value type {} does not match assumed value type {}",
                    ty.friendly_name(),
                    wanted.friendly_name()
                );
                Err(Error::new(Kind::TypeMismatch, message).with_types(wanted, ty))
            }
            Ok(converted)
                if equality::equal(&converted, assumed) != Some(false)
                    && !(has_dynamic && keys_differ(self, assumed))
                    && !elements_differ(self, assumed) =>
            {
                let carried = if has_dynamic { convert(self, &constraint).ok() } else { Some(converted) };
                Ok(carried.as_ref().unwrap_or(self).add_marks_to(assumed))
            }
            // The converted value may have lost marks, so the marks of the original value decide whether to show the
            // path.
            Ok(_) if self.contains_marks() => Err(contradiction()),
            Ok(converted) => Err(difference_error(&converted, assumed)),
            Err(error) if !self.contains_marks() => Err(contradiction().at(error.path().clone())),
            Err(_) => Err(contradiction()),
        }
    }

    /// The assumed value with the marks of this value added, each on the same part.
    fn add_marks_to(&self, assumed: &Value) -> Value {
        if !self.contains_marks() {
            return assumed.clone();
        }
        let (_, places) = self.unmark_deep_with_paths();
        let places: Vec<_> = places
            .into_iter()
            .map(|(path, marks)| {
                let kept = marks
                    .iter()
                    .filter(|mark| !matches!(mark.name(), "sensitive" | "ephemeral"))
                    .cloned()
                    .collect();
                (nearest_existing_path(assumed, &path), kept)
            })
            .collect();
        assumed.mark_with_paths(&places)
    }
}

/// The error for a value that certainly differs from the assumed value.
#[cold]
fn contradiction() -> Error {
    Error::new(Kind::Contradiction, "the actual value does not match the assumed value")
}

/// The error for a value that certainly differs, with the path of the first part that differs.
#[cold]
fn difference_error(value: &Value, assumed: &Value) -> Error {
    // Marked content may determine which part differs first (L5).
    if value.contains_marks() || assumed.contains_marks() {
        return contradiction();
    }
    let mut steps = Vec::new();
    first_difference(value, assumed, &mut steps);
    contradiction().at(steps.into_iter().rev().collect())
}

/// Whether the values certainly differ. If so, pushes the steps to the first part that differs, innermost first. Visits
/// each part once.
fn first_difference(value: &Value, assumed: &Value, steps: &mut Vec<Step>) -> bool {
    if let Some((values, others)) = value.container().zip(assumed.container())
        && let Some(pairs) = corresponding_children(values, others)
    {
        for (step, value, assumed) in pairs {
            if first_difference(value, assumed, steps) {
                steps.push(step);
                return true;
            }
        }
        return false;
    }
    equality::equal(value, assumed) == Some(false)
}

/// Whether the value contains an object where a map with other keys is assumed. Conversion makes the attribute names
/// the keys, whatever the element type, but the conversion to a type that contains `dynamic` has an unknown result.
fn keys_differ(value: &Value, assumed: &Value) -> bool {
    let Some(container) = assumed.container() else { return false };
    if let Container::Map(map) = container
        && let Type::Object(object) = value.ty()
        && value.range().nullness() == Nullness::NotNull
        && !object.attribute_names().eq(map.entries.iter().map(|(key, _)| key.as_str()))
    {
        return true;
    }
    any_child_pair(value, assumed, keys_differ)
}

/// Whether one value has a null of unknown type where the other one certainly has no null. A conversion never turns another value into null.
fn nulls_differ(value: &Value, assumed: &Value) -> bool {
    let is_null_of_unknown_type = |value: &Value| !value.is_known() && equality::is_always_null(value);
    let differs = |a: &Value, b: &Value| is_null_of_unknown_type(a) && !equality::may_be_null(b);
    differs(value, assumed) || differs(assumed, value) || any_child_pair(value, assumed, nulls_differ)
}

/// Whether a relation holds for some child of the assumed container and the child of the value at the same place.
fn any_child_pair(value: &Value, assumed: &Value, holds: fn(&Value, &Value) -> bool) -> bool {
    let Some(container) = assumed.container() else { return false };
    let places = match container {
        Container::List(node) => node.items.len(),
        Container::Tuple(node) => node.items.len(),
        Container::Map(node) => {
            return node.entries.iter().any(|(key, assumed)| {
                let part = value.part(&Step::attr(key)).or_else(|| value.part(&Step::index(key.as_str())));
                part.is_some_and(|part| holds(part, assumed))
            });
        }
        Container::Object(node) => {
            return node.ty.attribute_names().zip(&node.slots).any(|(name, assumed)| {
                let part = value.part(&Step::attr(name)).or_else(|| value.part(&Step::index(name)));
                part.is_some_and(|part| holds(part, assumed))
            });
        }
        // Members of sets do not correspond one to one.
        Container::Set(_) => return false,
    };
    (0..places).any(|place| {
        let step = Step::index(place);
        let parts = value.part(&step).zip(assumed.part(&step));
        parts.is_some_and(|(part, assumed)| holds(part, assumed))
    })
}

/// Whether no element of an unknown collection converts to one of the elements assumed: the conversion of an unknown
/// collection says nothing of its elements, as of a list of bools that are strings then.
fn elements_differ(value: &Value, assumed: &Value) -> bool {
    let element = |ty: &Type| match ty {
        Type::List(ty) => Some(ty.element().clone()),
        Type::Set(ty) => Some(ty.element().clone()),
        Type::Map(ty) => Some(ty.element().clone()),
        _ => None,
    };
    let (own, wanted) = (value.ty(), assumed.ty());
    if value.container().is_some() || own == wanted {
        return false;
    }
    let Some((own, wanted)) = element(&own).zip(element(&wanted)) else { return false };
    if own == wanted || own.has_dynamic() || wanted.has_dynamic() {
        return false;
    }
    let Ok(converted) = convert(&Value::unknown(own), &TypeConstraint::from(&wanted)) else { return false };
    let differs = |assumed: &Value| equality::equal(&converted, assumed) == Some(false);
    match view_below_marks(assumed) {
        View::List(list) => list.iter().any(differs),
        View::Map(map) => map.iter().any(|(_, element)| differs(element)),
        View::Set(set) => set.known().iter().chain(set.not_wholly_known()).any(differs),
        _ => false,
    }
}

/// The corresponding children of two containers with their steps; `None` for sets, and for containers of different
/// kinds, lengths, keys or attribute names.
fn corresponding_children<'a>(
    values: &'a Container,
    others: &'a Container,
) -> Option<Vec<(Step, &'a Value, &'a Value)>> {
    let places = |values: &'a [Value], others: &'a [Value]| {
        let pairs = values.iter().zip(others).enumerate();
        let pairs = pairs.map(|(i, (value, other))| (Step::index(i), value, other)).collect::<Vec<_>>();
        (values.len() == others.len()).then_some(pairs)
    };
    match (values, others) {
        (Container::List(a), Container::List(b)) => places(&a.items, &b.items),
        (Container::Tuple(a), Container::Tuple(b)) => places(&a.items, &b.items),
        (Container::Map(a), Container::Map(b)) => {
            let keys = a.entries.iter().map(|(key, _)| key).eq(b.entries.iter().map(|(key, _)| key));
            let pairs = a.entries.iter().zip(b.entries.iter());
            keys.then(|| pairs.map(|((key, a), (_, b))| (Step::index(key.as_str()), a, b)).collect())
        }
        (Container::Object(a), Container::Object(b)) => {
            let names = a.ty.attribute_names().eq(b.ty.attribute_names());
            let pairs = a.ty.attribute_names().zip(a.slots.iter().zip(b.slots.iter()));
            names.then(|| pairs.map(|(name, (a, b))| (Step::attr(name), a, b)).collect())
        }
        // Members of sets do not correspond one to one.
        (Container::Set(_), _) | (_, Container::Set(_)) => None,
        _ => None,
    }
}

/// The longest prefix of a path that leads to a part of the value that can carry marks. A member of a set cannot: its
/// marks belong to the set.
fn nearest_existing_path(value: &Value, path: &Path) -> Path {
    let mut here = value;
    let steps = path.steps().iter().take_while(|step| match here.part(step) {
        Some(part) => {
            here = part;
            true
        }
        None => false,
    });
    steps.cloned().collect()
}
