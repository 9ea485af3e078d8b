//! Transforming a value part by part.

use crate::error::{Error, Result};
use crate::path::{Path, Step};
use crate::types::Type;

use super::parts::children;
use super::repr::{Container, KnownRepr};
use super::{Value, build, same, set};

impl Value {
    /// The value with every part replaced by what `exit` returns for it, children before their parents.
    ///
    /// A subtree of which `exit` returns every part unchanged is shared, not copied. A container with a changed child
    /// is rebuilt:
    ///
    /// | container | type afterwards |
    /// |---|---|
    /// | tuple, object | follows the new children |
    /// | list, set, map, all new children of the old element type | the old one |
    /// | list, set, map, all new children of one other type | has that element type |
    /// | list, set, map, new children of several types | an error at the first child of another type than the one before it |
    ///
    /// The marks at the top of a container are added to the new one before `exit` is called with it; marks of new
    /// members of a set move to the set, and new members that are equal become one. An unknown or a null has no parts
    /// to visit.
    ///
    /// ```
    /// use plantime::{Type, Value};
    ///
    /// let planned = Value::object([("id", Value::unknown(Type::String)), ("name", Value::from("web"))])?;
    /// let settled = planned.transform(|_, part| {
    ///     Ok(if part.is_known() { part } else { Value::null(part.ty()) })
    /// })?;
    /// assert_eq!(settled.to_string(), r#"{id = null, name = "web"}"#);
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When `exit` fails, when the children of a collection get several types, and above the [limits](crate::limits).
    /// The error's path leads from the top of the value to the part that failed.
    pub fn transform(&self, mut exit: impl FnMut(&Path, Value) -> Result<Value>) -> Result<Value> {
        transform(self.clone(), &mut Path::new(), &mut Changes { enter: None, exit: &mut exit })
    }

    /// As [`transform`](Value::transform), with a function `enter` that is called with each part before its children.
    /// The children visited are those of the value that `enter` returns.
    ///
    /// ```
    /// use plantime::{Mark, Value};
    ///
    /// let value = Value::object([("secret", Value::list(["a", "b"])?.mark(Mark::SENSITIVE))])?;
    /// // Nothing below a sensitive part is looked at.
    /// let shown = value.transform_with(
    ///     |_, part| Ok(if part.is_marked() { Value::from("hidden") } else { part }),
    ///     |_, part| Ok(part),
    /// )?;
    /// assert_eq!(shown.to_string(), r#"{secret = "hidden"}"#);
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`transform`](Value::transform), and when `enter` fails.
    pub fn transform_with(
        &self,
        mut enter: impl FnMut(&Path, Value) -> Result<Value>,
        mut exit: impl FnMut(&Path, Value) -> Result<Value>,
    ) -> Result<Value> {
        let changes = &mut Changes { enter: Some(&mut enter), exit: &mut exit };
        transform(self.clone(), &mut Path::new(), changes)
    }

    /// A list, map, tuple or object with each child replaced by what `replace` returns for it and the step to it. A list and a
    /// map keep their element type. Marks of the value itself are left out. `None` for other values, sets among them, and if
    /// the new children do not fit.
    #[doc(hidden)]
    pub fn map_children(&self, mut replace: impl FnMut(&Step, &Value) -> Value) -> Option<Value> {
        let container = self.container()?;
        let children = self.elements().map(|(step, child)| replace(&step, child));
        let built = match container {
            Container::List(node) => Value::list_of(node.ty.element().clone(), children),
            Container::Map(node) => {
                let keys = node.entries.iter().map(|(key, _)| key.as_str());
                Value::map_of(node.ty.element().clone(), keys.zip(children))
            }
            Container::Tuple(_) => Value::tuple(children),
            Container::Object(node) => Value::object(node.ty.attribute_names().zip(children)),
            Container::Set(_) => return None,
        };
        built.ok()
    }

    /// Whether both values are the same: containers if they are the same node in memory, other values if their
    /// representations are equal; with the same marks.
    pub(super) fn is_same(&self, other: &Value) -> bool {
        if let (Value::Known(a), Value::Known(b)) = (self, other) {
            match (&a.0, &b.0) {
                (KnownRepr::String(a), KnownRepr::String(b)) => {
                    return std::ptr::eq(a.as_str(), b.as_str()) || a == b;
                }
                (KnownRepr::Container(a), KnownRepr::Container(b)) => return a.same(b),
                _ => {}
            }
        }
        let one = match (self.container(), other.container()) {
            (Some(a), Some(b)) => a.same(b),
            (None, None) => same::content(self, other),
            _ => false,
        };
        one && self.marks() == other.marks()
    }
}

/// A function that returns the value that replaces the value at a path.
type Change<'f> = &'f mut dyn FnMut(&Path, Value) -> Result<Value>;

/// The two functions of a transformation: one runs before the children of a value, one after.
struct Changes<'f> {
    enter: Option<Change<'f>>,
    exit: Change<'f>,
}

// Loops, with the code that does not recurse in separate functions: a deep value recurses through here, and stack
// frames are large in a debug build.

/// Transforms the value at `path`.
fn transform(mut value: Value, path: &mut Path, changes: &mut Changes<'_>) -> Result<Value> {
    if let Some(enter) = &mut changes.enter {
        value = call_with_path(enter, path, value)?;
    }
    if value.container().is_some() {
        value = transform_children(value, path, changes)?;
    }
    call_with_path(changes.exit, path, value)
}

/// The value with its children transformed. Allocates nothing before the first child changes.
fn transform_children(value: Value, path: &mut Path, changes: &mut Changes<'_>) -> Result<Value> {
    let depth = path.len();
    let mut built: Option<Vec<Value>> = None;
    let mut place = 0_usize;
    let mut children = children(&value);
    while let Some(child) = children.next(path, depth) {
        let new = if child.container().is_some() || changes.enter.is_some() {
            transform(child.clone(), path, changes)?
        } else {
            call_with_path(changes.exit, path, child.clone())?
        };
        if let Some(built) = &mut built {
            built.push(new);
        } else if !new.is_same(child) {
            let built = built.insert(first_children(&value, place));
            built.push(new);
        }
        place = place.saturating_add(1);
    }
    path.truncate(depth);
    match built {
        Some(built) => rebuilt(&value, built, path),
        None => Ok(value),
    }
}

/// Copies the first `count` children of a value, with capacity for all of them.
#[inline(never)]
fn first_children(value: &Value, count: usize) -> Vec<Value> {
    let Some(container) = value.container() else { return Vec::new() };
    let mut first = Vec::with_capacity(container.child_count());
    match container {
        Container::Set(node) => first.extend(set::iteration::iter(node).take(count).cloned()),
        other => first.extend(other.children().take(count).cloned()),
    }
    first
}

/// Calls the function, and adds the path to its error.
#[inline(never)]
fn call_with_path(change: Change<'_>, path: &Path, value: Value) -> Result<Value> {
    change(path, value).map_err(|error| located(error, path))
}

/// Prepends `path` to the error's own path.
#[cold]
fn located(error: Error, path: &Path) -> Error {
    let place = path.clone().join(error.path());
    error.at(place)
}

/// A container like `value` with new children, given in iteration order, and the same marks.
#[inline(never)]
fn rebuilt(value: &Value, children: Vec<Value>, path: &Path) -> Result<Value> {
    let built = match value.container() {
        Some(Container::Tuple(node)) => build::tuple_of_parts(&node.ty, children),
        Some(Container::Object(node)) => build::object_of_parts(&node.ty, children),
        Some(Container::List(node)) => build::list_of_parts(&node.ty, children),
        Some(Container::Set(node)) => Value::set_of(element_type_for(node.ty.element(), &children), children),
        Some(Container::Map(node)) => {
            let keys = node.entries.iter().map(|(key, _)| key.clone());
            build::map_of_parts(&node.ty, keys.zip(children).collect())
        }
        None => return Ok(value.clone()),
    };
    built.map(|built| built.with_marks(value.marks())).map_err(|error| located(error, path))
}

/// The element type for new children: the old one if the first child has it, else the type of the first child.
fn element_type_for(old: &Type, children: &[Value]) -> Type {
    match children.first() {
        Some(first) if !first.has_type(old) => first.ty(),
        _ => old.clone(),
    }
}
