//! Making a value anew, part by part.

use crate::error::{Error, Result};
use crate::path::Path;
use crate::types::Type;

use super::parts::children;
use super::repr::Container;
use super::{Value, build, order};

impl Value {
    /// The value with every part replaced by what `exit` gives for it, children before their parents.
    ///
    /// What does not change is not copied: a subtree of which `exit` gives every part back is the very same one,
    /// and costs no memory. What does change is built anew:
    ///
    /// | container | type afterwards |
    /// |---|---|
    /// | tuple, object | follows the new children |
    /// | list, set, map, all new children of the old element type | the old one |
    /// | list, set, map, all new children of one other type | has that element type |
    /// | list, set, map, new children of several types | an error at the first child of another type than the one before it |
    ///
    /// The marks at the top of a container are put back on the new one before `exit` sees it; marks of new members
    /// of a set move to the set, and new members that are equal become one. Nothing inside an unknown or a null is
    /// visited.
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
    /// What `exit` fails with, where children of a collection get several types, and above the
    /// [limits](crate::limits). The error's path leads to the place from the top of the value.
    pub fn transform(&self, mut exit: impl FnMut(&Path, Value) -> Result<Value>) -> Result<Value> {
        transform(self.clone(), &mut Path::new(), &mut |_, value| Ok(value), &mut exit)
    }

    /// As [`transform`](Value::transform), with a function that sees each part before its children: these are
    /// then the children of what `enter` gives.
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
    /// As [`transform`](Value::transform), and what `enter` fails with.
    pub fn transform_with(
        &self,
        mut enter: impl FnMut(&Path, Value) -> Result<Value>,
        mut exit: impl FnMut(&Path, Value) -> Result<Value>,
    ) -> Result<Value> {
        transform(self.clone(), &mut Path::new(), &mut enter, &mut exit)
    }

    /// Whether both are one value: containers by their node, anything else by representation.
    pub(super) fn is_same(&self, other: &Value) -> bool {
        let one = match (self.container(), other.container()) {
            (Some(a), Some(b)) => a.same(b),
            (None, None) => order::content(self, other).is_eq(),
            _ => false,
        };
        one && self.marks() == other.marks()
    }
}

type Change<'f> = &'f mut dyn FnMut(&Path, Value) -> Result<Value>;

// A loop, and what does not recurse apart from it: deep values come through here, and each frame counts in a
// debug build.

fn transform(value: Value, path: &mut Path, enter: Change<'_>, exit: Change<'_>) -> Result<Value> {
    let mut value = called(enter, path, value)?;
    if value.container().is_some() {
        let mut built = Vec::with_capacity(value.container().map_or(0, Container::child_count));
        let mut changed = false;
        for (step, child) in children(&value) {
            path.push(step);
            let new = transform(child.clone(), path, enter, exit)?;
            path.pop();
            changed |= !new.is_same(child);
            built.push(new);
        }
        if changed {
            value = rebuilt(&value, built, path)?;
        }
    }
    called(exit, path, value)
}

#[inline(never)]
fn called(change: Change<'_>, path: &Path, value: Value) -> Result<Value> {
    change(path, value).map_err(|error| located(error, path))
}

/// The error of something at `path`, whose own path starts there.
#[cold]
fn located(error: Error, path: &Path) -> Error {
    let place = path.clone().join(error.path());
    error.at(place)
}

/// A container of new children, in iteration order, with the marks of the old one.
#[inline(never)]
fn rebuilt(value: &Value, children: Vec<Value>, path: &Path) -> Result<Value> {
    let built = match value.container() {
        Some(Container::Tuple(node)) => build::tuple_of_parts(&node.ty, children),
        Some(Container::Object(node)) => build::object_of_parts(&node.ty, children),
        Some(Container::List(node)) => Value::list_of(element(node.ty.element(), &children), children),
        Some(Container::Set(node)) => Value::set_of(element(node.ty.element(), &children), children),
        Some(Container::Map(node)) => {
            let keys = node.entries.iter().map(|(key, _)| key.as_str());
            Value::map_of(element(node.ty.element(), &children), keys.zip(children))
        }
        None => return Ok(value.clone()),
    };
    built.map(|built| built.with_marks(value.marks())).map_err(|error| located(error, path))
}

/// The element type for new children: the old one if the first is of it, else the type of the first.
fn element(old: &Type, children: &[Value]) -> Type {
    match children.first() {
        Some(first) if !first.has_type(old) => first.ty(),
        _ => old.clone(),
    }
}
