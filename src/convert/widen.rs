//! Widening the type of elements, for a collection whose element type contains `dynamic`.

use crate::error::Result;
use crate::refinement::{LengthRange, Nullness, Refinement};
use crate::types::Type;
use crate::value::equality::is_always_null;
use crate::value::{Container, Value, canonical, set_iter};

/// The value with a wider type, in which `dynamic` is a type that becomes known later.
pub(super) fn widened(value: Value, ty: &Type) -> Value {
    if value.has_type(ty) {
        return value;
    }
    if *ty == Type::Dynamic || is_always_null(&value) {
        let (bare, marks) = value.unmark_deep();
        let wide = if is_always_null(&bare) { Value::null(ty.clone()) } else { Value::dynamic() };
        return wide.with_marks(&marks);
    }
    let built = value.container().and_then(|container| widened_container(container, ty));
    match built {
        Some(Ok(wide)) => wide.with_marks(value.marks()),
        _ => {
            let (bare, marks) = value.unmark_deep();
            widened_unknown(&bare, ty).with_marks(&marks)
        }
    }
}

/// The unknown of the wider type. Lists and maps keep their length; members of a set may become equal.
fn widened_unknown(value: &Value, ty: &Type) -> Value {
    let range = value.range();
    let nullness = match range.nullness() {
        Nullness::NotNull => Refinement::not_null(),
        _ => Refinement::any(),
    };
    let length = range.length_range().filter(|_| matches!(ty, Type::List(_) | Type::Map(_)));
    let refinement = length.map(|length| nullness.clone().meet(&Refinement::length(length)));
    canonical(ty.clone(), refinement.and_then(|met| met.ok()).unwrap_or(nullness))
}

/// The container with each child widened; `None` if the wider type is of another kind.
fn widened_container(container: &Container, ty: &Type) -> Option<Result<Value>> {
    let part = |item: &Value, ty: &Type| widened(item.clone(), ty);
    Some(match (container, ty) {
        (Container::List(node), Type::List(list)) => {
            let ty = list.element();
            Value::list_of(ty.clone(), node.items.iter().map(|item| part(item, ty)))
        }
        (Container::Set(node), Type::Set(set)) => {
            let ty = set.element();
            let members = set_iter(node).map(|member| part(member, ty));
            // Different members may become equal.
            let length = LengthRange::new(node.length.0.min(1), Some(node.length.1)).map(Refinement::length);
            Value::set_of(ty.clone(), members).and_then(|set| set.assume(&length?))
        }
        (Container::Map(node), Type::Map(map)) => {
            let ty = map.element();
            Value::map_of(ty.clone(), node.entries.iter().map(|(key, item)| (key.as_str(), part(item, ty))))
        }
        (Container::Tuple(node), Type::Tuple(tuple)) => {
            Value::tuple(node.items.iter().zip(tuple).map(|(item, ty)| part(item, ty)))
        }
        (Container::Object(node), Type::Object(object)) => Value::object(
            node.slots.iter().zip(object.iter()).map(|(item, (name, ty))| (name, part(item, ty))),
        ),
        _ => return None,
    })
}
