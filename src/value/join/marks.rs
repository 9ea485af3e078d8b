//! Where the marks of joined values stand.

use crate::mark::GatheredMarks;

use super::super::Value;
use super::super::repr::Container;

/// The join of the contents of values, with their marks: each at its place, and where the join has no parts any more,
/// those of the parts too.
///
/// All values at once: one by one, the marks that are there already would be put in order again for each.
pub(super) fn of_all(joined: &Value, values: &[&Value]) -> Value {
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
            if parts.is_empty() { child.clone() } else { of_all(child, &parts) }
        })
    };
    marked.with_marks(&here.into_marks())
}

/// Whether the children of two values correspond one to one. A set has no marks inside.
fn same_shape(joined: &Container, value: &Container) -> bool {
    match (joined, value) {
        (Container::List(a), Container::List(b)) => a.items.len() == b.items.len(),
        (Container::Tuple(a), Container::Tuple(b)) => a.items.len() == b.items.len(),
        (Container::Map(a), Container::Map(b)) => a.entries.len() == b.entries.len(),
        (Container::Object(a), Container::Object(b)) => a.slots.len() == b.slots.len(),
        _ => false,
    }
}
