//! Iterators over the children of a value, and over all its parts with their paths.

use std::iter::Enumerate;
use std::slice::Iter;

use crate::path::{Path, Step};
use crate::text::Text;
use crate::types::ObjectType;

use super::repr::Container;
use super::{Value, set};

/// An iterator over the children of a value, in the order of [`Value::walk`].
pub(super) enum Children<'a> {
    None,
    Items(Enumerate<Iter<'a, Value>>),
    Entries(Iter<'a, (Text, Value)>),
    /// Attributes: the type contains their names.
    Slots(&'a ObjectType, Enumerate<Iter<'a, Value>>),
    Members(set::iteration::Members<'a>),
}

/// The children of a value. An unknown, a null and a primitive have none.
pub(super) fn children(value: &Value) -> Children<'_> {
    match value.container() {
        Some(Container::List(node)) => Children::Items(node.items.iter().enumerate()),
        Some(Container::Tuple(node)) => Children::Items(node.items.iter().enumerate()),
        Some(Container::Map(node)) => Children::Entries(node.entries.iter()),
        Some(Container::Object(node)) => Children::Slots(&node.ty, node.slots.iter().enumerate()),
        Some(Container::Set(node)) => Children::Members(set::iteration::iter(node)),
        None => Children::None,
    }
}

impl<'a> Children<'a> {
    /// Returns the next child, or `None` after the last, and makes the step to it the last step of the path. `place`
    /// is the index of that step: the number of steps to the value itself.
    pub(super) fn next(&mut self, path: &mut Path, place: usize) -> Option<&'a Value> {
        match self {
            Children::None => None,
            Children::Items(items) => {
                let (index, item) = items.next()?;
                path.set_index(place, index);
                Some(item)
            }
            Children::Entries(entries) => {
                let (key, item) = entries.next()?;
                path.set_key(place, key);
                Some(item)
            }
            Children::Slots(ty, slots) => {
                let (index, item) = slots.next()?;
                path.set_attr(place, ty.name(index)?);
                Some(item)
            }
            Children::Members(members) => {
                let member = members.next()?;
                path.set_member(place, member);
                Some(member)
            }
        }
    }
}

impl<'a> Children<'a> {
    /// Returns the next child with the step to it.
    fn next_with_step(&mut self) -> Option<(Step, &'a Value)> {
        Some(match self {
            Children::None => return None,
            Children::Items(items) => items.next().map(|(index, item)| (Step::at_index(index), item))?,
            Children::Entries(entries) => entries.next().map(|(key, item)| (Step::key(key), item))?,
            Children::Slots(ty, slots) => {
                let (index, item) = slots.next()?;
                (Step::named(ty.name(index)?), item)
            }
            Children::Members(members) => {
                members.next().map(|member| (Step::Index(member.clone()), member))?
            }
        })
    }
}

/// An iterator over the children of a value; returned by [`Value::elements`].
pub struct Elements<'a>(Children<'a>);

impl Value {
    /// The children of the value, each with the step to it, in the order of [`parts`](Value::parts).
    ///
    /// | value | children | steps |
    /// |---|---|---|
    /// | list, tuple | the elements, by index | `[0]`, `[1]` |
    /// | map | the elements, by key | `["a"]` |
    /// | object | the attributes, by name | `.a` |
    /// | set | the members, in iteration order | the member |
    /// | any of these, marked | the same, without its marks | the same, without its marks |
    /// | unknown, null, anything else | none | |
    ///
    /// The marks of the value apply to everything inside it: add them to a child ([`with_marks`](Value::with_marks))
    /// before showing it or anything that depends on its step.
    ///
    /// ```
    /// use plantime::{Value, value};
    ///
    /// let settings = value!({ "host": "db", "port": 5432 })?;
    /// let shown: Vec<String> =
    ///     settings.elements().map(|(step, part)| format!("{step:?} is {part}")).collect();
    /// assert_eq!(shown, [r#".host is "db""#, ".port is 5432"]);
    /// assert_eq!(Value::from("db").elements().count(), 0);
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn elements(&self) -> Elements<'_> {
        Elements(children(self))
    }
}

impl<'a> Iterator for Elements<'a> {
    type Item = (Step, &'a Value);

    fn next(&mut self) -> Option<(Step, &'a Value)> {
        self.0.next_with_step()
    }
}

impl std::iter::FusedIterator for Elements<'_> {}

impl std::fmt::Debug for Elements<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Elements").finish_non_exhaustive()
    }
}

/// An iterator over a value and everything inside it; returned by [`Value::parts`].
pub struct Parts<'a> {
    whole: Option<&'a Value>,
    path: Path,
    /// The remaining children at each level down to the last part returned. The path has a step for each level, except
    /// for the last level while none of its children has been returned.
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
            let place = self.levels.len().checked_sub(1)?;
            match self.levels.last_mut()?.next(&mut self.path, place) {
                Some(part) => {
                    if part.container().is_some() {
                        self.levels.push(children(part));
                    }
                    return Some((self.path.clone(), part));
                }
                None => {
                    self.levels.pop();
                    self.path.truncate(place);
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
