//! Marks on values: at the top, and deep with their paths.

use std::sync::Arc;

use crate::error::Result;
use crate::mark::Marks;
use crate::path::{Path, Step};

use super::repr::{Container, KnownRepr, PartialRepr, RefinedNode, UnknownRepr};
use super::{Dynamic, Known, Partial, Refined, Unknown, Value, build};

impl Value {
    /// The value with more marks at its top.
    #[must_use]
    pub fn with_marks(self, marks: &Marks) -> Value {
        if marks.is_empty() {
            return self;
        }
        let all = self.marks().union(marks);
        self.marked_exactly(all)
    }

    /// The value with exactly these marks at its top.
    fn marked_exactly(self, marks: Marks) -> Value {
        let bare = marks.is_empty();
        match self {
            Value::Dynamic(_) => Value::Dynamic(Dynamic((!bare).then(|| Arc::new(marks)))),
            Value::Unknown(unknown) => {
                let ty = unknown.0.ty().clone();
                Value::Unknown(Unknown(if bare {
                    UnknownRepr::Plain(ty)
                } else {
                    UnknownRepr::Marked(Arc::new((ty, marks)))
                }))
            }
            Value::Refined(refined) => {
                let RefinedNode { ty, refinement, .. } = &*refined.0;
                Value::Refined(Refined(Arc::new(RefinedNode {
                    ty: ty.clone(),
                    refinement: refinement.clone(),
                    marks,
                })))
            }
            Value::Partial(partial) => {
                let container = partial.0.container().clone();
                Value::Partial(Partial(if bare {
                    PartialRepr::Bare(container)
                } else {
                    PartialRepr::Marked(Arc::new((container, marks)))
                }))
            }
            Value::Known(known) => {
                let inner = known.0.bare().clone();
                Value::Known(Known(if bare { inner } else { KnownRepr::Marked(Arc::new((inner, marks))) }))
            }
        }
    }

    /// The value without the marks at its top, and these marks. O(1).
    pub fn unmark(self) -> (Value, Marks) {
        if !self.is_marked() {
            return (self, Marks::new());
        }
        let marks = self.marks().clone();
        (self.marked_exactly(Marks::new()), marks)
    }

    /// The value without any marks, at any depth, and all of them together.
    ///
    /// Parts without marks are shared with the value, not copied.
    pub fn unmark_deep(&self) -> (Value, Marks) {
        let mut marks = Marks::new();
        let value = strip(self, &mut |found, _| marks.extend_from(found), &mut Path::new());
        (value, marks)
    }

    /// The value without any marks, at any depth, and where they were, in the order in which
    /// [`walk`](Value::walk) meets the places.
    ///
    /// ```
    /// use plantime::{Mark, Marks, Path, Value};
    ///
    /// let value = Value::object([("password", Value::from("x").mark(Mark::SENSITIVE))])?;
    /// let (bare, places) = value.unmark_deep_with_paths();
    /// assert!(!bare.contains_marks());
    /// assert_eq!(places, [(Path::new().attr("password"), Marks::from(Mark::SENSITIVE))]);
    /// assert_eq!(bare.mark_with_paths(&places), value);
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn unmark_deep_with_paths(&self) -> (Value, Vec<(Path, Marks)>) {
        let mut places = Vec::new();
        let value =
            strip(self, &mut |found, path| places.push((path.clone(), found.clone())), &mut Path::new());
        (value, places)
    }

    /// The value with marks put at these places. A place that the value does not have is passed over; marks
    /// aimed at or into a member of a set go to the set.
    #[must_use]
    pub fn mark_with_paths(&self, places: &[(Path, Marks)]) -> Value {
        let places: Vec<(&[Step], &Marks)> =
            places.iter().map(|(path, marks)| (path.steps(), marks)).collect();
        put(self, &places)
    }
}

fn strip(value: &Value, found: &mut impl FnMut(&Marks, &Path), path: &mut Path) -> Value {
    if !value.contains_marks() {
        return value.clone();
    }
    if value.is_marked() {
        found(value.marks(), path);
    }
    let bare = value.clone().unmark().0;
    if !bare.contains_marks() {
        return bare;
    }
    bare.rebuild(path, &mut |child, path| Ok(strip(child, found, path))).unwrap_or(bare)
}

fn put(value: &Value, places: &[(&[Step], &Marks)]) -> Value {
    let here = places.iter().filter(|(steps, _)| steps.is_empty());
    let mut marks = Marks::new();
    here.for_each(|(_, found)| marks.extend_from(found));
    if places.iter().all(|(steps, _)| steps.is_empty()) {
        return value.clone().with_marks(&marks);
    }
    if let Some(Container::Set(_)) = value.container() {
        for (steps, found) in places {
            let into_member = steps.first().is_some_and(|step| match step {
                Step::Index(key) => super::path::has_member(value, key),
                Step::Attr(_) => false,
            });
            if into_member {
                marks.extend_from(found);
            }
        }
        return value.clone().with_marks(&marks);
    }
    // One bucket of places for each first step, so that the work stays linear in places and children.
    let mut below: std::collections::BTreeMap<&Step, Vec<(&[Step], &Marks)>> =
        std::collections::BTreeMap::new();
    for (steps, found) in places {
        if let Some((first, rest)) = steps.split_first() {
            below.entry(first).or_default().push((rest, found));
        }
    }
    let rebuilt = value.rebuild(&mut Path::new(), &mut |child, path| {
        let places = path.steps().last().and_then(|step| below.get(step));
        Ok(places.map_or_else(|| child.clone(), |places| put(child, places)))
    });
    rebuilt.unwrap_or_else(|_| value.clone()).with_marks(&marks)
}

impl Value {
    /// The value with every child replaced by what `change` gives for it, marks at the top kept. `path` is the
    /// path of the value; `change` sees the path of the child. Types of children may not change.
    pub(crate) fn rebuild(
        &self,
        path: &mut Path,
        change: &mut impl FnMut(&Value, &mut Path) -> Result<Value>,
    ) -> Result<Value> {
        let Some(container) = self.container() else { return Ok(self.clone()) };
        let mut at = |step: Step, child: &Value| {
            path.push(step);
            let changed = change(child, path);
            path.pop();
            changed
        };
        let built = match container {
            Container::List(node) => {
                let items: Result<Vec<Value>> =
                    node.items.iter().enumerate().map(|(i, item)| at(Step::index(i), item)).collect();
                build::list_node(node.ty.clone(), items?.into_boxed_slice())
            }
            Container::Tuple(node) => {
                let items: Result<Vec<Value>> =
                    node.items.iter().enumerate().map(|(i, item)| at(Step::index(i), item)).collect();
                build::tuple_node(node.ty.clone(), items?.into_boxed_slice())
            }
            Container::Map(node) => {
                let entries: Result<Vec<_>> = node
                    .entries
                    .iter()
                    .map(|(key, item)| Ok((key.clone(), at(Step::index(key.as_str()), item)?)))
                    .collect();
                build::map_node(node.ty.clone(), entries?.into_boxed_slice())
            }
            Container::Object(node) => {
                let names = node.ty.iter().map(|(name, _)| name);
                let slots: Result<Vec<Value>> =
                    names.zip(&node.slots).map(|(name, item)| at(Step::attr(name), item)).collect();
                build::object_node(node.ty.clone(), slots?.into_boxed_slice())
            }
            // Members of a set carry no marks, and the set is what it is.
            Container::Set(_) => return Ok(self.clone()),
        };
        Ok(built.with_marks(self.marks()))
    }
}
