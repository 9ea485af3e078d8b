//! Writes values and paths in their self-describing form.

use serde_core::ser::{Error as _, SerializeSeq, SerializeStruct};
use serde_core::{Serialize, Serializer};

use crate::path::{Path, Step};
use crate::types::Type;
use crate::value::{SetView, Value, ValueRange, View, view_below_marks};

use super::{VALUE, handover};

use super::{FIELDS, VERSION, set};

/// Writes the [self-describing form](crate::serial).
impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // The bridge recognises the value by the newtype's name; formats ignore it.
        serializer.serialize_newtype_struct(VALUE, &VersionedValue(self))
    }
}

/// Serializes a value as the version and its node, or hands it over to the bridge if that is waiting for a value.
struct VersionedValue<'a>(&'a Value);

impl Serialize for VersionedValue<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if handover::fulfil(|| self.0.clone()) {
            return serializer.serialize_unit();
        }
        let [version, value] = FIELDS;
        let mut form = serializer.serialize_struct("Value", 2)?;
        form.serialize_field(version, &VERSION)?;
        form.serialize_field(value, &Node(self.0))?;
        form.end()
    }
}

/// Writes a sequence of steps: see [`serial`](crate::serial).
impl Serialize for Path {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.steps())
    }
}

/// Writes `["attr", "name"]` or `["index", NODE]`: see [`serial`](crate::serial).
impl Serialize for Step {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Step::Attr(name) => serializer.collect_seq(["attr", name.as_str()]),
            Step::Index(key) => {
                let mut form = serializer.serialize_seq(Some(2))?;
                form.serialize_element("index")?;
                form.serialize_element(&Node(key))?;
                form.end()
            }
        }
    }
}

/// Serializes a value as its node, the sequence that describes it, with its marks.
pub(super) struct Node<'a>(pub(super) &'a Value);

impl Serialize for Node<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let marks = self.0.marks();
        if marks.is_empty() {
            return UnmarkedNode(self.0).serialize(serializer);
        }
        let mut form = serializer.serialize_seq(Some(3))?;
        form.serialize_element("marked")?;
        form.serialize_element(marks)?;
        form.serialize_element(&UnmarkedNode(self.0))?;
        form.end()
    }
}

/// Serializes a value as its node, without the marks of the value itself; those of its children are written.
struct UnmarkedNode<'a>(&'a Value);

impl Serialize for UnmarkedNode<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match view_below_marks(self.0) {
            View::Unknown(range) => unknown(&range, serializer),
            View::Null(ty) => pair("null", &ty, serializer),
            View::Bool(bool) => pair("bool", &bool, serializer),
            View::Number(number) => pair("number", number, serializer),
            View::String(text) => serializer.collect_seq(["string", text]),
            View::List(list) => collection("list", list.element_type(), list.iter(), serializer),
            View::Set(set) => self::set(&set, serializer),
            View::Map(map) => entries("map", Some(map.element_type()), map.iter(), serializer),
            View::Tuple(tuple) => items("tuple", tuple.iter(), serializer),
            View::Object(object) => entries("object", None, object.iter(), serializer),
            View::Capsule(_) => Err(S::Error::custom("a capsule cannot be written")),
            View::Dynamic | View::Marked(_) => serializer.collect_seq(["dynamic"]),
        }
    }
}

/// Writes a node that consists of a word, such as `bool`, and one further element.
fn pair<S: Serializer>(word: &str, content: &impl Serialize, serializer: S) -> Result<S::Ok, S::Error> {
    let mut form = serializer.serialize_seq(Some(2))?;
    form.serialize_element(word)?;
    form.serialize_element(content)?;
    form.end()
}

/// Writes the node of an unknown value: `unknown` or `refined`.
fn unknown<S: Serializer>(range: &ValueRange, serializer: S) -> Result<S::Ok, S::Error> {
    if range.refinement().is_trivial() {
        return pair("unknown", range.ty(), serializer);
    }
    let mut form = serializer.serialize_seq(Some(3))?;
    form.serialize_element("refined")?;
    form.serialize_element(range.ty())?;
    form.serialize_element(range.refinement())?;
    form.end()
}

/// Writes a node that consists of a word, such as `tuple`, and the nodes of `items`.
fn items<'a, S: Serializer>(
    word: &str,
    items: impl ExactSizeIterator<Item = &'a Value>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let mut form = serializer.serialize_seq(Some(items.len().saturating_add(1)))?;
    form.serialize_element(word)?;
    for item in items {
        form.serialize_element(&Node(item))?;
    }
    form.end()
}

/// Writes a node that consists of a word, such as `list`, the element type and the nodes of `items`.
fn collection<'a, S: Serializer>(
    word: &str,
    element: &Type,
    items: impl ExactSizeIterator<Item = &'a Value>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let mut form = serializer.serialize_seq(Some(items.len().saturating_add(2)))?;
    form.serialize_element(word)?;
    form.serialize_element(element)?;
    for item in items {
        form.serialize_element(&Node(item))?;
    }
    form.end()
}

/// Writes the node of a set: `set`, or `partial_set` with the bounds of its length if members are undecided.
fn set<S: Serializer>(set: &SetView<'_>, serializer: S) -> Result<S::Ok, S::Error> {
    let members: Vec<&Value> = set.iter().collect();
    let Some((fewest, most)) = set::length(set) else {
        return collection("set", set.element_type(), members.into_iter(), serializer);
    };
    let mut form = serializer.serialize_seq(Some(members.len().saturating_add(4)))?;
    form.serialize_element("partial_set")?;
    form.serialize_element(set.element_type())?;
    form.serialize_element(&fewest)?;
    form.serialize_element(&most)?;
    for member in members {
        form.serialize_element(&Node(member))?;
    }
    form.end()
}

/// Writes a node that consists of a word, such as `map`, the element type if given, and the entries: each key
/// followed by the node of its value.
fn entries<'a, S: Serializer>(
    word: &str,
    element: Option<&Type>,
    entries: impl ExactSizeIterator<Item = (&'a str, &'a Value)>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let head = if element.is_some() { 2_usize } else { 1 };
    let mut form = serializer.serialize_seq(Some(entries.len().saturating_mul(2).saturating_add(head)))?;
    form.serialize_element(word)?;
    if let Some(element) = element {
        form.serialize_element(element)?;
    }
    for (key, value) in entries {
        form.serialize_element(key)?;
        form.serialize_element(&Node(value))?;
    }
    form.end()
}
