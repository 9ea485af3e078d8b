//! The marks of a join.

use crate::mark::GatheredMarks;

use super::super::Value;
use super::super::repr::Container;

/// Adds the marks of the joined values to their join: each mark on the corresponding part of the join, or, if the join
/// does not have this part, on the nearest container around it.
///
/// Takes all values at once, since adding those of one value at a time would sort the marks again for each.
pub(super) fn with_marks_of_joined(joined: &Value, values: &[&Value]) -> Value {
    let mut here = GatheredMarks::default();
    let mut inside = Vec::new();
    for value in values {
        here.add(value.marks());
        match (joined.container(), value.container()) {
            (_, None) => {}
            (_, Some(parts)) if !parts.marks_inside() => {}
            (Some(shape), Some(parts)) if same_shape(shape, parts) => inside.push(parts.children()),
            _ => here.add(&value.unmark_deep().1),
        }
    }
    let marked = if inside.is_empty() {
        joined.clone()
    } else {
        joined.rebuilt(&mut |_, child| {
            let mut parts = Vec::new();
            for children in &mut inside {
                parts.extend(children.next().filter(|part| part.contains_marks()));
            }
            if parts.is_empty() { child.clone() } else { with_marks_of_joined(child, &parts) }
        })
    };
    marked.with_marks(&here.into_marks())
}

/// Whether the children of two containers correspond one to one. False for sets, which have no marks inside.
fn same_shape(joined: &Container, value: &Container) -> bool {
    match (joined, value) {
        (Container::List(a), Container::List(b)) => a.items.len() == b.items.len(),
        (Container::Tuple(a), Container::Tuple(b)) => a.items.len() == b.items.len(),
        (Container::Map(a), Container::Map(b)) => a.entries.len() == b.entries.len(),
        (Container::Object(a), Container::Object(b)) => a.slots.len() == b.slots.len(),
        _ => false,
    }
}
