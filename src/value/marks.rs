//! Marks on values: at the top, and deep with their paths.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::mark::{GatheredMarks, Marks};
use crate::path::{Path, Step};
use crate::text::Text;

use super::repr::{Container, KnownRepr, ObjectNode, PartialRepr, RefinedNode, UnknownRepr};
use super::{Dynamic, Known, Partial, Refined, Unknown, Value, build};

impl Value {
    /// The value with more marks at its top.
    #[must_use]
    #[inline]
    pub fn with_marks(self, marks: &Marks) -> Value {
        if marks.is_empty() {
            return self;
        }
        self.with_more_marks(marks)
    }

    fn with_more_marks(self, marks: &Marks) -> Value {
        if self.marks().contains_all(marks) {
            return self;
        }
        let all = self.marks().union(marks);
        self.marked_exactly(all)
    }

    /// The value with the marks at the top of any of the operands it comes from.
    #[inline]
    pub(crate) fn with_marks_of(self, operands: &[&Value]) -> Value {
        if !operands.iter().any(|operand| operand.is_marked()) {
            return self;
        }
        self.with_same_marks(operands.iter().copied())
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
        let mut marks = GatheredMarks::default();
        let value = strip(self, &mut |found, _| marks.add(found), &mut Path::new());
        (value, marks.into_marks())
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

fn strip(value: &Value, found: &mut dyn FnMut(&Marks, &Path), path: &mut Path) -> Value {
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
    bare.rebuilt(&mut |step, child| {
        if !child.contains_marks() {
            return child.clone();
        }
        path.push(step);
        let child = strip(child, found, path);
        path.pop();
        child
    })
}

/// Marks to put, each with the steps that are left to its place.
type Places<'a> = Vec<(&'a [Step], &'a Marks)>;

fn put(value: &Value, places: &[(&[Step], &Marks)]) -> Value {
    let (here, below) = by_first_step(value, places);
    let marked = if below.is_empty() {
        value.clone()
    } else {
        value.rebuilt(&mut |step, child| match below.get(&step) {
            Some(places) => put(child, places),
            None => child.clone(),
        })
    };
    marked.with_marks(&here)
}

/// The marks for the value itself, and the places below it by their first step.
fn by_first_step<'a>(
    value: &Value,
    places: &[(&'a [Step], &'a Marks)],
) -> (Marks, BTreeMap<Step, Places<'a>>) {
    let (mut here, mut below) = (GatheredMarks::default(), BTreeMap::<Step, Places<'a>>::new());
    let is_set = matches!(value.container(), Some(Container::Set(_)));
    for (steps, marks) in places {
        match steps.split_first() {
            None => here.add(marks),
            Some((Step::Index(member), _)) if is_set => {
                if super::walk::has_member(value, member) {
                    here.add(marks);
                }
            }
            Some((first, rest)) => below.entry(first.clone()).or_default().push((rest, marks)),
        }
    }
    (here.into_marks(), below)
}

impl Value {
    /// Replaces every child by the result of `change`, and keeps the marks at the top. Types of children must not
    /// change. Members of a set are not replaced.
    pub(crate) fn rebuilt(&self, change: &mut dyn FnMut(Step, &Value) -> Value) -> Value {
        let built = match self.container() {
            Some(Container::List(node)) => {
                build::list_node(node.ty.clone(), rebuilt_items(&node.items, change))
            }
            Some(Container::Tuple(node)) => {
                build::tuple_node(node.ty.clone(), rebuilt_items(&node.items, change))
            }
            Some(Container::Map(node)) => {
                build::map_node(node.ty.clone(), rebuilt_entries(&node.entries, change))
            }
            Some(Container::Object(node)) => build::object_node(node.ty.clone(), rebuilt_slots(node, change)),
            Some(Container::Set(_)) | None => return self.clone(),
        };
        built.with_marks(self.marks())
    }
}

// Loops rather than iterator chains: deep values come through here, and each frame counts in a debug build.

fn rebuilt_items(items: &[Value], change: &mut dyn FnMut(Step, &Value) -> Value) -> Box<[Value]> {
    let mut rebuilt = Vec::with_capacity(items.len());
    for (i, item) in items.iter().enumerate() {
        rebuilt.push(change(Step::index(i), item));
    }
    rebuilt.into_boxed_slice()
}

fn rebuilt_entries(
    entries: &[(Text, Value)],
    change: &mut dyn FnMut(Step, &Value) -> Value,
) -> Box<[(Text, Value)]> {
    let mut rebuilt = Vec::with_capacity(entries.len());
    for (key, item) in entries {
        rebuilt.push((key.clone(), change(Step::index(key.as_str()), item)));
    }
    rebuilt.into_boxed_slice()
}

fn rebuilt_slots(node: &ObjectNode, change: &mut dyn FnMut(Step, &Value) -> Value) -> Box<[Value]> {
    let mut rebuilt = Vec::with_capacity(node.slots.len());
    for ((name, _), item) in node.ty.iter().zip(&node.slots) {
        rebuilt.push(change(Step::attr(name), item));
    }
    rebuilt.into_boxed_slice()
}
