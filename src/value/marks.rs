//! Adding and removing marks: at the top of a value, and at any depth with their paths.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::mark::{GatheredMarks, Marks};
use crate::path::{Path, Step};
use crate::text::{Text, write_word};
use crate::types::Type;
use crate::types::names::word;

use super::repr::{Container, KnownRepr, ObjectNode, PartialRepr, RefinedNode, UnknownRepr};
use super::{Dynamic, Known, Partial, Refined, Unknown, Value, View, build};

/// The text of a type that is behind a mark.
const HIDDEN_TYPE: &str = "hidden";

impl Value {
    /// The value with these marks added at its top.
    ///
    /// ```
    /// use plantime::{Mark, Value};
    ///
    /// let (content, marks) = Value::from("hunter2").mark(Mark::SENSITIVE).unmark();
    /// let length = Value::from(content.as_str()?.len() as u64).with_marks(&marks);
    /// assert!(length.as_number().unwrap_err().is_marked());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    #[must_use]
    #[inline]
    pub fn with_marks(self, marks: &Marks) -> Value {
        if marks.is_empty() {
            return self;
        }
        self.with_more_marks(marks)
    }

    /// The slow path of [`with_marks`](Value::with_marks).
    fn with_more_marks(self, marks: &Marks) -> Value {
        if self.marks().contains_all(marks) {
            return self;
        }
        let all = self.marks().union(marks);
        self.marked_exactly(all)
    }

    /// The value, computed from operands, with the marks at the top of each operand added.
    #[inline]
    pub(crate) fn with_marks_of(self, operands: &[&Value]) -> Value {
        if !operands.iter().any(|operand| operand.is_marked()) {
            return self;
        }
        self.with_same_marks(operands.iter().copied())
    }

    /// The value with exactly these marks at its top, in place of those it had.
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

    /// Returns the value without the marks at its top, and these marks. O(1).
    ///
    /// [Example](Value::with_marks)
    pub fn unmark(self) -> (Value, Marks) {
        if !self.is_marked() {
            return (self, Marks::new());
        }
        let marks = self.marks().clone();
        (self.marked_exactly(Marks::new()), marks)
    }

    /// Returns the value without marks at any depth, and the union of all removed marks.
    ///
    /// Parts without marks are shared with the original value, not copied.
    ///
    /// ```
    /// use plantime::{Mark, Value};
    ///
    /// let password = Value::from("hunter2").mark(Mark::SENSITIVE);
    /// let login = Value::object([("name", Value::from("root")), ("password", password)])?;
    /// let (bare, marks) = login.unmark_deep();
    /// assert_eq!(bare.at("password")?.as_str()?, "hunter2");
    /// assert_eq!(marks.iter().collect::<Vec<_>>(), [&Mark::SENSITIVE]);
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn unmark_deep(&self) -> (Value, Marks) {
        let mut marks = GatheredMarks::default();
        let value = strip_marks(self, &mut |found, _| marks.add(found), &mut Path::new());
        (value, marks.into_marks())
    }

    /// The text of the type as far as it is not behind a mark: `hidden` for a marked value. Its attribute names and length are
    /// content, and so is its kind: `one` of a tuple has the kind of an element, or none where the tuple is empty.
    ///
    /// ```
    /// use plantime::{Mark, Value};
    ///
    /// let login = Value::object([("root", Value::from("hunter2"))])?.mark(Mark::SENSITIVE);
    /// assert_eq!(login.ty().to_string(), "object({root = string})");
    /// assert_eq!(login.visible_type(), "hidden");
    /// assert_eq!(Value::tuple([login, Value::from(1)])?.visible_type(), "tuple([hidden, number])");
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn visible_type(&self) -> String {
        if !self.contains_marks() {
            return self.ty().to_string();
        }
        if self.is_marked() {
            return HIDDEN_TYPE.to_owned();
        }
        let ty = self.ty();
        match self.view() {
            View::Tuple(tuple) => {
                let items: Vec<String> = tuple.iter().map(Value::visible_type).collect();
                format!("tuple([{}])", items.join(", "))
            }
            View::Object(object) => {
                let attributes = object.iter().map(|(name, value)| {
                    let mut text = String::new();
                    // Writing to a string does not fail.
                    let _ = write_word(&mut text, name);
                    format!("{text} = {}", value.visible_type())
                });
                format!("object({{{}}})", attributes.collect::<Vec<_>>().join(", "))
            }
            View::List(list) if list.iter().all(Value::is_marked) => format!("{}({HIDDEN_TYPE})", word(&ty)),
            View::Map(map) if map.iter().all(|(_, value)| value.is_marked()) => {
                format!("{}({HIDDEN_TYPE})", word(&ty))
            }
            // The elements have one type, some of it behind a mark.
            _ => match ty.element_type() {
                Some(Type::Bool | Type::Number | Type::String) => ty.to_string(),
                Some(element) => format!("{}({})", word(&ty), word(element)),
                None => word(&ty).to_owned(),
            },
        }
    }

    /// Returns the value without marks at any depth, and the removed marks with their paths, in the order of
    /// [`walk`](Value::walk).
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
        let value = strip_marks(
            self,
            &mut |found, path| places.push((path.clone(), found.clone())),
            &mut Path::new(),
        );
        (value, places)
    }

    /// The value with marks added at these paths. A path that the value does not have is ignored; marks for a member
    /// of a set, or for something inside a member, are added to the set.
    ///
    /// [Example](Value::unmark_deep_with_paths)
    #[must_use]
    pub fn mark_with_paths(&self, places: &[(Path, Marks)]) -> Value {
        let places: Vec<(&[Step], &Marks)> =
            places.iter().map(|(path, marks)| (path.steps(), marks)).collect();
        add_marks(self, &places)
    }
}

/// Removes all marks from a value at `path` and from everything inside it. Calls `found` for each marked value, with
/// its marks and its path.
fn strip_marks(value: &Value, found: &mut dyn FnMut(&Marks, &Path), path: &mut Path) -> Value {
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
        let child = strip_marks(child, found, path);
        path.pop();
        child
    })
}

/// Marks to add, each with the remaining steps of its path.
type MarksWithSteps<'a> = Vec<(&'a [Step], &'a Marks)>;

/// Adds marks to a value and to values inside it: each set of marks to the value where its remaining steps lead.
fn add_marks(value: &Value, places: &[(&[Step], &Marks)]) -> Value {
    let (here, below) = by_first_step(value, places);
    let marked = if below.is_empty() {
        value.clone()
    } else {
        value.rebuilt(&mut |step, child| match below.get(&step) {
            Some(places) => add_marks(child, places),
            None => child.clone(),
        })
    };
    marked.with_marks(&here)
}

/// Splits the marks into those for the value itself and those for values inside it, grouped by the first step to them.
fn by_first_step<'a>(
    value: &Value,
    places: &[(&'a [Step], &'a Marks)],
) -> (Marks, BTreeMap<Step, MarksWithSteps<'a>>) {
    let (mut here, mut below) = (GatheredMarks::default(), BTreeMap::<Step, MarksWithSteps<'a>>::new());
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
    /// The container with every child replaced by the result of `change`, and the same marks at the top. `change`
    /// must not change the type of a child. A set, and a value without children, is returned as it is.
    #[doc(hidden)]
    pub fn rebuilt(&self, change: &mut dyn FnMut(Step, &Value) -> Value) -> Value {
        let built = match self.container() {
            Some(Container::List(node)) => {
                build::list_node(node.ty.clone(), change_items(&node.items, change))
            }
            Some(Container::Tuple(node)) => {
                build::tuple_node(node.ty.clone(), change_items(&node.items, change))
            }
            Some(Container::Map(node)) => {
                build::map_node(node.ty.clone(), change_entries(&node.entries, change))
            }
            Some(Container::Object(node)) => build::object_node(node.ty.clone(), change_slots(node, change)),
            Some(Container::Set(_)) | None => return self.clone(),
        };
        built.with_marks(self.marks())
    }
}

// Loops rather than iterator chains: a deep value recurses through here, and stack frames are large in a debug build.

/// The elements of a list or tuple, each replaced by the result of `change`.
fn change_items(items: &[Value], change: &mut dyn FnMut(Step, &Value) -> Value) -> Box<[Value]> {
    let mut rebuilt = Vec::with_capacity(items.len());
    for (i, item) in items.iter().enumerate() {
        rebuilt.push(change(Step::index(i), item));
    }
    rebuilt.into_boxed_slice()
}

/// The entries of a map, each value replaced by the result of `change`.
fn change_entries(
    entries: &[(Text, Value)],
    change: &mut dyn FnMut(Step, &Value) -> Value,
) -> Box<[(Text, Value)]> {
    let mut rebuilt = Vec::with_capacity(entries.len());
    for (key, item) in entries {
        rebuilt.push((key.clone(), change(Step::index(key.as_str()), item)));
    }
    rebuilt.into_boxed_slice()
}

/// The values of an object, each replaced by the result of `change`.
fn change_slots(node: &ObjectNode, change: &mut dyn FnMut(Step, &Value) -> Value) -> Box<[Value]> {
    let mut rebuilt = Vec::with_capacity(node.slots.len());
    for ((name, _), item) in node.ty.iter().zip(&node.slots) {
        rebuilt.push(change(Step::attr(name), item));
    }
    rebuilt.into_boxed_slice()
}
