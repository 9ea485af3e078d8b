//! The total order of values, with the equality and hash that agree with it.
//!
//! Wholly known values come first: false, true, numbers by value, strings by bytes, then lists, sets, maps, tuples and
//! objects, each by its children, then capsules. Values that are not wholly known follow, and null comes last. Values
//! of the same content are ordered by their marks.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

use crate::text::Text;
use crate::types::Type;

use super::repr::{Container, KnownRepr};
use super::{Known, Value, same, set};

impl Ord for Value {
    fn cmp(&self, other: &Value) -> Ordering {
        content(self, other).then_with(|| {
            if self.contains_marks() || other.contains_marks() {
                compare_marks(self, other)
            } else {
                Ordering::Equal
            }
        })
    }
}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Value) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Value) -> bool {
        same::content(self, other)
            && (!self.contains_marks() && !other.contains_marks() || compare_marks(self, other).is_eq())
    }
}

impl Eq for Value {}

/// Compares two values in the total order without their marks, at any depth.
pub(crate) fn content(a: &Value, b: &Value) -> Ordering {
    compare(a, b, false)
}

/// As [`content`], for two values of the same type: does not compare their types again. In lists whose types are equal
/// but not shared, that would cost the size of the element type for each pair of elements.
pub(super) fn content_of_one_type(a: &Value, b: &Value) -> Ordering {
    compare(a, b, true)
}

/// Compares two elements of a collection of this element type, without marks.
pub(super) fn of_elements(element: &Type, a: &Value, b: &Value) -> Ordering {
    compare(a, b, !element.has_dynamic())
}

/// Compares two values without marks; `one_type` says that their types are equal.
fn compare(a: &Value, b: &Value, one_type: bool) -> Ordering {
    match (a, b) {
        (Value::Known(a), Value::Known(b)) => compare_known(a, b, one_type),
        (Value::Partial(a), Value::Partial(b)) => {
            compare_containers(a.0.container(), b.0.container(), one_type)
        }
        (Value::Refined(a), Value::Refined(b)) => {
            compare_types(&a.0.ty, &b.0.ty, one_type).then_with(|| a.0.refinement.cmp(&b.0.refinement))
        }
        (Value::Unknown(a), Value::Unknown(b)) => compare_types(a.0.ty(), b.0.ty(), one_type),
        (a, b) => level_rank(a).cmp(&level_rank(b)),
    }
}

/// Compares two types, unless they are known to be equal.
fn compare_types<T: Ord>(a: &T, b: &T, one_type: bool) -> Ordering {
    if one_type { Ordering::Equal } else { a.cmp(b) }
}

/// The rank of a value's level in the total order: known but not null, then partial, refined, unknown, dynamic, null.
fn level_rank(value: &Value) -> u8 {
    match value {
        Value::Known(known) if known.0.is_null() => 5,
        Value::Known(_) => 0,
        Value::Partial(_) => 1,
        Value::Refined(_) => 2,
        Value::Unknown(_) => 3,
        Value::Dynamic(_) => 4,
    }
}

/// Compares two wholly known values without marks.
fn compare_known(a: &Known, b: &Known, one_type: bool) -> Ordering {
    match (a.0.bare(), b.0.bare()) {
        (KnownRepr::Null(a), KnownRepr::Null(b)) => compare_types(a, b, one_type),
        (KnownRepr::Bool(a), KnownRepr::Bool(b)) => a.cmp(b),
        (KnownRepr::Number(a), KnownRepr::Number(b)) => a.cmp(b),
        (KnownRepr::String(a), KnownRepr::String(b)) => a.as_str().cmp(b.as_str()),
        (KnownRepr::Container(a), KnownRepr::Container(b)) => compare_containers(a, b, one_type),
        (KnownRepr::Capsule(a), KnownRepr::Capsule(b)) => a.cmp(b),
        (a, b) => kind_rank(a).cmp(&kind_rank(b)),
    }
}

/// The rank of a known value's kind in the total order.
fn kind_rank(value: &KnownRepr) -> u8 {
    match value {
        KnownRepr::Bool(_) => 0,
        KnownRepr::Number(_) => 1,
        KnownRepr::String(_) => 2,
        KnownRepr::Container(_) => 3,
        KnownRepr::Capsule(_) => 4,
        KnownRepr::Null(_) => 5,
        KnownRepr::Marked(_) => 6,
    }
}

/// Compares two containers without marks: by their children, then by their types.
fn compare_containers(a: &Container, b: &Container, one_type: bool) -> Ordering {
    if a.same(b) {
        return Ordering::Equal;
    }
    match (a, b) {
        (Container::List(a), Container::List(b)) => {
            let one = one_type || a.ty == b.ty;
            compare_items(&a.items, &b.items, one).then_with(|| compare_types(&a.ty, &b.ty, one))
        }
        (Container::Set(a), Container::Set(b)) => {
            let one = one_type || a.ty == b.ty;
            compare_items(&a.known, &b.known, one)
                .then_with(|| compare_items(&a.not_wholly_known, &b.not_wholly_known, one))
                .then_with(|| a.length.cmp(&b.length))
                .then_with(|| compare_types(&a.ty, &b.ty, one))
        }
        (Container::Map(a), Container::Map(b)) => {
            let one = one_type || a.ty == b.ty;
            compare_entries(&a.entries, &b.entries, one).then_with(|| compare_types(&a.ty, &b.ty, one))
        }
        (Container::Tuple(a), Container::Tuple(b)) => {
            let one = one_type || a.ty == b.ty;
            compare_items(&a.items, &b.items, one).then_with(|| compare_types(&a.ty, &b.ty, one))
        }
        // Attribute names before values, so that objects of one type are compared by their values alone.
        (Container::Object(a), Container::Object(b)) => {
            compare_types(&a.ty, &b.ty, one_type).then_with(|| compare_items(&a.slots, &b.slots, true))
        }
        (a, b) => container_rank(a).cmp(&container_rank(b)),
    }
}

/// The rank of a container's kind in the total order.
fn container_rank(container: &Container) -> u8 {
    match container {
        Container::List(_) => 0,
        Container::Set(_) => 1,
        Container::Map(_) => 2,
        Container::Tuple(_) => 3,
        Container::Object(_) => 4,
    }
}

/// Sorts by a comparison that may not be a total order: capsules are compared by user code. The sorts of the standard
/// library may panic on such a comparison; this merge sort cannot (L6).
pub(super) fn merge_sort<T>(items: Vec<T>, compare: &impl Fn(&T, &T) -> Ordering) -> Vec<T> {
    let mut runs: Vec<Vec<T>> = items.into_iter().map(|item| vec![item]).collect();
    while runs.len() > 1 {
        let mut longer = Vec::with_capacity(runs.len().div_ceil(2));
        let mut left = runs.into_iter();
        while let Some(run) = left.next() {
            longer.push(match left.next() {
                Some(other) => merged(run, other, compare),
                None => run,
            });
        }
        runs = longer;
    }
    runs.pop().unwrap_or_default()
}

/// Sorts values of the type into the total order; never panics, even if user code orders capsules inconsistently.
pub(super) fn sorted(mut items: Vec<Value>, ty: &Type) -> Vec<Value> {
    if ty.has_capsule() {
        return merge_sort(items, &content);
    }
    if set::members::can_sort_by_key(&items, ty) {
        return set::members::sort_by_key(items);
    }
    items.sort_unstable_by(|a, b| of_elements(ty, a, b));
    items
}

/// Merges two sorted vectors; of equal items those of `a` come first.
fn merged<T>(a: Vec<T>, b: Vec<T>, compare: &impl Fn(&T, &T) -> Ordering) -> Vec<T> {
    let mut all = Vec::with_capacity(a.len().saturating_add(b.len()));
    let mut b = b.into_iter().peekable();
    for item in a {
        while let Some(before) = b.next_if(|other| compare(other, &item).is_lt()) {
            all.push(before);
        }
        all.push(item);
    }
    all.extend(b);
    all
}

// Loops: a deep value recurses through here, and stack frames are large in a debug build.

/// Compares two sequences of values, a shorter one before its continuations.
fn compare_items(a: &[Value], b: &[Value], one_type: bool) -> Ordering {
    for (a, b) in a.iter().zip(b) {
        let order = compare(a, b, one_type);
        if order.is_ne() {
            return order;
        }
    }
    a.len().cmp(&b.len())
}

/// Compares the entries of two maps, each by key and then by value.
fn compare_entries(a: &[(Text, Value)], b: &[(Text, Value)], one_type: bool) -> Ordering {
    for ((a_key, a), (b_key, b)) in a.iter().zip(b) {
        let order = a_key.cmp(b_key).then_with(|| compare(a, b, one_type));
        if order.is_ne() {
            return order;
        }
    }
    a.len().cmp(&b.len())
}

/// Compares the marks of two values of the same content: those at the top, then those of each child.
fn compare_marks(a: &Value, b: &Value) -> Ordering {
    a.marks().cmp(b.marks()).then_with(|| {
        let (Some(a), Some(b)) = (a.container(), b.container()) else { return Ordering::Equal };
        if !a.marks_inside() && !b.marks_inside() {
            return Ordering::Equal;
        }
        a.children()
            .zip(b.children())
            .map(|(a, b)| compare_marks(a, b))
            .find(|order| order.is_ne())
            .unwrap_or(Ordering::Equal)
    })
}

impl Container {
    /// The children in the order in which they are stored, which for a set is not the iteration order.
    pub(crate) fn children(&self) -> Children<'_> {
        match self {
            Container::List(node) => Children::Items(node.items.iter()),
            Container::Tuple(node) => Children::Items(node.items.iter()),
            Container::Object(node) => Children::Items(node.slots.iter()),
            Container::Map(node) => Children::Entries(node.entries.iter()),
            Container::Set(node) => Children::Members(node.known.iter().chain(node.not_wholly_known.iter())),
        }
    }
}

/// An iterator over the children of a container.
pub(crate) enum Children<'a> {
    Items(std::slice::Iter<'a, Value>),
    Entries(std::slice::Iter<'a, (Text, Value)>),
    Members(std::iter::Chain<std::slice::Iter<'a, Value>, std::slice::Iter<'a, Value>>),
}

impl<'a> Iterator for Children<'a> {
    type Item = &'a Value;

    fn next(&mut self) -> Option<&'a Value> {
        match self {
            Children::Items(items) => items.next(),
            Children::Entries(entries) => entries.next().map(|(_, value)| value),
            Children::Members(members) => members.next(),
        }
    }
}

impl Hash for Value {
    fn hash<H: Hasher>(&self, state: &mut H) {
        level_rank(self).hash(state);
        match self {
            Value::Dynamic(_) => {}
            Value::Unknown(unknown) => unknown.0.ty().hash(state),
            Value::Refined(refined) => {
                refined.0.ty.hash(state);
                refined.0.refinement.hash(state);
            }
            Value::Partial(partial) => hash_container(partial.0.container(), state),
            Value::Known(known) => match known.0.bare() {
                KnownRepr::Null(ty) => ty.hash(state),
                KnownRepr::Bool(truth) => truth.hash(state),
                KnownRepr::Number(number) => number.hash(state),
                KnownRepr::String(text) => text.as_str().hash(state),
                KnownRepr::Capsule(content) => content.hash(state),
                KnownRepr::Container(container) => hash_container(container, state),
                KnownRepr::Marked(_) => {}
            },
        }
        let marks = self.marks();
        if !marks.is_empty() {
            marks.hash(state);
        }
    }
}

/// Hashes a container so that containers equal in the total order have the same hash.
fn hash_container<H: Hasher>(container: &Container, state: &mut H) {
    container_rank(container).hash(state);
    match container {
        Container::Object(node) => node.ty.len().hash(state),
        Container::Map(node) => node.entries.iter().for_each(|(key, _)| key.as_str().hash(state)),
        // Empty collections differ only by their element types.
        Container::List(node) if node.items.is_empty() => node.ty.hash(state),
        _ => {}
    }
    let mut count = 0_u64;
    for child in container.children() {
        child.hash(state);
        count = count.saturating_add(1);
    }
    count.hash(state);
}
