//! Visiting all parts of a value, and the child of a value at a step.

use crate::path::{Path, Step};

use super::parts::children;
use super::{Value, View, order, view};

impl Value {
    /// Visits the value and everything inside it, parents first, with the path of each part. Skips the children of a
    /// value for which `visit` returns false.
    ///
    /// Attributes and map entries are visited by name, members of a set in iteration order.
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
    /// The child at a step, borrowed from the value, marked or not; `None` for members of sets and for unknown values.
    ///
    /// ```
    /// use plantime::{Step, Value};
    ///
    /// let list = Value::list(["a", "b"])?;
    /// assert_eq!(list.part(&Step::index(1)), Some(&Value::from("b")));
    /// assert_eq!(list.part(&Step::index(2)), None);
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn part(&self, step: &Step) -> Option<&Value> {
        match (view::below_marks(self), step) {
            (View::Object(object), Step::Attr(name)) => object.get(name.as_str()),
            (View::List(list), Step::Index(key)) => list.get(whole_index(key)??),
            (View::Tuple(tuple), Step::Index(key)) => tuple.get(whole_index(key)??),
            (View::Map(map), Step::Index(key)) => map.get(key.as_str().ok()?),
            _ => None,
        }
    }
}

/// Visits the value at `path` and everything inside it.
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

/// The key as a list index: `None` if the key is not a known number, `Some(None)` if it is no valid index of any list.
fn whole_index(key: &Value) -> Option<Option<usize>> {
    let number = key.as_number().ok()?;
    Some(number.to_u64().and_then(|index| usize::try_from(index).ok()))
}

/// Whether a set has this known member, or an undecided member of the same representation.
pub(super) fn has_member(set: &Value, member: &Value) -> bool {
    let View::Set(set) = view::below_marks(set) else { return false };
    if member.is_wholly_known() {
        return set.contains_known(member);
    }
    set.not_wholly_known().binary_search_by(|other| order::content(other, member)).is_ok()
}
