//! The parts of a value, one after the other, with their paths.

use crate::path::{Path, Step};

use super::repr::Container;
use super::{Value, set_order};

/// The children of a value with the steps to them, in the order in which [`Value::walk`] meets them.
pub(super) type Children<'a> = Box<dyn Iterator<Item = (Step, &'a Value)> + Send + Sync + 'a>;

/// An unknown, a null and a primitive have none.
pub(super) fn children(value: &Value) -> Children<'_> {
    match value.container() {
        Some(Container::List(node)) => {
            Box::new(node.items.iter().enumerate().map(|(i, item)| (Step::index(i), item)))
        }
        Some(Container::Tuple(node)) => {
            Box::new(node.items.iter().enumerate().map(|(i, item)| (Step::index(i), item)))
        }
        Some(Container::Map(node)) => Box::new(node.entries.iter().map(|(key, item)| (Step::key(key), item))),
        Some(Container::Object(node)) => Box::new(node.ty.names().map(Step::named).zip(&node.slots)),
        Some(Container::Set(node)) => {
            Box::new(set_order::iter(node).map(|member| (Step::Index(member.clone()), member)))
        }
        None => Box::new(std::iter::empty()),
    }
}

/// A value and everything inside it; what [`Value::parts`] gives.
pub struct Parts<'a> {
    whole: Option<&'a Value>,
    path: Path,
    /// The children left at each level on the way to the part given last; the path has one step less.
    levels: Vec<Children<'a>>,
}

impl Value {
    /// The value and everything inside it, parents first, each with its path: [`walk`](Value::walk) as an
    /// iterator. Attributes and map entries come by name, members of a set in iteration order.
    ///
    /// ```
    /// use plantime::{Type, Value};
    ///
    /// let value = Value::object([("a", Value::list([1, 2])?), ("b", Value::unknown(Type::Bool))])?;
    /// let unknown: Vec<String> =
    ///     value.parts().filter(|(_, part)| !part.is_known()).map(|(path, _)| path.to_string()).collect();
    /// assert_eq!(unknown, ["b"]);
    /// assert_eq!(value.parts().count(), 5);
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn parts(&self) -> Parts<'_> {
        Parts { whole: Some(self), path: Path::new(), levels: Vec::new() }
    }
}

impl<'a> Iterator for Parts<'a> {
    type Item = (Path, &'a Value);

    fn next(&mut self) -> Option<(Path, &'a Value)> {
        if let Some(whole) = self.whole.take() {
            self.levels.push(children(whole));
            return Some((Path::new(), whole));
        }
        loop {
            match self.levels.last_mut()?.next() {
                Some((step, part)) => {
                    let path = {
                        self.path.push(step);
                        self.path.clone()
                    };
                    if part.container().is_some() {
                        self.levels.push(children(part));
                    } else {
                        self.path.pop();
                    }
                    return Some((path, part));
                }
                None => {
                    self.levels.pop();
                    self.path.pop();
                }
            }
        }
    }
}

impl std::iter::FusedIterator for Parts<'_> {}

impl std::fmt::Debug for Parts<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Parts").finish_non_exhaustive()
    }
}
