//! Object types: named attributes with a type each.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

use indexmap::IndexMap;
use indexmap::map::Entry;

use super::Type;
use super::node::{Node, Parts};
use crate::error::{Error, Kind, Result};
use crate::text::{Quoted, Text, nfc};

/// Name to type, sorted by name, so that the place of a name is its slot in a value.
struct Attributes(IndexMap<Text, Type>);

impl Parts for Attributes {
    fn parts(&self) -> impl Iterator<Item = &Type> {
        self.0.values()
    }
}

/// The type of objects: what [`Type::Object`] holds.
///
/// Attributes are sorted by the bytes of their names; the position of an attribute here is its position in every
/// value of the type. Names are kept in Unicode normal form C and may be any text; lookups normalise what they are
/// given.
///
/// ```
/// use plantime::{ObjectType, Type};
///
/// let port = ObjectType::new([("to", Type::Number), ("from", Type::Number), ("note", Type::String)])?;
/// assert_eq!(port.attribute_names().collect::<Vec<_>>(), ["from", "note", "to"]);
/// assert_eq!(port.get("note"), Some(&Type::String));
/// assert_eq!(port.index_of("to"), Some(2));
/// # Ok::<(), plantime::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectType(Node<Attributes>);

impl ObjectType {
    /// The type with these attributes, in any order.
    ///
    /// # Errors
    ///
    /// [`is_limit`](crate::Error::is_limit) above [`limits::DEPTH`](crate::limits::DEPTH) levels,
    /// [`is_syntax`](crate::Error::is_syntax) when two names are equal once normalised.
    pub fn new(attributes: impl IntoIterator<Item = (impl AsRef<str>, Type)>) -> Result<ObjectType> {
        let attributes = attributes.into_iter();
        let mut map = IndexMap::with_capacity(attributes.size_hint().0.min(1024));
        for (name, ty) in attributes {
            match map.entry(Text::new(name.as_ref())) {
                Entry::Vacant(place) => {
                    place.insert(ty);
                }
                Entry::Occupied(place) => {
                    let message = format!("duplicate attribute {}", Quoted(place.key()));
                    return Err(Error::new(Kind::Syntax, message));
                }
            }
        }
        ObjectType::from_map(map)
    }

    /// The type with the attributes of a map, in any order.
    pub(super) fn from_map(mut map: IndexMap<Text, Type>) -> Result<ObjectType> {
        if !map.keys().is_sorted() {
            map.sort_unstable_keys();
        }
        Node::new(Attributes(map)).map(ObjectType)
    }

    /// The type of an attribute.
    pub fn get(&self, name: &str) -> Option<&Type> {
        self.attributes().get(nfc(name).as_ref())
    }

    /// The position of an attribute.
    pub fn index_of(&self, name: &str) -> Option<usize> {
        self.attributes().get_index_of(nfc(name).as_ref())
    }

    /// How many attributes there are.
    pub fn len(&self) -> usize {
        self.attributes().len()
    }

    /// Whether there is no attribute.
    pub fn is_empty(&self) -> bool {
        self.attributes().is_empty()
    }

    /// Names and types, sorted by name.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (&str, &Type)> + ExactSizeIterator {
        self.attributes().iter().map(|(name, ty)| (name.as_str(), ty))
    }

    /// The names, sorted.
    pub fn attribute_names(&self) -> impl DoubleEndedIterator<Item = &str> + ExactSizeIterator {
        self.attributes().keys().map(Text::as_str)
    }

    /// The names, sorted.
    pub(crate) fn names(&self) -> impl ExactSizeIterator<Item = &Text> + Clone {
        self.attributes().keys()
    }

    /// The name at a position.
    pub fn name_at(&self, index: usize) -> Option<&str> {
        self.attributes().get_index(index).map(|(name, _)| name.as_str())
    }

    /// The type at a position.
    pub fn type_at(&self, index: usize) -> Option<&Type> {
        self.attributes().get_index(index).map(|(_, ty)| ty)
    }

    fn attributes(&self) -> &IndexMap<Text, Type> {
        &self.0.body().0
    }

    pub(super) fn depth(&self) -> usize {
        self.0.depth()
    }

    pub(super) fn size(&self) -> usize {
        self.0.size()
    }

    pub(super) fn is_same(&self, other: &ObjectType) -> bool {
        self.0.is_same(&other.0)
    }

    pub(crate) fn has_dynamic(&self) -> bool {
        self.0.has_dynamic()
    }

    pub(super) fn has_capsule(&self) -> bool {
        self.0.has_capsule()
    }
}

impl fmt::Debug for ObjectType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&Type::Object(self.clone()), f)
    }
}

// In order, as the attributes are sorted: cheaper than the map's own comparison, and it agrees with `Ord`.
impl PartialEq for Attributes {
    fn eq(&self, other: &Attributes) -> bool {
        self.0.len() == other.0.len() && self.0.iter().eq(other.0.iter())
    }
}

impl Eq for Attributes {}

impl PartialOrd for Attributes {
    fn partial_cmp(&self, other: &Attributes) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Attributes {
    fn cmp(&self, other: &Attributes) -> Ordering {
        self.0.iter().cmp(other.0.iter())
    }
}

impl Hash for Attributes {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_usize(self.0.len());
        for attribute in &self.0 {
            attribute.hash(state);
        }
    }
}
