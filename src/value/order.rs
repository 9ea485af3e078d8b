//! The total order of values, and equality and hashing that agree with it.
//!
//! Null comes last, what is not wholly known before null; below that false before true, numbers by value,
//! strings by bytes, then lists, sets, maps, tuples, objects, each by its parts, then capsules. Marks count after all
//! content.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

use crate::text::Text;
use crate::types::Type;

use super::repr::{Container, KnownRepr};
use super::{Known, Value, same, set};

impl Ord for Value {
    fn cmp(&self, other: &Value) -> Ordering {
        content(self, other).then_with(|| {
            if self.contains_marks() || other.contains_marks() { marks(self, other) } else { Ordering::Equal }
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
            && (!self.contains_marks() && !other.contains_marks() || marks(self, other).is_eq())
    }
}

impl Eq for Value {}

/// The order without marks, at any depth.
pub(crate) fn content(a: &Value, b: &Value) -> Ordering {
    compare(a, b, false)
}

/// The same of two values of one type: their types are not compared again. In two lists whose types are equal but
/// not shared, that would cost the size of the element type for each pair of elements.
pub(super) fn content_of_one_type(a: &Value, b: &Value) -> Ordering {
    compare(a, b, true)
}

/// The order of two elements of a collection of this element type, without marks.
pub(super) fn of_elements(element: &Type, a: &Value, b: &Value) -> Ordering {
    compare(a, b, !element.has_dynamic())
}

fn compare(a: &Value, b: &Value, one_type: bool) -> Ordering {
    match (a, b) {
        (Value::Known(a), Value::Known(b)) => known(a, b, one_type),
        (Value::Partial(a), Value::Partial(b)) => containers(a.0.container(), b.0.container(), one_type),
        (Value::Refined(a), Value::Refined(b)) => {
            types(&a.0.ty, &b.0.ty, one_type).then_with(|| a.0.refinement.cmp(&b.0.refinement))
        }
        (Value::Unknown(a), Value::Unknown(b)) => types(a.0.ty(), b.0.ty(), one_type),
        (a, b) => class(a).cmp(&class(b)),
    }
}

fn types<T: Ord>(a: &T, b: &T, one_type: bool) -> Ordering {
    if one_type { Ordering::Equal } else { a.cmp(b) }
}

/// Known and not null, then the levels below in falling order, null last.
fn class(value: &Value) -> u8 {
    match value {
        Value::Known(known) if known.0.is_null() => 5,
        Value::Known(_) => 0,
        Value::Partial(_) => 1,
        Value::Refined(_) => 2,
        Value::Unknown(_) => 3,
        Value::Dynamic(_) => 4,
    }
}

fn known(a: &Known, b: &Known, one_type: bool) -> Ordering {
    match (a.0.bare(), b.0.bare()) {
        (KnownRepr::Null(a), KnownRepr::Null(b)) => types(a, b, one_type),
        (KnownRepr::Bool(a), KnownRepr::Bool(b)) => a.cmp(b),
        (KnownRepr::Number(a), KnownRepr::Number(b)) => a.cmp(b),
        (KnownRepr::String(a), KnownRepr::String(b)) => a.as_str().cmp(b.as_str()),
        (KnownRepr::Container(a), KnownRepr::Container(b)) => containers(a, b, one_type),
        (KnownRepr::Capsule(a), KnownRepr::Capsule(b)) => a.cmp(b),
        (a, b) => kind(a).cmp(&kind(b)),
    }
}

fn kind(value: &KnownRepr) -> u8 {
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

fn containers(a: &Container, b: &Container, one_type: bool) -> Ordering {
    if a.same(b) {
        return Ordering::Equal;
    }
    match (a, b) {
        (Container::List(a), Container::List(b)) => {
            let one = one_type || a.ty == b.ty;
            items(&a.items, &b.items, one).then_with(|| types(&a.ty, &b.ty, one))
        }
        (Container::Set(a), Container::Set(b)) => {
            let one = one_type || a.ty == b.ty;
            items(&a.known, &b.known, one)
                .then_with(|| items(&a.undecided, &b.undecided, one))
                .then_with(|| a.length.cmp(&b.length))
                .then_with(|| types(&a.ty, &b.ty, one))
        }
        (Container::Map(a), Container::Map(b)) => {
            let one = one_type || a.ty == b.ty;
            entries(&a.entries, &b.entries, one).then_with(|| types(&a.ty, &b.ty, one))
        }
        (Container::Tuple(a), Container::Tuple(b)) => {
            let one = one_type || a.ty == b.ty;
            items(&a.items, &b.items, one).then_with(|| types(&a.ty, &b.ty, one))
        }
        // Names before values, so that objects of one type are compared by their values alone.
        (Container::Object(a), Container::Object(b)) => {
            types(&a.ty, &b.ty, one_type).then_with(|| items(&a.slots, &b.slots, true))
        }
        (a, b) => container_kind(a).cmp(&container_kind(b)),
    }
}

fn container_kind(container: &Container) -> u8 {
    match container {
        Container::List(_) => 0,
        Container::Set(_) => 1,
        Container::Map(_) => 2,
        Container::Tuple(_) => 3,
        Container::Object(_) => 4,
    }
}

/// Sorts by an order that may not be one: capsules are compared by the code of others. The sorts of the standard
/// library may panic then; merging cannot.
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

/// Sorted, also where values are capsules or have capsules inside.
pub(super) fn sorted(mut items: Vec<Value>, ty: &Type) -> Vec<Value> {
    if ty.has_capsule() {
        return merge_sort(items, &content);
    }
    if set::members::are_keyed(&items, ty) {
        return set::members::sorted(items);
    }
    items.sort_unstable_by(|a, b| of_elements(ty, a, b));
    items
}

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

// Loops: deep values come through here, and each frame counts in a debug build.

fn items(a: &[Value], b: &[Value], one_type: bool) -> Ordering {
    for (a, b) in a.iter().zip(b) {
        let order = compare(a, b, one_type);
        if order.is_ne() {
            return order;
        }
    }
    a.len().cmp(&b.len())
}

fn entries(a: &[(Text, Value)], b: &[(Text, Value)], one_type: bool) -> Ordering {
    for ((a_key, a), (b_key, b)) in a.iter().zip(b) {
        let order = a_key.cmp(b_key).then_with(|| compare(a, b, one_type));
        if order.is_ne() {
            return order;
        }
    }
    a.len().cmp(&b.len())
}

/// The order by marks of two values of the same content.
fn marks(a: &Value, b: &Value) -> Ordering {
    a.marks().cmp(b.marks()).then_with(|| {
        let (Some(a), Some(b)) = (a.container(), b.container()) else { return Ordering::Equal };
        if !a.marks_inside() && !b.marks_inside() {
            return Ordering::Equal;
        }
        a.children()
            .zip(b.children())
            .map(|(a, b)| marks(a, b))
            .find(|order| order.is_ne())
            .unwrap_or(Ordering::Equal)
    })
}

impl Container {
    /// The values inside, in the order in which they are stored.
    pub(crate) fn children(&self) -> Children<'_> {
        match self {
            Container::List(node) => Children::Items(node.items.iter()),
            Container::Tuple(node) => Children::Items(node.items.iter()),
            Container::Object(node) => Children::Items(node.slots.iter()),
            Container::Map(node) => Children::Entries(node.entries.iter()),
            Container::Set(node) => Children::Members(node.known.iter().chain(node.undecided.iter())),
        }
    }
}

/// The values inside a container.
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
        class(self).hash(state);
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

fn hash_container<H: Hasher>(container: &Container, state: &mut H) {
    container_kind(container).hash(state);
    match container {
        Container::Object(node) => node.ty.len().hash(state),
        Container::Map(node) => node.entries.iter().for_each(|(key, _)| key.as_str().hash(state)),
        // Empty collections differ by their element types alone.
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
