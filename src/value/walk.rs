//! Walking all of a value, and stepping from it to a child.

use crate::path::{Path, Step};

use super::parts::children;
use super::{Value, View, order, view};

impl Value {
    /// Visits the value and everything inside it, parents first, with the path of each part. The children of a
    /// value for which `visit` answers false are passed over.
    ///
    /// Attributes and map entries come by name, members of a set in iteration order.
    ///
    /// ```
    /// use plantime::Value;
    ///
    /// let value = Value::object([("a", Value::list([1, 2])?), ("b", Value::from(true))])?;
    /// let mut seen = Vec::new();
    /// value.walk(|path, _| {
    ///     seen.push(path.to_string());
    ///     true
    /// });
    /// assert_eq!(seen, ["", "a", "a[0]", "a[1]", "b"]);
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn walk(&self, mut visit: impl FnMut(&Path, &Value) -> bool) {
        walk(self, &mut Path::new(), &mut visit);
    }
}

impl Value {
    /// The child one step below, borrowed from the value. `None` for members of sets and below unknowns.
    pub(crate) fn part(&self, step: &Step) -> Option<&Value> {
        match (view::below_marks(self), step) {
            (View::Object(object), Step::Attr(name)) => object.get(name.as_str()),
            (View::List(list), Step::Index(key)) => list.get(whole_index(key)??),
            (View::Tuple(tuple), Step::Index(key)) => tuple.get(whole_index(key)??),
            (View::Map(map), Step::Index(key)) => map.get(key.as_str().ok()?),
            _ => None,
        }
    }
}

fn walk(value: &Value, path: &mut Path, visit: &mut impl FnMut(&Path, &Value) -> bool) {
    if !visit(path, value) {
        return;
    }
    let depth = path.len();
    let mut children = children(value);
    while let Some(child) = children.next(path, depth) {
        if child.container().is_some() {
            walk(child, path, visit);
        } else {
            visit(path, child);
        }
    }
    path.truncate(depth);
}

/// `None` where the key is not known, `Some(None)` where it is no place in any list.
fn whole_index(key: &Value) -> Option<Option<usize>> {
    let number = key.as_number().ok()?;
    Some(number.to_u64().and_then(|index| usize::try_from(index).ok()))
}

/// Whether a set certainly has this member, or has an undecided member of just this representation.
pub(super) fn has_member(set: &Value, member: &Value) -> bool {
    let View::Set(set) = view::below_marks(set) else { return false };
    if member.is_wholly_known() {
        return set.contains_known(member);
    }
    set.undecided().binary_search_by(|other| order::content(other, member)).is_ok()
}
